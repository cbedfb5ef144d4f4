"""Events that were played, to go out as files and in again."""

from __future__ import annotations

import datetime as dt
import json

from core.computations import Kind as Kinds
from scoring.services import files
from scoring.services.decisions import Choice, decide, propose
from scoring.services.reports import confirm_report, dispute_report, submit_report
from scoring.services.rounds import seat_next_round
from scoring.tasks import refresh
from tests.api.callers import bearer
from tests.factories import (
    CredentialFactory,
    MembershipFactory,
)
from tests.scoring.evenings import sheet_of
from tournaments.actors import Actor, Kind
from tournaments.games import engine_of_event, made_up_sheet
from tournaments.models import Event, Player, Table
from tournaments.services import entries, events, rounds

FILES = "/api/v1/clubs/{slug}/files/"
START = dt.datetime(2026, 11, 10, 19, tzinfo=dt.UTC)


def organiser_of(club, role="owner"):
    """Return an organiser of a club as an actor and as a caller."""
    user = MembershipFactory(club=club, role=role).user
    CredentialFactory(user=user, secret=f"lsu_{club.slug}")
    return Actor(Kind.USER, user=user), bearer(f"lsu_{club.slug}")


def played(club, actor, *, game="dix", people=9, number=2):
    """Return a finished event: reports, confirmations, an objection, a ranking by hand and a table that is dropped."""
    event = events.create_event(
        actor=actor,
        club=club,
        fields={"name": "Wednesday", "game": game, "starts_at": START},
    )
    event.refresh_from_db()
    events.change_status(actor=actor, event=event, status="registration")
    known = list(Player.objects.filter(home=club).order_by("pk")[:3])
    for player in known:
        entries.add_entry(actor=actor, event=event, player=player)
    for each in range(people - len(known)):
        entries.add_entry(actor=actor, event=event, name=f"Guest {event.uid[:5]} {each}")
    for seed in range(number):
        seated = seat_next_round(actor=actor, event=event, seed=seed)
        rounds.change_status(actor=actor, event=event, number=seated.number, status="running")
        for index, table in enumerate(Table.objects.filter(round=seated).order_by("number")):
            _play(actor, table, index + seed)
        rounds.change_status(actor=actor, event=event, number=seated.number, status="closed")
    events.change_status(actor=actor, event=event, status="finished")
    return Event.objects.get(pk=event.pk)


def _play(actor, table, number):
    seats = [Actor(Kind.ENTRY, entry=seat.entry) for seat in table.seats.select_related("entry__player")]
    if number == 3:
        ranking = {seat.entry.player.uid: (rank, None) for rank, seat in enumerate(seats, 1)}
        decide(propose(actor=actor, table=table, choice=Choice(ranking=ranking), reason="the sheet is lost"))
        return
    report = submit_report(actor=seats[0], table=table, sheet=sheet_of(table, number))
    if number == 1:
        report = dispute_report(actor=seats[1], report=report, reason="no")
        decide(propose(actor=actor, table=table, choice=Choice(report=report), reason="seen"))
    else:
        confirm_report(actor=seats[1], report=report)


def played_own(club, actor, definition, number=1):
    """Return a finished event of a game that the club described itself, with a table that counts."""
    game = f"custom:{definition['slug']}"
    fields = {"name": "Own", "game": game, "starts_at": START}
    event = events.create_event(actor=actor, club=club, fields=fields)
    events.change_status(actor=actor, event=event, status="registration")
    for each in range(3):
        entries.add_entry(actor=actor, event=event, name=f"Own {event.uid[:5]} {each}")
    seated = seat_next_round(actor=actor, event=event, seed=1)
    rounds.change_status(actor=actor, event=event, number=1, status="running")
    table = seated.tables.get()
    seats = [seat.entry for seat in table.seats.select_related("entry__player")]
    labels = [entry.player.uid for entry in seats]
    sheet = made_up_sheet(engine_of_event(Event.objects.get(pk=event.pk)), labels, str(number))
    report = submit_report(actor=Actor(Kind.ENTRY, entry=seats[0]), table=table, sheet=sheet)
    confirm_report(actor=Actor(Kind.ENTRY, entry=seats[1]), report=report)
    rounds.change_status(actor=actor, event=event, number=1, status="closed")
    events.change_status(actor=actor, event=event, status="finished")
    return Event.objects.get(pk=event.pk)


def file_of(event, *, is_whole=True):
    return json.loads(json.dumps(files.event_file(event, is_whole=is_whole), default=lambda value: value.isoformat()))


def refresh_all(event):
    """Compute what follows from results, as the worker does."""
    for kind, key in ((Kinds.STANDINGS, event.uid), (Kinds.RATINGS, event.game)):
        refresh(kind, key)


def read(client, path):
    response = client.get(path)
    assert response.status_code == 200, response.content
    return json.loads(response.content)
