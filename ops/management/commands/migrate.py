"""Bring the tables up to date: `manage.py migrate`, as Django does it, but one process at a time, each step whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration
from django.db.migrations.state import ProjectState

from core.tables import alone, troubles_told

# What a step meets that was taken already: a table, a column or something else that is there, or is there no more.
_STATES = {"42P07", "42701", "42710", "42P01", "42703", "42704"}
_WORDS = ("already exists", "duplicate column", "no such column", "no such table", "no such index")


class Executor(MigrationExecutor):
    """Django's, but a migration and the record of it, also of all that it replaces, are one commit.

    Django records most of them in commits of their own afterwards. Cut short in between, it would take the same steps
    again on tables that have them.
    """

    def apply_migration(
        self, state: ProjectState, migration: Migration, fake: bool = False, fake_initial: bool = False
    ) -> ProjectState:
        """Take the steps of a migration."""
        if fake or fake_initial or not migration.atomic:
            return super().apply_migration(state, migration, fake=fake, fake_initial=fake_initial)
        if self.progress_callback:
            self.progress_callback("apply_start", migration, fake)
        with self.connection.schema_editor(atomic=True) as editor:
            state = migration.apply(state, editor)
            self.record_migration(migration)  # type: ignore[call-arg, arg-type]  # the stubs are wrong
        if self.progress_callback:
            self.progress_callback("apply_success", migration, fake)
        return state


migrate.MigrationExecutor = Executor  # type: ignore[attr-defined]  # there is no other place to name one


class Command(migrate.Command):
    """Bring the tables up to date."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run it; Django's checks, which come first, ask the database already."""
        with troubles_told():
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose what is missing once nobody else is making it: the service and a first command may begin at once."""
        with alone(connections[options["database"]]), half_records_told():
            super().handle(*args, **options)


@contextmanager
def half_records_told() -> Iterator[None]:
    """Say in a sentence that an older version was cut short between steps and their record: they fail for ever."""
    try:
        yield
    except DatabaseError as error:
        if not _is_taken_already(error):
            raise
        raise CommandError(
            f"The tables and the record of them do not fit ({str(error).strip().splitlines()[0]}): a first start or an"
            " update by an older version was cut short. After a first start nothing is in this database: move it away,"
            " or make an empty one, and start again. After an update, restore the backup from before it:"
            f" {settings.MANAGE_COMMAND} restore FILE --overwrite."
        ) from error


def _is_taken_already(error: DatabaseError) -> bool:
    if state := getattr(error.__cause__, "sqlstate", None):
        return state in _STATES
    return any(words in str(error) for words in _WORDS)
