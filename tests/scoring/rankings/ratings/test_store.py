"""Whatever comes in whatever order, the stored ratings are those of the results as they are now."""

from __future__ import annotations

import copy
import datetime as dt
import threading
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import computations
from core.computations import Kind
from core.models import Derived
from scoring import tasks
from scoring.models import Checkpoint, Rating, RatingChange, RatingModel, Replay, Result
from scoring.rankings.ratings import model, store
from tests.scoring.rankings.ratings.league import GAME, NOON, League, answer, right_answer
from tournaments.actors import NOBODY
from tournaments.models import Entry, Round
from tournaments.services import clubs, merging

PEOPLE = 6

seats = st.lists(
    st.tuples(st.integers(0, PEOPLE - 1), st.integers(0, 3)), min_size=2, max_size=4, unique_by=lambda seat: seat[0]
)
ranks = st.lists(st.integers(0, 3), min_size=4, max_size=4)
which = st.integers(0, 50)
steps = st.one_of(
    st.tuples(st.just("play"), seats, st.integers(-50, 0)),
    st.tuples(st.just("play"), seats, st.integers(-50, 0)),
    st.tuples(st.just("correct"), which, ranks),
    st.tuples(st.just("uncount"), which),
    st.tuples(st.just("merge"), st.integers(0, PEOPLE - 1), st.integers(0, PEOPLE - 1)),
    st.tuples(st.just("unmerge"), st.integers(0, PEOPLE - 1)),
    st.tuples(st.just("refresh"), st.integers(1, 2)),
)


@pytest.fixture
def league(db):
    return League(PEOPLE)


def act(league, number, step):
    """Do a step of a history; return since when it changes something, None if it only adds a table or nothing."""
    results = list(Result.objects.order_by("pk")) if step[0] in {"correct", "uncount"} else []
    match step:
        case "play", seats, late:
            people = league.people(seats)
            if len(people) > 1:
                league.play(people, number * 10 + late)
        case "correct", which, ranks if results:
            return league.correct(results[which % len(results)], ranks)
        case "uncount", which if results:
            return league.uncount(results[which % len(results)])
        case "merge", gone, kept:
            return league.merge(gone, kept)
        case "unmerge", gone:
            return league.unmerge(gone)
    return None


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(history=st.lists(steps, max_size=25), spacing=st.integers(1, 5))
def test_refreshed_at_any_moment_ratings_end_as_the_results_say(league, history, spacing):
    with transaction.atomic():
        league, since = copy.deepcopy(league), None
        for number, step in enumerate(history):
            if step[0] == "refresh":
                for _ in range(step[1]):
                    store.refresh(GAME, since, spacing=spacing)
                since = None
                assert answer() == right_answer()
            else:
                since = min((each for each in (since, act(league, number, step)) if each is not None), default=None)
        foreseen = store.refresh(GAME, since, spacing=spacing, dry_run=True)
        assert store.refresh(GAME, since, spacing=spacing) == foreseen
        assert answer() == right_answer()
        again = store.refresh(GAME, spacing=spacing)
        assert (again.changes, again.moves) == (0, [])
        rebuilt = store.refresh(GAME, store.BEGINNING, spacing=spacing)
        assert (rebuilt.changes, rebuilt.moves) == (0, [])
        transaction.set_rollback(True)


def test_new_tables_are_rated_from_the_head_and_read_no_others(league):
    league.play([(0, 1), (1, 2)], 0)
    store.refresh(GAME)
    league.play([(0, 1), (2, 2)], 10)
    summary = store.refresh(GAME)
    assert (summary.went_back, summary.tables, summary.changes) == (False, 1, 2)
    assert Replay.objects.count() == 0
    assert answer() == right_answer()


def test_a_correction_goes_back_and_is_logged(league):
    since = league.play([(0, 1), (1, 2)], 0)
    league.play([(0, 1), (2, 2)], 10)
    store.refresh(GAME)
    league.correct(Result.objects.get(pk=since.table), [2, 1])
    summary = store.refresh(GAME, since, why="the sheet was read upside down")
    logged = Replay.objects.get()
    assert (logged.why, logged.since_at, logged.since_table) == (
        "the sheet was read upside down",
        since.at,
        since.table,
    )
    assert (logged.tables, logged.players_moved) == (2, 3)
    assert logged.largest_move == summary.largest_move == summary.moves[0].size
    assert logged.facts["moves"][0] == summary.moves[0]._asdict()


def test_a_replay_starts_at_the_last_checkpoint_before_the_change(league):
    places = [league.play([(number % 2, 1), (2, 2)], number) for number in range(10)]
    store.refresh(GAME, spacing=3)
    assert [row.tables for row in Checkpoint.objects.order_by("tables")] == [3, 6, 9]
    league.correct(Result.objects.get(pk=places[7].table), [2, 1])
    assert store.refresh(GAME, places[7], spacing=3).tables == 4
    assert [row.tables for row in Checkpoint.objects.order_by("tables")] == [3, 6, 9]
    assert answer() == right_answer()


