"""What may happen in a game, from the first throw to the last closing turn, and its result.

Chance comes in as moves. What dice and columns are worth is in `scoring`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from engines.base import Rng, RuleError, Standing, standings
from engines.play import Listed, Moves
from engines.ten_phases import scoring
from engines.ten_phases.pieces import PHASES, THROWS, write_dice
from engines.ten_phases.play.moves import Choices, Falls, Keep, Move, Pass, Places, Roll, Score, is_part
from engines.ten_phases.play.state import Block, Column, Entry, TenPhasesState
from engines.ten_phases.report import SLUG


def actor(state: TenPhasesState) -> int | None:
    """Return the seat whose move it is, None while dice are in the cup."""
    return state.block.seat if state.is_thrown else None


def is_over(state: TenPhasesState) -> bool:
    """Return whether everybody has had the closing turn."""
    return state.block.is_over


def turns(state: TenPhasesState) -> int:
    """Return how many turns have been played to their end."""
    return state.block.turns


def starter(state: TenPhasesState) -> int:  # noqa: ARG001 - other games look
    """Return the seat of the scorekeeper, who always begins."""
    return 0


def legal(state: TenPhasesState) -> Moves[Move]:
    """Return every move possible now."""
    if state.block.is_over:
        return Listed(())
    if not state.is_thrown:
        return Falls(state.block.box, state.dice)
    return Choices(state.dice, state.throws < THROWS, tuple(sorted(possible_points(state))))


def possible_points(state: TenPhasesState) -> frozenset[int]:
    """Return what the dice on the table can be written down for."""
    return scoring.scores(state.block.phase, state.dice)  # type: ignore[arg-type]  # no die is in the cup


def chance(state: TenPhasesState, rng: Rng) -> Roll:
    """Let the dice in the cup fall."""
    return Roll(
        tuple(
            [
                die[int(rng.random() * len(die))] if face is None else None
                for die, face in zip(state.block.box, state.dice, strict=True)
            ]
        )
    )


def deal(state: TenPhasesState, secret: str, _number: int) -> Roll:
    """Let the dice in the cup fall as the secret says: each falls alike at the same throw of a seat's attempt."""
    block = state.block
    column = block.columns[block.seat]
    moment = f"{block.seat} {len(column.entries)} {column.misses} {state.throws}"
    fallen = chance(TenPhasesState(block), Random(f"{secret} {moment}")).dice
    return Roll(tuple([None if lying else face for face, lying in zip(fallen, state.dice, strict=True)]))


def apply(state: TenPhasesState, move: Move) -> TenPhasesState:
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


def _check_running(state: TenPhasesState) -> None:
    if state.block.is_over:
        raise RuleError("game-over")


def _check_thrown(state: TenPhasesState) -> None:
    _check_running(state)
    if not state.is_thrown:
        raise RuleError("throw-first")


def check_roll(state: TenPhasesState, dice: Places) -> None:
    """Raise RuleError unless the dice can fall like this now."""
    _check_running(state)
    if state.is_thrown:
        raise RuleError("cup-is-empty")
    if [face is None for face in dice] != [face is not None for face in state.dice]:
        raise RuleError("other-dice", count=state.dice.count(None))
    for face, die in zip(dice, state.block.box, strict=True):
        if face is not None and face not in die:
            raise RuleError("no-such-face", face=face.text, die=write_dice(dict.fromkeys(die)))


def roll(state: TenPhasesState, dice: Places) -> TenPhasesState:
    """Let the dice in the cup fall as given."""
    check_roll(state, dice)
    lying = tuple([fallen or kept for fallen, kept in zip(dice, state.dice, strict=True)])
    return TenPhasesState(state.block, state.throws + 1, lying, True)


def check_keep(state: TenPhasesState, dice: Places) -> None:
    """Raise RuleError unless these dice may be kept and the others thrown again."""
    _check_thrown(state)
    if state.throws == THROWS:
        raise RuleError("no-throw-left")
    if not is_part(dice, state.dice):
        raise RuleError("not-on-table", dice=write_dice(face for face in state.dice if face))
    if None not in dice:
        raise RuleError("nothing-to-throw")


