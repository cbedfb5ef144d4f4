"""What dice are worth in a phase, the bonuses, the total and the order of the players.

Plain functions of dice and numbers: they know neither a report nor a game in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from engines.ten_phases.pieces import (
    COLOURS,
    HIGH_DICE,
    HIGH_NUMBERS,
    LOW_DICE,
    NUMBERS,
    PHASES,
    Box,
    Face,
    Phase,
    Target,
)

BONUS = 40
BONUS5_LEAST = 221
MISS_COST = 5
ONE_COLOUR_MOST = 56  # as printed on the block: the colours of the real faces are not known (ruling R4)


def scores(phase: Phase, dice: Iterable[Face]) -> frozenset[int]:
    """Return every number of points these dice can be written down for; empty if they do not make up the phase."""
    if phase.same_colour:
        return _colour_scores(phase, tuple(sorted(dice)))
    return _number_scores(phase, tuple(sorted([face.number for face in dice])))


def can_give(phase: Phase, dice: Iterable[Face], points: int) -> bool:
    """Return whether these dice can be written down for the points, without working out all they can."""
    if phase.same_colour:
        return points in scores(phase, dice)
    return points in reachable(phase) and _can_give(phase, tuple(sorted([face.number for face in dice])), points)


@lru_cache(maxsize=1 << 15)
def _can_give(phase: Phase, numbers: tuple[int, ...], points: int) -> bool:
    return any(sums >> points & 1 for sums in _sums_by_target(phase, numbers))


@lru_cache(maxsize=1 << 15)
def _number_scores(phase: Phase, numbers: tuple[int, ...]) -> frozenset[int]:
    found = 0
    for sums in _sums_by_target(phase, numbers):
        found |= sums
    return members(found)


def _sums_by_target(phase: Phase, numbers: tuple[int, ...]) -> Iterator[int]:
    held = count_numbers(numbers)
    for pool in pools_of(phase, held):
        yield sums_of(pool, phase.size - held[0], phase.size)


@lru_cache(maxsize=1 << 12)
def _colour_scores(phase: Phase, dice: tuple[Face, ...]) -> frozenset[int]:
    sums = 0
    for colour in COLOURS:
        pool = [face.number for face in dice if face.is_of(colour)]
        sums |= sums_of(pool, phase.same_colour, phase.same_colour)
    return members(sums)


def count_numbers(numbers: Sequence[int]) -> list[int]:
    """Return how many there are of each number, with the jokers at 0."""
    return [numbers.count(number) for number in range(len(NUMBERS) + 1)]


def pools_of(phase: Phase, held: Sequence[int]) -> Iterator[list[int]]:
    """Yield, for each target that the held numbers and jokers can fill, those numbers it has a place for."""
    for target in phase.targets:
        jokers = held[0]
        for number, wanted in target:
            if held[number] < wanted:
                jokers -= wanted - held[number]
                if jokers < 0:
                    break
        else:
            yield [number for number, wanted in target for _ in range(min(wanted, held[number]))]


def sums_of(numbers: Sequence[int], fewest: int, most: int) -> int:
    """Return the possible sums of `fewest` to `most` of the numbers, each sum as the bit of its value."""
    left_out = len(numbers) - fewest
    if left_out <= 0:
        return 1 << sum(numbers) if left_out == 0 else 0
    by_left_out = [1 << sum(numbers)] + [0] * left_out
    for number in numbers:
        for count in range(left_out, 0, -1):
            by_left_out[count] |= by_left_out[count - 1] >> number
    sums = 0
    for bits in by_left_out[max(len(numbers) - most, 0) :]:
        sums |= bits
    return sums


def members(bits: int) -> frozenset[int]:
    """Return the positions of the bits that are set."""
    positions = []
    while bits:
        lowest = bits & -bits
        positions.append(lowest.bit_length() - 1)
        bits ^= lowest
    return frozenset(positions)


@cache
def reachable(phase: Phase) -> frozenset[int]:
    """Return every number of points the ten dice can give in a phase."""
    if phase.same_colour:
        target = tuple((number, HIGH_DICE if number in HIGH_NUMBERS else LOW_DICE) for number in NUMBERS)
        sums = _supplied(target, phase.size, LOW_DICE)
        return frozenset(points for points in members(sums) if points <= ONE_COLOUR_MOST)
    sums = 0
    for target in phase.targets:
        sums |= _supplied(target, phase.size, LOW_DICE)
    return members(sums)


def _supplied(target: Target, size: int, jokers: int) -> int:
    """Return the sums of `size` dice out of six high and four low ones, as many of the latter jokers as allowed."""
    high = [number for number, wanted in target for _ in range(wanted) if number in HIGH_NUMBERS]
    low = [number for number, wanted in target for _ in range(wanted) if number not in HIGH_NUMBERS]
    sums = 0
    for count in range(max(size - LOW_DICE, 0), min(HIGH_DICE, len(high)) + 1):
        rest = size - count
        for low_sum in members(sums_of(low, max(rest - jokers, 0), rest)):
            sums |= sums_of(high, count, count) << low_sum
    return sums


def best_of_one_colour(box: Box) -> int:
    """Return the most points that dice can give in the phase of one colour; 0 if they never make it."""
    (size,) = [phase.same_colour for phase in PHASES if phase.same_colour]
    return max(_best_of(box, colour, size) for colour in COLOURS)


def _best_of(box: Box, colour: str, size: int) -> int:
    numbers = [[face.number for face in die if face.is_of(colour)] for die in box]
    best = sorted([max(each) for each in numbers if each], reverse=True)
    return sum(best[:size]) if len(best) >= size else 0


def bonus5_count(phases: Sequence[int], misses: Sequence[int] = ()) -> int:
    """Return what the first five phases count towards the bonus, less what `misses` in them cost.

    The rulebook takes off 5 points for a miss and does not say when. We take them off at the end, so no misses are
    given here; they are where a sheet that takes them off at once is looked at.
    """
    return sum(phases[:5]) - MISS_COST * sum(misses[:5])


def bonus5_due(phases: Sequence[int], misses: Sequence[int] = ()) -> int:
    """Return the bonus after phase 5; `misses` as for `bonus5_count`."""
    return BONUS if len(phases) >= 5 and bonus5_count(phases, misses) >= BONUS5_LEAST else 0


def solo_bonus10_due(misses: Sequence[int]) -> int:
    """Return the bonus after phase 10 of somebody who plays alone and has ten phases."""
    return BONUS if misses[len(PHASES) - 1] == 0 else 0


def first_finisher(turns: Sequence[Sequence[int]]) -> int | None:
    """Return the seat that completed phase 10 first, from the turns of each seat's phases; None if none did."""
    finished = [seat for seat, own in enumerate(turns) if len(own) == len(PHASES)]
    return min(finished, key=lambda seat: turns[seat][-1], default=None)


def bonus10_due(turns: Sequence[Sequence[int]], first: int, seat: int) -> int:
    """Return the bonus after phase 10 of a seat with ten phases, when seat `first` was the first to have them.

    Later seats share it if they were in phase 10 when the first one finished and complete it in the same round.
    """
    *_, before, last = turns[seat]
    shares = seat > first and before < last == turns[first][-1]
    return BONUS if seat == first or shares else 0


def total(phases: Sequence[int], misses: Sequence[int], bonuses: int) -> int:
    """Return the grand total of a column."""
    return sum(phases) + bonuses - MISS_COST * sum(misses)


def ranking_key(phases: Sequence[int], points: int) -> tuple[int, int, int]:
    """Return what decides the rank: all phases completed, then the total, then the best single phase."""
    return int(len(phases) == len(PHASES)), points, max(phases, default=0)
