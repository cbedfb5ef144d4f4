"""Many entries or players at once: in bulk, and from lists and files."""

from __future__ import annotations

import unicodedata

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.files import organiser_of
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    EventFactory,
    PlayerFactory,
)
from tournaments.models import Entry, Event, Player


@pytest.fixture
def open_event(db):
    """An event that people enter, its path, and its organiser."""
    club = ClubFactory(slug="here")
    _, caller = organiser_of(club)
    event = EventFactory(club=club, status="registration")
    return event, f"/api/v1/events/{event.uid}/entries/", caller


def test_entries_in_bulk_are_answered_row_by_row(open_event):
    event, path, caller = open_event
    elsewhere = PlayerFactory()
    body = [{"name": "Ana"}, {"name": "ana"}, {"player": elsewhere.uid}, {"name": "Bo"}, {"player": "2" * 16}]
    answer = caller.post(f"{path}bulk/", {"entries": body}).json()
    assert answer["entered"] == 2
    codes = [row["problem"] and row["problem"]["code"] for row in answer["results"]]
    assert codes == [None, "name-taken", "not-found", None, "not-found"]
    assert answer["results"][1]["problem"]["suggestion"] == "ana 2"
    assert answer["results"][0]["entry"]["token"].startswith("lse_")
    assert event.entries.count() == 2


def test_many_entries_in_bulk_cost_no_more_statements_than_two(open_event, django_assert_max_num_queries):
    """With a key all rows are stored in one transaction, and on SQLite everybody else waits for its end."""
    event, path, caller = open_event

    def rows(number):
        known = [PlayerFactory(club=event.club) for _ in range(number)]
        return [*({"player": each.uid} for each in known), *({"name": f"{number} {each.uid}"} for each in known)]

    def send(few):
        return caller.post(f"{path}bulk/", {"entries": few}, headers={"Idempotency-Key": f"key-{len(few)}"}).json()

    few, many = rows(1), rows(30)
    with CaptureQueriesContext(connection) as short:
        assert send(few)["entered"] == 2
    with django_assert_max_num_queries(len(short)):
        assert send(many)["entered"] == 60
    assert send(many)["entered"] == 60, "the same answer again"
    assert event.entries.count() == 62


def test_rows_in_bulk_know_of_those_before_them(open_event):
    event, path, caller = open_event
    ana, merged = (PlayerFactory(name=name, club=event.club) for name in ("Ana", "Anna"))
    Player.objects.filter(pk=merged.pk).update(merged_into=ana)
    body = [{"name": "Ana"}, {"player": ana.uid}, {"player": merged.uid}, {"name": "ana 2"}]
    answer = caller.post(f"{path}bulk/", {"entries": body}).json()
    codes = [row["problem"] and row["problem"]["code"] for row in answer["results"]]
    assert codes == [None, None, "already-entered", "name-taken"]
    assert [entry.name for entry in event.entries.order_by("pk")] == ["Ana", "Ana 2"]


def test_rows_in_bulk_say_each_that_the_event_is_over(open_event):
    event, path, caller = open_event
    Event.objects.filter(pk=event.pk).update(status=Event.Status.CANCELLED)
    answer = caller.post(f"{path}bulk/", {"entries": [{"name": "Ana"}, {"player": "2" * 16}]}).json()
    assert [row["problem"]["code"] for row in answer["results"]] == ["event-status", "not-found"]


def test_a_cell_far_longer_than_a_name_is_no_name_and_takes_no_longer(open_event, monkeypatch):
    """To take piles of accents apart takes quadratic time, so nothing may see them whole."""
    _event, path, caller = open_event
    longest = []
    normalize = unicodedata.normalize

    def noting(form, text):
        longest.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr("unicodedata.normalize", noting)
    pile = "a" + "\u0301" * 3000 + "\u0316" * 3000
    answer = caller.post(f"{path}import/", {"csv": f"name\n{pile}\nBo\n"}).json()
    assert [row["problem"] and row["problem"]["code"] for row in answer["results"]] == ["name-invalid", None]
    assert max(longest) < 300


def test_entries_come_from_an_uploaded_file(open_event, client):
    event, path, caller = open_event
    known = AffiliationFactory(club=event.club, player__home=event.club, player__name="Ana").player
    file = SimpleUploadedFile("people.csv", "﻿Nom;Ville\nAna;Lyon\nZoë;Paris\n;\n".encode(), "text/csv")
    answer = caller.post(f"{path}import/", {"file": file}, format="multipart").json()
    assert answer["entered"] == 2, answer
    assert Entry.objects.get(event=event, name="Ana").player == known
    plain = caller.generic("POST", f"{path}import/", "name\nCy\nÉlo\n".encode("cp1252"), content_type="text/csv")
    assert plain.json()["entered"] == 2
    assert event.entries.filter(name="Élo").exists()


def test_a_name_that_two_have_enters_neither_of_them(open_event):
    """Whoever takes the name of somebody else does not get their evening by a list of names."""
    event, path, caller = open_event
    ana, cheat = (PlayerFactory(name=name, club=event.club) for name in ("Ana", "ANA"))
    answer = caller.post(f"{path}import/", {"csv": "Ana\n"}).json()
    assert answer["results"][0]["entry"]["player"]["id"] not in {ana.uid, cheat.uid}


def test_players_come_from_an_uploaded_file(open_event):
    _, _, caller = open_event
    file = SimpleUploadedFile("people.csv", b"name\nAna\nBo\n", "text/csv")
    body = {"file": file, "dry_run": "true"}
    answer = caller.post("/api/v1/clubs/here/players/import/", body, format="multipart").json()
    assert [each["name"] for each in answer["new"]] == ["Ana", "Bo"]
    assert not Player.objects.exists()
    sent = caller.generic("POST", "/api/v1/clubs/here/players/import/", b"Ana\nBo\n", content_type="text/csv")
    assert len(sent.json()["new"]) == 2