def keep(state: TenPhasesState, dice: Places) -> TenPhasesState:
    """Leave these dice and put the others, None here, into the cup."""
    check_keep(state, dice)
    return TenPhasesState(state.block, state.throws, dice, False)


def check_score(state: TenPhasesState, points: int) -> None:
    """Raise RuleError unless these points may be written down."""
    _check_thrown(state)
    possible = possible_points(state)
    if not possible:
        raise RuleError("not-made", phase=PHASES.index(state.block.phase) + 1)
    if points not in possible:
        raise RuleError("points-not-made", points=points, possible=", ".join(map(str, sorted(possible))))


def score(state: TenPhasesState, points: int) -> TenPhasesState:
    """Write points down for the phase. In a closing turn the player goes on with the next one."""
    check_score(state, points)
    block = state.block
    column = block.columns[block.seat]
    dice = write_dice(face for face in state.dice if face)
    entry = Entry(points, block.round, column.misses, dice)
    written = _with_column(block, Column((*column.entries, entry)))
    if written.columns[block.seat].is_finished:
        return _next_turn(written if block.is_closing else replace(written, first=block.seat))
    return TenPhasesState(written) if block.is_closing else _next_turn(written)


def check_pass(state: TenPhasesState) -> None:
    """Raise RuleError unless the attempt may be ended without writing anything."""
    _check_thrown(state)


def pass_on(state: TenPhasesState) -> TenPhasesState:
    """End the attempt, and with it the turn, without writing anything."""
    check_pass(state)
    column = state.block.columns[state.block.seat]
    return _next_turn(_with_column(state.block, Column(column.entries, column.misses + 1)))


def _with_column(block: Block, column: Column) -> Block:
    columns = (*block.columns[: block.seat], column, *block.columns[block.seat + 1 :])
    return replace(block, columns=columns)


def _next_turn(block: Block) -> TenPhasesState:
    seat = (block.seat + 1) % len(block.seats)
    after = replace(
        block,
        seat=seat,
        round=block.round + (seat == 0),
        turns=block.turns + 1,
        is_over=seat == block.first,
    )
    return TenPhasesState(after)


def outcome(state: TenPhasesState) -> tuple[Standing, ...]:
    """Return the standings of a finished game."""
    block = state.block
    totals = [total_of(block, seat) for seat in range(len(block.seats))]
    keys = [scoring.ranking_key(column.points, own) for column, own in zip(block.columns, totals, strict=True)]
    return standings(block.seats, totals, keys)


def misses_of(block: Block, seat: int) -> list[int]:
    """Return the unsuccessful attempts per completed phase of somebody who plays alone; nobody else's count."""
    return [entry.misses for entry in block.columns[seat].entries] if block.is_solo else []


def _bonus5(block: Block, seat: int) -> int:
    return scoring.bonus5_due(block.columns[seat].points)


def _bonus10(block: Block, seat: int) -> int:
    if not block.columns[seat].is_finished or block.first is None:
        return 0
    if block.is_solo:
        return scoring.solo_bonus10_due(misses_of(block, seat))
    return scoring.bonus10_due([_rounds(column) for column in block.columns], block.first, seat)


def _rounds(column: Column) -> list[int]:
    return [entry.round for entry in column.entries]


def bonuses(block: Block, seat: int) -> tuple[int, int]:
    """Return the bonuses a seat has so far, after phase 5 and after phase 10."""
    return _bonus5(block, seat), _bonus10(block, seat)


def total_of(block: Block, seat: int) -> int:
    """Return the total of a column so far."""
    return scoring.total(block.columns[seat].points, misses_of(block, seat), sum(bonuses(block, seat)))


def report(state: TenPhasesState) -> dict[str, Any]:
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
        "total": total_of(block, seat),
        **({"misses": misses_of(block, seat)} if block.is_solo else {"turns": _rounds(column)}),
        "dice": [entry.dice for entry in column.entries],
    }
