"""What a move of Sixmix does, in English and French, and the board as JSON to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.base import Words
from engines.sixmix.pieces import Colour
from engines.sixmix.play.moves import Ages, FirstThrow, Move, Pick, Put, Roll
from engines.sixmix.play.state import FREE, SixmixState

COLOUR_WORDS: Mapping[str, Words] = {
    Colour.GREEN: Words("green", "vert"),
    Colour.DARK_BLUE: Words("dark blue", "bleu foncé"),
    Colour.RED: Words("red", "rouge"),
    Colour.ORANGE: Words("orange", "orange"),
    Colour.LIGHT_BLUE: Words("light blue", "bleu clair"),
}
ROW_WORDS: Mapping[str, Words] = {**COLOUR_WORDS, Colour.GREEN: Words("green", "verte")}
"""The same beside the French word for a row."""


def tell(state: SixmixState, move: Move, _is_open: bool) -> Words:
    """Say what a move does."""
    match move:
        case Put(row, square):
            return _put(state, row, square)
        case Roll(number):
            return Words(
                "{seat} throws {number} with a die of {die}.", "{seat} lance {number} avec un dé {die}."
            ).filled(seat=state.seats[state.mover], number=number, die=COLOUR_WORDS[state.die])
        case Pick(colour):
            return Words("Throw one of the {colour} dice.", "Lancer un dé {colour}.").filled(
                colour=COLOUR_WORDS[colour]
            )
        case FirstThrow(numbers):
            thrown = ", ".join(
                f"{state.seats[seat]} {number}" for seat, number in zip(state.contenders, numbers, strict=True)
            )
            return Words("Throws for the start: {thrown}.", "Lancers pour commencer : {thrown}.").filled(thrown=thrown)
        case Ages(order):
            return Words("From the youngest: {seats}.", "À partir du plus jeune : {seats}.").filled(
                seats=", ".join(state.seats[seat] for seat in order)
            )


def _put(state: SixmixState, row: str, square: int) -> Words:
    return Words(
        "Put the {number} on square {square} of the {row} row ({owner}).",
        "Poser le {number} sur la case {square} de la rangée {row} ({owner}).",
    ).filled(
        number=state.number,
        square=square,
        row=ROW_WORDS[row],
        owner=state.seats[state.colours.index(row) // state.rows_per_seat],
    )


def picture(state: SixmixState, _language: str) -> dict[str, Any]:
    """Return the board as JSON; a free square is null."""
    return {
        "phase": str(state.phase),
        "round": len(state.rounds) + 1,
        "starter": state.seats[state.starter] if state.rows else None,
        "die": state.die or None,
        "number": state.number or None,
        "players": [
            {
                "seat": label,
                "points": state.totals[seat],
                "colours": state.colours_of(seat),
                "left": {
                    colour: state.left[state.colours.index(colour)] if state.left else 0
                    for colour in state.colours_of(seat)
                },
            }
            for seat, label in enumerate(state.seats)
        ],
        "rows": _rows(state, state.rows, state.dice),
        "rounds": [
            {
                "starter": state.seats[played.starter],
                "rows": _rows(state, played.rows, played.dice),
                "tokens": dict(zip(state.seats, played.tokens, strict=True)),
            }
            for played in state.rounds
        ],
    }


def _rows(state: SixmixState, rows: Sequence[str], dice: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "seat": state.seats[index // state.rows_per_seat],
            "colour": colour,
            "squares": [
                None if number == FREE else {"number": int(number), "colour": die}
                for number, die in zip(row, places, strict=True)
            ],
        }
        for index, (colour, row, places) in enumerate(zip(state.colours, rows, dice, strict=False))
    ]


TO_PLACE = Words("{seat} places a {number} ({colour}).", "{seat} pose un {number} ({colour}).")


def draw(state: SixmixState, language: str) -> list[str]:
    """Return the board as lines of text: each row with its dice, and below a number the colour of its die."""
    wide = max(map(len, state.seats))
    lines = []
    for index, (colour, row, dice) in enumerate(zip(state.colours, state.rows, state.dice, strict=False)):
        seat = index // state.rows_per_seat
        squares = " ".join(number if number == FREE else number + die for number, die in zip(row, dice, strict=True))
        squares = squares.replace(FREE, FREE + " ")
        lines.append(f"{colour}  {state.seats[seat]:<{wide}} {state.totals[seat]:>3}   {squares}")
    if state.number:
        said = TO_PLACE.filled(seat=state.seats[state.mover], number=state.number, colour=COLOUR_WORDS[state.die])
        lines += ["", said.into(language)]
    return lines
