"""The moves of 10 Phases and the sets of them that are possible at a time. What they do is in `rules`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from engines.base import Rng
from engines.ten_phases.pieces import Box, Face

Places: TypeAlias = tuple[Face | None, ...]
"""The ten dice, each in its own place: the face that is up, or None where the move leaves the die out."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: the dice in the cup fall. None where a die lies already."""

    dice: Places


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave these dice and put the others, None here, into the cup."""

    dice: Places


@dataclass(frozen=True, slots=True)
class Score:
    """Write down points for the phase."""

    points: int


@dataclass(frozen=True, slots=True)
class Pass:
    """End the attempt without writing anything, whether the dice would make the phase or not."""


Choice: TypeAlias = Keep | Score | Pass
Move: TypeAlias = Roll | Choice


@dataclass(frozen=True, slots=True)
class Falls:
    """Every way the dice in the cup can fall; equal faces of a die, such as two jokers of one colour, are one."""

    box: Box
    lying: Places

    @property
    def count(self) -> int:
        """How many there are."""
        return prod(map(len, self._faces()))

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Roll)
            and len(move.dice) == len(self.box)
            and all(face in faces for face, faces in zip(move.dice, self._faces(), strict=True))
        )

    def __iter__(self) -> Iterator[Roll]:
        return map(Roll, product(*self._faces()))

    def sample(self, rng: Rng) -> Roll:
        """Return one of them, each as likely as the others (a real die shows equal faces more often)."""
        return Roll(tuple([faces[int(rng.random() * len(faces))] for faces in self._faces()]))

    def _faces(self) -> list[tuple[Face | None, ...]]:
        return [
            tuple(dict.fromkeys(die)) if face is None else (None,)
            for die, face in zip(self.box, self.lying, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be done with dice on the table: keep any but all of them, write any possible points, pass."""

    dice: Places
    can_throw: bool
    points: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return self._keeps + len(self.points) + 1

    @property
    def _keeps(self) -> int:
        return (1 << len(self.dice)) - 1 if self.can_throw else 0

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Keep):
            return self.can_throw and is_part(move.dice, self.dice) and None in move.dice
        return isinstance(move, Pass) or (isinstance(move, Score) and move.points in self.points)

    def __iter__(self) -> Iterator[Choice]:
        yield from map(Score, self.points)
        yield Pass()
        yield from map(self._keep, range(self._keeps))

    def sample(self, rng: Rng) -> Choice:
        """Return one of them, each as likely as the others."""
        chosen = int(rng.random() * self.count)
        if chosen < self._keeps:
            return self._keep(chosen)
        chosen -= self._keeps
        return Score(self.points[chosen]) if chosen < len(self.points) else Pass()

    def _keep(self, bits: int) -> Keep:
        return Keep(tuple([face if bits >> place & 1 else None for place, face in enumerate(self.dice)]))


def is_part(part: Places, dice: Places) -> bool:
    """Whether dice are some of the others, each in its place."""
    return len(part) == len(dice) and all(face is None or face == dice[place] for place, face in enumerate(part))
