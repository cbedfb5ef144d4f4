"""Sheets as people read them, entry by entry, and where two sheets of one table differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from core.language import reader_language
from engines.base import Engine, Path

FRAME = {"game", "variant", "seats"}  # what every sheet of a table has in common
NOTHING = "–"

Leaf = tuple[Path, tuple[Any, ...]]  # where an entry stands, and its value in each sheet; None where there is none


class Entry(NamedTuple):
    """One entry of a sheet or of two: whose it is, empty for nobody's; where it stands; and what each sheet says."""

    path: Path
    name: str
    place: str
    values: tuple[Any, ...]
    words: tuple[str, ...]

    @property
    def is_different(self) -> bool:
        """Whether the sheets do not say the same."""
        return any(value != self.values[0] for value in self.values)


def entries(engine: Engine, names: Mapping[str, str], sheet: Mapping[str, Any]) -> list[Entry]:
    """Return what a table must report, entry by entry in the order of a sheet."""
    return _entries(engine, names, _leaves([_layer(engine, sheet)], _order(sheet)))


def differences(
    engine: Engine, names: Mapping[str, str], one: Mapping[str, Any], other: Mapping[str, Any]
) -> list[Entry]:
    """Return the entries in which two sheets of a table differ, the first one first.

    Where both say the same of all that a table must report, these are the entries that decide the places.
    """
    order = _order(one)
    required = _entries(engine, names, _leaves([_layer(engine, one), _layer(engine, other)], order))
    if found := [entry for entry in required if entry.is_different]:
        return found
    evidence = [entry for entry in _entries(engine, names, _leaves([one, other], order)) if entry.is_different]
    return [entry for entry in evidence if _decides(engine, one, other, entry)] or evidence


def place(engine: Engine, path: Path) -> str:
    """Say in words where an entry stands, without its seat; of one that the game does not have, what it is called."""
    try:
        return engine.place(path, reader_language())
    except (KeyError, ValueError):  # a draft may hold anything
        return str(path[-1])


def _layer(engine: Engine, sheet: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a table must report of a sheet; all of it where rules that came later than the sheet refuse it."""
    return engine.minimal(sheet) if engine.check(sheet).ok else sheet


def _order(sheet: Mapping[str, Any]) -> dict[str, int]:
    return {label: place for place, label in enumerate(sheet["seats"])}


def _leaves(sheets: Sequence[Any], order: Mapping[str, int], path: Path = ()) -> Iterator[Leaf]:
    """Yield every value with its path: fields as the rules have them, seats in order, which a database forgets."""
    if any(isinstance(each, dict) for each in sheets):
        parts = [each if isinstance(each, dict) else {} for each in sheets]
        names = dict.fromkeys(name for part in parts for name in part if path or name not in FRAME)
        for name in sorted(names, key=lambda name: order.get(name, -1)):
            yield from _leaves([part.get(name) for part in parts], order, (*path, name))
    elif any(isinstance(each, list) for each in sheets):
        for index, inner in enumerate(zip_longest(*(each if isinstance(each, list) else [] for each in sheets))):
            yield from _leaves(inner, order, (*path, index))
    else:
        yield path, tuple(sheets)


def _entries(engine: Engine, names: Mapping[str, str], leaves: Iterable[Leaf]) -> list[Entry]:
    return [
        Entry(
            path,
            next((names[step] for step in path if isinstance(step, str) and step in names), ""),
            engine.place(path, reader_language()),
            values,
            tuple(NOTHING if value is None else names.get(value, str(value)) for value in values),
        )
        for path, values in leaves
    ]


def _decides(engine: Engine, one: Mapping[str, Any], other: Mapping[str, Any], entry: Entry) -> bool:
    """Say whether an entry is part of what decides the places: with the other sheet's value they are not the same."""
    mine, theirs = entry.values
    return _would_move(engine, one, entry.path, theirs) or _would_move(engine, other, entry.path, mine)


def _would_move(engine: Engine, sheet: Mapping[str, Any], path: Path, value: Any) -> bool:
    """Say whether a sheet has other places with another value, or is then refused for want of a tie-break alone."""
    changed = engine.check(_with(sheet, path, value))
    if changed.ok:
        return changed.standings != engine.check(sheet).standings
    return all(finding.code.endswith(".tiebreak-missing") for finding in changed.errors)


def _with(sheet: Any, path: Path, value: Any) -> Any:
    """Return a sheet with another value at a path; None takes the field away."""
    if not path:
        return value
    step, *rest = path
    if isinstance(sheet, list) and isinstance(step, int) and step < len(sheet):
        return [_with(each, tuple(rest), value) if index == step else each for index, each in enumerate(sheet)]
    if not isinstance(sheet, dict):
        return sheet
    others = {name: each for name, each in sheet.items() if name != step}
    changed = _with(sheet.get(step, {}), tuple(rest), value)
    return others if changed is None else others | {step: changed}
