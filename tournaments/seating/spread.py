"""A floor under the spread of points: no way to fill tables of these sizes has less.

Put the players in the order of their points. A pair at one table is apart by all the gaps between the two, so every
gap is counted once for each pair at a table that it divides. With k players below a gap, the fewest pairs are divided
when tables are filled whole from one side and at most one is divided into a and s − a, which are a · (s − a) pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def spread_bound(points: Sequence[int], sizes: Sequence[int]) -> int:
    """Return a sum of differences within tables that no seating of these players can undercut."""
    ordered = sorted(points)
    counts = Counter(sizes)
    whole = _sums(counts)
    others = {size: _sums(counts - Counter({size: 1})) for size in counts}
    floor = 0
    for below in range(1, len(ordered)):
        gap = ordered[below] - ordered[below - 1]
        if gap and not whole >> below & 1:
            divided = (
                part * (size - part)
                for size, rest in others.items()
                for part in range(1, min(size, below + 1))
                if rest >> (below - part) & 1
            )
            floor += gap * min(divided, default=0)
    return floor


def _sums(counts: Counter[int]) -> int:
    """Return which numbers of players fill some of the tables, as the bits of a number."""
    sums = 1
    for size, count in counts.items():
        left, step = count, 1
        while left > 0:  # so many at once: 1, 2, 4 … and what is left, which together make every number
            taken = min(step, left)
            sums |= sums << (size * taken)
            left, step = left - taken, step * 2
    return sums
