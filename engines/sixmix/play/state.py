"""A moment of a game in play, as frozen values. How one moment follows another is in `rules`.

Rows and dice stand in the order of the colours in play, which is the order of the seats; a dot is a free square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

FREE = "."


class Phase(StrEnum):
    """What happens next."""

    AGES = "ages"
    FIRST = "first"
    PICK = "pick"
    ROLL = "roll"
    PUT = "put"
    OVER = "over"


class PlayedRound(NamedTuple):
    """A round that was played: rows and dice by colour, tokens by seat."""

    starter: int
    rows: tuple[str, ...]
    dice: tuple[str, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SixmixState:
    """A moment of a game. Seats are indices."""

    variant: str
    seats: tuple[str, ...]
    colours: str
    """The colours in play, those of the first seat first."""
    phase: Phase
    youngest_first: tuple[int, ...] = ()
    contenders: tuple[int, ...] = ()
    """Who may still start the first round."""
    rounds: tuple[PlayedRound, ...] = ()
    totals: tuple[int, ...] = ()
    starter: int = 0
    mover: int = 0
    rows: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    left: tuple[int, ...] = ()
    """How many dice of each colour are still to be thrown in this round."""
    die: str = ""
    """The colour of the die that is thrown or placed next."""
    number: int = 0
    """What it shows, while it is being placed."""

    @property
    def rows_per_seat(self) -> int:
        """How many rows, and colours, a player has."""
        return len(self.colours) // len(self.seats)

    def colours_of(self, seat: int) -> str:
        """Return the colours of a seat."""
        each = self.rows_per_seat
        return self.colours[seat * each : (seat + 1) * each]

    def by_seat(self, rows: Sequence[str]) -> list[str]:
        """Join what is listed by row to one text per seat."""
        each = self.rows_per_seat
        return [" ".join(rows[start : start + each]) for start in range(0, len(rows), each)]
