"""Results as rows, without the reports behind them being judged."""

from __future__ import annotations

from django.utils import timezone

from scoring.models import Placing, Report, Result
from tests.factories import ClubFactory, EntryFactory
from tests.tournaments.events import event_of
from tournaments.models import Entry, Event, Round, Seat, Table


def event_with(names, **fields) -> tuple[Event, dict[str, Entry]]:
    """Return a running event with entries of these names."""
    event = event_of(fields.pop("club", None) or ClubFactory(), **{"status": Event.Status.RUNNING} | fields)
    return event, {name: EntryFactory(event=event, player__name=name) for name in names}


def round_of(event, number, kind=Round.Kind.NORMAL) -> Round:
    """Return a closed round of an event, made if there is none."""
    return Round.objects.get_or_create(
        event=event, number=number, defaults={"kind": kind, "status": Round.Status.CLOSED}
    )[0]


def play(event, number, entries, *, kind=Round.Kind.NORMAL, forfeits=()) -> Table:
    """Store the final result of a table: entries from first to last, scores falling by ten from 100."""
    played = round_of(event, number, kind)
    table = Table.objects.create(round=played, number=played.tables.count() + 1, variant="standard", status="final")
    report = Report.objects.create(table=table, version=1, status=Report.Status.FINAL, minimal="", author="user")
    now = timezone.now()
    common = {"event": event, "game": event.game}
    result = Result.objects.create(
        table=table, report=report, first_final_at=now, played_at=now, is_rated=True, **common
    )
    for position, entry in enumerate(entries, 1):
        seat = Seat.objects.create(table=table, round=played, entry=entry, position=position)
        Placing.objects.create(
            seat=seat,
            result=result,
            entry=entry,
            player=entry.player,
            at=now,
            rank=position,
            score=110 - 10 * position,
            is_forfeit=entry in forfeits,
            **common,
        )
    return table
