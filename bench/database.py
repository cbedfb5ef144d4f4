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

from tests.services import postgres_url, start_postgres, start_valkey, valkey_url


@contextmanager
def scratch_database(*, settings: str = "config.settings", broker: bool = False) -> Iterator[None]:
    """Start PostgreSQL, and a broker where wanted, set Django up and migrate; take everything away again."""
    folder = Path(tempfile.mkdtemp(prefix="ludoscore-bench-", dir="/tmp"))  # short, as a socket's path must be
    servers = [start_postgres(folder)]
    try:
        if broker:
            servers.append(start_valkey(folder))
        _use(folder, DJANGO_SETTINGS_MODULE=settings, **({"BROKER_URL": valkey_url(folder)} if broker else {}))
        yield
        _close()
    finally:
        for server in servers:
            server.send_signal(signal.SIGQUIT if "postgres" in str(server.args) else signal.SIGKILL)
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def embedded_database() -> Iterator[None]:
    """Set Django up for the embedded default in a folder of its own and migrate; take everything away again."""
    with tempfile.TemporaryDirectory(prefix="ludoscore-bench-", dir="/tmp") as folder:
        _set_up(Path(folder))
        yield


def _use(folder: Path, **settings: str) -> None:
    with psycopg.connect(
        host=str(folder / "postgres"), user="ludoscore", dbname="postgres", autocommit=True
    ) as server:
        server.execute("CREATE DATABASE ludoscore")
    _set_up(folder, DATABASE_URL=postgres_url(folder), DATABASE_STATEMENT_TIMEOUT_MS="600000", **settings)


def _set_up(folder: Path, **settings: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LUDOSCORE_DATA": str(folder),
        "LOG_LEVEL": "ERROR",
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
