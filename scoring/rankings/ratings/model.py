"""Multi-player Elo in integers: what a table does to the ratings of those who sat at it.

Ratings and weights are in thousandths of a point, scores and expectations in millionths. Whole numbers alone decide,
so the three ways to compute (plain Python, NumPy, compiled) agree to the last bit, on every machine. Which tables
count, who sat there and where ratings are kept is for others to know.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

START = 1_500_000  # the rating of somebody who has not been rated
PROVISIONAL = 10  # tables before a rating is more than provisional
MILLION = 1_000_000  # a win, or certainty
WEIGHT = 12_000  # what a game of two counts in the long run,
NEWCOMER, PATIENCE = 800_000, 5  # and how much more before one is known: 160 points at first, 53 after ten tables
FAR = 12_000  # tenths of a point: beyond 1200 points a longer lead changes nothing

COMPILED_FROM = 100_000  # tables: fewer are rated sooner than a compiler is loaded
WAVES_FROM = 500  # tables: fewer are rated sooner than they are sorted
WAVE_LEAST = 24  # tables that can be rated at once, on average, for waves to be worth it
WAVES_AT_ONCE = 1 << 17  # tables that are sorted into waves together: a bound on memory


class Path(StrEnum):
    """A way to compute. All give the same integers."""

    PLAIN = "plain"
    WAVES = "waves"
    COMPILED = "compiled"


@dataclass(frozen=True)
class Tables:
    """Tables in rating order. The seats of table t are those from `offsets[t]` to before `offsets[t + 1]`.

    `players` index the ratings; each sits at a table once, and nobody alone. Equal ranks are ties.
    """

    offsets: Ints
    players: Ints
    ranks: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def parts(self, size: int) -> Iterator[tuple[slice, Tables]]:
        """Yield at most `size` tables at a time, and which seats theirs are."""
        for first in range(0, len(self), size):
            offsets = self.offsets[first : first + size + 1]
            seats = slice(offsets[0], offsets[-1])
            yield seats, Tables(offsets - offsets[0], self.players[seats], self.ranks[seats])


def replay(ratings: Ints, counts: Ints, tables: Tables, *, of: int = 0, path: Path | None = None) -> tuple[Ints, Ints]:
    """Rate tables in order and return every seat's rating before and after.

    `ratings` and `counts` (tables rated so far), by player, are moved on in place. `of` tells how many tables the
    caller will rate in all, if it hands them over in parts.
    """
    rate = {Path.PLAIN: _rate_plainly, Path.WAVES: _rate_in_waves, Path.COMPILED: _rate_compiled}
    return rate[path or _best_path(tables, of)](ratings, counts, tables)


def _best_path(tables: Tables, of: int) -> Path:
    if max(len(tables), of) >= COMPILED_FROM and _compiled() is not None:
        return Path.COMPILED
    # The tables of one player must wait for each other, so there are at least as many waves.
    if len(tables) >= WAVES_FROM and len(tables) >= WAVE_LEAST * np.bincount(tables.players).max():
        return Path.WAVES
    return Path.PLAIN


@cache
def expectations() -> Ints:
    """Return what a seat expects to score against another, by `FAR` plus the other's lead in tenths of a point."""
    with localcontext(Context(prec=50)):  # the nearest any entry comes to being rounded the other way is 1e-11
        step = Decimal(10) ** (Decimal(1) / 4000)
        odds = [Decimal(1)]
        for _ in range(FAR):
            odds.append(odds[-1] * step)
        behind = [int(MILLION / (1 + each) + Decimal("0.5")) for each in odds]
    ahead = [MILLION - each for each in behind[:0:-1]]
    return np.array(ahead + behind, dtype=np.int64)


