"""What lies in the box: dice, objective cards, stage cards, movement cards.

Dice and objective cards are written as a colour letter and a value, `b6`. Knows nothing of players or turns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

Card: TypeAlias = str
"""A movement card: a colour letter, a value, or the name of its type."""

SLUG = "dice-run"
COLOURS = "bgprv"
"""Blue, green, pink, red, violet: the dice of the first edition, one letter each."""
VALUES = "123456"
DICE_PER_COLOUR = 6
STAGE_CARDS = (3, 4, 5, 6)
"""The trophies in the order in which they come up: the prize of a stage's first."""
SECOND, THIRD = 2, 1
PODIUM = 3
SEATS_MIN, SEATS_MAX = 3, 6
HAND = 3
OBJECTIVES = 4
PACKS = 5

JOKER, SWAP, SPRINT, COMEBACK = "joker", "swap", "sprint", "comeback"
ABOUT_FACE, GAP, ACCIDENT = "about-face", "gap", "accident"
SPLIT: Mapping[str, int] = {
    "colour": 20,
    "value": 24,
    JOKER: 6,
    SWAP: 5,
    SPRINT: 5,
    COMEBACK: 4,
    ABOUT_FACE: 5,
    GAP: 3,
    ACCIDENT: 4,
}
"""How many of the 76 movement cards there are of each type; no source tells the real split."""

_FIVE_LETTERS = re.compile("[a-z]{5}")


def is_palette(colours: object) -> bool:
    """Tell whether a value names the five colours of a box: five different letters `a`–`z`."""
    return isinstance(colours, str) and _FIVE_LETTERS.fullmatch(colours) is not None and len(set(colours)) == 5


@lru_cache(maxsize=64)
def faces(colours: str) -> frozenset[str]:
    """Return every face a die of the box can show, which is also every objective card."""
    return frozenset(colour + value for colour in colours for value in VALUES)


@lru_cache(maxsize=64)
def group_pattern(colours: str) -> re.Pattern[str]:
    """Return what a whole group looks like when it is written down."""
    die = f"[{colours}][1-6]"
    return re.compile(f"(?:{die}(?: {die})*)?")


def deck(colours: str, split: Mapping[str, int]) -> tuple[Card, ...]:
    """Return all movement cards of a box, sorted; colours and values have equally many each."""
    cards = [*colours] * (split["colour"] // len(colours)) + [*VALUES] * (split["value"] // len(VALUES))
    for name in (JOKER, SWAP, SPRINT, COMEBACK, ABOUT_FACE, GAP, ACCIDENT):
        cards += [name] * split[name]
    return tuple(sorted(cards))
