"""How the database is emptied after a test that committed something.

Django truncates every table and writes content types and permissions anew, in a fifth of a second of processor time.
Few tables hold something, and of that few rows: deleting them takes a tenth of it.
"""

from __future__ import annotations

import functools
import time

from django.db import OperationalError, connection, transaction

KEPT = {"django_content_type", "auth_permission"}  # Django fills them, and no test changes them
PATIENCE = "100ms"  # far less than PostgreSQL waits before it looks for a deadlock
LONGEST = 30.0  # seconds


def empty_tables(_case: object = None) -> None:
    """Delete every row but those that Django itself would write again.

    A page that was closed may still have a request under way. It has some tables and may want others, so it is let
    through: what is locked already is given back, and asked for again.
    """
    until = time.monotonic() + LONGEST
    while not _is_emptied(is_last=time.monotonic() > until):
        pass


def _is_emptied(*, is_last: bool) -> bool:
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                lock_tables(PATIENCE)
            _delete_rows()
    except OperationalError:
        if is_last or connection.vendor != "postgresql":
            raise
        return False
    return True


def lock_tables(patience: str = "0") -> None:
    """Lock every table, as truncating does: whatever a page still asked for comes to its end first."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{patience}'")
        cursor.execute(f"LOCK TABLE {', '.join(_tables())} IN ACCESS EXCLUSIVE MODE")
        cursor.execute("SET LOCAL ludoscore.rewriting = 'on'")


def _delete_rows() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_filled())
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {table}")


@functools.cache
def _tables() -> list[str]:
    names = connection.introspection.django_table_names(include_views=False)
    return [connection.ops.quote_name(name) for name in sorted(set(names) - KEPT)]


@functools.cache
def _filled() -> str:
    """Return a query for the tables that hold something."""
    return " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in _tables())
