"""A floor under the repeats of any seating: no schedule can do better, whether or not one reaches it.

Two arguments, both cheap. *Counting*: a player who must share tables with more seats than there are people they have
not met repeats the difference. *Pigeonhole*: a table of s drawn from the k tables of an earlier round holds at least
as many pairs of that round as s players spread evenly over k tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RoundShape:
    """The sizes of a round's tables, and which players (by index) they seat."""

    sizes: tuple[int, ...]
    players: frozenset[int]


def repeats_bound(met: NDArray[np.int64], past: Sequence[RoundShape], coming: Sequence[RoundShape]) -> int:
    """Return a number of repeats that no seating of the coming rounds can undercut.

    `met` counts the meetings of each pair in the past rounds.
    """
    return max(_by_counting(met, coming), _by_pigeonhole(past, coming))


def _by_counting(met: NDArray[np.int64], coming: Sequence[RoundShape]) -> int:
    count = len(met)
    least, most = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    present = np.zeros(count, dtype=bool)
    for shape in coming:
        seats = list(shape.players)
        least[seats] += min(shape.sizes) - 1
        most[seats] += max(shape.sizes) - 1
        present[seats] = True
    new = ((met == 0) & present).sum(axis=1) - 1  # the diagonal is 0, and nobody meets themselves
    forced = np.maximum(0, least - new).sum()
    room = np.maximum(0, np.minimum(most, new) - least).sum()
    companions = sum(size * (size - 1) for shape in coming for size in shape.sizes)
    excess = forced + max(0, companions - least.sum() - room)
    return int(-(-excess // 2))  # each repeat is one too many for two players


def _by_pigeonhole(past: Sequence[RoundShape], coming: Sequence[RoundShape]) -> int:
    rounds = [*past, *coming]
    return sum(
        max((_shared_pairs(earlier, rounds[number]) for earlier in rounds[:number]), default=0)
        for number in range(len(past), len(rounds))
    )


def _shared_pairs(earlier: RoundShape, later: RoundShape) -> int:
    groups = len(earlier.sizes) + len(later.players - earlier.players)
    return sum(_fewest_pairs(size, groups) for size in later.sizes)


def _fewest_pairs(size: int, groups: int) -> int:
    each, larger = divmod(size, groups)
    return groups * each * (each - 1) // 2 + larger * each
