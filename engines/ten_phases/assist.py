"""Help with a throw: whether it makes the phase, what it can be written down for, and which dice to keep.

Which dice are best to keep is worked out in `keeping`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from engines.base import Shape
from engines.ten_phases.keeping import best_keep, places_of
from engines.ten_phases.pieces import (
    ALL_DICE,
    COLOURS,
    DEFAULT_LAYOUT,
    HIGH_DICE,
    HIGH_NUMBERS,
    PHASES,
    THROWS,
    Die,
    Face,
    Phase,
    box_of,
    write_dice,
)
from engines.ten_phases.report import Dice, supply_fault
from engines.ten_phases.scoring import count_numbers, pools_of, reachable


def _supplied(dice: tuple[Face, ...]) -> tuple[Face, ...]:
    if fault := supply_fault(dice, 1):
        raise PydanticCustomError(fault.code, "not among the ten dice", fault.facts)
    return dice


class Throw(Shape):
    """Dice on the table, up to all ten, and the phase they are meant for."""

    phase: Annotated[int, Field(ge=1, le=len(PHASES), description="The phase, 1 to 10")]
    dice: Annotated[Dice, AfterValidator(_supplied)] = Field(description="The dice on the table")
    throws: Annotated[int, Field(ge=0, le=THROWS - 1)] = Field(THROWS - 1, description="How many throws may follow")


def assist(throw: Throw) -> dict[str, Any]:
    """Say what the dice can be written down for, with the dice that count, and which to keep for another throw.

    `places` are indices into the dice as given. The expected points count a phase that is not made as 0; they
    are exact except in phase 8, where the colours of the dice are assumed and only one colour is gone for. Nothing is
    said of dice to keep when no throw is left.
    """
    phase = PHASES[throw.phase - 1]
    scores = [
        {"points": points, **_described(throw.dice, places)}
        for points, places in sorted(_selections(phase, throw.dice).items(), reverse=True)
    ]
    keep = _keep(phase, throw.dice, throws=throw.throws) if throw.throws else None
    return {"made": bool(scores), "scores": scores, "keep": keep}


def _described(dice: Sequence[Face], places: Sequence[int]) -> dict[str, Any]:
    return {"dice": write_dice([dice[place] for place in places]), "places": list(places)}


def _selections(phase: Phase, dice: Sequence[Face]) -> dict[int, tuple[int, ...]]:
    """Return the places of the dice that give each possible number of points, with as few jokers as can be."""
    found: dict[int, tuple[int, ...]] = {}
    choices = _colour_choices(phase, dice) if phase.same_colour else _number_choices(phase, dice)
    for points, places in choices:
        if points in reachable(phase):  # colours that were not typed may promise more than the block allows
            found.setdefault(points, places)
    return found


def _colour_choices(phase: Phase, dice: Sequence[Face]) -> Iterator[tuple[int, tuple[int, ...]]]:
    numbers = [face.number for face in dice]
    fitting = [[place for place, face in enumerate(dice) if face.is_of(colour)] for colour in COLOURS]
    choices = [places for each in fitting for places in combinations(each, phase.size)]
    for places in sorted(choices, key=lambda places: [numbers[place] for place in places].count(0)):
        yield sum([numbers[place] for place in places]), places


def _number_choices(phase: Phase, dice: Sequence[Face]) -> Iterator[tuple[int, tuple[int, ...]]]:
    held = count_numbers([face.number for face in dice])
    pools = list(pools_of(phase, held))
    for jokers in range(held[0] + 1):
        for pool in pools:
            for chosen in set(combinations(pool, phase.size - jokers)):
                yield sum(chosen), places_of(dice, [*chosen, *[0] * jokers])


def _keep(phase: Phase, dice: Sequence[Face], throws: int) -> dict[str, Any]:
    high, low = _average_dice()
    missing = ALL_DICE - len(dice)
    kinds = [high if face.number >= HIGH_NUMBERS[0] else low for face in dice]
    missing_high = HIGH_DICE - kinds.count(high)
    box = kinds + [high] * missing_high + [low] * (missing - missing_high)
    advice = best_keep(phase, 0, [*dice, *[None] * missing], box, throws)
    return {**_described(dice, advice.places), "expected": round(float(advice.expected), 2)}


@cache
def _average_dice() -> tuple[Die, Die]:
    """Return a die with the faces of all high ones and one with those of all low ones: who knows which was thrown."""
    box = box_of(DEFAULT_LAYOUT)
    return sum(box[:HIGH_DICE], ()), sum(box[HIGH_DICE:], ())
