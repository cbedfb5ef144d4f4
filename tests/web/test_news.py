"""Streams that tell pages when something they show is new. Across processes: tests/faults/test_news.py."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from core import epochs
from core.held import HeldResponse
from scoring.models import StandingRow
from scoring.news.reading import follow, read
from scoring.news.state import Difference, Place, What
from scoring.services.drafts import merge_draft
from scoring.services.reports import submit_report
from tests.documents import blocks
from tests.factories import EntryFactory, EventFactory, MembershipFactory, RoundFactory
from tests.scoring.evenings import evening, table_in
from tests.web.phones import phone_of
from tournaments import links
from tournaments.models import Event, Role, Round
from tournaments.services import rounds
from web.news import BEAT, END, NEWS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db


def said(response):
    """Return what a stream says first, without when to come again."""
    assert response["Content-Type"].startswith("text/event-stream")
    return response.content.partition(b"\n\n")[2]


def say(response):
    """Return what turns what happened into what this reader is sent."""
    assert isinstance(response, HeldResponse)
    return response.hold.__self__.say


def opened(client, path, live):
    """Open a page's stream as the page does, with the tag of what it shows."""
    tag = client.get(live)["ETag"]
    return client.get(path, {"tag": tag})


def test_a_page_that_shows_what_there_is_hears_nothing_yet():
    tonight = evening()
    client, path = phone_of(tonight.entries[0]), f"/e/{tonight.event.uid}/me/"
    assert said(opened(client, f"{path}news/", f"{path}live/")) == BEAT
    assert said(client.get(f"{path}news/", {"tag": '"other"'})) == NEWS + BEAT


def test_a_page_of_another_life_of_the_database_is_loaded_again(client, monkeypatch):
    tonight = evening()
    event, table = f"/e/{tonight.event.uid}", tonight.table.uid
    client.force_login(MembershipFactory(club=tonight.event.club, role=Role.OWNER).user)
    phone = phone_of(tonight.entries[0])
    pages = [
        (phone, f"{event}/me/live/", f"{event}/me/news/"),
        (phone, f"{event}/table/{table}/live/", f"{event}/table/{table}/news/"),
        (client, f"{event}/console/part/", f"{event}/console/news/"),
        (client, f"{event}/projector/part/", f"{event}/projector/news/"),
        (client, f"{event}/live/", f"{event}/news/"),
    ]
    known = {live: reader.get(live)["ETag"] for reader, live, _news in pages}
    for reader, live, news in pages:
        assert reader.get(live, headers={"If-None-Match": known[live]}).status_code == 304, live
        assert NEWS not in said(reader.get(news, {"tag": known[live]})), live
    monkeypatch.setattr(epochs, "_current", "restored")
    for reader, live, news in pages:
        assert reader.get(live, headers={"If-None-Match": known[live]}).status_code == 200, live
        assert NEWS in said(reader.get(news, {"tag": known[live]})), live


def test_a_table_is_told_to_its_own_players_and_its_own_page(client):
    tonight = evening()
    other = table_in(tonight.table.round, [EntryFactory(event=tonight.event) for _ in range(3)], number=2)
    event = f"/e/{tonight.event.uid}"
    organiser = MembershipFactory(club=tonight.event.club, role=Role.ORGANISER).user
    client.force_login(organiser)
    pages = {
        "mine": say(phone_of(tonight.entries[0]).get(f"{event}/me/news/")),
        "theirs": say(phone_of(other.seats.first().entry).get(f"{event}/me/news/")),
        "table": say(client.get(f"{event}/table/{tonight.table.uid}/news/")),
        "other table": say(client.get(f"{event}/table/{other.uid}/news/")),
        "console": say(client.get(f"{event}/console/news/")),
        "projector": say(Client().get(f"{event}/projector/news/?key={links.projector_key(tonight.event)}")),
        "public": say(Client().get(f"{event}/news/")),
    }
    before = read(tonight.event.pk)
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())
    happened = Difference(before, read(tonight.event.pk))
    told = {name for name, tell in pages.items() if tell(happened) == NEWS}
    assert told == {"mine", "table", "console", "projector", "public"}


