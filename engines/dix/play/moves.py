"""The moves of a game of DIX, those of chance included. When they are legal is said in `engines.dix.play.rules`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engines.dix.pieces import BOX, MOST_COINS, TOKEN_WORTH, Card


class Reward(StrEnum):
    """What a player who stops takes from the tableau."""

    NUMBERS = "numbers"
    CURRENCY = "currency"


@dataclass(frozen=True, slots=True)
class Payment:
    """Coins, consolation tokens and own number cards (in alphabetical order) that are given up together."""

    coins: int
    tokens: int
    cards: tuple[Card, ...] = ()

    @property
    def worth(self) -> int:
        """What it pays, a token counted in full."""
        return self.coins + TOKEN_WORTH * self.tokens + len(self.cards)


@dataclass(frozen=True, slots=True)
class First:
    """Chance: the seat (its index) that begins."""

    seat: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Chance: the card turned up from the deck."""

    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """Ask for another card."""


@dataclass(frozen=True, slots=True)
class Take:
    """Stop and take a reward."""

    reward: Reward


@dataclass(frozen=True, slots=True)
class Bid:
    """Offer an amount for the joker."""

    amount: int


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay for the joker that was won."""

    payment: Payment


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a card of the market."""

    card: Card
    payment: Payment


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid or buy nothing."""


@dataclass(frozen=True, slots=True)
class Console:
    """Take the consolation token for a bust, where one could buy instead."""


Move: TypeAlias = First | Turn | Draw | Take | Bid | Pay | Buy | Pass | Console

DRAW, PASS, CONSOLE = Draw(), Pass(), Console()
TAKE_NUMBERS, TAKE_CURRENCY = Take(Reward.NUMBERS), Take(Reward.CURRENCY)
TURNS = {card: Turn(card) for card in BOX}
MOST_MEANS = MOST_COINS + (TOKEN_WORTH + 1) * sum(BOX.values())  # more than anybody can ever bid
BIDS = tuple(Bid(amount) for amount in range(MOST_MEANS))
