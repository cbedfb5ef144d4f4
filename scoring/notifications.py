"""What a table asks of its players, and what a phone notifies its player of.

Said here once, for pages that are open (`templates/phone/_notifications.html`) and for messages to phones in pockets
(`services/phones.py`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from scoring.models import Report
from scoring.selectors import VOICES
from tournaments.models import Calling, Confirmation, Entry, Event, PushMessage, Round, Seat, Table
from tournaments.selectors import last_nudge

Kind = PushMessage.Kind
HIDDEN = (Round.Status.CANCELLED, Round.Status.DRAFT)  # rounds that players do not see


class Ask(StrEnum):
    """What a table asks of one of its players now."""

    GO = "go"
    GATHER = "gather"
    ENTER = "enter"
    CONFIRM = "confirm"
    WAIT = "wait"
    APPROVAL = "approval"
    DISPUTED = "disputed"
    FINAL = "final"
    DROPPED = "dropped"


def ask_of(table: Table, entry: Entry | None, reports: Sequence[Report]) -> Ask:
    """Return what a table asks of one of its players, or of a phone with its slip; `reports` are those that count."""
    match table.status:
        case Table.Status.SEATED:
            return Ask.GATHER if table.round.kind == Round.Kind.OPEN else Ask.GO
        case Table.Status.PLAYING:
            return Ask.ENTER
        case Table.Status.REPORTED:
            return _ask_of_reported(table.round.event, entry, reports)
    return Ask(table.status)  # the rest are called alike


def _ask_of_reported(event: Event, entry: Entry | None, reports: Sequence[Report]) -> Ask:
    if event.confirmation == Confirmation.ORGANISER:
        return Ask.APPROVAL
    has_spoken = entry is None or any(
        entry.pk in {None if report.is_by_slip else report.entry_id, *(voice.entry_id for voice in report.agreed)}
        for report in reports
    )
    return Ask.WAIT if has_spoken else Ask.CONFIRM


def is_open_play(seat: Seat) -> bool:
    """Say whether a seat is at a table of open play."""
    return seat.table.round.kind == Round.Kind.OPEN


def is_current(seat: Seat) -> bool:
    """Say whether a seat is one to sit on. Each table of open play has its own round, which stays open."""
    is_settled = seat.table.status in Table.SETTLED
    return seat.table.round.is_open and not (is_open_play(seat) and is_settled)


def standing_reports(tables: Iterable[Table]) -> dict[int, list[Report]]:
    """Return the reports of tables that may count or do, with their voices, by table."""
    found: dict[int, list[Report]] = {}
    reports = Report.objects.filter(table__in=tables, status__in=Report.STANDING)
    for report in reports.select_related("entry").prefetch_related(VOICES).order_by("version"):
        found.setdefault(report.table_id, []).append(report)
    return found


@dataclass(frozen=True, slots=True)
class Notification:
    """Something that is asked of a player; its `key` tells one occasion from another, `at` when it was, if known."""

    kind: Kind
    key: str
    table: Table | None = None
    position: int = 0
    at: dt.datetime | None = None

    @property
    def text(self) -> str:
        """What the player is told, in the language of the reader."""
        match self.kind:
            case Kind.PLACE:
                return _("You have a place")
            case Kind.SEAT:
                facts = {"number": self.table.number if self.table else 0, "seat": self.position}
                return _("Table %(number)s, seat %(seat)s") % facts
            case Kind.NUDGE:
                return _("The organiser asks for your result.")
            case Kind.CONFIRM:
                return _("Your confirmation is needed.")
            case Kind.COMING:
                return _("The organiser is coming.")
        return _("Somebody says that two players changed seats.")


RECURRING = (Kind.PLACE, Kind.COMING, Kind.ASKED)  # whose key may be an occasion again, once it was gone


def notifications_ahead(entry: Entry, event: Event) -> list[Notification]:
    """Return what an entry without a seat is told: that it has a place, until play begins."""
    is_in = entry.status == Entry.Status.REGISTERED
    is_in |= entry.status == Entry.Status.CHECKED_IN and event.status != Event.Status.RUNNING
    return [Notification(Kind.PLACE, Kind.PLACE.value)] if is_in and not event.is_over else []


def notifications_at(
    table: Table, position: int, *, ask: Ask, report: Report | None, nudged_at: dt.datetime | None
) -> Iterator[Notification]:
    """Yield what is asked of a player at a table; `report` is the sheet that waits there."""
    if ask in {Ask.GO, Ask.ENTER} and not table.round.event.is_solo:  # who plays alone sits where they like
        yield Notification(Kind.SEAT, f"seat-{table.uid}-{position}", table, position)
    if nudged_at and ask == Ask.ENTER:
        yield Notification(Kind.NUDGE, f"nudge-{table.uid}-{int(nudged_at.timestamp())}", table, position, nudged_at)
    if ask == Ask.CONFIRM and report is not None:
        yield Notification(Kind.CONFIRM, f"confirm-{report.uid}", table, position, report.created_at)
    if table.call in {Calling.COMING, Calling.ASKED}:
        yield Notification(Kind(table.call), f"{table.call}-{table.uid}", table, position)


def notifications_of(event: Event, entries: Sequence[Entry]) -> Mapping[int, list[Notification]]:
    """Return what is asked of entries of an event, by their keys, in two queries for all of them; one more for voices.

    The same as a page has for one player, which reads more.
    """
    seats = Seat.objects.filter(entry__in=entries, round__status__in=Round.OPEN).exclude(round__status__in=HIDDEN)
    seats = seats.select_related("table__round").annotate(nudged_at=last_nudge("table")).order_by("pk")
    found = [seat for seat in seats if is_current(seat)]
    for seat in found:
        seat.table.round.event = event
    reports = standing_reports([seat.table for seat in found if seat.table.status == Table.Status.REPORTED])
    by_key = {entry.pk: entry for entry in entries}
    seated = {seat.entry_id for seat in found}
    told = {key: [] if key in seated else notifications_ahead(entry, event) for key, entry in by_key.items()}
    for seat in found:
        standing = reports.get(seat.table_id, [])
        ask = ask_of(seat.table, by_key[seat.entry_id], standing)
        report = standing[0] if standing else None
        told[seat.entry_id] += notifications_at(
            seat.table, seat.position, ask=ask, report=report, nudged_at=seat.nudged_at
        )
    return told
