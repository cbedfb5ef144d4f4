"""The state of a game of DIX, how it is set up, and what can be worked out from it.

Which moves there are and how they change it is said in `engines.dix.play.rules`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

from engines.base import RuleError
from engines.dix.pieces import (
    ALIX,
    COINS_AT_START,
    CURRENCY,
    DECK_SIZE,
    DIFFICULTIES,
    MOST_COINS,
    SPECIAL,
    VALUE,
    Card,
    deck,
)
from engines.dix.play.moves import TURNS, Payment
from engines.dix.play.payment import Purse
from engines.dix.report import VARIANTS

LEAST_BID = {"standard": 1, "bust-buy": 1, "solo": 5}
IS_CURRENCY = frozenset(CURRENCY)


class Phase(Enum):
    """What happens next."""

    FIRST = auto()
    """Chance decides who begins."""
    TURN = auto()
    """Chance turns up a card."""
    CHOOSE = auto()
    """The active player draws again or stops."""
    BID = auto()
    PAY = auto()
    BUY = auto()
    """The active player may buy after taking the numbers."""
    BUST = auto()
    """The active player takes the consolation token or buys instead."""
    LAST = auto()
    """Everyone may buy once more."""
    OVER = auto()


class Player(NamedTuple):
    """What lies in front of a player; cards in alphabetical order."""

    coins: int = COINS_AT_START
    tokens: int = 0
    numbers: tuple[Card, ...] = ()
    jokers: tuple[Card, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards held."""
        return self.numbers + self.jokers

    def gaining(self, coins: int) -> Player:
        """Return the player with more coins; what exceeds the limit is lost."""
        return self._replace(coins=min(MOST_COINS, self.coins + coins)) if coins else self

    def taking(self, numbers: Sequence[Card]) -> Player:
        """Return the player with more number cards."""
        return self._replace(numbers=tuple(sorted([*self.numbers, *numbers]))) if numbers else self

    def paying(self, payment: Payment) -> Player:
        """Return the player without what was paid."""
        numbers = list(self.numbers)
        for card in payment.cards:
            numbers.remove(card)
        return Player(self.coins - payment.coins, self.tokens - payment.tokens, tuple(numbers), self.jokers)


class DixState(NamedTuple):
    """What lies on the table and what happens next.

    `speaker` is the seat that moves where it is not chance; `highest` and `bidder` belong to the auction. The number
    cards of a bust tableau are already in the market while its currency still lies there.
    """

    variant: str
    seats: tuple[str, ...]
    difficulty: int
    can_buy_when_bust: bool
    deck: tuple[Card, ...]
    phase: Phase
    players: tuple[Player, ...]
    active: int = 0
    speaker: int = 0
    starter: int = 0
    turns: int = 0
    tableau: tuple[Card, ...] = ()
    market: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    joker: Card = ""
    highest: int = 0
    bidder: int | None = None

    @property
    def money(self) -> int:
        """The sum of the currency cards in the tableau."""
        return sum([VALUE[card] for card in self.tableau if card in IS_CURRENCY])

    @property
    def total(self) -> int:
        """The number cards of the tableau less its currency cards; it may be negative."""
        return sum([-VALUE[card] if card in IS_CURRENCY else VALUE[card] for card in self.tableau])

    @property
    def revealed(self) -> tuple[Card, ...]:
        """The number cards of the tableau."""
        return tuple([card for card in self.tableau if card not in IS_CURRENCY])

    @property
    def is_solo(self) -> bool:
        """Whether the second seat is ALIX."""
        return self.variant == "solo"


def start(variant: str, seats: Sequence[str], options: Mapping[str, Any]) -> DixState:
    """Set up a game.

    Options: `deck`, copies by card (default: that of the number of seats); in solo `difficulty` (default: 4) and
    `bust_buy`, whether the player may buy when bust, as everybody may in the variant `bust-buy` (default: false).
    """
    shape = next((each for each in VARIANTS if each.slug == variant), None)
    if shape is None:
        raise RuleError("unknown-variant", variant=variant)
    if not shape.seats_min <= len(seats) <= shape.seats_max:
        raise RuleError("seat-count", count=len(seats), low=shape.seats_min, high=shape.seats_max)
    is_solo = variant == "solo"
    if is_solo and seats[1] != ALIX:
        raise RuleError("alix-seat", label=seats[1])
    for name in options:
        if name not in (("deck", "difficulty", "bust_buy") if is_solo else ("deck",)):
            raise RuleError("unknown-option", option=name)
    difficulty = options.get("difficulty", DIFFICULTIES[0]) if is_solo else 0
    if is_solo and (type(difficulty) is not int or difficulty not in DIFFICULTIES):
        raise RuleError("bad-option", option="difficulty", value=difficulty)
    bust_buy = options.get("bust_buy", variant == "bust-buy")
    if type(bust_buy) is not bool:
        raise RuleError("bad-option", option="bust_buy", value=bust_buy)
    cards = _cards_of(options["deck"], len(seats)) if "deck" in options else deck(len(seats))
    return DixState(
        variant=variant,
        seats=tuple(seats),
        difficulty=difficulty,
        can_buy_when_bust=bust_buy,
        deck=tuple(sorted(cards.elements())),
        phase=Phase.TURN if is_solo else Phase.FIRST,
        players=(Player(),) * len(seats),
    )


def _cards_of(copies: Any, seats: int) -> Counter[Card]:
    """Read the option `deck`: at least one card, no more than the rulebook's number, one special joker at most."""
    if not isinstance(copies, Mapping):
        raise RuleError("bad-deck", size=DECK_SIZE[seats])
    for card, count in copies.items():
        is_card = card in TURNS and type(count) is int and count >= 0
        if not is_card or (card == SPECIAL and count > 1):
            raise RuleError("bad-deck", size=DECK_SIZE[seats])
    cards = Counter(copies)
    if not 0 < cards.total() <= DECK_SIZE[seats]:
        raise RuleError("bad-deck", size=DECK_SIZE[seats])
    return cards


def purse(state: DixState, seat: int) -> Purse:
    """Return what a seat can pay with now: in solo auctions only with copies beyond the first of a card."""
    player = state.players[seat]
    numbers = player.numbers
    if state.is_solo and state.phase in (Phase.BID, Phase.PAY):
        numbers = tuple([card for index, card in enumerate(numbers) if index and numbers[index - 1] == card])
    return Purse(player.coins, player.tokens, numbers)


def wares(state: DixState) -> tuple[Card, ...]:
    """Return the cards of the market that the speaker may and can buy."""
    player = state.players[state.speaker]
    most = purse(state, state.speaker).means
    return tuple([card for card in dict.fromkeys(state.market) if VALUE[card] <= most and card not in player.numbers])


def least_bid(state: DixState) -> int:
    """Return the lowest bid that is possible now."""
    return max(LEAST_BID[state.variant], state.highest + 1)
