"""Advisory locks: one computation of a thing at a time, so that an older read never overwrites a newer result."""

from __future__ import annotations

from django.db import connection

LOCKS = 7_265  # the namespace of these locks among all advisory locks of the database


def advisory_lock(kind: str, key: str) -> None:
    """Take the lock of one computation, and hold it until the transaction ends.

    SQLite needs none: it lets one transaction write at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SET LOCAL lock_timeout = 0"
            )  # the limit of the connection is meant for requests; a worker may wait
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCKS, f"{kind} {key}"])
