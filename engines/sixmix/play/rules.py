"""How a game goes on: what is legal, and for every kind of move a check and the move itself.

A finished game becomes a report here; judging that report is left to `engines.sixmix.report`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import add
from random import Random
from typing import Any

from engines.base import Rng, RuleError, Standing, standings
from engines.play import Listed, Moves
from engines.sixmix.pieces import (
    BLUE_WORTH,
    GOAL,
    LETTERS,
    ROWS_PER_SEAT,
    SIDES,
    SQUARES,
    YELLOW_TOKENS,
)
from engines.sixmix.play.moves import (
    NOTHING,
    PICKS,
    PUTS,
    ROLLS,
    Ages,
    FirstThrow,
    Move,
    Pick,
    Put,
    Roll,
    Throws,
    all_ages,
    is_throw,
)
from engines.sixmix.play.state import FREE, Phase, PlayedRound, SixmixState
from engines.sixmix.report import SLUG, VARIANTS
from engines.sixmix.scoring import blue_tokens, lead_digit, next_starters, ranking_keys, seat_tokens


def start(variant: str, seats: Sequence[str], options: Mapping[str, Any]) -> SixmixState:
    """Return the first state. The option `colours` gives each seat its colours; else they go round in order."""
    kind = next((known for known in VARIANTS if known.slug == variant), None)
    if kind is None:
        raise RuleError("unknown-variant", variants=", ".join(known.slug for known in VARIANTS))
    if not kind.seats_min <= len(seats) <= kind.seats_max:
        raise RuleError("seat-count", low=kind.seats_min, high=kind.seats_max)
    for option in options:
        if option != "colours":
            raise RuleError("unknown-option", option=option)
    count = ROWS_PER_SEAT[variant] * len(seats)
    colours = _chosen(options["colours"], seats, count) if "colours" in options else LETTERS[:count]
    return SixmixState(variant, tuple(seats), colours, Phase.AGES, totals=(0,) * len(seats))


def _chosen(choice: object, seats: Sequence[str], count: int) -> str:
    each = count // len(seats)
    if isinstance(choice, Mapping) and set(choice) == set(seats):
        texts = [choice[seat] for seat in seats]
        if all(isinstance(text, str) and len(text) == each for text in texts):
            colours = "".join(texts)
            if set(colours) <= set(LETTERS) and len(set(colours)) == count:
                return colours
    raise RuleError("wrong-colours", each=each, letters=LETTERS)


def actor(state: SixmixState) -> int | None:
    """Return the seat whose move it is, None for chance."""
    return state.mover if state.phase in {Phase.PICK, Phase.PUT} else None


def is_over(state: SixmixState) -> bool:
    """Say whether the game is finished."""
    return state.phase is Phase.OVER


def legal(state: SixmixState) -> Moves[Move]:
    """Return every move possible now."""
    match state.phase:
        case Phase.PUT:
            return Listed(tuple(_free_squares(state)))
        case Phase.ROLL:
            return ROLLS
        case Phase.PICK:
            return Listed(tuple(PICKS[colour] for colour in _colours_left(state, state.mover)))
        case Phase.FIRST:
            return Throws(len(state.contenders))
        case Phase.AGES:
            return all_ages(len(state.seats))
        case Phase.OVER:
            return NOTHING


def chance(state: SixmixState, rng: Rng) -> Move:
    """Draw a move of chance; here all outcomes are equally likely."""
    return legal(state).sample(rng)


def deal(state: SixmixState, secret: str, number: int) -> Move:
    """Throw as the secret says: the same die of a round shows the same number, whoever throws it."""
    moment = f"{len(state.rounds)} {sum(state.left)}" if state.phase is Phase.ROLL else f"first {number}"
    return chance(state, Random(f"{secret} {moment}"))


def apply(state: SixmixState, move: Move) -> SixmixState:
    """Return the state after a move."""
    match move:
        case Put(row, square):
            return put(state, row, square)
        case Roll(number):
            return roll(state, number)
        case Pick(colour):
            return pick(state, colour)
        case FirstThrow(numbers):
            return throw_first(state, numbers)
        case Ages(order):
            return order_by_age(state, order)


def _check_phase(state: SixmixState, phase: Phase) -> None:
    if state.phase is not phase:
        raise RuleError("game-over" if state.phase is Phase.OVER else f"{state.phase}-due")


# Before the game: who is how old (for later ties), and who starts.


def check_order_by_age(state: SixmixState, order: tuple[int, ...]) -> None:
    """Raise if this is no order of all seats."""
    _check_phase(state, Phase.AGES)
    if sorted(order) != list(range(len(state.seats))):
        raise RuleError("wrong-ages", count=len(state.seats))


def order_by_age(state: SixmixState, order: tuple[int, ...]) -> SixmixState:
    """Note who is how old; then everybody throws for the start."""
    check_order_by_age(state, order)
    return replace(state, youngest_first=order, contenders=tuple(range(len(state.seats))), phase=Phase.FIRST)


def check_throw_first(state: SixmixState, numbers: tuple[int, ...]) -> None:
    """Raise if those who may still start cannot throw these numbers."""
    _check_phase(state, Phase.FIRST)
    if not is_throw(numbers, len(state.contenders)):
        raise RuleError("wrong-first", count=len(state.contenders), sides=SIDES)


def throw_first(state: SixmixState, numbers: tuple[int, ...]) -> SixmixState:
    """Let the highest number start; several with it throw again (R6)."""
    check_throw_first(state, numbers)
    best = tuple(seat for seat, number in zip(state.contenders, numbers, strict=True) if number == max(numbers))
    if len(best) > 1:
        return replace(state, contenders=best)
    return _begin_round(replace(state, contenders=()), best[0])


def _begin_round(state: SixmixState, starter: int) -> SixmixState:
    count = len(state.colours)
    empty = (FREE * SQUARES,) * count
    fresh = replace(state, starter=starter, rows=empty, dice=empty, left=(SQUARES,) * count)
    return _begin_turn(fresh, starter)


def _begin_turn(state: SixmixState, mover: int) -> SixmixState:
    """Hand the dice on. Who has dice of one colour only has none to choose."""
    colours = _colours_left(state, mover)
    if len(colours) > 1:
        return replace(state, mover=mover, die="", number=0, phase=Phase.PICK)
    return replace(state, mover=mover, die=colours[0], number=0, phase=Phase.ROLL)


def _colours_left(state: SixmixState, seat: int) -> list[str]:
    return [colour for colour in state.colours_of(seat) if state.left[state.colours.index(colour)]]


# A turn: pick a die, throw it, place it.


def check_pick(state: SixmixState, colour: str) -> None:
    """Raise if the player has no die of this colour to throw."""
    _check_phase(state, Phase.PICK)
    if colour not in _colours_left(state, state.mover):
        raise RuleError("no-such-die", colour=colour)


def pick(state: SixmixState, colour: str) -> SixmixState:
    """Take a die of a colour in hand (R4)."""
    check_pick(state, colour)
    return replace(state, die=colour, phase=Phase.ROLL)


def check_roll(state: SixmixState, number: int) -> None:
    """Raise if the die cannot show this number."""
    _check_phase(state, Phase.ROLL)
    if not 1 <= number <= SIDES:
        raise RuleError("no-such-number", number=number, sides=SIDES)


def roll(state: SixmixState, number: int) -> SixmixState:
    """Throw the die."""
    check_roll(state, number)
    return replace(state, number=number, phase=Phase.PUT)


def check_put(state: SixmixState, row: str, square: int) -> None:
    """Raise if the die may not be placed there."""
    _check_phase(state, Phase.PUT)
    if len(row) != 1 or row not in state.colours:
        raise RuleError("no-such-row", row=row, rows=" ".join(state.colours))
    if not 1 <= square <= SQUARES:
        raise RuleError("no-such-square", square=square, squares=SQUARES)
    if state.rows[state.colours.index(row)][square - 1] != FREE:
        raise RuleError("square-taken", row=row, square=square)
    if square == 1 and _has_led(state):
        raise RuleError("second-lead", colour=state.die)
    if square > 1 and _must_lead(state):
        raise RuleError("lead-owed", colour=state.die)


def put(state: SixmixState, row: str, square: int) -> SixmixState:
    """Place the die; the last one of a round ends it."""
    check_put(state, row, square)
    index, own = state.colours.index(row), state.colours.index(state.die)
    placed = replace(
        state,
        rows=_with(state.rows, index, square - 1, str(state.number)),
        dice=_with(state.dice, index, square - 1, state.die),
        left=(*state.left[:own], state.left[own] - 1, *state.left[own + 1 :]),
    )
    if any(placed.left):
        return _begin_turn(placed, (state.mover + 1) % len(state.seats))
    return _end_round(placed)


def _with(board: tuple[str, ...], row: int, column: int, piece: str) -> tuple[str, ...]:
    text = board[row]
    return (*board[:row], text[:column] + piece + text[column + 1 :], *board[row + 1 :])


def _has_led(state: SixmixState) -> bool:
    """Say whether a die of this colour stands in the hundred-thousand column, where only one may."""
    return any(dice[0] == state.die for dice in state.dice)


def _must_lead(state: SixmixState) -> bool:
    """Say whether this is the last die that can still go there."""
    return state.left[state.colours.index(state.die)] == 1 and not _has_led(state)


def _free_squares(state: SixmixState) -> list[Put]:
    first = 1 if _has_led(state) else 0
    last = 1 if _must_lead(state) else SQUARES
    return [
        PUTS[colour][column]
        for colour, row in zip(state.colours, state.rows, strict=True)
        for column in range(first, last)
        if row[column] == FREE
    ]


# The end of a round and of the game.


def _end_round(state: SixmixState) -> SixmixState:
    tokens = seat_tokens(state.by_seat(state.rows))
    totals = tuple(map(add, state.totals, tokens))
    played = PlayedRound(state.starter, state.rows, state.dice, tokens)
    state = replace(state, rounds=(*state.rounds, played), totals=totals, die="", number=0, phase=Phase.OVER)
    if max(totals) >= GOAL:
        return state
    return _begin_round(state, min(next_starters(totals), key=state.youngest_first.index))


def turns(state: SixmixState) -> int:
    """Return how many dice have been placed so far."""
    dice = SQUARES * len(state.colours)
    return dice * len(state.rounds) + (0 if is_over(state) or not state.rows else dice - sum(state.left))


def first_starter(state: SixmixState) -> int:
    """Return the seat that had the first turn."""
    return state.rounds[0].starter if state.rounds else state.starter


def outcome(state: SixmixState) -> tuple[Standing, ...]:
    """Return the standings of a finished game."""
    return standings(state.seats, state.totals, ranking_keys(state.totals, _leads(state)))


def _leads(state: SixmixState) -> list[int]:
    return [lead_digit(rows) for rows in state.by_seat(state.rounds[-1].rows)]


def report(state: SixmixState) -> dict[str, Any]:
    """Return a finished game with all its evidence."""
    told: dict[str, Any] = {
        "game": SLUG,
        "variant": state.variant,
        "seats": list(state.seats),
        "colours": _keyed(state, [state.colours_of(seat) for seat in range(len(state.seats))]),
        "youngest_first": [state.seats[seat] for seat in state.youngest_first],
        "rounds": [_round_report(state, played) for played in state.rounds],
        "lead": _keyed(state, _leads(state)),
    }
    blue = blue_tokens([played.tokens for played in state.rounds], len(state.seats))
    yellow = [total - BLUE_WORTH * each for total, each in zip(state.totals, blue, strict=True)]
    if sum(yellow) <= YELLOW_TOKENS:  # else the box cannot show the points (R13)
        told["held"] = _keyed(state, [f"{each}b{rest}y" for each, rest in zip(blue, yellow, strict=True)])
    return told


def _round_report(state: SixmixState, played: PlayedRound) -> dict[str, Any]:
    return {
        "tokens": _keyed(state, played.tokens),
        "rows": _keyed(state, state.by_seat(played.rows)),
        "dice": _keyed(state, state.by_seat(played.dice)),
        "starter": state.seats[played.starter],
    }


def _keyed(state: SixmixState, values: Sequence[object]) -> dict[str, object]:
    return dict(zip(state.seats, values, strict=True))
