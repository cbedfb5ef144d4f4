"""The moves of a game, those of chance among them. What a move does is left to `rules`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from typing import TypeAlias

from engines.base import Rng
from engines.play import Listed
from engines.sixmix.pieces import LETTERS, SIDES, SQUARES


@dataclass(frozen=True, slots=True)
class Ages:
    """Chance, before the game: the seats from the youngest to the oldest player."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FirstThrow:
    """Chance: what everybody who may still start throws for it, in seating order."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A player of two chooses the colour of the die to throw."""

    colour: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: the number the die shows."""

    number: int


@dataclass(frozen=True, slots=True)
class Put:
    """The player places the die in the row of a colour, on a square counted from 1."""

    row: str
    square: int


Move: TypeAlias = Ages | FirstThrow | Pick | Roll | Put

NOTHING: Listed[Move] = Listed(())
ROLLS = Listed(tuple(Roll(number) for number in range(1, SIDES + 1)))
PICKS = {colour: Pick(colour) for colour in LETTERS}
PUTS = {colour: tuple(Put(colour, square) for square in range(1, SQUARES + 1)) for colour in LETTERS}


@cache
def all_ages(seats: int) -> Listed[Ages]:
    """Return every order of the seats by age."""
    return Listed(tuple(Ages(order) for order in permutations(range(seats))))


@dataclass(frozen=True, slots=True)
class Throws:
    """Everything that several players can throw, up to 7,776 possibilities."""

    players: int

    @property
    def count(self) -> int:
        """How many there are."""
        return int(SIDES**self.players)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, FirstThrow) and is_throw(move.numbers, self.players)

    def __iter__(self) -> Iterator[FirstThrow]:
        return map(FirstThrow, product(range(1, SIDES + 1), repeat=self.players))

    def sample(self, rng: Rng) -> FirstThrow:
        """Return one of them, each as likely as the others."""
        return FirstThrow(tuple(1 + int(rng.random() * SIDES) for _ in range(self.players)))


def is_throw(numbers: tuple[int, ...], players: int) -> bool:
    """Say whether these are the throws of this number of players."""
    return len(numbers) == players and all(1 <= number <= SIDES for number in numbers)
