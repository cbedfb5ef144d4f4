"""Drafts of seatings, labels and fixed tables through the API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.api.callers import bearer, club_with_organiser
from tests.api.test_events import enter, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def house():
    return club_with_organiser()


def call(caller, method, path, body=None, expect=200):
    response = getattr(caller, method)(f"/api/v1/{path}", body or {})
    assert response.status_code == expect, response.content
    return response.json() if response.content else None


def test_a_round_is_drafted_changed_and_published(house):
    organiser, nobody = house[1], APIClient()
    event = opened(house, table_size={"min": 3, "max": 5, "preferred": 4}, table_labels=[{"label": "window"}])
    people = [enter(organiser, event, name=f"P{number}") for number in range(8)]
    path = f"events/{event['id']}/rounds/"
    draft = call(organiser, "post", path, {"publish": False, "seed": 7}, 201)
    assert draft["status"] == "draft"
    assert draft["quality"]["spread_bound"] == 0
    assert [table["label"] for table in draft["tables"]] == ["window", ""]
    for caller in (nobody, bearer(people[0]["token"])):
        assert call(caller, "get", path)["results"] == []
        call(caller, "get", f"{path}1/", expect=404)
        call(caller, "get", f"tables/{draft['tables'][0]['id']}/", expect=404)
    added = call(organiser, "post", f"{path}1/tables/", expect=201)
    assert (added["number"], added["seats"]) == (3, [])
    first = draft["tables"][0]
    seats = [seat["entry"] for seat in first["seats"]]
    moved = [{"id": first["id"], "seats": seats[1:]}, {"id": added["id"], "seats": seats[:1]}]
    call(organiser, "patch", f"{path}1/", {"tables": moved})
    call(organiser, "patch", f"{path}1/", {"status": "seated"}, 422)
    call(organiser, "delete", f"tables/{added['id']}/", expect=204)
    published = call(organiser, "patch", f"{path}1/", {"status": "seated"})
    assert published["status"] == "seated"
    assert [each["name"] for each in published["sitting_out"]] == [first["seats"][0]["player"]["name"]]
    assert call(nobody, "get", f"{path}1/")["status"] == "seated"
    named = call(organiser, "patch", f"tables/{first['id']}/", {"label": "terrace 2", "room": "Garden"})
    assert (named["label"], named["room"]) == ("terrace 2", "Garden")
    call(bearer(people[0]["token"]), "patch", f"tables/{first['id']}/", {"label": "mine"}, 403)


def test_a_draft_is_not_published_with_a_guest_who_withdrew(house):
    organiser = house[1]
    event = opened(house, table_size={"min": 3, "max": 5, "preferred": 4})
    people = [enter(organiser, event, name=f"P{number}") for number in range(4)]
    path = f"events/{event['id']}/rounds/"
    (table,) = call(organiser, "post", path, {"publish": False}, 201)["tables"]
    call(bearer(people[0]["token"]), "patch", f"entries/{people[0]['id']}/", {"status": "dropped"})
    refused = call(organiser, "patch", f"{path}1/", {"status": "seated"}, 422)
    assert (refused["code"], "P0" in refused["detail"]) == ("seating-invalid", True)
    others = [seat["entry"] for seat in table["seats"] if seat["entry"] != people[0]["id"]]
    call(organiser, "patch", f"{path}1/", {"tables": [{"id": table["id"], "seats": others}]})
    assert call(organiser, "patch", f"{path}1/", {"status": "seated"})["status"] == "seated"


def test_nobody_plays_at_a_table_of_a_draft_though_its_slip_was_printed(house):
    """The address on a slip names its table, and slips are printed before a round is published."""
    organiser = house[1]
    event = opened(house)
    people = [enter(organiser, event, name=f"P{number}") for number in range(4)]
    draft = call(organiser, "post", f"events/{event['id']}/rounds/", {"publish": False}, 201)
    table = draft["tables"][0]
    for secret in (people[0]["token"], table["token"]):
        for path in ("draft/", "reports/", "history/"):
            call(bearer(secret), "get", f"tables/{table['id']}/{path}", expect=404)
        call(bearer(secret), "post", f"tables/{table['id']}/reports/", {"report": {}, "seat": "1"}, 404)


def test_who_needs_a_table_is_known_to_the_club_alone(house):
    organiser = house[1]
    event = opened(house)
    entry = enter(organiser, event, name="Ana")
    call(organiser, "patch", f"entries/{entry['id']}/", {"fixed_table": 3})
    assert call(organiser, "get", f"entries/{entry['id']}/link/")["fixed_table"] == 3
    assert "fixed_table" not in call(APIClient(), "get", f"entries/{entry['id']}/")
    call(bearer(entry["token"]), "patch", f"entries/{entry['id']}/", {"fixed_table": 1}, 403)
    call(organiser, "patch", f"entries/{entry['id']}/", {"fixed_table": 0}, 400)
    call(organiser, "patch", f"entries/{entry['id']}/", {}, 400)
    call(organiser, "patch", f"entries/{entry['id']}/", {"fixed_table": None})


def test_the_plan_of_a_rotation_is_read_by_the_club(house):
    organiser = house[1]
    event = opened(house, format="rotation", rounds=3)
    for number in range(8):
        enter(organiser, event, name=f"P{number}")
    call(organiser, "post", f"events/{event['id']}/rounds/", {"publish": False}, 201)
    plan = call(organiser, "get", f"events/{event['id']}/plan/")
    assert [each["status"] for each in plan] == ["draft", "planned", "planned"]
    call(APIClient(), "get", f"events/{event['id']}/plan/", expect=403)
