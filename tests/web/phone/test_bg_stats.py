"""A result is copied into BG Stats as its import link says it, and every list is offered as CSV."""

from __future__ import annotations

import datetime as dt
import json
import re
from html import unescape
from urllib.parse import unquote

import pytest
from django.urls import reverse

from scoring.models import Placing, Result
from tests.factories import ClubFactory, PlayerFactory, SeasonFactory
from tests.web.leagues import League
from tests.web.markup import tags
from web.phone.bg_stats import ADDRESS, play_of

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def league(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    names = ["Zoé", 'Ana "&" <Bo>', "Björn 🎲", "Alexandre-Maximilien de Montmorency-Laval"]
    return League(ClubFactory(name="Café Meeple"), [PlayerFactory(name=name) for name in names])


def links_of(html):
    return [tag.attributes["href"] for tag in tags(html, "a") if tag.attributes["href"].startswith("bgstats:")]


def test_a_final_table_has_the_link_with_everybody_and_their_places(client, league):
    event = league.evening()
    table = event.rounds.get().tables.get()
    html = client.get(reverse("web:table", args=[event.uid, table.uid])).content.decode()
    (link,) = links_of(html)
    play = json.loads(unquote(unescape(link).removeprefix(ADDRESS)))
    placings = Placing.objects.filter(event=event).select_related("entry__player")
    assert {(each["sourcePlayerId"], each["name"], each["rank"], each.get("score")) for each in play["players"]} == {
        (placing.player.uid, placing.entry.name, placing.rank, placing.score) for placing in placings
    }
    assert all(each["winner"] is (each["rank"] == 1) for each in play["players"])
    played_at = Result.objects.get(table=table).played_at.astimezone(dt.UTC)
    assert play["playDate"] == played_at.strftime("%Y-%m-%d %H:%M:%S")
    assert (play["sourceName"], play["sourcePlayId"], play["location"]) == ("Ludoscore", table.uid, "Café Meeple")
    assert play["game"] == {"name": "DIX", "sourceGameId": "dix", "highestWins": True, "noPoints": False}
    assert re.fullmatch(r"[A-Za-z0-9%._~-]+", link.removeprefix(ADDRESS))


def test_a_table_without_a_result_has_no_link(client, league):
    event = league.evening(played=0, is_over=False)
    table = event.rounds.get().tables.get()
    client.force_login(league.organiser.user, BACKEND)
    assert links_of(client.get(reverse("web:table", args=[event.uid, table.uid])).content.decode()) == []


def test_a_ranking_by_hand_has_places_and_no_points(league):
    event = league.evening()
    table = event.rounds.get().tables.get()
    rows = [
        {"name": "Zoé", "seat": "x", "rank": 1, "score": None},
        {"name": "Ana", "seat": "y", "rank": 2, "score": None},
    ]
    at = dt.datetime(2026, 11, 17, 1, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    play = play_of(table, rows, at)
    assert (play["game"]["noPoints"], play["playDate"]) == (True, "2026-11-16 23:00:00")
    assert [("score" in each, each["winner"]) for each in play["players"]] == [(False, True), (False, False)]


def test_every_page_with_a_list_leads_to_its_csv(client, league):
    season = SeasonFactory(club=league.club)
    event = league.evening(season=season)
    client.force_login(league.organiser.user, BACKEND)
    slug = league.club.slug
    pages = [f"/e/{event.uid}/", f"/e/{event.uid}/history/", f"/e/{event.uid}/players/", f"/seasons/{season.uid}/"]
    pages += ["/leaderboards/dix/", f"/clubs/{slug}/leaderboards/dix/", f"/organise/club/{slug}/people/"]
    pages += [f"/players/{league.players[0].uid}/dix/"]
    for page in pages:
        html = client.get(page).content.decode()
        found = [tag.attributes["href"] for tag in tags(html, "a") if "format=csv" in tag.attributes.get("href", "")]
        assert found, page
        for address in found:
            answer = client.get(address)
            assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (200, "text/csv"), address
            assert answer.content.count(b"\n") > 1, address
