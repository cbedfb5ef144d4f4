"""Swap search over whole rounds: every swap of two players in every round is weighed at once, one is made, and again.

The swap is drawn by the Boltzmann law (the better, the likelier, more strictly as the heat falls), so no time goes
into refused moves, and several walkers from different starts share the cost of each array operation. Costs are whole
numbers held exactly in floats and chance comes from the caller's rng: the same input gives the same tables anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Each cost outweighs any usual sum of those below it; all together stay far under 2**53.
REPEAT = 2.0**40
APART = 10 * REPEAT
AGAIN = 2.0**35  # for every meeting of a pair after its second
ODD = 2.0**32  # for uneven shares of the tables of odd size: squared, summed over the players
SPREAD = 2.0**22  # the whole spread of a round is scaled to this

FORBIDDEN = 2.0**60
NOISE = 2**14
MADE = 1_000  # steps that making a swap counts for, beside one for each swap weighed
NOISE_GRAIN = 2.0**10  # noise is rounded so that the last bits of another machine's logarithm do not matter


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be seated; players are indexes, `met` and `apart` are by pair, the others by round."""

    met: Floats
    apart: Floats
    seated: Flags  # round, player
    odd_tables: Flags  # round, table
    odd_before: Floats  # per player
    spread: Floats | None = None  # by pair, in the first round, scaled to SPREAD

    def only(self, players: Ints) -> Task:
        """Return the task reduced to some of the players."""
        pairs = np.ix_(players, players)
        return replace(
            self,
            met=self.met[pairs],
            apart=self.apart[pairs],
            seated=self.seated[:, players],
            odd_before=self.odd_before[players],
            spread=None if self.spread is None else self.spread[pairs],
        )


class Found(NamedTuple):
    """The best tables met (round, player; negative for who sits out), their cost, and the swaps weighed."""

    tables: Ints
    cost: float
    steps: int


def together(tables: Ints) -> Floats:
    """Return who shares a table with whom, themselves included, in the rounds given."""
    alone = -1 - np.arange(tables.shape[-1])
    labels = np.where(tables < 0, alone, tables)
    same: Flags = labels[..., :, None] == labels[..., None, :]
    return same.astype(np.float64)


def meetings(tables: Ints) -> Floats:
    """Count the meetings of each pair."""
    total = np.zeros((tables.shape[1],) * 2)
    for row in tables:  # a round at a time: all at once would not fit memory for thousands of players
        total += together(row)
    np.fill_diagonal(total, 0)
    return total


def repeats(task: Task, tables: Ints) -> int:
    """Count the meetings of these rounds that are not the first of their pair."""
    before = task.met
    after = before + meetings(tables)
    return int((np.maximum(after - 1, 0) - np.maximum(before - 1, 0)).sum() / 2)


