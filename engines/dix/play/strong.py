"""The strong player of DIX, and the reasons it gives as advice. It knows what lies open and which cards are out.

It measures in points, as the decent player does, and sees more: which of the cards that a run lacks can come at all,
how much of a gift the others can keep, and, since all hands lie open, up to what the others would bid. ALIX bids by
rules, so it knows what she will do.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from engines.base import Rng, Words, tenths
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
from engines.dix.play.alix import SEAT
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
from engines.play import Thought

COIN = {2: 0.3}
"""Points a coin is worth while there is time to spend it, by the number of seats."""
USUAL_COIN = 0.2
"""Where more play, coins come more often: everybody gains what others leave."""
LAST_COIN = 0.01
"""At the end money only breaks ties."""
HOPE = 0.8
"""How much of what a hand promises counts while there is time to keep it."""
GAPS = (0.95, 0.6, 0.4, 0.35)
"""What a missing number takes from the promise of a run, by the copies that can still come."""
GIFT = 0.3
"""How much of a coin given to another player is felt as a loss."""
SPARE = 0.5
"""The worth of a second copy, in coins: it pays one, but only once."""
SHADE = (1.0, 0.6)
"""How far towards what a joker is worth to go at most, when one or when several can still go beyond."""
ALMOST = 1e-9


def think(state: DixState, rng: Rng) -> Thought:
    """Choose a move, and say why."""
    if is_alix(state):
        return Thought(legal(state).sample(rng), Words("ALIX has no choice.", "ALIX n’a pas le choix."))
    mind = _Mind.of(state)
    if state.phase is Phase.CHOOSE:
        return mind.stop_or_draw()
    if state.phase is Phase.BID:
        return mind.bid()
    if state.phase is Phase.PAY:
        return mind.pay()
    return mind.purchase()


def strong(state: DixState, rng: Rng) -> Move:
    """Choose as `think` does."""
    move: Move = think(state, rng).move
    return move


Supply = tuple[int, ...]
"""Per colour and number, how many copies can still come: in the deck or in the market; no more than three count."""


@lru_cache(maxsize=1 << 16)
def _promise(have: int, supply: Supply) -> float:
    """Return what the numbers of a colour may grow into: the best run, with something off for each gap."""
    costs = [0.0 if have >> place & 1 else 1 + GAPS[min(count, 3)] for place, count in enumerate(supply)]
    most = 0.0
    for run in RUNS:
        most = max(most, run.points - sum(costs[run.first - 1 : run.last]))
    return most + 0.1 * have.bit_count()


@lru_cache(maxsize=1 << 14)
def _points(numbers: tuple[Card, ...], jokers: tuple[Card, ...]) -> int:
    return best(stock(numbers + jokers)).points


@lru_cache(maxsize=1 << 8)
def _supplies(deck: tuple[Card, ...], market: tuple[Card, ...]) -> tuple[Supply, ...]:
    left = Counter(deck + market)
    return tuple([tuple([min(3, left[f"{letter}{number}"]) for number in range(1, 10)]) for letter in LETTERS])


class _Mind(NamedTuple):
    """How a moment of the game looks to the one who moves."""

    state: DixState
    coin: float
    hope: float
    supplies: tuple[Supply, ...]

    @classmethod
    def of(cls, state: DixState) -> _Mind:
        if state.phase is Phase.LAST:
            return cls(state, LAST_COIN, 0, _supplies((), ()))
        left = len(state.deck) / DECK_SIZE[len(state.seats)]
        supplies = _supplies(state.deck, state.market)
        coin = COIN.get(len(state.seats), USUAL_COIN)
        return cls(state, max(LAST_COIN, coin * min(1, 4 * left)), HOPE * min(1, 2 * left), supplies)

    @property
    def player(self) -> Player:
        return self.state.players[self.state.speaker]

    def worth(self, numbers: tuple[Card, ...], jokers: tuple[Card, ...]) -> float:
        points = _points(numbers, jokers)
        if not self.hope:
            return points
        have = stock(numbers).have
        return points + self.hope * sum(map(_promise, have, self.supplies))

    def gain(self, player: Player, *cards: Card) -> float:
        """Return what number cards add to a hand."""
        numbers = tuple(sorted(player.numbers + cards))
        added = self.worth(numbers, player.jokers) - self.worth(player.numbers, player.jokers)
        return added + self.coin * SPARE * (_spares(numbers) - _spares(player.numbers))

    def gift(self, money: int) -> float:
        """Return what it costs that every other player gains money."""
        active = self.state.active
        kept = [_room(each, money) for seat, each in enumerate(self.state.players) if seat != active]
        return self.coin * GIFT * sum(kept)

    # Stopping

    def stop_or_draw(self) -> Thought:
        state, player = self.state, self.player
        keep = self.gain(player, *state.revealed)
        numbers = keep - self.gift(state.money)
        cash = self.coin * _room(player, state.money)
        further = self.after_a_card(keep) if state.deck else float("-inf")
        facts = {"numbers": tenths(numbers), "money": tenths(cash), "further": tenths(further)}
        if further > max(numbers, cash):
            return Thought(DRAW, GO_ON.filled(**facts))
        return (
            Thought(TAKE_NUMBERS, THE_NUMBERS.filled(**facts))
            if numbers >= cash
            else Thought(TAKE_CURRENCY, THE_MONEY.filled(**facts))
        )

    def after_a_card(self, keep: float) -> float:
        """Return what stopping after one more card would be worth on average; a bust is worth its token."""
        state, player = self.state, self.player
        token = self.coin * TOKEN_WORTH
        have = stock(player.numbers + state.revealed).have
        summed = 0.0
        for card, copies in Counter(state.deck).items():
            kept, coins = keep, state.money
            if card in IS_CURRENCY:
                coins += VALUE[card]
                if coins > LIMIT:
                    summed += copies * token
                    continue
            elif card not in IS_JOKER:
                if state.total + VALUE[card] > LIMIT:
                    summed += copies * (token - self.gift(coins))
                    continue
                colour = LETTERS.index(card[0])
                kept += self.rough_gain(have[colour], 1 << VALUE[card] - 1, colour)
            summed += copies * max(kept - self.gift(coins), self.coin * _room(player, coins))
        return summed / len(state.deck)

    def rough_gain(self, have: int, bit: int, colour: int) -> float:
        """Return roughly what one more card of a colour is worth."""
        if have & bit:
            return self.coin * SPARE
        supply = self.supplies[colour]
        return (1 + self.hope) * (_promise(have | bit, supply) - _promise(have, supply))

    # Auctions and purchases

    def limit(self, seat: int) -> tuple[float, int]:
        """Return what the joker adds to a seat's hand and up to what it would bid for it."""
        state, player = self.state, self.state.players[seat]
        jokers = tuple(sorted((*player.jokers, state.joker)))
        gain = self.worth(player.numbers, jokers) - self.worth(player.numbers, player.jokers)
        gain += self.hope * (1.5 if state.joker == SPECIAL else 0.8 if state.joker in COLOUR_JOKERS else 0.3)
        liquid = player.coins + TOKEN_WORTH * player.tokens + _spares(player.numbers)
        return gain, min(int(gain / self.coin + ALMOST), liquid, purse(state, seat).means)

    def bid(self) -> Thought:
        state, least = self.state, least_bid(self.state)
        gain, most = self.limit(state.speaker)
        if state.is_solo:
            return self.bid_against_alix(gain, most)
        if most < least:
            return Thought(PASS, TOO_DEAR.filled(gain=tenths(gain), least=least))
        seats, seat, after = len(state.seats), state.speaker, []
        while seat != state.active:
            seat = (seat + 1) % seats
            after.append(self.limit(seat)[1])
        top = max(after, default=0)
        if most >= top:  # just enough that nobody goes beyond
            amount = max(least, min(top, least + int(SHADE[len(after) > 1] * (most - least))))
            return Thought(BIDS[amount], OUTBID.filled(gain=tenths(gain), top=top))
        return Thought(BIDS[least + (most - least) // 2], RAISE.filled(gain=tenths(gain), top=top))

    def bid_against_alix(self, gain: float, most: int) -> Thought:
        """Bid what ALIX cannot top, or let her pay as much as possible."""
        state, least = self.state, least_bid(self.state)
        hers, means = purse(state, SEAT).means, purse(state, state.speaker).means
        facts = {"gain": tenths(gain), "hers": hers, "least": least}
        if state.speaker == state.active:  # she has spoken
            if most >= least:
                return Thought(BIDS[least], ALIX_SPOKE.filled(**facts))
            return Thought(PASS, TOO_DEAR.filled(**facts))
        if most >= max(least, hers):
            return Thought(BIDS[max(least, hers)], ALIX_TOPPED.filled(**facts))
        if least <= (amount := min(hers - 1, means)):
            return Thought(BIDS[amount], ALIX_PAYS.filled(**facts))
        return Thought(PASS, TOO_DEAR.filled(**facts))

    def pay(self) -> Thought:
        cost, payment = self.cheapest(self.state.highest)
        return Thought(Pay(payment), CHEAPEST.filled(cost=tenths(cost)))

    def purchase(self) -> Thought:
        player, is_bust = self.player, self.state.phase is Phase.BUST
        now = self.worth(player.numbers, player.jokers)
        most = self.coin * TOKEN_WORTH if is_bust else 0.0
        thought = Thought(CONSOLE, THE_TOKEN) if is_bust else Thought(PASS, NOTHING_PAYS)
        for card in wares(self.state):
            gain = self.worth(tuple(sorted((*player.numbers, card))), player.jokers) - now
            if gain > most:
                cost, payment = self.cheapest(VALUE[card])
                if gain - cost > most:
                    most = gain - cost
                    thought = Thought(Buy(card, payment), BARGAIN.filled(gain=tenths(gain), cost=tenths(cost)))
        return thought

    def cheapest(self, price: int) -> tuple[float, Payment]:
        """Return the cost in points of the payment that hurts least, and the payment."""
        player, own = self.player, purse(self.state, self.state.speaker)
        spares = [card for index, card in enumerate(player.numbers) if index and player.numbers[index - 1] == card]
        ones = [(self.coin * SPARE, card) for card in spares] + [(self.coin, "")] * own.coins
        now = self.worth(player.numbers, player.jokers)
        left = Counter(own.cards) - Counter(spares)
        ones += [(now - self.worth(_without(player.numbers, card), player.jokers), card) for card in left]
        ones.sort()
        ways = []
        for tokens in range(min(own.tokens, -(-price // TOKEN_WORTH)) + 1):
            rest = max(0, price - TOKEN_WORTH * tokens)
            if rest <= len(ones):
                given = ones[:rest]
                cost = self.coin * TOKEN_WORTH * tokens + sum([each for each, _ in given])
                cards = sorted([card for _, card in given if card])
                ways.append((cost, tokens, rest - len(cards), tuple(cards)))
        cost, tokens, coins, cards_given = min(ways)
        return cost, Payment(coins, tokens, cards_given)


def _room(player: Player, coins: int) -> int:
    """Return how many of the coins would not be lost to the limit."""
    return min(MOST_COINS - player.coins, coins)


def _spares(numbers: tuple[Card, ...]) -> int:
    return len(numbers) - len(set(numbers))


def _without(numbers: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    index = numbers.index(card)
    return numbers[:index] + numbers[index + 1 :]


GO_ON = Words(
    "Going on is worth about {further} points, the numbers {numbers}, the money {money}.",
    "Continuer vaut environ {further} points, les nombres {numbers}, la monnaie {money}.",
)
THE_NUMBERS = Words(
    "The numbers are worth about {numbers} points, the money {money}, going on {further}.",
    "Les nombres valent environ {numbers} points, la monnaie {money}, continuer {further}.",
)
THE_MONEY = Words(
    "The money is worth about {money} points, the numbers {numbers}, going on {further}.",
    "La monnaie vaut environ {money} points, les nombres {numbers}, continuer {further}.",
)
TOO_DEAR = Words(
    "The joker adds about {gain} points, too little for {least} coins.",
    "Le joker apporte environ {gain} points, trop peu pour {least} jetons.",
)
OUTBID = Words(
    "The joker adds about {gain} points, and nobody after you should go beyond {top}.",
    "Le joker apporte environ {gain} points, et personne après vous ne devrait dépasser {top}.",
)
RAISE = Words(
    "The joker adds about {gain} points; somebody may go up to {top}, and shall pay for it.",
    "Le joker apporte environ {gain} points ; quelqu’un peut aller jusqu’à {top}, et le paiera.",
)
ALIX_SPOKE = Words(
    "The joker adds about {gain} points, more than {least} coins are worth.",
    "Le joker apporte environ {gain} points, plus que n’en valent {least} jetons.",
)
ALIX_TOPPED = Words(
    "The joker adds about {gain} points, and ALIX cannot pay more than {hers}.",
    "Le joker apporte environ {gain} points, et ALIX ne peut pas payer plus de {hers}.",
)
ALIX_PAYS = Words(
    "ALIX can pay {hers} and will bid one more: so she spends all she has.",
    "ALIX peut payer {hers} et offrira un de plus : elle dépense ainsi tout ce qu’elle a.",
)
CHEAPEST = Words("This costs least: about {cost} points.", "C’est ce qui coûte le moins : environ {cost} points.")
THE_TOKEN = Words("No card of the market is worth more.", "Aucune carte du marché ne vaut mieux.")
NOTHING_PAYS = Words("No card of the market is worth its price.", "Aucune carte du marché ne vaut son prix.")
BARGAIN = Words(
    "It adds about {gain} points and costs {cost}.", "Elle apporte environ {gain} points et en coûte {cost}."
)
