"""Where two sheets of one table part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from engines.base import Engine, Path

MISSING = None


@dataclass(frozen=True, slots=True)
class Difference:
    """The first entry in which two sheets differ; None stands for one that a sheet does not have."""

    path: Path
    one: Any
    other: Any


def first_difference(engine: Engine, one: Mapping[str, Any], other: Mapping[str, Any]) -> Difference | None:
    """Return where two legal sheets first differ in what a table must report, in the order people read a sheet."""
    order = {label: place for place, label in enumerate(one["seats"])}
    return _compare(engine.minimal(one), engine.minimal(other), (), order)


def _compare(one: Any, other: Any, path: Path, order: Mapping[str, int]) -> Difference | None:
    if one == other:
        return None
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted({**one, **other}, key=lambda name: order.get(name, -1))  # stable: fields stay in their order
        pairs: Sequence[tuple[str | int, Any, Any]] = [(key, one.get(key), other.get(key)) for key in names]
    elif isinstance(one, list) and isinstance(other, list):
        pairs = [(at, mine, theirs) for at, (mine, theirs) in enumerate(zip_longest(one, other, fillvalue=MISSING))]
    else:
        return Difference(path, one, other)
    found = (_compare(mine, theirs, (*path, key), order) for key, mine, theirs in pairs)
    return next((each for each in found if each is not None), None)
