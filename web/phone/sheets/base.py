"""What the score sheets of all games share: seats with names, and fields that are named like the report they fill.

A field has the dotted path of the value it holds (`hands.k3v….coins`), so a finding's path leads to its field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from django.http import QueryDict

from engines.base import Path
from web.phone.sheets.evidence import Pattern


class SeatName(NamedTuple):
    """A seat of a table: its label in the report, the name people read, and that name as short as it can be there."""

    uid: str
    name: str
    short: str = ""


class Sheet(Protocol):
    """The score sheet of one game: a report becomes the fields of a form, and the fields become a report.

    `template` holds the fields alone; it finds what `context` returns under the name `sheet`. `script` is the ES
    module that makes them a pleasure. A report may be partial, and a draft may hold anything: neither function raises.
    `fields` are the parts of a report that `read` answers for. All other evidence stays as it came.
    """

    template: str
    script: str
    fields: tuple[Pattern, ...]

    def context(self, variant: str, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the template needs to show a report, whole or not."""
        ...

    def read(self, data: QueryDict, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
        """Return the report the fields say; what is empty or garbled is left out, so that the engine names it."""
        ...

    def field_of(self, path: Path) -> str:
        """Return the name of the field, or of the part of the sheet, a finding at a path belongs to."""
        ...


def dotted(*path: str | int) -> str:
    """Return the name of the field that holds the value at a path."""
    return ".".join(map(str, path))


def frame(game: str, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
    """Return what every report begins with."""
    return {"game": game, "variant": variant, "seats": [seat.uid for seat in seats]}


def whole(data: QueryDict, name: str) -> int | None:
    """Return the whole number in a field; None where there is none."""
    text = data.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def word(data: QueryDict, name: str) -> str | None:
    """Return the text in a field with single spaces; None where it is empty."""
    return " ".join(data.get(name, "").split()) or None


def given(**values: object) -> dict[str, Any]:
    """Return the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def dig(sheet: object, *path: str | int) -> Any:
    """Return the value at a path of a report that may be partial or nonsense; None where there is none."""
    for step in path:
        if isinstance(sheet, Mapping):
            sheet = sheet.get(step)
        elif isinstance(sheet, list) and isinstance(step, int) and step < len(sheet):
            sheet = sheet[step]
        else:
            return None
    return sheet


def shown(sheet: object, *path: str | int) -> str:
    """Return the text or the number at a path as a field shows it; empty where there is none."""
    value = dig(sheet, *path)
    return str(value) if isinstance(value, str | int) else ""
