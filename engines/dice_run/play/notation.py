"""Moves as short texts and back: `sprint b1 b2 g6`, `joker 4`, `reroll 3 swap`, `draw accident`.

Whether the move is legal is left to `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engines.base import RuleError
from engines.dice_run.play import moves
from engines.dice_run.play.moves import Move
from engines.dice_run.play.state import DiceRunState

_WRITERS: Mapping[type, Callable[[Any], str]] = {
    moves.Roll: lambda move: "roll " + " ".join(move.dice),
    moves.DealObjectives: lambda move: "objectives " + " ".join(move.cards),
    moves.DealHand: lambda move: "hand " + " ".join(move.cards),
    moves.Split: lambda move: "packs " + " ".join(map(str, move.sizes)),
    moves.StarterRoll: lambda move: "start " + " ".join([f"{before}>{after[1]}" for before, after in move.dice]),
    moves.Draw: lambda move: f"draw {move.card}",
    moves.Advance: lambda move: f"advance {move.card}",
    moves.Joker: lambda move: f"joker {move.feature}",
    moves.Swap: lambda move: f"swap {move.group} {move.group + 1}",
    moves.Sprint: lambda move: "sprint " + " ".join(move.dice),
    moves.Comeback: lambda _move: "comeback",
    moves.AboutFace: lambda move: f"about-face {move.group} {move.value}",
    moves.LayGap: lambda move: f"gap {move.group} {move.group + 1}",
    moves.Accident: lambda move: f"accident {move.die}",
    moves.PlayObjective: lambda move: f"objective {move.card} {'colour' if move.colour_first else 'value'}",
    moves.Reroll: lambda move: f"reroll {move.group} {move.card}",
    moves.Discard: lambda move: f"discard {move.card}",
    moves.Choose: lambda move: f"choose {move.card}",
}

_DIE = "[a-z][1-6]"
_DICE = f"{_DIE}(?: {_DIE})*"
_FEATURE = "[a-z1-6]"
_CARD = f"(?:{_FEATURE}|joker|swap|sprint|comeback|about-face|gap|accident)"
_NUMBER = "[1-9][0-9]?"


def _sorted(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(" ")))


def _throws(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((throw[:2], throw[0] + throw[3]) for throw in text.split(" ")))


def _pair(make: Callable[[int], Move]) -> Callable[[str, str], Move | None]:
    """Read two neighbouring groups; a move keeps the number of the first."""
    return lambda first, second: make(int(first)) if int(second) == int(first) + 1 else None


_READERS: Mapping[str, tuple[re.Pattern[str], Callable[..., Move | None]]] = {
    word: (re.compile(pattern), make)
    for word, pattern, make in (
        ("roll", f"({_DICE})", lambda dice: moves.Roll(_sorted(dice))),
        ("objectives", f"({_DICE})", lambda cards: moves.DealObjectives(_sorted(cards))),
        ("hand", f"({_CARD}(?: {_CARD})*)", lambda cards: moves.DealHand(_sorted(cards))),
        ("packs", f"({_NUMBER}(?: {_NUMBER})*)", lambda sizes: moves.Split(tuple(map(int, sizes.split(" "))))),
        ("start", f"({_DIE}>[1-6](?: {_DIE}>[1-6])*)", lambda dice: moves.StarterRoll(_throws(dice))),
        ("draw", f"({_CARD})", moves.Draw),
        ("advance", f"({_FEATURE})", moves.Advance),
        ("joker", f"({_FEATURE})", moves.Joker),
        ("swap", f"({_NUMBER}) ({_NUMBER})", _pair(moves.Swap)),
        ("sprint", f"({_DICE})", lambda dice: moves.Sprint(_sorted(dice))),
        ("comeback", "", moves.Comeback),
        ("about-face", f"({_NUMBER}) ([1-6])", lambda group, value: moves.AboutFace(int(group), int(value))),
        ("gap", f"({_NUMBER}) ({_NUMBER})", _pair(moves.LayGap)),
        ("accident", f"({_DIE})", moves.Accident),
        ("objective", f"({_DIE}) (colour|value)", lambda card, first: moves.PlayObjective(card, first == "colour")),
        ("reroll", f"({_NUMBER}) ({_CARD})", lambda group, card: moves.Reroll(int(group), card)),
        ("discard", f"({_CARD})", moves.Discard),
        ("choose", f"({_DIE})", moves.Choose),
    )
}


def write(move: Move) -> str:
    """Return a move as text."""
    return _WRITERS[type(move)](move)


def read(_state: DiceRunState, text: str) -> Move:
    """Return the move a text says, whether it is legal or not; RuleError if it says none."""
    word, _, rest = text.partition(" ")
    if word in _READERS:
        pattern, make = _READERS[word]
        match = pattern.fullmatch(rest)
        move = make(*match.groups()) if match else None
        if move is not None and (rest or word == text):
            return move
    raise RuleError("unreadable-move", text=text)
