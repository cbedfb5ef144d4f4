"""Who waits for a lock in PostgreSQL."""

from __future__ import annotations

from django.db import connection


def waiting_sessions() -> int:
    """Return how many sessions wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(cursor.fetchone()[0])
