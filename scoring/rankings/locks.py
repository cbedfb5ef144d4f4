"""Advisory locks: one computation of a thing at a time, so that an older read never overwrites a newer result."""

from __future__ import annotations

from django.db import connection

PATIENCE_MS = 10_000  # less than a statement may take: to wait in vain is not the fault of what is computed
LOCKS = 7_265  # the namespace of these locks among all advisory locks of the database


def advisory_lock(kind: str, key: str) -> None:
    """Take the lock of one computation, and hold it until the transaction ends.

    SQLite needs none: it lets one transaction write at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # The limit of the connection is meant for requests; a worker may wait for another, yet not for anything
            # else: a row that somebody holds, also at the commit, must not keep all other work waiting.
            take = "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s, hashtext(%s))"
            cursor.execute(take, [str(PATIENCE_MS), LOCKS, f"{kind} {key}"])
            cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
