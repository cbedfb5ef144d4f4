"""The model, written once more straight from its definition and as slowly as that is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from scoring.ratings.model import expectations

START = 1_500_000


@cache
def chances() -> list[int]:
    """Return what the weaker expects, in millionths, by the lead in tenths of a point."""
    return expectations().tolist()[12_000:]


def rated(before: Mapping[int, int], counts: Mapping[int, int], ranks: Mapping[int, int]) -> dict[int, int]:
    """Return the ratings of those who have ranks at a table, after it."""
    after = {}
    for one, rank in ranks.items():
        total = 0
        for other in ranks.keys() - {one}:
            lead = abs(before[other] - before[one])
            chance = chances()[min((lead + 50) // 100, 12_000)]
            expected = chance if before[other] >= before[one] else 1_000_000 - chance
            score = {True: 1_000_000, False: 0}[rank < ranks[other]] if rank != ranks[other] else 500_000
            total += score - expected
        weight = 16_000 + 800_000 // (10 + counts[one])
        exact = Fraction(weight * total, (len(ranks) - 1) * 1_000_000)
        after[one] = before[one] + (exact + Fraction(1, 2)).__floor__()
    return after
