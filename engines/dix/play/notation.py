"""Moves of DIX as text and back; whether a move is legal is not asked here.

`first 2`, `turn b7`, `draw`, `take numbers`, `take currency`, `bid 4`, `pass`, `pay 2c 1t b3`, `buy p5 2c g1` and
`token`. `2c` are two coins and `1t` is one consolation token; cards are written as in a report. The parts of a
payment may stand in any order; they are written as above.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engines.base import RuleError
from engines.dix.pieces import NUMBER_CARDS, Card
from engines.dix.play.moves import (
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

_WORDS: Mapping[str, Move] = {
    "draw": DRAW,
    "pass": PASS,
    "token": CONSOLE,
    "take numbers": TAKE_NUMBERS,
    "take currency": TAKE_CURRENCY,
}
_AMOUNT = re.compile("([1-9][0-9]?)([ct])")
IS_NUMBER_CARD = frozenset(NUMBER_CARDS)
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
        case "buy" if rest[:2] in IS_NUMBER_CARD and rest[2:3] == " ":
            payment = _read_payment(rest[3:])
            return Buy(rest[:2], payment) if payment else None
    return None


def _read_payment(text: str) -> Payment | None:
    """Read the parts of a payment in any order; coins and tokens are each named once at most."""
    amounts: dict[str, int] = {}
    cards: list[Card] = []
    for part in text.split(" "):
        amount = _AMOUNT.fullmatch(part)
        if part in IS_NUMBER_CARD:
            cards.append(part)
        elif amount and amount[2] not in amounts:
            amounts[amount[2]] = int(amount[1])
        else:
            return None
    return Payment(amounts.get("c", 0), amounts.get("t", 0), tuple(sorted(cards)))