def cost(task: Task, tables: Ints) -> float:
    """Return the whole cost of the tables, as the search counts it."""
    new = meetings(tables)
    pairs = _pair_cost(task.met + new) - _pair_cost(task.met) + APART * task.apart * new
    had = task.odd_before + odd_seats(task, tables).sum(axis=0)
    total = pairs.sum() / 2 + ODD * ((had**2).sum() - had.sum() ** 2 // len(had))
    if task.spread is not None:
        total += (task.spread * together(tables[0])).sum() / 2
    return float(total)


def odd_seats(task: Task, tables: Ints) -> Floats:
    """Tell with 1 or 0 who sits at a table of odd size, by round and player."""
    rounds = np.arange(len(task.odd_tables))[:, None]
    return (task.odd_tables[rounds, np.maximum(tables, 0)] & task.seated).astype(np.float64)


def odd_shared(task: Task, tables: Ints) -> bool:
    """Tell whether nobody has two more tables of an odd size than another, or nothing could be done about it."""
    had = task.odd_before + odd_seats(task, tables).sum(axis=0)
    return bool(had.max() - had.min() <= 1) or not _uneven(task)


def step_price(rounds: int, players: int) -> int:
    """Return the steps that one swap of one walker counts for."""
    return rounds * players**2 // 2 + MADE


def anneal(
    task: Task,
    starts: Ints,
    *,
    moves: int,
    heat: tuple[float, float],
    rng: Random,
    goal: float = 0,
    patience: int | None = None,
) -> Found:
    """Make `moves` swaps from each of the starts (walker, round, player) and return the best tables met.

    `heat` falls from its first to its second value, in units of cost. Stops early at a cost of `goal` or less, and
    after `patience` swaps without a better cost.
    """
    walkers, rounds, players = starts.shape
    tables, same = starts.copy(), together(starts)
    met = task.met + same.sum(axis=1)
    met[:, range(players), range(players)] = 1  # leaves 0 once a round's own 1 is taken away
    extra, fixed = _extra(task), _fixed(task)
    noise, uneven = _noise(rng, same.size), _uneven(task)
    costs = np.array([cost(task, start) for start in starts])
    best = int(costs.argmin())
    best_cost, best_tables = costs[best], tables[best].copy()
    every = np.arange(walkers)
    cooling = (heat[1] / heat[0]) ** (1 / max(1, moves))
    made, last = 0, moves if patience is None else patience
    while made < min(moves, last) and best_cost > goal:
        change = _change(same, met, extra) + fixed
        if uneven:
            change += _odd_change(task, tables)
        offset = rng.randrange(len(noise) - same.size)
        warmth = heat[0] * cooling**made
        drawn = change - warmth * noise[offset : offset + same.size].reshape(same.shape)
        flat = drawn.reshape(walkers, -1).argmin(axis=1)
        number, left, right = np.unravel_index(flat, same.shape[1:])
        drawn_change = change[every, number, left, right]
        if drawn_change.max() >= FORBIDDEN / 2:  # a single table: there is nothing to swap
            break
        costs += drawn_change
        _swap(tables, same, met, (every, number, left, right))
        made += 1
        if costs.min() < best_cost:
            best = int(costs.argmin())
            best_cost, best_tables = costs[best], tables[best].copy()
            last = moves if patience is None else made + patience
    return Found(best_tables, float(best_cost), (made + 1) * walkers * step_price(rounds, players))


def _extra(task: Task) -> Floats:
    """Return what a pair at one table costs in each round, met or not."""
    extra = np.repeat(APART * task.apart[None], len(task.seated), axis=0)
    if task.spread is not None:
        extra[0] += task.spread
    return extra


def _fixed(task: Task) -> Floats:
    """Return a prohibitive cost for every swap of a player who sits out."""
    out = ~task.seated
    either: Flags = out[:, :, None] | out[:, None, :]
    return either.astype(np.float64) * FORBIDDEN


def _change(same: Floats, met: Floats, extra: Floats) -> Floats:
    """Return what each swap of two players would change, by walker, round and the two."""
    others = met[:, None] - same
    weight = np.minimum(others, 1) * (REPEAT - AGAIN) + others * AGAIN + extra
    joining = weight @ same  # what each player would pay at each other player's table
    staying = np.einsum("wrpp->wrp", joining)
    change: Floats = joining - weight - staying[..., None]
    return change + change.swapaxes(2, 3) + FORBIDDEN * same


def _swap(tables: Ints, same: Floats, met: Floats, swap: tuple[Ints, Ints, Ints, Ints]) -> None:
    every, number, left, right = swap
    at_left, at_right = same[every, number, left], same[every, number, right]
    new_left, new_right = at_right.copy(), at_left.copy()
    new_left[every, right], new_left[every, left] = 0, 1
    new_right[every, left], new_right[every, right] = 0, 1
    for player, row, old in ((left, new_left, at_left), (right, new_right, at_right)):
        same[every, number, player] = row
        same[every, number, :, player] = row
        met[every, player] += row - old
        met[every, :, player] += row - old
    tables[every, number, left], tables[every, number, right] = (
        tables[every, number, right],
        tables[every, number, left],
    )


def _uneven(task: Task) -> bool:
    return bool((task.odd_tables.any(axis=1) & ~task.odd_tables.all(axis=1)).any())


def _odd_change(task: Task, tables: Ints) -> Floats:
    odd = odd_seats(task, tables)
    elsewhere = task.odd_before + odd.sum(axis=1)
    price = ODD * (2 * (elsewhere[:, None] - odd) + 1)  # what one more odd table costs each player
    change: Floats = (price[..., :, None] - price[..., None, :]) * (odd[..., None, :] - odd[..., :, None])
    return change


def _pair_cost(times: Floats) -> Floats:
    after_first = np.maximum(times - 1, 0)
    return REPEAT * after_first + AGAIN * after_first * np.maximum(times - 2, 0) / 2


def _noise(rng: Random, size: int) -> Floats:
    """Return Gumbel noise: the least of cost − heat × noise is a draw by the Boltzmann law."""
    uniform = np.random.Generator(np.random.PCG64(rng.getrandbits(64))).random(max(NOISE, 4 * size))
    gumbel = -np.log(-np.log(np.maximum(uniform, 2.0**-53)))
    rounded: Floats = np.round(gumbel * NOISE_GRAIN) / NOISE_GRAIN
    return rounded
