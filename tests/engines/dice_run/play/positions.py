"""Positions and games of Dice Run for the tests of playing."""

from __future__ import annotations

import random

import pytest

from engines.base import RuleError
from engines.dice_run import ENGINE
from engines.dice_run.play.race import group_of
from engines.dice_run.play.state import DiceRunState, Phase, start

PLAY = ENGINE.play
SEATS = ("ana", "bo", "cy")


def groups(text: str) -> tuple[int, ...]:
    """Read a race such as `b6 b1 / – / g6`."""
    return tuple(group_of(part.replace("–", "").split()) for part in text.split(" / "))


def state(race: str, *, hand: str = "", **changes: object) -> DiceRunState:
    """Return a turn of ana in the first stage, with a race and a hand."""
    objectives = (("b6", "g1", "r2", "v5"), ("b1", "g2", "r3", "v4"), ("b2", "g3", "r4", "v6"))
    hands = (tuple(sorted(hand.split())), ("1", "2", "3"), ("4", "5", "6"))
    ready = start("standard", SEATS, {})._replace(
        phase=Phase.TURN, groups=groups(race), hands=hands, objectives=objectives, packs=(9, 8, 7, 6, 5)
    )
    return ready._replace(**changes)


def code_of(position: DiceRunState, move: object) -> str:
    """Return the code with which a move is refused."""
    with pytest.raises(RuleError) as raised:
        PLAY.apply(position, move)
    assert raised.value.code in PLAY.rules
    words = PLAY.rules[raised.value.code]
    assert all(each.format(**raised.value.facts) for each in words)
    return raised.value.code


def prepared(seed: int = 1, until: Phase = Phase.TURN, seats: tuple[str, ...] = SEATS) -> DiceRunState:
    """Play the chance moves of the preparation up to a phase."""
    game, rng = start("standard", seats, {}), random.Random(seed)
    while game.phase is not until:
        game = PLAY.apply(game, PLAY.chance(game, rng))
    return game


def walk(seed: int, player: str = "random", seats: tuple[str, ...] = SEATS) -> list[DiceRunState]:
    """Return every state of a game."""
    game, rng = start("standard", seats, {}), random.Random(seed)
    states = [game]
    while not PLAY.is_over(game):
        move = PLAY.chance(game, rng) if PLAY.actor(game) is None else PLAY.players[player](game, rng)
        game = PLAY.apply(game, move)
        states.append(game)
    return states
