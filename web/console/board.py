"""What an organiser sees of an event at once: its tables and their state, who has no seat, what the seating costs."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, prefetch_related_objects
from django.http import Http404
from django.utils import timezone
from django.utils.translation import ngettext_lazy

from core.clocks import is_fresh
from scoring.models import Placing, Report
from scoring.units import UNIT
from tournaments import selectors
from tournaments.models import Call, Entry, Event, Format, Round, Seat, Table
from tournaments.services.joining import A_CROWD, A_MINUTE

TONES: Mapping[str, str] = {
    Table.Status.PLAYING: "info",
    Table.Status.REPORTED: "warn",
    Table.Status.DISPUTED: "bad",
    Table.Status.FINAL: "good",
}
# A state in numbers; in French it agrees with them.
COUNTED = {
    Table.Status.SEATED: ngettext_lazy("%(number)s seated", "%(number)s seated", "number"),
    Table.Status.PLAYING: ngettext_lazy("%(number)s playing", "%(number)s playing", "number"),
    Table.Status.REPORTED: ngettext_lazy("%(number)s reported", "%(number)s reported", "number"),
    Table.Status.DISPUTED: ngettext_lazy("%(number)s disputed", "%(number)s disputed", "number"),
    Table.Status.FINAL: ngettext_lazy("%(number)s final", "%(number)s final", "number"),
    Table.Status.DROPPED: ngettext_lazy("%(number)s dropped", "%(number)s dropped", "number"),
}
WAITING = (Table.Status.PLAYING, Table.Status.REPORTED, Table.Status.DISPUTED)
MOST_CARDS = 12  # on one screen, each with its names; more become tiles
URGENT = ("call", "dispute", "flag", "late", "sheet", "")  # what stands first on the board, by what it needs
MOST_OPEN_TABLES = 60  # of open play, on one page: latest first


@dataclass(frozen=True, slots=True)
class Card:
    """A table on the board."""

    table: Table
    seats: Sequence[Seat]
    tone: str
    is_flagged: bool
    nudged_at: dt.datetime | None
    can_move: bool
    is_draft: bool = False
    is_late: bool = False  # its time is up, and there is no sheet
    calls: Sequence[Call] = ()

    @property
    def needs(self) -> str:
        """What needs the organiser here, the most urgent first; empty where nothing does."""
        if any(call.status == Call.Status.OPEN for call in self.calls):
            return "call"
        if self.table.status == Table.Status.DISPUTED:
            return "dispute"
        if self.is_flagged:
            return "flag"
        if self.is_late:
            return "late"
        return "sheet" if self.table.status == Table.Status.REPORTED else ""

    @property
    def places(self) -> list[Placing]:
        """The places of its seats, best first; none while it has no result that counts."""
        return sorted((seat.placing for seat in self.seats if hasattr(seat, "placing")), key=lambda each: each.rank)

    @property
    def is_waiting(self) -> bool:
        """Whether its result is still to come."""
        return self.table.status in WAITING


@dataclass(frozen=True, slots=True)
class Cost:
    """What a seating costs against the least that is possible."""

    repeats: int
    floor: int
    spread: float
    least_spread: float
    positions: int
    apart_broken: int


class Line(NamedTuple):
    """A tie at the line of a cut: between whom, for how many places, and what decided."""

    contested: Sequence[str]
    places: int
    decided_by: str
    order: Sequence[str]
    seed: int


@dataclass(frozen=True, slots=True)
class Board:
    """An event with one of its rounds; in open play with the tables that players formed."""

    event: Event
    current: Round | None
    rounds: Sequence[Round]
    cards: Sequence[Card]
    unseated: Sequence[Entry]
    present: Sequence[Entry]
    unproven: Sequence[Entry]
    is_crowded: bool
    entered: int
    absent: int

    @property
    def is_open_play(self) -> bool:
        """Whether players form the tables."""
        return self.event.format == Format.OPEN

    @property
    def has_open_round(self) -> bool:
        """Whether a round is a draft, seated or running."""
        return any(each.is_open for each in self.rounds)

    @property
    def counts(self) -> list[tuple[str, str]]:
        """How many tables are in which state: its tone, and the number with its name."""
        found = Counter(Table.Status(card.table.status) for card in self.cards)
        return [(TONES.get(each, ""), text % {"number": found[each]}) for each, text in COUNTED.items() if found[each]]

    @property
    def settled(self) -> int:
        """How many tables have a result, or will have none."""
        return sum(card.table.status in Table.SETTLED for card in self.cards)

    @property
    def pending(self) -> int:
        """How many tables have a sheet that waits for somebody's word."""
        return sum(card.table.status == Table.Status.REPORTED for card in self.cards)

    @property
    def is_dense(self) -> bool:
        """Whether there are so many tables that each is a tile, and its card opens when it is pressed."""
        is_on = self.current is None or self.current.status == Round.Status.RUNNING
        return is_on and len(self.cards) > MOST_CARDS

    @property
    def needing(self) -> int:
        """How many tables need the organiser."""
        return sum(bool(card.needs) for card in self.cards)

    @property
    def can_move(self) -> bool:
        """Whether players can still be moved."""
        return any(card.can_move for card in self.cards)

    @property
    def line(self) -> Line | None:
        """Who was level at the line of the cut before this round; None where nobody was."""
        cut = self.current.cut if self.current else {}
        if not cut.get("contested"):
            return None
        names = {entry.uid: entry.name for entry in self.present}
        contested, order = ([names.get(uid, "–") for uid in cut[key]] for key in ("contested", "order"))
        return Line(contested, cut["places"], cut["decided_by"], order, cut["seed"])

    @property
    def cost(self) -> Cost | None:
        """What the seating costs; None where nothing was seated."""
        if self.current is None or not self.current.quality:
            return None
        quality = self.current.quality
        return Cost(
            repeats=quality["repeats"],
            floor=quality["repeats_bound"],
            spread=quality["spread"] / UNIT,
            least_spread=quality.get("spread_bound", 0) / UNIT,
            positions=quality.get("positions", 0),
            apart_broken=quality.get("apart_broken", 0),
        )


