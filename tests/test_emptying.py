"""The database is emptied though a page that was closed still has a request under way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection, transaction

from tests import emptying
from tests.factories import EntryFactory
from tournaments.models import Entry, Player

pytestmark = pytest.mark.django_db(transaction=True)

IS_WAITING = """
    SELECT EXISTS (
        SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE NOT granted AND datname = current_database()
    )
"""


@pytest.fixture(autouse=True)
def postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one lock, for which everybody waits in turn")


def during(act: Callable[[], object]) -> list[str]:
    """Empty the tables while a request holds one that is locked late; then it asks for one that is locked early.

    Return what happened to the request.
    """
    happened: list[str] = []
    is_reading = threading.Event()

    def request() -> None:
        try:
            with transaction.atomic():
                Player.objects.exists()
                is_reading.set()
                wait_until_somebody_waits()
                Entry.objects.exists()
            happened.append("answered")
        except OperationalError as error:
            happened.append(str(error))
        finally:
            connection.close()

    thread = threading.Thread(target=request)
    thread.start()
    is_reading.wait()
    try:
        act()
    finally:
        thread.join()
    return happened


def wait_until_somebody_waits() -> None:
    for _ in range(500):
        with connection.cursor() as cursor:
            cursor.execute(IS_WAITING)
            if cursor.fetchone() == (True,):
                return
        time.sleep(0.01)


def test_a_request_under_way_and_the_emptying_would_wait_for_each_other():
    def lock_once() -> None:
        with transaction.atomic():
            emptying.lock_tables()

    try:
        happened = during(lock_once)
    except OperationalError as error:
        happened = [str(error)]
    assert "deadlock" in happened[0]


def test_a_request_under_way_comes_to_its_end_before_the_tables_are_emptied():
    EntryFactory()
    assert during(emptying.empty_tables) == ["answered"]
    assert not Entry.objects.exists()
