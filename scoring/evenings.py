"""An evening as one player sees it: where they sit, what is asked of them now, and how they are doing."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db.models import Count, Max, Prefetch, Q, QuerySet
from django.utils import timezone

from scoring.models import Placing, RatingChange, Report, StandingRow
from scoring.results import LIVE
from scoring.selectors import VOICES
from tournaments import selectors
from tournaments.models import Confirmation, Entry, Event, Format, Round, Seat, SitOut, Table

PLACE_EVERY = 30  # seconds after which a phone is told of a new place
SPREAD = 7  # seconds between two players, so that not all phones are told at once
SETTLED = {Table.Status.FINAL, Table.Status.DROPPED}


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


class Between(StrEnum):
    """Why a player sits at no table now."""

    OVER = "over"
    LEFT = "left"
    CHECK_IN = "check-in"
    SOON = "soon"
    SITTING_OUT = "sitting-out"
    LATE = "late"
    NEXT = "next"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Place:
    """A player's seat at a table, and what is asked of them there. `report` is the sheet that waits or counts."""

    table: Table
    position: int
    others: Sequence[Entry]
    ask: Ask
    report: Report | None
    placing: Placing | None
    nudged_at: dt.datetime | None

    @property
    def can_begin(self) -> bool:
        """Whether enough people sit at a table that is being formed."""
        return len(self.others) + 1 >= self.table.round.event.table_min


@dataclass(frozen=True, slots=True)
class Played:
    """A table that is over: the player's place there, and what it did to their rating."""

    table: Table
    placing: Placing
    change: int | None


@dataclass(frozen=True, slots=True)
class Evening:
    """Everything a player's own page shows. Ratings are in thousandths."""

    entry: Entry
    event: Event
    places: Sequence[Place]
    between: Between | None
    standing: StandingRow | None
    ranked: int
    played: Sequence[Played] = field(default_factory=list)
    round: Round | None = None

    @property
    def change(self) -> int | None:
        """What the evening did to the player's rating so far; None where no table was rated."""
        changes = [each.change for each in self.played if each.change is not None]
        return sum(changes) if changes else None

    @property
    def can_form(self) -> bool:
        """Whether the player may form a table, or sit down at one."""
        unplayed = {Ask.GATHER, Ask.ENTER}
        is_on = self.event.format == Format.OPEN and self.event.status == Event.Status.RUNNING
        is_here = self.entry.status == Entry.Status.CHECKED_IN
        return is_on and is_here and not any(place.ask in unplayed for place in self.places)


def evening_of(entry: Entry) -> Evening:
    """Return a player's evening, in a fixed number of queries."""
    event = entry.event
    seats = list(_seats(entry))
    current = [seat for seat in seats if _is_current(seat)]
    reports = _reports([seat.table for seat in current])
    nudges = selectors.nudged_at([seat.table for seat in current])
    places = [_place(seat, entry, reports.get(seat.table_id, []), nudges.get(seat.table_id)) for seat in current]
    standings = StandingRow.objects.filter(event=event)
    now = selectors.open_round(event)
    return Evening(
        entry=entry,
        event=event,
        places=places,
        between=None if places else _between(entry, now),
        standing=standings.filter(entry=entry).first(),
        ranked=standings.filter(is_ranked=True).count(),
        played=[_played(seat) for seat in seats if hasattr(seat, "placing")],
        round=now,
    )