def board_of(event: Event, number: int | None = None, *, is_public: bool = False) -> Board:
    """Return the board of an event with a round: the one of that number (404 without), or the one that is on.

    A public board has no draft. Takes a fixed number of queries.
    """
    rounds = selectors.published_rounds(event) if is_public else selectors.rounds_of(event)
    rounds = rounds.exclude(kind=Round.Kind.OPEN).select_related(None).prefetch_related(None)
    planned = [] if event.format == Format.OPEN else list(rounds)
    for each in planned:
        each.event = event
    current = _chosen(planned, number)
    everybody = list(selectors.entries_of(event))
    tables = _tables(event, current, everybody)
    present = [entry for entry in everybody if entry.status == Entry.Status.CHECKED_IN]
    return Board(
        event=event,
        current=current,
        rounds=planned,
        cards=_public_cards(tables, current) if is_public else _cards(tables, current, timezone.now()),
        unseated=_unseated(event, current, present, tables),
        present=present,
        unproven=[entry for entry in everybody if entry.claims_id],
        is_crowded=_came_lately(everybody) >= A_CROWD,
        entered=len(everybody),
        absent=sum(entry.status == Entry.Status.REGISTERED for entry in everybody),
    )


def _came_lately(everybody: Sequence[Entry]) -> int:
    """Count who came in a moment ago by themselves; whom the club enters from a list it knows."""
    is_new = (is_fresh(entry.created_at, timezone.now(), A_MINUTE) for entry in everybody if entry.rests_on != [])
    return sum(is_new)


def _unseated(event: Event, current: Round | None, present: Sequence[Entry], tables: Sequence[Table]) -> list[Entry]:
    """Return who is here without a table: in the round that is on, in open play at this moment."""
    if current is None and (event.format != Format.OPEN or event.status != Event.Status.RUNNING):
        return []
    if current is not None and not current.is_open:
        return []
    busy = tables if current else [table for table in tables if table.status in Table.UNPLAYED]
    seated = {seat.entry_id for table in busy for seat in table.seats.all()}
    return [entry for entry in present if entry.pk not in seated]


def _chosen(planned: Sequence[Round], number: int | None) -> Round | None:
    if number is None:
        return next((each for each in planned if each.is_open), planned[-1] if planned else None)
    found = next((each for each in planned if each.number == number), None)
    if found is None:
        raise Http404
    return found


def _tables(event: Event, current: Round | None, everybody: Sequence[Entry]) -> Sequence[Table]:
    """Return the tables of a round, in open play those of all, in two statements.

    One is for what is known of them, one for their seats with the places that count.
    """
    flagged = Report.objects.filter(table=OuterRef("pk"), status__in=Report.STANDING).exclude(flags=[])
    rows = Table.objects.annotate(is_flagged=Exists(flagged), nudged_at=selectors.last_nudge("pk"))
    if current is not None:
        tables = list(rows.filter(round=current).order_by("number"))
    else:
        formed = rows.filter(round__event=event).exclude(round__status=Round.Status.CANCELLED)
        tables = list(formed.order_by("-pk")[:MOST_OPEN_TABLES])
    prefetch_related_objects(tables, Prefetch("seats", Seat.objects.select_related("placing").order_by("position")))
    entries = {entry.pk: entry for entry in everybody}
    for table in tables:
        if current is not None:
            table.round = current
        for seat in table.seats.all():
            seat.entry = entries[seat.entry_id]
            if hasattr(seat, "placing"):
                seat.placing.entry = seat.entry
    return tables


def _calls(tables: Sequence[Table]) -> dict[int, list[Call]]:
    """Return the calls of tables that are not done, by table; nothing is asked where no table has one."""
    found: dict[int, list[Call]] = {}
    calling = [table.pk for table in tables if table.call]
    waiting = Call.objects.filter(table__in=calling).exclude(status=Call.Status.DONE)
    for call in waiting.select_related("entry", "other"):
        found.setdefault(call.table_id, []).append(call)
    return found


def _public_cards(tables: Sequence[Table], current: Round | None) -> list[Card]:
    """Return tables as everybody sees them: without calls, in the order of their numbers."""
    return [_card(table, current) for table in tables]


def _cards(tables: Sequence[Table], current: Round | None, now: dt.datetime) -> list[Card]:
    """Return tables as the club sees them, those that need somebody first."""
    calls = _calls(tables)
    cards = [
        replace(
            _card(table, current),
            is_late=current is not None and _is_late(table, now),
            calls=calls.get(table.pk, ()),
        )
        for table in tables
    ]
    return sorted(cards, key=lambda card: URGENT.index(card.needs))


def _is_late(table: Table, now: dt.datetime) -> bool:
    is_on = table.status == Table.Status.PLAYING and table.seconds_left is None
    return is_on and table.ends_at is not None and table.ends_at <= now


def _card(table: Table, current: Round | None) -> Card:
    return Card(
        table=table,
        seats=list(table.seats.all()),
        tone=TONES.get(table.status, ""),
        is_flagged=table.is_flagged,  # type: ignore[attr-defined]  # annotated by `_tables`
        nudged_at=table.nudged_at if table.status in WAITING else None,  # type: ignore[attr-defined]
        can_move=current is not None and current.is_open and table.status in Table.UNPLAYED,
        is_draft=current is not None and current.is_draft,
    )
