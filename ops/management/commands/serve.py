"""Run the whole service on one machine: web, worker, scheduler and, unless BROKER_URL names another, the broker."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import io
import os
import socket
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
from celery import current_app
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connections
from django.utils import timezone
from granian.constants import SSLProtocols

from core import disk
from core.models import User
from core.tables import bring_up_to_date
from ops import broker, metrics, start, web
from ops.certificates import Certificate, own_certificate
from ops.console import Console
from ops.files import OWNER_ONLY, make_private
from ops.supervisor import Supervisor
from tournaments.links import way_to_password
from tournaments.services import first_start

SHARED = (
    web.APPLICATION.partition(":")[0],
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.worker.consumer",
    "kombu.transport.redis",
)
OVERHEARD = (
    "",
    "Without encryption: on this Wi-Fi anybody near can read passwords and the links of players.",
    "Organisers log in on this machine only, at the address below, which never leaves it.",
    f"{start.SERVE} --lan --https encrypts; each phone then shows a warning once, which somebody has to accept.",
    "",
)
WARNED = (
    "",
    "Encrypted with a certificate of our own. Each phone warns once that it does not know who made it: choose",
    "“Advanced” and go on (Safari: “Show details”, “visit this website”). It is ours if its SHA-256 fingerprint is",
)


class Command(BaseCommand):
    """Migrate, then supervise the processes until Ctrl-C."""

    help = "Run web, worker, scheduler and broker together until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address, and what not to do."""
        parser.add_argument(
            "--bind", metavar="HOST:PORT", default="127.0.0.1:8000", help="where to listen (%(default)s)"
        )
        parser.add_argument("--qr", action="store_true", help="show the address as a QR code too")
        parser.add_argument("--https", action="store_true", help="encrypt with a certificate of our own")
        parser.add_argument("--no-migrate", action="store_true", help="leave the database's tables as they are")

    def handle(self, *, bind: str, qr: bool, https: bool, no_migrate: bool, **_options: Any) -> None:
        """Serve."""
        try:
            listener = web.listen(bind)
        except start.SetupError as error:
            raise CommandError(str(error)) from error
        os.umask(OWNER_ONLY)  # every child inherits it
        self.console = Console(sys.stdout or Path(os.devnull).open("w"))  # noqa: SIM115 (it stays open)
        with claimed(settings.DATA_DIR):
            check_database()
            prepare_places(settings.DATA_DIR)
            url = settings.PUBLIC_URL or f"{'https' if https else 'http'}://{bind}"
            address, port = urlsplit(url).hostname or "localhost", listener.getsockname()[1]
            with start_troubles_told():
                if not no_migrate:
                    bring_up_to_date(self.console.file, self.say)
                certificate = certificate_for(address) if https else None
                greeting = self.greeting(url, port=port, qr=qr, certificate=certificate)
            warnings.simplefilter("ignore")  # they are for developers, who meet them in the tests
            load_everything()
            release_database()
            gc.freeze()  # what is shared with the children stays shared
            processes = all_processes(listener, certificate)
            webs = web.names(settings.WEB_PROCESSES)
            supervisor = Supervisor(processes, self.say, keep=dict.fromkeys(webs, (listener.fileno(),)))
            waiting = [greeting]

            def greet_once() -> None:
                self.console.flush()
                if waiting and supervisor.is_ready(webs[0]):
                    self.say(waiting.pop())

            supervisor.run(greet_once, at_stop=listener.close)
            broker.remove_socket(settings.DATA_DIR)
            metrics.forget(settings.DATA_DIR)
            settle_database()
            self.console.close()

    def say(self, text: str) -> None:
        """Write a line, without waiting for whoever reads it."""
        self.console.write(text)

    def greeting(self, url: str, *, port: int, qr: bool, certificate: Certificate | None) -> str:
        """Return what to tell once the service answers."""
        lines = ["", f"Ludoscore is ready at {url}/ (Ctrl-C stops it)"]
        is_overheard = qr and urlsplit(url).scheme == "http"
        place = f"http://127.0.0.1:{port}" if is_overheard else url
        if qr:
            drawing = io.StringIO()
            segno.make(url).terminal(drawing, compact=True)
            lines += ["", drawing.getvalue()]
        if is_overheard:
            lines += OVERHEARD
        if certificate:
            lines += [*WARNED, f"  {certificate.fingerprint}", ""]
        lines += [*self.first_steps(place), f"Log in with an e-mail address and a password at {place}/login/", ""]
        return "\n".join(lines)

    def first_steps(self, url: str) -> Iterator[str]:
        """Say what to do while nobody has a password; links that open an account are for a terminal, not for a log."""
        if code := first_start.show_code():
            yield f"Nobody can log in yet. This makes your club and you as its owner: {url}/start/?code={code}"
            yield f"The code {code} works once, until the service is started again. It is good for whoever reads it."
            yield f'Without a browser: {start.MANAGE} create_club "NAME" --owner EMAIL'
        elif not User.objects.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).exists():
            origin = url if self.stdout.isatty() else ""
            for user in User.objects.filter(is_active=True):
                yield f"{user.email} can set a password: {way_to_password(user, origin)}"


