"""Bring back what a backup holds: `manage.py restore FILE`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from core.tables import alone
from ops import start
from ops.backups import NOT_EMPTY, DumpError, check, is_empty, kind_of, load
from ops.management.commands.serve import claimed, release_database


class Command(BaseCommand):
    """Restore the database from a backup."""

    help = "Fill the database from a backup. Stop the service first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file, and whether existing data may be overwritten."""
        parser.add_argument("file", type=Path, help="a file that `backup` made")
        parser.add_argument("--overwrite", action="store_true", help="replace what the database holds now")

    def handle(self, *, file: Path, overwrite: bool, **_options: Any) -> None:
        """Restore, whole or not at all."""
        try:
            self.refuse_other_kind(file)
            with alone_with_database():
                if not is_empty(connection) and not overwrite:
                    raise CommandError(NOT_EMPTY)
                release_database()
                if not (is_sealed := check(connection, file)):
                    self.stdout.write(f"{file} carries no checksum, as older backups do: small damage may go unseen.")
                keep_in = settings.DATA_DIR if overwrite else None
                kept = load(connection, file, is_sealed=is_sealed, keep_in=keep_in)
        except DumpError as error:
            raise CommandError(str(error)) from error
        if kept:
            self.stdout.write(f"What the database held before is kept in {kept}.")
        self.stdout.write(f"Restored. {start.MANAGE} migrate brings a backup of an older version up to date.")

    def refuse_other_kind(self, file: Path) -> None:
        """Refuse a backup of another kind of database."""
        if kind_of(file) != connection.vendor:
            raise CommandError(
                f"{file} is a backup of {kind_of(file)}, and DATABASE_URL leads to {connection.vendor}."
                " Restore it where it came from, then use move_to."
            )


@contextlib.contextmanager
def alone_with_database() -> Iterator[None]:
    """Refuse to run beside a service that has a SQLite open, and let first commands, which make its tables, wait."""
    if connection.vendor != "sqlite":
        yield
        return
    with claimed(settings.DATA_DIR), alone(connection):
        yield
