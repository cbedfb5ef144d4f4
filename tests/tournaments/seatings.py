"""Counting what the seating tests check, independently of the code they check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from tournaments.seating import SeatedRound


def names(count: int) -> list[str]:
    """Return ids for a number of players, in no helpful order."""
    return [f"p{number * 7919 % 10007}" for number in range(count)]


def count_repeats(rounds: Iterable[SeatedRound], past: Iterable[SeatedRound] = ()) -> int:
    """Count the meetings in the rounds after a pair's first, past rounds included."""
    met, repeats = Counter(_pairs(past)), 0
    for pair in _pairs(rounds):
        repeats += met[pair] > 0
        met[pair] += 1
    return repeats


def check_round(seated: SeatedRound, players: Sequence[str], low: int, high: int) -> None:
    """Assert that every player has one place and every table a size within the limits."""
    everyone = [player for table in (*seated.tables, seated.sitting_out) for player in table]
    assert sorted(everyone) == sorted(players)
    assert all(low <= len(table) <= high for table in seated.tables)


def sitting_out_counts(rounds: Iterable[SeatedRound], players: Sequence[str]) -> list[int]:
    """Return how often each player sat out."""
    counts = Counter(player for seated in rounds for player in seated.sitting_out)
    return [counts[player] for player in players]


def _pairs(rounds: Iterable[SeatedRound]) -> list[frozenset[str]]:
    return [frozenset(pair) for seated in rounds for table in seated.tables for pair in combinations(table, 2)]
