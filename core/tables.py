"""Whether the database has the tables that this code needs, and what a command does where it has not."""

from __future__ import annotations

import fcntl
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from core import disk

UNDER_WAY = "Bringing the database up to date …"


def is_up_to_date(database: BaseDatabaseWrapper) -> bool:
    """Tell whether every migration was applied to a database."""
    return not _missing(database)


def _missing(database: BaseDatabaseWrapper) -> int:
    executor = MigrationExecutor(database)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


@contextmanager
def alone(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Let one process at a time make or replace the tables of a SQLite: of two, each would begin to make them all.

    The kernel lets go when the process ends in whatever way. Where no such file can be made, no table can be either,
    and SQLite says why.
    """
    name = str(database.settings_dict["NAME"])
    if database.vendor != "sqlite" or name.startswith(("file:", ":memory:")):
        yield
        return
    file = Path(f"{name}.migrating")
    if not database.in_atomic_block:
        database.close()  # `restore`, for which this may wait, refuses an open file, and puts another in its place
    opened = _locked(file)
    try:
        yield
    finally:
        if opened is not None:
            file.unlink(missing_ok=True)
            os.close(opened)


def _locked(file: Path) -> int | None:
    """Return the lock that is a file, once nobody else has it; None where it cannot be made."""
    while True:
        try:
            opened = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return None
        fcntl.flock(opened, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(opened), file.stat()):
                return opened
        os.close(opened)  # whoever had it removed the file, and the next one makes another


def bring_up_to_date(out: TextIO, say: Callable[[str], None] | None = None) -> None:
    """Apply the migrations that are missing, and say so: on a terminal in a line that counts them, elsewhere once.

    `say` writes a line elsewhere, for a process that must go on where nothing can be written.
    """
    missing = _missing(connection)
    if not missing:
        return
    if not out.isatty():
        (say or partial(print, file=out, flush=True))(UNDER_WAY)
        call_command("migrate", interactive=False, verbosity=0)
        return
    call_command("migrate", interactive=False, verbosity=1, no_color=True, stdout=Counted(out, missing))
    out.write("\r\033[K")
    out.flush()


class Counted(io.TextIOBase):
    """What `migrate` writes, as a line that says how many of its steps are done."""

    def __init__(self, out: TextIO, total: int) -> None:
        self.out, self.total, self.done = out, total, 0

    def write(self, text: str) -> int:
        """Count the steps that are done in what is written."""
        self.done += text.count(" OK\n")
        self.out.write(f"\r\033[K{UNDER_WAY} {self.done} / {self.total}")
        self.out.flush()
        return len(text)


def require_tables() -> None:
    """Make the tables of an empty SQLite, which is somebody's first command; refuse any other that lacks some.

    Tables that hold something are brought up to date by `migrate` or the service, when their owner chooses to.
    """
    try:
        if is_up_to_date(connection):
            return
        with alone(connection):  # the service may be making them at this moment
            if is_up_to_date(connection):
                return
            is_new = connection.vendor == "sqlite" and not connection.introspection.table_names()
    except DatabaseError as error:
        raise _unusable(error) from error
    if not is_new:
        raise _outdated()
    bring_up_to_date(sys.stderr if sys.stderr.isatty() else io.StringIO())


def _outdated() -> CommandError:
    return CommandError(f"The database is not up to date: {settings.MANAGE_COMMAND} migrate comes first.")


def _unusable(error: DatabaseError) -> CommandError:
    """Return an error of the database in a sentence, with what to do where the disk is its cause."""
    trouble = disk.trouble_of(error)
    return CommandError(f"The database cannot be used: {error}" + (f". {trouble.remedy}" if trouble else ""))


def _is_away(error: DatabaseError) -> bool:
    """Tell whether a PostgreSQL does not answer: an error that it tells has a state."""
    is_told = getattr(error.__cause__, "sqlstate", None) is not None
    return connection.vendor == "postgresql" and isinstance(error, OperationalError) and not is_told


@contextmanager
def troubles_told() -> Iterator[None]:
    """Have a command end with a sentence, and no traceback, where disk or server keep it from going on."""
    try:
        yield
    except DatabaseError as error:
        if disk.trouble_of(error) is None and not _is_away(error):
            raise
        raise _unusable(error) from error


@contextmanager
def missing_tables_told() -> Iterator[None]:
    """Have any command, also of a package, end with a sentence where tables are missing; `migrate` itself says why."""
    try:
        with troubles_told():
            yield
    except ImproperlyConfigured as error:
        if not settings.NO_DATABASE:
            raise
        raise CommandError(settings.NO_DATABASE) from error
    except DatabaseError as error:
        if "migrate" in sys.argv[1:2] or is_up_to_date(connection):
            raise
        raise _outdated() from error


class TablesCommand(BaseCommand):
    """A command that needs the tables."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run it once the tables are there."""
        require_tables()
        with troubles_told():
            return super().execute(*args, **options)
