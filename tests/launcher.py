"""Run programs of ours, each in a process of its own that starts in a tenth of the time.

Most of a start is importing libraries. A launcher (`python -m tests.launcher`) imports them once and forks for every
program; what a fresh process reads at its start, the environment, the settings and our apps, the forked one reads too.
The launcher ends with the process that uses it, whose end closes its standard input.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from ops.supervisor import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 10.0  # seconds
PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None)
# What takes long to import and reads no settings: the launcher has none, so that reading them fails.
LIBRARIES = (
    "PIL.ImageDraw",
    "PIL.ImageFont",
    "cachetools",
    "celery.app.base",
    "celery.app.task",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.worker.consumer",
    "confusable_homoglyphs.confusables",
    "cryptography.hazmat.primitives.serialization",
    "cryptography.x509",
    "dj_database_url",
    "django.contrib.admin",
    "django.contrib.postgres.fields",
    "django.core.management",
    "django.db.migrations.executor",
    "django.test",
    "engines",
    "granian.server.embed",
    "icalendar",
    "inflection",
    "kombu.transport.redis",
    "markdown_it",
    "numpy",
    "psycopg",
    "pygments",
    "redis.asyncio",
    "requests",
    "segno",
    "sqlite3",
    "standardwebhooks",
    "uritemplate",
    "yaml",
)


def run(*words: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program, `manage.py …` or `-m module …`, in an environment; return its exit code and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        printed = [Path(folder) / name for name in ("stdout", "stderr")]
        status = _order(words=words, environment=environment, outputs=[str(path) for path in printed])
        return subprocess.CompletedProcess(words, status, *(path.read_text() for path in printed))


class Started:
    """A program that goes on, as a child of this process and in a session of its own; used as a `Popen` is."""

    def __init__(self, *words: str, environment: dict[str, str], log: Path) -> None:
        self.args = words
        self.returncode: int | None = None
        # Its parent, the launcher's own child, ends at once. For that moment this process is the one to inherit it.
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        try:
            self.pid = _order(words=words, environment=environment, outputs=[str(log)] * 2, parent=os.getpid())
        finally:
            _libc.prctl(PR_SET_CHILD_SUBREAPER, 0)

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Wait until it has ended, and return its exit code."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(self.args, timeout)
            time.sleep(0.01)
        return code

    def send_signal(self, signum: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signum)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


Process = subprocess.Popen[bytes] | Started


def _order(**order: Any) -> int:
    """Have the launcher start a program; return what it answers, an exit code or the id of one that goes on."""
    launcher = _launcher()
    assert launcher.stdin
    assert launcher.stdout
    launcher.stdin.write(json.dumps(order) + "\n")
    launcher.stdin.flush()
    return int(launcher.stdout.readline())


@functools.cache
def _launcher() -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    launcher = subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for pytest
    )
    atexit.register(launcher.communicate)
    return launcher


def launch() -> None:
    """Fork for every program that standard input orders; answer with its exit code, or with its id if it goes on."""
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.freeze()  # so that no process copies the libraries only to look for garbage among them
    for line in sys.stdin:
        order = json.loads(line)
        parent = order.pop("parent", None)
        program = partial(become, **order)
        print(finish(program) if parent is None else leave_to(parent, program), flush=True)


def finish(program: Callable[[], None]) -> int:
    """Run a program to its end in a process of its own; return its exit code."""
    process = os.fork()
    if process == 0:
        end(program)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status)


def leave_to(parent: int, program: Callable[[], None]) -> int:
    """Start a program that goes on, as a child of another process, and return its id."""
    reader, writer = os.pipe()
    between = os.fork()
    if between == 0:
        process = os.fork()
        if process:
            os.write(writer, str(process).encode())
            os._exit(0)  # now whoever asked for it inherits the program
        os.close(reader)
        os.close(writer)
        os.setsid()
        until = time.monotonic() + PATIENCE
        while os.getppid() != parent and time.monotonic() < until:
            time.sleep(0.001)
        die_with_parent(parent)
        end(program)
    os.close(writer)
    os.waitpid(between, 0)
    with os.fdopen(reader) as answer:
        return int(answer.read())


def end(program: Callable[[], None]) -> NoReturn:
    """Run a program to its end as Python does, but leave it to the system to take the libraries apart."""
    try:
        program()
        code: Any = 0
    except SystemExit as leaving:
        code = leaving.code or 0
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def become(words: list[str], environment: dict[str, str], outputs: list[str]) -> None:
    """Be a program, as if Python had been started with its words."""
    for number, path in enumerate((os.devnull, *outputs)):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words if words[0] != "-m" else words[1:]
    match words:
        case ["-m", module, *_]:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", lines, *_]:
            exec(lines, {"__name__": "__main__"})
        case [path, *_]:
            runpy.run_path(path, run_name="__main__")


if __name__ == "__main__":
    launch()
