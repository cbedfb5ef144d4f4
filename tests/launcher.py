"""Run programs of ours, each in a process of its own that starts in a tenth of the time.

Most of a start is importing libraries. A launcher (`python -m tests.launcher`) imports them once and forks for every
program; what a fresh process reads at its start, the environment, the settings and our apps, the forked one reads too.
The launcher ends with the process that uses it, whose end closes its standard input.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
# What takes long to import and reads no settings: the launcher has none, so that reading them fails.
LIBRARIES = (
    "PIL.ImageDraw",
    "PIL.ImageFont",
    "cachetools",
    "celery.app.base",
    "celery.app.task",
    "confusable_homoglyphs.confusables",
    "cryptography.hazmat.primitives.serialization",
    "cryptography.x509",
    "dj_database_url",
    "django.contrib.admin",
    "django.contrib.postgres.fields",
    "django.core.management",
    "django.db.migrations.executor",
    "engines",
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
        order = {"words": words, "environment": environment, "outputs": [str(path) for path in printed]}
        launcher = _launcher()
        assert launcher.stdin
        assert launcher.stdout
        launcher.stdin.write(json.dumps(order) + "\n")
        launcher.stdin.flush()
        status = int(launcher.stdout.readline())
        return subprocess.CompletedProcess(words, status, *(path.read_text() for path in printed))


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
    """Fork for every program that standard input orders; answer with its exit code."""
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.freeze()  # so that no process copies the libraries only to look for garbage among them
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            end(partial(become, **json.loads(line)))
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


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
        file = os.open(path, os.O_RDWR | os.O_CREAT)
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
