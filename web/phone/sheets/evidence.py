"""Evidence that a form has no field for: found in a report, carried along with the form, and put back.

Knows no game: each game's sheet lists its `fields`. What contradicts the fields is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

Pattern: TypeAlias = tuple[str | None, ...]
"""A path of a report in which None stands for any seat or index: `("rounds", None, "tokens")`."""

FRAME: tuple[Pattern, ...] = (("game",), ("variant",), ("seats",))


def split(value: Any, fields: Iterable[Pattern]) -> tuple[Any, Any]:
    """Return the part of a report that has fields and the part that has none; None where a part is empty.

    Both parts keep the places of a list, so that `merged` can put them together again.
    """
    fields = list(fields)
    if () in fields:
        return value, None
    if isinstance(value, Mapping):
        parts = {key: split(inner, _below(fields, key)) for key, inner in value.items()}
        return _filled({key: part[0] for key, part in parts.items()}), _filled(
            {key: part[1] for key, part in parts.items()}
        )
    if isinstance(value, list):
        pairs = [split(inner, _below(fields, None)) for inner in value]
        return _any([pair[0] for pair in pairs]), _any([pair[1] for pair in pairs])
    return None, value


def _below(fields: Iterable[Pattern], step: str | None) -> list[Pattern]:
    return [field[1:] for field in fields if field[0] in (step, None)]


def _filled(parts: dict[str, Any]) -> dict[str, Any] | None:
    return {key: part for key, part in parts.items() if part is not None} or None


def _any(parts: list[Any]) -> list[Any] | None:
    return parts if any(part is not None for part in parts) else None


def merged(report: Any, kept: Any) -> Any:
    """Return a report with what was kept put back. What the fields say wins; a list stays as long as they say."""
    if kept is None:
        return report
    if isinstance(report, Mapping) and isinstance(kept, Mapping):
        back = {key: merged(report[key], inner) if key in report else inner for key, inner in kept.items()}
        return {**report, **back}
    if isinstance(report, list) and isinstance(kept, list):
        return [merged(each, kept[index] if index < len(kept) else None) for index, each in enumerate(report)]
    return report
