"""Events, entries and seats as rows, for tests of what people do between them."""

from __future__ import annotations

import datetime as dt

from tournaments.models import Club, Entry, Event, Player, Round, Seat, Table

START = dt.datetime(2026, 11, 18, 18, tzinfo=dt.UTC)


def event_of(club: Club, **fields) -> Event:
    """Return an event of a club, with registration open."""
    sizes = {"table_min": 3, "table_preferred": 4, "table_max": 5}
    fields = {"name": "DIX on Wednesday", "status": Event.Status.REGISTRATION} | sizes | fields
    return Event.objects.create(club=club, game="dix", variant="standard", starts_at=START, **fields)


def enter(event: Event, player: Player, **fields) -> Entry:
    """Return a player's entry in an event, under their own name."""
    return Entry.objects.create(event=event, player=player, **{"name": player.name} | fields)


def seat(entry: Entry, number: int = 1) -> Seat:
    """Return a seat of an entry at a table of its own."""
    played = Round.objects.create(event=entry.event, number=number, status=Round.Status.CLOSED)
    table = Table.objects.create(round=played, number=1, variant="standard")
    return Seat.objects.create(table=table, round=played, entry=entry, position=1)
