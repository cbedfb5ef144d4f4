"""Strength of objectives, the order at the end of a stage, points and the ranking of a game.

Groups come as compact strings, front group first. Where they come from and whether they are right is left to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engines.dice_run.pieces import SECOND, STAGE_CARDS, THIRD


def strengths(objective: str, groups: Iterable[str]) -> tuple[int, ...]:
    """Count each group for an objective: 1 per die of its colour, 1 per die of its value, 1 more where both agree.

    Such tuples compare as players do at the end of a stage.
    """
    colour, value = objective[0], objective[1]
    return tuple([group.count(colour) + group.count(value) + group.count(objective) for group in groups])


def strength(objective: str, group: str) -> int:
    """Count one group for an objective."""
    return strengths(objective, (group,))[0]


def clockwise(seats: Sequence[str], first: str) -> list[str]:
    """Return the seats in clockwise order from one of them."""
    start = seats.index(first)
    return [*seats[start:], *seats[:start]]


def stage_order(precedence: Iterable[str], strong: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Return the seats best first; of two in a perfect tie the one with precedence."""
    return sorted(precedence, key=strong.__getitem__, reverse=True)  # a reversed sort is stable as well


def tally(seats: Sequence[str], podiums: Iterable[Sequence[str]]) -> list[tuple[int, int]]:
    """Return per seat its ranking key: points and the strongest stage card won, 0 for none."""
    points, strongest = dict.fromkeys(seats, 0), dict.fromkeys(seats, 0)
    for trophy, (first, second, third) in zip(STAGE_CARDS, podiums, strict=False):
        points[first] += trophy
        points[second] += SECOND
        points[third] += THIRD
        strongest[first] = trophy  # each stage's trophy is stronger than those before
    return [(points[seat], strongest[seat]) for seat in seats]
