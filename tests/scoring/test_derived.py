"""What is out of date is written down, found, computed once more, and parked where it fails."""

from __future__ import annotations

import datetime as dt

import psycopg
import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from core import derived
from core.derived import Kind, Since
from core.models import Derived
from scoring import tasks
from scoring.models import StandingRow
from scoring.services.reports import submit_report
from scoring.standings import store as standings
from tests.factories import AffiliationFactory, DerivedFactory
from tests.scoring.evenings import evening
from tournaments.models import Confirmation
from tournaments.services.people import rename_player

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 11, 18, 20, tzinfo=dt.UTC)


@pytest.fixture
def published(monkeypatch):
    """What a sweep or a task asks for, instead of a broker."""
    seen: list[tuple[str, str]] = []
    monkeypatch.setattr(tasks, "publish", lambda task, kind, key: seen.append((kind, key)))
    return seen


def row(kind: str = Kind.STANDINGS, key: str = "e") -> Derived:
    return Derived.objects.get(kind=kind, key=key)


def test_a_mark_belongs_to_its_transaction():
    with transaction.atomic():
        derived.mark(Kind.STANDINGS, "e")
        transaction.set_rollback(True)
    assert not Derived.objects.exists()
    derived.mark(Kind.STANDINGS, "e")
    derived.mark(Kind.STANDINGS, "e")
    assert (row().wanted, row().done, row().is_up_to_date) == (2, 0, False)


def test_the_earliest_table_is_kept():
    later = Since(NOW + dt.timedelta(hours=1), 1)
    for since in (later, Since(NOW, 9), None, Since(NOW, 7), Since(NOW, 8)):
        derived.mark(Kind.RATINGS, "dix", since)
    assert derived.since_of(row(Kind.RATINGS, "dix")) == Since(NOW, 7)


def test_only_one_claims_and_a_dead_claim_is_free_again():
    derived.mark(Kind.STANDINGS, "e")
    assert derived.claim(Kind.STANDINGS, "e", NOW) is not None
    assert derived.claim(Kind.STANDINGS, "e", NOW) is None
    assert derived.claim(Kind.STANDINGS, "e", NOW + derived.LEASE) is not None


def test_a_change_while_computing_leaves_it_out_of_date():
    derived.mark(Kind.RATINGS, "dix", Since(NOW, 1))
    claimed = derived.claim(Kind.RATINGS, "dix", NOW)
    derived.mark(Kind.RATINGS, "dix")
    assert not derived.finish(claimed, NOW)
    found = row(Kind.RATINGS, "dix")
    assert (found.done, found.wanted, found.claimed_until) == (1, 2, None)
    assert derived.claim(Kind.RATINGS, "dix", NOW) is not None


def test_a_late_finish_never_turns_the_version_back():
    derived.mark(Kind.STANDINGS, "e")
    slow = derived.claim(Kind.STANDINGS, "e", NOW)
    derived.mark(Kind.STANDINGS, "e")
    quick = derived.claim(Kind.STANDINGS, "e", NOW + derived.LEASE)
    assert derived.finish(quick, NOW)
    derived.finish(slow, NOW)
    assert (row().done, row().is_up_to_date) == (2, True)


def _fail_five_times(monkeypatch, error, cause=None, key="e"):
    """Let the standings of an event fail with an error as often as a worker may try."""

    def refresh(key: str) -> None:
        raise error from cause

    derived.mark(Kind.STANDINGS, key)
    monkeypatch.setattr(standings, "refresh", refresh)
    now = timezone.now()
    for attempt in range(1, 6):
        monkeypatch.setattr(timezone, "now", lambda attempt=attempt: now + attempt * dt.timedelta(minutes=5))
        tasks.refresh(Kind.STANDINGS, key)


