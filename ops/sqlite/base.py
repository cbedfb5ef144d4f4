"""SQLite as Django has it, except that it makes no file in place of one that was moved away."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

_opened: set[Path] = set()  # by this process, or by the one that it was forked from


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """Open the file; make it only where it never was."""
        file = Path(os.path.realpath(str(conn_params["database"])))  # beside which SQLite keeps its log
        place = address(file, is_known=file in _opened)
        made: sqlite3.Connection = super().get_new_connection(conn_params | {"database": place})
        _opened.add(file)
        return made


def address(file: Path, *, is_known: bool = False) -> str:
    """Return how SQLite is to open a file: it may make one only where there is neither a file nor the log of one.

    Beside a new file it would throw that log away, and with it what was stored last in a file that comes back.
    """
    file = Path(os.path.realpath(file))
    log = file.with_name(f"{file.name}-wal")
    is_known = is_known or os.access(file, os.F_OK) or os.access(log, os.F_OK)
    return f"{file.absolute().as_uri()}?mode={'rw' if is_known else 'rwc'}"
