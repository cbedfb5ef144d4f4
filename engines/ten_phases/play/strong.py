"""The strong player of 10 Phases, and the reasons it gives as advice.

It keeps dice by the same exact expectations as the decent player, and knows better what they are for. Points of the
first five phases count more where they bring the bonus nearer, so it works out what every sum is worth, and throws for
the number it needs. In a closing turn it aims at the points that are missing to win.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engines.base import Rng, Words
from engines.play import Thought
from engines.ten_phases.expectation import NO_PRIZE, Prize
from engines.ten_phases.keeping import best_keep
from engines.ten_phases.pieces import PHASES, THROWS
from engines.ten_phases.play.moves import Choice, Keep, Pass, Score
from engines.ten_phases.play.rules import possible_points, total_of
from engines.ten_phases.play.state import Block, TenPhasesState
from engines.ten_phases.scoring import BONUS, BONUS5_LEAST, MISS_COST

RESULTS = (
    (0.975, (28, 34, 34, 36, 37, 38, 39, 40, 42, 43, 44, 46, 47, 48, 50, 57)),
    (0.972, (36, 40, 42, 43, 43, 44, 44, 45, 46, 47, 49, 50, 51, 52, 53, 55)),
    (0.879, (37, 40, 41, 42, 43, 44, 45, 46, 47, 48, 50, 51, 52, 53, 54, 57)),
    (0.961, (32, 34, 36, 38, 39, 40, 40, 41, 42, 42, 43, 44, 44, 49, 49, 49)),
    (0.892, (33, 36, 39, 40, 40, 41, 42, 43, 44, 44, 45, 46, 47, 48, 52, 52)),
    (0.698, (38, 39, 40, 41, 42, 43, 43, 44, 45, 46, 46, 48, 49, 50, 52, 54)),
    (0.658, (31, 34, 37, 38, 40, 41, 42, 44, 44, 46, 47, 48, 49, 51, 54, 57)),
    (0.523, (29, 32, 34, 35, 36, 37, 38, 40, 41, 42, 43, 44, 45, 46, 48, 51)),
    (0.871, (30, 34, 37, 38, 39, 41, 42, 44, 46, 46, 47, 48, 48, 50, 55, 58)),
    (0.668, (30, 33, 36, 37, 39, 40, 42, 43, 44, 46, 46, 48, 50, 51, 54, 58)),
)
"""Per phase how often an attempt of the decent player succeeds, and sixteen results as likely as one another."""
HALF = 5
"""The phases that count for the first bonus."""
TURN_COST = 35
"""The points a turn is worth to somebody who does not play alone."""
SPEED = -40
"""The floor where making the phase is all that counts."""
STEP = 4
"""Floors are rounded to multiples: each has a table of its own."""


class Aim(NamedTuple):
    """What an attempt must exceed to be worth writing, and a prize for enough points."""

    floor: int
    prize: Prize = NO_PRIZE


def think(state: TenPhasesState, rng: Rng) -> Thought:  # noqa: ARG001 - it leaves nothing to chance
    """Choose a move, and say why."""
    block, dice = state.block, state.dice
    aim = _aim(block)
    if state.throws < THROWS:
        advice = best_keep(block.phase, aim.floor, dice, block.box, THROWS - state.throws, aim.prize)
        if len(advice.places) < len(dice):
            kept = Keep(tuple([face if place in advice.places else None for place, face in enumerate(dice)]))
            text = KEPT if aim.prize == NO_PRIZE else KEPT_FOR
            return Thought(kept, text.filled(name=block.phase.name, least=aim.prize.least))
    points = max(possible_points(state), default=None)
    if points is None:
        return Thought(Pass(), NOT_MADE)
    if block.is_closing or _worth(points, aim.prize) > aim.floor:
        return Thought(Score(points), WRITTEN.filled(points=points))
    return Thought(Pass(), AGAIN.filled(points=points))


def strong(state: TenPhasesState, rng: Rng) -> Choice:
    """Choose as `think` does."""
    move: Choice = think(state, rng).move
    return move


def _worth(points: int, prize: Prize) -> int:
    return points + (prize.worth if points >= prize.least else 0)


def _aim(block: Block) -> Aim:
    column = block.columns[block.seat]
    number = len(column.entries)
    if block.is_closing:
        return _aim_at_rival(block) if number == len(PHASES) - 1 else Aim(SPEED)
    cost = MISS_COST if block.is_solo else TURN_COST
    if number < HALF:
        return _aim_before_bonus(number, BONUS5_LEAST - sum(column.points), cost)
    if number == len(PHASES) - 1 and not (block.is_solo and column.misses):
        return Aim(0 if block.is_solo else SPEED)  # the first to have it has a bonus, and alone the first attempt
    return Aim(_rounded(_floor(number, [float(points) for points in RESULTS[number][1]], cost)))


def _aim_at_rival(block: Block) -> Aim:
    """Aim at the points that are missing to win: the others' totals stand, or can only grow."""
    rival = max(total_of(block, seat) for seat, column in enumerate(block.columns) if column.is_finished)
    shares = block.first is not None and block.seat > block.first
    is_fresh = block.columns[block.seat].entries[-1].round < block.round
    own = total_of(block, block.seat) + BONUS * (shares and is_fresh)
    need = STEP * -(-(rival + 1 - own) // STEP)
    results = RESULTS[-1][1]
    return Aim(0, Prize(need, 5 * BONUS)) if results[0] < need <= results[-1] else Aim(SPEED)


def _floor(number: int, worth: Sequence[float], cost: int) -> float:
    """Return the worth from which writing beats another attempt: what attempts exceed it by is what one costs."""
    chance = RESULTS[number][0] / len(worth)
    best = sorted(worth, reverse=True)
    floors = [(sum(best[:count]) - cost / chance) / count for count in range(1, len(best) + 1)]
    return next(floor for floor, then in zip(floors, [*best[1:], float("-inf")], strict=True) if floor >= then)


@cache
def _value(number: int, need: int, cost: int) -> float:
    """Return what the phases up to the fifth are worth, with the bonus, where so many points are missing."""
    if number == HALF:
        return BONUS if need <= 0 else 0
    return _floor(number, _worths(number, need, cost), cost)


def _worths(number: int, need: int, cost: int) -> list[float]:
    """Return what each result of a phase is worth with what comes after it."""
    return [points + _value(number + 1, max(0, need - points), cost) for points in RESULTS[number][1]]


@cache
def _aim_before_bonus(number: int, need: int, cost: int) -> Aim:
    results, worth = RESULTS[number][1], _worths(number, need, cost)
    floor = _floor(number, worth, cost)
    if number == HALF - 1:
        if need <= 0 or need > results[-1]:
            return Aim(_rounded(floor - (BONUS if need <= 0 else 0)))
        return Aim(_rounded(floor), Prize(need, BONUS))
    if floor < worth[0]:  # anything is written; how much more points matter than making the phase is a slope
        slope = (worth[-1] - worth[0]) / (results[-1] - results[0])
        return Aim(_rounded(results[0] - (worth[0] - floor) / slope))
    return Aim(_rounded(next(points for points, each in zip(results, worth, strict=True) if each >= floor)))


def _rounded(floor: float) -> int:
    return STEP * round(floor / STEP)


KEPT = Words("These dice promise most for {name}.", "Ces dés promettent le plus pour {name}.")
KEPT_FOR = Words(
    "These dice promise most for {name} with the {least} points that are needed.",
    "Ces dés promettent le plus pour {name} avec les {least} points qu’il faut.",
)
NOT_MADE = Words("The dice do not make the phase.", "Les dés ne font pas la phase.")
WRITTEN = Words(
    "{points} points are more than another attempt is worth.",
    "{points} points, c’est plus que ne vaut un autre essai.",
)
AGAIN = Words(
    "{points} points are less than another attempt is worth.",
    "{points} points, c’est moins que ne vaut un autre essai.",
)
