"""Standings as pages, the projector and paper show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.computations import Kind, Progress, progress_of
from scoring.selectors import standing_rows
from tournaments.models import Event, TieBreak

WHOLE = ".000"


@dataclass(frozen=True, slots=True)
class Shown:
    """The standings of an event; `tiebreaks` are the names of its columns."""

    rows: Sequence[dict[str, Any]]
    tiebreaks: Sequence[str]

    @property
    def is_begun(self) -> bool:
        """Whether anybody has a result yet."""
        return any(row["tables"] for row in self.rows)


def standings_of(event: Event, *, most: int | None = None, is_explained: bool = True) -> Shown:
    """Return the first of an event's standings, or all. Points that are all whole are shown without decimals."""
    rows = standing_rows(event, most=most, is_explained=is_explained)
    if all(row["points"].endswith(WHOLE) for row in rows):
        rows = [row | {"points": row["points"].removesuffix(WHOLE)} for row in rows]
    return Shown(rows, [str(TieBreak(key).label) for key in event.tiebreaks])


def standings_progress(event: Event) -> Progress:
    """Return how far the standings of an event are computed."""
    return progress_of(Kind.STANDINGS, event.uid)