def test_checkpoints_are_kept_as_tables_come_in_one_by_one(league):
    for number in range(7):
        league.play([(0, 1), (1, 2)], number)
        store.refresh(GAME, spacing=3)
    assert [row.tables for row in Checkpoint.objects.order_by("tables")] == [3, 6]
    place = league.since(Result.objects.order_by("-first_final_at").first())
    assert store.refresh(GAME, place, spacing=3).tables == 1
    assert answer() == right_answer()


def test_a_table_at_which_nobody_is_rated_adds_no_second_checkpoint(league):
    league.play([(0, 1), (1, 2)], 0)
    store.refresh(GAME, spacing=1)
    league.play([(0, 1), (1, 0)], 10)
    store.refresh(GAME, spacing=1)
    assert [row.tables for row in Checkpoint.objects.all()] == [1]
    assert answer() == right_answer()


def test_a_club_that_is_withdrawn_moves_nobody_and_given_back_it_is_as_if_it_never_was(league):
    other = League(PEOPLE, league.players)
    for number in range(6):
        (league if number % 2 else other).play([(number % 3, 1), (4, 2), (5, 3)], number)
    Round.objects.update(created_at=NOON - dt.timedelta(days=1))
    store.refresh(GAME, spacing=2)
    before = answer()
    for is_rated in (False, True):
        clubs.set_rated(other.event.club, is_rated=is_rated)
        row = computations.claim(Kind.RATINGS, GAME, timezone.now())
        assert store.refresh(GAME, computations.since_of(row), spacing=2).changes
        computations.finish(row, timezone.now())
        assert answer() == right_answer()
        rebuilt = store.refresh(GAME, store.BEGINNING, spacing=2)
        assert (rebuilt.changes, rebuilt.moves) == (0, [])
        if not is_rated:
            other.play([(0, 2), (1, 1)], 10)
            assert store.refresh(GAME).changes == 0, "nor does what it plays meanwhile"
            assert len(answer()[1]) == 9
    assert answer() == right_answer()
    assert {pk: change for pk, change in answer()[1].items() if pk in before[1]} == before[1]


def withdraw(league):
    clubs.set_rated(league.event.club, is_rated=False)


def join_two(league):
    Entry.objects.filter(seats=None).delete()  # so that the two never met
    gone, kept, _ = league.players[3:]
    merging.merge(gone, kept, by=NOBODY)
    league.reread()


@pytest.mark.parametrize("change", [withdraw, join_two])
def test_tables_that_were_final_before_their_round_by_the_clock_are_rated_again_too(league, change):
    other = League(PEOPLE, league.players)
    league.play([(3, 1), (0, 2), (1, 3)], 0)
    other.play([(4, 1), (0, 2), (2, 3)], 1)
    Round.objects.update(created_at=NOON + dt.timedelta(hours=1))  # the clock was ahead, and then set right
    store.refresh(GAME, spacing=1)
    change(other)
    row = computations.claim(Kind.RATINGS, GAME, timezone.now())
    store.refresh(GAME, computations.since_of(row), spacing=1)
    assert answer() == right_answer()


def test_a_result_committed_after_later_ones_takes_its_place_in_the_order(league):
    league.play([(0, 1), (1, 2)], 0)
    league.play([(0, 1), (1, 2)], 30)
    store.refresh(GAME)
    league.play([(0, 2), (1, 1)], 20)
    assert store.refresh(GAME).went_back
    assert answer() == right_answer()
    assert not store.refresh(GAME).went_back


