"""The report of a game of 10 Phases: its shape, and what the rules say about it.

Points, bonuses and ranks are worked out in `scoring`; findings are put into sentences in `words`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import contains
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError, PydanticKnownError

from engines.base import Finding, Path, Shape, Standing, Variant, Words, standings
from engines.checking import Checker
from engines.ten_phases import scoring
from engines.ten_phases.pieces import (
    ALL_DICE,
    DICE_TEXT,
    HIGH_DICE,
    HIGH_NUMBERS,
    LOW_DICE,
    PHASES,
    Face,
    Phase,
    read_dice,
)

SLUG = "ten-phases"


def _zero_or_bonus(value: int) -> int:
    if value not in (0, scoring.BONUS):
        raise PydanticKnownError("literal_error", {"expected": f"0 or {scoring.BONUS}"})
    return value


def _read_dice(text: object) -> tuple[Face, ...]:
    if not isinstance(text, str):
        raise PydanticKnownError("string_type")
    try:
        return read_dice(text)
    except ValueError:
        raise PydanticCustomError("dice-notation", "not a list of dice") from None


Seats: TypeAlias = list[Annotated[str, WithJsonSchema({"type": "string", "minLength": 1})]]
Bonus = Annotated[int, AfterValidator(_zero_or_bonus), WithJsonSchema({"type": "integer", "enum": [0, scoring.BONUS]})]
Dice = Annotated[
    tuple[Face, ...],
    PlainValidator(_read_dice),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^{DICE_TEXT}$",
            "description": "Faces 1 to 10 or W, each with its colour (r, b, o, g) if wanted: 10r 9b W",
        }
    ),
]
_ONE_PER_PHASE: JsonDict = {"maxItems": len(PHASES)}


class Column(Shape):
    """One player's column of the block."""

    phases: list[int] = Field(
        description="Points of the completed phases, from phase 1 on, without gaps", json_schema_extra=_ONE_PER_PHASE
    )
    bonus5: Bonus = Field(description="Bonus after phase 5")
    bonus10: Bonus = Field(description="Bonus after phase 10")
    total: int = Field(description="Grand total")
    dice: list[Dice | None] = Field(
        default_factory=list,
        description="Per completed phase the dice it was made of, or null if they were not noted",
        json_schema_extra=_ONE_PER_PHASE,
    )


class StandardColumn(Column):
    """A column of the standard game."""

    turns: list[Annotated[int, Field(ge=1)]] = Field(
        default_factory=list,
        description="Per completed phase the round it was written in; for all players with a phase or for none",
        json_schema_extra=_ONE_PER_PHASE,
    )


class SoloColumn(Column):
    """The column of somebody who plays alone."""

    misses: list[Annotated[int, Field(ge=0)]] = Field(
        description="Per completed phase the unsuccessful attempts before it", json_schema_extra=_ONE_PER_PHASE
    )


class StandardReport(Shape):
    """A finished game of two to eight players."""

    game: Literal["ten-phases"] = Field(description="The game")
    variant: Literal["standard"] = Field(description="The variant")
    seats: Seats = Field(
        description="The players clockwise, the scorekeeper first",
        json_schema_extra={"minItems": 2, "maxItems": 8, "uniqueItems": True},
    )
    block: dict[str, StandardColumn] = Field(description="The column of each seat, by its label")


class SoloReport(Shape):
    """A finished game of one player."""

    game: Literal["ten-phases"] = Field(description="The game")
    variant: Literal["solo"] = Field(description="The variant")
    seats: Seats = Field(description="The player", json_schema_extra={"minItems": 1, "maxItems": 1})
    block: dict[str, SoloColumn] = Field(description="The column of the player, by the label of the seat")


Report: TypeAlias = StandardReport | SoloReport

VARIANTS = (
    Variant("standard", Words("Standard", "Standard"), 2, 8, StandardReport),
    Variant("solo", Words("Alone", "En solitaire"), 1, 1, SoloReport),
)


def _finding(code: str, path: Path, **facts: object) -> Finding:
    return Finding(f"{SLUG}.{code}", path, facts)


