"""Ways to pay a price: there may be millions, so they are described and counted, not listed.

Coins and cards pay exactly; only consolation tokens, which are spent whole, may pay more, and then nothing else is
added to them. Cards of one kind are alike, so a way says how many of each kind are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from engines.base import Rng, RuleError
from engines.dix.pieces import TOKEN_WORTH, VALUE, Card
from engines.dix.play.moves import Buy, Console, Pass, Pay, Payment

LANE = 96  # bits per coefficient: more selections than a deck of 129 cards has
_LOW = (1 << LANE) - 1


@lru_cache(maxsize=4096)
def _selections(copies: tuple[int, ...]) -> tuple[int, ...]:
    """Return for every tail of the kinds how many selections of 0, 1, 2, ... cards it has.

    Each is a generating polynomial packed into one integer, whose arithmetic is the fastest there is for it.
    """
    tail = 1
    tails = [tail]
    for count in reversed(copies):
        tail = sum([tail << LANE * taken for taken in range(count + 1)])
        tails.append(tail)
    tails.reverse()
    return tuple(tails)


@dataclass(frozen=True, slots=True)
class Purse:
    """What a player can pay with now; `cards` are in alphabetical order."""

    coins: int
    tokens: int
    cards: tuple[Card, ...]

    @property
    def means(self) -> int:
        """The highest price that can be paid."""
        return self.coins + TOKEN_WORTH * self.tokens + len(self.cards)

    def check(self, price: int, payment: Payment) -> None:
        """Raise RuleError unless the payment is one of the ways to pay the price."""
        if not 0 <= payment.coins <= self.coins:
            raise RuleError("not-enough-coins", coins=payment.coins, held=self.coins)
        if not 0 <= payment.tokens <= self.tokens:
            raise RuleError("not-enough-tokens", tokens=payment.tokens, held=self.tokens)
        for card in payment.cards:
            if payment.cards.count(card) > self.cards.count(card):
                raise RuleError("card-not-spendable", card=card)
        if payment.worth < price:
            raise RuleError("underpaid", paid=payment.worth, price=price)
        over = payment.worth - price
        if over and (payment.coins or payment.cards or over >= TOKEN_WORTH):
            raise RuleError("overpaid", paid=payment.worth, price=price)

    def can_pay(self, price: int, payment: Payment) -> bool:
        """Say whether the payment is one of the ways to pay the price."""
        try:
            self.check(price, payment)
        except RuleError:
            return False
        return payment.cards == tuple(sorted(payment.cards))

    def count(self, price: int) -> int:
        """Return how many ways there are to pay a price."""
        return sum([ways for _, _, ways in self._splits(price)])

    def every(self, price: int) -> Iterator[Payment]:
        """Yield all ways to pay a price."""
        kinds = self._kinds()
        for coins, tokens, _ in self._splits(price):
            for cards in _choose(kinds, max(0, price - coins - TOKEN_WORTH * tokens)):
                yield Payment(coins, tokens, cards)

    def gentle(self, price: int) -> Iterator[Payment]:
        """Yield all ways to pay a price, those with the fewest cards and then the fewest tokens first."""
        kinds = self._kinds()

        def given(coins: int, tokens: int) -> int:
            return max(0, price - coins - TOKEN_WORTH * tokens)

        for coins, tokens, ways in sorted(self._splits(price), key=lambda split: (given(*split[:2]), split[1])):
            if ways:
                for cards in _choose(kinds, given(coins, tokens)):
                    yield Payment(coins, tokens, cards)

    def pick(self, price: int, number: int) -> Payment:
        """Return one way to pay a price by its number from 0, in the order of `every`."""
        for coins, tokens, ways in self._splits(price):
            if number < ways:
                cards = self._picked(max(0, price - coins - TOKEN_WORTH * tokens), number)
                return Payment(coins, tokens, cards)
            number -= ways
        raise IndexError(number)

    def _kinds(self) -> list[tuple[Card, int]]:
        return [(card, len(list(group))) for card, group in groupby(self.cards)]

    def _splits(self, price: int) -> list[tuple[int, int, int]]:
        """Return coins, tokens and the number of selections of cards that pay the rest."""
        every = _selections(tuple([count for _, count in self._kinds()]))[0]
        found = []
        for tokens in range(min(self.tokens, price // TOKEN_WORTH) + 1):
            rest = price - TOKEN_WORTH * tokens
            found += [
                (coins, tokens, every >> LANE * (rest - coins) & _LOW)
                for coins in range(max(0, rest - len(self.cards)), min(self.coins, rest) + 1)
            ]
        if price % TOKEN_WORTH and self.tokens > price // TOKEN_WORTH:
            found.append((0, price // TOKEN_WORTH + 1, 1))
        return found

    def _picked(self, size: int, number: int) -> tuple[Card, ...]:
        kinds = self._kinds()
        tails = _selections(tuple([count for _, count in kinds]))
        cards: list[Card] = []
        for index, (card, count) in enumerate(kinds, 1):
            if not size:
                break
            for taken in range(min(count, size) + 1):
                ways = tails[index] >> LANE * (size - taken) & _LOW
                if number < ways:
                    cards += [card] * taken
                    size -= taken
                    break
                number -= ways
        return tuple(cards)


def _choose(kinds: list[tuple[Card, int]], size: int) -> Iterator[tuple[Card, ...]]:
    if not size:
        yield ()
    elif kinds:
        card, count = kinds[0]
        for taken in range(min(count, size) + 1):
            for rest in _choose(kinds[1:], size - taken):
                yield (card,) * taken + rest


@dataclass(frozen=True, slots=True)
class Payments:
    """The legal moves of the winner of an auction."""

    purse: Purse
    price: int

    @property
    def count(self) -> int:
        """How many there are."""
        return self.purse.count(self.price)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Pay) and self.purse.can_pay(self.price, move.payment)

    def __iter__(self) -> Iterator[Pay]:
        return map(Pay, self.purse.every(self.price))

    def sample(self, rng: Rng) -> Pay:
        """Return one of them, each as likely as the others."""
        return Pay(self.purse.pick(self.price, rng.randrange(self.count)))


@dataclass(frozen=True, slots=True)
class Purchases:
    """The legal moves of somebody who may buy one of the wares, or else pass (or take the consolation token)."""

    purse: Purse
    wares: tuple[Card, ...]
    otherwise: Pass | Console

    @property
    def count(self) -> int:
        """How many there are."""
        return 1 + sum(self._counts())

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Buy):
            return move.card in self.wares and self.purse.can_pay(VALUE[move.card], move.payment)
        return move == self.otherwise

    def __iter__(self) -> Iterator[Pass | Console | Buy]:
        yield self.otherwise
        for card in self.wares:
            for payment in self.purse.every(VALUE[card]):
                yield Buy(card, payment)

    def sample(self, rng: Rng) -> Pass | Console | Buy:
        """Return one of them, each as likely as the others."""
        counts = self._counts()
        number = rng.randrange(1 + sum(counts)) - 1
        for card, count in zip(self.wares, counts, strict=True):
            if 0 <= number < count:
                return Buy(card, self.purse.pick(VALUE[card], number))
            number -= count
        return self.otherwise

    def _counts(self) -> list[int]:
        by_price = {price: self.purse.count(price) for price in {VALUE[card] for card in self.wares}}
        return [by_price[VALUE[card]] for card in self.wares]
