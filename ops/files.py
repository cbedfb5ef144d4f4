"""What the service keeps is for its owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OWNER_ONLY = 0o077  # the umask under which new files are 0600 and new folders 0700
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
