"""From players, limits and past rounds to a task for the search, and from its answer back to tables of ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from tournaments.seating.bounds import RoundShape, repeats_bound
from tournaments.seating.history import History
from tournaments.seating.search import REPEAT, Floats, Found, Ints, Task, anneal
from tournaments.seating.sizes import choose_sitting_out, table_sizes
from tournaments.seating.values import SizeLimits

BUDGET = 36_000_000  # steps; about a second, used up only while repeats are left above the floor
WALKERS = 8
HEAT = (0.5 * REPEAT, 0.2 * REPEAT)  # of a search over several rounds
WINDOW = 48  # players weighed against each other at once in a large round
PATIENCE = 32  # swaps without gain before a window is left


class Setting:
    """The coming rounds: who sits out when, the sizes of the tables, and the search task."""

    def __init__(
        self, history: History, limits: SizeLimits, rounds: int, rng: Random, points: Callable[[str], int]
    ) -> None:
        self.history, self.rng = history, rng
        self.sizes = table_sizes(len(history), limits)
        self.sitting_out: list[tuple[str, ...]] = []
        sat_out = history.sat_out
        for _ in range(rounds):
            out = choose_sitting_out(history.players, len(history) - sum(self.sizes), sat_out, rng, points)
            sat_out.update(out)
            self.sitting_out.append(out)
        seated = np.ones((rounds, len(history)), dtype=bool)
        for number, out in enumerate(self.sitting_out):
            seated[number, [history.index[player] for player in out]] = False
        self.task = Task(
            met=history.met.astype(np.float64),
            apart=(history.apart > 0).astype(np.float64),
            seated=seated,
            odd_tables=np.tile(np.array(self.sizes) != limits.preferred, (rounds, 1)),
            odd_before=history.odd_tables(limits.preferred),
        )

    @property
    def shapes(self) -> list[RoundShape]:
        """The coming rounds as `repeats_bound` takes them."""
        return [RoundShape(self.sizes, frozenset(map(int, np.flatnonzero(row)))) for row in self.task.seated]

    def bound(self) -> int:
        """Return the floor under the repeats of the coming rounds."""
        return repeats_bound(self.history.met, self.history.shapes, self.shapes)

    def lined_up(self, number: int, order: Sequence[int]) -> Ints:
        """Seat players in the order given, filling one table after the other; those who sit out are passed over."""
        tables = np.full(len(self.history), -1, dtype=np.int64)
        seated = [player for player in order if self.task.seated[number, player]]
        tables[seated] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return tables

    def shuffled(self, number: int) -> Ints:
        """Seat a round by chance."""
        return self.lined_up(number, self.rng.sample(range(len(self.history)), len(self.history)))

    def ids(self, tables: Ints) -> list[tuple[str, ...]]:
        """Return one round's tables as ids, the seats of each by chance."""
        players: list[list[str]] = [[] for _ in self.sizes]
        for player, table in enumerate(tables):
            if table >= 0:
                players[table].append(self.history.players[player])
        return [tuple(self.rng.sample(table, len(table))) for table in players]


def one_round(task: Task, number: int, met: Floats) -> Task:
    """Return the task of a single round after the meetings given."""
    return Task(
        met=met,
        apart=task.apart,
        seated=task.seated[[number]],
        odd_tables=task.odd_tables[[number]],
        odd_before=task.odd_before,
        spread=task.spread if number == 0 else None,
    )


def settle(task: Task, tables: Ints, *, heats: Sequence[tuple[float, float]], rng: Random, goal: float = 0) -> Found:
    """Improve a single round (player → table), however large, by swaps among neighbouring tables.

    Tables are neighbours by number. There is a pass for each of the heats, with windows that overlap those of the pass
    before; the third and later ones are made only while there is something to mend.
    """
    tables, steps, total = tables.copy(), 0, 0.0
    count = int(tables.max()) + 1
    width = max(2, WINDOW * count // int((tables >= 0).sum()))
    for turn, heat in enumerate(heats):
        if total <= goal if turn == 1 else turn and total < REPEAT:
            break
        total = 0.0
        for first in range(-(turn % 2) * (width // 2), count, width):
            inside = np.flatnonzero((tables >= first) & (tables < first + width) & (tables >= 0))
            part = task.only(inside)
            found = anneal(
                part, tables[None, None, inside], moves=2 * WINDOW, heat=heat, rng=rng, goal=goal, patience=PATIENCE
            )
            tables[inside] = found.tables[0]
            steps += found.steps
            total += found.cost
    return Found(tables, total, steps)
