"""Standings that are hidden for a while, or but for the first places: by no way does anybody else learn of them."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from core.computations import Kind as Kinds
from scoring.models import StandingRow
from scoring.news import reading
from scoring.rankings import profiles
from scoring.tasks import refresh
from tests.api.callers import bearer
from tests.factories import ClubFactory, CredentialFactory, MembershipFactory
from tests.scoring.rankings.standings.events import event_with, play
from tournaments.access import credentials
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import EventInvalidError
from tournaments.models import Event, Round
from tournaments.selectors import hiding, shown_places
from tournaments.services import events, rounds

pytestmark = pytest.mark.django_db
NAMES = ("Zoë", "Yan", "Xia", "Wim")


@pytest.fixture
def house():
    return ClubFactory(is_public=True)


def evening(club, **fields):
    """Return a running event with one played round, and its entries by name, best first."""
    event, entries = event_with(NAMES, club=club, is_public=True, tiebreaks=[], **fields)
    play(event, 1, [entries[name] for name in NAMES])
    computed(event)
    return event, entries


def computed(event):
    events.mark_standings(event)
    refresh(Kinds.STANDINGS, event.uid)


def member(club, role="scorekeeper"):
    user = MembershipFactory(club=club, role=role).user
    CredentialFactory(user=user, secret=f"lsu_{role}")
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client, bearer(f"lsu_{role}"), Actor(Kind.USER, user=user)


def link_of(entry):
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def ways(event, entries):
    """Return what somebody outside of the club reads of an event by every way, as text."""
    uid = event.uid
    phone = Client()
    phone.get(f"/me/{link_of(entries['Wim'])}/")
    outside = Client()
    api = f"/api/v1/events/{uid}"
    found = {
        "api": outside.get(f"{api}/standings/"),
        "csv": outside.get(f"{api}/standings/?format=csv"),
        "results": outside.get(f"{api}/results/"),
        "results csv": outside.get(f"{api}/results/?format=csv"),
        "by a player": bearer(link_of(entries["Wim"])).get(f"{api}/standings/"),
        "file": outside.get(f"{api}/file/"),
        "mirror": outside.get(f"/api/v1/clubs/{event.club.slug}/results/"),
        "page": outside.get(f"/e/{uid}/live/"),
        "searched": outside.get(f"/e/{uid}/live/?q=Xia"),
        "phone": phone.get(f"/e/{uid}/me/live/"),
        "projector": outside.get(f"/e/{uid}/projector/part/"),
        "embed": outside.get(reverse("web:embed-event", args=[uid])),
    }
    texts = {}
    for way, answer in found.items():
        assert answer.status_code in {200, 403}, way
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        texts[way] = body.decode()
    return texts


POINTS = {"Zoë": "1.000", "Yan": "0.667", "Xia": "0.333", "Wim": "0.000"}


def test_nobody_outside_reads_what_is_hidden_by_any_way(house):
    event, entries = evening(house, standings_shown="later")
    texts = ways(event, entries)
    assert json.loads(texts["api"])["rows"] == json.loads(texts["results"])["rows"] == []
    assert json.loads(texts["api"])["hidden"] is json.loads(texts["by a player"])["hidden"] is True
    assert json.loads(texts["by a player"])["rows"] == []
    for way in ("csv", "results csv", "mirror"):
        assert len(texts[way].splitlines()) <= 1, way
    assert "hidden" in texts["file"]
    assert 'class="places"' not in texts["page"] + texts["searched"]
    assert "shown when the event is finished" in texts["page"]
    assert 'ranking-value">1' not in texts["page"]
    assert "data-place" not in texts["phone"]
    assert 'data-slide="standings' not in texts["projector"]
    assert not any(name in texts["embed"] for name in NAMES)


def test_the_first_places_alone_are_shown(house):
    event, entries = evening(house, standings_shown="top", standings_number=2)
    texts = ways(event, entries)
    assert [row["player"]["name"] for row in json.loads(texts["api"])["rows"]] == ["Zoë", "Yan"]
    assert len(texts["csv"].splitlines()) == 3
    assert json.loads(texts["results"])["rows"] == []
    assert "Xia" not in texts["embed"]
    assert texts["projector"].partition('data-slide="standings')[2].count("<strong>") == 2
    assert "data-place" not in texts["phone"]  # of the last; the first reads theirs
    first = Client()
    first.get(f"/me/{link_of(entries['Zoë'])}/")
    assert "data-place" in first.get(f"/e/{event.uid}/me/live/").content.decode()


def test_the_club_sees_all_and_shares_no_answer_with_others(house):
    event, _entries = evening(house, standings_shown="later")
    page, api, _actor = member(house)
    address = f"/api/v1/events/{event.uid}/standings/"
    for _ in range(2):  # whoever asks first, and again from memory
        ours, theirs = api.get(address), Client().get(address)
        assert (len(ours.json()["rows"]), theirs.json()["rows"]) == (4, [])
        assert ours["ETag"] != theirs["ETag"]
        assert Client().get(address, headers={"If-None-Match": ours["ETag"]}).status_code == 200
        own, other = page.get(f"/e/{event.uid}/live/"), Client().get(f"/e/{event.uid}/live/")
        assert 'class="places"' in own.content.decode()
        assert 'class="places"' not in other.content.decode()
        assert own["ETag"] != other["ETag"]
    wall = page.get(f"/e/{event.uid}/projector/part/").content.decode()  # at which everybody looks
    assert 'data-slide="standings' not in wall


def test_who_leaves_the_club_no_longer_reads_what_is_hidden(house):
    event, _entries = evening(house, standings_shown="later")
    _page, api, actor = member(house)
    address = f"/api/v1/events/{event.uid}/standings/"
    assert len(api.get(address).json()["rows"]) == 4
    actor.user.memberships.all().delete()
    assert api.get(address).json()["rows"] == []


def test_they_are_shown_after_the_round_that_was_named_and_at_the_end(house):
    event, entries = evening(house, standings_shown="later", standings_number=2)
    assert shown_places(NOBODY, event) == 0
    play(event, 2, [entries[name] for name in NAMES])
    Round.objects.filter(event=event, number=2).update(status="running")
    assert shown_places(NOBODY, event) == 0
    _page, _api, organiser = member(house, "organiser")
    address = f"/api/v1/events/{event.uid}/standings/"
    before = Client().get(address)
    rounds.change_status(actor=organiser, event=event, number=2, status="closed")
    refresh(Kinds.STANDINGS, event.uid)
    after = bearer(link_of(entries["Wim"])).get(address, headers={"If-None-Match": before["ETag"]})
    assert len(after.json()["rows"]) == 4
    Event.objects.filter(pk=event.pk).update(standings_number=None)
    event.refresh_from_db()
    assert shown_places(NOBODY, event) == 0
    events.change_status(actor=organiser, event=event, status="finished")
    event.refresh_from_db()
    assert shown_places(NOBODY, event) is None
    assert not hiding(NOBODY).exists()


def test_streams_do_not_tell_hidden_places(house):
    event, entries = evening(house, standings_shown="top", standings_number=1)
    assert set(reading.read(event.pk).places) == {entries["Zoë"].pk}
    Event.objects.filter(pk=event.pk).update(standings_shown="later", standings_number=None)
    assert reading.read(event.pk).places == {}
    Event.objects.filter(pk=event.pk).update(standings_shown="always")
    assert len(reading.read(event.pk).places) == 4


def test_profiles_wait_with_the_event(house):
    event, entries = evening(house, standings_shown="later")
    player = entries["Zoë"].player
    assert not profiles.events_of(NOBODY, player).exists()
    assert not profiles.placings_of(NOBODY, player).exists()
    _page, _api, actor = member(house)
    assert profiles.events_of(actor, player).count() == profiles.placings_of(actor, player).count() == 1
    assert StandingRow.objects.filter(event=event).count() == 4


def test_a_sheet_of_another_table_waits_too(house):
    event, entries = evening(house, standings_shown="later")
    table = event.rounds.get().tables.get()
    address = f"/api/v1/tables/{table.uid}/reports/"
    assert len(bearer(link_of(entries["Wim"])).get(address).json()["results"]) == 1  # they sat there
    assert Client().get(address).json()["results"] == []
    report = table.reports.get()
    assert Client().get(f"/api/v1/reports/{report.uid}/").status_code == 404
    assert Client().get(reverse("web:table-picture", args=[event.uid, table.uid])).status_code == 404


def test_how_many_places_must_be_said(house):
    _page, _api, organiser = member(house, "organiser")
    event, _entries = evening(house)
    with pytest.raises(EventInvalidError):
        events.edit_event(actor=organiser, event=event, fields={"standings_shown": "top"})
    fields = {"standings_shown": "top", "standings_number": 3}
    assert events.edit_event(actor=organiser, event=event, fields=fields).standings_number == 3
