"""Connections to PostgreSQL that died while they waited in the pool."""

from __future__ import annotations

import select
import time
from typing import Any
from weakref import WeakKeyDictionary

from django.db import connection
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool

TRUSTED_FOR = 10.0  # seconds after which a silent connection is asked whether it lives: its network may be gone

_check: Any = ConnectionPool.check_connection
_checked: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()


def check(candidate: Connection[Any]) -> None:
    """Check a connection before it is used; if it is dead, throw away all that wait with it.

    Whatever ended it, a restart or the network, ended the others too. By itself the pool tries one after the other,
    with growing pauses, and a request cannot wait that long.
    """
    try:
        if time.monotonic() - _checked.get(candidate, 0.0) > TRUSTED_FOR or _has_news(candidate):
            _check(candidate)
            _checked[candidate] = time.monotonic()
    except OperationalError:
        connection.pool.drain()  # type: ignore[attr-defined]  # only the backend of PostgreSQL has one, and it calls
        raise


def _has_news(candidate: Connection[Any]) -> bool:
    """Say whether the server sent something nobody asked for, which is how it says good-bye; costs no message."""
    poll = select.poll()
    poll.register(candidate.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def install() -> None:
    """Have Django's pools check so: Django names the pool's own function, and lets no other be given."""
    ConnectionPool.check_connection = staticmethod(check)  # type: ignore[method-assign,assignment]
