"""What dice are worth before they are thrown: exact expectations for the phases made of numbers.

Knows neither colours nor a particular throw; `keeping` looks up what it needs.

A hand is split into its high and its low dice, and each half is one of few multisets of numbers: 924 and 126,
counting also those with dice still to be thrown. A table holds a value for every pair; taking the expectation over a
die to be thrown, and the best choice of dice to keep, go through one half at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, TypeAlias

from engines.ten_phases.pieces import HIGH_DICE, HIGH_NUMBERS, LOW_DICE, LOW_NUMBERS, Phase

Hand: TypeAlias = tuple[int, ...]
"""Numbers of dice in ascending order, 0 for a joker."""
Vector: TypeAlias = Sequence[float]
Table: TypeAlias = Sequence[Vector]

IMPOSSIBLE = float("-inf")
MOST_TABLES = 9
"""Expectations that stay in memory, of 2 MB each: one for every phase of numbers, as the assistance asks for them."""


class Prize(NamedTuple):
    """Something beyond the points themselves for having enough of them."""

    least: int
    worth: int


NO_PRIZE = Prize(0, 0)


class Half:
    """The high or the low dice: every hand of them, smaller hands first, and how hands lead to one another."""

    def __init__(self, faces: Sequence[int], dice: int) -> None:
        self.faces = faces
        numbers = sorted(set(faces))
        self.hands: list[Hand] = [
            hand for size in range(dice + 1) for hand in combinations_with_replacement(numbers, size)
        ]
        self.index = {hand: index for index, hand in enumerate(self.hands)}
        self.open = sum(len(hand) < dice for hand in self.hands)

    @cached_property
    def thrown(self) -> list[list[int]]:
        """Per hand with dice missing, the hands that throwing one more die leads to, one for each of its faces."""
        return [[self.index[tuple(sorted((*hand, face)))] for face in self.faces] for hand in self.hands[: self.open]]

    @cached_property
    def reduced(self) -> list[list[int]]:
        """Per hand, the hands that picking up one of its dice leads to."""
        return [
            sorted({self.index[hand[:place] + hand[place + 1 :]] for place in range(len(hand))}) for hand in self.hands
        ]

    @lru_cache(maxsize=1 << 12)  # noqa: B019 - there are two halves, and they live as long as the process
    def parts(self, hand: Hand) -> list[int]:
        """Return the hands that can be kept of a hand."""
        return [self.index[part] for part in _parts(hand)]

    def expect(self, full: Table) -> list[Vector]:
        """Return values for all hands, given those of the full ones: the mean over what is thrown."""
        values: list[Vector] = [()] * self.open + list(full)
        share = 1 / len(self.faces)
        for hand in reversed(range(self.open)):
            values[hand] = [
                share * sum(each) for each in zip(*(values[more] for more in self.thrown[hand]), strict=True)
            ]
        return values

    def choose(self, values: Table) -> list[Vector]:
        """Return for the full hands the best value among all the hands that can be kept of them."""
        best = list(values)
        for hand in range(1, len(best)):
            best[hand] = list(map(max, best[hand], *(best[less] for less in self.reduced[hand])))
        return best[self.open :]


@cache
def halves() -> tuple[Half, Half]:
    """Return the high and the low dice."""
    return Half(HIGH_NUMBERS, HIGH_DICE), Half((0, 0, *LOW_NUMBERS), LOW_DICE)


def _turned(table: Iterable[Vector]) -> list[Vector]:
    return list(zip(*table, strict=True))


def _expected(table: Table) -> list[Vector]:
    high, low = halves()
    return high.expect(_turned(low.expect(_turned(table))))


def _chosen(table: Table) -> list[Vector]:
    high, low = halves()
    return _turned(low.choose(_turned(high.choose(table))))


@lru_cache(maxsize=MOST_TABLES)
def keep_values(phase: Phase, floor: int, prize: Prize = NO_PRIZE) -> tuple[Table, Table]:
    """Return what dice are worth if they are kept, with one and with two throws to come, by high and low hand.

    Worth is what the best points, and the prize if they earn it, exceed `floor` by, and nothing if they do not or the
    phase is not made. Full hands are worth what they are. Takes about 0.15 s and 2 MB per phase, floor and prize.
    """
    least, more = prize
    final = [
        [max(points + (more if points >= least else 0) - floor, 0.0) for points in row]
        for row in _chosen(_selections(phase))
    ]
    once = _expected(final)
    twice = _expected(_chosen(once))
    return [array("d", row) for row in once], [array("d", row) for row in twice]


def _selections(phase: Phase) -> Table:
    """Return a table with the points of all choices of dice that are exactly a phase."""
    high, low = halves()
    table = [[IMPOSSIBLE] * len(low.hands) for _ in high.hands]
    for target in phase.targets:
        numbers = [number for number, wanted in target for _ in range(wanted)]
        for low_part in _parts([number for number in numbers if number in LOW_NUMBERS]):
            for high_part in _parts([number for number in numbers if number in HIGH_NUMBERS]):
                jokers = phase.size - len(low_part) - len(high_part)
                low_index = low.index.get((0,) * jokers + low_part)
                high_index = high.index.get(high_part)
                if low_index is not None and high_index is not None:
                    table[high_index][low_index] = sum(low_part) + sum(high_part)
    return table


def _parts(numbers: Sequence[int]) -> set[Hand]:
    return {part for size in range(len(numbers) + 1) for part in combinations(numbers, size)}
