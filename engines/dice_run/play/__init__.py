"""Dice Run in play: the state machine, its notation and its players. Judging never imports from here."""

from engines.dice_run import words
from engines.dice_run.play import notation, rules, state, strong, telling
from engines.dice_run.play.players import PLAYERS
from engines.dice_run.play.view import draw, owner, picture, view
from engines.play import Play

__all__ = ["PLAY"]

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
    turns=lambda game: game.turns,
    starter=lambda game: game.starter,
    players=PLAYERS | {"strong": strong.strong},
    think=strong.think,
    rules=words.RULES,
    deal=rules.deal,
    tell=telling.tell,
    picture=picture,
    draw=draw,
    view=view,
    owner=owner,
)
