"""The page of a season: what it is kept by, and what it costs however long the season is."""

from __future__ import annotations

from itertools import count
from threading import Semaphore

import pytest
from django.test import Client

from core import computations, costly
from scoring.models import SeasonRow
from scoring.rankings.standings import words
from tests.factories import DerivedFactory, EventFactory, MembershipFactory, PlayerFactory, SeasonFactory
from tests.web.markup import tags
from tournaments.models import Event, Player, Role
from web.public import seasons
from web.public.races import MOST

pytestmark = pytest.mark.django_db


def a_season(people, events, best_of=10):
    """Store the table of a season in which everybody came to every event, and who is ahead is always ahead."""
    season = SeasonFactory(best_of=best_of)
    DerivedFactory(kind=computations.Kind.SEASON, key=season.uid, wanted=3, done=3)
    played = [EventFactory(club=season.club, season=season, status="finished") for _ in range(events)]
    for place in range(1, people + 1):
        points = 100_000 - place
        results = [
            {"event": event.uid, "rank": place, "entrants": people, "points": points + number}
            | {"is_counted": number >= events - best_of}
            for number, event in enumerate(played)
        ]
        steps = [{"event": event.uid, "place": place, "rank": place, "points": points} for event in played]
        SeasonRow.objects.create(
            season=season,
            player=PlayerFactory(name=f"Number {place}"),
            place=place,
            rank=place,
            points=best_of * points,
            events=events,
            results=results,
            steps=steps,
            reason={"code": "points", "above": "2.000", "own": "1.000"} if place > 1 else {"code": "first"},
        )
    return season


def page_of(season, client=None, language="en", **query):
    answer = (client or Client()).get(f"/seasons/{season.uid}/", query, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def member_of(season):
    client = Client()
    client.force_login(MembershipFactory(club=season.club, role=Role.SCOREKEEPER).user)
    return client


def sums_of(html):
    """Return the lists of results, by the person."""
    return [each.partition("</ul>")[0].count("<li") for each in html.split('<ul class="sums">')[1:]]


@pytest.fixture
def made(monkeypatch):
    """The tables that were made."""
    tables, make = [], seasons.season_rows
    monkeypatch.setattr(seasons, "season_rows", lambda *given: tables.append(given) or make(*given))
    return tables


def test_a_table_is_made_once_until_something_of_it_changes(made):
    season = a_season(people=3, events=2)
    for _ in range(2):
        assert "Number 2" in page_of(season)
    assert len(made) == 1
    assert "Classement" in page_of(season, language="fr")
    changes = [
        lambda: Player.objects.filter(name="Number 2").update(name="Renamed"),
        lambda: Event.objects.filter(season=season).update(name="Winter evening"),
        lambda: computations.mark(computations.Kind.SEASON, season.uid),
    ]
    for number, change in zip(count(3), changes, strict=False):
        change()
        html = page_of(season)
        assert len(made) == number
    assert "Renamed" in html
    assert "Winter evening" in html


def test_what_only_some_readers_may_know_is_kept_for_them_alone(made):
    season = a_season(people=3, events=2)
    Event.objects.filter(pk=Event.objects.earliest("pk").pk).update(is_public=False, name="Hush hush")
    ours = member_of(season)
    for _ in range(2):
        assert "Hush hush" in page_of(season, ours)
        html = page_of(season)
        assert "Hush hush" not in html
        assert "Private event" in html
    assert len(made) == 2


def test_of_very_many_results_the_best_that_count_are_shown():
    short, long = a_season(people=2, events=seasons.RESULTS), a_season(people=2, events=seasons.RESULTS + 1)
    assert sums_of(page_of(short)) == [seasons.RESULTS] * 2
    html = page_of(long)
    assert sums_of(html) == [10, 10]
    assert f"The best 10 of {seasons.RESULTS + 1} results." in html
    assert f"Les 10 meilleurs de {seasons.RESULTS + 1} résultats." in page_of(long, language="fr")


def test_a_page_is_as_large_however_many_events_there_were_and_count():
    most, more = (page_of(a_season(people=3, events=events, best_of=events)) for events in (70, 140))
    assert sums_of(most) == sums_of(more) == [seasons.RESULTS] * 3
    assert len(tags(more, "th")) == len(tags(most, "th"))
    assert len(more) < 1.02 * len(most)
    assert f"The latest {MOST} events." in more
    assert "All events" in more


def test_a_long_table_has_pages_and_says_who_is_above(monkeypatch):
    monkeypatch.setattr(seasons, "PLACES", 2)
    season = a_season(people=5, events=2)
    pages = [page_of(season, page=number) for number in (1, 2, 3)]
    assert [len(sums_of(html)) for html in pages] == [2, 2, 1]
    assert words.explain_season({"code": "points", "above": "2", "own": "1"}, "Number 2") in pages[1]
    assert ["race-names" in html for html in pages] == [True, False, False]
    assert len(sums_of(page_of(season, page=9))) == 1


def test_a_season_of_many_results_is_made_in_turn_and_the_club_waits_for_nobody(monkeypatch):
    season = a_season(people=3, events=2)
    address = f"/seasons/{season.uid}/"
    monkeypatch.setattr(costly.PAGE, "places", Semaphore(0))
    monkeypatch.setattr(seasons, "MANY", 5)
    assert Client().get(address).status_code == 429
    assert member_of(season).get(address).status_code == 200
    assert Client().get(address).status_code == 200, "it is in memory, and costs nothing"


def test_a_season_of_few_results_waits_for_no_turn(monkeypatch):
    monkeypatch.setattr(costly.PAGE, "places", Semaphore(0))
    assert page_of(a_season(people=3, events=2))


@pytest.mark.parametrize("events", [2, 60])
def test_what_is_kept_takes_three_statements(events, django_assert_num_queries):
    season = a_season(people=3, events=events)
    page_of(season)
    with django_assert_num_queries(3):
        page_of(season)