@contextmanager
def other_constants():
    """Rate as an earlier release did, and with a fingerprint of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "WEIGHT", 16_000)
        patch.setattr(model, "PATIENCE", 10)
        model.fingerprint.cache_clear()
        yield
    model.fingerprint.cache_clear()


def sweep_and_refresh(monkeypatch):
    """Do what a worker does within seconds of its start; return what it computed."""
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(tasks, "publish", lambda task, kind, key: asked.append((kind, key)))
    tasks.sweep()
    for kind, key in asked:
        tasks.refresh(kind, key)
    return asked


@pytest.mark.parametrize("is_known", [True, False], ids=["another model is known", "none was ever written down"])
def test_ratings_of_another_model_are_computed_anew_by_themselves(league, monkeypatch, is_known):
    for number in range(10):
        league.play([(number % 3, 1), (3, 2), (4, 2)], number)
    computations.mark(Kind.RATINGS, GAME)
    with other_constants():
        store.refresh(GAME, spacing=3)
        assert sweep_and_refresh(monkeypatch) == [(Kind.RATINGS, GAME)]
        assert sweep_and_refresh(monkeypatch) == []
    if not is_known:
        RatingModel.objects.all().delete()
    assert Checkpoint.objects.count() == 3
    assert answer() != right_answer()

    assert sweep_and_refresh(monkeypatch) == [(Kind.RATINGS, GAME)]
    assert answer() == right_answer()
    assert Replay.objects.get().why == "the rating model changed"
    assert sweep_and_refresh(monkeypatch) == []
    rebuilt = store.refresh(GAME, store.BEGINNING, dry_run=True)
    assert (rebuilt.changes, rebuilt.moves) == (0, [])


def test_a_correction_after_an_upgrade_starts_from_no_checkpoint_of_another_model(league):
    places = [league.play([(number % 3, 1), (3, 2)], number) for number in range(10)]
    with other_constants():
        store.refresh(GAME, spacing=3)
    league.correct(Result.objects.get(pk=places[7].table), [2, 1])
    foreseen = store.refresh(GAME, places[7], spacing=3, dry_run=True)
    assert RatingModel.objects.exclude(fingerprint=model.fingerprint()).exists()
    assert store.refresh(GAME, places[7], spacing=3) == foreseen
    assert answer() == right_answer()


def test_what_is_under_way_already_is_not_marked_again_for_its_model(league, monkeypatch):
    league.play([(0, 1), (1, 2)])
    computations.mark(Kind.RATINGS, GAME)
    assert store.games_of_another_model() == []
    sweep_and_refresh(monkeypatch)
    assert computations.is_up_to_date(Kind.RATINGS, GAME)
    assert Derived.objects.get(kind=Kind.RATINGS, key=GAME).wanted == 1


def test_forfeits_and_tables_that_they_leave_to_one_are_not_rated(league):
    since = league.play([(0, 1), (1, 2), (2, 0)], 0)
    league.play([(0, 1), (1, 0)], 10)
    store.refresh(GAME)
    assert Rating.objects.count() == 2
    assert RatingChange.objects.count() == 2
    league.correct(Result.objects.get(pk=since.table), [1, 0, 0])
    store.refresh(GAME, since)
    assert not Rating.objects.exists()
    assert not RatingChange.objects.exists()


def test_games_are_rated_apart(league):
    league.play([(0, 1), (1, 2)])
    assert store.refresh("dix").tables == 0
    assert store.refresh(GAME).tables == 1


def test_a_run_that_fails_half_way_changes_nothing(league):
    places = [league.play([(0, 1), (1, 2)], number) for number in range(6)]
    store.refresh(GAME)
    league.correct(Result.objects.get(pk=places[0].table), [2, 1])
    before = answer()

    def die(done, total):
        if done > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.refresh(GAME, places[0], spacing=2, progress=die)
    assert answer() == before
    assert not Checkpoint.objects.exists()
    store.refresh(GAME, places[0], spacing=2)
    assert answer() == right_answer()


def test_a_dry_run_sees_its_own_transaction_and_writes_nothing(league):
    since = league.play([(0, 1), (1, 2)])
    store.refresh(GAME)
    before = answer()
    with transaction.atomic():
        league.correct(Result.objects.get(pk=since.table), [2, 1])
        foreseen = store.refresh(GAME, since, dry_run=True)
        transaction.set_rollback(True)
    one, other = league.players[:2]
    assert set(foreseen.moves) == {(one.pk, 1_586_000, 1_414_000), (other.pk, 1_414_000, 1_586_000)}
    assert answer() == before
    assert not Replay.objects.exists()


@pytest.mark.parametrize("people", [4, 6])
def test_the_number_of_queries_does_not_depend_on_the_number_of_tables(league, people, django_assert_max_num_queries):
    for number in range(people * 4):
        league.play([(number % people, 1), ((number + 1) % people, 2)], number)
    with django_assert_max_num_queries(20):
        store.refresh(GAME)


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_end_as_one(transactional_db):
    league = League(PEOPLE)
    places = [league.play([(number % 4, 1), (4, 2)], number) for number in range(8)]
    failures = []

    def run(since):
        try:
            store.refresh(GAME, since, spacing=2)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[since]) for since in (None, places[2], None, places[0])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert answer() == right_answer()


def test_the_command_says_what_changed_and_changes_nothing_when_run_again(league, capsys):
    league.play([(0, 1), (1, 2)])
    call_command("rebuild_ratings", game=GAME, dry_run=True)
    assert not Rating.objects.exists()
    call_command("rebuild_ratings")
    call_command("rebuild_ratings", game=GAME)
    told = capsys.readouterr().out
    name = league.players[0].name
    assert f"{GAME}: 1 tables, 2 seats would change, 2 players moved\n  {name}: none → 1586.000" in told
    assert told.endswith(f"{GAME}: 1 tables, 0 seats changed, 0 players moved\n")
    assert answer() == right_answer()


def test_the_command_forgets_changes_whose_seats_are_no_more(league):
    RatingChange.objects.create(pk=10**9, before=1, after=2)
    call_command("rebuild_ratings", verbosity=0)
    assert not RatingChange.objects.exists()


def test_seats_far_apart_are_compared_with_what_is_stored_all_the_same(league, monkeypatch):
    monkeypatch.setattr(store, "DENSE", 0)
    since = league.play([(0, 1), (1, 2)], 0)
    league.play([(1, 1), (2, 2)], 10)
    store.refresh(GAME)
    league.correct(Result.objects.get(pk=since.table), [2, 1])
    assert store.refresh(GAME, since).changes == 4
    assert store.refresh(GAME, since).changes == 0
    assert answer() == right_answer()
