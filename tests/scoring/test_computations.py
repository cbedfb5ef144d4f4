"""What is out of date is written down, found, computed once more, and parked where it fails."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import numpy as np
import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from core import computations
from core.computations import Kind, Since
from core.models import Derived, StaleMark
from scoring import tasks
from scoring.models import Result, StandingRow
from scoring.rankings import bulk
from scoring.rankings.standings import store as standings
from scoring.services.reports import submit_report
from tests.factories import AffiliationFactory, DerivedFactory
from tests.scoring.evenings import evening
from tournaments.models import Confirmation, Entry
from tournaments.services.events import lock_event
from tournaments.services.people import rename_player
from tournaments.services.tables import lock_as_read, lock_table

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 11, 18, 20, tzinfo=dt.UTC)


@pytest.fixture
def published(monkeypatch):
    """What a sweep or a task asks for, instead of a broker."""
    seen: list[tuple[str, str]] = []
    monkeypatch.setattr(tasks, "publish", lambda task, kind, key: seen.append((kind, key)))
    return seen


def is_up_to_date(kind: str = Kind.STANDINGS, key: str = "e") -> bool:
    return computations.is_up_to_date(kind, key)


def claimed_row(kind: str, key: str) -> Derived:
    """Let a worker take in what was marked, and return the row."""
    computations.claim(kind, key, NOW)
    return row(kind, key)


def row(kind: str = Kind.STANDINGS, key: str = "e") -> Derived:
    return Derived.objects.get(kind=kind, key=key)


@pytest.mark.parametrize("ask", [computations.behind, computations.oldest, partial(computations.waiting, NOW)])
def test_a_mark_that_a_worker_takes_in_meanwhile_is_not_missed(ask):
    computations.mark(Kind.STANDINGS, "e")
    asked = []

    def take_in_after_the_first(execute, sql, *given):
        found = execute(sql, *given)
        if not asked:
            asked.append(sql)
            computations._take_in(Kind.STANDINGS, "e")
        return found

    # What was found is read before the worker comes, as another connection would have.
    with connection.execute_wrapper(take_in_after_the_first):
        assert ask()
    assert asked


def test_a_mark_belongs_to_its_transaction():
    with transaction.atomic():
        computations.mark(Kind.STANDINGS, "e")
        transaction.set_rollback(True)
    assert not StaleMark.objects.exists()
    computations.mark(Kind.STANDINGS, "e")
    computations.mark(Kind.STANDINGS, "e")
    assert computations.progress_of(Kind.STANDINGS, "e") == (0, 2, None)
    assert not is_up_to_date()


def test_what_is_marked_counts_before_and_after_a_worker_took_it_in():
    for _ in range(3):
        computations.mark(Kind.STANDINGS, "e")
    before = computations.progress_of(Kind.STANDINGS, "e")
    claimed = computations.claim(Kind.STANDINGS, "e", NOW)
    assert computations.progress_of(Kind.STANDINGS, "e") == before == (0, 3, None)
    computations.finish(claimed, NOW)
    assert computations.progress_of(Kind.STANDINGS, "e") == (3, 3, None)
    assert not StaleMark.objects.exists()


def test_more_marks_than_are_taken_in_at_once_are_all_computed(monkeypatch, published):
    monkeypatch.setattr(computations, "TAKEN_AT_ONCE", 2)
    for _ in range(5):
        computations.mark(Kind.STANDINGS, "e")
    while computations.behind():
        tasks.refresh(Kind.STANDINGS, "e")
    assert computations.progress_of(Kind.STANDINGS, "e") == (5, 5, None)


def test_the_earliest_table_is_kept():
    later = Since(NOW + dt.timedelta(hours=1), 1)
    for since in (later, Since(NOW, 9), None, Since(NOW, 7), Since(NOW, 8)):
        computations.mark(Kind.RATINGS, "dix", since)
    assert computations.since_of(claimed_row(Kind.RATINGS, "dix")) == Since(NOW, 7)


def test_only_one_claims_and_a_dead_claim_is_free_again():
    computations.mark(Kind.STANDINGS, "e")
    assert computations.claim(Kind.STANDINGS, "e", NOW) is not None
    assert computations.claim(Kind.STANDINGS, "e", NOW) is None
    assert computations.claim(Kind.STANDINGS, "e", NOW + computations.LEASE) is not None


def test_a_change_while_computing_leaves_it_out_of_date():
    computations.mark(Kind.RATINGS, "dix", Since(NOW, 1))
    claimed = computations.claim(Kind.RATINGS, "dix", NOW)
    computations.mark(Kind.RATINGS, "dix")
    assert not computations.finish(claimed, NOW)
    found = row(Kind.RATINGS, "dix")
    assert (found.done, found.wanted, found.claimed_until) == (1, 2, None)
    assert computations.claim(Kind.RATINGS, "dix", NOW) is not None


def test_a_late_finish_never_turns_the_version_back():
    computations.mark(Kind.STANDINGS, "e")
    slow = computations.claim(Kind.STANDINGS, "e", NOW)
    computations.mark(Kind.STANDINGS, "e")
    quick = computations.claim(Kind.STANDINGS, "e", NOW + computations.LEASE)
    assert computations.finish(quick, NOW)
    computations.finish(slow, NOW)
    assert (row().done, is_up_to_date()) == (2, True)


def test_a_late_failure_leaves_what_another_did_alone():
    computations.mark(Kind.STANDINGS, "e")
    slow = computations.claim(Kind.STANDINGS, "e", NOW)
    quick = computations.claim(Kind.STANDINGS, "e", NOW + computations.LEASE)
    computations.fail(slow, "too late", NOW + computations.LEASE)
    assert (row().error, row().claimed_until, row().attempts) == ("", quick.claimed_until, 2)
    assert computations.finish(quick, NOW)
    computations.fail(slow, "too late", NOW)
    assert (row().error, row().claimed_until, row().attempts) == ("", None, 0)


def test_what_was_parked_and_is_finished_after_all_is_parked_no_more():
    computations.mark(Kind.STANDINGS, "e")
    slow = computations.claim(Kind.STANDINGS, "e", NOW)
    for attempt in (1, 2, 3):
        computations.claim(Kind.STANDINGS, "e", NOW + attempt * computations.LEASE)
    assert computations.parked().exists()
    assert computations.finish(slow, NOW + 4 * computations.LEASE)
    assert (computations.parked().exists(), is_up_to_date()) == (False, True)


def _fail_five_times(monkeypatch, error, cause=None, key="e"):
    """Let the standings of an event fail with an error as often as a worker may try."""

    def refresh(key: str) -> None:
        raise error from cause

    computations.mark(Kind.STANDINGS, key)
    monkeypatch.setattr(standings, "refresh", refresh)
    now = timezone.now()
    for attempt in range(1, 6):
        monkeypatch.setattr(timezone, "now", lambda attempt=attempt: now + attempt * dt.timedelta(minutes=5))
        tasks.refresh(Kind.STANDINGS, key)


def test_work_that_fails_is_parked_after_three_attempts_and_others_go_on(monkeypatch, published):
    _fail_five_times(monkeypatch, RuntimeError("cannot rank bad"), key="bad")
    assert (row(key="bad").attempts, row(key="bad").parked_at is not None) == (3, True)
    assert "cannot rank bad" in row(key="bad").error
    computations.mark(Kind.SEASON, "good")
    tasks.sweep()
    assert published == [(Kind.SEASON, "good")]


@pytest.mark.parametrize(
    "error",
    [
        psycopg.OperationalError("server closed"),
        psycopg.errors.AdminShutdown("bye"),
        psycopg.errors.LockNotAvailable("somebody holds it"),
        psycopg.errors.DeadlockDetected("and waits for us"),
    ],
)
def test_database_that_goes_away_is_not_held_against_the_work(error, monkeypatch, published):
    _fail_five_times(monkeypatch, OperationalError(), error)
    assert (row().attempts, row().parked_at, is_up_to_date()) == (0, None, False)


def test_statement_that_takes_too_long_is_held_against_the_work(monkeypatch, published):
    _fail_five_times(monkeypatch, OperationalError(), psycopg.errors.QueryCanceled("statement timeout"))
    assert (row().attempts, row().parked_at is not None) == (3, True)


def test_failure_is_written_down_once_the_database_is_back(monkeypatch, published):
    computations.mark(Kind.STANDINGS, "e")
    fail, is_away = computations.fail, iter([True, True, False])

    def poisoned(key: str) -> None:
        raise RuntimeError(key)

    def fail_later(*args, **kwargs):
        if next(is_away):
            raise OperationalError
        fail(*args, **kwargs)

    monkeypatch.setattr(standings, "refresh", poisoned)
    monkeypatch.setattr(computations, "fail", fail_later)
    monkeypatch.setattr(tasks.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(tasks.connection, "close", lambda: None)
    tasks.refresh(Kind.STANDINGS, "e")
    assert "RuntimeError" in row().error


def test_a_worker_that_dies_each_time_is_counted_too(published):
    computations.mark(Kind.STANDINGS, "e")
    for attempt in range(3):
        assert computations.claim(Kind.STANDINGS, "e", NOW + attempt * computations.LEASE) is not None
    assert computations.claim(Kind.STANDINGS, "e", NOW + 3 * computations.LEASE) is None
    assert list(computations.parked()) == [row()]
    computations.mark(Kind.STANDINGS, "e")
    assert computations.claim(Kind.STANDINGS, "e", NOW + 4 * computations.LEASE) is not None, (
        "a new fact may be the cure"
    )


def test_the_sweep_finds_what_no_message_brought(published):
    tonight = evening(confirmation=Confirmation.TRUST)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    DerivedFactory(stale_since=NOW, claimed_until=timezone.now() + computations.LEASE)
    tasks.sweep()
    assert published == [(Kind.STANDINGS, tonight.event.uid), (Kind.RATINGS, "dix")]
    for kind, key in list(published):
        tasks.refresh(kind, key)
        tasks.refresh(kind, key)
    assert computations.is_up_to_date(Kind.STANDINGS, tonight.event.uid)
    assert computations.is_up_to_date(Kind.RATINGS, "dix")
    assert StandingRow.objects.filter(event=tonight.event).count() == 3


def test_standings_by_performance_wait_for_the_ratings(published):
    tonight = evening(confirmation=Confirmation.TRUST, tiebreaks=["performance"])
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    tasks.refresh(Kind.STANDINGS, tonight.event.uid)
    assert not computations.is_up_to_date(Kind.STANDINGS, tonight.event.uid)
    tasks.refresh(Kind.RATINGS, "dix")
    assert (Kind.STANDINGS, tonight.event.uid) in published
    tasks.refresh(Kind.STANDINGS, tonight.event.uid)
    assert computations.is_up_to_date(Kind.STANDINGS, tonight.event.uid)


@contextmanager
def dying_in(monkeypatch, name):
    """Let the worker die where it calls a function of its tasks, and its claim lapse."""

    def die(*_args: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(tasks, name, die)
        yield
    Derived.objects.update(claimed_until=None)


def test_standings_by_performance_follow_a_replay_whose_worker_died(monkeypatch, published):
    tonight = evening(confirmation=Confirmation.TRUST, tiebreaks=["performance"])
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    tasks.refresh(Kind.RATINGS, "dix")
    tasks.refresh(Kind.STANDINGS, tonight.event.uid)
    other = evening(confirmation=Confirmation.TRUST)
    for entry, twin in zip(other.entries, tonight.entries, strict=True):
        Entry.objects.filter(pk=entry.pk).update(player=twin.player)
    submit_report(actor=other.players[0], table=other.table, sheet=other.sheet(1))
    # Its transaction took long: it is before the other one in order, and is found when that one has been rated.
    Result.objects.filter(event=other.event).update(first_final_at=timezone.now() - dt.timedelta(minutes=1))
    with dying_in(monkeypatch, "mark_standings"), pytest.raises(SystemExit):
        tasks.refresh(Kind.RATINGS, "dix")
    tasks.refresh(Kind.RATINGS, "dix")
    assert is_up_to_date(Kind.RATINGS, "dix")
    assert not is_up_to_date(Kind.STANDINGS, tonight.event.uid)


def test_a_new_name_is_a_new_version_of_the_leaderboards():
    tonight = evening()
    player = tonight.entries[0].player
    AffiliationFactory(club=tonight.event.club, player=player)
    rename_player(actor=tonight.organiser, player=player, name="Renamed")
    assert not computations.is_up_to_date(Kind.RATINGS, "dix")


def _raise_the_count() -> None:
    """Write down that ratings are stale as one row of all events would have it."""
    Derived.objects.filter(kind=Kind.RATINGS, key="dix").update(wanted=2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("write", "waits"), [(_raise_the_count, True), (partial(computations.mark, Kind.RATINGS, "dix"), False)]
)
def test_results_of_two_events_of_one_game_do_not_wait_for_each_other(write, waits):
    if connection.vendor != "postgresql":
        return  # SQLite has one writer at a time anyway
    DerivedFactory(kind=Kind.RATINGS, key="dix")

    def other() -> bool:
        """Write beside the open transaction; say whether that had to wait."""
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '200ms'")
                write()
        except OperationalError:
            return True
        finally:
            connection.close()
        return False

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        write()
        assert pool.submit(other).result(10) is waits


def _cut_off() -> None:
    """End this connection as a server that is restarted does."""
    connection.ensure_connection()
    with psycopg.connect(connection.connection.info.dsn, password=connection.settings_dict["PASSWORD"]) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="there is no connection that could be cut")
@pytest.mark.parametrize(
    "ask",
    [
        lambda: bulk.fetch(Result.objects.values_list("pk"), {"pk": "i8"}),
        lambda: bulk.insert("core_epoch", {"id": np.array([7])}),
    ],
    ids=["fetch", "copy"],
)
def test_connection_that_is_cut_is_an_error_of_the_database_in_bulk_too(ask):
    """As one of psycopg itself it was held against the computation, and answered by 500."""
    _cut_off()
    try:
        with pytest.raises(OperationalError) as caught:
            ask()
    finally:
        connection.close()
    assert tasks._is_away(caught.value)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time anyway")
def test_row_that_somebody_holds_keeps_a_computation_waiting_for_a_moment_only(published):
    """It waited at its commit for as long as the row was held, and after two of them the worker did nothing else."""
    tonight = evening(confirmation=Confirmation.TRUST)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    event = tonight.event
    with psycopg.connect(connection.connection.info.dsn, password=connection.settings_dict["PASSWORD"]) as other:
        other.execute("SELECT 1 FROM tournaments_event WHERE id = %s FOR UPDATE", [event.pk])
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(_computed, event.uid)
            assert done.result(60) is False
            other.rollback()
            assert pool.submit(_computed, event.uid).result(60) is True
    assert (row(key=event.uid).attempts, row(key=event.uid).parked_at) == (0, None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time anyway")
@pytest.mark.parametrize("lock", [lock_event, lock_table, lock_as_read], ids=lambda lock: lock.__name__)
def test_standings_are_written_while_somebody_changes_the_event(published, lock):
    """They waited for whoever had the event, and a preview there waited for them: PostgreSQL ended one of the two."""
    tonight = evening(confirmation=Confirmation.TRUST)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        lock(tonight.event if lock is lock_event else tonight.table)
        assert pool.submit(_computed, tonight.event.uid).result(60) is True


def _computed(event: str) -> bool:
    """Let a worker compute the standings of an event; say whether they are up to date."""
    try:
        Derived.objects.filter(key=event).update(claimed_until=None)
        tasks.refresh(Kind.STANDINGS, event)
        return computations.is_up_to_date(Kind.STANDINGS, event)
    finally:
        connection.close()
