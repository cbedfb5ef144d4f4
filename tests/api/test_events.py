"""Events, entries and open tables through the API."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.api.callers import bearer, club_with_organiser
from tournaments.models import Action, Entry, Event

pytestmark = pytest.mark.django_db

SOON = (timezone.now() + dt.timedelta(hours=1)).isoformat()


@pytest.fixture
def house():
    """A club, and its organiser as a caller."""
    return club_with_organiser()


@pytest.fixture
def nobody():
    return APIClient()


def new_event(house, **fields):
    club, organiser = house
    body = {"club": club.slug, "name": "DIX on Wednesday", "game": "dix", "starts_at": SOON} | fields
    response = organiser.post("/api/v1/events/", body)
    assert response.status_code == 201, response.json()
    return response.json()


def opened(house, **fields):
    event = new_event(house, **fields)
    assert move(house, event, "registration").status_code == 200
    return event


def move(house, event, status, **more):
    return house[1].patch(f"/api/v1/events/{event['id']}/", {"status": status} | more)


def enter(caller, event, expect=201, **body):
    response = caller.post(f"/api/v1/events/{event['id']}/entries/", body)
    assert response.status_code == expect, response.json()
    return response.json()


def test_event_takes_the_defaults_of_its_game(house):
    event = new_event(house)
    assert event["status"] == "draft"
    assert event["variant"] == "standard"
    assert event["table_size"] == {"min": 2, "max": 5, "preferred": 4}
    assert event["tiebreaks"] == ["wins", "opponents", "score_share"]
    assert len(event["join_code"]) == 6
    assert event["possible"] == ["registration", "cancelled"]


def test_event_of_the_walk_is_accepted_as_it_stands(house):
    event = new_event(
        house,
        variant="standard",
        format="swiss",
        rounds=4,
        table_size={"min": 3, "max": 5, "preferred": 4},
        points="placement",
        tiebreaks=["wins", "opponents", "score_share"],
        confirmation="confirm",
        rated=True,
    )
    assert event["version"] == 1
    assert event["rounds"] == 4


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"variant": "blitz"}, "unknown-variant"),
        ({"table_size": {"min": 3, "max": 8}}, "table-size"),
        ({"table_size": {"min": 4, "max": 5, "preferred": 3}}, "table-size"),
        ({"variant": "solo"}, "solo"),
        ({"tiebreaks": ["wins", "wins"]}, "tiebreaks"),
        ({"ends_at": "2020-01-01T00:00:00Z"}, "dates"),
        ({"starts_at": "0001-01-01T00:00:00Z"}, "dates"),
        ({"starts_at": "9999-12-31T23:59:59Z"}, "dates"),
        ({"ends_at": "9999-12-31T23:59:59Z"}, "dates"),
        ({"game": "dice-run", "cut_to": 8}, "cut"),
    ],
)
def test_settings_that_contradict_each_other_are_named(house, fields, code):
    club, organiser = house
    body = {"club": club.slug, "name": "E", "game": "dix", "starts_at": SOON} | fields
    response = organiser.post("/api/v1/events/", body)
    assert response.status_code == 422
    assert response.json()["code"] == "event-invalid"
    assert code in [each["code"] for each in response.json()["errors"]]
    assert not Event.objects.exists()


def test_two_seat_tables_of_sixmix_are_allowed_beside_larger_ones(house):
    event = new_event(house, game="sixmix", table_size={"min": 2, "max": 5})
    assert event["table_size"]["min"] == 2


def test_illegal_move_says_what_is_possible(house):
    event = new_event(house)
    response = move(house, event, "finished")
    assert response.status_code == 409
    assert response.json()["code"] == "event-status"
    assert response.json()["event_status"] == "draft"
    assert response.json()["possible"] == ["registration", "cancelled"]


def test_smuggled_fields_change_nothing(house):
    club, organiser = house
    body = {"club": club.slug, "name": "DIX", "game": "dix", "starts_at": SOON}
    smuggled = {"status": "finished", "join_code": "AAAAAA", "version": 9, "id": "x"}
    refused = organiser.post("/api/v1/events/", body | smuggled).json()
    assert refused["code"] == "unknown-field"
    assert [each["path"] for each in refused["errors"]] == [["status"], ["join_code"], ["version"], ["id"]]
    assert not Event.objects.exists()


def test_another_organisers_change_is_not_overwritten(house):
    event = new_event(house)
    url = f"/api/v1/events/{event['id']}/"
    assert house[1].patch(url, {"name": "A"}, headers={"If-Match": '"1"'}).status_code == 200
    late = house[1].patch(url, {"name": "B"}, headers={"If-Match": '"1"'})
    assert (late.status_code, late.json()["code"]) == (412, "version-mismatch")
    assert house[1].get(url).json()["name"] == "A"


def test_draft_is_known_to_the_club_alone_and_its_code_to_organisers(house, nobody):
    event = new_event(house)
    url = f"/api/v1/events/{event['id']}/"
    assert nobody.get(url).status_code == 404
    move(house, event, "registration")
    assert "join_code" not in nobody.get(url).json()
    assert nobody.patch(url, {"name": "x"}).status_code == 403


def test_private_event_is_hidden_and_can_be_joined_with_its_code(house, nobody):
    event = opened(house, public=False)
    assert nobody.get(f"/api/v1/events/{event['id']}/").status_code == 404
    entry = enter(nobody, event, name="Ana", join_code=event["join_code"])
    assert bearer(entry["token"]).get(f"/api/v1/events/{event['id']}/").status_code == 200


def test_players_join_with_the_code_and_receive_their_link(house, nobody):
    event = opened(house)
    code = event["join_code"].lower()
    entry = enter(nobody, event, name="Ana", join_code=f" {code[:3]}-{code[3:]}")
    assert entry["player"]["name"] == "Ana"
    assert entry["status"] == "checked_in"
    assert entry["token"].startswith("lse_")
    me = bearer(entry["token"])
    assert me.patch(f"/api/v1/entries/{entry['id']}/", {"status": "dropped"}).json()["status"] == "dropped"
    assert me.patch(f"/api/v1/entries/{entry['id']}/", {"status": "checked_in"}).status_code == 200


def test_wrong_code_is_refused_and_guessing_is_slowed_down(house, nobody):
    event = opened(house)
    enter(nobody, event, expect=403, name="Ana", join_code="WRONG2")
    for _ in range(60):
        last = nobody.get("/api/v1/join/WRONG2/").status_code
    assert last == 429
    assert not Entry.objects.exists()


def test_codes_of_a_private_event_cannot_be_tried_without_end(house, nobody):
    event = opened(house, public=False)
    answers = [enter_status(nobody, event, {"join_code": "WRONG2"}) for _ in range(61)]
    assert answers == [404] * 60 + [429]


def enter_status(caller, event, body):
    return caller.post(f"/api/v1/events/{event['id']}/entries/", body).status_code


def test_code_that_is_no_text_is_a_wrong_code(house, nobody):
    event = opened(house)
    body = b'{"name": "Ana", "join_code": "\\ud800"}'
    url = f"/api/v1/events/{event['id']}/entries/"
    assert nobody.generic("POST", url, body, content_type="application/json").status_code == 400
    assert nobody.get("/api/v1/join/%00/").status_code == 404


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"])
def test_dates_before_and_after_all_time_are_refused(nobody, date):
    for bound in ("starts_after", "starts_before"):
        assert nobody.get(f"/api/v1/events/?{bound}={date}").status_code == 400


def test_code_leads_to_its_event_until_it_is_over(house, nobody):
    event = opened(house)
    assert nobody.get(f"/api/v1/join/{event['join_code']}/").json()["id"] == event["id"]
    move(house, event, "cancelled")
    assert nobody.get(f"/api/v1/join/{event['join_code']}/").status_code == 404


def test_name_that_is_taken_comes_with_a_suggestion(house, nobody):
    event = opened(house)
    code = event["join_code"]
    enter(nobody, event, name="Ana", join_code=code)
    refused = enter(nobody, event, expect=409, name="  aNa ", join_code=code)
    assert (refused["code"], refused["suggestion"]) == ("name-taken", "aNa 2")


def test_returning_player_is_unverified_until_somebody_vouches(house, nobody):
    first = opened(house)
    earlier = enter(nobody, first, name="Ana", join_code=first["join_code"])
    second = opened(house, name="Next week")
    again = enter(nobody, second, player=earlier["player"]["id"], join_code=second["join_code"])
    assert again["verified"] is False
    assert (
        enter(nobody, second, expect=409, player=earlier["player"]["id"], join_code=second["join_code"])["code"]
        == "already-entered"
    )
    url = f"/api/v1/entries/{again['id']}/vouch/"
    assert bearer(again["token"]).post(url, {}).status_code == 403
    assert bearer(again["token"]).post(url, {"proof": earlier["token"]}).json()["verified"] is True


def test_link_can_be_shown_again_and_renewed(house, nobody):
    event = opened(house)
    entry = enter(nobody, event, name="Ana", join_code=event["join_code"])
    url = f"/api/v1/entries/{entry['id']}/link/"
    assert house[1].get(url).json()["token"] == entry["token"]
    assert nobody.get(url).status_code == 403
    renewed = house[1].post(url, {}).json()["token"]
    assert renewed != entry["token"]
    assert bearer(entry["token"]).get(url).status_code == 404
    assert bearer(renewed).get(url).status_code == 200


def test_retried_join_enters_once_and_shows_the_same_link(house, nobody):
    event = opened(house)
    url, body = f"/api/v1/events/{event['id']}/entries/", {"name": "Ana", "join_code": event["join_code"]}
    key = {"Idempotency-Key": "of-a-phone-without-a-credential"}
    first = nobody.post(url, body, headers=key)
    again = nobody.post(url, body, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert Entry.objects.count() == 1
    other = nobody.post(url, body | {"name": "Ben"}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-mismatch")


def test_entries_as_csv_are_safe_to_open(house):
    event = opened(house)
    enter(house[1], event, name="=1+1")
    response = house[1].get(f"/api/v1/events/{event['id']}/entries/?format=csv")
    assert response["Content-Type"].startswith("text/csv")
    assert ",'=1+1,checked_in" in response.content.decode()


def test_finished_event_keeps_its_links_from_working(house, nobody):
    event = opened(house, format="open")
    entry = enter(nobody, event, name="Ana", join_code=event["join_code"])
    move(house, event, "running")
    assert move(house, event, "finished").status_code == 200
    gone = bearer(entry["token"]).get(f"/api/v1/events/{event['id']}/")
    assert (gone.status_code, gone.json()["code"]) == (410, "credential-expired")
    reopened = move(house, event, "running")
    assert reopened.status_code == 422
    assert move(house, event, "running", reason="A table was forgotten").status_code == 200
    assert Action.objects.filter(verb="event-running", reason="A table was forgotten").exists()


def test_players_form_a_table_with_a_code(house, nobody):
    now = timezone.now()
    event = opened(house, format="open", starts_at=(now - dt.timedelta(hours=1)).isoformat())
    move(house, event, "running")
    ana, ben = (enter(nobody, event, name=name, join_code=event["join_code"]) for name in ("Ana", "Ben"))
    table = bearer(ana["token"]).post(f"/api/v1/events/{event['id']}/tables/", {}).json()
    assert table["status"] == "seated"
    assert [seat["player"]["name"] for seat in table["seats"]] == ["Ana"]
    joined = bearer(ben["token"]).post(f"/api/v1/events/{event['id']}/tables/join/", {"code": table["code"]})
    assert [seat["player"]["name"] for seat in joined.json()["seats"]] == ["Ana", "Ben"]
    url = f"/api/v1/tables/{table['id']}/"
    assert "code" not in nobody.get(url).json()
    assert bearer(ben["token"]).patch(url, {"status": "playing"}).json()["status"] == "playing"
    swapped = bearer(ana["token"]).patch(url, {"seats": [ben["id"], ana["id"]]})
    assert [seat["player"]["name"] for seat in swapped.json()["seats"]] == ["Ben", "Ana"]
    busy = bearer(ana["token"]).post(f"/api/v1/events/{event['id']}/tables/", {})
    assert (busy.status_code, busy.json()["code"]) == (422, "seating-invalid")


def test_list_of_events_can_be_narrowed(house, nobody):
    club, _ = house
    opened(house, name="A", game="dix")
    opened(house, name="B", game="sixmix")
    new_event(house, name="Draft")

    def names(query):
        return {each["name"] for each in nobody.get(f"/api/v1/events/?{query}").json()["results"]}

    assert names(f"club={club.slug}") == {"A", "B"}
    assert names("game=sixmix") == {"B"}
    assert names("status=draft") == set()
    assert names("starts_before=2020-01-01T00:00:00Z") == set()
    assert nobody.get("/api/v1/events/?game=chess").status_code == 400


def test_lists_come_in_the_order_asked_for(house, nobody):
    for name in ("B", "A", "C"):
        opened(house, name=name)
    event = opened(house, name="D")
    for name in ("Cy", "Ana", "Bo"):
        enter(house[1], event, name=name)

    def names(url, key=lambda each: each["name"]):
        return [key(each) for each in nobody.get(url).json()["results"]]

    assert names("/api/v1/events/?ordering=name") == ["A", "B", "C", "D"]
    assert names("/api/v1/events/?ordering=-name") == ["D", "C", "B", "A"]
    entries = f"/api/v1/events/{event['id']}/entries/"
    assert names(f"{entries}?ordering=name", lambda each: each["player"]["name"]) == ["Ana", "Bo", "Cy"]
    assert names(f"{entries}?ordering=joined", lambda each: each["player"]["name"]) == ["Cy", "Ana", "Bo"]
    assert nobody.get("/api/v1/events/?ordering=secret").status_code == 400
    first = nobody.get("/api/v1/events/?ordering=name&page_size=3").json()
    assert [each["name"] for each in nobody.get(first["next"]).json()["results"]] == ["D"]


def test_a_club_does_not_enter_a_player_of_another_and_does_not_know_one_of_a_private_one(house, nobody):
    elsewhere, organiser = club_with_organiser("Elsewhere")
    guest = organiser.post(f"/api/v1/clubs/{elsewhere.slug}/players/", {"name": "Guest"}).json()["id"]
    event = opened(house)
    assert enter(house[1], event, expect=403, player=guest)["code"] == "player-elsewhere"
    hidden = organiser.post(f"/api/v1/clubs/{elsewhere.slug}/players/", {"name": "Hidden"}).json()["id"]
    elsewhere.is_public = False
    elsewhere.save()
    assert enter(house[1], event, expect=404, player=hidden)["code"] == "not-found"
    assert enter(nobody, event, expect=404, player=hidden, join_code=event["join_code"])["code"] == "not-found"
