"""Standings in the database: what is read, what is written, and who the next round is for."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import computations
from core.computations import Kind as Kinds
from scoring.models import RatingChange, Result, StandingRow
from scoring.rankings.standings import store
from scoring.services.rounds import seat_next_round
from scoring.tasks import refresh
from tests.factories import MembershipFactory, SitOutFactory
from tests.interleaving import meanwhile
from tests.scoring.rankings.standings.events import event_with, play, round_of
from tournaments.actors import Actor, Kind
from tournaments.errors import SeatingInvalidError
from tournaments.models import Entry, Penalty, Round, TieBreak
from tournaments.services.entries import change_status

pytestmark = pytest.mark.django_db


def stored(event):
    return [
        (row.rank, row.entry.name, row.points) for row in StandingRow.objects.filter(event=event).order_by("place")
    ]


def names(event, uids):
    entries = {entry.uid: entry.name for entry in Entry.objects.filter(event=event)}
    return "".join(entries[uid] for uid in uids)


def test_standings_are_written_and_written_again():
    event, entries = event_with("abcd", tiebreaks=["wins", "opponents"])
    play(event, 1, [entries[name] for name in "bac"])
    for _ in range(2):
        store.refresh(event.uid)
        assert stored(event) == [(1, "b", 840), (2, "a", 420), (3, "c", 0), (4, "d", 0)]
    first, second, *_others, last = StandingRow.objects.filter(event=event).order_by("place")
    assert first.tiebreaks == [{"key": "wins", "value": "1"}, {"key": "opponents", "value": "0.000"}]
    assert (first.tables, first.reason, last.tables) == (1, {"code": "first"}, 0)
    assert second.reason == {"code": "points", "above": "1.000", "own": "0.500"}


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_to_write_while_standings_are_computed(monkeypatch):
    event, entries = event_with("abc")
    play(event, 1, entries.values())
    held = []
    for name in ("load", "_rows", "course"):
        act = getattr(store, name)
        monkeypatch.setattr(
            store, name, lambda *given, act=act: held.append(connection.in_atomic_block) or act(*given)
        )
    store.refresh(event.uid)
    assert held == [False, False, False]
    assert len(stored(event)) == 3


@pytest.mark.parametrize("lapsed", [True, False])
def test_standings_that_were_written_meanwhile_are_those_of_the_latest_results(lapsed):
    event, entries = event_with("abc", tiebreaks=[])
    play(event, 1, entries.values())
    computations.mark(Kinds.STANDINGS, event.uid)
    if lapsed:  # the claim of who computes, who takes longer than anybody waits for them
        assert computations.claim(Kinds.STANDINGS, event.uid, timezone.now() - computations.LEASE)

    def another_table():
        play(event, 2, entries.values())
        refresh(Kinds.STANDINGS, event.uid)

    with meanwhile(Penalty, another_table):  # the last that is read
        store.refresh(event.uid)
    assert stored(event) == [(1, "a", 1680), (2, "b", 840), (3, "c", 0)]


def test_an_event_that_is_gone_has_no_standings():
    store.refresh("gone")
    assert not StandingRow.objects.exists()


def test_results_that_do_not_count_and_rounds_that_were_cancelled_are_left_out():
    event, entries = event_with("abc")
    play(event, 1, entries.values())
    SitOutFactory(round=round_of(event, 3), entry=entries["c"])
    withdrawn = play(event, 2, list(entries.values())[::-1])
    play(event, 3, list(entries.values())[::-1])
    Result.objects.filter(table=withdrawn).update(is_counted=False)
    Round.objects.filter(event=event, number=3).update(status=Round.Status.CANCELLED)
    assert [row.points for row in store.preview(event)] == [840, 420, 0]


def test_who_dropped_out_stays_where_they_were_unless_they_never_played():
    event, entries = event_with("abcde", tiebreaks=[])
    play(event, 1, [entries[name] for name in "abc"])
    SitOutFactory(round=round_of(event, 1), entry=entries["d"])
    Entry.objects.filter(event=event, name__in="ade").update(status=Entry.Status.DROPPED)
    store.refresh(event.uid)
    assert stored(event) == [(1, "a", 840), (2, "b", 420), (2, "d", 420), (4, "c", 0)]


@pytest.mark.parametrize("ahead", [False, True])
def test_standings_follow_who_drops_out_before_they_played_and_comes_back(ahead):
    event, entries = event_with("abcd", tiebreaks=[], sign_up_ahead=ahead)
    organiser = Actor(Kind.USER, user=MembershipFactory(club=event.club, role="organiser").user)
    play(event, 1, [entries[name] for name in "abc"])
    store.refresh(event.uid)
    everybody = stored(event)
    for status, listed in (("dropped", everybody[:3]), ("checked_in", everybody)):
        change_status(actor=organiser, entry=entries["d"], status=status)
        refresh(Kinds.STANDINGS, event.uid)
        assert stored(event) == listed


def test_preview_sees_the_present_transaction_and_writes_nothing():
    event, entries = event_with("abc")
    play(event, 1, entries.values())
    assert [row.entry for row in store.preview(event)] == [entry.pk for entry in entries.values()]
    assert not StandingRow.objects.exists()


def test_performance_looks_at_the_ratings_before_the_first_table_in_the_event():
    event, entries = event_with("ab", tiebreaks=["performance"])
    for number in (1, 2):
        table = play(event, number, entries.values())
        for placing in table.result.placings.filter(entry=entries["b"]):
            RatingChange.objects.create(placing=placing, before=1_500_000 + number * 100_000, after=0)
    rows = store.preview(event)
    assert rows[0].tiebreaks == [{"key": "performance", "value": "2400.0"}]
    assert rows[1].tiebreaks == [{"key": "performance", "value": "700.0"}]


@pytest.mark.parametrize("fields", [{}, {"format": "elimination", "tiebreaks": TieBreak.values}])
def test_refreshing_costs_the_same_for_4_tables_and_for_40(fields):
    costs = []
    for tables in (4, 40):
        event, entries = event_with([f"P{number}" for number in range(4 * tables)], **fields)
        everybody = list(entries.values())
        for first in range(0, len(everybody), 4):
            play(event, 1, everybody[first : first + 4])
        with CaptureQueriesContext(
            connection,
        ) as captured:
            store.refresh(event.uid)
        # SQLite takes about a hundred rows in a statement.
        costs.append(len([each for each in captured if not each["sql"].startswith("INSERT")]))
        assert len(captured) - costs[-1] <= 1 + tables // 25
    assert costs[0] == costs[1] <= 14


# --- The next round -----------------------------------------------------------------------------------------------


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role="owner").user)


def club_of(organiser):
    return organiser.user.memberships.get().club


def seated(round_):
    return ["".join(seat.entry.name for seat in table.seats.order_by("position")) for table in round_.tables.all()]


def test_swiss_seats_by_the_points_so_far(organiser):
    event, entries = event_with("abcdefghi", club=club_of(organiser), table_max=3, table_preferred=3)
    for trio in ("abc", "def", "ghi"):
        play(event, 1, [entries[name] for name in trio])
    opened = seat_next_round(actor=organiser, event=event, seed=1)
    assert sorted("".join(sorted(table)) for table in seated(opened)) == ["adg", "beh", "cfi"]
    assert opened.points == {entries[name].uid: points for name, points in zip("abdegh", [840, 420] * 3, strict=True)}


def test_elimination_goes_on_with_the_best_of_each_table(organiser):
    event, entries = event_with("abcdefgh", club=club_of(organiser), format="elimination")
    for four in ("abcd", "efgh"):
        play(event, 1, [entries[name] for name in four])
    assert names(event, store.advancing(event)) == "aebf"
    Entry.objects.filter(pk=entries["e"].pk).update(status=Entry.Status.DROPPED)
    assert sorted("".join(seated(seat_next_round(actor=organiser, event=event, seed=1)))) == ["a", "b", "f"]


def test_the_event_says_how_many_advance(organiser):
    event, entries = event_with("abcdef", club=club_of(organiser), format="elimination", advance=1)
    for three in ("abc", "def"):
        play(event, 1, [entries[name] for name in three])
    assert names(event, store.advancing(event)) == "ad"


def test_a_final_is_cut_from_the_standings_the_next_coming_up_for_who_left(organiser):
    event, entries = event_with("abcd", club=club_of(organiser), cut_to=3)
    play(event, 1, [entries[name] for name in "bcda"])
    assert names(event, store.finalists(event)) == "bcd"
    Entry.objects.filter(pk=entries["c"].pk).update(status=Entry.Status.DROPPED)
    assert seated(seat_next_round(actor=organiser, event=event, seed=1, is_final=True)) == ["bda"]


def test_elimination_without_a_cut_has_a_final_of_those_who_advance(organiser):
    event, entries = event_with("abcd", club=club_of(organiser), format="elimination", advance=3)
    play(event, 1, [entries[name] for name in "bcda"])
    assert seated(seat_next_round(actor=organiser, event=event, seed=1, is_final=True)) == ["bcd"]


def test_a_final_without_a_cut_must_be_told_who_plays(organiser):
    event, entries = event_with("abc", club=club_of(organiser))
    play(event, 1, entries.values())
    with pytest.raises(SeatingInvalidError):
        seat_next_round(actor=organiser, event=event, seed=1, is_final=True)


def test_named_entries_win_over_the_standings(organiser):
    event, entries = event_with("abcd", club=club_of(organiser), cut_to=3)
    play(event, 1, entries.values())
    named = [entries[name].uid for name in "dca"]
    assert seated(seat_next_round(actor=organiser, event=event, seed=1, only=named, is_final=True)) == ["dca"]