def all_processes(listener: socket.socket, certificate: Certificate | None) -> dict[str, Callable[[], object]]:
    """Return what every process runs, in the order in which they start; with a certificate, HTTPS alone."""
    tls: dict[str, Any] = {}
    if certificate:  # its file holds the key too; the older protocol is for the phones that people have
        tls = {"ssl_cert": certificate.file, "ssl_key": certificate.file, "ssl_protocol_min": SSLProtocols.tls12}
    answer = partial(web.answer, listener, **tls)
    webs = dict.fromkeys(web.names(settings.WEB_PROCESSES), answer)
    children: dict[str, Callable[[], object]] = {"worker": run_worker, "beat": run_beat, **webs}
    if os.environ.get("BROKER_URL"):
        return children
    command = broker.server_command(broker.embedded_socket(settings.DATA_DIR))
    return {"broker": partial(os.execv, command[0], command), **children}


def prepare_places(data: Path) -> None:
    """Make the places of the broker's socket and of the counts; refuse to start without the first."""
    try:
        broker.prepared_socket(data)
    except PermissionError as error:
        raise CommandError(f"{error}: start as that user, or let LUDOSCORE_DATA name another folder.") from error
    except OSError as error:
        why = f"{error.filename}: {error.strerror}"
        raise CommandError(
            f"The broker's socket has no place: {why}. Let LUDOSCORE_DATA name a folder whose path is shorter."
        ) from error
    metrics.start_anew(data)


@contextlib.contextmanager
def start_troubles_told() -> Iterator[None]:
    """Say in a sentence where the disk is the cause that the service cannot start.

    On one that is full to the last byte SQLite cannot even open its file: it makes others beside it.
    """
    try:
        yield
    except DatabaseError as error:
        if (trouble := disk.trouble_of(error)) is None:
            raise
        what, file = trouble.remedy.partition(". ")[0], connections["default"].settings_dict["NAME"]
        raise CommandError(f"{what}: the service cannot start with {file} ({error}).") from error


def certificate_for(address: str) -> Certificate:
    """Return the certificate for an address, or refuse to start where a new one cannot be written."""
    try:
        return own_certificate(settings.DATA_DIR, address, timezone.now())
    except OSError as error:
        raise CommandError(f"The certificate cannot be written: {error.filename}: {error.strerror}.") from error


def load_everything() -> None:
    """Import what the processes need before they are made, so that they share the memory that it takes."""
    for name in SHARED:
        importlib.import_module(name)
    current_app.loader.import_default_modules()
    current_app.finalize()


def run_worker() -> None:
    """Work off the jobs, with threads to spare for what is computed while two wait for slow receivers of messages."""
    options = "--quiet worker --pool threads --concurrency 4"
    sys.exit(current_app.start(options.split()))


def run_beat() -> None:
    """Send the scheduled jobs."""
    sys.exit(current_app.start(["--quiet", "beat", "--pidfile="]))


def release_database() -> None:
    """Close every connection, and end the threads of their pools: a process that forks must have none."""
    for connection in connections.all():
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def settle_database() -> None:
    """Bring a SQLite's log into its file, once nobody else has it open: a copy of that one file then is everything."""
    if connections["default"].vendor == "sqlite":
        with contextlib.suppress(DatabaseError):  # a disk that is full keeps the log, which holds everything too
            connections["default"].ensure_connection()
            release_database()


def check_database() -> None:
    """Refuse to start on a SQLite file with a damaged page, before anything more is written into it."""
    file = Path(str(connections["default"].settings_dict["NAME"]))
    if connections["default"].vendor != "sqlite" or not file.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=20)) as opened:
            found = opened.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if disk.trouble_of(error) is not disk.DAMAGED:
            return  # whoever asks for something is told
        found = str(error)
    if found != "ok":
        raise CommandError(
            f"{file} is damaged ({found.splitlines()[-1]}). {start.MANAGE} restore BACKUP --overwrite puts a backup"
            " in its place, and keeps the damaged file beside."
        )


@contextlib.contextmanager
def claimed(data: Path) -> Iterator[None]:
    """Hold the data folder: one broker and one scheduler belong to it. The kernel lets go when this process ends."""
    make_private(data)
    folder = os.open(data, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(f"Ludoscore is already running with the data folder {data}.") from error
        yield
    finally:
        os.close(folder)
