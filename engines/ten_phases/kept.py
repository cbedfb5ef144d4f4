"""Which dice the players keep of every throw, for each of their aims: worked out once, and looked up in a move.

`data/keeps.zip` has a file for every phase of numbers and aim (`./run bench keeps` writes it). With one throw to come,
and then with two, it has a byte for each throw of the ten dice that says which of the high ones are kept, and then a
byte that says which of the low ones are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from typing import NamedTuple
from zipfile import ZipFile

from engines.ten_phases.expectation import NO_PRIZE, Hand, Prize, halves
from engines.ten_phases.keeping import best_keep, places_of
from engines.ten_phases.pieces import LOW_DICE, PHASES, Die, Face, Phase

KEEPS = resources.files("engines") / "data" / "keeps.zip"
MOST_TABLES = 64
"""Tables that stay in memory, of 0.13 MB each; reading one again takes less than a millisecond."""


class Aim(NamedTuple):
    """What an attempt must exceed to be worth writing, and a prize for enough points."""

    floor: int
    prize: Prize = NO_PRIZE


def places_to_keep(
    phase: Phase, aim: Aim, dice: Sequence[Face | None], box: Sequence[Die], throws: int
) -> tuple[int, ...]:
    """Return the places of the dice to keep of all ten, with one or two throws to come; to keep all is to stop.

    The aim is one of those that the players take (`play.aims`). Nothing is worked out here, except for one colour.
    """
    if phase.same_colour:
        return best_keep(phase, aim.floor, dice, box, throws).places
    table = _table(name_of(PHASES.index(phase), aim))
    high, low = _throws()
    numbers = sorted([face.number for face in dice if face])
    row, column = high[tuple(numbers[LOW_DICE:])], low[tuple(numbers[:LOW_DICE])]
    size = len(high) * len(low)
    at = 2 * size * (throws - 1) + row * len(low) + column
    kept = table[at] << LOW_DICE | table[at + size]
    return places_of(dice, [number for place, number in enumerate(numbers) if kept >> place & 1])


def name_of(number: int, aim: Aim) -> str:
    """Return what the file of a phase, counted from 0, and an aim is called."""
    return f"{number + 1} {aim.floor} {aim.prize.least} {aim.prize.worth}"


@lru_cache(maxsize=MOST_TABLES)
def _table(name: str) -> bytes:
    return _archive().read(name)


@cache
def _archive() -> ZipFile:
    return ZipFile(BytesIO(KEEPS.read_bytes()))


@cache
def _throws() -> tuple[Mapping[Hand, int], Mapping[Hand, int]]:
    """Return the place of every throw of the high and of the low dice."""
    high, low = ({hand: place for place, hand in enumerate(half.hands[half.open :])} for half in halves())
    return high, low
