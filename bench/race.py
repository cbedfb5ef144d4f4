"""Work out 10 Phases for two backwards: what every aim brings, and how likely who stands where wins.

Writes `engines/data/race.json`, which the strong player reads, and prints how often a player who always takes the best
aim beats the decent one: the most that aims can win, as the dice allow it.

An attempt has an aim: the points from which the player would rather write than try again (`FLOORS`). How an attempt
with an aim ends is exact where numbers count, and played out where colours do. The race is then solved phase by phase,
from the tenth, over both totals in steps of four points.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.tables import show
from engines.ten_phases import scoring
from engines.ten_phases.expectation import Half, _chosen, _selections, halves
from engines.ten_phases.keeping import best_keep
from engines.ten_phases.pieces import ALL_DICE, DEFAULT_LAYOUT, PHASES, THROWS, Phase, box_of
from engines.ten_phases.play.players import FLOORS as DECENT
from engines.ten_phases.play.race import EDGE, FLOORS, HALF, QUANTILES, RACE, SPAN, USUAL_POINTS

Grid = NDArray[np.float64]

STEP = 4
TOTALS = 160  # steps of four points that a total may have
BONUS = scoring.BONUS // STEP
MOST = 64  # points of a phase, and one
ATTEMPTS = 4_000  # that are played out for the phase of one colour


class Ending(NamedTuple):
    """How attempts with an aim end: how likely nothing is written, and how the total grows otherwise, by steps."""

    floor: int
    failed: float
    steps: NDArray[np.float64]
    points: NDArray[np.float64]


def run(arguments: list[str]) -> None:
    """Solve the race, print what it is worth, and write the table."""
    parser = argparse.ArgumentParser(prog="./run bench race", description=__doc__)
    parser.add_argument("--attempts", type=int, default=ATTEMPTS, help="played out in the phase of one colour")
    parser.add_argument("--keep", action="store_true", help="write no table")
    options = parser.parse_args(arguments)
    best = [[_ending(number, floor, options.attempts) for floor in FLOORS[number]] for number in range(len(PHASES))]
    decent = [[_ending(number, floor, options.attempts)] for number, floor in enumerate(DECENT)]
    rows = []
    solved: list[Race] = []
    for name, own in (("decent", decent), ("the best aim", best)):
        solved = [Race(own, decent, is_first) for is_first in (True, False)]
        first, second = solved[0].own_turn[0][0][0, 0], solved[1].others_turn[0][0][0, 0]
        rows.append((name, f"{first:.4f}", f"{second:.4f}", f"{(first + second) / 2:.4f}"))
    show("Games won against decent", ("player", "who begins", "who follows", "both"), rows)
    if not options.keep:
        Path(str(RACE)).write_text(json.dumps(_written(best, solved), separators=(",", ":")) + "\n")


# How attempts end


def _ending(number: int, floor: int, attempts: int) -> Ending:
    phase = PHASES[number]
    chances = _played_out(phase, floor, attempts) if phase.same_colour else _exactly(phase, floor)
    steps = np.zeros(MOST // STEP + 1)
    for points in range(1, MOST):
        whole, rest = divmod(points, STEP)
        steps[whole] += chances[points] * (1 - rest / STEP)
        steps[whole + 1] += chances[points] * rest / STEP
    return Ending(floor, float(chances[0]), steps, chances)


def _exactly(phase: Phase, floor: int) -> Grid:
    """Return how likely each number of points is to be written, 0 for none, if dice are kept for the aim."""
    points = np.array(_chosen(_selections(phase)))
    worth = np.maximum(points - floor, 0)
    written = np.where(points > floor, points, 0).astype(int)
    chances = np.eye(MOST)[written]
    for _ in range(THROWS - 1):
        worth, chances = _best(_mean(worth), _mean(chances))
    result: Grid = _mean(chances)[0, 0]
    return result


def _mean(full: Grid) -> Grid:
    high, low = halves()
    return _over(high, _over(low, full, 1), 0)


def _over(half: Half, full: Grid, axis: int) -> Grid:
    last = np.moveaxis(full, axis, 0)
    values = np.empty((len(half.hands), *last.shape[1:]))
    values[half.open :] = last
    for hand in reversed(range(half.open)):
        values[hand] = sum(values[more] for more in half.thrown[hand]) / len(half.faces)
    return np.moveaxis(values, 0, axis)


def _best(worth: Grid, chances: Grid) -> tuple[Grid, Grid]:
    """Return what the best dice to keep are worth for every full hand, and how it ends with them."""
    for axis, half in enumerate(halves()):
        value, ends = np.moveaxis(worth.copy(), axis, 0), np.moveaxis(chances.copy(), axis, 0)
        for hand in range(1, len(value)):
            for less in half.reduced[hand]:
                better = value[less] > value[hand] + 1e-9
                value[hand][better] = value[less][better]
                ends[hand][better] = ends[less][better]
        worth, chances = np.moveaxis(value[half.open :], 0, axis), np.moveaxis(ends[half.open :], 0, axis)
    return worth, chances


def _played_out(phase: Phase, floor: int, attempts: int) -> Grid:
    box, rng, chances = box_of(DEFAULT_LAYOUT), random.Random(f"race {floor}"), np.zeros(MOST)
    for _ in range(attempts):
        dice = [rng.choice(die) for die in box]
        for left in range(THROWS - 1, 0, -1):
            kept = best_keep(phase, floor, dice, box, left).places
            if len(kept) == ALL_DICE:
                break
            dice = [face if place in kept else rng.choice(box[place]) for place, face in enumerate(dice)]
        points = max(scoring.scores(phase, dice), default=0)
        chances[points if points > floor else 0] += 1 / attempts
    return chances


# The race

Menu = Sequence[Sequence[Ending]]
ALL = np.arange(TOTALS)


def _plus(values: Grid, steps: int) -> Grid:
    """Return the values by what the first total was before it grew."""
    return np.concatenate([values[steps:], np.repeat(values[-1:], steps, axis=0)])


def _grown(values: Grid, ending: Ending) -> Grid:
    return sum(chance * _plus(values, steps) for steps, chance in enumerate(ending.steps) if chance)  # type: ignore[no-any-return]


def _with_bonus(values: Grid) -> Grid:
    """Return the values after the fifth phase by the total before its bonus; one step stands for four sums."""
    due = np.clip((ALL * STEP - scoring.BONUS5_LEAST) / STEP + 1, 0, 1)[:, None]
    return due * _plus(values, BONUS) + (1 - due) * values


class Race:
    """How likely the own player wins, by phases of both, then by both totals: in the own turn, and in the other's."""

    def __init__(self, own: Menu, other: Menu, is_first: bool) -> None:
        end = len(PHASES)
        self.closing = self._closing(own)
        theirs = self._closing(other)
        self.own_turn: list[list[Grid]] = [[np.empty(0)] * (end + 1) for _ in range(end + 1)]
        self.others_turn: list[list[Grid]] = [[np.empty(0)] * (end + 1) for _ in range(end + 1)]
        for number in range(end):
            is_last = number == end - 1
            shared = self._shared(other) if is_last and is_first else theirs[number]
            self.others_turn[end][number] = 1 - _plus(shared.T, BONUS)
            shared = self._shared(own) if is_last and not is_first else self.closing[number]
            self.own_turn[number][end] = _plus(shared.T, BONUS).T
        for mine in reversed(range(end)):
            for yours in reversed(range(end)):
                self._solve(own, other, mine, yours)

    @staticmethod
    def _closing(menu: Menu) -> list[Grid]:
        """Return how likely a closing turn wins, by the phase it begins with, the own total and the rival's."""
        chances = [(ALL[:, None] > ALL) + 0.5 * (ALL[:, None] == ALL)]
        for number in reversed(range(len(PHASES))):
            after = _with_bonus(chances[0]) if number == HALF - 1 else chances[0]
            chances.insert(0, np.max([_grown(after, ending) for ending in menu[number]], axis=0))
        return chances

    @staticmethod
    def _shared(menu: Menu) -> Grid:
        """Return the same in the tenth phase where its bonus is shared."""
        ahead = _plus((ALL[:, None] > ALL) + 0.5 * (ALL[:, None] == ALL), BONUS)
        best: Grid = np.max([_grown(ahead, ending) for ending in menu[-1]], axis=0)
        return best

    def _solve(self, own: Menu, other: Menu, mine: int, yours: int) -> None:
        """Find how likely who wins where both may fail: each takes what is best for the own side."""
        after = self.others_turn[mine + 1][yours]
        after = _with_bonus(after) if mine == HALF - 1 else after
        ours = [(each.failed, _grown(after, each)) for each in own[mine]]
        after = self.own_turn[mine][yours + 1].T
        after = _with_bonus(after) if yours == HALF - 1 else after
        theirs = [(each.failed, _grown(after, each).T) for each in other[yours]]
        now = np.full((TOTALS, TOTALS), 0.5)
        for _ in range(100):
            then = np.min([failed * now + made for failed, made in theirs], axis=0)
            before, now = now, np.max([failed * then + made for failed, made in ours], axis=0)
            if np.abs(now - before).max() < 1e-7:
                break
        self.own_turn[mine][yours], self.others_turn[mine][yours] = now, then


