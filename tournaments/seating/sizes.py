"""How many tables of which size, and who sits out when no sizes fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from tournaments.seating.values import SeatingError, SizeLimits


def table_sizes(players: int, limits: SizeLimits) -> tuple[int, ...]:
    """Return the table sizes for a number of players, largest first.

    Sizes stay within the limits, as close to the preferred size as the number allows, then with the fewest different
    sizes, then with the most tables. They add up to fewer than `players` only if no sizes fit; then as few as possible
    are left over. Raises SeatingError if not even one table can be filled.
    """
    for seated in range(players, limits.low - 1, -1):
        if splits := [_split(seated, tables) for tables in _table_counts(seated, limits)]:
            return min(splits, key=lambda sizes: _distance(sizes, limits.preferred))
    raise SeatingError(f"{players} players do not fill a table of {limits.low}.")


def choose_sitting_out(
    players: Sequence[str], count: int, sat_out: Mapping[str, int], rng: Random, last: Callable[[str], int]
) -> tuple[str, ...]:
    """Choose who sits out: those who did so least often, of these the lowest by `last`, of these by chance."""
    drawn = {player: rng.random() for player in players}
    order = sorted(players, key=lambda player: (sat_out.get(player, 0), last(player), drawn[player]))
    return tuple(sorted(order[:count]))


def _table_counts(players: int, limits: SizeLimits) -> range:
    return range(-(-players // limits.high), players // limits.low + 1)


def _split(players: int, tables: int) -> tuple[int, ...]:
    size, larger = divmod(players, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)


def _distance(sizes: Sequence[int], preferred: int) -> tuple[int, int, int]:
    return sum(abs(size - preferred) for size in sizes), len(set(sizes)), -len(sizes)
