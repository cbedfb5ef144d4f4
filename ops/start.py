"""Start the service: where it listens, where it keeps its data, and what a first start needs.

Standard library alone, here and in `ops.files`: `./run` reads them before any package is installed.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import fcntl
import io
import ipaddress
import json
import os
import secrets
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from ops.files import sync

Command = list[str]

ROOT = Path(__file__).resolve().parent.parent
_INSTALLED = ROOT / "ludoscore"  # where a wheel has them, so that nobody else's `docs` or `static` lies there too
FILES = _INSTALLED if _INSTALLED.is_dir() else ROOT  # the folder of docs, locale, static and templates
# What people type here, for messages that tell them to.
SERVE, MANAGE = ("./run", "./run manage") if FILES is ROOT else ("ludoscore serve", "ludoscore manage")


class SetupError(Exception):
    """A reason to stop that one sentence explains."""


def mend_process() -> None:
    """Give this process, and what it becomes, what everything takes for granted and an odd parent may take away.

    Without three open files the first ones to be opened would get their numbers, a socket among them. While SIGCHLD is
    ignored nobody learns how a child ended. Whoever reads a pipe may be gone before what is written there is.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    sys.stdout = sys.stdout and _outliving_readers(sys.stdout)
    sys.stderr = sys.stderr and _outliving_readers(sys.stderr)
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 (it stays open)


