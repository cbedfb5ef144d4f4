"""Sheets as people read them: every entry in words, of one sheet or of two side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engines.base import Engine, Path
from scoring import validation

FRAME = {"game", "variant", "seats"}  # what every sheet of a table has in common
NOTHING = "–"


class Entry(NamedTuple):
    """One entry of a sheet: whose it is, empty for nobody's; where it stands; and what it says, per sheet."""

    name: str
    place: str
    values: tuple[str, ...]


def entries(engine: Engine, names: Mapping[str, str], *sheets: Mapping[str, Any]) -> list[Entry]:
    """Return what a table must report, entry by entry in the order of a sheet, with a value for each of the sheets."""
    order = {label: place for place, label in enumerate(names)}
    by_sheet = [dict(_leaves(engine.minimal(sheet), order)) for sheet in sheets]
    paths = dict.fromkeys(path for leaves in by_sheet for path in leaves)
    return [_entry(engine, names, path, [leaves.get(path) for leaves in by_sheet]) for path in paths]


def differences(engine: Engine, names: Mapping[str, str], *sheets: Mapping[str, Any]) -> list[Entry]:
    """Return the entries in which sheets differ, the first one first."""
    return [entry for entry in entries(engine, names, *sheets) if len(set(entry.values)) > 1]


def _leaves(value: Any, order: Mapping[str, int], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value with its path: fields as the rules have them, seats in order, which a database forgets."""
    match value:
        case dict():
            for name in sorted(value, key=lambda name: order.get(name, -1)):
                if path or name not in FRAME:
                    yield from _leaves(value[name], order, (*path, name))
        case list():
            for index, inner in enumerate(value):
                yield from _leaves(inner, order, (*path, index))
        case _:
            yield path, value


def _entry(engine: Engine, names: Mapping[str, str], path: Path, values: list[Any]) -> Entry:
    name = next((names[step] for step in path if isinstance(step, str) and step in names), "")
    said = tuple(NOTHING if value is None else names.get(value, str(value)) for value in values)
    return Entry(name, engine.place(path, validation.language()), said)
