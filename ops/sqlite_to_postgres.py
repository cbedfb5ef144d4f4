"""Carry every row of the embedded SQLite to PostgreSQL, and prove that it arrived.

Rows keep their keys. All of them go in one transaction, at whose end PostgreSQL checks the references between them, so
their order does not matter; the triggers of the history look at changes only, and let new rows in. What `migrate`
itself writes into a new database (content types, permissions, its epoch) gives way to the rows that come.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connections, transaction
from django.db.models import QuerySet
from django.db.models.options import Options

from core import epochs
from core.models import Epoch
from core.strict_json import UNSTORABLE
from core.tables import is_up_to_date
from ops import databases, start

SOURCE, TARGET = "default", "target"
AT_ONCE = 2_000  # rows that are held in memory
EXACT = 2**53  # below it every whole number is a float
WRITTEN_BY_MIGRATE = (Permission, ContentType, Epoch)
Table = Options


class MoveError(Exception):
    """A reason why nothing was moved, in one sentence."""


class Moved(NamedTuple):
    """A table that arrived whole."""

    table: str
    rows: int


@dataclass
class Content:
    """What a table holds, as the sum of the hashes of its rows: equal in any order and in any database."""

    rows: int = 0
    checksum: int = 0

    def add(self, row: tuple[Any, ...]) -> None:
        """Count a row in."""
        text = json.dumps([_plain(value) for value in row], sort_keys=True, default=_written)
        number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest())
        self.rows, self.checksum = self.rows + 1, (self.checksum + number) % 2**128


def open_target(url: str) -> None:
    """Make the database at an address known as the target."""
    try:
        found = databases.parse(url, settings.DATABASE_OPTIONS)
    except ValueError as error:
        wanted = getattr(error, "wanted", "postgres://USER:PASSWORD@HOST:PORT/NAME")
        raise MoveError(f"The target must be {wanted}.") from error
    # One session, without the limits that keep a request short: a server may be too busy to read for a moment.
    limits = {"pool", "tcp_user_timeout"}
    found["OPTIONS"] = {name: value for name, value in found["OPTIONS"].items() if name not in limits}
    own = found["OPTIONS"].get("options", "")
    found["OPTIONS"]["options"] = f"{own} -c timezone=UTC -c statement_timeout=0 -c lock_timeout=0"
    connections.settings[TARGET] = connections.configure_settings({"default": found})["default"]
    if (connections[SOURCE].vendor, connections[TARGET].vendor) != ("sqlite", "postgresql"):
        raise MoveError("This moves from the embedded SQLite to PostgreSQL; for anything else there is backup.")


def prepare_target() -> None:
    """Make the target's tables, in a database that is empty or holds nothing but them.

    It is left as it is where it holds more: code that is older than this may be running on it.
    """
    if not is_up_to_date(connections[SOURCE]):
        raise MoveError(f"The database is not up to date: run {start.MANAGE} migrate first.")
    tables = connections[TARGET].introspection.table_names()
    if tables and "django_migrations" not in tables:
        raise MoveError("The target holds tables of something else.")
    made = [table for table in tables_of_ours() if table.db_table in tables and table.model not in WRITTEN_BY_MIGRATE]
    if any(_rows(table, TARGET).exists() for table in made):
        raise MoveError("The target is not empty.")
    call_command("migrate", database=TARGET, interactive=False, verbosity=0)


def move() -> Iterator[Moved]:
    """Copy and compare table by table; nothing stays in the target unless this comes to its end."""
    # On SQLite the transaction holds the one lock there is: nobody writes what would be left behind.
    with transaction.atomic(SOURCE), transaction.atomic(TARGET):
        for model in WRITTEN_BY_MIGRATE:
            model.objects.using(TARGET).delete()
        for table in tables_of_ours():
            sent = _copy(table)
            if content(table, TARGET) != sent:
                raise MoveError(f"{table.db_table} did not arrive as it was sent.")
            yield Moved(table.db_table, sent.rows)
        # Whoever goes back to the SQLite for a while has another life there.
        Epoch.objects.using(TARGET).update(value=epochs.new())
        models = [table.model for table in tables_of_ours()]
        with connections[TARGET].cursor() as cursor:
            for statement in connections[TARGET].ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
    with connections[TARGET].cursor() as cursor:
        cursor.execute("ANALYZE")


def tables_of_ours() -> list[Table]:
    """Return every table that a model describes, those between two others included."""
    every = [model._meta for model in apps.get_models(include_auto_created=True)]  # noqa: SLF001 (Django's own API)
    return [table for table in every if table.managed and not table.proxy]


def content(table: Table, alias: str) -> Content:
    """Return what a table holds."""
    found = Content()
    for row in _values(table, alias):
        found.add(row)
    return found


def _copy(table: Table) -> Content:
    """Send every row of a table, and return what was sent."""
    sent = Content()
    target = connections[TARGET]
    quote = target.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in table.concrete_fields)
    command = f"COPY {quote(table.db_table)} ({columns}) FROM STDIN"
    with target.wrap_database_errors, target.cursor() as cursor, cursor.copy(command) as copy:
        for values in _values(table, SOURCE):
            row = tuple(map(_storable, values))
            sent.add(row)
            pairs = zip(table.concrete_fields, row, strict=True)
            copy.write_row([field.get_db_prep_save(value, target) for field, value in pairs])
    return sent


def _values(table: Table, alias: str) -> Iterator[tuple[Any, ...]]:
    rows = _rows(table, alias).order_by("pk").values_list(*(field.attname for field in table.concrete_fields))
    return iter(rows.iterator(AT_ONCE))


def _rows(table: Table, alias: str) -> QuerySet[Any, Any]:
    return table.base_manager.using(alias)


def _storable(value: Any) -> Any:
    """Return a value with U+FFFD for what is no character to PostgreSQL: SQLite kept it in texts of older versions."""
    if isinstance(value, dict):
        return {_storable(key): _storable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_storable(each) for each in value]
    return UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """Return a value of JSON as either database gives it back: PostgreSQL knows no 1e22 beside its digits.

    A whole number that floats cannot tell from its neighbours is taken for the float nearest to it.
    """
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)
    if isinstance(value, int) and EXACT <= abs(value) <= sys.float_info.max:
        return float(value)
    return value


def _written(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value.isoformat() if isinstance(value, dt.date) else str(value)
