"""Seasons and pairs to keep apart in the API."""

from __future__ import annotations

import pytest

from tests.factories import ClubFactory, KeepApartFactory, PlayerFactory, SeasonFactory
from tests.tournaments.events import event_of
from tournaments.models import Club, KeepApart, Season

CLUB = "/api/v1/clubs/cafe-meeple/"
SEASONS = CLUB + "seasons/"
PAIRS = CLUB + "keep-apart/"
ORGANISERS = [200, 200, 403, 200, 403, 403, 403]
AUTUMN = {"name": "Autumn", "best_of": 3, "starts_on": "2026-09-01", "ends_on": "2026-12-01"}


@pytest.fixture
def pair(cast):
    return KeepApartFactory(club=cast.club)


def season_path(season):
    return f"/api/v1/seasons/{season.uid}/"


def test_who_may_do_what(cast, pair):
    season = SeasonFactory(club=cast.club)
    uids = [PlayerFactory(club=cast.club).uid for _ in range(2)]
    created = [status + (status == 200) for status in ORGANISERS]
    assert cast.statuses("get", SEASONS) == [200] * 7
    assert cast.statuses("post", SEASONS, AUTUMN) == created
    assert cast.statuses("get", season_path(season)) == [200] * 7
    assert cast.statuses("patch", season_path(season), {"best_of": 2}) == ORGANISERS
    assert cast.statuses("get", PAIRS) == ORGANISERS
    assert cast.statuses("post", PAIRS, {"players": uids}) == created
    assert cast.statuses("delete", f"{PAIRS}{pair.uid}/") == [
        204 if status == 200 else status for status in ORGANISERS
    ]


def test_what_a_private_club_has_exists_only_for_those_who_belong_to_it(cast):
    season = SeasonFactory(club=cast.club)
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    for path in (SEASONS, season_path(season)):
        assert cast.statuses("get", path) == [200, 200, 200, 200, 200, 404, 404]
    assert cast.statuses("get", PAIRS) == [200, 200, 403, 200, 403, 404, 404]


def test_a_season_is_made_and_changed(cast):
    made = cast.organiser.post(SEASONS, AUTUMN).json()
    season = Season.objects.get()
    assert made == AUTUMN | {
        "id": season.uid,
        "club": "cafe-meeple",
        "tiebreaks": ["wins", "best_event", "last_event"],
    }
    changed = cast.organiser.patch(season_path(season), {"ends_on": None, "name": " Fall "}).json()
    assert changed == made | {"ends_on": None, "name": "Fall"}
    assert cast.nobody.get(SEASONS).json()["results"] == [changed]


def test_a_season_that_ends_before_it_starts_is_refused(cast):
    season = SeasonFactory(club=cast.club, starts_on="2026-09-01")
    answer = cast.organiser.patch(season_path(season), {"ends_on": "2026-08-01"})
    assert (answer.status_code, answer.json()["code"]) == (422, "season-invalid")
    assert answer.json()["errors"][0]["path"] == ["ends_on"]


def test_a_club_has_one_season_of_a_name(cast):
    SeasonFactory(club=cast.club, name="Autumn")
    SeasonFactory(name="Winter")
    answer = cast.organiser.post(SEASONS, {"name": "AUTUMN"})
    assert (answer.status_code, answer.json()["code"]) == (409, "season-taken")
    assert cast.organiser.post(SEASONS, {"name": "Winter"}).status_code == 201


def test_tiebreaks_of_a_season_are_each_named_once(cast):
    season = SeasonFactory(club=cast.club)
    assert cast.organiser.patch(season_path(season), {"tiebreaks": ["events"]}).json()["tiebreaks"] == ["events"]
    answer = cast.organiser.patch(season_path(season), {"tiebreaks": ["events", "events"]})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, ["tiebreaks"])


@pytest.mark.parametrize(
    "fields",
    [{"best_of": 0}, {"best_of": 10**9}, {"starts_on": "soon"}, {"name": ""}, {"tiebreaks": ["luck"]}],
)
def test_a_season_of_another_shape_is_refused(cast, fields):
    assert cast.organiser.post(SEASONS, AUTUMN | fields).status_code == 400


def test_a_pair_is_kept_apart_once_whatever_the_order(cast):
    uids = [PlayerFactory(club=cast.club).uid for _ in range(2)]
    made = cast.organiser.post(PAIRS, {"players": uids})
    assert made.status_code == 201
    assert [made.json()["first"]["id"], made.json()["second"]["id"]] == uids
    again = cast.organiser.post(PAIRS, {"players": uids[::-1]})
    assert (again.status_code, again.json()["code"]) == (409, "already-kept-apart")
    event = event_of(cast.club)
    assert cast.organiser.post(PAIRS, {"players": uids, "event": event.uid}).json()["event"] == event.uid


def test_nobody_is_kept_apart_from_themselves(cast):
    kept = PlayerFactory(club=cast.club)
    same = PlayerFactory(club=cast.club, merged_into=kept)
    answer = cast.organiser.post(PAIRS, {"players": [kept.uid, same.uid]})
    assert (answer.status_code, answer.json()["code"]) == (409, "already-kept-apart")


def test_players_and_events_of_other_clubs_are_not_found(cast):
    own = [PlayerFactory(club=cast.club).uid for _ in range(2)]
    other = PlayerFactory(club=ClubFactory())
    assert cast.organiser.post(PAIRS, {"players": [own[0], other.uid]}).status_code == 404
    elsewhere = event_of(ClubFactory())
    assert cast.organiser.post(PAIRS, {"players": own, "event": elsewhere.uid}).status_code == 404


def test_pairs_meet_again_when_the_row_is_gone(cast, pair):
    assert cast.organiser.delete(f"{PAIRS}{pair.uid}/").status_code == 204
    assert not KeepApart.objects.exists()


def test_listing_costs_the_same_for_4_pairs_and_for_40(cast, django_assert_num_queries):
    cast.owner.get(PAIRS)  # writes down the minute of the credential's use
    for expected in (4, 40):
        while KeepApart.objects.count() < expected:
            KeepApartFactory(club=cast.club)
        with django_assert_num_queries(4):
            assert len(cast.owner.get(PAIRS).json()["results"]) == expected