# The table


def _written(best: Menu, solved: Sequence[Race]) -> dict[str, object]:
    hopes = [_hope(best, number) for number in range(len(PHASES) + 1)]
    usual = np.cumsum([0.0, *(float(ending[1].points @ np.arange(MOST) / (1 - ending[1].failed)) for ending in best)])
    ends = range(len(PHASES))
    return {
        "aims": [[[each.floor, round(1 - each.failed, 4), _quantiles(each)] for each in menu] for menu in best],
        "wins": [
            [
                [_by_lead(race.others_turn[mine][yours], mine, yours, hopes, usual) for yours in ends]
                for mine in range(len(PHASES) + 1)
            ]
            for race in solved
        ],
        "closing": [_by_lead(solved[0].closing[mine], mine, 10, hopes, usual) for mine in range(len(PHASES) + 1)],
    }


def _quantiles(ending: Ending) -> list[int]:
    """Return points that stand for equal shares of the attempts that are written."""
    summed = np.cumsum(ending.points[1:]) / (1 - ending.failed)
    return [int(np.searchsorted(summed, (each + 0.5) / QUANTILES)) + 1 for each in range(QUANTILES)]


def _hope(best: Menu, number: int) -> NDArray[np.float64]:
    """Return the points of the first bonus that every total may count on before a phase; afterwards it is counted."""
    if number >= HALF:
        return np.zeros(TOTALS)
    totals = (ALL * float(STEP))[:, None].astype(np.float64)
    hope: NDArray[np.float64] = (_with_bonus(totals) - totals)[:, 0]
    for each in reversed(range(number, HALF)):
        ending = best[each][1]
        hope = _grown(hope[:, None], ending)[:, 0] / (1 - ending.failed)
    return hope


def _by_lead(
    values: Grid, mine: int, yours: int, hopes: Sequence[NDArray[np.float64]], usual: NDArray[np.float64]
) -> list[float]:
    """Return the chances to win by the lead beyond that in phases, with the hope of the bonus, around usual totals."""
    totals = ALL * float(STEP)
    own, other = totals + hopes[mine], totals + hopes[yours]
    near = np.exp(-(((totals - usual[mine]) / 40) ** 2))[:, None] * np.exp(-(((totals - usual[yours]) / 120) ** 2))
    if mine >= HALF and yours >= HALF:  # only the lead counts; the middle of the grid has room for all leads
        near = np.exp(-(((totals - 320) / 20) ** 2))[:, None] * np.ones(TOTALS)
    leads = own[:, None] - other - USUAL_POINTS * (mine - yours)
    out = []
    for lead in range(-SPAN, SPAN + 1, EDGE):
        weights = near * np.clip(1 - np.abs(leads - lead) / EDGE, 0, 1)
        out.append(float((weights * values).sum() / max(weights.sum(), 1e-300)))
    return [round(each, 3) for each in np.maximum.accumulate(out)]
