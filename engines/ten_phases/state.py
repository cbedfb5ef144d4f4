"""The game in play, from the first throw to the last closing turn. Chance comes in as moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.base import Rng, RuleError, Standing, standings
from engines.play import Listed, Moves
from engines.ten_phases import scoring
from engines.ten_phases.moves import Choices, Falls, Keep, Move, Pass, Places, Roll, Score, is_part
from engines.ten_phases.pieces import ALL_DICE, DEFAULT_LAYOUT, PHASES, THROWS, Box, Phase, box_of, write_dice
from engines.ten_phases.report import SLUG


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
class State:
    """A moment of the game: the block, the throws made at this attempt, and the dice; None are those in the cup."""

    block: Block
    throws: int = 0
    dice: Places = IN_CUP
    is_thrown: bool = False


def start(variant: str, seats: Sequence[str], options: Mapping[str, Any]) -> State:
    """Return the state before the scorekeeper's first throw; the option `layout` says how the faces are coloured."""
    for option in options:
        if option != "layout":
            raise RuleError("unknown-option", option=option)
    box = _read_layout(options.get("layout", DEFAULT_LAYOUT))
    return State(Block(tuple(seats), variant == "solo", box, (Column(),) * len(seats)))


def _read_layout(layout: object) -> Box:
    try:
        box = box_of(layout if isinstance(layout, str) else "")
    except ValueError:
        raise RuleError("bad-option", option="layout", value=layout) from None
    if scoring.best_of_one_colour(box) != scoring.ONE_COLOUR_MOST:
        raise RuleError("layout-unlike-block", most=scoring.ONE_COLOUR_MOST)
    return box


def actor(state: State) -> int | None:
    """Return the seat whose move it is, None while dice are in the cup."""
    return state.block.seat if state.is_thrown else None


def is_over(state: State) -> bool:
    """Return whether everybody has had the closing turn."""
    return state.block.is_over


def turns(state: State) -> int:
    """Return how many turns have been played to their end."""
    return state.block.turns


def starter(state: State) -> int:  # noqa: ARG001 - other games look
    """Return the seat of the scorekeeper, who always begins."""
    return 0


def legal(state: State) -> Moves[Move]:
    """Return every move possible now."""
    if state.block.is_over:
        return Listed(())
    if not state.is_thrown:
        return Falls(state.block.box, state.dice)
    return Choices(state.dice, state.throws < THROWS, tuple(sorted(possible_points(state))))


def possible_points(state: State) -> frozenset[int]:
    """Return what the dice on the table can be written down for."""
    return scoring.scores(state.block.phase, state.dice)  # type: ignore[arg-type]  # no die is in the cup


def chance(state: State, rng: Rng) -> Roll:
    """Let the dice in the cup fall."""
    return Roll(
        tuple(
            [
                die[int(rng.random() * len(die))] if face is None else None
                for die, face in zip(state.block.box, state.dice, strict=True)
            ]
        )
    )


def apply(state: State, move: Move) -> State:
    """Return the state after a move; RuleError if it is not legal."""
    match move:
        case Roll(dice):
            return roll(state, dice)
        case Keep(dice):
            return keep(state, dice)
        case Score(points):
            return score(state, points)
        case Pass():
            return pass_on(state)


def _allows(check: Callable[..., None], *arguments: object) -> bool:
    try:
        check(*arguments)
    except RuleError:
        return False
    return True


def _check_running(state: State) -> None:
    if state.block.is_over:
        raise RuleError("game-over")


def _check_thrown(state: State) -> None:
    _check_running(state)
    if not state.is_thrown:
        raise RuleError("throw-first")


def check_roll(state: State, dice: Places) -> None:
    """Raise RuleError unless the dice can fall like this now."""
    _check_running(state)
    if state.is_thrown:
        raise RuleError("cup-is-empty")
    if [face is None for face in dice] != [face is not None for face in state.dice]:
        raise RuleError("other-dice", count=state.dice.count(None))
    for face, die in zip(dice, state.block.box, strict=True):
        if face is not None and face not in die:
            raise RuleError("no-such-face", face=face.text, die=write_dice(dict.fromkeys(die)))


def can_roll(state: State, dice: Places) -> bool:
    """Return whether the dice can fall like this now."""
    return _allows(check_roll, state, dice)


def roll(state: State, dice: Places) -> State:
    """Let the dice in the cup fall as given."""
    check_roll(state, dice)
    lying = tuple([fallen or kept for fallen, kept in zip(dice, state.dice, strict=True)])
    return State(state.block, state.throws + 1, lying, True)


