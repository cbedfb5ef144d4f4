"""What a club's webhooks are told of results and ratings."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from core import computations
from core.models import Derived
from scoring import tasks
from scoring.models import Rating
from scoring.services.decisions import Choice, decide_table
from scoring.services.reports import dispute_report, submit_report
from scoring.services.rounds import seat_next_round
from tests.documents import ROOT
from tests.factories import AffiliationFactory, EventFactory, MembershipFactory, WebhookFactory
from tests.scoring.evenings import evening, sheet_of
from tests.tournaments.receivers import Receiver, receiver
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Confirmation, Delivery, MessageType, Role
from tournaments.services import attendance, entries, events, rounds
from tournaments.services.joining import sign_up
from tournaments.webhooks import delivery

pytestmark = pytest.mark.django_db


def test_a_club_is_told_of_results_corrections_and_ratings():
    tonight = evening(confirmation=Confirmation.TRUST)
    for entry in tonight.entries:
        AffiliationFactory(club=tonight.event.club, player=entry.player)
    WebhookFactory(club=tonight.event.club)
    WebhookFactory(types=["result.final"])  # of another club
    report = submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet(0))
    choice = Choice(sheet=tonight.sheet(1))
    decide_table(actor=tonight.organiser, table=tonight.table, choice=choice, reason="typed wrongly")
    tasks.refresh(computations.Kind.RATINGS, "dix")
    final, corrected, ratings = Delivery.objects.order_by("pk")
    assert [each.type for each in (final, corrected, ratings)] == [
        "result.final",
        "result.corrected",
        "ratings.changed",
    ]
    data = final.payload["data"]
    assert (data["report"], data["table"], data["event"]) == (report.uid, tonight.table.uid, tonight.event.uid)
    assert {row["seat"]: row["rank"] for row in data["standings"]} == {
        row["seat"]: row["rank"] for row in report.standings
    }
    assert data["url"].endswith(f"/api/v1/reports/{report.uid}/")
    moved = {row["player"]: row["after"] for row in ratings.payload["data"]["players"]}
    assert moved == {rating.player.uid: rating.rating / 1000 for rating in Rating.objects.all()}


def die(*_args: object) -> None:
    raise SystemExit


def test_what_a_worker_that_died_computed_is_told_by_the_next(monkeypatch):
    tonight = evening(confirmation=Confirmation.TRUST)
    AffiliationFactory(club=tonight.event.club, player=tonight.entries[0].player)
    WebhookFactory(club=tonight.event.club, types=["ratings.changed", "standings.final"])
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=1, status="closed")
    events.change_status(actor=tonight.organiser, event=tonight.event, status="finished")
    work = [
        ("announce_ratings", computations.Kind.RATINGS, "dix"),
        ("announce_standings", computations.Kind.STANDINGS, tonight.event.uid),
    ]
    for name, kind, key in work:
        with monkeypatch.context() as dying:
            dying.setattr(tasks, name, die)
            with pytest.raises(SystemExit):
                tasks.refresh(kind, key)
        Derived.objects.update(claimed_until=None)  # as when the lease of the dead worker is over
        tasks.refresh(kind, key)
    assert [each.type for each in Delivery.objects.order_by("pk")] == ["ratings.changed", "standings.final"]


# --- Everything an evening tells ----------------------------------------------------------------------------------


@pytest.fixture
def there(settings):
    """A receiver on this machine."""
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    with receiver() as running:
        yield running


def arrived(there: Receiver) -> list[tuple[str, dict[str, Any]]]:
    """Return what a receiver got since the last time, in the order in which it happened."""
    delivery.work()
    got = [json.loads(body) for _headers, body in there.got]
    there.got.clear()
    return [(message["type"], message["data"]) for message in sorted(got, key=lambda each: each["timestamp"])]


def types(there: Receiver) -> list[str]:
    """Return what a receiver was told of since the last time."""
    return [kind for kind, _data in arrived(there)]


def test_an_evening_is_told_from_its_first_entry_to_its_end(there):
    owner = Actor(Kind.USER, user=MembershipFactory(role=Role.OWNER).user)
    club = owner.user.clubs.get()
    fields = {"name": "E", "game": "dix", "starts_at": timezone.now(), "table_min": 3, "table_max": 4}
    ahead = {"sign_up_ahead": True, "check_in": True}
    event = events.create_event(actor=owner, club=club, fields=fields | ahead)
    WebhookFactory(club=club, url=there.url)
    club_and_event = {"club": club.slug, "event": event.uid}
    address = f"/api/v1/events/{event.uid}/"

    event = events.change_status(actor=owner, event=event, status="registration")
    opened = club_and_event | {"status": "registration", "before": "draft", "url": address}
    assert arrived(there) == [("event.opened", opened)]

    ana, *others = attendance.add_names(actor=owner, event=event, names=["Ana", "Bo", "Cy", "Di"]).entries
    added = {"entry": ana.uid, "player": ana.player.uid, "name": "Ana", "status": "registered"}
    told = arrived(there)
    assert told[0] == ("entry.added", club_and_event | added | {"url": f"/api/v1/entries/{ana.uid}/"})
    assert [data["name"] for _kind, data in told] == ["Ana", "Bo", "Cy", "Di"]
    attendance.check_in(actor=owner, event=event, uids=[each.uid for each in (ana, *others[:2])])
    told = arrived(there)
    assert {kind for kind, _data in told} == {"entry.changed"}
    assert {(data["name"], data["before"], data["status"]) for _kind, data in told} == {
        (name, "registered", "checked_in") for name in ("Ana", "Bo", "Cy")
    }
    attendance.drop_absent(actor=owner, event=event)
    ((kind, data),) = arrived(there)
    assert (kind, data["name"], data["status"]) == ("entry.changed", "Di", "dropped")

    seated = seat_next_round(actor=owner, event=event, seed=1, is_draft=True)
    assert types(there) == [], "a draft is the club's own"
    rounds.change_status(actor=owner, event=event, number=1, status="seated")
    assert types(there) == ["event.started", "round.seated"]
    rounds.change_status(actor=owner, event=event, number=1, status="running")
    of_round = club_and_event | {"round": 1, "url": f"{address}rounds/1/"}
    assert arrived(there) == [("round.started", of_round | {"before": "seated"})]

    table = seated.tables.get()
    one, two, three = (
        Actor(Kind.ENTRY, entry=seat.entry) for seat in table.seats.select_related("entry__event__club")
    )
    report = submit_report(actor=one, table=table, sheet=sheet_of(table))
    of_table = club_and_event | {"round": 1, "table": table.uid}
    waiting = of_table | {"report": report.uid, "status": "pending", "url": f"/api/v1/reports/{report.uid}/"}
    assert arrived(there) == [("report.submitted", waiting)]
    submit_report(actor=one, table=table, sheet=sheet_of(table))
    assert types(there) == [], "the same sheet again is no news"
    other = submit_report(actor=two, table=table, sheet=sheet_of(table, 1))
    told = arrived(there)
    assert [kind for kind, _data in told] == ["report.submitted", "report.disputed"]
    assert told[0][1]["status"] == "disputed"
    disputed = of_table | {
        "reports": [report.uid, other.uid],
        "is_final": False,
        "url": f"/api/v1/tables/{table.uid}/",
    }
    assert told[1][1] == disputed
    dispute_report(actor=three, report=report, reason="no")
    assert types(there) == [], "it was told that they disagree"
    decide_table(actor=owner, table=table, choice=Choice(report=report), reason="seen")
    assert types(there) == ["result.final"]
    dispute_report(actor=three, report=report, reason="still no")
    ((kind, data),) = arrived(there)
    assert (kind, data["reports"], data["is_final"]) == ("report.disputed", [report.uid], True)

    rounds.change_status(actor=owner, event=event, number=1, status="closed")
    rounds.change_status(actor=owner, event=event, number=1, status="running")
    rounds.change_status(actor=owner, event=event, number=1, status="closed")
    told = arrived(there)
    assert [(kind, data["before"]) for kind, data in told] == [
        ("round.closed", "running"),
        ("round.started", "closed"),
        ("round.closed", "running"),
    ]
    for status in ("finished", "running", "cancelled"):
        events.change_status(actor=owner, event=event, status=status, reason="so")
    assert types(there) == ["event.finished", "event.started", "event.cancelled"]


def test_who_waits_moves_up_and_who_is_replaced_drops_out(there):
    owner = Actor(Kind.USER, user=MembershipFactory(role=Role.OWNER).user)
    club = owner.user.clubs.get()
    event = EventFactory(club=club, sign_up_ahead=True, most_entries=1, status="registration")
    WebhookFactory(club=club, url=there.url, types=["entry.added", "entry.changed"])
    ana, bo = (sign_up(event=event, actor=NOBODY, name=name, confirm_alike=True) for name in ("Ana", "Bo"))
    assert [(kind, data["status"]) for kind, data in arrived(there)][1] == ("entry.added", "waiting")
    entries.change_status(actor=owner, entry=ana, status="dropped")
    told = {data["name"]: (kind, data["before"]) for kind, data in arrived(there)}
    assert told["Bo"] == ("entry.changed", "waiting")
    assert told["Ana"][0] == "entry.changed"
    bo.refresh_from_db()
    entries.substitute(actor=owner, entry=bo, name="Cy")
    assert {(kind, data["name"]) for kind, data in arrived(there)} == {("entry.added", "Cy"), ("entry.changed", "Bo")}


def test_every_message_is_documented():
    text = (ROOT / "docs/webhooks.md").read_text()
    assert [kind for kind in MessageType.values if f"| `{kind}` |" not in text] == []
