"""The whole plan of a rotation: what was seated so far, and what is still to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments import selectors
from tournaments.models import Entry, Event, Round

PLANNED = "planned"


class PlannedTable(NamedTuple):
    """A table and who sits there, in seat order."""

    number: int
    entries: Sequence[Entry]


class PlannedRound(NamedTuple):
    """A round of the plan; its status is that of the round, or `PLANNED`."""

    number: int
    status: str
    tables: Sequence[PlannedTable]
    sitting_out: Sequence[Entry]


def plan_of(event: Event) -> list[PlannedRound]:
    """Return every round of an event: those that were seated, and those that its schedule has for later.

    The schedule is made with the first seating, and anew whenever players come or go.
    """
    seated = list(selectors.rounds_of(event).exclude(kind=Round.Kind.OPEN))
    found = [
        PlannedRound(
            each.number,
            each.status,
            [PlannedTable(table.number, [seat.entry for seat in table.seats.all()]) for table in each.tables.all()],
            each.sitting_out,
        )
        for each in seated
    ]
    entries = {entry.uid: entry for entry in selectors.entries_of(event)}
    here = {entry for entry in entries.values() if entry.status == Entry.Status.CHECKED_IN}
    for number, tables in enumerate(event.schedule, len(seated) + 1):
        groups = [[entries[uid] for uid in table if uid in entries] for table in tables]
        resting = here - {entry for group in groups for entry in group}
        planned = [PlannedTable(place, group) for place, group in enumerate(groups, 1)]
        found.append(PlannedRound(number, PLANNED, planned, sorted(resting, key=lambda entry: entry.name)))
    return found
