"""The cards of DIX, the box they come in, and the runs they make.

Knows nothing of players, turns or reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Card: TypeAlias = str
"""`b7` is a number card, `7*` a numbered joker, `b#` a colour joker, `*#` the special joker, `$3` currency."""

COLOURS = ("blue", "green", "orange", "pink")
LETTERS = tuple(colour[0] for colour in COLOURS)
NUMBERS = range(1, 10)
SPECIAL: Card = "*#"

NUMBER_CARDS = tuple(f"{letter}{number}" for letter in LETTERS for number in NUMBERS)
NUMBERED_JOKERS = tuple(f"{number}*" for number in NUMBERS)
COLOUR_JOKERS = tuple(f"{letter}#" for letter in LETTERS)
JOKERS = (*NUMBERED_JOKERS, *COLOUR_JOKERS, SPECIAL)
CURRENCY = tuple(f"${value}" for value in range(1, 6))
HELD = (*NUMBER_CARDS, *JOKERS)
"""Every card that can be in front of a player at the end; currency is spent out of the tableau and never held."""

VALUE: Mapping[Card, int] = {card: int(card[1]) for card in (*NUMBER_CARDS, *CURRENCY)}
"""The number of a number card and the worth of a currency card."""

COINS_AT_START = 5
MOST_COINS = 10
TOKEN_WORTH = 3
TOKENS_IN_BOX = 15
LIMIT = 10
"""The total, and the money, that may lie in the tableau without a bust."""
ALIX = "ALIX"
DIFFICULTIES = range(4, 11)


def _tier(numbers: Mapping[int, int], currency: Mapping[int, int], *jokers: Card) -> Counter[Card]:
    cards = Counter({f"{letter}{number}": copies for letter in LETTERS for number, copies in numbers.items()})
    cards.update({f"${value}": copies for value, copies in currency.items()})
    cards.update(jokers)
    return cards


# The pictures that list the cards are lost. Certain are only the sums and the single special joker.
TIERS = (
    (1, _tier({n: 2 if n <= 6 else 1 for n in NUMBERS}, {1: 4, 2: 4, 3: 3, 4: 3, 5: 3}, *JOKERS)),
    (3, _tier(dict.fromkeys((1, 2, 3), 1), dict.fromkeys(range(1, 6), 1))),
    (4, _tier(dict.fromkeys((4, 5, 6), 1), dict.fromkeys(range(1, 6), 1), *COLOUR_JOKERS)),
)
"""Fewest seats and the cards that come in with them."""


def deck(seats: int) -> Counter[Card]:
    """Return the cards in play at a table of so many seats (ALIX has one)."""
    cards: Counter[Card] = Counter()
    for fewest, tier in TIERS:
        if seats >= fewest:
            cards.update(tier)
    return cards


DECK_SIZE = {seats: deck(seats).total() for seats in range(2, 6)}
BOX: Mapping[Card, int] = deck(5)


class Run(NamedTuple):
    """Consecutive numbers claimed in one colour. `mask` has bit n - 1 for number n."""

    first: int
    last: int
    size: int
    points: int
    mask: int

    def __str__(self) -> str:
        return str(self.first) if self.size == 1 else f"{self.first}-{self.last}"


def _run(first: int, last: int) -> Run:
    size = last - first + 1
    return Run(first, last, size, size + (size == len(NUMBERS)), ((1 << size) - 1) << (first - 1))


RUNS = tuple(_run(first, last) for first in NUMBERS for last in range(first, 10))
"""The 45 runs there are: a point per card, and one more for all nine numbers."""
RUN_OF: Mapping[str, Run] = {str(run): run for run in RUNS} | {f"{run.first}-{run.last}": run for run in RUNS}
"""Every way to write a run. A single number may be written twice: `3-3` is `3`."""


FITTING = tuple(
    tuple(frozenset((f"{letter}{number}", f"{number}*", f"{letter}#", SPECIAL)) for number in NUMBERS)
    for letter in LETTERS
)
"""Per colour and number (from 0) the cards that can stand there in a run."""
