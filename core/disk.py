"""What keeps a database from being written or read, told apart: a full disk, a read-only one, a damaged file.

A file of another user, which cannot even be opened, is one more.
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

logger = logging.getLogger(__name__)

REMEMBERED = 30.0  # seconds after which a trouble that was not met again is over
REPEATED = 10.0  # seconds between two log lines about the same


@dataclass(frozen=True)
class Trouble:
    """A state of the disk or of the file: what the caller is told, and what the log says to do."""

    code: str
    status: int
    detail: str | Promise
    remedy: str


FULL = Trouble(
    "disk-full",
    507,
    _("The disk of this service is full: nothing can be saved until its operator makes room. Try again then."),
    "The disk is full. Make room on it: everything goes on by itself, without a restart.",
)
READ_ONLY = Trouble(
    "database-read-only",
    503,
    _("The database of this service can be read and not written: nothing can be saved now. Tell its operator."),
    "The database cannot be written. Mend the rights of its file and folder, or the disk that was mounted read-only.",
)
DAMAGED = Trouble(
    "database-damaged",
    503,
    _("The database of this service is damaged. Tell its operator: a backup has to be restored."),
    "The database is damaged. Stop the service, keep a copy of the file, and restore the last backup.",
)
FAILING = Trouble(
    "disk-failing",
    503,
    _("The disk of this service answers with errors. Tell its operator."),
    "The disk answers with errors. Make a backup elsewhere now, then look at the disk.",
)
CLOSED = Trouble(
    "database-closed",
    503,
    _("The database of this service cannot be opened. Tell its operator."),
    "The database cannot be opened. Put its file back if it was moved, or give file and folder to the service's user.",
)
ALL = (DAMAGED, FULL, CLOSED, READ_ONLY, FAILING)  # the worst first

# SQLite's primary result codes, and PostgreSQL's states.
SQLITE = {8: READ_ONLY, 10: FAILING, 11: DAMAGED, 13: FULL, 14: CLOSED, 26: DAMAGED}
POSTGRESQL = {"53100": FULL, "25006": READ_ONLY, "58030": FAILING, "XX001": DAMAGED, "XX002": DAMAGED}

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
PROBE = 65_536  # bytes: some pages of a database

_met: dict[str, float] = {}  # when this process met a trouble last
_told: dict[str, float] = {}  # when it last said so


def trouble_of(error: BaseException | None) -> Trouble | None:
    """Return what an error of the database says about its disk; None where it has another cause."""
    for each in _causes(error):
        if (code := getattr(each, "sqlite_errorcode", None)) is not None:
            found = SQLITE.get(code & 0xFF)
            # Where there is no room for what it makes beside its file, SQLite speaks of the disk or of the file.
            return FULL if found in {FAILING, CLOSED} and _is_full() else found
        if state := getattr(each, "sqlstate", None):
            return POSTGRESQL.get(state)
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_full() -> bool:
    """Say whether the folder of the database takes no more, from anybody or from us: SQLite knows of no quota."""
    folder = Path(str(connection.settings_dict["NAME"])).parent
    try:
        if os.statvfs(folder).f_bavail == 0:
            return True
        with TemporaryFile(dir=folder) as file:
            return os.write(file.fileno(), bytes(PROBE)) < PROBE
    except OSError as error:
        return error.errno in NO_ROOM


def note(error: BaseException | None) -> Trouble | None:
    """Return the trouble behind an error, remember it for `/readyz`, and say on the console what to do."""
    trouble = trouble_of(error)
    if trouble is not None:
        now = time.monotonic()
        _met[trouble.code] = now
        if now - _told.get(trouble.code, -REPEATED) >= REPEATED:
            _told[trouble.code] = now
            logger.error("%s (%s)", trouble.remedy, error)
    return trouble


def present() -> Trouble | None:
    """Return the worst trouble that this process met lately; a damaged file stays one until a restart."""
    now = time.monotonic()
    for trouble in ALL:
        met = _met.get(trouble.code)
        if met is not None and (trouble is DAMAGED or now - met < REMEMBERED):
            return trouble
    return None


def forget() -> None:
    """Forget what writing has shown to be over; only reading every page would show that a file is whole again."""
    for trouble in ALL:
        if trouble is not DAMAGED:
            _met.pop(trouble.code, None)
