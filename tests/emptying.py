"""How the database is emptied after a test that committed something.

Django truncates every table and writes content types and permissions anew, in a fifth of a second of processor time.
Few tables hold something, and of that few rows: deleting them takes a tenth of it.
"""

from __future__ import annotations

import functools

from django.db import connection, transaction

KEPT = {"django_content_type", "auth_permission"}  # Django fills them, and no test changes them


def empty_tables(_case: object = None) -> None:
    """Delete every row but those that Django itself would write again."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # As truncating does: whatever a page still asked for comes to its end first.
            cursor.execute(f"LOCK TABLE {', '.join(_tables())} IN ACCESS EXCLUSIVE MODE")
            cursor.execute("SET LOCAL ludoscore.rewriting = 'on'")
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
