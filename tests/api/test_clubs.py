"""Clubs in the API."""

from __future__ import annotations

import pytest

from core.models import User
from tests.factories import ClubFactory
from tournaments.models import Club, Membership

CLUBS = "/api/v1/clubs/"
CLUB = "/api/v1/clubs/cafe-meeple/"


@pytest.fixture(autouse=True)
def anybody_founds_clubs(settings):
    settings.CLUB_CREATION = "anybody"


def test_clubs_are_the_operators_to_create_unless_they_say_otherwise(cast, settings):
    settings.CLUB_CREATION = "operator"
    assert cast.statuses("post", CLUBS, {"name": "New"}) == [403] * 7
    assert cast.owner.post(CLUBS, {"name": "New"}).json()["code"] == "club-creation"
    User.objects.filter(pk=cast.users["stranger"].pk).update(is_superuser=True)
    assert cast.stranger.post(CLUBS, {"name": "New"}).status_code == 201


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("get", CLUBS, None, [200, 200, 200, 200, 200, 200, 200]),
        ("post", CLUBS, {"name": "New"}, [201, 201, 201, 403, 403, 201, 403]),
        ("get", CLUB, None, [200, 200, 200, 200, 200, 200, 200]),
        ("patch", CLUB, {"name": "New"}, [200, 403, 403, 403, 403, 403, 403]),
    ],
)
def test_who_may_do_what(cast, method, path, body, expected):
    assert cast.statuses(method, path, body) == expected


@pytest.mark.parametrize(("method", "body"), [("get", None), ("patch", {"name": "New"})])
def test_a_private_club_exists_only_for_those_who_belong_to_it(cast, method, body):
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    assert cast.statuses(method, CLUB, body)[-2:] == [404, 404]
    assert cast.statuses("get", CLUB) == [200, 200, 200, 200, 200, 404, 404]


def test_list_leaves_out_private_clubs_of_others(cast):
    ClubFactory(name="A secret", is_public=False)
    listed = cast.nobody.get(CLUBS).json()["results"]
    assert [club["name"] for club in listed] == sorted(club["name"] for club in listed)
    assert "A secret" not in [club["name"] for club in listed]


def test_whoever_creates_a_club_owns_it(cast):
    answer = cast.stranger.post(CLUBS, {"name": " Les  Dés Pipés ", "public": False})
    assert answer.status_code == 201
    assert answer.json() | {"created_at": ""} == {
        "slug": "les-des-pipes",
        "name": "Les Dés Pipés",
        "public": False,
        "rated": True,
        "time_zone": "UTC",
        "mails_players": False,
        "created_at": "",
    }
    membership = Membership.objects.get(club__slug="les-des-pipes")
    assert (membership.user, membership.role) == (cast.users["stranger"], "owner")


def test_a_slug_is_free_or_refused(cast):
    answer = cast.stranger.post(CLUBS, {"name": "Other", "slug": "cafe-meeple"})
    assert (answer.status_code, answer.json()["code"]) == (409, "slug-taken")
    assert cast.stranger.post(CLUBS, {"name": "Café Meeple"}).json()["slug"] == "cafe-meeple-2"


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\u202eb", 7, None, ["a"]])
def test_names_that_are_none_are_refused_with_their_path(cast, name):
    answer = cast.stranger.post(CLUBS, {"name": name})
    if name == 7:  # a number is as good as its digits
        assert answer.json()["name"] == "7"
        return
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-fields")
    assert answer.json()["errors"][0]["path"] == ["name"]


def test_a_club_keeps_its_slug(cast):
    assert cast.owner.patch(CLUB, {"name": "Meeple", "slug": "other"}).json()["code"] == "unknown-field"
    answer = cast.owner.patch(CLUB, {"name": "Meeple", "public": False})
    assert answer.json() | {"created_at": ""} == {
        "slug": "cafe-meeple",
        "name": "Meeple",
        "public": False,
        "rated": True,
        "time_zone": "UTC",
        "mails_players": False,
        "created_at": "",
    }


@pytest.mark.parametrize("cursor", ["bzo", "cD0lMDA=", "cj0xJnA9AA==", "!!"])
def test_made_up_cursors_lead_nowhere(cast, cursor):
    assert cast.owner.get(CLUBS, {"cursor": cursor}).status_code in {200, 404}
    assert cast.owner.get(CLUB + "members/", {"cursor": cursor}).status_code in {200, 404}


def test_pages_lead_through_the_whole_list(cast):
    for number in range(5):
        ClubFactory(name=f"Same {number % 2}")
    seen, page = [], CLUBS + "?page_size=2"
    while page:
        answer = cast.nobody.get(page).json()
        seen += [club["slug"] for club in answer["results"]]
        page = answer["next"]
    assert len(seen) == len(set(seen)) == Club.objects.count()
