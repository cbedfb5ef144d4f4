"""What was acknowledged is on the disk, and not only in the kernel's memory, where a power cut takes it."""

from __future__ import annotations

import json

import pytest

from tests.ops.copies import run

FULL = 2  # SQLite's number for it
LOOK = """
import json
from django.db import connection

with connection.cursor() as cursor:
    found = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
print(json.dumps(found))
"""
# What a process imports before its first connection: granian the application, Celery its app.
PROCESSES = {
    "web": "from config.wsgi import application",
    "worker": "from config.celery import app; app.loader.import_default_modules()",
}


@pytest.mark.parametrize("process", PROCESSES)
def test_commit_on_sqlite_returns_when_the_disk_has_it(tmp_path, process):
    url = f"sqlite:///{tmp_path / 'ludoscore.sqlite3'}"
    done = run(tmp_path, url, "-c", PROCESSES[process] + LOOK, DJANGO_SETTINGS_MODULE="config.settings")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["wal", FULL]
