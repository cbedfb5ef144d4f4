"""Standings as the organiser's pages, the projector and paper show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.derived import Kind
from core.models import Derived
from scoring.models import StandingRow
from scoring.standings.values import UNIT
from tournaments.models import Event, TieBreak


@dataclass(frozen=True, slots=True)
class Line:
    """A place in the standings, in words."""

    rank: int
    name: str
    points: str
    tables: int
    tiebreaks: Sequence[str]
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """The standings of an event; `tiebreaks` are the names of its columns."""

    lines: Sequence[Line]
    tiebreaks: Sequence[str]
    is_up_to_date: bool

    @property
    def is_begun(self) -> bool:
        """Whether anybody has a result yet."""
        return any(line.tables for line in self.lines)


def standings_of(event: Event, most: int | None = None) -> Shown:
    """Return the standings of an event, or the first so many places of them."""
    rows = list(StandingRow.objects.filter(event=event).select_related("entry").order_by("place")[:most])
    digits = 0 if all(row.points % UNIT == 0 for row in rows) else 2
    return Shown(
        lines=[
            Line(
                rank=row.rank,
                name=row.entry.name,
                points=f"{row.points / UNIT:.{digits}f}",
                tables=row.tables,
                tiebreaks=[each["value"] or "–" for each in row.tiebreaks],
                is_ranked=row.is_ranked,
            )
            for row in rows
        ],
        tiebreaks=[str(TieBreak(key).label) for key in event.tiebreaks],
        is_up_to_date=_state(event)[1],
    )


def standings_tag(event: Event) -> str:
    """Return what changes when the standings do, or become out of date."""
    done, is_up_to_date = _state(event)
    return f"{done}{'' if is_up_to_date else '-pending'}"


def _state(event: Event) -> tuple[int, bool]:
    row = Derived.objects.filter(kind=Kind.STANDINGS, key=event.uid).first()
    return (row.done, row.is_up_to_date) if row else (0, True)
