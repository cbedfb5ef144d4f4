"""Threads that write to SQLite: in the order in which they came, whatever becomes of the one before."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connections

from ops.sqlite import base
from ops.sqlite.base import DatabaseWrapper, Queue

Connect = Callable[[], DatabaseWrapper]


@pytest.fixture
def connect(tmp_path: Path, django_db_blocker: Any) -> Iterator[Connect]:
    """Open one more connection to a file; all are closed at the end."""
    named = {"ENGINE": "ops.sqlite", "NAME": tmp_path / "turns.sqlite3", "OPTIONS": settings.SQLITE_OPTIONS}
    known = dict(connections.configure_settings({"default": named})["default"])
    opened = []

    def one() -> DatabaseWrapper:
        opened.append(DatabaseWrapper(known, "default"))
        opened[-1].inc_thread_sharing()
        return opened[-1]

    with django_db_blocker.unblock():
        yield one
        for each in opened:
            each.close()


def begin(connection: DatabaseWrapper) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


@pytest.mark.parametrize("without", [13, 3], ids=["all in transactions", "some without"])
def test_who_waits_to_write_is_not_overtaken(connect, without):
    """Nor is who writes without a transaction, as drafts are kept: those that came later left it no gap."""
    first = connect()
    with first.cursor() as cursor:
        cursor.execute("CREATE TABLE came (number integer)")
    begin(first)

    def write(number):
        connection = connect()
        if (number + 1) % without:
            begin(connection)
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO came VALUES (%s)", [number])
        time.sleep(0.01)
        connection.commit()
        connection.close()

    with ThreadPoolExecutor(12) as pool:
        for number in range(12):
            pool.submit(write, number)
            time.sleep(0.03)
        first.commit()
    with first.cursor() as cursor:
        cursor.execute("SELECT number FROM came ORDER BY rowid")
        assert [number for (number,) in cursor.fetchall()] == list(range(12))


@pytest.mark.parametrize("end", ["commit", "rollback", "close"])
def test_turn_ends_with_the_transaction_however_that_ends(connect, end):
    one, other = connect(), connect()
    begin(one)
    getattr(one, end)()
    begin(other)
    other.rollback()


def test_turn_that_does_not_begin_ends(connect, monkeypatch):
    def refuse(_connection):
        raise OperationalError("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(base.base.DatabaseWrapper, "_start_transaction_under_autocommit", refuse)
        with pytest.raises(OperationalError):
            begin(connect())
    begin(connect())


def test_who_gives_up_keeps_no_place():
    queue = Queue()
    assert queue.enter(0)
    assert not queue.enter(0.01)
    queue.leave()
    assert queue.enter(0)
    waiting = threading.Thread(target=queue.enter, args=[10])
    waiting.start()
    queue.leave()
    waiting.join(10)
    assert not waiting.is_alive()
    assert not queue.enter(0.01), "the other one has it"


def test_who_has_less_patience_with_sqlite_waits_no_longer_for_a_turn(connect):
    """A health check waits for half a second; it waited for twenty while another thread wrote."""
    one, hasty = connect(), connect()
    begin(one)
    with hasty.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    began = time.monotonic()
    with pytest.raises(OperationalError):
        begin(hasty)
    assert time.monotonic() - began < 5


def test_who_still_reads_what_is_old_keeps_nobody_waiting(connect):
    """No waiting makes it newer, and the others of the process wait behind it."""
    one, other = connect(), connect()
    with other.cursor() as cursor:
        cursor.execute("CREATE TABLE came (number integer)")
        cursor.executemany("INSERT INTO came VALUES (%s)", [[number] for number in range(1000)])
    one.ensure_connection()
    reading = one.connection.execute("SELECT number FROM came")
    reading.fetchone()
    with other.cursor() as cursor:
        cursor.execute("INSERT INTO came VALUES (1)")
    began = time.monotonic()
    with pytest.raises(OperationalError):
        begin(one)
    assert time.monotonic() - began < 5
    reading.close()
    begin(one)
