"""Moves as text and back: `ages 2 1 3`, `first 4 6 2`, `take g`, `roll 5`, `put r3`. Seats are counted from 1.

Whether a move is legal is left to `rules`.
"""

from __future__ import annotations

import re

from engines.base import RuleError
from engines.sixmix.play.moves import Ages, FirstThrow, Move, Pick, Put, Roll
from engines.sixmix.play.state import SixmixState

NUMBERS = re.compile(r"(ages|first)((?: [0-9]){2,5})")
TAKE = re.compile(r"take ([a-z])")
ROLL = re.compile(r"roll ([0-9])")
PUT = re.compile(r"put ([a-z])([0-9])")


def write(move: Move) -> str:
    """Return a move as text."""
    match move:
        case Put(row, square):
            return f"put {row}{square}"
        case Roll(number):
            return f"roll {number}"
        case Pick(colour):
            return f"take {colour}"
        case FirstThrow(numbers):
            return " ".join(["first", *map(str, numbers)])
        case Ages(order):
            return " ".join(["ages", *(str(seat + 1) for seat in order)])


def read(_state: SixmixState, text: str) -> Move:
    """Return the move that a text stands for, legal or not; it is the same in every state."""
    if found := PUT.fullmatch(text):
        return Put(found[1], int(found[2]))
    if found := ROLL.fullmatch(text):
        return Roll(int(found[1]))
    if found := TAKE.fullmatch(text):
        return Pick(found[1])
    if found := NUMBERS.fullmatch(text):
        numbers = tuple(map(int, found[2].split()))
        return FirstThrow(numbers) if found[1] == "first" else Ages(tuple(number - 1 for number in numbers))
    raise RuleError("unreadable-move", text=text)
