"""One limit for one thing: what the API takes the pages take, and the other way round."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from core.models import User
from tests.api.callers import bearer
from tests.factories import ClubFactory, CredentialFactory, MembershipFactory
from tests.web.organisers import event_with, running
from tournaments.models import LONGEST_REASON, Club, Event, Role, Round, Season, TieBreak

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def anybody_founds_clubs(settings: Any) -> None:
    """Let the two doors that make a club be open."""
    settings.CLUB_CREATION = "anybody"


EVENTS = ("events/", "/organise/club/cafe-meeple/events/new/?game=dix")
SEASONS = ("clubs/cafe-meeple/seasons/", "/organise/club/cafe-meeple/seasons/")
CLUBS = ("clubs/", "/organise/new/")


class Doors:
    """An owner of a club at both doors: with a token at the API, logged in at the pages."""

    club: Club
    user: User
    api: APIClient
    pages: Client

    def __init__(self) -> None:
        self.club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
        self.user = MembershipFactory(club=self.club, role=Role.OWNER).user
        CredentialFactory(user=self.user, secret="lsu_owner")
        self.api, self.pages = bearer("lsu_owner"), Client()
        self.pages.force_login(self.user)

    def api_takes(self, path: str, body: dict[str, Any]) -> bool:
        """Say whether the API takes a body."""
        status = self.api.post(f"/api/v1/{path}", body, format="json").status_code
        assert status in {201, 400}, status
        return status == 201

    def page_takes(self, path: str, fields: dict[str, Any]) -> bool:
        """Say whether a page takes a form that is otherwise filled in as it stands."""
        form = self.pages.get(path).context["form"]
        values = {name: form[name].value() for name in form.fields}
        sent = {name: _typed(value) for name, value in values.items() if value not in {None, False}}
        answer = self.pages.post(path, sent | fields)
        assert answer.status_code in {200, 302}, answer.status_code
        return answer.status_code == 302


def _typed(value: Any) -> Any:
    return f"{value:%Y-%m-%dT%H:%M}" if isinstance(value, dt.datetime) else value


@pytest.fixture
def doors() -> Doors:
    return Doors()


def a_name(number: int) -> str:
    return "n" * number


def points(number: int) -> list[int]:
    return [number]


LIMITS = [
    (EVENTS, "name", a_name, Event.LONGEST_NAME),
    (EVENTS, "rounds", int, Event.MOST_ROUNDS),
    (EVENTS, "round_minutes", int, Event.MOST_ROUND_MINUTES),
    (EVENTS, "tables_counted", int, Event.MOST_TABLES_COUNTED),
    (EVENTS, "tables_least", int, Event.MOST_TABLES_COUNTED),
    (EVENTS, "podium_points", points, Event.MOST_PODIUM_POINTS),
    (SEASONS, "name", a_name, Season.LONGEST_NAME),
    (SEASONS, "best_of", int, Season.MOST_COUNTED),
    (CLUBS, "name", a_name, Club.LONGEST_NAME),
]
FORM_FIELDS = {"rounds": "rounds_planned"}
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    EVENTS: {"club": "cafe-meeple", "name": "Tonight", "game": "dix", "starts_at": "2030-01-01T19:00:00Z"},
    SEASONS: {"name": "Autumn"},
    CLUBS: {},
}


@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize(("paths", "field", "made", "most"), LIMITS)
def test_api_and_page_take_the_same(doors, paths, field, made, most, beyond):
    value = made(most + beyond)
    typed = {"name": "Typed"} | {FORM_FIELDS.get(field, field): value[0] if isinstance(value, list) else value}
    assert doors.page_takes(paths[1], typed) is not bool(beyond)
    Season.objects.all().delete()  # the club's seasons have names of their own
    assert doors.api_takes(paths[0], BODIES[paths] | {field: value}) is not bool(beyond)


@pytest.fixture
def round_on(doors) -> Round:
    return running(doors.user, event_with(doors.club, 4))


@pytest.mark.parametrize("beyond", [0, 1])
def test_round_is_extended_by_as_much_at_either_door(doors, round_on, beyond):
    minutes = Round.MOST_MINUTES_AT_ONCE + beyond
    event, number = round_on.event.uid, round_on.number
    answer = doors.api.patch(f"/api/v1/events/{event}/rounds/{number}/", {"extend": minutes}, format="json")
    assert answer.status_code == (400 if beyond else 200)
    doors.pages.post(f"/e/{event}/console/{number}/act/", {"do": "extend", "minutes": minutes})
    round_on.refresh_from_db()
    assert round_on.extra_minutes == (0 if beyond else 2 * minutes)


@pytest.mark.parametrize("beyond", [0, 1])
def test_reason_is_as_long_at_either_door(doors, beyond):
    reason = "r" * (LONGEST_REASON + beyond)
    one, other = (running(doors.user, event_with(doors.club, 4)).event for _ in range(2))
    change = {"status": "cancelled", "reason": reason}
    answer = doors.api.patch(f"/api/v1/events/{one.uid}/", change, format="json")
    assert answer.status_code == (400 if beyond else 200)
    doors.pages.post(f"/e/{other.uid}/console/act/", {"do": "cancelled", "reason": reason})
    other.refresh_from_db()
    assert (other.status == Event.Status.CANCELLED) is not bool(beyond)


def test_page_keeps_every_tiebreak_that_the_api_takes(doors):
    event = event_with(doors.club, 0, tiebreaks=TieBreak.values)
    assert doors.page_takes(f"/e/{event.uid}/settings/", {"name": "Renamed"})
    event.refresh_from_db()
    assert (event.name, event.tiebreaks) == ("Renamed", TieBreak.values)
