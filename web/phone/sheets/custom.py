"""The score sheet of a club's own game, made from its definition: a block of cells, or names in order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.language import reader_language
from engines.base import Path
from engines.custom import CustomEngine
from engines.custom.definition import (
    LARGEST,
    MOST_ROUNDS,
    CategoriesSheet,
    Entry,
    PlacesSheet,
    PointsSheet,
    RoundsSheet,
    words_of,
)
from web.phone.sheets.base import SeatName, dig, dotted, frame, shown
from web.phone.sheets.evidence import Pattern

ROOM = 8  # rounds there is room for at the beginning, where nobody knows how many there will be
MORE = 3  # after those that are written


class Row(NamedTuple):
    """A row of the block: what it is called, its limits, and for each seat the path of its number."""

    name: str
    hint: str
    entry: Entry
    key: str
    factor: int
    paths: tuple[Path, ...]


class CustomSheet:
    """The sheet of one definition."""

    script = "phone/sheets/custom.js"
    fields: tuple[Pattern, ...] = (("places",), ("points",), ("rounds",), ("lines",))

    def __init__(self, engine: CustomEngine) -> None:
        self.engine, self.definition = engine, engine.definition
        is_order = isinstance(engine.definition.sheet, PlacesSheet)
        self.template = f"phone/sheets/{'_custom_places' if is_order else '_custom'}.html"

    def context(self, variant: str, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rows with a cell per seat, or the place of each seat."""
        definition = self.definition
        remarks = words_of(definition.remarks).into(reader_language()) if definition.remarks else ""
        common = {"seats": seats, "remarks": remarks}
        if isinstance(definition.sheet, PlacesSheet):
            return common | {"places": _places(seats, sheet), "ties": definition.sheet.ties}
        return common | {
            "rows": [
                {
                    "name": row.name,
                    "hint": row.hint,
                    "rule": json.dumps(_rule(row)),
                    "cells": [
                        {"seat": seat, "field": dotted(*path), "value": shown(sheet, *path)}
                        for seat, path in zip(seats, row.paths, strict=True)
                    ],
                }
                for row in self._rows(seats, sheet)
            ],
            "is_open": self._is_open,
            "is_low": "1" if definition.is_low else "",
            "target": getattr(definition.sheet, "target", None),
            "end": self._end,
        }

    def read(self, data: QueryDict, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
        """Return what the fields say; rounds end with the last one in which something is written."""
        report = frame(self.engine.slug, variant, seats)
        match self.definition.sheet:
            case PlacesSheet():
                given = {seat.uid: _number(data.get(dotted("places", seat.uid), "")) for seat in seats}
                order = sorted({place for place in given.values() if place is not None})
                return report | {"places": [[uid for uid, at in given.items() if at == place] for place in order]}
            case PointsSheet():
                typed = {seat.uid: data.get(dotted("points", seat.uid), "") for seat in seats}
                return report | {"points": _given(typed)}
            case CategoriesSheet(lines=lines):
                columns = {
                    seat.uid: _given({line.key: data.get(dotted("lines", seat.uid, line.key), "") for line in lines})
                    for seat in seats
                }
                return report | {"lines": columns}
            case RoundsSheet():
                rounds = [
                    _given({seat.uid: data.get(dotted("rounds", index, seat.uid), "") for seat in seats})
                    for index in range(MOST_ROUNDS)
                ]
                while rounds and not rounds[-1]:
                    rounds.pop()
                return report | {"rounds": rounds}

    def field_of(self, path: Path) -> str:
        """Return the cell a finding belongs to; of names in order there is one place for all."""
        match path:
            case ("points", str(), *_):
                return dotted(*path[:2])
            case ("lines", str(), str(), *_) | ("rounds", int(), str(), *_):
                return dotted(*path[:3])
            case ("places" | "points" | "lines" | "rounds" as name, *_):
                return name
        return ""

    @property
    def _is_open(self) -> bool:
        """Whether rounds are added as they are played."""
        sheet = self.definition.sheet
        return isinstance(sheet, RoundsSheet) and (sheet.rounds is None or sheet.target is not None)

    @property
    def _end(self) -> str:
        """When the game ends, in words."""
        sheet = self.definition.sheet
        if not isinstance(sheet, RoundsSheet):
            return ""
        if sheet.target is not None and sheet.rounds is not None:
            text = _("The game ends when somebody has {target}, at the latest after {rounds} rounds.")
            return text.format(target=sheet.target, rounds=sheet.rounds)
        if sheet.target is not None:
            return _("The game ends when somebody has {target}.").format(target=sheet.target)
        return ""

    def _rows(self, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> list[Row]:
        language, kind = reader_language(), self.definition.sheet
        if isinstance(kind, PointsSheet):
            paths = tuple(("points", seat.uid) for seat in seats)
            return [Row(_("Points"), _hint(kind), kind, "points", 1, paths)]
        if isinstance(kind, RoundsSheet):
            return [
                Row(
                    pgettext("of a game", "Round {number}").format(number=index + 1),
                    _hint(kind) if index == 0 else "",
                    kind,
                    "rounds",
                    1,
                    tuple(("rounds", index, seat.uid) for seat in seats),
                )
                for index in range(self._room(kind, sheet))
            ]
        return [
            Row(
                words_of(line.name).into(language),
                _hint(line, line.factor),
                line,
                line.key,
                line.factor,
                tuple(("lines", seat.uid, line.key) for seat in seats),
            )
            for line in self.definition.lines
        ]

    def _room(self, kind: RoundsSheet, sheet: Mapping[str, Any]) -> int:
        """Return how many rounds there is room for."""
        if kind.rounds is not None:
            return kind.rounds
        written = dig(sheet, "rounds")
        return min(max(ROOM, (len(written) if isinstance(written, list) else 0) + MORE), MOST_ROUNDS)


def _hint(entry: Entry, factor: int = 1) -> str:
    """Say in a few signs what may be written."""
    possible = entry.possible
    parts: list[str] = []
    if not isinstance(possible, range):
        parts.append(" / ".join(map(str, possible[:6])) + (" …" if len(possible) > 6 else ""))
    elif possible[-1] < LARGEST:
        parts.append(f"{possible[0]}–{possible[-1]}")
    if factor != 1:
        parts.append(f"×{factor}" if factor else _("breaks ties"))
    if entry.sum is not None:
        parts.append(f"Σ {entry.sum}")
    return " · ".join(parts)


def _rule(row: Row) -> dict[str, Any]:
    """Return the limits of a row as the script reads them."""
    possible = row.entry.possible
    limits: dict[str, Any] = (
        {"min": possible[0], "max": possible[-1], "step": possible.step}
        if isinstance(possible, range)
        else {"values": list(possible)}
    )
    return limits | {"factor": row.factor, "given": row.entry.given_to, "sum": row.entry.sum}


def _places(seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> list[dict[str, Any]]:
    groups = dig(sheet, "places")
    found = {
        uid: number
        for number, group in enumerate(groups if isinstance(groups, list) else (), 1)
        for uid in (group if isinstance(group, list) else ())
        if isinstance(uid, str)
    }
    return [
        {
            "seat": seat,
            "name": dotted("places", seat.uid),
            "chosen": found.get(seat.uid),
            "numbers": range(1, len(seats) + 1),
        }
        for seat in seats
    ]


def _number(text: str) -> int | None:
    """Return the whole number that was typed, which may be below zero; None for anything else."""
    text = text.strip().replace("−", "-")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def _given(typed: Mapping[str, str]) -> dict[str, int]:
    """Return the numbers that were typed; what is empty or garbled is left out, so that the rules name it."""
    return {name: number for name, text in typed.items() if (number := _number(text)) is not None}
