"""A whole schedule, planned ahead for the fewest repeated opponents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import numpy as np

from tournaments.seating.designs import clean_rounds, rename
from tournaments.seating.history import History
from tournaments.seating.positions import even_positions, imbalance
from tournaments.seating.problem import BUDGET, HEAT, WALKERS, Setting, one_round, settle
from tournaments.seating.search import (
    ODD,
    REPEAT,
    Found,
    Ints,
    anneal,
    cost,
    meetings,
    odd_shared,
    repeats,
    step_price,
)
from tournaments.seating.values import Schedule, SeatedRound, SeatingError, SizeLimits

CELLS = 40_000  # pairs of all rounds and walkers weighed at once, where the arrays still fit the cache
MOVES = 3_000
ROUND_HEATS = ((0.3 * REPEAT, 0.1 * REPEAT),) * 4
# Walkers, heat and moves to share odd tables out: near the schedule there is, then far from it if it is small.
FAIRNESS = ((1, (4 * ODD, ODD / 4), 200), (WALKERS, (0.5 * REPEAT, ODD), 500))


def plan_rotation(
    players: Iterable[str],
    rounds: int,
    limits: SizeLimits,
    *,
    past: Sequence[SeatedRound] = (),
    planned: Sequence[SeatedRound] = (),
    keep_apart: Iterable[tuple[str, str]] = (),
    seed: int = 0,
    budget: int = BUDGET,
) -> Schedule:
    """Plan the coming rounds for the players who will be there.

    `past` rounds count as played and are not changed. `planned` are the rounds of an earlier plan not played yet: the
    new plan starts from them, so a drop-out or a late entry disturbs as little as possible.
    """
    if rounds < 1:
        raise SeatingError("A schedule needs at least one round.")
    rng = Random(seed)
    setting = Setting(History(players, past, keep_apart), limits, rounds, rng, lambda _: 0)
    bound = setting.bound()
    found = _search(setting, _first(setting, planned, budget), bound, budget)
    before = setting.history.positions
    seated = even_positions([setting.ids(tables) for tables in found.tables], before)
    return Schedule(
        rounds=tuple(SeatedRound(tables, out) for tables, out in zip(seated, setting.sitting_out, strict=True)),
        repeats=repeats(setting.task, found.tables),
        repeats_bound=bound,
        positions=imbalance(seated, before),
        apart_broken=int((meetings(found.tables) * setting.task.apart).sum() / 2),
        seed=seed,
        steps=found.steps,
    )


def _first(setting: Setting, planned: Sequence[SeatedRound], budget: int) -> Found:
    """Write down what is known: the plan so far, or a clean schedule; seat further rounds one by one."""
    rounds, players = setting.task.seated.shape
    known = np.zeros((0, players), dtype=np.int64)
    if planned:
        known = np.array([_refilled(setting, number, old) for number, old in enumerate(planned[:rounds])])
    elif not setting.history.met.any() and setting.task.seated.all():
        shuffled = setting.rng.sample(range(players), players)
        known = clean_rounds(setting.sizes, rounds, setting.rng)[:, shuffled]
        known = rename(known, setting.task.apart > 0, setting.rng) if setting.task.apart.any() else known
    steps = 0
    met = setting.task.met + meetings(known)
    for number in range(len(known), rounds):
        row = setting.shuffled(number)
        if steps < budget:
            task = one_round(setting.task, number, met)
            row, _, made = settle(task, row, heats=ROUND_HEATS, rng=setting.rng, goal=REPEAT - 1)
            steps += made
        known = np.vstack([known, row])
        met = met + meetings(row[None])
    return Found(known, cost(setting.task, known), steps)


def _search(setting: Setting, first: Found, bound: int, budget: int) -> Found:
    """Search on while there are repeats above the floor and steps left, then share the odd tables out."""
    task, rng = setting.task, setting.rng
    rounds, players = task.seated.shape
    most_walkers = min(WALKERS, CELLS // (rounds * players**2)) if len(setting.sizes) > 1 else 0
    goal = (bound + 1) * REPEAT - 1
    best, steps = first, first.steps

    def affordable(moves: int, walkers: int, share: int) -> int:
        return min(moves, (share - steps) // (walkers * step_price(rounds, players)))

    while most_walkers and best.cost > goal and (moves := affordable(MOVES, most_walkers, budget * 4 // 5)) > 0:
        starts = _starts(setting, best, most_walkers)
        found = anneal(task, starts, moves=moves, heat=HEAT, rng=rng, goal=goal)
        best, steps = min(best, found, key=lambda candidate: candidate.cost), steps + found.steps
    for walkers, heat, wanted in FAIRNESS:
        moves = affordable(wanted, walkers, budget)
        if walkers <= most_walkers and moves > 0 and not odd_shared(task, best.tables):
            best = anneal(task, _starts(setting, best, walkers), moves=moves, heat=heat, rng=rng)
            steps += best.steps
    return Found(best.tables, best.cost, steps)


def _starts(setting: Setting, best: Found, walkers: int) -> Ints:
    rounds = range(len(best.tables))
    return np.array([best.tables, *([setting.shuffled(number) for number in rounds] for _ in range(walkers - 1))])


def _refilled(setting: Setting, number: int, old: SeatedRound) -> Ints:
    """Take over a planned round: who left makes room, who came takes it, and tables are filled to today's sizes."""
    index, seated = setting.history.index, setting.task.seated[number]
    kept = [[index[player] for player in table if player in index and seated[index[player]]] for table in old.tables]
    kept = sorted(kept, key=len, reverse=True) + [[] for _ in setting.sizes]
    tables = np.full(len(index), -1, dtype=np.int64)
    for table, size in enumerate(setting.sizes):
        tables[kept[table][:size]] = table
    waiting = [player for player in np.flatnonzero(seated) if tables[player] < 0]
    for table, size in enumerate(setting.sizes):
        free = size - int((tables == table).sum())
        tables[waiting[:free]] = table
        del waiting[:free]
    return tables
