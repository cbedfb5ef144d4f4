"""News of an event, as programs hear of it. Streams that are held open: tests/faults/test_news.py."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from django.test import Client

from core import computations, epochs
from core.computations import Kind
from core.held import HeldResponse
from core.models import Derived
from scoring.news import hub as news
from scoring.news import reading
from scoring.services.reports import submit_report
from tests.factories import EntryFactory, EventFactory, MembershipFactory
from tests.scoring.evenings import evening
from tournaments.access import credentials
from tournaments.access.guards import Guard, ended
from tournaments.actors import Actor
from tournaments.actors import Kind as Who
from tournaments.models import Event, Membership, Role
from tournaments.services import entries
from tournaments.services.credentials import create_token, revoke

pytestmark = pytest.mark.django_db


def listen(event, last="", **headers):
    headers |= {"last-event-id": last} if last else {}
    return Client().get(f"/api/v1/events/{event.uid}/stream/", headers={"accept": "text/event-stream", **headers})


def link_of(entry):
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def told(response):
    """Return the messages of a stream that a server without one sends as a whole."""
    assert response["Content-Type"].startswith("text/event-stream")
    blocks = [block.split("\n") for block in response.content.decode().split("\n\n") if "event:" in block]
    return [dict(line.split(": ", 1) for line in block) for block in blocks]


def number(message):
    """Return the version that the id of a message begins with."""
    return int(message["id"].partition("-")[0])


def test_the_first_message_says_the_version_and_everything():
    event = EventFactory()
    response = listen(event)
    assert isinstance(response, HeldResponse)
    (message,) = told(response)
    data = json.loads(message["data"])
    assert data == {"event": event.uid, "version": event.version, "what": data["what"]}
    assert data["what"] == ["event", "entries", "round", "tables", "standings"]
    assert (message["event"], message["id"]) == ("change", f"{event.version}-{epochs.current()}")
    assert response["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in response


@pytest.mark.parametrize(("place", "name"), [(news.hub, "state_of"), (reading, "follow")])
def test_an_event_that_is_deleted_while_somebody_comes_is_not_there(client, monkeypatch, place, name):
    event = EventFactory()
    go_on = getattr(place, name)

    def delete_first(*which):
        Event.objects.all().delete()
        return go_on(*which)

    monkeypatch.setattr(place, name, delete_first)
    assert client.get(f"/api/v1/events/{event.uid}/stream/").status_code == 404


def test_nothing_is_told_to_whoever_knows_it():
    event = EventFactory()
    assert told(listen(event, last=told(listen(event))[0]["id"])) == []


@pytest.mark.parametrize("known", ["9" * 5000, "٣", "-1", "1e3", "", "0" * 30])
def test_place_that_nobody_was_given_is_answered_with_everything(known, monkeypatch):
    event = EventFactory()
    remembered = SimpleNamespace(past=[(0, {news.What.EVENT})], state=news.read(event.pk))
    monkeypatch.setitem(news.hub._known, event.pk, remembered)
    assert len(told(listen(event, last=f"{known}-{epochs.current()}"))) == 1


def test_whoever_comes_back_in_another_life_of_the_database_is_told_everything(monkeypatch):
    event = EventFactory()
    known = told(listen(event))[0]["id"]
    monkeypatch.setattr(epochs, "_current", "restored")
    (message,) = told(listen(event, last=known))
    assert json.loads(message["data"])["what"] == ["event", "entries", "round", "tables", "standings"]
    assert told(listen(event, last=message["id"])) == []


def test_whoever_comes_back_after_a_change_is_told():
    tonight = evening()
    known = told(listen(tonight.event))[0]["id"]
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    (message,) = told(listen(tonight.event, last=known))
    assert number(message) > int(known.partition("-")[0])
    assert "tables" in json.loads(message["data"])["what"]


@pytest.mark.parametrize("known", ["nonsense", "9" * 30, "-1", "²", "1", "1-other", "-tests", "²-tests"])
def test_an_id_that_nobody_gave_gets_everything(known):
    assert len(told(listen(EventFactory(), last=known))) == 1


def test_computed_standings_raise_the_version():
    event = EventFactory()
    before = number(told(listen(event))[0])
    computations.mark(Kind.STANDINGS, event.uid)
    assert number(told(listen(event))[0]) == before
    Derived.objects.create(kind=Kind.STANDINGS, key=event.uid, wanted=1, done=1)
    assert number(told(listen(event))[0]) == before + 1


def test_an_event_that_is_over_sends_readers_home_once_all_is_computed():
    event = EventFactory(status=Event.Status.FINISHED)
    Derived.objects.create(kind=Kind.STANDINGS, key=event.uid, wanted=2, done=1)
    assert isinstance(listen(event), HeldResponse)
    Derived.objects.update(done=2)
    response = listen(event)
    assert not isinstance(response, HeldResponse)
    assert listen(event, last=told(response)[0]["id"]).status_code == 204


def test_a_private_event_is_heard_of_by_its_club_and_its_players():
    event = EventFactory(is_public=False)
    assert listen(event).status_code == 404
    entry = EntryFactory(event=event)
    stranger = EntryFactory()
    member = MembershipFactory(club=event.club, role=Role.SCOREKEEPER).user
    _row, secret = create_token(actor=Actor(Who.USER, user=member), name="screen")
    for credential, status in (
        (link_of(entry), 200),
        (link_of(stranger), 404),
        (secret, 200),
        ("lsu_wrong", 401),
    ):
        response = listen(event, authorization=f"Bearer {credential}")
        assert response.status_code == status
    assert json.loads(response.content)["code"] == "invalid-credentials"


def test_messages_name_nobody():
    entry = EntryFactory(name="Wilhelmine")
    assert "Wilhelmine" not in listen(entry.event).content.decode()


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_stream_is_only_read(method):
    event = EventFactory()
    assert getattr(Client(), method)(f"/api/v1/events/{event.uid}/stream/").status_code >= 400


def test_a_reader_holds_so_many_streams_and_no_more(monkeypatch):
    monkeypatch.setattr(news, "MOST_PER_ADDRESS", 1)
    event = EventFactory()
    monkeypatch.setitem(news.hub._held, "127.0.0.1", 1)
    response = listen(event)
    assert (response.status_code, json.loads(response.content)["code"]) == (429, "too-many-streams")
    assert int(response["Retry-After"]) > 0
    credential = link_of(EntryFactory(event=event))
    assert listen(event, authorization=f"Bearer {credential}").status_code == 200, "counted by itself"
    monkeypatch.setattr(news, "MOST", 1)
    assert listen(event, authorization=f"Bearer {credential}").status_code == 429


# --- What a reader was let in by ----------------------------------------------------------------------------------


def guard_of(actor, event):
    return Guard.of(actor, event, Client().get("/").wsgi_request)


def test_a_link_that_was_renewed_lets_nobody_stay():
    entry = EntryFactory()
    guard = guard_of(Actor(Who.ENTRY, entry=entry), entry.event)
    assert ended([guard]) == set()
    entries.renew_link(actor=Actor(Who.ENTRY, entry=entry), entry=entry)
    assert ended([guard]) == {guard}


def test_a_slip_lets_readers_stay_while_its_round_is_on():
    tonight = evening()
    guard = guard_of(Actor(Who.TABLE, table=tonight.table), tonight.event)
    assert ended([guard]) == set()
    type(tonight.table.round).objects.update(status="closed")
    assert ended([guard]) == {guard}


def test_tokens_sessions_and_roles_let_readers_stay_while_they_last(client):
    member = MembershipFactory(role=Role.SCOREKEEPER)
    event = EventFactory(club=member.club, is_public=False)
    user = Actor(Who.USER, user=member.user)
    token, _secret = create_token(actor=user, name="screen")
    client.force_login(member.user)
    logged_in = Guard.of(user, event, client.get("/").wsgi_request)
    by_token = guard_of(Actor(Who.USER, user=member.user, credential=token), event)
    nobody = Guard()
    assert ended([logged_in, by_token, nobody]) == set()
    revoke(actor=user, credential=token)
    assert ended([logged_in, by_token, nobody]) == {by_token}
    client.logout()
    assert ended([logged_in, nobody]) == {logged_in}
    client.force_login(member.user)
    again = Guard.of(user, event, client.get("/").wsgi_request)
    Membership.objects.update(role=Role.ORGANISER)
    assert ended([again]) == {again}, "who gets another role comes again, and is looked at anew"
