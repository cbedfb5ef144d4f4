"""Nothing in a cancelled round or event counts, is rated, or is shown as a result."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from core.models import StaleMark
from scoring.exports import everything_about
from scoring.models import Placing, Rating, RatingChange, Report, Result, StandingRow
from scoring.rankings.ratings import store as ratings
from scoring.rankings.standings import store as standings
from scoring.services.decisions import Choice, accept_pending, decide_table
from scoring.services.reports import confirm_report, submit_report
from tests.scoring.evenings import evening, table_in
from tournaments.errors import EventStatusError, RoundStatusError
from tournaments.models import Event, Round, Table
from tournaments.services import events, rounds, tables

pytestmark = pytest.mark.django_db

CANCELLED = Round.Status.CANCELLED


def played(**fields):
    """Return an evening whose table has a result that is rated."""
    tonight = evening(confirmation="trust", **fields)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    compute(tonight)
    assert Rating.objects.count() == 3
    return tonight.again()


def compute(tonight):
    ratings.refresh(tonight.event.game)
    standings.refresh(tonight.event.uid)


def cancel_round(tonight):
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=1, status=CANCELLED)


def cancel_event(tonight):
    events.change_status(actor=tonight.organiser, event=tonight.event, status=CANCELLED, reason="power cut")


def close_and_cancel_event(tonight):
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=1, status=Round.Status.CLOSED)
    cancel_event(tonight)


def nothing_counts(tonight):
    compute(tonight)
    assert not Placing.objects.exists()
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert not Result.objects.filter(is_counted=True).exists()
    assert not Report.objects.filter(status__in=Report.STANDING).exists()
    assert set(StandingRow.objects.values_list("points", "tables")) <= {(0, 0)}


@pytest.mark.parametrize("cancel", [cancel_round, cancel_event, close_and_cancel_event])
def test_results_are_taken_out_of_standings_and_ratings(cancel):
    tonight = played()
    StaleMark.objects.all().delete()
    cancel(tonight)
    assert {"ratings", "standings"} <= set(StaleMark.objects.values_list("kind", flat=True))
    nothing_counts(tonight)
    assert tonight.again().table.status == Table.Status.DROPPED


@pytest.mark.parametrize("cancel", [cancel_round, cancel_event, close_and_cancel_event])
def test_nobody_is_shown_a_result(cancel):
    tonight = played()
    cancel(tonight)
    client = Client()
    path = f"/api/v1/events/{tonight.event.uid}"
    assert client.get(f"{path}/results/").json()["rows"] == []
    assert len(client.get(f"{path}/results/?format=csv").content.splitlines()) <= 1
    assert client.get(f"{path}/rounds/").json()["results"] == []
    assert client.get(f"/api/v1/tables/{tonight.table.uid}/reports/").json()["results"] == []
    player = tonight.entries[0].player.uid
    history = client.get(f"/api/v1/players/{player}/ratings/?game={tonight.event.game}").json()
    assert tonight.table.uid not in str(history)
    assert not [row for row in history.get("history", []) if row]


@pytest.mark.parametrize("cancel", [cancel_event, close_and_cancel_event])
def test_nobody_has_a_place_in_a_cancelled_event(cancel):
    tonight = played()
    player = tonight.entries[0].player
    cancel(tonight)
    compute(tonight)
    assert not StandingRow.objects.exists()
    client = Client()
    assert client.get(f"/api/v1/players/{player.uid}/events/").json()["results"] == []
    assert client.get(f"/api/v1/events/{tonight.event.uid}/standings/").json()["rows"] == []
    assert everything_about(player)["results"]["standings"] == []
    assert tonight.event.name not in client.get(f"/players/{player.uid}/").content.decode()


@pytest.mark.parametrize("cancel", [cancel_round, cancel_event])
def test_a_sheet_is_not_confirmed_accepted_or_decided_afterwards(cancel):
    tonight = evening()
    report = submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    cancel(tonight)
    for actor in (tonight.players[1], tonight.organiser):
        with pytest.raises(RoundStatusError):
            confirm_report(actor=actor, report=report)
    for choice in (Choice(report=report), Choice(sheet=tonight.sheet()), Choice(is_dropped=True)):
        with pytest.raises(RoundStatusError):
            decide_table(actor=tonight.organiser, table=tonight.table, choice=choice, reason="late")
    with pytest.raises(RoundStatusError):
        submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    with pytest.raises(RoundStatusError):
        tables.renew_slip(actor=tonight.organiser, table=tonight.table)
    assert accept_pending(actor=tonight.organiser, event=tonight.event) == ([], [])
    nothing_counts(tonight)


def test_a_cancelled_round_that_is_seated_again_begins_without_sheets():
    tonight = played()
    cancel_round(tonight)
    event = tonight.again().event
    plan = rounds.Plan(tables=[tonight.entries])
    again = rounds.open_round(actor=tonight.organiser, event=event, plan=plan)
    assert (again.number, again.tables.get().reports.count()) == (1, 0)
    nothing_counts(tonight)
    submit_report(actor=tonight.players[0], table=again.tables.get(), sheet=tonight.sheet())
    compute(tonight)
    assert Rating.objects.count() == 3
    assert {row.tables for row in Rating.objects.all()} == {1}


def test_other_rounds_keep_what_they_have():
    tonight = played()
    before = list(Rating.objects.order_by("player").values("player", "rating", "tables"))
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=1, status=Round.Status.CLOSED)
    second = rounds.open_round(
        actor=tonight.organiser, event=tonight.event, plan=rounds.Plan(tables=[tonight.entries])
    )
    submit_report(actor=tonight.players[0], table=second.tables.get(), sheet=tonight.sheet(1))
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=2, status=CANCELLED)
    compute(tonight)
    assert list(Rating.objects.order_by("player").values("player", "rating", "tables")) == before


def test_a_cancelled_event_does_not_come_back():
    tonight = played()
    cancel_event(tonight)
    with pytest.raises(EventStatusError):
        events.change_status(actor=tonight.organiser, event=tonight.event, status="running", reason="power is back")


def test_an_update_takes_out_what_earlier_versions_left_rated():
    tonight, kept = played(), evening(confirmation="trust")
    submit_report(actor=kept.players[0], table=kept.table, sheet=kept.sheet())
    closed = table_in(Round.objects.create(event=tonight.event, number=2, status="closed"), tonight.entries)
    Event.objects.filter(pk=tonight.event.pk).update(status=Event.Status.CANCELLED)
    Round.objects.filter(pk=tonight.table.round_id).update(status=CANCELLED)
    StaleMark.objects.all().delete()
    import_module("scoring.migrations.0005_cancelled_rounds").uncount(apps, None)
    assert set(StaleMark.objects.values_list("kind", "key")) == {("standings", tonight.event.uid), ("ratings", "dix")}
    assert Placing.objects.exclude(event=kept.event).count() == 0
    assert Placing.objects.filter(event=kept.event).count() == 3
    assert Round.objects.get(pk=closed.round_id).status == CANCELLED
    assert set(Table.objects.filter(round__event=tonight.event).values_list("status", flat=True)) == {"dropped"}
