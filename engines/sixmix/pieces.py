"""What is in the box: dice, colours, rows and tokens. Knows nothing of scores or turns."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Colour(StrEnum):
    """A colour of dice and of the row they belong to, by the letter used in reports and records."""

    GREEN = "g"
    DARK_BLUE = "d"
    RED = "r"
    ORANGE = "o"
    LIGHT_BLUE = "l"


STANDARD: Final = "standard"
TWO_PLAYER: Final = "two-player"

LETTERS: Final = "".join(Colour)
SQUARES: Final = 6  # in a row, and dice of a colour
SIDES: Final = 6

YELLOW_TOKENS: Final = 25
BLUE_TOKENS: Final = 5
BLUE_WORTH: Final = 5
GOAL: Final = 10

ROWS_PER_SEAT: Final = {STANDARD: 1, TWO_PLAYER: 2}
