"""How long a table likely takes: learnt from the club's own tables, else from simulated games."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from scoring.lengths import ENOUGH, likely_length
from tests.api.callers import club_with_organiser
from tests.factories import ClubFactory, ReportFactory, RoundFactory, TableFactory

pytestmark = pytest.mark.django_db


def played(event, number, minutes, **fields):
    begun = timezone.now() - dt.timedelta(minutes=minutes)
    current = RoundFactory(event=event, number=number, status="closed", started_at=begun, **fields)
    ReportFactory(table=TableFactory(round=current, number=1, status="final"))


def test_without_tables_of_its_own_a_club_is_told_by_simulated_games():
    club = ClubFactory()
    three = likely_length(club=club, game="sixmix", variant="standard", players=3)
    five = likely_length(club=club, game="sixmix", variant="standard", players=5)
    assert three.tables == 0
    assert 10 <= three.minutes < five.minutes <= 90
    assert three.minutes % 5 == 0
    assert likely_length(club=club, game="unknown", variant="x", players=3).minutes == 40


def test_enough_tables_of_its_own_tell_more_and_pauses_do_not_count():
    event = RoundFactory(number=99, status="cancelled").event
    for number in range(1, ENOUGH):
        played(event, number, 50 + number)
    own = {"club": event.club, "game": event.game, "variant": event.variant, "players": 4}
    assert likely_length(**own).tables == 0
    played(event, ENOUGH, 72, paused_seconds=20 * 60)
    assert likely_length(**own) == (55, ENOUGH)
    assert likely_length(**own | {"club": ClubFactory()}).tables == 0


def test_an_evening_that_somebody_forgot_to_end_teaches_nothing():
    event = RoundFactory(number=99, status="cancelled").event
    for number in range(1, ENOUGH + 1):
        played(event, number, 60 * 24)
    assert likely_length(club=event.club, game=event.game, variant=event.variant, players=4).tables == 0


def test_the_length_through_the_api():
    club, organiser = club_with_organiser()
    answer = organiser.get(f"/api/v1/clubs/{club.slug}/length/", {"game": "dix", "players": 4})
    assert answer.json()["tables"] == 0
    assert answer.json()["minutes"] > 0
    assert organiser.get(f"/api/v1/clubs/{club.slug}/length/", {"game": "chess"}).status_code == 404
    assert organiser.get(f"/api/v1/clubs/{club.slug}/length/").status_code == 400
