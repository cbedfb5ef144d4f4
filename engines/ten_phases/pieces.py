"""The pieces of 10 Phases: faces, dice and the ten combinations. Knows no scores, players or turns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from engines.base import Words

JOKER = "W"
COLOURS = "rbog"
LOW_NUMBERS = (1, 2, 3, 4)
HIGH_NUMBERS = (5, 6, 7, 8, 9, 10)
NUMBERS = LOW_NUMBERS + HIGH_NUMBERS
HIGH_DICE = 6
LOW_DICE = 4
ALL_DICE = HIGH_DICE + LOW_DICE
THROWS = 3

DICE_TEXT = r"(10|[1-9]|W)[rbog]?( (10|[1-9]|W)[rbog]?)*"
_DICE_TEXT = re.compile(DICE_TEXT)


class Face(NamedTuple):
    """One side of a die: a joker has the number 0, an unwritten colour is empty."""

    number: int
    colour: str
    text: str

    def is_of(self, colour: str) -> bool:
        """Whether it has a colour; an unwritten one is taken on trust. The face of a joker has one too."""
        return self.colour in ("", colour)


def _face(number: int, colour: str) -> Face:
    return Face(number, colour, f"{number or JOKER}{colour}")


FACES = {face.text: face for face in (_face(n, colour) for n, colour in product((0, *NUMBERS), ("", *COLOURS)))}
"""Every face as it is written."""


def read_dice(text: str) -> tuple[Face, ...]:
    """Return the faces of a dice text such as `10r 9 W`; ValueError if it is none."""
    if _DICE_TEXT.fullmatch(text) is None:
        raise ValueError(text)
    return tuple([FACES[token] for token in text.split(" ")])


def write_dice(faces: Iterable[Face]) -> str:
    """Return the dice text of the faces, in their order."""
    return " ".join([face.text for face in faces])


Die: TypeAlias = tuple[Face, ...]
Box: TypeAlias = tuple[Die, ...]
"""The ten dice, the high ones first."""

DEFAULT_LAYOUT = "obogrr bgrrbo gorogb bgbrog rbrbgo oogrbg rbogrb brgoog ogrbgr gobrbo"
"""Per die the colours of its numbers in ascending order, then those of its two jokers. The real ones are not known."""
_LAYOUT = re.compile(f"[{COLOURS}]{{6}}( [{COLOURS}]{{6}}){{{ALL_DICE - 1}}}")


@lru_cache(maxsize=64)
def box_of(layout: str) -> Box:
    """Return the dice of a layout; ValueError if the text is none."""
    if _LAYOUT.fullmatch(layout) is None:
        raise ValueError(layout)
    dice = layout.split(" ")
    high = [_die(HIGH_NUMBERS, colours) for colours in dice[:HIGH_DICE]]
    low = [_die((*LOW_NUMBERS, JOKER, JOKER), colours) for colours in dice[HIGH_DICE:]]
    return (*high, *low)


def _die(faces: Iterable[int | str], colours: str) -> Die:
    return tuple([FACES[f"{face}{colour}"] for face, colour in zip(faces, colours, strict=True)])


Target: TypeAlias = tuple[tuple[int, int], ...]
"""How many dice of which numbers a phase wants: three tens and 7 8 9 10 are `((7, 1), (8, 1), (9, 1), (10, 4))`."""


@dataclass(frozen=True, eq=False)
class Phase:
    """One of the ten combinations: groups of equal numbers and a run, or dice of one colour."""

    name: Words
    groups: tuple[int, ...] = ()
    run: int = 0
    same_colour: int = 0

    @cached_property
    def size(self) -> int:
        """How many dice it needs."""
        return sum(self.groups) + self.run + self.same_colour

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Every way to fill it with numbers, each once; none for a phase of one colour."""
        if self.same_colour:
            return ()
        runs = [range(first, first + self.run) for first in range(1, len(NUMBERS) + 2 - self.run)]
        wanted = {
            _target([*_grouped(self.groups, numbers), *run])
            for numbers in product(NUMBERS, repeat=len(self.groups))
            for run in runs
        }
        return tuple(sorted(wanted, reverse=True))


def _grouped(sizes: Iterable[int], numbers: Iterable[int]) -> list[int]:
    return [each for size, number in zip(sizes, numbers, strict=True) for each in [number] * size]


def _target(numbers: list[int]) -> Target:
    return tuple((number, numbers.count(number)) for number in sorted(set(numbers)))


PHASES = (
    Phase(Words("two groups of three", "deux brelans"), groups=(3, 3)),
    Phase(Words("three of a kind and a run of four", "un brelan et une suite de quatre"), groups=(3,), run=4),
    Phase(Words("four of a kind and a run of four", "un carré et une suite de quatre"), groups=(4,), run=4),
    Phase(Words("a run of seven", "une suite de sept"), run=7),
    Phase(Words("a run of eight", "une suite de huit"), run=8),
    Phase(Words("a run of nine", "une suite de neuf"), run=9),
    Phase(Words("two groups of four", "deux carrés"), groups=(4, 4)),
    Phase(Words("seven dice of one colour", "sept dés d’une même couleur"), same_colour=7),
    Phase(Words("five of a kind and a pair", "cinq dés identiques et une paire"), groups=(5, 2)),
    Phase(Words("five of a kind and three of a kind", "cinq dés identiques et un brelan"), groups=(5, 3)),
)
