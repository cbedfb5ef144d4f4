"""Reports and helpers the tests of Sixmix share."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engines.sixmix.report import check
from engines.vectors import vectors

VECTORS = vectors("sixmix")
REPORTS = {vector["id"]: vector["report"] for vector in VECTORS}

ABSENT = object()


def changed(report: dict[str, Any], *changes: tuple[tuple[str | int, ...], object]) -> dict[str, Any]:
    """Return a copy of a report with values set at paths, or removed where the value is ABSENT."""
    report = deepcopy(report)
    for path, value in changes:
        place: Any = report
        for step in path[:-1]:
            place = place[step]
        if value is ABSENT:
            del place[path[-1]]
        elif isinstance(place, list) and path[-1] == len(place):
            place.append(value)
        else:
            place[path[-1]] = value
    return report


def errors(report: object) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return codes without the slug, and paths, sorted."""
    return sorted((error.code.removeprefix("sixmix."), error.path) for error in check(report).errors)


def warnings(report: object) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return codes of warnings without the slug, and paths, sorted."""
    return sorted((warning.code.removeprefix("sixmix."), warning.path) for warning in check(report).warnings)


def keys(report: object) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Return rank and key by seat of a valid report."""
    return {row.seat: (row.rank, row.key) for row in check(report).standings or ()}
