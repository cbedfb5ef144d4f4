"""Faults 8 to 11 and 15: what the broker loses is found, and nobody waits for it."""

from __future__ import annotations

import signal
import time

import pytest
from redis import Redis

from core import computations
from tests.faults.audit import is_up_to_date, settle
from tests.faults.counts import IS_FULL, count
from tests.faults.phones import at_once, evenings, sheet_for, token_of
from tests.faults.rig_names import DIE_BEFORE_PUBLISH
from tests.faults.stand import wait_for
from tests.scoring.evenings import evening

A_SECOND = 1 if IS_FULL else 2  # beside other tests, the machine has pauses of its own


@pytest.mark.fault(8, "web process killed between commit and publish")
def test_08_sweep_finds_what_was_never_published(stand, ledger, figures):
    settle()
    there = evening(confirmation="trust")
    body, token, key = {"report": sheet_for(there)}, token_of(there.players[0]), "never-published"
    stand.arm(DIE_BEFORE_PUBLISH)
    assert ledger.send(there.table.uid, body, token, key).status == 0
    killed = time.monotonic()
    assert stand.struck(DIE_BEFORE_PUBLISH) == 1
    settle()
    figures.recovered(killed, within=60)
    assert ledger.insist(there.table.uid, body, token, key).body["status"] == "final"
    figures.clean("found by the sweep")


def test_08_control_without_the_sweep_it_stays_out_of_date(stand, ledger):
    settle()
    there = evening(confirmation="trust")
    stand.stop("beat")
    stand.arm(DIE_BEFORE_PUBLISH)
    assert ledger.report(there).status == 0
    time.sleep(3)
    assert not is_up_to_date()
    stand.start("beat")
    settle()


def warm_evenings(ledger):
    """Return tables to report, once every web process has answered a report: its first takes longer."""
    tables = evenings(count(12, 100) + 8, confirmation="trust")
    at_once(ledger.report, tables[:8])
    return tables[8:]


def send_all(ledger, tables):
    """Report every table, one after the other; return the longest wait."""
    answers = [ledger.report(each) for each in tables]
    assert {answer.status for answer in answers} == {201}
    return max(answer.seconds for answer in answers)


@pytest.mark.fault(9, "broker killed, reports sent")
def test_09_nobody_waits_for_a_dead_broker(stand, ledger, figures):
    tables = warm_evenings(ledger)
    stand.kill("broker")
    longest = send_all(ledger, tables)
    assert longest < A_SECOND
    stand.start("broker")
    back = time.monotonic()
    settle()
    figures.recovered(back, within=60)
    figures.clean(f"{len(tables)} reports, longest wait {longest:.2f} s")


@pytest.mark.fault(10, "broker paused: neither refuses nor answers")
def test_10_nobody_waits_for_a_hanging_broker(stand, ledger, figures):
    tables = warm_evenings(ledger)
    stand.running["broker"].send_signal(signal.SIGSTOP)
    longest = send_all(ledger, tables)
    assert longest < A_SECOND
    stand.running["broker"].send_signal(signal.SIGCONT)
    back = time.monotonic()
    settle()
    figures.recovered(back, within=60)
    figures.clean(f"{len(tables)} reports, longest wait {longest:.2f} s")


@pytest.mark.fault(11, "broker restarted three times")
def test_11_worker_resumes_unaided(stand, ledger, figures):
    worker = stand.running["worker"]
    for there in evenings(3, confirmation="trust"):
        stand.kill("broker")
        stand.start("broker")
        back = time.monotonic()
        assert ledger.report(there).status == 201
        settle()
        figures.recovered(back, within=30)
    assert worker.poll() is None
    figures.clean("the same worker all along")


@pytest.mark.fault(15, "every message in the broker erased")
def test_15_erased_messages_are_not_missed(stand, ledger, figures):
    events = [evening(confirmation="trust") for _ in range(count(10, 500))]
    stand.kill("worker")
    stand.stop("beat")
    answers = at_once(ledger.report, events)
    assert {answer.status for answer in answers} == {201}
    pending = len(computations.behind())
    assert pending >= len(events)
    with Redis(unix_socket_path=str(stand.folder / "valkey.sock")) as broker:
        assert broker.llen("celery") >= pending
        broker.flushall()
    stand.start("worker", "beat")
    began = time.monotonic()
    wait_for(is_up_to_date)
    figures.recovered(began, within=60)
    figures.clean(f"{pending} computations pending")
