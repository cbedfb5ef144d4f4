"""Moves as text and back.

roll 10r 5b 9g 8b 5r 6o W 2r 3r W    all ten dice fall; each die has its place, the six high ones first
keep 10r - 9g - - - W - - W          a dash is a die that goes back into the cup
roll - 10o - 9o 7r 8r - 4o 1o -      or one that was not thrown
score 47
pass
"""

from __future__ import annotations

import re

from engines.base import RuleError
from engines.ten_phases.moves import Keep, Move, Pass, Places, Roll, Score
from engines.ten_phases.pieces import ALL_DICE, FACES
from engines.ten_phases.state import State

ABSENT = "-"
_POINTS = re.compile("0|[1-9][0-9]{0,8}")
_PLACES = FACES | {ABSENT: None}


def write(move: Move) -> str:
    """Return a move as text."""
    match move:
        case Roll(dice):
            return "roll " + _write_places(dice)
        case Keep(dice):
            return "keep " + _write_places(dice)
        case Score(points):
            return f"score {points}"
        case Pass():
            return "pass"


def _write_places(dice: Places) -> str:
    return " ".join([face.text if face else ABSENT for face in dice])


def read(state: State, text: str) -> Move:  # noqa: ARG001 - a move of this game says all itself
    """Return the move a text says; RuleError if it says none."""
    kind, *words = text.split(" ")
    if kind == "pass" and not words:
        return Pass()
    if kind == "score" and len(words) == 1 and _POINTS.fullmatch(words[0]):
        return Score(int(words[0]))
    if kind in ("roll", "keep") and len(words) == ALL_DICE and all(word in _PLACES for word in words):
        dice = tuple([_PLACES[word] for word in words])
        return Roll(dice) if kind == "roll" else Keep(dice)
    raise RuleError("unreadable-move", text=text)
