"""A first start or an update that is cut short, by Ctrl-C or a power cut, is taken up where it was."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.ops.copies import address, look, manage, postgres, run

RELEASED = Path(__file__).parent / "released"
# Cut short before every seventh record that is written, and begun again each time.
CUT_SHORT = """
import django
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

django.setup()
record, met = MigrationRecorder.record_applied, set()

def cut_short(recorder, *key):
    if key not in met:
        met.add(key)
        if not len(met) % 7:
            raise KeyboardInterrupt
    record(recorder, *key)

MigrationRecorder.record_applied = cut_short
is_done = False
while not is_done:
    try:
        call_command("migrate", verbosity=0, skip_checks=True)
        is_done = True
    except KeyboardInterrupt:
        connection.close()
print(len(met))
"""


@pytest.fixture(scope="module")
def place():
    with postgres() as folder:
        yield folder


def sqlite(data):
    return f"sqlite:///{data / 'ludoscore.sqlite3'}"


def results(file):
    with closing(sqlite3.connect(file)) as link:
        return link.execute("SELECT count(*) FROM scoring_result").fetchone()[0]


def records_made_in_spite_of_cuts(data, url):
    done = run(data, url, "-c", CUT_SHORT, DJANGO_SETTINGS_MODULE="config.settings")
    assert done.returncode == 0, done.stderr
    code, said = manage(data, url, "migrate", "--check")
    assert code == 0, said
    return int(done.stdout)


def test_first_start_that_is_cut_short_again_and_again_is_taken_up(tmp_path):
    assert records_made_in_spite_of_cuts(tmp_path, sqlite(tmp_path)) > 80


def test_first_start_on_postgresql_that_is_cut_short_again_and_again_is_taken_up(tmp_path, place):
    assert records_made_in_spite_of_cuts(tmp_path, address(place, "one")) > 80


def test_update_that_is_cut_short_again_and_again_is_taken_up_with_every_result(tmp_path):
    file = tmp_path / "ludoscore.sqlite3"
    with closing(sqlite3.connect(file)) as link:
        link.executescript(gzip.decompress((RELEASED / "first.sql.gz").read_bytes()).decode())
    before = results(file)
    assert records_made_in_spite_of_cuts(tmp_path, sqlite(tmp_path)) > 10
    assert results(file) == before > 0
    assert run(tmp_path, sqlite(tmp_path), "-m", "tests.ops.copies", "sweep").returncode == 0
    assert look(tmp_path, sqlite(tmp_path))["audit"] == [0, 0, 0]


# As a former version left it, whose migrations were recorded by Django's own executor, after they were there.
LEFT_HALF = """
import os
import django
from django.core.management import call_command
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

django.setup()
from ops.management.commands import migrate
migrate.migrate.MigrationExecutor = MigrationExecutor
record = MigrationRecorder.record_applied

def cut_short(recorder, app, name):
    if (app, name) == ("tournaments", "0012_sign_up_ahead"):
        os._exit(9)
    record(recorder, app, name)

MigrationRecorder.record_applied = cut_short
call_command("migrate", verbosity=0, skip_checks=True)
"""


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_half_a_record_is_told_in_a_sentence(tmp_path, place, database):
    url = sqlite(tmp_path) if database == "sqlite" else address(place, "two")
    assert run(tmp_path, url, "-c", LEFT_HALF, DJANGO_SETTINGS_MODULE="config.settings").returncode == 9
    for _ in range(2):
        code, said = manage(tmp_path, url, "migrate", "--verbosity", "0")
        assert (code, said.count("\n")) == (1, 1), said
        assert "The tables and the record of them do not fit (" in said
        assert "was cut short" in said
        assert "restore FILE --overwrite" in said
