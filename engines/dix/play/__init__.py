"""A game of DIX in play. What a report of a finished game may say is judged in `engines.dix`."""

from engines.dix.play import notation, players, rules, state, strong, telling
from engines.dix.words import RULES
from engines.play import Play

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
    rules=RULES,
    tell=telling.tell,
    picture=telling.picture,
    draw=telling.draw,
    deal=rules.deal,
    offers=telling.offers,
)

__all__ = ["PLAY"]
