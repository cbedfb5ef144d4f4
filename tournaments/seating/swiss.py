"""One Swiss round: players of close points together, opponents new, seats fair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np

from tournaments.seating.bounds import repeats_bound
from tournaments.seating.history import History
from tournaments.seating.positions import even_positions, imbalance
from tournaments.seating.problem import BUDGET, HEAT, WALKERS, Setting, one_round, settle
from tournaments.seating.search import REPEAT, SPREAD, Floats, Found, Ints, Task, anneal, cost, meetings, odd_seats
from tournaments.seating.spread import spread_bound
from tournaments.seating.values import Entrant, Quality, SeatedRound, Seating, SizeLimits

USUAL_ROUNDS = 5  # looked ahead to when the caller does not say how many rounds are left
LOOKAHEAD_PLAYERS = 32  # with more, a round that looks only at itself leaves enough new opponents
MOVES = 500
MORE_PASSES = 4


def seat_swiss(
    entrants: Sequence[Entrant],
    limits: SizeLimits,
    *,
    past: Sequence[SeatedRound] = (),
    rounds_left: int | None = None,
    keep_apart: Iterable[tuple[str, str]] = (),
    seed: int = 0,
    budget: int = BUDGET,
) -> Seating:
    """Seat the next round: fewest repeats, then odd tables shared, then least spread, then fair positions.

    `rounds_left` counts this round; few players are seated so that the rounds left can be clean too. None stands for
    the rest of five.
    """
    rng = Random(seed)
    points = {entrant.id: entrant.points for entrant in entrants}
    history = History((entrant.id for entrant in entrants), past, keep_apart)
    ahead = max(1, USUAL_ROUNDS - len(past) if rounds_left is None else rounds_left)
    rounds = ahead if len(history) <= LOOKAHEAD_PLAYERS else 1
    setting = Setting(history, limits, rounds, rng, points.__getitem__)
    found = _search(setting, [points[player] for player in history.players], budget)
    tables = even_positions([setting.ids(found.tables[0])], history.positions)[0]
    seated = SeatedRound(tables, setting.sitting_out[0])
    return Seating(
        tables=seated.tables,
        sitting_out=seated.sitting_out,
        quality=assess(seated, entrants, past=past, keep_apart=keep_apart),
        seed=seed,
        steps=found.steps,
    )


def assess(
    seated: SeatedRound,
    entrants: Sequence[Entrant],
    *,
    past: Sequence[SeatedRound] = (),
    keep_apart: Iterable[tuple[str, str]] = (),
) -> Quality:
    """Say what a round costs, computed or changed by hand, beside the floor for tables of these sizes."""
    points = {entrant.id: entrant.points for entrant in entrants}
    history = History(points, past, keep_apart)
    pairs = [(left, right) for table in seated.tables for left, right in combinations(table, 2)]
    indexes = [(history.index[left], history.index[right]) for left, right in pairs]
    return Quality(
        repeats=sum(bool(history.met[pair]) for pair in indexes),
        repeats_bound=repeats_bound(history.met, history.shapes, [history.shape(seated)]),
        spread=sum(abs(points[left] - points[right]) for left, right in pairs),
        positions=imbalance([seated.tables], history.positions),
        apart_broken=sum(bool(history.apart[pair]) for pair in indexes),
        spread_bound=spread_bound(
            [points[player] for table in seated.tables for player in table], [len(table) for table in seated.tables]
        ),
    )


def _search(setting: Setting, points: Sequence[int], budget: int) -> Found:
    rng = setting.rng
    drawn = [rng.random() for _ in points]
    order = sorted(range(len(points)), key=lambda player: (-points[player], drawn[player]))
    spread, unit = _scaled_spread(setting, points)
    task = replace(setting.task, spread=spread)
    cool = unit / 2**3, unit / 2**8
    heats = (cool, cool, *[(0.2 * REPEAT, cool[1])] * MORE_PASSES)
    alone = settle(one_round(task, 0, task.met), setting.lined_up(0, order), heats=heats, rng=rng)
    if len(points) > LOOKAHEAD_PLAYERS or len(setting.sizes) == 1:
        return Found(alone.tables[None], alone.cost, alone.steps)
    goal = (setting.bound() + 1) * REPEAT - 1
    best = _continued(setting, task, alone, goal)
    steps = best.steps
    while best.cost > goal and steps < budget:
        clean = anneal(task, _starts(setting, best.tables), moves=MOVES, heat=HEAT, rng=rng)
        close = anneal(task, clean.tables[None], moves=MOVES, heat=cool, rng=rng)
        best, steps = min(best, close, key=lambda found: found.cost), steps + clean.steps + close.steps
    return Found(best.tables, best.cost, steps)


def _continued(setting: Setting, task: Task, alone: Found, goal: float) -> Found:
    """Plan the rounds after a first one that is settled."""
    if len(task.seated) == 1:
        return Found(alone.tables[None], alone.cost, alone.steps)
    first = one_round(task, 0, task.met)
    later = replace(
        task,
        met=task.met + meetings(alone.tables[None]),
        seated=task.seated[1:],
        odd_tables=task.odd_tables[1:],
        odd_before=task.odd_before + odd_seats(first, alone.tables[None])[0],
        spread=None,
    )
    starts = [[setting.shuffled(number) for number in range(1, len(task.seated))] for _ in range(WALKERS)]
    found = anneal(later, np.array(starts), moves=MOVES, heat=HEAT, rng=setting.rng, goal=goal - alone.cost)
    tables = np.vstack([alone.tables, found.tables])
    return Found(tables, cost(task, tables), alone.steps + found.steps)


def _starts(setting: Setting, best: Ints) -> Ints:
    shuffled = ([setting.shuffled(number) for number in range(len(best))] for _ in range(WALKERS // 2))
    return np.array([*[best] * (WALKERS - WALKERS // 2), *shuffled])


def _scaled_spread(setting: Setting, points: Sequence[int]) -> tuple[Floats, float]:
    """Return the differences in points by pair in units of cost, and the largest there can be."""
    pairs = sum(size * (size - 1) // 2 for size in setting.sizes)
    unit = SPREAD // pairs
    values = np.array(points, dtype=np.float64)
    differences = np.abs(values[:, None] - values[None, :])
    return np.floor(differences * (unit / max(1.0, differences.max()))), unit