def version_of(entry: Entry, known: str = "") -> str:
    """Return what tells one state of a player's evening from another, much cheaper than the evening itself.

    What happens at other tables leaves it as it is, so that phones are not sent their page anew for every result. Only
    the player's place changes with them: a phone that holds a `known` version hears of that once in half a minute.
    """
    own = hashlib.blake2b(repr(_own(entry)).encode(), digest_size=12).hexdigest()
    turn = str(int(timezone.now().timestamp() + entry.pk * SPREAD) // PLACE_EVERY)
    before = known.split("-")
    if before[:2] == [own, turn]:
        return known
    place = StandingRow.objects.filter(event=entry.event).aggregate(
        rank=Max("rank", filter=Q(entry=entry)), ranked=Count("pk", filter=Q(is_ranked=True))
    )
    new = f"{place['rank']}_{place['ranked']}"
    return known if [before[0], before[-1]] == [own, new] else f"{own}-{turn}-{new}"


def _own(entry: Entry) -> tuple[Any, ...]:
    """Return everything that a player's page shows of themselves, their tables and the event."""
    event = entry.event
    seats = Seat.objects.filter(entry=entry).order_by("pk")
    now = selectors.open_round(event)
    scored = StandingRow.objects.filter(entry=entry)
    rated = RatingChange.objects.filter(placing__entry=entry).order_by("placing")
    return (
        (entry.pk, entry.status, event.status, event.format, event.confirmation, event.table_min),
        list(seats.values_list("table", "position", "table__version", "round__version", "round__status")),
        now and (now.pk, now.version),
        list(scored.values_list("points", "tables")),
        list(rated.values_list("before", "after")),
    )


def _seats(entry: Entry) -> QuerySet[Seat]:
    """Return the player's seats, latest first, with everybody at their tables."""
    seats = Seat.objects.filter(entry=entry).exclude(round__status=Round.Status.CANCELLED)
    seats = seats.select_related("table__round", "placing__change").order_by("-round__number")
    return seats.prefetch_related(Prefetch("table__seats", selectors.SEATS.queryset))


def _is_current(seat: Seat) -> bool:
    """Say whether a seat is one to sit on. Each table of open play has its own round, which stays open."""
    is_settled = seat.table.status in SETTLED
    return seat.table.round.is_open and not (seat.table.round.kind == Round.Kind.OPEN and is_settled)


def _reports(tables: Sequence[Table]) -> dict[int, list[Report]]:
    """Return the reports of tables that may count or do, with their voices, by table."""
    found: dict[int, list[Report]] = {}
    reports = Report.objects.filter(table__in=tables, status__in=[*LIVE, Report.Status.FINAL])
    for report in reports.select_related("entry").prefetch_related(VOICES).order_by("version"):
        found.setdefault(report.table_id, []).append(report)
    return found


def _place(seat: Seat, entry: Entry, reports: Sequence[Report], nudged_at: dt.datetime | None) -> Place:
    table = seat.table
    table.round.event = entry.event
    return Place(
        table=table,
        position=seat.position,
        others=[other.entry for other in table.seats.all() if other.entry_id != entry.pk],
        ask=ask_of(table, entry, reports),
        report=reports[0] if reports else None,
        placing=getattr(seat, "placing", None),
        nudged_at=nudged_at,
    )


def ask_of(table: Table, entry: Entry | None, reports: Sequence[Report]) -> Ask:
    """Return what a table asks of one of its players, or of whoever holds its slip; `reports` are those that count."""
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
        entry.pk in {report.entry_id, *(voice.entry_id for voice in report.agreed)} for report in reports
    )
    return Ask.WAIT if has_spoken else Ask.CONFIRM


def _between(entry: Entry, now: Round | None) -> Between:
    event = entry.event
    away = {Entry.Status.DROPPED.value: Between.LEFT, Entry.Status.REGISTERED.value: Between.CHECK_IN}
    if event.is_over:
        return Between.OVER
    if entry.status in away:
        return away[entry.status]
    if event.status != Event.Status.RUNNING:
        return Between.SOON
    if event.format == Format.OPEN:
        return Between.OPEN
    return _beside(entry, now) if now else Between.NEXT


def _beside(entry: Entry, now: Round) -> Between:
    """Say why somebody does not play in a round: the numbers forced it, or they came later."""
    return Between.SITTING_OUT if SitOut.objects.filter(round=now, entry=entry).exists() else Between.LATE


def _played(seat: Seat) -> Played:
    change = getattr(seat.placing, "change", None)
    return Played(seat.table, seat.placing, change and change.after - change.before)
