"""10 Phases, ten dice and ten combinations in order, as the one object the rest of the product uses."""

from engines.base import CompleteEngine
from engines.ten_phases import words
from engines.ten_phases.assist import Throw, assist
from engines.ten_phases.play import PLAY
from engines.ten_phases.report import SLUG, VARIANTS, check, minimal

ENGINE = CompleteEngine(
    slug=SLUG,
    name=words.NAME,
    summary=words.SUMMARY,
    variants=VARIANTS,
    check=check,
    minimal=minimal,
    messages=words.MESSAGES,
    place=words.place,
    keys={variant.slug: words.KEYS for variant in VARIANTS},
    is_worked_out=lambda path: path[-1:] in {("bonus5",), ("total",)},
    assist_shape=Throw,
    assist=assist,
    play=PLAY,
)

__all__ = ["ENGINE"]
