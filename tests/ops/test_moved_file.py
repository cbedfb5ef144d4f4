"""A SQLite file that is moved for a moment under the running service: nothing is made in its place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import OperationalError, connections
from django.db.utils import load_backend

from core import disk
from ops import databases
from tests.ops.copies import manage
from tests.ops.test_serve import free_port


@pytest.fixture
def link(django_db_blocker):
    """Return what opens a database as a thread of the service does; all are closed in the end."""
    made = []

    def opened(file: Path):
        found = databases.parse(f"sqlite:///{quote(str(file))}", settings.DATABASE_OPTIONS)
        configured = connections.configure_settings({"default": found})["default"]
        made.append(load_backend(configured["ENGINE"]).DatabaseWrapper(configured))
        return made[-1]

    with django_db_blocker.unblock():
        yield opened
        for each in made:
            each.close()


@pytest.fixture
def file(tmp_path):
    folder = tmp_path / "Café #1 ?x=100%41"
    folder.mkdir()
    return folder / "ludoscore.sqlite3"


def run(link, statement):
    with link.cursor() as cursor:
        return cursor.execute(statement).fetchall()


def test_file_is_made_by_whoever_is_first(link, file):
    run(link(file), "CREATE TABLE held (name)")
    assert [each.name for each in file.parent.iterdir() if each.suffix == ".sqlite3"] == [file.name]


def test_what_was_stored_while_the_file_was_away_is_there_when_it_is_back(link, file):
    before = link(file)
    run(before, "CREATE TABLE held (name)")
    away = file.rename(file.with_name("away"))
    for _ in range(2):
        with pytest.raises(OperationalError) as caught:
            run(link(file), "SELECT 1")
        assert disk.trouble_of(caught.value) is disk.CLOSED
    run(before, "INSERT INTO held VALUES ('Ana')")
    assert not file.exists()
    before.close()
    away.rename(file)
    assert run(link(file), "SELECT name FROM held") == [("Ana",)]


def test_log_of_a_file_that_a_link_leads_to_is_left_alone(link, file):
    file.symlink_to(file.with_name("elsewhere.sqlite3"))
    log = file.with_name("elsewhere.sqlite3-wal")
    log.write_bytes(b"what is in no other file")
    with pytest.raises(OperationalError):
        run(link(file), "SELECT 1")
    assert log.read_bytes() == b"what is in no other file"


def test_process_that_had_the_file_open_makes_no_other(link, file):
    before = link(file)
    run(before, "CREATE TABLE held (name)")
    before.close()  # which leaves no log
    file.rename(file.with_name("away"))
    with pytest.raises(OperationalError):
        run(link(file), "SELECT 1")
    assert [each.name for each in file.parent.iterdir()] == ["away"]


@pytest.mark.parametrize("command", ["backup", "restore", "create_club", "migrate", "serve"])
def test_command_while_the_file_is_away_leaves_its_log_alone(filled_folder, tmp_path, command):
    copy, data = tmp_path / "backup", tmp_path / "data"
    url = f"sqlite:///{data / 'ludoscore.sqlite3'}"
    data.mkdir()
    assert manage(filled_folder, f"sqlite:///{filled_folder / 'ludoscore.sqlite3'}", "backup", str(copy))[0] == 0
    words = {
        "backup": [str(tmp_path / "other")],
        "restore": [str(copy)],
        "create_club": ["Café", "--owner", "you@example.org"],
        "serve": ["--bind", f"127.0.0.1:{free_port()}"],
    }
    log = data / "ludoscore.sqlite3-wal"
    log.write_bytes(b"what is in no other file")
    code, said = manage(data, url, command, *words.get(command, []))
    assert (code, "Traceback" in said, said.count("\n")) == (1, False, 1), said
    assert log.read_bytes() == b"what is in no other file"
    assert [each.name for each in data.glob("*sqlite3*")] == [log.name]


def test_log_without_its_file_is_kept_by_a_restore_that_overwrites(filled_folder, tmp_path):
    copy, data = tmp_path / "backup", tmp_path / "data"
    data.mkdir()
    assert manage(filled_folder, f"sqlite:///{filled_folder / 'ludoscore.sqlite3'}", "backup", str(copy))[0] == 0
    (data / "ludoscore.sqlite3-wal").write_bytes(b"what is in no other file")
    code, said = manage(data, f"sqlite:///{data / 'ludoscore.sqlite3'}", "restore", str(copy), "--overwrite")
    assert code == 0, said
    assert [each.read_bytes() for each in data.glob("*before-restore*-wal")] == [b"what is in no other file"]
    with closing(sqlite3.connect(data / "ludoscore.sqlite3")) as link:
        assert link.execute("SELECT count(*) FROM scoring_report").fetchone()[0] > 0
