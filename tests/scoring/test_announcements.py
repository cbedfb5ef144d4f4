"""What a club's webhooks are told of results and ratings."""

from __future__ import annotations

import pytest

from core.computations import Kind
from scoring import tasks
from scoring.models import Rating
from scoring.services.decisions import Choice, decide_table
from scoring.services.reports import submit_report
from tests.factories import AffiliationFactory, WebhookFactory
from tests.scoring.evenings import evening
from tournaments.models import Confirmation, Delivery

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
    tasks.refresh(Kind.RATINGS, "dix")
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
