"""A PostgreSQL that falls silent: the machine or the network is gone, or the server frozen, and nothing says so."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from django.db import OperationalError, connection

from ops.postgresql import base
from scoring.rankings.ratings.store import _take_time

PATIENCE = 10  # seconds, far less than without end
pytestmark = pytest.mark.django_db


class Wire:
    """Between the service and PostgreSQL: what lies on it can be lost, as where a machine loses its power."""

    def __init__(self, server: str) -> None:
        self.server, self.lives = server, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.kept: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Answer nothing more on the connections that there are, and close none; new ones are served."""
        self.lives += 1

    def close(self) -> None:
        """End everything."""
        for each in [self.listener, *self.kept]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, far = self.listener.accept()[0], socket.socket(socket.AF_UNIX)
                far.connect(self.server)
                self.kept += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, target, self.lives), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, life: int) -> None:
        with suppress(OSError):
            while (said := source.recv(65536)) and life == self.lives:
                target.sendall(said)


@pytest.fixture
def wire() -> Iterator[Wire]:
    """A wire to the PostgreSQL of the tests."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is a file")
    parameters = connection.get_connection_params()
    if not str(parameters.get("host", "")).startswith("/"):
        pytest.skip("for a server on this machine")
    wire = Wire(f"{parameters['host']}/.s.PGSQL.{parameters.get('port', 5432)}")
    yield wire
    wire.close()


@pytest.fixture
def database(wire: Wire) -> Iterator[base.DatabaseWrapper]:
    """The database over that wire, with a pool as the service has it."""
    options = {name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "host"}
    settings = connection.settings_dict | {"HOST": "127.0.0.1", "PORT": str(wire.port), "OPTIONS": options}
    database = base.DatabaseWrapper(settings, "over-the-wire")
    database.inc_thread_sharing()
    yield database
    wire.close()
    database.close()
    database.close_pool()


def ask(database: Any, statement: str = "SELECT 7") -> Any:
    with database.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def in_time(work: Callable[[], Any]) -> Any:
    """Return what something that may hang returns; by then the wire is closed, which ends it."""
    return ThreadPoolExecutor(1).submit(work).result(PATIENCE)


def test_connections_that_fell_silent_are_given_up_and_a_new_one_serves_the_request(wire, database, monkeypatch):
    monkeypatch.setattr(base, "TRUSTED_FOR", -1.0)  # as after some seconds without a request
    assert ask(database) == 7
    database.close()
    wire.cut()
    assert in_time(lambda: ask(database)) == 7


def test_statement_on_a_server_that_freezes_is_given_up_soon_after_its_limit(wire, database, monkeypatch):
    monkeypatch.setattr(base, "BEYOND", 0.2)
    database.settings_dict["OPTIONS"]["options"] = "-c statement_timeout=300"
    with pytest.raises(OperationalError, match="statement timeout"):
        ask(database, "SELECT pg_sleep(5)")  # a server that lives says so itself, and before
    wire.cut()
    with pytest.raises(OperationalError, match="the server does not answer"):
        in_time(lambda: ask(database))
    database.close()
    assert in_time(lambda: ask(database)) == 7


def test_statement_of_which_the_limit_was_lifted_takes_its_time(database, monkeypatch):
    monkeypatch.setattr(base, "BEYOND", 0.1)
    monkeypatch.setattr("scoring.rankings.ratings.store.connection", database)
    database.settings_dict["OPTIONS"]["options"] = "-c statement_timeout=100"
    assert ask(database) == 7
    database.set_autocommit(False)
    _take_time()
    assert ask(database, "SELECT 7 FROM pg_sleep(0.5)") == 7
    database.rollback()
    database.set_autocommit(True)
    database.close()
    with pytest.raises(OperationalError):
        ask(database, "SELECT pg_sleep(5)")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such option")
def test_connection_whose_machine_says_nothing_is_broken_by_the_kernel(database):
    database.ensure_connection()
    with socket.socket(fileno=os.dup(database.connection.fileno())) as link:
        assert 0 < link.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 5_000
        assert link.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 10
