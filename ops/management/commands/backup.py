"""Write everything into one file while the service runs: `manage.py backup FILE`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from ops.backups import DumpError, dump, is_empty


class Command(BaseCommand):
    """Back the database up."""

    help = "Write the whole database into a new file. The service may go on meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path, help="the file to make")

    def handle(self, *, file: Path, **_options: Any) -> None:
        """Make the file, whole or not at all."""
        signal.signal(signal.SIGTERM, _end)
        try:
            if file.exists():
                raise CommandError(f"{file} exists already. Choose another name.")
            # Tables of an older version are fine: a backup comes before an update.
            if is_empty(connection):
                raise CommandError("The database is empty: there is nothing to back up yet.")
            dump(connection, file)
        except DumpError as error:
            raise CommandError(str(error)) from error
        except OSError as error:  # as of a name that no file can have
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes. Keep the secret key too, but not beside it.")


def _end(number: int, _frame: FrameType | None) -> None:
    """End as an error does, so that no draft is left behind."""
    sys.exit(128 + number)