def _cross(report: Mapping[str, Any], variant: Variant) -> list[Finding]:
    block = report["block"]
    columns = [(seat, block[seat]) for seat in report["seats"] if isinstance(block.get(seat), dict)]
    names = ("misses", "dice") if variant.is_solo else ("turns", "dice")
    found: list[Finding] = []
    for seat, column in columns:
        phases = column.get("phases")
        if not isinstance(phases, list):
            continue
        if len(phases) > len(PHASES):
            found.append(_finding("too-many-phases", ("block", seat, "phases"), seat=seat, count=len(phases)))
        for name in names:
            entries = column.get(name)
            if isinstance(entries, list) and len(entries) != len(phases):
                found.append(_finding("length-mismatch", ("block", seat, name), seat=seat))
    return found if variant.is_solo else found + _turns_partial(columns)


def _turns_partial(columns: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Finding]:
    if not any("turns" in column for _, column in columns):
        return []
    without = [seat for seat, column in columns if "turns" not in column and column.get("phases") != []]
    return [_finding("turns-partial", ("block", seat), seat=seat) for seat in without]


def _rules(report: Report) -> tuple[list[Finding], list[Finding]]:
    found: list[Finding] = []
    warnings: list[Finding] = []
    for seat in report.seats:
        column = report.block[seat]
        _check_points(found, seat, column)
        _check_bonus5(found, warnings, seat, column)
        _check_total(found, seat, column)
    if isinstance(report, SoloReport):
        _check_solo_end(found, report)
    else:
        _check_end(found, report)
        _check_turns(found, report)
    return found, warnings


def _misses(column: Column) -> Sequence[int]:
    return column.misses if isinstance(column, SoloColumn) else ()


def _check_points(found: list[Finding], seat: str, column: Column) -> None:
    reachable = _reachable_points()
    if not all(map(contains, reachable, column.phases)):
        for index, points in enumerate(column.phases):
            if points in (possible := reachable[index]):
                continue
            facts = {"points": points, "near": _nearest(points, possible)}
            facts |= {"combination": PHASES[index].name, "low": min(possible), "high": max(possible)}
            found.append(_finding("unreachable-points", ("block", seat, "phases", index), seat=seat, **facts))
    for index, dice in enumerate(column.dice):
        if dice is not None and (fault := _dice_fault(PHASES[index], dice, column.phases[index])):
            found.append(_finding(fault.code, ("block", seat, "dice", index), seat=seat, **fault.facts))


@cache
def _reachable_points() -> tuple[frozenset[int], ...]:
    return tuple([scoring.reachable(phase) for phase in PHASES])


class Fault(NamedTuple):
    """What is wrong with some dice."""

    code: str
    facts: dict[str, object]


def _dice_fault(phase: Phase, dice: Sequence[Face], points: int) -> Fault | None:
    if fault := supply_fault(dice, phase.size):
        return fault
    if scoring.can_give(phase, dice, points):
        return None
    if possible := scoring.scores(phase, dice):
        return Fault("dice-points", {"points": points, "near": _nearest(points, possible)})
    return Fault("dice-incomplete", {"combination": phase.name})


def supply_fault(dice: Sequence[Face], fewest: int) -> Fault | None:
    """Say why these cannot be `fewest` or more of the ten dice; None if they can."""
    if not fewest <= len(dice) <= ALL_DICE:
        return Fault("dice-count", {"count": len(dice), "size": fewest})
    high = sum([face.number >= HIGH_NUMBERS[0] for face in dice])
    if high > HIGH_DICE or len(dice) - high > LOW_DICE:
        return Fault("dice-supply", {"high": high, "low": len(dice) - high})
    return None


def _nearest(points: int, possible: frozenset[int]) -> Words:
    below = max([each for each in possible if each < points], default=None)
    above = min([each for each in possible if each > points], default=None)
    near = [str(each) for each in (below, above) if each is not None]
    return Words(" and ".join(near), " et ".join(near))


def _check_bonus5(found: list[Finding], warnings: list[Finding], seat: str, column: Column) -> None:
    phases, misses = column.phases, _misses(column)
    due, path = scoring.bonus5_due(phases), ("block", seat, "bonus5")
    if column.bonus5 == due:
        return
    count = scoring.bonus5_count(phases)
    if column.bonus5 == scoring.bonus5_due(phases, misses):  # the other reading: each miss is taken off at once
        left = scoring.bonus5_count(phases, misses)
        warnings.append(_finding("bonus5-misses", path, seat=seat, due=due, count=count, left=left))
    else:
        done = min(len(phases), 5)
        found.append(_finding("bonus5-wrong", path, seat=seat, due=due, done=done, count=count))


