"""PostgreSQL as Django has it, except for what becomes of connections that died, or whose server fell silent.

Beside Django's own cursors there is one whose statements the server keeps planned (`core.statements`).
"""

from __future__ import annotations

import re
import select
import time
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from django.db.backends.base.base import NO_DB_ALIAS
from django.db.backends.postgresql import base
from psycopg import Connection, Error, OperationalError, RawCursor, errors
from psycopg_pool import ConnectionPool, PoolTimeout

TRUSTED_FOR = 10.0  # seconds after which a silent connection is asked whether it lives: its network may be gone
ANSWER = 1.0  # seconds it has to answer: half of those that a request waits, which then has another connection
BEYOND = 5.0  # seconds after the limit of a statement at which a server that has not ended it is given up
LIMIT = re.compile(r"statement_timeout=([1-9]\d*)(?!\S)")  # in milliseconds
_checked: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()


class ToldConnection(Connection[Any]):
    """A connection that remembers why the last one could not be made: the pool itself only speaks of time.

    It waits with an end for its server, which may have been frozen, or be gone without a word.
    """

    refusal: Error | None = None
    patience: float | None = ANSWER  # seconds, while it is made ready; None where nothing says how long it may take

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> Connection[Any]:  # type: ignore[override]  # its many parameters
        """Connect, and remember what kept it from that."""
        try:
            made = super().connect(*args, **kwargs)
        except Error as error:
            cls.refusal = error
            raise
        cls.refusal = None
        return made

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for what the server says; close the connection of one that says nothing for too long."""
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except errors._WaitTimeout as error:  # noqa: SLF001 (it has no other name)
            self.pgconn.finish()  # whatever is asked next would wait behind this
            raise OperationalError("the server does not answer") from error


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL. Django lets nobody choose how its pool checks, so the pool is made here."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Take a connection of the pool, or say why there is none."""
        try:
            return super().get_new_connection(conn_params)
        except PoolTimeout as error:
            if ToldConnection.refusal is None:
                raise
            raise OperationalError(str(ToldConnection.refusal)) from error

    @property
    def pool(self) -> ConnectionPool[Any] | None:
        """The pool of this process; None where the settings name none."""
        options = self.settings_dict["OPTIONS"].get("pool")
        if self.alias == NO_DB_ALIAS or not options:
            return None
        pools = self._connection_pools  # type: ignore[attr-defined]  # unknown to the stubs
        if self.alias not in pools:
            created: ConnectionPool[Any] = ConnectionPool(
                connection_class=ToldConnection,
                kwargs=self.get_connection_params() | {"autocommit": True},
                open=False,  # Django opens it with the first connection
                configure=self._configure_connection,  # type: ignore[attr-defined]  # unknown to the stubs
                check=self._check_alive,
                **options,
            )
            # Several threads may come here at once: the first pool is kept, and the others were never opened.
            pools.setdefault(self.alias, created)
        found: ConnectionPool[Any] = pools[self.alias]
        return found

    def prepared_cursor(self) -> Any:
        """Return a cursor that sends a statement as it is, with places `$1`, `$2`, …, and values apart from it.

        The server plans it once per connection. Django's cursors look for the places anew each time if there are many.
        """
        self.ensure_connection()
        with self.wrap_database_errors:
            return self._prepare_cursor(RawCursor(self.connection))  # type: ignore[attr-defined]

    @cached_property
    def _patience(self) -> float | None:
        """How long a statement may keep somebody waiting: longer than the server lets it run."""
        limit = LIMIT.search(self.settings_dict["OPTIONS"].get("options", ""))
        return int(limit[1]) / 1000 + BEYOND if limit else None

    def _check_alive(self, candidate: ToldConnection) -> None:
        """Check a connection before it is used; if it is dead, throw away all that wait with it.

        Whatever ended it, a restart or the network, ended the others too. By itself the pool tries one after the
        other, with growing pauses, and a request cannot wait that long.
        """
        try:
            if time.monotonic() - _checked.get(candidate, 0.0) > TRUSTED_FOR or _has_news(candidate):
                candidate.patience = ANSWER
                ConnectionPool.check_connection(candidate)
                _checked[candidate] = time.monotonic()
            candidate.patience = self._patience
        except OperationalError:
            if self.pool is not None:
                self.pool.drain()
            raise


def _has_news(candidate: Connection[Any]) -> bool:
    """Say whether the server sent something nobody asked for, which is how it says good-bye; costs no message."""
    poll = select.poll()
    poll.register(candidate.fileno(), select.POLLIN)
    return bool(poll.poll(0))
