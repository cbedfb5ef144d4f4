"""Where the embedded Valkey listens, known to everything that runs on the same data folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

LONGEST_SOCKET_PATH = 100  # the kernel takes 107 bytes


def embedded_socket(data: Path) -> Path:
    """Return the socket's path: in the data folder, or in the temporary one where that path is too long."""
    socket = data / "broker.sock"
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        return socket
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"ludoscore-{os.getuid()}-{digest}" / "broker.sock"


def embedded_url(data: Path) -> str:
    """Return the address of the embedded broker as Celery wants it."""
    return f"redis+socket://{embedded_socket(data)}"
