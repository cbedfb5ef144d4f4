"""A test stand: the service as a deployment runs it, in processes that can be killed, paused and started again.

It has a PostgreSQL (or a SQLite file), a Valkey, a web server with two workers, a Celery worker and the scheduler, all
its own, in a folder of its own. Everything ends with the process that made it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from tests.launcher import Process, Started
from tests.ops.test_serve import children, free_port, title
from tests.services import postgres_url, start_postgres, start_valkey, valkey_url

PATIENCE = 60.0  # seconds on a machine busy with other tests
RIG = "tests.faults.rig"
CELERY = f"celery --quiet --skip-checks --app {RIG}:app"  # checks would load pages and API, a third of the start
WORKER = "--concurrency 2"
UNBUFFERED_WEB = (
    "--interface wsgi --no-ws --workers 1 --blocking-threads 8 --workers-kill-timeout 5 --respawn-interval 0.5"
)

Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found], seconds: float = PATIENCE) -> Found:
    """Wait until something is true, and return it."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s in vain")
        time.sleep(0.02)
    return found


class Stand:
    """The whole service. `lease`, `sweep` and `grace` shorten waits whose length changes nothing but time.

    `disk` puts SQLite on a disk that can fail (`sqlite_disk.py`), synchronous as it says.
    """

    def __init__(
        self,
        database: str = "postgresql",
        *,
        lease: float = 30,
        sweep: float = 10,
        beat: float = 20,
        grace: float = 5,
        disk: str = "",
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ludoscore-faults-"))
        self.database = database
        self.port = free_port()
        is_sqlite = database == "sqlite"
        self.environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{self.folder / 'faults.sqlite3'}" if is_sqlite else postgres_url(self.folder),
            "BROKER_URL": valkey_url(self.folder),
            "LUDOSCORE_DATA": str(self.folder),
            "EMAIL_HOST": "mail.invalid",  # mails go into a folder (see `rig`)
            "WEBHOOKS_ALLOW_PRIVATE": "True",  # a receiver of a test is on this machine
            "FAULTS_FOLDER": str(self.folder),
            "FAULTS_LEASE": str(lease),
            "FAULTS_SWEEP": str(sweep),
            "FAULTS_BEAT": str(beat),
            "FAULTS_DISK": disk,
            "FAULTS_GRACE": str(grace),
        }
        self.parts = (
            ("broker", "web", "worker", "beat") if is_sqlite else ("postgres", "broker", "web", "worker", "beat")
        )
        self.running: dict[str, Process] = {}

    # --- Processes ----------------------------------------------------------------------------------------------

    def start(self, *names: str) -> None:
        """Start processes: `postgres`, `broker`, `web`, `worker`, `beat`."""
        for name in names:
            starter: Callable[[], Process] = getattr(self, f"_start_{name}")
            self.running[name] = starter()

    def _start_postgres(self) -> Process:
        (self.folder / "postgres" / "data" / "postmaster.pid").unlink(missing_ok=True)  # of one that was killed
        return start_postgres(self.folder)

    def _start_broker(self) -> Process:
        (self.folder / "valkey.sock").unlink(missing_ok=True)
        return start_valkey(self.folder)

    def _start_web(self) -> Process:
        workers = 1 if self.database == "sqlite" else 2
        options = f"--workers {workers} --bind 127.0.0.1:{self.port} --application {RIG}:front"
        web = self.spawn("web", f"ops.web {options}")
        wait_for(lambda: web.poll() is not None or self.is_answering())
        return web

    @contextlib.contextmanager
    def unbuffered(self) -> Iterator[int]:
        """Run a second web server as this service had it before: a thread for every request, its body included."""
        port = free_port()
        options = f"{UNBUFFERED_WEB} --host 127.0.0.1 --port {port}"
        self.running["unbuffered"] = self.spawn("unbuffered", f"granian {options} {RIG}:application")
        try:
            wait_for(lambda: self.is_answering(port))
            yield port
        finally:
            self.kill("unbuffered")

    def _start_worker(self) -> Process:
        return self.spawn("worker", f"{CELERY} worker {WORKER}")

    def _start_beat(self) -> Process:
        return self.spawn("beat", f"{CELERY} beat --pidfile=")

    def spawn(self, name: str, command: str) -> Process:
        """Start a module of Python."""
        return Started("-m", *command.split(), environment=self.environment, log=self.folder / f"{name}.log")

    def kill(self, name: str) -> None:
        """End a process and all below it at once, as a power cut does."""
        process = self.running.pop(name)
        if name in {"postgres", "broker"}:
            process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)

    def stop(self, name: str, signum: int = signal.SIGTERM) -> None:
        """Ask a process to end, and wait until it has."""
        process = self.running.pop(name)
        process.send_signal(signum)
        process.wait(PATIENCE)

    def heal(self) -> None:
        """Start whatever a test left dead."""
        for name, process in list(self.running.items()):
            if process.poll() is not None:
                del self.running[name]
        self.start(*(name for name in self.parts if name not in self.running))

    def restart_postgres(self) -> None:
        """Restart PostgreSQL as an administrator does: sessions are cut, nothing that was committed is lost."""
        self.stop("postgres", signal.SIGINT)
        self.start("postgres")

    def kill_web_worker(self) -> None:
        """Kill one of the processes that answer requests; the server starts another."""
        os.kill(max(self.web_workers()), signal.SIGKILL)

    def web_workers(self) -> list[int]:
        """Return the ids of the processes that answer requests."""
        return [pid for pid in children(self.running["web"].pid) if title(pid)]

    def close(self) -> None:
        """End everything, and remove every trace."""
        for name in ("beat", "worker", "web", "broker"):
            if name in self.running:
                self.running[name].send_signal(signal.SIGCONT)
                self.kill(name)
        if "postgres" in self.running:
            self.stop("postgres", signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self, name: str) -> str:
        """Return what a process wrote."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def is_answering(self, port: int | None = None) -> bool:
        """Tell whether the web server, or the one at another port, takes requests."""
        from tests.faults.phones import call  # it needs Django's settings, which this module must not

        return call(port or self.port, "GET", "/healthz").status == 200

    # --- Injections ---------------------------------------------------------------------------------------------

    def arm(self, name: str, text: str = "") -> None:
        """Have a fault of `rig` strike."""
        (self.folder / name).write_text(text)

    def disarm(self, name: str) -> None:
        """Have it strike no more."""
        (self.folder / name).unlink(missing_ok=True)

    def struck(self, name: str) -> int:
        """Return how often a fault of `rig` has struck."""
        marks = self.folder / f"{name}.struck"
        return len(marks.read_text()) if marks.exists() else 0

    # --- The test's own access ----------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Start everything, with a database that has all its tables."""
        if self.database != "sqlite":
            self.start("postgres")
            server = self.environment["DATABASE_URL"].removesuffix("/ludoscore") + "/postgres"
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute("CREATE DATABASE ludoscore")
        self.start("broker")
        with self.connected():
            from django.core.management import call_command

            call_command("migrate", verbosity=0, interactive=False)
        self.start("worker", "beat", "web")

    @contextlib.contextmanager
    def connected(self) -> Iterator[None]:
        """Let Django in this process use the stand's database and broker instead of its own."""
        from celery import current_app
        from django.db import connections

        before = connections["default"], connections.settings["default"], current_app.conf.broker_url
        connections.settings["default"] = _database(self.environment["DATABASE_URL"])
        del connections["default"]
        _use_broker(self.environment["BROKER_URL"])
        try:
            yield
        finally:
            connections["default"].close()
            connections["default"], connections.settings["default"] = before[:2]
            _use_broker(before[2])


def _database(url: str) -> dict[str, Any]:
    """Return the settings of a database as the service has them, without its pool."""
    import dj_database_url
    from django.conf import settings
    from django.db import connections

    found: dict[str, Any] = {**dj_database_url.parse(url)}
    is_sqlite = found["ENGINE"].endswith("sqlite3")
    options = {key: value for key, value in settings.POSTGRESQL_OPTIONS.items() if key != "pool"}
    found["OPTIONS"] = settings.SQLITE_OPTIONS if is_sqlite else options
    return dict(connections.configure_settings({"default": found})["default"])


def _use_broker(url: str) -> None:
    from celery import current_app

    from core import publishing

    app: Any = current_app
    app.conf.broker_url = url
    app._after_fork()  # forgets its connections, as a new process would
    publishing.breaker.silent_until = 0.0
