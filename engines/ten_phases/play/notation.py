"""Moves as text and back: `roll`, `keep`, `score 44`, `pass`. Whether a move is legal is left to `rules`.

`roll` and `keep` list the ten dice by their places, the six high ones first, with a dash for a die that was not thrown
or is not kept: `roll 10r 6g 9g 8r 5r 5o Wb 2r 3r Wo`, `keep 10r - 9g 8r - - Wb - - Wo`,
`roll - 7r - - 7r 6o - 4o 1o -`.
"""

from __future__ import annotations

import re

from engines.base import RuleError
from engines.ten_phases.pieces import ALL_DICE, FACES
from engines.ten_phases.play.moves import Keep, Move, Pass, Places, Roll, Score
from engines.ten_phases.play.state import TenPhasesState

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


def read(state: TenPhasesState, text: str) -> Move:  # noqa: ARG001 - a move of this game says all itself
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
