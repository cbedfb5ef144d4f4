"""Who waits for a lock in PostgreSQL."""

from __future__ import annotations

from django.db import connection


def waiting_sessions() -> int:
    """Return how many sessions of this database wait for a lock; the server has those of other processes too."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])
