"""A PostgreSQL of its own for a bench, with the project's tables and nothing in them."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
import psycopg

from tests.services import postgres_url, start_postgres


@contextmanager
def scratch_database() -> Iterator[None]:
    """Start PostgreSQL, set Django up for it and migrate; take everything away again."""
    folder = Path(tempfile.mkdtemp(prefix="ludoscore-bench-", dir="/tmp"))  # short, as a socket's path must be
    server = start_postgres(folder)
    try:
        _use(folder)
        yield
        _close()
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def embedded_database() -> Iterator[None]:
    """Set Django up for the embedded default in a folder of its own and migrate; take everything away again."""
    with tempfile.TemporaryDirectory(prefix="ludoscore-bench-", dir="/tmp") as folder:
        _set_up(Path(folder))
        yield


def _use(folder: Path) -> None:
    with psycopg.connect(
        host=str(folder / "postgres"), user="ludoscore", dbname="postgres", autocommit=True
    ) as server:
        server.execute("CREATE DATABASE ludoscore")
    _set_up(folder, DATABASE_URL=postgres_url(folder), DATABASE_STATEMENT_TIMEOUT_MS="600000")


def _set_up(folder: Path, **settings: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LUDOSCORE_DATA": str(folder),
        "SECRET_KEY": "only-for-benches-" + "x" * 50,
        **settings,
    }
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def _close() -> None:
    from django.db import connection

    connection.close()
    if pool := getattr(connection, "pool", None):
        pool.close()
