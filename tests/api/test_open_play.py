"""Players form tables themselves: sit down, stand up, begin, and what is left when the event ends."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.api.callers import bearer
from tests.api.test_evening import Evening, names
from tournaments.actors import Actor, Kind
from tournaments.errors import SeatingInvalidError
from tournaments.models import Entry, Event, Round, Table
from tournaments.services import tables

pytestmark = pytest.mark.django_db


class League(Evening):
    """Open play that is on, with players who were entered."""

    def __init__(self, *players, **fields):
        super().__init__(format="open", **fields)
        self.organiser.patch(self.url, {"status": "running"})
        self.enter(*players)

    def form(self, name, *others, expect=201):
        table = self.call(name, f"{self.url}tables/", {}, expect)
        for other in others:
            table |= self.sit(other, table)
        return table

    def sit(self, name, table, expect=200):
        return self.call(name, f"{self.url}tables/join/", {"code": table["code"]}, expect)

    def leave(self, name, table, expect=200):
        return self.call(name, f"/api/v1/tables/{table['id']}/leave/", {}, expect)

    def begin(self, name, table):
        return self.phone(name).patch(f"/api/v1/tables/{table['id']}/", {"status": "playing"})

    def call(self, name, url, body, expect):
        response = self.phone(name).post(url, body)
        assert response.status_code == expect, response.json()
        return response.json()


def test_nobody_forms_tables_and_leaves_them_without_end(monkeypatch):
    monkeypatch.setattr(tables, "MOST_FORMED", 3)
    league = League("Ana", "Ben")
    for _ in range(tables.MOST_FORMED):
        league.leave("Ana", league.form("Ana"))
    assert league.form("Ana", expect=429)["code"] == "too-many-tables"
    assert names(league.sit("Ana", league.form("Ben"))) == ["Ben", "Ana"]
    assert Round.objects.count() == tables.MOST_FORMED + 1


def test_who_leaves_makes_room_and_can_sit_elsewhere():
    league = League("Ana", "Ben", "Cleo", "Dan")
    table = league.form("Ana")
    league.sit("Ben", table)
    league.sit("Cleo", table)
    left = league.leave("Ana", table)
    assert [(seat["position"], seat["player"]["name"]) for seat in left["seats"]] == [(1, "Ben"), (2, "Cleo")]
    assert names(league.sit("Dan", table)) == ["Ben", "Cleo", "Dan"]
    assert league.form("Ana")["number"] == 2
    assert league.leave("Ana", table, expect=403)["code"] == "forbidden"


def test_nobody_leaves_a_table_that_has_begun_or_that_the_organiser_seated():
    league = League("Ana", "Ben", "Cleo")
    table = league.form("Ana", "Ben", "Cleo")
    assert league.begin("Ben", table).status_code == 200
    assert league.leave("Ben", table, expect=409)["table_status"] == "playing"
    evening = Evening()
    evening.enter("Ana", "Ben", "Cleo")
    seated = evening.seat()["tables"][0]
    refused = evening.phone("Ana").post(f"/api/v1/tables/{seated['id']}/leave/", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "table-status")


def test_table_that_everybody_left_is_gone():
    league = League("Ana", "Ben")
    table = league.form("Ana")
    assert league.leave("Ana", table)["status"] == "dropped"
    assert APIClient().get(f"{league.url}rounds/").json()["results"] == []
    league.sit("Ben", table, expect=409)


def test_who_drops_out_stands_up_from_a_table_that_is_being_formed():
    league = League("Ana", "Ben")
    table = league.form("Ana")
    league.sit("Ben", table)
    league.phone("Ana").patch(f"/api/v1/entries/{league.entries['Ana']['id']}/", {"status": "dropped"})
    assert names(APIClient().get(f"/api/v1/tables/{table['id']}/").json()) == ["Ben"]


def test_full_table_and_table_that_plays_take_nobody_more():
    league = League(*"ABCDEF", table_size={"min": 3, "max": 5})
    table = league.form("A", "B", "C", "D")
    league.sit("E", table)
    assert league.sit("F", table, expect=422)["code"] == "seating-invalid"
    league.begin("A", table)
    assert league.sit("F", table, expect=409)["table_status"] == "playing"


def test_who_dropped_out_a_moment_ago_is_not_seated():
    league = League("Ana")
    read_before = Entry.objects.get(name="Ana")
    Entry.objects.update(status="dropped")
    event = Event.objects.get(uid=league.event["id"])
    with pytest.raises(SeatingInvalidError):
        tables.form_table(actor=Actor(Kind.ENTRY, entry=read_before), event=event, entries=[])


def test_event_ends_when_no_table_plays_and_leaves_nothing_open():
    league = League(*"ABCDEFGH")
    league.form("A")
    played, dropped = league.form("B", "C", "D"), league.form("E", "F", "G")
    league.begin("B", played)
    refused = league.organiser.patch(league.url, {"status": "finished"})
    assert (refused.status_code, refused.json()["possible"]) == (409, ["cancelled"])
    league.organiser.patch(f"/api/v1/tables/{dropped['id']}/", {"status": "dropped", "reason": "power cut"})
    Table.objects.filter(uid=played["id"]).update(status="final")
    assert league.organiser.patch(league.url, {"status": "finished"}).status_code == 200
    assert list(Round.objects.order_by("pk").values_list("status", flat=True)) == ["cancelled", "closed", "closed"]


def test_tables_of_a_cancelled_round_and_their_slips_are_over():
    evening = Evening()
    evening.enter("Ana", "Ben", "Cleo")
    table = evening.seat()["tables"][0]
    evening.patch_round(1, status="cancelled")
    url = f"/api/v1/tables/{table['id']}/"
    for body in ({"status": "dropped"}, {"seats": [seat["entry"] for seat in table["seats"]]}):
        refused = evening.organiser.patch(url, body)
        assert (refused.status_code, refused.json()["code"]) == (409, "round-status")
    slip = bearer(table["token"]).get(url)
    assert (slip.status_code, slip.json()["code"]) == (410, "credential-expired")


def test_starting_opens_play_before_the_hour_that_was_announced():
    league = League("Ana", starts_at=(timezone.now() + dt.timedelta(hours=1)).isoformat())
    assert league.form("Ana")["status"] == "seated"


def test_no_table_is_formed_after_the_end():
    past = timezone.now() - dt.timedelta(hours=1)
    ends = (past + dt.timedelta(minutes=1)).isoformat()
    league = League("Ana", starts_at=past.isoformat(), ends_at=ends)
    assert league.form("Ana", expect=409)["code"] == "round-status"