@cache
def fingerprint() -> str:
    """Return a digest of what this model does, which changes as soon as a constant or the formula changes.

    It is taken from the ratings after some tables of every size, with ties, leads of every length and newcomers among
    regulars: a change of the model cannot go unnoticed.
    """
    tables, people, sizes = 210, 60, range(2, 9)
    ratings = START + (np.arange(people) * 7_919) % 61 * 40_000 - 1_200_000
    counts = np.arange(people) ** 2 % 29
    offsets = np.append(0, np.cumsum([sizes[table % len(sizes)] for table in range(tables)]))
    seats = np.arange(offsets[-1])
    played = Tables(offsets, seats * 7 % people, seats**2 % 11)
    _, after = replay(ratings, counts, played, path=Path.PLAIN)
    told = (np.array([START]), expectations(), after)
    return hashlib.sha256(b"".join(column.astype("<i8").tobytes() for column in told)).hexdigest()


# --- One after the other: the definition, run as it stands or compiled ------------------------------------------


def _rate_in_order(
    ratings: MutableSequence[int],
    counts: MutableSequence[int],
    offsets: Sequence[int],
    players: Sequence[int],
    ranks: Sequence[int],
    expected: Sequence[int],
    before: MutableSequence[int],
    after: MutableSequence[int],
) -> None:
    for table in range(len(offsets) - 1):
        first, end = offsets[table], offsets[table + 1]
        for seat in range(first, end):
            before[seat] = ratings[players[seat]]
            after[seat] = 0  # the sum of score less expectation, until the new rating takes its place
        for seat in range(first, end):
            for other in range(seat + 1, end):
                lead = before[other] - before[seat]
                tenths = (lead + 50 + (lead >> 63)) // 100  # the nearest, halves away from zero
                won = 1 + (ranks[seat] < ranks[other]) - (ranks[seat] > ranks[other])
                gain = won * (MILLION // 2) - expected[FAR + min(max(tenths, -FAR), FAR)]
                after[seat] += gain
                after[other] -= gain
        # A larger table tells more than a smaller one, but less than that many games of two: (n + 2) / 4(n - 1).
        share, full = end - first + 2, 4 * (end - first - 1) * MILLION
        for seat in range(first, end):
            player = players[seat]
            weight = WEIGHT + NEWCOMER // (PATIENCE + counts[player])
            after[seat] = before[seat] + (2 * weight * share * after[seat] + full) // (2 * full)
            ratings[player] = after[seat]
            counts[player] += 1


def _rate_plainly(ratings: Ints, counts: Ints, tables: Tables) -> tuple[Ints, Ints]:
    # Lists of Python's integers are several times faster here than arrays.
    moved, more = ratings.tolist(), counts.tolist()
    seats = tables.offsets.tolist(), tables.players.tolist(), tables.ranks.tolist()
    before, after = [0] * len(tables.players), [0] * len(tables.players)
    _rate_in_order(moved, more, *seats, expectations().tolist(), before, after)
    ratings[:], counts[:] = moved, more
    return np.array(before, dtype=np.int64), np.array(after, dtype=np.int64)


def _rate_compiled(ratings: Ints, counts: Ints, tables: Tables) -> tuple[Ints, Ints]:
    rate = _compiled()
    if rate is None:
        raise ModuleNotFoundError("numba is not installed", name="numba")
    before, after = np.empty_like(tables.players), np.empty_like(tables.players)
    rate(ratings, counts, tables.offsets, tables.players, tables.ranks, expectations(), before, after)
    return before, after


@cache
def _compiled() -> Callable[..., None] | None:
    """Return the loop compiled by numba; None where that is not installed."""
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError:
        return None
    try:
        return numba.njit(_rate_in_order, cache=True)  # type: ignore[no-any-return]
    except RuntimeError:  # nowhere to keep what was compiled
        return numba.njit(_rate_in_order)  # type: ignore[no-any-return]


# --- Many at once: tables that share no player and wait for no other --------------------------------------------


def _rate_in_waves(ratings: Ints, counts: Ints, tables: Tables) -> tuple[Ints, Ints]:
    before, after = np.empty_like(tables.players), np.empty_like(tables.players)
    for seats, part in tables.parts(WAVES_AT_ONCE):
        _rate_part(ratings, counts, part, before[seats], after[seats])
    return before, after


def _rate_part(ratings: Ints, counts: Ints, tables: Tables, before: Ints, after: Ints) -> None:
    waves = list(_waves(tables))
    order = np.concatenate(waves)
    sizes = np.diff(tables.offsets)[order]
    offsets = _running(sizes)
    seats = _ranges(tables.offsets[order], sizes)
    players, ranks = tables.players[seats], tables.ranks[seats]
    left, right = pairs(offsets)
    won = (1 + np.sign(ranks[right] - ranks[left])) * (MILLION // 2)
    share, full = np.repeat(sizes + 2, sizes), np.repeat(4 * (sizes - 1) * MILLION, sizes)
    wave_ends = np.cumsum([len(wave) for wave in waves])
    seat_ends = offsets[wave_ends]
    pair_ends = _running(sizes * (sizes - 1) // 2)[wave_ends]
    old, new = np.empty_like(players), np.empty_like(players)
    expected = expectations()
    seat = pair = 0
    for seat_end, pair_end in zip(seat_ends.tolist(), pair_ends.tolist(), strict=True):
        here, met = slice(seat, seat_end), slice(pair, pair_end)
        one, other = left[met] - seat, right[met] - seat
        who = players[here]
        rating, count = ratings[who], counts[who]
        lead = rating[other] - rating[one]
        tenths = (lead + 50 + (lead >> 63)) // 100
        gain = won[met] - expected[FAR + np.clip(tenths, -FAR, FAR)]
        # Counted in floating point, and exactly: the sums are whole numbers far below 2**53.
        total = np.bincount(one, gain, len(who)) - np.bincount(other, gain, len(who))
        weight = (WEIGHT + NEWCOMER // (PATIENCE + count)) * share[here]
        old[here] = rating
        new[here] = rating + (2 * weight * total.astype(np.int64) + full[here]) // (2 * full[here])
        ratings[who] = new[here]
        counts[who] = count + 1
        seat, pair = seat_end, pair_end
    before[seats], after[seats] = old, new


def _waves(tables: Tables) -> Iterator[Ints]:
    """Yield the tables that can be rated at once: each wave holds those all of whose players are up to date."""
    sizes = np.diff(tables.offsets)
    table = np.repeat(np.arange(len(tables)), sizes)
    by_player = np.argsort(tables.players, kind="stable")
    again = np.flatnonzero(np.diff(tables.players[by_player]) == 0)
    # Where every seat's player sits next; the table after the last stands for nowhere.
    following = np.full(len(table), len(tables))
    following[by_player[again]] = table[by_player[again + 1]]
    waiting = np.bincount(following, minlength=len(tables) + 1)
    waiting[-1] = len(following) + 1
    seen = np.empty(len(tables) + 1, dtype=np.int64)
    wave, rated = np.flatnonzero(waiting == 0), 0
    while len(wave):
        yield wave
        rated += len(wave)
        reached = following[_ranges(tables.offsets[wave], sizes[wave])]
        np.subtract.at(waiting, reached, 1)
        ready = reached[waiting[reached] == 0]
        turns = np.arange(len(ready))
        seen[ready] = turns
        wave = ready[seen[ready] == turns]  # each once, though several of its players came here
    if rated < len(tables):
        raise ValueError("one player sits twice at a table")


def _running(sizes: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(sizes)))


def _ranges(starts: Ints, sizes: Ints) -> Ints:
    """Return the numbers from each start on, as many as its size."""
    return np.repeat(starts - _running(sizes)[:-1], sizes) + np.arange(sizes.sum())


def pairs(offsets: Ints) -> tuple[Ints, Ints]:
    """Return all pairs of seats at one table, each once."""
    seats = np.arange(offsets[-1])
    later = np.repeat(offsets[1:], np.diff(offsets)) - seats - 1
    return np.repeat(seats, later), _ranges(seats + 1, later)
