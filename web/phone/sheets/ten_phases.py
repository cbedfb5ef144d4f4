"""The score sheet of 10 Phases: the block. Points are written; bonuses and totals are worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from core.language import reader_language
from engines.base import Path
from engines.ten_phases.pieces import PHASES, Phase
from engines.ten_phases.report import SLUG
from engines.ten_phases.scoring import BONUS, BONUS5_LEAST, MISS_COST, bonus5_due, reachable, solo_bonus10_due, total
from web.phone.sheets.base import SeatName, dig, dotted, frame, shown, whole, word
from web.phone.sheets.evidence import Pattern

SOLO = "solo"


class TenPhases:
    """A column per player and a cell per phase; who noted the dice writes a line for each phase."""

    template = "phone/sheets/_ten_phases.html"
    script = "phone/sheets/ten-phases.js"
    fields: tuple[Pattern, ...] = tuple(
        ("block", None, name) for name in ("phases", "misses", "dice", "bonus5", "bonus10", "total")
    )

    def context(self, variant: str, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return the block row by row, as it is printed."""
        return {
            "is_solo": variant == SOLO,
            "bonus": BONUS,
            "bonus5_least": BONUS5_LEAST,
            "miss_cost": MISS_COST,
            "rows": [_row(index, phase, seats, sheet) for index, phase in enumerate(PHASES)],
            "columns": [_foot(seat, sheet) for seat in seats],
        }

    def read(self, data: QueryDict, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
        """Return the block, with the bonuses and totals that are due."""
        columns = {seat.uid: _column(data, seat.uid, is_solo=variant == SOLO) for seat in seats}
        finished = [uid for uid, column in columns.items() if len(column["phases"]) == len(PHASES)]
        for uid, column in columns.items():
            points, misses = _counted(column["phases"]), _counted(column.get("misses", ()))
            if variant == SOLO:
                bonus10 = solo_bonus10_due(misses) if finished else 0
            else:
                bonus10 = BONUS if finished == [uid] or word(data, dotted("block", uid, "bonus10")) else 0
            # Ticked by players who subtract misses at once, which is another reading of the solo rules than ours.
            bonus5 = bonus5_due(points, misses if word(data, dotted("block", uid, "bonus5")) else ())
            column |= {"bonus5": bonus5, "bonus10": bonus10, "total": total(points, misses, bonus5 + bonus10)}
        return frame(SLUG, variant, seats) | {"block": columns}

    def field_of(self, path: Path) -> str:
        """Return the cell a finding belongs to, else the whole block."""
        match path:
            case ("block", _, "phases" | "misses", int()) | ("block", _, "bonus5" | "bonus10"):
                return dotted(*path)
            case ("block", uid, "dice", *_):
                return dotted("block", uid, "dice")
        return "block"


def _row(index: int, phase: Phase, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
    points = sorted(reachable(phase))
    return {
        "number": index + 1,
        "name": phase.name.into(reader_language()),
        "points": points,
        "least": points[0],
        "most": points[-1],
        "cells": [_cell(seat, index, sheet) for seat in seats],
    }


def _cell(seat: SeatName, index: int, sheet: Mapping[str, Any]) -> dict[str, Any]:
    column = ("block", seat.uid)
    paths = {name: (*column, name, index) for name in ("phases", "misses")}
    fields = {name: {"field": dotted(*path), "value": shown(sheet, *path)} for name, path in paths.items()}
    return {"seat": seat, **fields}


def _foot(seat: SeatName, sheet: Mapping[str, Any]) -> dict[str, Any]:
    column = dig(sheet, "block", seat.uid)
    bonus5 = dig(column, "bonus5")
    return {
        "seat": seat,
        "bonus5": {
            "field": dotted("block", seat.uid, "bonus5"),
            "value": bonus5 or 0,
            "is_at_once": bonus5 == 0 and bonus5_due(_points(dig(column, "phases"))) == BONUS,
        },
        "bonus10": {"field": dotted("block", seat.uid, "bonus10"), "is_due": dig(column, "bonus10") == BONUS},
        "dice": {"field": dotted("block", seat.uid, "dice"), "value": _lines(dig(column, "dice"))},
        "total": dig(column, "total") or 0,
    }


def _column(data: QueryDict, uid: str, *, is_solo: bool) -> dict[str, Any]:
    # An empty cell before a full one stays as None: the engine asks for the number that belongs there.
    phases = [whole(data, name) for name in _written(data, uid, "phases")]
    column: dict[str, Any] = {"phases": phases}
    if is_solo:
        column["misses"] = _padded(
            [whole(data, name) if word(data, name) else 0 for name in _written(data, uid, "misses")], phases, 0
        )
    if dice := _dice(data.get(dotted("block", uid, "dice"), "")):
        column["dice"] = _padded(dice, phases, None)
    return column


def _written(data: QueryDict, uid: str, field: str) -> list[str]:
    """Return the names of a column's fields up to the last one that has something in it."""
    names = [dotted("block", uid, field, index) for index in range(len(PHASES))]
    while names and word(data, names[-1]) is None:
        names.pop()
    return names


def _padded(values: list[Any], phases: Sequence[int | None], empty: int | None) -> list[Any]:
    return values + [empty] * (len(phases) - len(values))


def _dice(text: str) -> list[str | None]:
    """Return the dice of each line as a report has them: the joker large, colours small, None for an empty line."""
    lines = text.rstrip().lower().replace("w", "W").splitlines()
    return [" ".join(line.split()) or None for line in lines]


def _lines(dice: object) -> str:
    return "\n".join(str(each or "") for each in dice) if isinstance(dice, list) else ""


def _points(phases: object) -> list[int]:
    return [each for each in phases if isinstance(each, int)] if isinstance(phases, list) else []


def _counted(values: Sequence[int | None]) -> list[int]:
    return [value or 0 for value in values]
