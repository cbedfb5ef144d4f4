"""Which table a group gets: those who always sit at one table keep it, the others take the numbers that are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def place(
    tables: Sequence[Sequence[str]], fixed: Mapping[str, int], points: Mapping[str, int]
) -> list[tuple[int, tuple[str, ...]]]:
    """Return the tables with their numbers, in that order.

    `fixed` says at which number somebody always sits. Where two of one number were seated apart, the one further away
    changes places with whoever at that table is closest in points. Only where more want a table than it seats does
    somebody sit elsewhere.
    """
    groups = [list(table) for table in tables]
    wanted: dict[int, list[str]] = {}
    for player in (player for table in tables for player in table if player in fixed):
        wanted.setdefault(fixed[player], []).append(player)
    taken: dict[int, int] = {}  # the group at a number
    for number, players in sorted(wanted.items(), key=lambda each: (-len(each[1]), each[0])):
        free = [index for index in range(len(groups)) if index not in taken.values()]
        if free:
            taken[number] = max(free, key=lambda index: (len(set(players) & set(groups[index])), -index))
            _gather(groups, taken[number], players, fixed, points)
    left = (index for index in range(len(groups)) if index not in taken.values())
    unused = (number for number in range(1, len(groups) + len(taken) + 1) if number not in taken)
    numbered = [*taken.items(), *zip(unused, left, strict=False)]
    return [(number, tuple(groups[index])) for number, index in sorted(numbered)]


def _gather(
    groups: list[list[str]], here: int, players: Sequence[str], fixed: Mapping[str, int], points: Mapping[str, int]
) -> None:
    """Bring players who belong to a group into it, each in exchange for somebody who does not."""
    for player in players:
        there = next(index for index, group in enumerate(groups) if player in group)
        others = [other for other in groups[here] if other not in players]
        if there != here and others:
            other = min(others, key=lambda each: (each in fixed, abs(points.get(each, 0) - points.get(player, 0))))
            groups[there][groups[there].index(player)] = other
            groups[here][groups[here].index(other)] = player
