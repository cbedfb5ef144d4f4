"""Players that choose by themselves: one at random, one by the expectations of `keeping`."""

from __future__ import annotations

from engines.base import Rng
from engines.ten_phases.kept import Aim, places_to_keep
from engines.ten_phases.pieces import THROWS
from engines.ten_phases.play.moves import Choice, Keep, Move, Pass, Score
from engines.ten_phases.play.rules import legal, possible_points
from engines.ten_phases.play.state import TenPhasesState

FLOORS = (20, 25, 23, 20, 21, 16, 13, 1, 20, 0)
"""Per phase the points below which the decent player rather tries again.

If a turn costs 20 points, which won most of the games tried, a fresh attempt is expected to bring 20 points more than
these, and so just pays. Phase 10 is always written: whoever is first has the bonus.
"""
SOLO_FLOORS = (37, 41, 41, 36, 38, 38, 37, 30, 39, 0)
"""The same when a turn costs the 5 points of a miss. The bonus is for phase 10 at the first attempt."""


def every_aim(number: int) -> set[Aim]:
    """Return the aims of the decent player in a phase, counted from 0."""
    return {Aim(FLOORS[number]), Aim(SOLO_FLOORS[number])}


def random(state: TenPhasesState, rng: Rng) -> Move:
    """Choose any legal move, each as likely as the others."""
    return legal(state).sample(rng)


def decent(state: TenPhasesState, rng: Rng) -> Choice:  # noqa: ARG001 - it leaves nothing to chance
    """Keep the dice with the best expectation, and write points unless another attempt is worth more."""
    block, dice = state.block, state.dice
    floor = (SOLO_FLOORS if block.is_solo else FLOORS)[len(block.columns[block.seat].entries)]
    if state.throws < THROWS:
        kept = places_to_keep(block.phase, Aim(floor), dice, block.box, THROWS - state.throws)
        if len(kept) < len(dice):
            return Keep(tuple([face if place in kept else None for place, face in enumerate(dice)]))
    points = max(possible_points(state), default=None)
    if points is None or (points <= floor and not block.is_closing):
        return Pass()
    return Score(points)
