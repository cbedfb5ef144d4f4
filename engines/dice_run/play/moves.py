"""Everything that can happen in a game, one frozen type per kind of move. Groups are numbered from 1 at the front.

Whether a move is legal and what it does is left to `setup` and `turns`, how it is written to `notation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engines.dice_run.pieces import Card

# Chance


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice at the start, or those of a rerolled group, have been thrown; sorted."""

    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealObjectives:
    """The next player gets four secret objective cards; sorted."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealHand:
    """The next player gets three movement cards; sorted."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """The rest of the movement cards is split into five packs, the top one first."""

    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StarterRoll:
    """The next player throws two dice for the first turn; each die before and after, sorted."""

    dice: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A movement card comes off the pile."""

    card: Card


# The player whose turn it is


@dataclass(frozen=True, slots=True)
class Advance:
    """Play a Colour or a Value card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Joker:
    """Play a Joker as a colour or as a value."""

    feature: str


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange a group with the one directly behind it."""

    group: int


@dataclass(frozen=True, slots=True)
class Sprint:
    """Let three dice of the front group break away; sorted."""

    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comeback:
    """Bring the last group into second place."""


@dataclass(frozen=True, slots=True)
class AboutFace:
    """Turn all dice of a value in one group to the opposite face."""

    group: int
    value: int


@dataclass(frozen=True, slots=True)
class LayGap:
    """Lay a Gap directly behind a group."""

    group: int


@dataclass(frozen=True, slots=True)
class Accident:
    """Send a die of the front group to the last group."""

    die: str


@dataclass(frozen=True, slots=True)
class PlayObjective:
    """Play an objective card: its two movements in one order or the other."""

    card: str
    colour_first: bool


@dataclass(frozen=True, slots=True)
class Reroll:
    """Lay a movement card face down and throw the dice of a group."""

    group: int
    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card that cannot be applied, holding none that can."""

    card: Card


# Everybody, at the end of a stage


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the objective to be revealed."""

    card: str


Move: TypeAlias = (
    Roll
    | DealObjectives
    | DealHand
    | Split
    | StarterRoll
    | Draw
    | Advance
    | Joker
    | Swap
    | Sprint
    | Comeback
    | AboutFace
    | LayGap
    | Accident
    | PlayObjective
    | Reroll
    | Discard
    | Choose
)
