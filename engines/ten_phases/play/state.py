"""The state of a game in play and how it begins. What may happen next is in `rules`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.base import RuleError
from engines.ten_phases import scoring
from engines.ten_phases.pieces import ALL_DICE, DEFAULT_LAYOUT, PHASES, Box, Phase, box_of
from engines.ten_phases.play.moves import Places


@dataclass(frozen=True, slots=True)
class Entry:
    """A phase as it was written down: in which round, after how many unsuccessful attempts, with which dice."""

    points: int
    round: int
    misses: int
    dice: str


@dataclass(frozen=True, slots=True)
class Column:
    """One player's column, and the unsuccessful attempts so far at the phase that comes next."""

    entries: tuple[Entry, ...] = ()
    misses: int = 0

    @property
    def is_finished(self) -> bool:
        """Whether all ten phases are written."""
        return len(self.entries) == len(PHASES)

    @property
    def points(self) -> list[int]:
        """The points of the completed phases."""
        return [entry.points for entry in self.entries]


@dataclass(frozen=True, slots=True)
class Block:
    """What stays while a player throws: the columns, whose turn it is, and who completed phase 10 first."""

    seats: tuple[str, ...]
    is_solo: bool
    box: Box
    columns: tuple[Column, ...]
    seat: int = 0
    round: int = 1
    turns: int = 0
    first: int | None = None
    is_over: bool = False

    @property
    def phase(self) -> Phase:
        """The phase the player to move is in."""
        return PHASES[len(self.columns[self.seat].entries)]

    @property
    def is_closing(self) -> bool:
        """Whether this is the one turn left to a player who was not the first to complete phase 10."""
        return self.first is not None


IN_CUP: Places = (None,) * ALL_DICE


@dataclass(frozen=True, slots=True)
class TenPhasesState:
    """A moment of the game: the block, the throws made at this attempt, and the dice; None are those in the cup."""

    block: Block
    throws: int = 0
    dice: Places = IN_CUP
    is_thrown: bool = False


def start(variant: str, seats: Sequence[str], options: Mapping[str, Any]) -> TenPhasesState:
    """Return the state before the scorekeeper's first throw; the option `layout` says how the faces are coloured."""
    for option in options:
        if option != "layout":
            raise RuleError("unknown-option", option=option)
    box = _read_layout(options.get("layout", DEFAULT_LAYOUT))
    return TenPhasesState(Block(tuple(seats), variant == "solo", box, (Column(),) * len(seats)))


def _read_layout(layout: object) -> Box:
    try:
        box = box_of(layout if isinstance(layout, str) else "")
    except ValueError:
        raise RuleError("bad-option", option="layout", value=layout) from None
    if scoring.best_of_one_colour(box) != scoring.ONE_COLOUR_MOST:
        raise RuleError("layout-unlike-block", most=scoring.ONE_COLOUR_MOST)
    return box
