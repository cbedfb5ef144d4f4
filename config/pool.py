"""Connections to PostgreSQL that died while they waited in the pool."""

from __future__ import annotations

from typing import Any

from django.db import connection
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool

_check: Any = ConnectionPool.check_connection


def check(candidate: Connection[Any]) -> None:
    """Check a connection before it is used; if it is dead, throw away all that wait with it.

    Whatever ended it, a restart or the network, ended the others too. By itself the pool tries one after the other,
    with growing pauses, and a request cannot wait that long.
    """
    try:
        _check(candidate)
    except OperationalError:
        connection.pool.drain()  # type: ignore[attr-defined]  # only the backend of PostgreSQL has one, and it calls
        raise


def install() -> None:
    """Have Django's pools check so: Django names the pool's own function, and lets no other be given."""
    ConnectionPool.check_connection = staticmethod(check)  # type: ignore[method-assign,assignment]
