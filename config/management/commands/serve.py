"""Run the whole service on one machine: web, worker and, unless BROKER_URL names another, the broker."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gc
import http.client
import io
import multiprocessing
import os
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from config import broker
from config.celery import app as celery
from config.supervisor import Supervisor
from core.models import User
from tournaments.links import way_to_password

THREADS = 8  # of the web process; each may hold a database connection


class Command(BaseCommand):
    """Migrate, then supervise the processes until Ctrl-C."""

    help = "Run web, worker and broker together until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address, and what not to do."""
        parser.add_argument(
            "--bind", metavar="HOST:PORT", default="127.0.0.1:8000", help="where to listen (%(default)s)"
        )
        parser.add_argument("--qr", action="store_true", help="show the address as a QR code too")
        parser.add_argument("--no-migrate", action="store_true", help="leave the database's tables as they are")

    def handle(self, *, bind: str, qr: bool, no_migrate: bool, **_options: Any) -> None:
        """Serve."""
        host, _, port = bind.rpartition(":")
        host = host.strip("[]")
        check_address(host, int(port))
        with claimed(settings.DATA_DIR):
            if not no_migrate:
                self.migrate()
            greeting = self.greeting(settings.PUBLIC_URL or f"http://{bind}", qr=qr)
            release_database()
            warnings.simplefilter("ignore")  # they are for developers, who meet them in the tests
            gc.freeze()  # what is shared with the children stays shared
            supervisor = Supervisor(processes(host, int(port)), self.say)
            waiting = [greeting]

            def greet_once() -> None:
                if waiting and is_healthy(host, int(port)):
                    self.say(waiting.pop())

            supervisor.run(greet_once)
            broker.remove_socket(settings.DATA_DIR)

    def migrate(self) -> None:
        """Bring the database's tables up to date, if they are not."""
        executor = MigrationExecutor(connections["default"])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.say("Bringing the database up to date …")
            call_command("migrate", interactive=False, verbosity=0)

    def say(self, text: str) -> None:
        """Write a line at once."""
        self.stdout.write(text)
        self.stdout.flush()

    def greeting(self, url: str, *, qr: bool) -> str:
        """Return what to tell once the service answers."""
        lines = ["", f"Ludoscore is ready at {url}/ (Ctrl-C stops it)"]
        if qr:
            drawing = io.StringIO()
            segno.make(url).terminal(drawing, compact=True)
            lines += ["", drawing.getvalue()]
        lines += [*self.first_steps(url), f"Log in with an e-mail address and a password at {url}/login/", ""]
        return "\n".join(lines)

    def first_steps(self, url: str) -> Iterator[str]:
        """Say what to do while nobody has a password; links that open an account are for a terminal, not for a log."""
        if not User.objects.exists():
            yield 'Nobody can log in yet: ./run manage create_club "NAME" --owner EMAIL makes a club and its owner.'
        elif not User.objects.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).exists():
            origin = url if self.stdout.isatty() else ""
            for user in User.objects.filter(is_active=True):
                yield f"{user.email} can set a password: {way_to_password(user, origin)}"


def processes(host: str, port: int) -> dict[str, Callable[[], object]]:
    """Return what every process runs, in the order in which they start."""
    children: dict[str, Callable[[], object]] = {"worker": run_worker, "web": partial(run_web, host, port)}
    if os.environ.get("BROKER_URL"):
        return children
    command = broker.server_command(broker.prepared_socket(settings.DATA_DIR))
    return {"broker": partial(os.execv, command[0], command), **children}


def run_worker() -> None:
    """Work off the jobs, and send the scheduled ones."""
    options = "--quiet worker --pool threads --concurrency 2 --beat"
    options += " --without-gossip --without-mingle --without-heartbeat"
    sys.exit(celery.start([*options.split(), "--schedule", f"{settings.DATA_DIR}/celerybeat-schedule"]))


def run_web(host: str, port: int) -> None:
    """Answer requests."""
    multiprocessing.set_start_method("fork", force=True)  # so that its worker shares what is imported here
    Granian(
        "config.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        websockets=False,
        blocking_threads=THREADS,
        log_level=LogLevels.error,
    ).serve()


def release_database() -> None:
    """Close every connection, and end the threads of their pools: a process that forks must have none."""
    for connection in connections.all():
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def check_address(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, before anything starts."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        reason = "the port is taken" if error.errno == errno.EADDRINUSE else error.strerror
        raise CommandError(f"Cannot listen on {host}:{port}: {reason}. Choose another address with --bind.") from error


@contextlib.contextmanager
def claimed(data: Path) -> Iterator[None]:
    """Hold the data folder: one broker and one schedule belong to it. The kernel lets go when this process ends."""
    data.mkdir(parents=True, exist_ok=True)
    folder = os.open(data, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(f"Ludoscore is already running with the data folder {data}.") from error
        yield
    finally:
        os.close(folder)


def is_healthy(host: str, port: int) -> bool:
    """Tell whether the web process answers."""
    loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (an address to recognise)
    connection = http.client.HTTPConnection(loopback.get(host, host), port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