def _outliving_readers(stream: TextIO) -> TextIO:
    """Return a stream that writes to the same place whatever the text, and as long as anybody reads there."""
    if stream.isatty():
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="escaped")
        return stream
    stream.flush()
    raw = io.BufferedWriter(_Pipe(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(raw, encoding=stream.encoding, errors="escaped", line_buffering=True)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Return the letters that a stream does not know as JSON writes them, so that JSON stays JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error("escaped", _escaped)


class _Pipe(io.FileIO):
    """What is written to it goes nowhere once its reader is gone, so that a command comes to its end."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return super().write(data)


def serving(arguments: list[str], *, name: str, help_text: str) -> tuple[Command, dict[str, str], str]:
    """Read where to serve; return the management command for it, its environment, and the address people open."""
    parser = argparse.ArgumentParser(
        prog=name,
        usage=argparse.SUPPRESS,
        description=help_text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--bind", metavar="HOST:PORT", default="127.0.0.1:8000", help="where to listen (%(default)s)")
    parser.add_argument("--lan", action="store_true", help="listen on every address, for the phones in the room")
    parser.add_argument("--https", action="store_true", help="with --lan: encrypt, with a certificate of our own")
    options, unknown = parser.parse_known_args(arguments)
    if options.https and not options.lan:
        raise SetupError("--https goes with --lan: what stays on this machine needs no certificate.")
    if unknown:
        raise SetupError(f"Cannot make sense of `{' '.join(unknown)}`: {name} --help lists what there is.")
    host, port = parse_bind(options.bind)
    environment = os.environ.copy()
    if options.lan:
        address = lan_address()
        host = "0.0.0.0"  # noqa: S104 (what --lan asks for)
        scheme = "https" if options.https else "http"
        environment.setdefault("PUBLIC_URL", f"{scheme}://{address}:{port}")
    else:
        address = host
    environment["ALLOWED_HOSTS"] = allowed_hosts(address)
    command = ["serve", "--bind", f"{host}:{port}"]
    if options.lan:
        command.append("--qr")
    if options.https:
        command.append("--https")
        environment["OWN_CERTIFICATE"] = "True"
    return command, environment, environment.get("PUBLIC_URL") or f"http://{host}:{port}"


def fill_demo(manage: Command, url: str, environment: Mapping[str, str]) -> None:
    """Fill a demo for an address; `manage` is how management commands are run."""
    if subprocess.call([*manage, "demo", "--migrate", "--origin", url], env=environment, umask=file_mask()):
        raise SetupError("The demo could not be made.")


# --- Addresses --------------------------------------------------------------------------------------------------


def parse_bind(text: str) -> tuple[str, int]:
    """Split HOST:PORT, `[::1]:8000` or a bare port; an address of IPv6 gets the brackets that links need."""
    host, _, port = text.rpartition(":")
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    if not port.isdecimal() or not 0 < int(port) < 65536 or not _is_name(host):
        shown = os.fsencode(text).decode(errors="replace")
        raise SetupError(f"--bind wants HOST:PORT, such as 127.0.0.1:8000, and not {shown}.")
    return host or "127.0.0.1", int(port)


def _is_name(host: str) -> bool:
    """Tell whether a host can be looked up at all: not bytes that are no text, nor a name with an empty part.

    In brackets stands an address of IPv6 and nothing else, as in links.
    """
    try:
        host.encode("idna")
        if host.startswith("["):
            ipaddress.IPv6Address(host[1:].removesuffix("]"))
            return host.endswith("]")
    except ValueError:
        return False
    return "\0" not in host


def allowed_hosts(address: str) -> str:
    """Return the hosts that requests may name: those set already, or this machine, and the address."""
    known = os.environ.get("ALLOWED_HOSTS") or "localhost,127.0.0.1,[::1]"
    return f"{known},{address}"


def lan_address() -> str:
    """Return the address under which the phones in the room find this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with contextlib.suppress(OSError):
            probe.connect(("192.0.2.1", 9))  # sends nothing: it asks which way the packets would leave
            return str(probe.getsockname()[0])
        # A laptop that is itself the hotspot has no way out, and still an address.
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(probe, 0x8915, struct.pack("256s", os.fsencode(name)))  # SIOCGIFADDR
                if answer[20] != 127:
                    return socket.inet_ntoa(answer[20:24])
    raise SetupError("This machine has no network address: connect it to the room's network, then try --lan again.")


# --- Data -------------------------------------------------------------------------------------------------------


def usual_data_folder() -> Path:
    """Return where data goes unless LUDOSCORE_DATA names a folder: never beside installed packages."""
    if FILES is ROOT:
        return ROOT / "var"
    try:
        home = Path.home()
    except RuntimeError:  # a container's user that is only a number
        return Path("/var/lib/ludoscore")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "ludoscore"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "ludoscore"


def prepare_data(*, is_written: bool = True) -> None:
    """Create the data folder and, on the first start, the secret key in it.

    One that cannot be written is refused where the service is to run; a backup can still be made from it.
    """
    data = Path(os.environ.get("LUDOSCORE_DATA") or usual_data_folder()).absolute()
    shown = os.fsencode(data).decode(errors="replace")
    if shown != str(data):  # the addresses of database and broker could not name it
        raise SetupError(f"The name of the data folder {shown} is not UTF-8: LUDOSCORE_DATA names another.")
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = data.stat()
        # A folder that many share, such as /tmp, or that is somebody else's, is not ours to close.
        is_ours = found.st_uid == os.getuid() and not found.st_mode & stat.S_ISVTX
        if is_ours and stat.S_IMODE(found.st_mode) != 0o700:
            data.chmod(0o700)
        if is_written:
            with tempfile.TemporaryFile(dir=data):
                pass  # only a file tells whether one can be written there
        if not os.environ.get("SECRET_KEY"):
            _make_key(data / "secret-key")
    except OSError as error:
        raise SetupError(
            f"Cannot write to the data folder {data} ({error.strerror}): LUDOSCORE_DATA names another."
        ) from error


def read_key(key: Path) -> str:
    """Return the secret key that a file holds; nothing where there is none."""
    try:
        return key.read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise SetupError(
            f"The secret key {key} cannot be read ({error.strerror}): give the file to the user who starts Ludoscore."
        ) from error
    except UnicodeDecodeError as error:
        raise SetupError(
            f"The secret key {key} is damaged, as it is no text: put the one that you keep elsewhere in its place."
            " Without one, remove it: a new key is made then, logins end, and links and slips are printed anew."
        ) from error


def _make_key(key: Path) -> None:
    """Make the secret key, once and for all, and wait until the disk has it: printed slips depend on it."""
    if key.exists():
        if read_key(key):
            return
        key.unlink()  # what a power cut left of a key that was never used
    draft = key.with_name(f"{key.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    with draft.open("w") as opened:
        opened.write(secrets.token_urlsafe(50) + "\n")
        opened.flush()
        os.fsync(opened.fileno())
    with contextlib.suppress(FileExistsError):
        key.hardlink_to(draft)  # unlike a rename, it never replaces the key of another first start
    draft.unlink()
    sync(key.parent)


def file_mask() -> int:
    """Return the umask for what management commands write: for the owner alone, where the database is a file.

    In a deployment on PostgreSQL the user who runs the service reads what an administrator compiled and collected.
    """
    usual = os.umask(0o077)
    os.umask(usual)
    return usual if os.environ.get("DATABASE_URL", "").startswith("postgres") else usual | 0o077
