"""What an organiser sees of an event at once: its tables and their state, who has no seat, what the seating costs."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.http import Http404

from scoring.models import Report
from tournaments import selectors
from tournaments.models import Entry, Event, Format, Round, Seat, Table
from tournaments.services import rounds
from tournaments.services.entries import UNPLAYED

TONES: Mapping[str, str] = {
    Table.Status.PLAYING: "info",
    Table.Status.REPORTED: "warn",
    Table.Status.DISPUTED: "bad",
    Table.Status.FINAL: "good",
}
WAITING = (Table.Status.PLAYING, Table.Status.REPORTED, Table.Status.DISPUTED)
LIVE = (Report.Status.PENDING, Report.Status.DISPUTED, Report.Status.FINAL)
UNIT = 840  # what points, and so the spread, are counted in
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
    apart_broken: int

    @property
    def is_best(self) -> bool:
        """Whether no seating has fewer repeated opponents, and nobody sits with whom they should not."""
        return self.repeats <= self.floor and not self.apart_broken


@dataclass(frozen=True, slots=True)
class Board:
    """An event with one of its rounds; in open play with the tables that players formed."""

    event: Event
    current: Round | None
    rounds: Sequence[Round]
    cards: Sequence[Card]
    unseated: Sequence[Entry]
    present: Sequence[Entry]

    @property
    def is_open_play(self) -> bool:
        """Whether players form the tables."""
        return self.event.format == Format.OPEN

    @property
    def counts(self) -> list[tuple[str, str, int]]:
        """How many tables are in which state: its tone, its name, the number."""
        found = Counter(card.table.status for card in self.cards)
        return [(TONES.get(status, ""), str(status.label), found[status]) for status in Table.Status if found[status]]

    @property
    def settled(self) -> int:
        """How many tables have a result, or will have none."""
        return sum(card.table.status in rounds.SETTLED for card in self.cards)

    @property
    def pending(self) -> int:
        """How many tables have a sheet that waits for somebody's word."""
        return sum(card.table.status == Table.Status.REPORTED for card in self.cards)

    @property
    def can_move(self) -> bool:
        """Whether players can still be moved."""
        return any(card.can_move for card in self.cards)

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
            apart_broken=quality.get("apart_broken", 0),
        )


def board_of(event: Event, number: int | None = None) -> Board:
    """Return the board of an event with a round: the one of that number (404 without), or the one that is on.

    Takes a fixed number of queries.
    """
    planned = list(selectors.rounds_of(event).exclude(kind=Round.Kind.OPEN).prefetch_related(None))
    current = _chosen(planned, number)
    tables = _tables(event, current)
    present = list(selectors.entries_of(event).filter(status=Entry.Status.CHECKED_IN))
    seated = {seat.entry_id for table in tables for seat in table.seats.all()}
    return Board(
        event=event,
        current=current,
        rounds=planned,
        cards=_cards(tables, current),
        unseated=[entry for entry in present if entry.pk not in seated] if current and current.is_open else [],
        present=present,
    )


def _chosen(planned: Sequence[Round], number: int | None) -> Round | None:
    if number is None:
        return next((each for each in planned if each.is_open), planned[-1] if planned else None)
    found = next((each for each in planned if each.number == number), None)
    if found is None:
        raise Http404
    return found


def _tables(event: Event, current: Round | None) -> list[Table]:
    """Return the tables of a round; in open play those of all."""
    if current is not None:
        prefetch_related_objects([current], selectors.TABLES)
        return list(current.tables.all())
    formed = Table.objects.filter(round__event=event).exclude(round__status=Round.Status.CANCELLED)
    return list(formed.order_by("-pk").prefetch_related(selectors.SEATS)[:MOST_OPEN_TABLES])


def _cards(tables: Sequence[Table], current: Round | None) -> list[Card]:
    flags = Report.objects.filter(table__in=tables, status__in=LIVE).values_list("table", "flags")
    flagged = {table for table, found in flags if found}
    nudged = selectors.nudged_at(tables)
    return [
        Card(
            table=table,
            seats=list(table.seats.all()),
            tone=TONES.get(table.status, ""),
            is_flagged=table.pk in flagged,
            nudged_at=nudged.get(table.pk) if table.status in WAITING else None,
            can_move=current is not None and current.is_open and table.status in UNPLAYED,
        )
        for table in tables
    ]
