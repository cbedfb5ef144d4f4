"""Seasons: the best results of several events, and what decides between people level."""

from __future__ import annotations

import cProfile
import threading
from collections import defaultdict

import pytest
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from core import computations
from scoring import tasks
from scoring.models import SeasonRow, StandingRow
from scoring.rankings.seasons import store
from scoring.rankings.seasons.compute import (
    FULL,
    TIEBREAKS,
    Finish,
    compute,
    event_points,
    results_of,
    with_best,
)
from scoring.rankings.seasons.course import Step, course
from scoring.rankings.standings import store as standings
from scoring.selectors import season_course, season_rows
from tests.factories import MembershipFactory, PlayerFactory, SeasonFactory
from tests.interleaving import meanwhile
from tests.scoring.rankings.standings.events import event_with, play
from tournaments.actors import Actor, Kind
from tournaments.models import Club, Event, Player, Role, Round, SeasonTieBreak
from tournaments.services.clubs import edit_club
from tournaments.services.events import edit_event


def finishes(**events):
    """Return who came where: for each event the players by rank, each rank a group of digits."""
    found = []
    for event, text in events.items():
        rank = 1
        for group in text.split():
            found += [Finish(event, int(player), rank) for player in group]
            rank += len(group)
    return found


def ranked(rows):
    return [(row.rank, row.player, row.points) for row in rows]


def test_every_tiebreak_of_a_season_is_computed():
    assert set(TIEBREAKS) == set(SeasonTieBreak.values)


def test_an_event_is_worth_a_hundred_to_its_winner_and_nothing_to_its_last():
    rows = compute(["e"], finishes(e="1 23 4"), 5, [])
    assert ranked(rows) == [(1, 1, 100_000), (2, 2, 50_000), (2, 3, 50_000), (4, 4, 0)]
    assert [row.reason["code"] for row in rows] == ["first", "points", "shared", "points"]


def test_results_are_rounded_to_thousandths_once():
    assert [event_points(rank, 1, 8) for rank in (1, 2, 3, 8)] == [100_000, 85_714, 71_429, 0]


def test_the_only_entrant_has_everything():
    assert ranked(compute(["e"], finishes(e="1"), 5, [])) == [(1, 1, FULL)]


