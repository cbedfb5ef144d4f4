"""10 Phases in play: states, moves, records and players. Judging a report needs none of it."""

from engines.play import Play
from engines.ten_phases import words
from engines.ten_phases.play import notation, players, rules, state, strong, telling

PLAY = Play(
    start=state.start,
    actor=rules.actor,
    is_over=rules.is_over,
    legal=rules.legal,
    apply=rules.apply,
    chance=rules.chance,
    write=notation.write,
    read=notation.read,
    report=rules.report,
    turns=rules.turns,
    starter=rules.starter,
    players={"random": players.random, "decent": players.decent, "strong": strong.strong},
    think=strong.think,
    rules=words.RULES,
    tell=telling.tell,
    picture=telling.picture,
    draw=telling.draw,
    deal=rules.deal,
    offers=telling.offers,
)

__all__ = ["PLAY"]
