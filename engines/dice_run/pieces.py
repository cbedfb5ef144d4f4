"""What lies in the box: dice, objective cards, stage cards, movement cards.

Dice and objective cards are written as a colour letter and a value, `b6`. Knows nothing of players or turns.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
