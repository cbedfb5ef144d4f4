"""Moves of DIX as text and back.

`first 2`, `turn b7`, `draw`, `take numbers`, `take currency`, `bid 4`, `pass`, `pay 2c 1t b3`, `buy p5 2c g1` and
`token`. `2c` are two coins and `1t` is one consolation token; cards are written as in a report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engines.base import RuleError
from engines.dix.moves import (
    BIDS,
    CONSOLE,
    DRAW,
    PASS,
    TAKE_CURRENCY,
    TAKE_NUMBERS,
    TURNS,
    Bid,
    Buy,
    Console,
    Draw,
    First,
    Move,
    Pass,
    Pay,
    Payment,
    Take,
    Turn,
)
from engines.dix.pieces import NUMBER_CARDS

_WORDS: Mapping[str, Move] = {
    "draw": DRAW,
    "pass": PASS,
    "token": CONSOLE,
    "take numbers": TAKE_NUMBERS,
    "take currency": TAKE_CURRENCY,
}
_PAYMENT = re.compile("(?:([1-9][0-9]?)c ?)?(?:([1-9][0-9]?)t ?)?((?:[bgop][1-9] ?)*)")
_CARD = re.compile("[bgop][1-9]")
_NUMBER = re.compile("[1-9][0-9]{0,2}")


def write(move: Move) -> str:
    """Return a move as text."""
    return _WRITE[type(move)](move)


_WRITE: Mapping[type[Move], Callable[[Any], str]] = {
    First: lambda move: f"first {move.seat + 1}",
    Turn: lambda move: f"turn {move.card}",
    Draw: lambda _: "draw",
    Take: lambda move: f"take {move.reward}",
    Bid: lambda move: f"bid {move.amount}",
    Pass: lambda _: "pass",
    Pay: lambda move: f"pay {_write_payment(move.payment)}",
    Buy: lambda move: f"buy {move.card} {_write_payment(move.payment)}",
    Console: lambda _: "token",
}


def _write_payment(payment: Payment) -> str:
    coins = [f"{payment.coins}c"] if payment.coins else []
    tokens = [f"{payment.tokens}t"] if payment.tokens else []
    return " ".join([*coins, *tokens, *payment.cards])


def read(_: object, text: str) -> Move:
    """Return the move a text stands for; the position is not needed. RuleError("unreadable-move") if it is none."""
    move = _WORDS.get(text) or _read(*text.split(" ", 1)) if isinstance(text, str) else None
    if move is None:
        raise RuleError("unreadable-move", text=text)
    return move


def _read(verb: str, rest: str = "") -> Move | None:
    match verb:
        case "turn":
            return TURNS.get(rest)
        case "first" if _NUMBER.fullmatch(rest):
            return First(int(rest) - 1)
        case "bid" if _NUMBER.fullmatch(rest):
            return BIDS[int(rest)] if int(rest) < len(BIDS) else Bid(int(rest))
        case "pay":
            payment = _read_payment(rest)
            return Pay(payment) if payment else None
        case "buy" if rest[:2] in NUMBER_CARDS and rest[2:3] == " ":
            payment = _read_payment(rest[3:])
            return Buy(rest[:2], payment) if payment else None
    return None


def _read_payment(text: str) -> Payment | None:
    """Read a payment; only the form that `write` gives it is one."""
    found = _PAYMENT.fullmatch(text)
    if not text or not found:
        return None
    payment = Payment(int(found[1] or 0), int(found[2] or 0), tuple(sorted(_CARD.findall(found[3]))))
    return payment if _write_payment(payment) == text else None
