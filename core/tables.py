"""Whether the database has the tables that this code needs, and what a command does where it has not."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor


def is_up_to_date(database: BaseDatabaseWrapper) -> bool:
    """Tell whether every migration was applied to a database."""
    executor = MigrationExecutor(database)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def require_tables() -> None:
    """Make the tables of an empty SQLite, which is somebody's first command; refuse any other that lacks some.

    Tables that hold something are brought up to date by `migrate` or the service, when their owner chooses to.
    """
    try:
        if is_up_to_date(connection):
            return
        is_new = connection.vendor == "sqlite" and not connection.introspection.table_names()
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    if not is_new:
        raise CommandError(f"The database is not up to date: {settings.MANAGE_COMMAND} migrate comes first.")
    call_command("migrate", interactive=False, verbosity=0)


class TablesCommand(BaseCommand):
    """A command that needs the tables."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run it once the tables are there."""
        require_tables()
        return super().execute(*args, **options)
