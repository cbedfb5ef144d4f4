"""DIX: push your luck, outbid the others, and make long runs in four colours."""

from engines.base import Engine
from engines.dix import notation, players, position, result, state, words
from engines.dix.assist import HandToArrange, assist
from engines.dix.report import SLUG, VARIANTS, check, minimal
from engines.play import Play

ENGINE = Engine(
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
    play=Play(
        start=position.start,
        actor=position.actor,
        is_over=position.is_over,
        legal=state.legal,
        apply=state.apply,
        chance=state.chance,
        write=notation.write,
        read=notation.read,
        report=result.report,
        turns=position.turns,
        starter=position.starter,
        players={"random": players.random, "decent": players.decent},
        rules=words.RULES,
    ),
)

__all__ = ["ENGINE"]
