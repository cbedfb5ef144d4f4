"""DIX: push your luck, outbid the others, and make long runs in four colours."""

from engines.base import CompleteEngine
from engines.dix import words
from engines.dix.assist import HandToArrange, assist
from engines.dix.play import PLAY
from engines.dix.report import SLUG, VARIANTS, check, minimal

ENGINE = CompleteEngine(
    slug=SLUG,
    name=words.NAME,
    summary=words.SUMMARY,
    variants=VARIANTS,
    check=check,
    minimal=minimal,
    messages=words.MESSAGES,
    place=words.place,
    keys=words.KEYS,
    assist_shape=HandToArrange,
    assist=assist,
    play=PLAY,
    solo_title=words.solo_title,
)

__all__ = ["ENGINE"]
