"""Which dice to keep: by exact expectation where numbers count, by a close estimate where colours do.

Serves the assistance; players look up in `kept` what was worked out so. The exact tables come from `expectation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engines.ten_phases.expectation import IMPOSSIBLE, NO_PRIZE, Prize, halves, keep_values
from engines.ten_phases.pieces import COLOURS, HIGH_NUMBERS, Die, Face, Phase

NEARLY = 1e-8  # expectations that differ by less are equal but for rounding


class Advice(NamedTuple):
    """The places of the dice to keep and what the points are then expected to exceed the floor by."""

    places: tuple[int, ...]
    expected: float


def best_keep(
    phase: Phase,
    floor: int,
    dice: Sequence[Face | None],
    box: Sequence[Die],
    throws: int,
    prize: Prize = NO_PRIZE,
) -> Advice:
    """Return the dice to keep with one or two throws to come; keeping all is to stop.

    None is a die that was not thrown yet. `box` says which die lies in each place. A phase of one colour has no prize.
    """
    if phase.same_colour:
        return _best_colour(phase.same_colour, floor, dice, box, throws)
    return _best_numbers(phase, floor, prize, dice, throws)


def _best_numbers(phase: Phase, floor: int, prize: Prize, dice: Sequence[Face | None], throws: int) -> Advice:
    high, low = halves()
    table = keep_values(phase, floor, prize)[throws - 1]
    numbers = sorted([face.number for face in dice if face])
    split = sum([number < HIGH_NUMBERS[0] for number in numbers])
    _, high_part, low_part = max(
        [
            (rank(row[low_part], len(high.hands[high_part]) + len(low.hands[low_part])), high_part, low_part)
            for high_part in high.parts(tuple(numbers[split:]))
            for row in [table[high_part]]
            for low_part in low.parts(tuple(numbers[:split]))
        ]
    )
    return Advice(places_of(dice, [*high.hands[high_part], *low.hands[low_part]]), table[high_part][low_part])


def rank(worth: float, dice: int) -> int:
    """Return by what kept dice are compared: by their worth as far as it is no rounding, then by how many they are."""
    return round(worth / NEARLY) << 4 | dice


def places_of(dice: Sequence[Face | None], numbers: Sequence[int]) -> tuple[int, ...]:
    """Return where among the dice each of the numbers lies."""
    left, places = list(numbers), []
    for place, face in enumerate(dice):
        if face and face.number in left:
            left.remove(face.number)
            places.append(place)
    return tuple(places)


def _best_colour(size: int, floor: int, dice: Sequence[Face | None], box: Sequence[Die], throws: int) -> Advice:
    """Compare the colours, each as if it were kept to the end; a change of mind between throws is not foreseen."""
    stop, best = IMPOSSIBLE, Advice((), IMPOSSIBLE)
    for colour in COLOURS:
        # Of equal numbers one whose colour is written comes before one whose colour is taken on trust.
        fitting = [(face.number, face.colour, place) for place, face in enumerate(dice) if face and face.is_of(colour)]
        fitting.sort(reverse=True)
        if len(fitting) >= size:
            stop = max(stop, sum([number for number, _, _ in fitting[:size]]) - floor)
        for kept in (fitting[:size], fitting[: size - 1]):
            places = [place for _, _, place in kept]
            free = [_hits(die, colour) for place, die in enumerate(box) if place not in places]
            worth = _colour_worth(size, floor, [number for number, _, _ in kept], free, throws)
            if worth > best.expected:
                best = Advice(tuple(sorted(places)), worth)
    if best.expected > stop + NEARLY:
        return best
    return Advice(tuple([place for place, face in enumerate(dice) if face]), stop)


class Hits(NamedTuple):
    """How likely a throw of a die shows a colour, and the numbers it then shows, 0 for a joker."""

    chance: float
    numbers: tuple[int, ...]


@lru_cache(maxsize=1 << 10)
def _hits(die: Die, colour: str) -> Hits:
    numbers = tuple([face.number for face in die if face.colour == colour])
    return Hits(len(numbers) / len(die), numbers)


def _colour_worth(size: int, floor: int, kept: Sequence[int], free: Sequence[Hits], throws: int) -> float:
    """Return the chance-weighted points over the floor when the free dice are thrown until they show the colour."""
    if len(kept) == size:
        return _improved(kept, free, throws) - floor
    chances, points = [0.0] * (size + 1), [0.0] * (size + 1)  # by the number of dice that show the colour
    chances[len(kept)], points[len(kept)] = 1.0, float(sum(kept))
    for hits in free:
        if not hits.numbers:
            continue
        hit = 1 - (1 - hits.chance) ** throws
        mean = sum(hits.numbers) / len(hits.numbers)
        for count in range(size - 1, len(kept) - 1, -1):
            chances[count + 1] += hit * chances[count]
            points[count + 1] += hit * (points[count] + mean * chances[count])
            chances[count] *= 1 - hit
            points[count] *= 1 - hit
    return points[size] - floor * chances[size]


def _improved(kept: Sequence[int], free: Sequence[Hits], throws: int) -> float:
    """Return the mean sum of enough dice of the colour: one more can only take the place of a smaller number."""
    chances = {tuple(sorted(kept)): 1.0}
    for hits in free:
        hit = 1 - (1 - hits.chance) ** throws
        after = {numbers: chance * (1 - hit) for numbers, chance in chances.items()}
        for numbers, chance in chances.items():
            for number in hits.numbers:
                better = tuple(sorted((*numbers, number))[1:])
                after[better] = after.get(better, 0.0) + chance * hit / len(hits.numbers)
        chances = after
    return sum([sum(numbers) * chance for numbers, chance in chances.items()])
