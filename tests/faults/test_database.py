"""Faults 16 to 20 and 22: the database goes away, cuts, is full or locked, and processes are stopped gently."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Self

import psycopg
import pytest
from django.db import connection, transaction

from tests.faults.audit import settle
from tests.faults.counts import count
from tests.faults.phones import Ledger, at_once, call, evenings, requests_of
from tests.faults.stand import PATIENCE, wait_for
from tests.scoring.evenings import evening
from tournaments.models import Event

QUICKLY = 3.0  # seconds within which a request that cannot be served is refused


class Load:
    """Phones that report one table after the other, each until it is answered, while something happens."""

    def __init__(self, ledger: Ledger, tables: int, phones: int = 4) -> None:
        self.ledger, self.phones = ledger, phones
        self.waiting = requests_of(evenings(tables, seats=2, confirmation="trust"))
        self.answers: list[tuple[float, int, str, float]] = []  # when, status, code or error, seconds
        self.is_over = threading.Event()

    def __enter__(self) -> Self:
        self.threads = [threading.Thread(target=self._run) for _ in range(self.phones)]
        for thread in self.threads:
            thread.start()
        wait_for(lambda: self.answers)
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def _run(self) -> None:
        while not self.is_over.is_set():
            with contextlib.suppress(IndexError):
                self._report(*self.waiting.pop())
            time.sleep(0.3)

    def _report(self, table: str, body: object, token: str) -> None:
        status, key = 0, f"load-{table}"
        while status != 201 and not self.is_over.is_set():
            # A web server that starts on a busy machine keeps those waiting who came meanwhile.
            answer = self.ledger.send(table, body, token, key, timeout=PATIENCE)
            status = answer.status
            self.answers.append((time.monotonic(), status, answer.code or str(answer.body)[:60], answer.seconds))
            time.sleep(0.05)

    def statuses(self) -> Counter[int]:
        """Return how often each status was answered."""
        return Counter(status for _, status, _, _ in self.answers)

    def is_served_since(self, moment: float) -> bool:
        """Say whether the last reports, more than there are web processes, were sent after a moment and taken."""
        last = self.answers[-6:]
        return all(status == 201 and when - seconds > moment for when, status, _, seconds in last)


@pytest.mark.fault(16, "PostgreSQL restarted under load")
def test_16_restarted_database_is_found_again(stand, ledger, figures):
    processes = dict(stand.running)
    with Load(ledger, 150) as load:
        connection.close()
        stand.stop("postgres", signal.SIGINT)
        time.sleep(count(2, 20))
        stand.start("postgres")
        back = time.monotonic()
        wait_for(lambda: load.is_served_since(back))
        figures.recovered(back, within=10)
    seen = load.statuses()
    assert set(seen) <= {201, 409, 503}, load.answers
    assert all(stand.running[name] is processes[name] for name in ("web", "worker", "beat"))
    assert all(process.poll() is None for process in stand.running.values())
    figures.clean(f"{seen[201]} served, {seen[503]} × 503")


def cut_connections():
    """End every session with the database but this one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


@pytest.mark.fault(17, "database connections cut every 2 s")
def test_17_next_request_after_a_cut_works(stand, ledger, figures):
    tables = evenings(count(4, 15), confirmation="trust")
    for there in tables:
        cut_connections()
        cut = time.monotonic()
        assert ledger.report(there).status == 201
        figures.recovered(cut, within=5)
        time.sleep(max(0.0, count(1, 2) + cut - time.monotonic()))
    figures.clean(f"{len(tables)} cuts, every next request served")


@pytest.mark.fault(18, "more clients than connections")
def test_18_full_database_is_refused_quickly(stand, ledger, figures):
    settle()
    requests = requests_of(evenings(count(16, 32), confirmation="trust"))
    with contextlib.ExitStack() as hogs:
        stand.stop("beat")
        stand.stop("worker")
        cut_connections()
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                hogs.enter_context(psycopg.connect(stand.environment["DATABASE_URL"]))
        answers = at_once(lambda each: ledger.send(*each), requests, workers=16)
        seen = Counter(answer.status for answer in answers)
        assert set(seen) <= {201, 503}
        longest = max(answer.seconds for answer in answers)
        assert longest < 2 * QUICKLY
    free = time.monotonic()
    stand.start("worker", "beat")
    assert {ledger.insist(*each).status for each in requests} <= {201, 409}
    figures.recovered(free, within=30)
    figures.clean(f"{seen[503]} × 503, {seen[201]} served, the longest took {longest:.1f} s")


@pytest.mark.fault(19, "a row locked for a minute by another session")
def test_19_locked_row_is_answered(stand, ledger, figures):
    there = evening(confirmation="trust")
    held = count(5, 60)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=there.event.pk)
        until, longest = time.monotonic() + held, 0.0
        while time.monotonic() < until:
            answer = ledger.report(there)
            assert answer.status in {409, 503}
            longest = max(longest, answer.seconds)
            assert call(stand.port, "GET", f"/api/v1/events/{there.event.uid}/").status == 200
    assert longest < QUICKLY
    assert ledger.report(there).status == 201
    figures.clean(f"held {held} s, answered within {longest:.1f} s; reads go on")


@pytest.mark.fault(20, "web and worker stopped gently under load")
def test_20_gentle_stop_breaks_nothing(stand, ledger, figures):
    with Load(ledger, 150) as load:
        for name in ("web", "worker"):
            stand.stop(name)
            stopped = time.monotonic()
            stand.start(name)
            wait_for(partial(load.is_served_since, stopped))
    seen = load.statuses()
    cut = [text for _, status, text, _ in load.answers if status == 0 and "ConnectionRefused" not in text]
    assert not cut, "a request that was begun was answered"
    assert set(seen) <= {0, 201, 409}
    figures.clean(f"{seen[201]} served, {seen[0]} refused at the door")


@pytest.mark.fault(22, "SQLite held by another writer for 3 s")
def test_22_writers_wait_their_turn_on_sqlite(sqlite_stand, ledger, figures):
    waiting = requests_of(evenings(20, confirmation="trust"))
    settle()
    with (
        contextlib.closing(sqlite3.connect(sqlite_stand.folder / "faults.sqlite3", isolation_level=None)) as other,
        ThreadPoolExecutor(1) as phones,
    ):
        other.execute("BEGIN IMMEDIATE")
        sent = phones.submit(at_once, lambda each: ledger.send(*each), waiting, workers=len(waiting))
        time.sleep(3)
        other.execute("COMMIT")
        answers = sent.result()
    assert {answer.status for answer in answers} == {201}
    assert "database is locked" not in sqlite_stand.log("web")
    figures.clean(f"{len(answers)} writers, the longest waited {max(answer.seconds for answer in answers):.1f} s")


def test_22_control_without_patience_the_database_is_locked(tmp_path):
    path = tmp_path / "control.sqlite3"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("CREATE TABLE held (row)")
        holder.execute("BEGIN IMMEDIATE")
        with (
            contextlib.closing(sqlite3.connect(path, timeout=0)) as writer,
            pytest.raises(sqlite3.OperationalError, match="database is locked"),
        ):
            writer.execute("INSERT INTO held VALUES (1)")