def test_a_draft_is_told_to_those_who_fill_it_in_alone(client):
    tonight = evening()
    other = table_in(tonight.table.round, [EntryFactory(event=tonight.event) for _ in range(3)], number=2)
    event = f"/e/{tonight.event.uid}"
    client.force_login(MembershipFactory(club=tonight.event.club, role=Role.ORGANISER).user)
    table, program = f"{event}/table/{tonight.table.uid}/news/", f"/api/v1/events/{tonight.event.uid}/stream/"
    pages = {
        "own": phone_of(tonight.entries[0]).get(table),
        "club": client.get(table),
        "other player": phone_of(other.seats.first().entry).get(table),
        "other table": client.get(f"{event}/table/{other.uid}/news/"),
        "home": phone_of(tonight.entries[0]).get(f"{event}/me/news/"),
        "console": client.get(f"{event}/console/news/"),
        "public": Client().get(f"{event}/news/"),
        "program": Client().get(program),
    }
    before = read(tonight.event.pk)
    merge_draft(actor=tonight.players[1], table=tonight.table, sheet={"a": 1})
    after = read(tonight.event.pk)
    assert after == follow(before, tonight.event.pk, after.head)
    told = {name: say(page)(Difference(before, after)) for name, page in pages.items()}
    line = b"event: draft\ndata: 1\n\n"
    assert told == dict.fromkeys(pages, b"") | {"own": line, "club": line}
    assert line in phone_of(tonight.entries[2]).get(table).content, "who comes now is told what there is"
    assert after.version == before.version, "for everybody else nothing happened"


def test_a_new_place_costs_a_line_and_no_page():
    tonight = evening()
    for place, entry in enumerate(tonight.entries, 1):
        StandingRow.objects.create(entry=entry, event=tonight.event, place=place, rank=place, points=840, tables=1)
    me = tonight.entries[0]
    client, path = phone_of(me), f"/e/{tonight.event.uid}/me/"
    tag = client.get(f"{path}live/")["ETag"]
    response = client.get(f"{path}news/", {"tag": tag}, headers={"accept-language": "fr"})
    assert NEWS not in response.content, "the language is no news"
    state = read(tonight.event.pk)
    head = state.head._replace(done=state.head.done + 1)
    overtaken = replace(state, head=head, places={**state.places, me.pk: Place(2, 840, 1)})
    line = say(response)(Difference(state, overtaken))
    assert line.startswith(b"event: place\n")
    assert len(line) < 100
    data = json.loads(line.decode().split("data: ")[1])
    assert data == {"rank": "2e", "said": "sur 3"}
    assert say(response)(Difference(overtaken, overtaken)) == b""


def test_what_is_read_again_is_what_changed():
    tonight = evening()
    before = read(tonight.event.pk)
    assert follow(before, tonight.event.pk, before.head) == before
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())
    after = read(tonight.event.pk)
    assert follow(before, tonight.event.pk, after.head) == after
    assert after != before


def test_a_draft_that_is_cancelled_is_news_for_nobody_else():
    tonight = evening()
    tonight.event.rounds.update(status=Round.Status.CLOSED)
    table_in(RoundFactory(event=tonight.event, number=2, status=Round.Status.DRAFT), tonight.entries)
    before = read(tonight.event.pk)
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=2, status=Round.Status.CANCELLED)
    happened = Difference(before, read(tonight.event.pk))
    assert happened.what == (What.EVENT,), "the console is told"
    assert (happened.is_for_all, happened.tables, happened.entries) == (False, frozenset(), frozenset())


@pytest.mark.parametrize("path", ["me/news/", "console/news/", "projector/news/?key=lsp_wrong", "table/nothing/news/"])
def test_a_stream_is_for_those_who_see_the_page(client, path):
    event = EventFactory()
    assert client.get(f"/e/{event.uid}/{path}").status_code in {302, 404}
    private = EventFactory(is_public=False)
    assert client.get(f"/e/{private.uid}/news/").status_code == 404


def test_a_page_of_an_event_that_is_over_is_told_so():
    entry = EntryFactory(event__status=Event.Status.FINISHED)
    client, path = phone_of(entry), f"/e/{entry.event.uid}/me/"
    response = client.get(f"{path}news/", {"tag": client.get(f"{path}live/")["ETag"]})
    assert not isinstance(response, HeldResponse)
    assert response.content == END


@pytest.mark.django_db(transaction=True)
def test_the_browser_example_hears_of_standings(desktop: Page):
    event = EventFactory()
    [block] = blocks("docs/api.md", "js")
    assert len(block.splitlines()) <= 12
    desktop.goto("/")
    heard = desktop.evaluate(
        "([block, event]) => new Promise((heard) => {"
        "  document.addEventListener('standings', (news) => heard([news.detail, document.title]));"
        "  new Function('SERVICE', 'EVENT', block)(location.origin, event);"
        "})",
        [block, event.uid],
    )
    assert heard == [event.version, f"Version {event.version}"]
