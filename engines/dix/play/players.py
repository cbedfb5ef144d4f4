"""Players of DIX for simulations: one that moves at random, and one that plays as people do.

The decent one measures everything in points: cards by the best arrangement of its hand and by what the hand promises,
coins by what they may still buy. It looks one card ahead and remembers which cards are out, as a careful player would.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from engines.base import Rng
from engines.dix.arranging import best, stock
from engines.dix.pieces import (
    COLOUR_JOKERS,
    DECK_SIZE,
    LETTERS,
    LIMIT,
    MOST_COINS,
    RUNS,
    SPECIAL,
    TOKEN_WORTH,
    VALUE,
    Card,
)
from engines.dix.play.moves import (
    BIDS,
    CONSOLE,
    DRAW,
    PASS,
    TAKE_CURRENCY,
    TAKE_NUMBERS,
    Buy,
    Move,
    Pay,
    Payment,
)
from engines.dix.play.rules import IS_JOKER, is_alix, legal
from engines.dix.play.state import IS_CURRENCY, DixState, Phase, Player, least_bid, purse, wares

COIN = 0.2
"""Points a coin is worth while there is time to spend it."""
LAST_COIN = 0.01
"""At the end money only breaks ties."""
HOPE = 0.8
"""How much of what a hand promises counts while there is time to keep it."""
GAP = 0.45
"""What a missing number takes from the promise of a run."""
GIFT = 0.3
"""How much of a coin given to each other player is felt as a loss."""
SPARE = 0.5
"""The worth of a second copy, in coins: it pays one, but only once."""


def random(state: DixState, rng: Rng) -> Move:
    """Choose any legal move, each as likely as the others."""
    return legal(state).sample(rng)


def decent(state: DixState, rng: Rng) -> Move:
    """Choose as a sensible person would."""
    if is_alix(state):
        return legal(state).sample(rng)
    if state.phase is Phase.CHOOSE:
        return _stop_or_draw(state)
    if state.phase is Phase.BID:
        return _bid(state, rng)
    if state.phase is Phase.PAY:
        return Pay(_cheapest(state, state.highest, _Scale.of(state))[1])
    return _purchase(state)


class _Scale(NamedTuple):
    """The worth of a coin and of a promise, in points, at this time of the game."""

    coin: float
    hope: float

    @classmethod
    def of(cls, state: DixState) -> _Scale:
        if state.phase is Phase.LAST:
            return cls(LAST_COIN, 0)
        left = len(state.deck) / DECK_SIZE[len(state.seats)]
        return cls(max(LAST_COIN, COIN * min(1, 4 * left)), HOPE * min(1, 2 * left))

    def worth(self, numbers: tuple[Card, ...], jokers: tuple[Card, ...]) -> float:
        points, promise = _measure(numbers, jokers)
        return points + self.hope * promise


@lru_cache(maxsize=1 << 14)
def _measure(numbers: tuple[Card, ...], jokers: tuple[Card, ...]) -> tuple[int, float]:
    hand = stock(numbers + jokers)
    return best(hand).points, sum([_promise(have) for have in hand.have])


@cache
def _promise(have: int) -> float:
    """Return what the numbers of a colour may grow into: the best run, with something off for each gap."""
    runs = [run.points - (1 + GAP) * (run.mask & ~have).bit_count() for run in RUNS]
    return max(0.0, *runs) + 0.1 * have.bit_count()


# Stopping


def _stop_or_draw(state: DixState) -> Move:
    scale, player = _Scale.of(state), state.players[state.active]
    money = state.money
    numbers = tuple(sorted(player.numbers + state.revealed))
    keep = scale.worth(numbers, player.jokers) - scale.worth(player.numbers, player.jokers)
    keep += scale.coin * (_spares(numbers) - _spares(player.numbers)) * SPARE
    gift = scale.coin * GIFT * (len(state.seats) - 1)
    cash = scale.coin * _room(player, money)
    stop = max(keep - gift * money, cash)
    if state.deck and _after_a_card(state, scale, player, numbers, keep) > stop:
        return DRAW
    return TAKE_NUMBERS if keep - gift * money >= cash else TAKE_CURRENCY


def _after_a_card(state: DixState, scale: _Scale, player: Player, numbers: tuple[Card, ...], keep: float) -> float:
    """Return what stopping after one more card would be worth on average; a bust is worth its token."""
    money, total = state.money, state.total
    token = scale.coin * TOKEN_WORTH
    gift = scale.coin * GIFT * (len(state.seats) - 1)
    have = stock(numbers).have
    summed = 0.0
    for card in state.deck:
        kept, coins = keep, money
        if card in IS_CURRENCY:
            coins += VALUE[card]
            if coins > LIMIT:
                summed += token
                continue
        elif card not in IS_JOKER:
            if total + VALUE[card] > LIMIT:
                summed += token - gift * money
                continue
            kept += _gain(have[LETTERS.index(card[0])], VALUE[card], scale)
        summed += max(kept - gift * coins, scale.coin * _room(player, coins))
    return summed / len(state.deck)


def _gain(have: int, number: int, scale: _Scale) -> float:
    """Return roughly what one more card of a colour is worth."""
    bit = 1 << number - 1
    if have & bit:
        return scale.coin * SPARE
    return (1 + scale.hope) * (_promise(have | bit) - _promise(have))


def _room(player: Player, coins: int) -> int:
    """Return how many of the coins would not be lost to the limit."""
    return min(MOST_COINS - player.coins, coins)


def _spares(numbers: Iterable[Card]) -> int:
    every = list(numbers)
    return len(every) - len(set(every))


# Auctions and purchases


def _bid(state: DixState, rng: Rng) -> Move:
    """Bid up to what the joker adds to the hand, without giving up cards that are in use."""
    scale, player = _Scale.of(state), state.players[state.speaker]
    jokers = tuple(sorted((*player.jokers, state.joker)))
    gain = scale.worth(player.numbers, jokers) - scale.worth(player.numbers, player.jokers)
    gain += scale.hope * (1.5 if state.joker == SPECIAL else 0.8 if state.joker in COLOUR_JOKERS else 0.3)
    liquid = player.coins + TOKEN_WORTH * player.tokens + _spares(player.numbers)
    least, most = least_bid(state), min(int(gain / scale.coin), liquid)
    if most < least:
        return PASS
    if state.speaker == state.active:
        return BIDS[least]
    return BIDS[least + int((most - least) * (0.4 + 0.4 * rng.random()))]


def _purchase(state: DixState) -> Move:
    """Buy the card that is worth most beyond its price, or none."""
    scale, player = _Scale.of(state), state.players[state.speaker]
    now = scale.worth(player.numbers, player.jokers)
    chosen: Move = CONSOLE if state.phase is Phase.BUST else PASS
    most = scale.coin * TOKEN_WORTH if state.phase is Phase.BUST else 0.0
    for card in wares(state):
        gain = scale.worth(tuple(sorted((*player.numbers, card))), player.jokers) - now
        if gain > most:
            cost, payment = _cheapest(state, VALUE[card], scale)
            if gain - cost > most:
                chosen, most = Buy(card, payment), gain - cost
    return chosen


def _cheapest(state: DixState, price: int, scale: _Scale) -> tuple[float, Payment]:
    """Return the cost in points of the payment that hurts least, and the payment."""
    player, own = state.players[state.speaker], purse(state, state.speaker)
    spares = [card for index, card in enumerate(player.numbers) if index and player.numbers[index - 1] == card]
    ones = [(scale.coin * SPARE, card) for card in spares] + [(scale.coin, "")] * own.coins
    if own.means - TOKEN_WORTH * own.tokens > len(ones):
        now = scale.worth(player.numbers, player.jokers)
        ones += [(now - scale.worth(_without(player.numbers, card), player.jokers), card) for card in set(own.cards)]
    ones.sort()
    ways = []
    for tokens in range(min(own.tokens, -(-price // TOKEN_WORTH)) + 1):
        rest = max(0, price - TOKEN_WORTH * tokens)
        if rest <= len(ones):
            given = ones[:rest]
            cost = scale.coin * TOKEN_WORTH * tokens + sum([each for each, _ in given])
            cards = sorted([card for _, card in given if card])
            ways.append((cost, tokens, rest - len(cards), tuple(cards)))
    cost, tokens, coins, cards_given = min(ways)
    return cost, Payment(coins, tokens, cards_given)


def _without(numbers: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    index = numbers.index(card)
    return numbers[:index] + numbers[index + 1 :]
