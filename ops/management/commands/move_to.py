"""Move from the embedded SQLite to PostgreSQL: `manage.py move_to DATABASE_URL`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from ops.management.commands.serve import claimed
from ops.sqlite_to_postgres import MoveError, move, open_target, prepare_target


class Command(BaseCommand):
    """Move everything to an empty PostgreSQL database."""

    help = "Copy everything from the embedded SQLite to an empty PostgreSQL database. Stop the service first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address."""
        parser.add_argument("database_url", help="postgres://USER:PASSWORD@HOST:PORT/NAME")

    def handle(self, *, database_url: str, **_options: Any) -> None:
        """Move, and say table by table what arrived; whole or not at all."""
        try:
            with claimed(settings.DATA_DIR):
                open_target(database_url)
                prepare_target()
                rows = 0
                for moved in move():
                    rows += moved.rows
                    self.stdout.write(f"{moved.rows:>12,}  {moved.table}")
                    self.stdout.flush()
        except MoveError as error:
            raise CommandError(f"Nothing was moved. {error}") from error
        except DatabaseError as error:
            raise CommandError(f"Nothing was moved. The database says: {error}") from error
        self.stdout.write(f"{rows:>12,}  rows in all, and every table is the same on both sides.")
        self.stdout.write("Set DATABASE_URL to the new address and keep SECRET_KEY: links and logins stay valid.")