@given(st.lists(st.integers(1, 5), min_size=2, max_size=12))
def test_an_event_gives_out_fifty_for_each_entrant_whoever_is_level(groups):
    entrants, rank, given_out = sum(groups), 1, 0
    for level in groups:
        given_out += level * event_points(rank, level, entrants)
        rank += level
    assert abs(given_out - entrants * FULL // 2) <= entrants


def test_ranks_count_those_who_played_alone():
    rows = compute(["e"], [Finish("e", 1, 2), Finish("e", 2, 5)], 5, [])
    assert ranked(rows) == [(1, 1, FULL), (2, 2, 0)]


def test_only_the_best_results_count():
    rows = compute(["e", "f", "g"], finishes(e="1 2 3", f="2 1 3", g="3 2 1"), 2, [])
    assert ranked(rows) == [(1, 1, 150_000), (1, 2, 150_000), (3, 3, 100_000)]
    assert [(each.event, each.points, each.is_counted) for each in rows[0].results] == [
        ("e", 100_000, True),
        ("f", 50_000, True),
        ("g", 0, False),
    ]


@pytest.mark.parametrize(
    ("key", "first", "values"),
    [
        ("wins", 1, ("1", "0")),
        ("best_event", 1, ("100.000", "50.000")),
        ("events", 2, ("3", "2")),
        ("last_event", 2, ("0.000", None)),
    ],
)
def test_each_tiebreak_decides_in_its_way(key, first, values):
    """Player 1 has 100 and 0, player 2 has 50, 50 and 0: both have 100."""
    rows = compute(["e", "f", "g"], finishes(e="1 2 3", f="3 2 1", g="4 3 2"), 3, [key])
    level = [row for row in rows if row.player in {1, 2}]
    assert [row.points for row in level] == [100_000, 100_000]
    assert level[0].player == first
    assert level[1].reason == {"code": "tie-break", "key": key, "above": values[0], "own": values[1]}


# --- How it came about ----------------------------------------------------------------------------------------------


@st.composite
def seasons(draw):
    """Draw events in order, and who came where in each: some of nine people, some of them level."""
    events = [f"e{number}" for number in range(draw(st.integers(0, 6)))]
    played = []
    for event in events:
        people = draw(st.lists(st.integers(1, 9), unique=True, max_size=9))
        ranks = sorted(draw(st.lists(st.integers(1, 9), min_size=len(people), max_size=len(people))))
        played += [Finish(event, player, rank) for player, rank in zip(people, ranks, strict=True)]
    best_of = draw(st.integers(1, 4))
    return events, played, best_of, draw(st.lists(st.sampled_from(sorted(TIEBREAKS)), unique=True))


@given(seasons())
def test_after_each_event_everybody_stands_where_the_season_until_then_puts_them(season):
    events, played, best_of, tiebreaks = season
    found = course(*season)
    for number, event in enumerate(events, 1):
        until = events[:number]
        table = compute(until, [each for each in played if each.event in until], best_of, tiebreaks)
        stood = {step for steps in found.values() for step in steps if step.event == event}
        assert stood == {Step(event, row.place, row.rank, row.points) for row in table}


@given(seasons())
def test_the_last_step_is_the_table_and_steps_begin_with_the_first_event_played(season):
    events, played, _best_of, _tiebreaks = season
    found = course(*season)
    assert {player: steps[-1][1:] for player, steps in found.items()} == {
        row.player: (row.place, row.rank, row.points) for row in compute(*season)
    }
    for player, steps in found.items():
        first = next(event for event in events if any(each[:2] == (event, player) for each in played))
        assert [step.event for step in steps] == events[events.index(first) :]


# By all results again after each event, which costs their square: simple enough to be right.
BY_RESULTS = {
    "wins": lambda results, _latest: sum(each.rank == 1 for each in results),
    "best_event": lambda results, _latest: max(each.points for each in results),
    "events": lambda results, _latest: len(results),
    "last_event": lambda results, latest: next((each.points for each in results if each.event == latest), -1),
}


def steps_by_results(events, finishes, best_of, tiebreaks):
    steps, found = defaultdict(list), {}
    for event, entrants in results_of(events, finishes).items():
        for player, result in entrants:
            found[player] = with_best([*found.get(player, ()), result], best_of)
        keys = {
            player: (
                sum(each.points for each in results if each.is_counted),
                *(BY_RESULTS[key](results, event) for key in tiebreaks),
            )
            for player, results in found.items()
        }
        above, rank = None, 0
        order = sorted(keys, key=lambda player: (*(-each for each in keys[player]), player))
        for place, player in enumerate(order, 1):
            above, rank = keys[player], rank if keys[player] == above else place
            steps[player].append(Step(event, place, rank, keys[player][0]))
    return steps


@given(seasons())
def test_what_is_kept_up_with_each_event_is_what_all_results_add_up_to(season):
    assert course(*season) == steps_by_results(*season)


def calls_of(act):
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("rank", [compute, course])
def test_twice_as_many_events_cost_twice_as_much(rank):
    def cost(number):
        events = [f"e{each}" for each in range(number)]
        played = [Finish(event, player, player) for event in events for player in range(1, 11)]
        return calls_of(lambda: rank(events, played, 5, sorted(TIEBREAKS)))

    assert cost(80) < 2.2 * cost(40)


def test_a_result_that_is_no_longer_among_the_best_stops_counting():
    found = course(["e", "f", "g"], finishes(e="1 2 3", f="3 1 2", g="1 2 3"), 2, [])
    assert [step.points for step in found[1]] == [100_000, 150_000, 200_000]
    assert [step.points for step in found[2]] == [50_000, 50_000, 100_000]


# --- In the database ----------------------------------------------------------------------------------------------


@pytest.fixture
def season(db):
    return SeasonFactory(best_of=2)


def finished(season, order, **fields):
    """Return a finished event of a season, played at one table in this order, with standings."""
    event, entries = event_with(order, club=season.club, season=season, tiebreaks=[], **fields)
    play(event, 1, entries.values())
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    standings.refresh(event.uid)
    return event, entries


def stored(season):
    return [(row.rank, row.player.name, row.points) for row in SeasonRow.objects.order_by("place")]


def test_a_season_is_written_and_written_again(season):
    event, _entries = finished(season, "abc")
    for _ in range(2):
        assert store.refresh(season.uid)
        assert stored(season) == [(1, "a", 100_000), (2, "b", 50_000), (3, "c", 0)]
    row = SeasonRow.objects.get(place=2)
    assert (row.events, row.reason["code"]) == (1, "points")
    assert row.results == [{"event": event.uid, "rank": 2, "entrants": 3, "points": 50_000, "is_counted": True}]


def test_the_course_of_a_season_is_written_with_it(season):
    first, _entries = finished(season, "abc")
    second, _entries = finished(season, "de")
    Player.objects.filter(name="d").update(merged_into=Player.objects.get(name="c"))
    assert store.refresh(season.uid)
    found = {row["player"]["name"]: row["steps"] for row in season_course(season)}
    assert found["c"] == [
        {"event": first.uid, "place": 3, "rank": 3, "points": "0.000"},
        {"event": second.uid, "place": 1, "rank": 1, "points": "100.000"},
    ]
    assert [step["event"] for step in found["e"]] == [second.uid]
    last = {row.player.name: (row.place, row.rank, row.points) for row in SeasonRow.objects.all()}
    assert {
        name: (steps[-1]["place"], steps[-1]["rank"], int(steps[-1]["points"].replace(".", "")))
        for name, steps in found.items()
    } == last


def test_the_first_of_a_season_are_read_with_one_more_in_one_query(season, django_assert_num_queries):
    finished(season, "abcde")
    store.refresh(season.uid)
    person = Player.objects.get(name="e").pk
    with django_assert_num_queries(1):
        rows = season_course(season, top=2, person=person)
    assert [row["player"]["name"] for row in rows] == ["a", "b", "e"]


def test_records_of_one_person_count_together(season):
    finished(season, "abc")
    finished(season, "de")
    Player.objects.filter(name="d").update(merged_into=Player.objects.get(name="c"))
    assert store.refresh(season.uid)
    assert stored(season) == [(1, "c", 100_000), (2, "a", 100_000), (3, "b", 50_000), (4, "e", 0)]


def test_only_finished_events_count_and_only_those_who_played(season):
    event, entries = event_with("xyz", club=season.club, season=season)
    play(event, 1, entries.values())
    standings.refresh(event.uid)
    late, _entries = finished(season, "abc")
    late.entries.create(player=PlayerFactory(), name="late")
    standings.refresh(late.uid)
    assert store.refresh(season.uid)
    assert stored(season) == [(1, "a", 100_000), (2, "b", 50_000), (3, "c", 0)]


def test_whoever_played_too_few_tables_of_a_league_has_no_result(season):
    event, entries = event_with("abc", club=season.club, season=season, format="open", tables_least=2)
    for number, table in enumerate(("abc", "ab"), 1):
        play(event, number, [entries[name] for name in table], kind=Round.Kind.OPEN)
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    standings.refresh(event.uid)
    assert store.refresh(season.uid)
    assert stored(season) == [(1, "a", 100_000), (2, "b", 0)]


def test_a_season_waits_for_the_standings_of_its_events(season):
    event, _entries = finished(season, "abc")
    computations.mark("standings", event.uid)
    assert not store.refresh(season.uid)
    assert not SeasonRow.objects.exists()
    computations.pretend_done("standings", event.uid)
    assert store.refresh(season.uid)
    assert SeasonRow.objects.count() == 3


@pytest.fixture
def owner(season):
    return Actor(Kind.USER, user=MembershipFactory(club=season.club, role=Role.OWNER).user)


def test_a_club_that_turns_public_tells_of_its_private_events_at_no_moment(season, owner):
    Club.objects.update(is_public=False)
    finished(season, "abc", is_public=False)
    public, _entries = finished(season, "de")
    assert store.refresh(season.uid)
    assert len(stored(season)) == 5
    edit_club(actor=owner, club=season.club, is_public=True)
    assert (season_rows(season), season_course(season)) == ([], [])
    computations.mark("standings", public.uid)  # and what has to be computed before is not
    assert not store.refresh(season.uid)
    assert season_rows(season) == []
    computations.pretend_done("standings", public.uid)
    assert store.refresh(season.uid)
    assert [name for _, name, _ in stored(season)] == ["d", "e"]


def test_a_club_that_turns_private_keeps_the_tables_of_its_seasons_meanwhile(season, owner):
    finished(season, "abc")
    store.refresh(season.uid)
    edit_club(actor=owner, club=season.club, is_public=False)
    assert len(stored(season)) == 3


@pytest.mark.parametrize("status", [Event.Status.FINISHED, Event.Status.RUNNING])
def test_an_event_that_turns_private_is_in_no_table_of_a_season_from_then_on(season, owner, status):
    event, _entries = finished(season, "abc")
    store.refresh(season.uid)
    Event.objects.update(status=status)  # reopened since, while nothing was computed
    edit_event(actor=owner, event=event, fields={"season": None, "is_public": False})
    assert season_rows(season) == []
    assert (computations.Kind.SEASON, season.uid) in computations.behind()


@pytest.mark.skipif("sqlite" in str(connection.vendor), reason="one transaction writes at a time there")
@pytest.mark.django_db(transaction=True)
def test_a_season_that_is_being_computed_is_written_before_its_club_turns_public():
    season = SeasonFactory(club__is_public=False)
    owner = Actor(Kind.USER, user=MembershipFactory(club=season.club, role=Role.OWNER).user)
    finished(season, "abc", is_public=False)
    is_written, is_turning = threading.Event(), threading.Event()

    def compute():
        with transaction.atomic():
            store.refresh(season.uid)
            is_written.set()
            is_turning.wait(0.3)  # the change waits for this
        connection.close()

    other = threading.Thread(target=compute)
    other.start()
    is_written.wait(10)
    edit_club(actor=owner, club=season.club, is_public=True)
    is_turning.set()
    other.join()
    assert not SeasonRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_to_write_while_a_season_is_computed(monkeypatch):
    season, held = SeasonFactory(), []
    finished(season, "abc")
    for name in ("_finishes", "compute", "course"):
        act = getattr(store, name)
        monkeypatch.setattr(
            store, name, lambda *given, act=act: held.append(connection.in_atomic_block) or act(*given)
        )
    assert store.refresh(season.uid)
    assert held == [False, False, False]
    assert len(stored(season)) == 3


def test_a_season_that_was_written_meanwhile_is_what_a_rebuild_makes_it(season):
    finished(season, "abc")

    def corrected():
        StandingRow.objects.filter(entry__name="a").update(rank=4)
        computations.mark("season", season.uid)
        tasks.refresh("season", season.uid)

    with meanwhile(StandingRow, corrected):
        store.refresh(season.uid)
    assert stored(season) == [(1, "b", 100_000), (2, "c", 50_000), (3, "a", 0)]


def test_an_event_that_turns_private_while_its_season_is_computed_is_not_in_its_table(season, owner):
    event, _entries = finished(season, "abc")
    finished(season, "de")
    with meanwhile(StandingRow, lambda: edit_event(actor=owner, event=event, fields={"is_public": False})):
        store.refresh(season.uid)
    assert [name for _, name, _ in stored(season)] == ["d", "e"]


def test_a_season_that_is_gone_has_no_rows(db):
    assert store.refresh("gone")


@pytest.mark.parametrize("events", [1, 6])
def test_refreshing_costs_the_same_for_one_event_and_for_six(season, events, django_assert_max_num_queries):
    for _ in range(events):
        finished(season, "abcd")
    with django_assert_max_num_queries(14):
        store.refresh(season.uid)
