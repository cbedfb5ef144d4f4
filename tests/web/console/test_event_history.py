"""The history of an event as a page: in sentences, to the club everything, to others what anybody could have seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse

from tests.factories import ClubFactory, EntryFactory, EventFactory, MembershipFactory, PlayerFactory
from tests.web.leagues import League
from tests.web.phones import phone_of
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Call, Entry, Event, Round
from tournaments.services.history import record
from web.console.history import EVENT_VERBS, ON_A_PAGE, PUBLIC, VERBS

ROOT = Path(__file__).parents[3]
STATUSES = {"entry": Entry.Status.values, "round": Round.Status.values, "event": Event.Status.values}
STATUSES["call"] = [each for each in Call.Status.values if each != "open"]
BACKEND = "django.contrib.auth.backends.ModelBackend"


def verbs_of_the_code():
    for package in ("tournaments", "scoring", "play"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text()
            yield from re.findall(r'verb="([a-z_-]+)"', text)
            for kind in re.findall(r'verb=f"([a-z]+)-\{status\}"', text):
                yield from (f"{kind}-{status}" for status in STATUSES[kind])


def test_everything_that_is_written_down_has_words():
    known = {*VERBS, *EVENT_VERBS}
    assert set(verbs_of_the_code()) - known == set()
    assert set(PUBLIC) <= known


@pytest.fixture
def league(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    return League(ClubFactory(), [PlayerFactory(name=f"Player {number}") for number in range(4)])


def page_of(client, event, **query):
    response = client.get(reverse("web:event-history", args=[event.uid]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.django_db
def test_the_club_reads_who_did_what_and_others_only_what_happened(client, league):
    event = league.evening()
    record(actor=league.organiser, event=event, verb="round-cancelled", reason="The café burns", round=1)
    record(actor=league.organiser, event=event, verb="entered", name="Zoé <b>", entry="x")
    record(actor=NOBODY, event=event, verb="entered", name="Ana", entry="y")
    name = league.organiser.user.public_name
    for reader in (client, phone_of(event.entries.first())):
        html = page_of(reader, event)
        assert "started round 1" in html
        assert "The organiser" in html
        assert "made the result final" in html
        for secret in (name, league.organiser.user.email, "The café burns", "Zoé"):
            assert secret not in html
    client.force_login(league.organiser.user, BACKEND)
    html = page_of(client, event)
    assert f"<strong>{name}</strong> entered Zoé &lt;b&gt;" in html
    assert "<strong>Ana</strong> joined the event" in html
    assert "The café burns" in html
    assert league.organiser.user.email not in html


@pytest.mark.django_db
def test_an_organiser_who_plays_along_in_this_browser_reads_what_the_club_does(league):
    event = league.evening(is_over=False)
    record(actor=league.organiser, event=event, verb="round-cancelled", reason="The café burns", round=1)
    browser = phone_of(event.entries.first())
    browser.force_login(league.organiser.user, BACKEND)
    assert "The café burns" in page_of(browser, event)


@pytest.mark.django_db
def test_a_long_history_has_pages_in_a_fixed_number_of_queries(client, django_assert_num_queries):
    member = MembershipFactory()
    event = EventFactory(club=member.club)
    actor = Actor(Kind.USER, user=member.user)
    for number in range(ON_A_PAGE + 1):
        record(actor=actor, event=event, verb="round-seated", round=number)
    client.force_login(member.user, BACKEND)
    first, second = (page_of(client, event, page=page) for page in "12")
    assert (first.count("seated round"), second.count("seated round")) == (ON_A_PAGE, 1)
    with django_assert_num_queries(5):
        page_of(client, event)


@pytest.mark.django_db
def test_a_strange_verb_is_shown_as_it_is_and_missing_facts_break_nothing(client):
    event = EventFactory()
    member = MembershipFactory(club=event.club)
    actor = Actor(Kind.USER, user=member.user)
    record(actor=actor, event=event, verb="{name.__class__}", name="x")
    record(actor=actor, event=event, verb="entered")
    client.force_login(member.user, BACKEND)
    html = page_of(client, event)
    assert "{name.__class__}" in html
    assert "entered ?" in html


@pytest.mark.django_db
def test_a_private_event_has_no_history_for_strangers(client):
    entry = EntryFactory(event__is_public=False)
    assert client.get(reverse("web:event-history", args=[entry.event.uid])).status_code == 404
    assert "Nothing has happened yet." in page_of(phone_of(entry), entry.event)
