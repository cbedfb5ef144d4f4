"""Schedules without any repeat that are one or two base rounds, turned.

The players are the numbers 0, 1, 2, …: blocks of `turns` numbers that turn cyclically, then the few that stand still.
A turn adds 1 to every number within its block. The rounds are the base rounds after 0, 1, … `turns` − 1 turns, and no
two players meet twice because no difference occurs twice among the tables of the base rounds.

The base rounds below were found by search and are to such schedules what a table of primes is to arithmetic: hard to
find, easy to check, and the tests check every one. Those for 15 and 21 players are Kirkman triple systems, those for
18, 24 and 30 × 3 nearly Kirkman, 28 × 4 is a resolvable block design. For 32 × 4 (the ten rounds of the golfers'
problem) both base rounds were also required to be their own mirror image, which brought the search within reach.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tournaments.seating.algebra import Design


class Starter(NamedTuple):
    """Base rounds, written as tables of player numbers, and how many times to turn them."""

    turns: int
    bases: tuple[str, ...]


# By number of players and table size.
STARTERS = {
    (15, 3): Starter(7, ("0 5 12, 2 6 8, 3 4 7, 10 11 13, 1 9 14",)),
    (18, 3): Starter(
        4, ("4 9 10, 2 7 11, 0 1 12, 5 13 14, 3 6 17, 8 15 16", "3 5 16, 4 7 14, 0 8 13, 1 11 15, 2 6 9, 10 12 17")
    ),
    (21, 3): Starter(
        5,
        (
            "9 13 19, 7 16 18, 4 10 12, 0 1 6, 2 11 15, 8 14 20, 3 5 17",
            "3 6 7, 1 4 11, 13 14 16, 5 8 10, 2 18 19, 9 12 17, 0 15 20",
        ),
    ),
    (24, 3): Starter(11, ("10 13 14, 2 11 18, 12 15 21, 9 19 23, 0 6 17, 1 8 20, 4 5 7, 3 16 22",)),
    (24, 4): Starter(7, ("1 10 16 22, 9 14 18 19, 2 8 15 21, 5 13 17 23, 3 4 6 20, 0 7 11 12",)),
    (28, 4): Starter(9, ("5 7 8 9, 2 11 18 27, 3 20 21 24, 10 14 17 22, 1 15 16 25, 6 13 19 26, 0 4 12 23",)),
    (30, 3): Starter(
        14, ("8 22 28, 18 19 21, 12 15 20, 1 7 16, 0 5 26, 4 14 24, 2 3 13, 9 11 27, 6 17 25, 10 23 29",)
    ),
    (30, 5): Starter(6, ("3 12 18 26 28, 5 9 15 22 27, 11 14 16 19 25, 0 4 7 17 24, 1 6 13 21 23, 2 8 10 20 29",)),
    (32, 4): Starter(
        5,
        (
            "0 11 19 30, 5 22 28 31, 2 3 24 26, 6 9 12 18, 7 14 20 21, 8 16 25 29, 1 10 13 27, 4 15 17 23",
            "5 21 29 30, 0 13 17 31, 1 4 7 8, 14 16 23 27, 6 10 11 26, 9 15 19 24, 2 12 20 22, 3 18 25 28",
        ),
    ),
}


@cache
def starter_design(tables: int, size: int) -> Design:
    """Return the rounds of a known starter for tables × size players; none if there is no starter."""
    players = tables * size
    starter = _circle(players) if size == 2 else STARTERS.get((players, size))
    if starter is None:
        return ()
    return tuple(
        _turned(_table_of_each(base), starter.turns, turn) for base in starter.bases for turn in range(starter.turns)
    )


def _circle(players: int) -> Starter:
    """Return the round robin for pairs: one player stands still, the others are paired across a circle."""
    turns = players - 1
    pairs = [f"{turns} 0", *(f"{place} {turns - place}" for place in range(1, players // 2))]
    return Starter(turns, (", ".join(pairs),))


def _table_of_each(base: str) -> tuple[int, ...]:
    tables = {int(player): number for number, table in enumerate(base.split(", ")) for player in table.split(" ")}
    return tuple(tables[player] for player in range(len(tables)))


def _turned(base: tuple[int, ...], turns: int, turn: int) -> tuple[int, ...]:
    moving = len(base) // turns * turns
    return tuple(
        base[player // turns * turns + (player - turn) % turns] if player < moving else base[player]
        for player in range(len(base))
    )