def test_work_that_fails_is_parked_after_three_attempts_and_others_go_on(monkeypatch, published):
    _fail_five_times(monkeypatch, RuntimeError("cannot rank bad"), key="bad")
    assert (row(key="bad").attempts, row(key="bad").parked_at is not None) == (3, True)
    assert "cannot rank bad" in row(key="bad").error
    derived.mark(Kind.SEASON, "good")
    tasks.sweep()
    assert published == [(Kind.SEASON, "good")]


@pytest.mark.parametrize("error", [psycopg.OperationalError("server closed"), psycopg.errors.AdminShutdown("bye")])
def test_database_that_goes_away_is_not_held_against_the_work(error, monkeypatch, published):
    _fail_five_times(monkeypatch, OperationalError(), error)
    assert (row().attempts, row().parked_at, row().is_up_to_date) == (0, None, False)


def test_statement_that_takes_too_long_is_held_against_the_work(monkeypatch, published):
    _fail_five_times(monkeypatch, OperationalError(), psycopg.errors.QueryCanceled("statement timeout"))
    assert (row().attempts, row().parked_at is not None) == (3, True)


def test_failure_is_written_down_once_the_database_is_back(monkeypatch, published):
    derived.mark(Kind.STANDINGS, "e")
    fail, is_away = derived.fail, iter([True, True, False])

    def poisoned(key: str) -> None:
        raise RuntimeError(key)

    def fail_later(*args, **kwargs):
        if next(is_away):
            raise OperationalError
        fail(*args, **kwargs)

    monkeypatch.setattr(standings, "refresh", poisoned)
    monkeypatch.setattr(derived, "fail", fail_later)
    monkeypatch.setattr(tasks.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(tasks.connection, "close", lambda: None)
    tasks.refresh(Kind.STANDINGS, "e")
    assert "RuntimeError" in row().error


def test_a_worker_that_dies_each_time_is_counted_too(published):
    derived.mark(Kind.STANDINGS, "e")
    for attempt in range(3):
        assert derived.claim(Kind.STANDINGS, "e", NOW + attempt * derived.LEASE) is not None
    assert derived.claim(Kind.STANDINGS, "e", NOW + 3 * derived.LEASE) is None
    assert list(derived.parked()) == [row()]
    derived.mark(Kind.STANDINGS, "e")
    assert derived.claim(Kind.STANDINGS, "e", NOW + 4 * derived.LEASE) is not None, "a new fact may be the cure"


def test_the_sweep_finds_what_no_message_brought(published):
    tonight = evening(confirmation=Confirmation.TRUST)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    DerivedFactory(stale_since=NOW, claimed_until=timezone.now() + derived.LEASE)
    tasks.sweep()
    assert published == [(Kind.STANDINGS, tonight.event.uid), (Kind.RATINGS, "dix")]
    for kind, key in list(published):
        tasks.refresh(kind, key)
        tasks.refresh(kind, key)
    assert derived.is_up_to_date(Kind.STANDINGS, tonight.event.uid)
    assert derived.is_up_to_date(Kind.RATINGS, "dix")
    assert StandingRow.objects.filter(event=tonight.event).count() == 3


def test_standings_by_performance_wait_for_the_ratings(published):
    tonight = evening(confirmation=Confirmation.TRUST, tiebreaks=["performance"])
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    tasks.refresh(Kind.STANDINGS, tonight.event.uid)
    assert not derived.is_up_to_date(Kind.STANDINGS, tonight.event.uid)
    tasks.refresh(Kind.RATINGS, "dix")
    assert (Kind.STANDINGS, tonight.event.uid) in published
    tasks.refresh(Kind.STANDINGS, tonight.event.uid)
    assert derived.is_up_to_date(Kind.STANDINGS, tonight.event.uid)


def test_a_new_name_is_a_new_version_of_the_leaderboards():
    tonight = evening()
    player = tonight.entries[0].player
    AffiliationFactory(club=tonight.event.club, player=player)
    rename_player(actor=tonight.organiser, player=player, name="Renamed")
    assert not derived.is_up_to_date(Kind.RATINGS, "dix")
