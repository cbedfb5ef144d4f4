"""Fault 60: databases of released versions, and workers of a former one."""

from __future__ import annotations

import datetime as dt
import gzip
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.db.models import F
from django.utils import timezone

from core import computations
from core.models import Derived, Heartbeat
from scoring import tasks
from scoring.models import RatingChange, StandingRow
from scoring.services.reports import submit_report
from tests.faults.audit import audit, settle
from tests.faults.figures import PROPERTY
from tests.faults.phones import evenings
from tests.faults.stand import wait_for
from tests.ops.copies import look, manage, run
from tests.scoring.evenings import evening

RELEASED = Path(__file__).parents[1] / "ops" / "released"
KEPT = ("scoring_report", "scoring_result", "scoring_placing", "tournaments_player", "tournaments_entry", "core_user")
UPGRADE = "database of a released version, with results"


def counts(file):
    with closing(sqlite3.connect(file)) as link:
        return {table: link.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in KEPT}


@pytest.mark.fault(60, UPGRADE)
@pytest.mark.parametrize("version", sorted(file.name for file in RELEASED.iterdir()))
def test_60_database_of_a_released_version_is_taken_over_whole(tmp_path, record_property, version):
    file = tmp_path / "ludoscore.sqlite3"
    url = f"sqlite:///{file}"
    with closing(sqlite3.connect(file)) as link:
        link.executescript(gzip.decompress((RELEASED / version).read_bytes()).decode())
    before = counts(file)
    code, said = manage(tmp_path, url, "migrate", "--verbosity", "0")
    assert code == 0, said
    done = run(tmp_path, url, "-m", "tests.ops.copies", "sweep", BROKER_URL="redis://127.0.0.1:1")
    assert done.returncode == 0, done.stderr
    assert counts(file) == before
    found = look(tmp_path, url)["audit"]
    record_property(PROPERTY, [60, UPGRADE, found, 0.0, f"{before['scoring_result']} results, rated anew"])
    assert found == [0, 0, 0]


def compute_as_a_former_version():
    """Leave everything as a worker leaves it whose code computes otherwise and knows no editions."""
    StandingRow.objects.update(rank=F("rank") + 100)
    RatingChange.objects.update(after=F("after") + 7)
    Derived.objects.update(wanted=F("wanted") + 1, done=F("done") + 1, computed_at=timezone.now())


@pytest.mark.fault(60, "worker of a former version beside the new service")
def test_60_what_a_former_version_computed_is_computed_anew(stand, ledger, figures):
    for each in evenings(3, confirmation="trust"):
        assert ledger.report(each).status == 201
    settle()
    stand.stop("beat")  # so that the damage is seen
    compute_as_a_former_version()
    assert audit().different > 0
    stand.start("beat")
    wait_for(lambda: not computations.outdated())
    figures.clean("found by the sweep, computed anew")


@pytest.mark.django_db
def test_60_former_version_leaves_alone_what_a_newer_one_wants(monkeypatch):
    with monkeypatch.context() as newer:
        newer.setattr(computations, "EDITION", computations.EDITION + 1)
        computations.mark("standings", "e")
    now = timezone.now()
    assert computations.claim("standings", "e", now) is None
    assert not computations.stale(now).exists()
    tasks.sweep()
    assert Derived.objects.get().attempts == 0
    monkeypatch.setattr(computations, "EDITION", computations.EDITION + 1)
    assert computations.claim("standings", "e", now)


def play():
    tonight = evening(seats=3, confirmation="trust")
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())


def work():
    """Do what workers of this version do within seconds, which takes two rounds: seasons wait for standings."""
    tasks.sweep()
    for _ in range(2):
        compute()


def compute():
    for kind, key in computations.waiting(timezone.now()):
        tasks.refresh(kind, key)


@contextmanager
def version_after(monkeypatch):
    """Run as a version that computes otherwise."""
    with monkeypatch.context() as newer:
        newer.setattr(computations, "EDITION", computations.EDITION + 1)
        yield


def a_while_later():
    """Let all that happened lie so far back that no worker that told of itself then counts any more."""
    Heartbeat.objects.update(done_at=F("done_at") - computations.ALIVE)
    Derived.objects.update(stale_since=F("stale_since") - computations.ALIVE)


@pytest.mark.django_db
def test_60_former_version_that_is_deployed_again_computes_anew_what_a_newer_one_did(monkeypatch):
    monkeypatch.setattr(tasks, "publish", lambda *_message: None)
    with version_after(monkeypatch):
        play()
        work()
    StandingRow.objects.update(rank=F("rank") + 100)  # the newer version computes otherwise
    RatingChange.objects.update(after=F("after") + 7)
    work()
    assert not computations.behind(), "as long as a newer worker lives, the former one leaves its work alone"
    assert audit().different > 0
    a_while_later()
    play()
    for _ in range(2):
        work()
        a_while_later()
    assert audit() == (0, 0, 0)
    assert not computations.outdated()
    with version_after(monkeypatch):
        assert len(computations.outdated()) == Derived.objects.count(), "and the newer one would do it all once more"


@pytest.mark.django_db
def test_60_newer_workers_live_though_others_took_the_sweep_for_minutes(monkeypatch):
    """One message every ten seconds is one worker's, of whichever version."""
    monkeypatch.setattr(tasks, "publish", lambda *_message: None)
    with version_after(monkeypatch):
        play()
        work()
    Heartbeat.objects.update(done_at=F("done_at") - dt.timedelta(minutes=4))
    work()
    assert not computations.behind()
    assert not computations.outdated()


@pytest.mark.django_db
def test_60_ratings_start_over_where_other_code_rated_the_tables_before(monkeypatch):
    """Also where a result comes before the sweep of the new version: it sees only what is not stale."""
    monkeypatch.setattr(tasks, "publish", lambda *_message: None)
    play()
    compute()
    RatingChange.objects.update(after=F("after") + 7)
    with version_after(monkeypatch):
        play()
        compute()
    assert audit() == (0, 0, 0)


@pytest.mark.django_db
def test_60_newer_version_computes_anew_what_a_former_one_did():
    computations.mark("standings", "e")
    row = computations.claim("standings", "e", timezone.now())
    assert row
    assert computations.finish(row, timezone.now())
    assert not computations.outdated()
    Derived.objects.update(computed_at=timezone.now())  # as code does that knows no editions
    assert computations.outdated() == [("standings", "e")]
    assert Derived.objects.update(vouched_at=F("computed_at"))
    assert not computations.outdated()
    Derived.objects.update(edition=computations.EDITION - 1)
    assert computations.outdated() == [("standings", "e")]


@pytest.mark.django_db
def test_60_sweep_after_an_update_asks_once_what_is_of_the_former_version(django_assert_num_queries):
    """Of a thousand clubs that is all that was ever computed, and it is asked again until all of it is done."""
    keys = [f"e{number}" for number in range(5)]
    former = {"edition": computations.EDITION - 1, "computed_at": timezone.now()}
    Derived.objects.bulk_create(Derived(kind="standings", key=key, wanted=1, done=1, **former) for key in keys)
    computations.mark("standings", keys[0])
    with django_assert_num_queries(2):  # and which workers there are
        assert {key for _kind, key in computations.outdated()} == {*keys[1:]}