def check_keep(state: State, dice: Places) -> None:
    """Raise RuleError unless these dice may be kept and the others thrown again."""
    _check_thrown(state)
    if state.throws == THROWS:
        raise RuleError("no-throw-left")
    if not is_part(dice, state.dice):
        raise RuleError("not-on-table", dice=write_dice(face for face in state.dice if face))
    if None not in dice:
        raise RuleError("nothing-to-throw")


def can_keep(state: State, dice: Places) -> bool:
    """Return whether these dice may be kept and the others thrown again."""
    return _allows(check_keep, state, dice)


def keep(state: State, dice: Places) -> State:
    """Leave these dice and put the others, None here, into the cup."""
    check_keep(state, dice)
    return State(state.block, state.throws, dice, False)


def check_score(state: State, points: int) -> None:
    """Raise RuleError unless these points may be written down."""
    _check_thrown(state)
    possible = possible_points(state)
    if not possible:
        raise RuleError("not-made", phase=PHASES.index(state.block.phase) + 1)
    if points not in possible:
        raise RuleError("points-not-made", points=points, possible=", ".join(map(str, sorted(possible))))


def can_score(state: State, points: int) -> bool:
    """Return whether these points may be written down."""
    return _allows(check_score, state, points)


def score(state: State, points: int) -> State:
    """Write points down for the phase. In a closing turn the player goes on with the next one."""
    check_score(state, points)
    block = state.block
    column = block.columns[block.seat]
    dice = write_dice(face for face in state.dice if face)
    entry = Entry(points, block.round, column.misses, dice)
    written = _with_column(block, Column((*column.entries, entry)))
    if written.columns[block.seat].is_finished:
        return _next_turn(written if block.is_closing else replace(written, first=block.seat))
    return State(written) if block.is_closing else _next_turn(written)


def check_pass(state: State) -> None:
    """Raise RuleError unless the attempt may be ended without writing anything."""
    _check_thrown(state)


def can_pass(state: State) -> bool:
    """Return whether the attempt may be ended without writing anything."""
    return _allows(check_pass, state)


def pass_on(state: State) -> State:
    """End the attempt, and with it the turn, without writing anything."""
    check_pass(state)
    column = state.block.columns[state.block.seat]
    return _next_turn(_with_column(state.block, Column(column.entries, column.misses + 1)))


def _with_column(block: Block, column: Column) -> Block:
    columns = (*block.columns[: block.seat], column, *block.columns[block.seat + 1 :])
    return replace(block, columns=columns)


def _next_turn(block: Block) -> State:
    seat = (block.seat + 1) % len(block.seats)
    after = replace(
        block,
        seat=seat,
        round=block.round + (seat == 0),
        turns=block.turns + 1,
        is_over=seat == block.first,
    )
    return State(after)


def outcome(state: State) -> tuple[Standing, ...]:
    """Return the standings of a finished game."""
    block = state.block
    totals = [_total(block, seat) for seat in range(len(block.seats))]
    keys = [scoring.ranking_key(column.points, own) for column, own in zip(block.columns, totals, strict=True)]
    return standings(block.seats, totals, keys)


def _misses(block: Block, seat: int) -> list[int]:
    return [entry.misses for entry in block.columns[seat].entries] if block.is_solo else []


def _bonus5(block: Block, seat: int) -> int:
    return scoring.bonus5_due(block.columns[seat].points, _misses(block, seat))


def _bonus10(block: Block, seat: int) -> int:
    if not block.columns[seat].is_finished or block.first is None:
        return 0
    if block.is_solo:
        return scoring.solo_bonus10_due(_misses(block, seat))
    return scoring.bonus10_due([_rounds(column) for column in block.columns], block.first, seat)


def _rounds(column: Column) -> list[int]:
    return [entry.round for entry in column.entries]


def _total(block: Block, seat: int) -> int:
    bonuses = _bonus5(block, seat) + _bonus10(block, seat)
    return scoring.total(block.columns[seat].points, _misses(block, seat), bonuses)


def report(state: State) -> dict[str, Any]:
    """Return a finished game as a report, with the round and the dice of every phase."""
    block = state.block
    return {
        "game": SLUG,
        "variant": "solo" if block.is_solo else "standard",
        "seats": list(block.seats),
        "block": {label: _column_report(block, seat) for seat, label in enumerate(block.seats)},
    }


def _column_report(block: Block, seat: int) -> dict[str, Any]:
    column = block.columns[seat]
    return {
        "phases": column.points,
        "bonus5": _bonus5(block, seat),
        "bonus10": _bonus10(block, seat),
        "total": _total(block, seat),
        **({"misses": _misses(block, seat)} if block.is_solo else {"turns": _rounds(column)}),
        "dice": [entry.dice for entry in column.entries],
    }
