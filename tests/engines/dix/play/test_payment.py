"""Ways to pay are those that waste nothing, counted and sampled without listing them."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.dix.pieces import NUMBER_CARDS
from engines.dix.play.moves import CONSOLE, DRAW, PASS, Buy, Pay, Payment
from engines.dix.play.payment import Payments, Purchases, Purse

PURSES = st.builds(
    Purse,
    st.integers(0, 6),
    st.integers(0, 3),
    st.lists(st.sampled_from(NUMBER_CARDS[:5]), max_size=6).map(lambda cards: tuple(sorted(cards))),
)


def obvious_ways(purse: Purse, price: int) -> set[Payment]:
    """Try every part of the purse and keep what pays without anything that could be left away."""
    found = set()
    for part in range(1 << len(purse.cards)):
        cards = tuple(card for index, card in enumerate(purse.cards) if part >> index & 1)
        for coins_paid in range(purse.coins + 1):
            for tokens in range(purse.tokens + 1):
                payment = Payment(coins_paid, tokens, cards)
                least = 1 if cards or coins_paid else 3
                if price <= payment.worth < price + least:
                    found.add(payment)
    return found


@given(PURSES, st.integers(1, 12), st.integers(0, 10**6))
@settings(max_examples=150)
def test_ways_to_pay_are_exactly_those_that_waste_nothing(purse, price, seed):
    ways = Payments(purse, price)
    every = [move.payment for move in ways]
    assert set(every) == obvious_ways(purse, price)
    assert ways.count == len(every)
    assert [purse.pick(price, number) for number in range(len(every))] == every
    assert all(Pay(payment) in ways for payment in every)
    assert bool(every) == (price <= purse.means)
    if every:
        assert ways.sample(random.Random(seed)) in ways


@given(PURSES, st.lists(st.sampled_from(NUMBER_CARDS), unique=True, max_size=4), st.integers(0, 10**6))
@settings(max_examples=80)
def test_purchases_are_counted_listed_and_sampled_alike(purse, market, seed):
    wares = tuple(card for card in market if int(card[1]) <= purse.means)
    purchases = Purchases(purse, wares, PASS)
    every = list(purchases)
    assert len(every) == len(set(every)) == purchases.count
    assert all(move in purchases for move in every)
    assert purchases.sample(random.Random(seed)) in every
    assert CONSOLE not in purchases
    assert DRAW not in purchases
    assert Buy("b9", Payment(0, 0)) not in purchases
    assert Pay(Payment(1, 0)) not in purchases


def test_every_way_to_pay_is_as_likely_as_the_others():
    ways = Payments(Purse(2, 1, ("b1", "b1", "g2")), 3)
    rng = random.Random(5)
    seen = Counter(ways.sample(rng) for _ in range(500 * ways.count))
    assert len(seen) == ways.count
    assert max(seen.values()) < 1.2 * min(seen.values())


def test_millions_of_ways_are_counted_at_once():
    ways = Payments(Purse(10, 9, NUMBER_CARDS), 30)
    assert ways.count > 10**9
    assert ways.sample(random.Random(1)) in ways
