"""What the service keeps is for its owner alone."""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o077  # the umask under which new files are 0600 and new folders 0700
MEMORY = Path("/dev/shm")  # noqa: S108 (what lies there is in a folder of ours alone)
OURS = ("*.sqlite3*", "secret-key*", "*.pem", "*.log")


def make_private(data: Path) -> None:
    """Make the data folder, or close an existing one, and the files of ours in it, to everybody but their owner."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A folder that many share, such as /tmp, is not ours to close, nor is what belongs to somebody else.
    if not data.stat().st_mode & stat.S_ISVTX:
        _narrow(data, 0o700)
    for pattern in OURS:
        for file in data.glob(pattern):
            if file.is_file() and not file.is_symlink():
                _narrow(file, 0o600)


def _narrow(path: Path, mode: int) -> None:
    found = path.stat()
    if found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) != mode:
        path.chmod(mode)


def place_elsewhere(base: Path, data: Path) -> Path:
    """Return the path of a folder that belongs to a data folder and lies in one that many share."""
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return base / f"ludoscore-{os.getuid()}-{digest}"


def counts_folder(data: Path) -> Path:
    """Return where the web processes add up what they count.

    They map its files into their memory, and a process that writes to such a page is killed where the disk has no room
    for it: so not on the disk, where there is another place.
    """
    return place_elsewhere(MEMORY, data) if os.access(MEMORY, os.W_OK | os.X_OK) else data / "metrics"


def make_elsewhere(folder: Path) -> None:
    """Make such a folder, for us alone; refuse one that somebody else was quick to put there."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    if folder.is_symlink() or not folder.is_dir():
        raise PermissionError(f"{folder} is no folder of ours")
    refuse_foreign(folder)
    folder.chmod(0o700)


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder of somebody else, who could put anything there."""
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")


def sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder: a power cut may take what is new or renamed."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