def _check_total(found: list[Finding], seat: str, column: Column) -> None:
    due = scoring.total(column.phases, _misses(column), column.bonus5 + column.bonus10)
    if column.total != due:
        path = ("block", seat, "total")
        found.append(_finding("total-mismatch", path, seat=seat, due=due, total=column.total))


def _check_unfinished(found: list[Finding], report: Report) -> bool:
    """Find what is wrong with columns that have fewer than ten phases; return whether another one has ten."""
    finished = 0
    for seat in report.seats:
        column = report.block[seat]
        if len(column.phases) == len(PHASES):
            finished += 1
        elif column.bonus10:
            path = ("block", seat, "bonus10")
            found.append(_finding("bonus10-unfinished", path, seat=seat, count=len(column.phases)))
    if not finished:
        found.append(_finding("no-finisher", ("block",)))
    return finished > 0


def _check_end(found: list[Finding], report: StandardReport) -> None:
    if _check_unfinished(found, report) and not any(column.bonus10 for column in report.block.values()):
        found.append(_finding("bonus10-nobody", ("block",)))


def _check_solo_end(found: list[Finding], report: SoloReport) -> None:
    if not _check_unfinished(found, report):
        return
    for seat, column in report.block.items():
        due = scoring.solo_bonus10_due(column.misses)
        if column.bonus10 != due:
            facts = {"due": due, "misses": column.misses[-1]}
            found.append(_finding("bonus10-solo", ("block", seat, "bonus10"), seat=seat, **facts))


def _check_turns(found: list[Finding], report: StandardReport) -> None:
    turns = [report.block[seat].turns for seat in report.seats]
    if not any(turns):
        return
    before = len(found)
    for seat, own in zip(report.seats, turns, strict=True):
        for index in range(1, len(own)):
            if own[index] < own[index - 1]:
                facts = {"turn": own[index], "before": own[index - 1]}
                found.append(_finding("turns-order", ("block", seat, "turns", index), seat=seat, **facts))
    first = scoring.first_finisher(turns)
    if first is None or len(found) > before:
        return
    for index in range(len(turns)):
        _check_turns_of_seat(found, report.seats, turns, first, index)
    if len(found) == before:
        _check_bonus10_order(found, report, turns, first)


def _check_turns_of_seat(
    found: list[Finding], seats: Sequence[str], turns: Sequence[Sequence[int]], first: int, seat: int
) -> None:
    end = turns[first][-1]
    last = end + 1 if seat < first else end
    label = seats[seat]
    for index, turn in enumerate(turns[seat]):
        path = ("block", label, "turns", index)
        if turn > last:
            facts = {"turn": turn, "last": last, "other": seats[first], "end": end}
            found.append(_finding("turn-after-end", path, seat=label, **facts))
        if index and turn == turns[seat][index - 1] and (seat == first or turn != last):
            found.append(_finding("two-phases-in-turn", path, seat=label, turn=turn))


def _check_bonus10_order(
    found: list[Finding], report: StandardReport, turns: Sequence[Sequence[int]], first: int
) -> None:
    for seat, label in enumerate(report.seats):
        column = report.block[label]
        if len(column.phases) < len(PHASES):
            continue
        due = scoring.bonus10_due(turns, first, seat)
        if column.bonus10 != due:
            facts = {"due": due, "other": report.seats[first], "end": turns[first][-1]}
            found.append(_finding("bonus10-order", ("block", label, "bonus10"), seat=label, **facts))


def _rank(report: Report) -> tuple[Standing, ...]:
    columns = [report.block[seat] for seat in report.seats]
    totals = [column.total for column in columns]
    return standings(report.seats, totals, [scoring.ranking_key(column.phases, column.total) for column in columns])


check: Checker[Report] = Checker(
    slug=SLUG,
    variants={variant.slug: variant for variant in VARIANTS},
    containers={"block": dict},
    keyed=(("block",),),
    rules=_rules,
    rank=_rank,
    cross=_cross,
)

EVIDENCE = ("dice", "turns")


def minimal(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid report without its evidence."""
    block = {
        seat: {name: value for name, value in column.items() if name not in EVIDENCE}
        for seat, column in report["block"].items()
    }
    return {**report, "block": block}
