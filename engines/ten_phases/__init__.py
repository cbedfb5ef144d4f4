"""10 Phases: ten dice, ten combinations, in order."""

from engines.base import Engine
from engines.play import Play
from engines.ten_phases import notation, players, state, words
from engines.ten_phases.assist import Throw, assist
from engines.ten_phases.report import SLUG, VARIANTS, check, minimal

ENGINE = Engine(
    slug=SLUG,
    name=words.NAME,
    summary=words.SUMMARY,
    variants=VARIANTS,
    check=check,
    minimal=minimal,
    messages=words.MESSAGES,
    place=words.place,
    keys={variant.slug: words.KEYS for variant in VARIANTS},
    assist_shape=Throw,
    assist=assist,
    play=Play(
        start=state.start,
        actor=state.actor,
        is_over=state.is_over,
        legal=state.legal,
        apply=state.apply,
        chance=state.chance,
        write=notation.write,
        read=notation.read,
        report=state.report,
        turns=state.turns,
        starter=state.starter,
        players={"random": players.random, "decent": players.decent},
        rules=words.RULES,
    ),
)

__all__ = ["ENGINE"]
