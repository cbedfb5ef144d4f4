"""Databases beside the one of the tests: filled, copied, and looked at by processes of their own.

As a program (`python -m tests.ops.copies fill`, `look` or `sweep`) it does its work in the database that DATABASE_URL
names.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

import psycopg

from tests import launcher
from tests.services import postgres_binaries, postgres_url, start_postgres, unprivileged

KEY = "only-for-tests-" + "x" * 50
# Run dozens of times; Django's checks of the project, which `./run test` has, would take longer than their work.
UNCHECKED = {"backup", "restore", "migrate", "move_to"}


@contextmanager
def postgres() -> Iterator[Path]:
    """Run a PostgreSQL with the empty databases `one`, `two` and `three`, and yield its folder."""
    folder = Path(tempfile.mkdtemp(prefix="ludoscore-copies-", dir="/tmp"))  # short, as a socket's path must be
    server = start_postgres(folder)
    try:
        with psycopg.connect(address(folder, "postgres"), autocommit=True) as connection:
            for name in ("one", "two", "three"):
                connection.execute(f"CREATE DATABASE {name}")
        yield folder
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def programs(folder: Path) -> dict[str, str]:
    """Return the environment in which PostgreSQL's own programs are found."""
    binaries = postgres_binaries(folder, unprivileged(folder, folder / "postgres"))
    return {"PATH": f"{binaries}:{os.environ['PATH']}"}


def address(folder: Path, name: str) -> str:
    """Return the address of a database of the PostgreSQL in a folder."""
    return postgres_url(folder).rpartition("/")[0] + f"/{name}"


def run(data: Path, url: str, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of ours on a database, with a data folder."""
    data.mkdir(exist_ok=True)
    settings = {"DATABASE_URL": url, "LUDOSCORE_DATA": str(data), "SECRET_KEY": KEY, "LOG_LEVEL": "ERROR"}
    return launcher.run(*command, environment=os.environ | settings | environment)


def manage(data: Path, url: str, *command: str, **environment: str) -> tuple[int, str]:
    """Run a command of Django on a database, and return its exit code and all that it said."""
    unchecked = ["--skip-checks"] if command[0] in UNCHECKED else []
    done = run(data, url, "manage.py", *command, *unchecked, **environment)
    return done.returncode, done.stdout + done.stderr


def filled(data: Path, url: str) -> str:
    """Migrate a database, fill it with something of everything, and return its address."""
    done = run(data, url, "-m", "tests.ops.copies", "fill")
    assert done.returncode == 0, done.stderr
    return url


def look(data: Path, url: str) -> dict[str, Any]:
    """Return what every table of a database holds, and what an audit finds after computing everything anew."""
    done = run(data, url, "-m", "tests.ops.copies", "look")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def life_of(data: Path, url: str) -> str:
    """Return which life of a database this is, as a process that starts reads it."""
    code, said = manage(data, url, "shell", "-v0", "-c", "from core import epochs; print(epochs.current())")
    assert code == 0, said
    return said.strip()


def _fill() -> None:
    from django.contrib.auth.models import Group, Permission
    from django.core.management import call_command
    from django.utils import timezone

    from core.models import Heartbeat, StoredAnswer
    from scoring.services.reports import submit_report
    from tests.factories import ActionFactory, AttemptFactory, DeliveryFactory, DraftFactory, MembershipFactory
    from tests.scoring.evenings import evening

    call_command("migrate", verbosity=0)
    for game in ("dix", "dice-run", "ten-phases", "sixmix"):
        tonight = evening(game=game, seats=3, confirmation="trust", name=f"Soirée « {game} » 🎲")
        submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    _compute()
    AttemptFactory(sheet={"tall": 1e22, "half": 0.5, "none": None, "text": "naïve 🎲"})
    ActionFactory(facts={"b": 1, "a": [1, {"c": None}]})
    DeliveryFactory()
    DraftFactory()
    group = Group.objects.create(name="helpers")
    group.permissions.set(Permission.objects.all()[:3])
    MembershipFactory().user.groups.add(group)
    Heartbeat.objects.create(name="worker", sent_at=timezone.now(), done_at=timezone.now())
    StoredAnswer.objects.create(scope="s", key="k", fingerprint="f", status=200, body={"id": None})


def _compute() -> None:
    from django.utils import timezone

    from core import computations
    from scoring.tasks import refresh

    while waiting := computations.waiting(timezone.now()):
        for kind, key in waiting:
            refresh(kind, key)


def _sweep() -> None:
    from scoring import tasks

    tasks.sweep()
    _compute()


def _look() -> None:
    from core.models import Epoch
    from ops.sqlite_to_postgres import content, tables_of_ours
    from tests.faults.audit import audit

    # A copy has another life by design; `life_of` tells which.
    tables = {
        table.db_table: astuple(content(table, "default")) for table in tables_of_ours() if table.model is not Epoch
    }
    print(json.dumps({"tables": tables, "audit": audit()}))


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    {"fill": _fill, "look": _look, "sweep": _sweep}[sys.argv[1]]()
