"""Run the whole service on one machine: web, worker and, unless BROKER_URL names another, the broker."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import http.client
import io
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import broker
from config.supervisor import Supervisor

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
                call_command("migrate", interactive=False, verbosity=0)
            greeting = self.greeting(settings.PUBLIC_URL or f"http://{bind}", qr=qr)
            connections.close_all()
            supervisor = Supervisor(commands(host, port), self.say)
            waiting = [greeting]

            def greet_once() -> None:
                if waiting and is_healthy(host, int(port)):
                    self.say(waiting.pop())

            supervisor.run(greet_once)

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
        if not get_user_model().objects.exists():
            lines.append("Nobody can log in yet: ./run manage createsuperuser makes the first account.")
        lines += [f"Log in with an e-mail address and a password at {url}/admin/", ""]
        return "\n".join(lines)


def commands(host: str, port: str) -> dict[str, list[str]]:
    """Return the command of every process, in the order in which they start."""
    data = settings.DATA_DIR
    # Warnings are for developers, who meet them in the tests.
    python = [sys.executable, "-W", "ignore", "-m"]
    web = f"granian --interface wsgi --no-ws --workers 1 --blocking-threads {THREADS} --log-level error"
    worker = "celery --quiet --app config.celery worker --pool threads --concurrency 2 --beat"
    worker += " --without-gossip --without-mingle --without-heartbeat"
    processes = {
        "worker": [*python, *worker.split(), "--schedule", f"{data}/celerybeat-schedule"],
        "web": [*python, *web.split(), "--host", host, "--port", port, "config.wsgi:application"],
    }
    if os.environ.get("BROKER_URL"):
        return processes
    return {"broker": broker.server_command(broker.prepared_socket(data)), **processes}


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
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise CommandError(f"Ludoscore is already running with the data folder {data}.") from error
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
