"""Players that choose by themselves: one at random, one by expectation."""

from __future__ import annotations

from engines.base import Rng
from engines.ten_phases.keeping import best_keep
from engines.ten_phases.moves import Choice, Keep, Move, Pass, Score
from engines.ten_phases.pieces import THROWS
from engines.ten_phases.state import State, legal, possible_points


def random(state: State, rng: Rng) -> Move:
    """Choose any legal move, each as likely as the others."""
    return legal(state).sample(rng)


def decent(state: State, rng: Rng) -> Choice:  # noqa: ARG001 - it leaves nothing to chance
    """Keep the dice with the best expectation, and write points that are worth more than another attempt."""
    floor = 0
    if state.throws < THROWS:
        advice = best_keep(state.block.phase, floor, state.dice, state.block.box, THROWS - state.throws)
        if len(advice.places) < len(state.dice):
            return Keep(tuple([face if place in advice.places else None for place, face in enumerate(state.dice)]))
    points = max(possible_points(state), default=0)
    return Score(points) if points > floor else Pass()
