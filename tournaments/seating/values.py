"""What goes into a seating and what comes out of it; ids are opaque strings."""

from __future__ import annotations

from dataclasses import dataclass


class SeatingError(ValueError):
    """The players and the limits given allow no table at all, or the input contradicts itself."""


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """How many may sit at one table, and how many should."""

    low: int
    high: int
    preferred: int

    def __post_init__(self) -> None:
        if not 2 <= self.low <= self.preferred <= self.high:
            raise SeatingError("Table sizes must be at least 2, with the preferred size between the limits.")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player to be seated; `points` in any integer unit, such as 840ths."""

    id: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """The tables of one round, each in seat order, and who sat out because the numbers forced it."""

    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quality:
    """What a round costs.

    `repeats` counts the pairs at a table that met before, and no seating of these players has fewer than
    `repeats_bound`. `spread` adds up the differences in points of all pairs at a table, and no tables of these sizes
    have less than `spread_bound`. `positions` adds up, over the players, by how much more than one their most and
    least used seats differ. `apart_broken` counts keep-apart pairs at one table.
    """

    repeats: int
    repeats_bound: int
    spread: int
    positions: int
    apart_broken: int = 0
    spread_bound: int = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """One round, what it costs, and what it takes to compute it again."""

    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...]
    quality: Quality
    seed: int
    steps: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rounds still to be played; `repeats` counts their meetings after a pair's first, whenever that was."""

    rounds: tuple[SeatedRound, ...]
    repeats: int
    repeats_bound: int
    positions: int
    apart_broken: int
    seed: int
    steps: int
