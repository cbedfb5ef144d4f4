"""Standings as the projector and paper show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.derived import Kind
from core.models import Derived
from scoring.selectors import standing_rows
from tournaments.models import Event, TieBreak

WHOLE = ".000"


@dataclass(frozen=True, slots=True)
class Shown:
    """The standings of an event; `tiebreaks` are the names of its columns."""

    rows: Sequence[dict[str, Any]]
    tiebreaks: Sequence[str]
    is_up_to_date: bool

    @property
    def is_begun(self) -> bool:
        """Whether anybody has a result yet."""
        return any(row["tables"] for row in self.rows)


def standings_of(event: Event) -> Shown:
    """Return the standings of an event. Points that are all whole are shown without decimals."""
    rows = standing_rows(event)
    if all(row["points"].endswith(WHOLE) for row in rows):
        rows = [row | {"points": row["points"].removesuffix(WHOLE)} for row in rows]
    return Shown(rows, [str(TieBreak(key).label) for key in event.tiebreaks], _state(event)[1])


def standings_tag(event: Event) -> str:
    """Return what changes when the standings do, or become out of date."""
    done, is_up_to_date = _state(event)
    return f"{done}{'' if is_up_to_date else '-pending'}"


def _state(event: Event) -> tuple[int, bool]:
    row = Derived.objects.filter(kind=Kind.STANDINGS, key=event.uid).first()
    return (row.done, row.is_up_to_date) if row else (0, True)
