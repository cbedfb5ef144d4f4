"""One computation of a thing at a time: what was read first is never written last."""

from __future__ import annotations

from django.db import connection

LOCKS = 7_265  # the name of ours among the advisory locks of the database


def take_turn(kind: str, key: str) -> None:
    """Wait until nobody else computes the same, and keep others waiting until the transaction ends.

    SQLite lets one transaction write at a time anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = 0")  # the limit is for requests
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCKS, f"{kind} {key}"])
