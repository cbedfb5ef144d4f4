"""What standings are computed from, and columns of values that rank exactly: integers and fractions, never floats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

NO_SCORE = 1 - 2**31  # a table that was ranked by hand
FORFEITED = 1000  # added to a rank: after every seat that played
LARGEST = 2**62  # sums below it cannot overflow


class Placings(NamedTuple):
    """Seats of results that count, column by column and in any order; an entry is its index in the list."""

    table: Ints
    round: Ints
    entry: Ints
    rank: Ints
    score: Ints
    is_forfeit: Bools
    is_final: Bools

    def where(self, wanted: Any) -> Placings:
        """Return some of the rows, by a mask or by indices."""
        return Placings(*(column[wanted] for column in self))


class Attendance(NamedTuple):
    """Who was in a round: entries that sat out, or in elimination all who reached it."""

    round: Ints
    entry: Ints


class Penalties(NamedTuple):
    """Points taken off entries, in 840ths and in any order; the round is 0 where none was named."""

    round: Ints
    entry: Ints
    points: Ints

    def of(self, size: int) -> Ints:
        """Return what is taken off each entry in all."""
        return total(self.entry, self.points, size)


NO_PENALTIES = Penalties(*(np.zeros(0, dtype=np.int64) for _ in range(3)))


class Pairs(NamedTuple):
    """For every two who met, in both directions: how often, and what came of it at the tables they shared.

    `ahead` counts halves: two for each table at which `me` was ahead, one where level. `points` are the other's.
    """

    me: Ints
    other: Ints
    meetings: Ints
    ahead: Ints
    points: Ints


class Column(NamedTuple):
    """A fraction per entry. `keys` order them exactly, higher first; `known` is false where there is none."""

    keys: Ints
    numerator: npt.NDArray[Any]
    denominator: npt.NDArray[Any]
    known: Bools | None = None


@dataclass(frozen=True)
class Tables:
    """Placings sorted by table, and the tables they make."""

    placings: Placings

    @cached_property
    def starts(self) -> Ints:
        """Where each table begins."""
        return starts(self.placings.table)

    @cached_property
    def sizes(self) -> Ints:
        """How many sit at each table."""
        return np.diff(self.starts, append=len(self.placings.table))

    @cached_property
    def row(self) -> Ints:
        """The table of each seat, counted from zero."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def ranks(self) -> Ints:
        """The rank of each seat at its table, forfeits after everybody who played."""
        return self.placings.rank + FORFEITED * self.placings.is_forfeit

    @cached_property
    def grid(self) -> Ints:
        """The indices of seats, one row per table; -1 where a table has fewer than the largest."""
        grid = np.full((len(self.sizes), int(self.sizes.max(initial=1))), -1)
        index = np.arange(len(self.row))
        grid[self.row, index - self.starts[self.row]] = index
        return grid

    @cached_property
    def beaten_and_level(self) -> tuple[Ints, Ints]:
        """How many of its table each seat is ahead of, and with how many others it is level."""
        ranks = np.where(self.grid >= 0, self.ranks[self.grid] if len(self.row) else -1, -1).astype(np.int16)
        mine, theirs = ranks[:, :, None], ranks[:, None, :]
        is_seat = self.grid >= 0
        beaten, level = ((mine < theirs).sum(2)[is_seat], (mine == theirs).sum(2)[is_seat] - 1)
        return beaten, level


@dataclass(frozen=True)
class Field:
    """Everything played that tie-breaks can look at: tables, the points of each seat, and ratings at entry."""

    size: int
    tables: Tables
    points: Ints
    ratings: Ints

    @property
    def entry(self) -> Ints:
        """The entry of each seat."""
        return self.tables.placings.entry

    @cached_property
    def played(self) -> Ints:
        """How many tables each entry played."""
        return np.bincount(self.entry, minlength=self.size)

    @cached_property
    def table_points(self) -> Ints:
        """The points of each entry at tables."""
        return total(self.entry, self.points, self.size)

    @cached_property
    def pairs(self) -> Pairs:
        """Who met whom."""
        grid = self.tables.grid
        is_seat = grid >= 0
        both = is_seat[:, :, None] & is_seat[:, None, :] & ~np.eye(grid.shape[1], dtype=bool)
        table, one, two = np.nonzero(both)
        mine, theirs = grid[table, one], grid[table, two]
        keys = self.entry[mine] * self.size + self.entry[theirs]
        order = np.argsort(keys)
        mine, theirs, keys = mine[order], theirs[order], keys[order]
        ranks, is_forfeit = self.tables.ranks, self.tables.placings.is_forfeit
        ahead = 2 * (ranks[mine] < ranks[theirs]) + ((ranks[mine] == ranks[theirs]) & ~is_forfeit[mine])
        first = starts(keys)
        return Pairs(
            me=self.entry[mine[first]],
            other=self.entry[theirs[first]],
            meetings=np.diff(first, append=len(keys)),
            ahead=sums(ahead, first),
            points=sums(self.points[theirs], first),
        )


def sums(values: Ints, starts: Ints) -> Ints:
    """Return the sum of each run of values, by where the runs start."""
    return np.add.reduceat(values, starts) if len(starts) else values[:0]


def starts(keys: Ints) -> Ints:
    """Return where each run of equal keys begins."""
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(is_first)


def total(index: Ints, values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """Return the sum of the values at each index."""
    sums = np.zeros(size, dtype=values.dtype)
    np.add.at(sums, index, values)
    return sums


def ratio(numerator: npt.NDArray[Any], denominator: Ints) -> Column:
    """Return a column of fractions, nothing over nothing being zero.

    Two different fractions with denominators up to D are at least 1/D² apart, so their whole D²ths order them.
    """
    parts = np.maximum(denominator, 1)
    spread = int(parts.max(initial=1)) ** 2
    if max(int(abs(numerator).max(initial=0)), spread) * spread >= LARGEST:
        exact = numerator.astype(object) * spread // parts
        return Column(np.unique(exact, return_inverse=True)[1], numerator, parts)
    return Column(numerator * spread // parts, numerator, parts)
