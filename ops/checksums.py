"""A checksum at the end of a file: it tells whether the file is still what it was.

Both SQLite and pg_restore leave alone what comes after their own data, so the file stays one that they can read.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

# A changed byte can hit one of the two marks only, so the other still tells that there was a checksum.
BEGIN, END = b"\nLudoscore backup, sha256 ", b"\nend of backup\n"
LENGTH = len(BEGIN) + 2 * hashlib.sha256().digest_size + len(END)
CHUNK = 1 << 20


def append_checksum(file: Path) -> None:
    """Write the checksum of a file at its end, and wait until the disk has all of it."""
    line = _line(file, file.stat().st_size)
    with file.open("ab") as opened:
        opened.write(line)
        opened.flush()
        os.fsync(opened.fileno())


def matches_checksum(file: Path) -> bool | None:
    """Tell whether a file is what its checksum says; None where it carries none."""
    whole = file.stat().st_size
    # Farther back than the line is long: where the file was cut short or something was added, it is not in its place.
    size, tail = max(whole - LENGTH, 0), max(whole - 2 * LENGTH, 0)
    with file.open("rb") as opened:
        opened.seek(tail)
        last = opened.read()
    if BEGIN not in last and not last.endswith(END):
        return None
    return last[size - tail :] == _line(file, size)


def _line(file: Path, size: int) -> bytes:
    """Return what stands at the end of a file whose data has this size."""
    found = hashlib.sha256()
    with file.open("rb") as opened:
        while size > 0 and (chunk := opened.read(min(size, CHUNK))):
            found.update(chunk)
            size -= len(chunk)
    return BEGIN + found.hexdigest().encode() + END
