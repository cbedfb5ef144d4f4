"""Help at the end of a stage: from the dice and the objectives on the table to the podium and what decided it.

Strengths and their order are left to `scoring`; nothing is judged here beyond the shape of the request.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from engines.base import Shape
from engines.dice_run.pieces import COLOURS, DICE_PER_COLOUR, PODIUM, SEATS_MAX, SEATS_MIN, faces, is_palette
from engines.dice_run.report import PALETTE, SEAT, notation_facts
from engines.dice_run.scoring import clockwise, stage_order, strengths

# Fields are validated in the order in which they stand; `info.data` holds those before that were right.


def _error(code: str, **facts: object) -> PydanticCustomError:
    return PydanticCustomError(code, "{code}", {"code": code, **facts})


def _palette(colours: str) -> str:
    if not is_palette(colours):
        raise _error("bad-value", expected=PALETTE)
    return colours


def _different(seats: list[str]) -> list[str]:
    for index, seat in enumerate(seats):
        if seat in seats[:index]:
            raise _error("duplicate-seat", seat=seat)
    return seats


def _seated(revealer: str, info: ValidationInfo) -> str:
    if revealer not in info.data.get("seats", [revealer]):
        raise _error("bad-value", expected=SEAT)
    return revealer


def _one_each(objectives: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    seats = info.data.get("seats", [])
    for seat in seats:
        if seat not in objectives:
            raise _error("missing-field", seat=seat)
    for seat in objectives:
        if seats and seat not in seats:
            raise _error("unknown-field", seat=seat)
    return objectives


def _card(text: str, info: ValidationInfo) -> str:
    colours = info.data.get("colours")
    if colours and text not in faces(colours):
        raise _error("objective-notation", **notation_facts(text, colours))
    return text


def _group(text: str, info: ValidationInfo) -> str:
    colours = info.data.get("colours")
    for token in text.split(" "):
        if colours and token not in faces(colours):
            raise _error("die-notation", **notation_facts(token, colours))
    return text


class Position(Shape):
    """A race at the end of a stage."""

    colours: Annotated[str, AfterValidator(_palette)] = Field(
        default=COLOURS, description="The letters of the five colours of the dice."
    )
    seats: Annotated[list[Annotated[str, Field(min_length=1)]], AfterValidator(_different)] = Field(
        min_length=SEATS_MIN, max_length=SEATS_MAX, description="The players clockwise."
    )
    objectives: Annotated[dict[str, Annotated[str, AfterValidator(_card)]], AfterValidator(_one_each)] = Field(
        description="The objective card each player shows, by seat."
    )
    groups: list[Annotated[str, AfterValidator(_group)]] = Field(
        min_length=1, max_length=30, description="The dice of each group, front group first, Gaps left out."
    )
    revealer: Annotated[str, AfterValidator(_seated)] | None = Field(
        default=None, description="Who made the stage card appear; settles perfect ties."
    )


def assist(position: Position) -> dict[str, Any]:
    """Return the order of the players with what decided each place, and the podium if it is certain.

    `decided_by` compares a seat with the next one: the number of the first group in which they differ and both
    strengths, or a perfect tie, settled by the revealer or `open` if none is given. The last seat has none.
    `miscounted` holds the colours that have not six dice, with their number.
    """
    seats = position.seats
    strong = {seat: strengths(position.objectives[seat], position.groups) for seat in seats}
    order = stage_order(clockwise(seats, position.revealer or seats[0]), strong)
    deciders = [_decider(strong[seat], strong[other], position.revealer) for seat, other in pairwise(order)]
    is_open = any(decider["by"] == "open" for decider in deciders[:PODIUM])
    dice = " ".join(position.groups)
    return {
        "podium": None if is_open else order[:PODIUM],
        "order": [
            {
                "seat": seat,
                "objective": position.objectives[seat],
                "strengths": list(strong[seat]),
                "decided_by": decider,
            }
            for seat, decider in zip(order, [*deciders, None], strict=True)
        ],
        "miscounted": {
            colour: count for colour in position.colours if (count := dice.count(colour)) != DICE_PER_COLOUR
        },
    }


def _decider(own: tuple[int, ...], other: tuple[int, ...], revealer: str | None) -> dict[str, Any]:
    for number, pair in enumerate(zip(own, other, strict=True), 1):
        if pair[0] != pair[1]:
            return {"by": "strength", "group": number, "strengths": list(pair)}
    return {"by": "revealer", "revealer": revealer} if revealer else {"by": "open"}
