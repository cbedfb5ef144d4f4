"""Sixmix in play, put together for the simulation and the records of all games."""

from engines.play import Play
from engines.sixmix.play import notation, rules, strong, telling
from engines.sixmix.play.players import PLAYERS
from engines.sixmix.words import RULES

__all__ = ["PLAY"]

PLAY = Play(
    start=rules.start,
    actor=rules.actor,
    is_over=rules.is_over,
    legal=rules.legal,
    apply=rules.apply,
    chance=rules.chance,
    write=notation.write,
    read=notation.read,
    report=rules.report,
    turns=rules.turns,
    starter=rules.first_starter,
    players=PLAYERS | {"strong": strong.strong},
    think=strong.think,
    rules=RULES,
    deal=rules.deal,
    tell=telling.tell,
    picture=telling.picture,
    draw=telling.draw,
)
