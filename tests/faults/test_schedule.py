"""Faults 53 and 54: the scheduler dies, and the clock jumps."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis

from ops import broker
from tests.faults.audit import settle
from tests.faults.figures import PROPERTY
from tests.faults.phones import call, evenings
from tests.faults.rig_names import CLOCK, DIE_BEFORE_PUBLISH
from tests.faults.stand import wait_for
from tests.ops.copies import look
from tests.ops.test_serve import InstalledService

HOUR, YEAR = 3600, 365 * 86400
RAISE = """
import celery.beat, os
from pathlib import Path

def should_sync(scheduler, before=celery.beat.Scheduler.should_sync):
    armed = Path(os.environ["LUDOSCORE_DATA"]) / "raise"
    if armed.exists():
        armed.unlink()
        raise RuntimeError("the scheduler fails")
    return before(scheduler)

celery.beat.Scheduler.should_sync = should_sync
"""


def make_stale(data):
    """Have everything computed anew, without a message to anybody."""
    with closing(sqlite3.connect(data / "ludoscore.sqlite3", timeout=20)) as link, link:
        link.execute("UPDATE core_derived SET wanted = wanted + 1, stale_since = datetime('now')")


def is_computed(data):
    with closing(sqlite3.connect(data / "ludoscore.sqlite3", timeout=20)) as link:
        return link.execute("SELECT count(*) FROM core_derived WHERE done <> wanted").fetchone() == (0,)


@pytest.fixture(scope="module")
def service(tmp_path_factory, filled_folder):
    """The service as `./run` starts it, with results, whose scheduler raises once when a file says so."""
    data = Path(shutil.copytree(filled_folder, tmp_path_factory.mktemp("schedule") / "data"))
    with InstalledService(data, started_with=RAISE) as service:
        service.wait(lambda: is_computed(data))
        yield service


DEATHS = "the scheduler alone is killed, then raises; messages are lost"


@pytest.mark.fault(53, DEATHS)
def test_53_scheduler_comes_back_by_itself(service, record_property):
    data, worker, recovery = service.data, service.child("worker"), 0.0
    for word in ("beat   | ended with SIGKILL", "RuntimeError: the scheduler fails"):
        began = time.monotonic()
        if "SIGKILL" in word:
            os.kill(service.child("beat"), signal.SIGKILL)
        else:
            (data / "raise").touch()
        service.wait(lambda word=word: word in service.log.read_text())
        with Redis(unix_socket_path=str(broker.embedded_socket(data))) as link:
            link.flushall()
        make_stale(data)
        service.wait(lambda: is_computed(data))
        recovery = max(recovery, time.monotonic() - began)
    assert service.child("worker") == worker, "it alone was started again"
    assert recovery <= 60
    found = look(data, f"sqlite:///{data / 'ludoscore.sqlite3'}")["audit"]
    record_property(PROPERTY, [53, DEATHS, found, recovery, "the same worker all along"])
    assert found == [0, 0, 0]


def test_53_control_without_the_scheduler_nothing_is_found(service):
    beat = service.child("beat")
    os.kill(beat, signal.SIGSTOP)
    try:
        time.sleep(2)  # what it had sent is done
        make_stale(service.data)
        time.sleep(12)  # longer than between two sweeps
        assert not is_computed(service.data)
    finally:
        os.kill(beat, signal.SIGCONT)
    service.wait(lambda: is_computed(service.data))


def jump(stand, seconds):
    """Set the clock of every process of a stand."""
    stand.arm(CLOCK, str(seconds))
    time.sleep(0.2)


@pytest.mark.fault(54, "the clock jumps an hour back, a year ahead and back, also between two starts")
def test_54_work_goes_on_whatever_the_clock_says(stand, ledger, figures):
    jumps = [-HOUR, YEAR, 0, -YEAR, HOUR, 0]
    tables = iter(evenings(3 * len(jumps), confirmation="trust"))
    try:
        for seconds in jumps:
            jump(stand, seconds)
            jumped = time.monotonic()
            assert ledger.report(next(tables)).status == 201
            settle()
            figures.recovered(jumped, within=60)
            stand.arm(DIE_BEFORE_PUBLISH)  # so that the sweep has to find it
            assert ledger.report(next(tables)).status == 0
            settle()
            figures.recovered(jumped, within=60)
            wait_for(lambda: call(stand.port, "GET", "/readyz").body["checks"]["work"]["status"] == "ok")
        jump(stand, YEAR)  # a worker dies with claims of next year, and everything starts with the right clock
        assert ledger.report(next(tables)).status == 201
        for name in ("worker", "beat"):
            stand.kill(name)
        jump(stand, 0)
        began = time.monotonic()
        stand.start("worker", "beat")
        assert ledger.report(next(tables)).status == 201
        settle()
        figures.recovered(began, within=60)
    finally:
        stand.disarm(CLOCK)
    figures.clean(f"{len(jumps)} jumps and one between two starts")
