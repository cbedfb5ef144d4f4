"""The model, written once more straight from its definition and as slowly as that is."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

START = 1_500_000


@cache
def chance(tenths: int) -> int:
    """Return what the weaker expects, in millionths, by the lead in tenths of a point."""
    with localcontext(Context(prec=60)):
        return int(1_000_000 / (1 + Decimal(10) ** (Decimal(tenths) / 4000)) + Decimal("0.5"))


def expectation(own: int, theirs: int) -> int:
    """Return what one rating expects against another, in millionths."""
    weaker = chance(min((abs(theirs - own) + 50) // 100, 12_000))
    return weaker if theirs >= own else 1_000_000 - weaker


def score(own: int, theirs: int) -> int:
    """Return what a rank scores against another, in millionths."""
    return 500_000 if own == theirs else 1_000_000 * (own < theirs)


def rated(before: Mapping[int, int], counts: Mapping[int, int], ranks: Mapping[int, int]) -> dict[int, int]:
    """Return the ratings of those who have ranks at a table, after it."""
    size, after = len(ranks), {}
    for one, rank in ranks.items():
        others = ranks.keys() - {one}
        gained = sum(score(rank, ranks[each]) - expectation(before[one], before[each]) for each in others)
        weight = 12_000 + 800_000 // (5 + counts[one])
        exact = weight * Fraction(size + 2, 4 * (size - 1)) * Fraction(gained, 1_000_000)
        after[one] = before[one] + (exact + Fraction(1, 2)).__floor__()
    return after
