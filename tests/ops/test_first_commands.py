"""Any command may be somebody's first: on an empty folder it works, or one sentence says what to do."""

from __future__ import annotations

import json
import os
import pty
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.launcher import ROOT, Started
from tests.ops.copies import KEY, manage, run


def sqlite(data: Path) -> str:
    return f"sqlite:///{data / 'ludoscore.sqlite3'}"


WORK = {
    "create_club": ["Café Meeple", "--owner", "you@example.org"],
    "createsuperuser": ["--noinput", "--email", "you@example.org"],
    "rebuild_ratings": ["--dry-run"],
    "plan_seating": ["--players", "8", "--sizes", "4", "--rounds", "2", "--seed", "1"],
}
NO_TABLES = "The database is not up to date: ./run manage migrate comes first."
SAY_WHY_NOT = {
    "addstatictoken": (["nobody"], NO_TABLES),
    "backup": (["{folder}/backup"], "The database is empty: there is nothing to back up yet."),
    "changepassword": (["you@example.org"], "user 'you@example.org' does not exist"),
    "clearsessions": ([], NO_TABLES),
    "export_person": (["nobody"], "There is no player with the id nobody."),
    "move_to": (["postgres://nobody@localhost:1/nothing"], "Nothing was moved."),
    "password_link": (["you@example.org"], "There is no active account with the address you@example.org."),
    "remove_second_factor": (["you@example.org"], "There is no account with the address you@example.org."),
    "restore": (["{folder}/backup"], "cannot be read"),
}


@pytest.mark.parametrize("command", WORK)
def test_first_command_works_on_an_empty_folder(tmp_path, command):
    code, said = manage(tmp_path, sqlite(tmp_path), command, *WORK[command])
    assert code == 0, said


def test_first_commands_at_once_all_work(tmp_path):
    """Somebody starts the service in one window and makes a club in another: each finds no tables."""
    settings = {"DATABASE_URL": sqlite(tmp_path), "LUDOSCORE_DATA": str(tmp_path), "SECRET_KEY": KEY}
    commands = [["create_club", f"Club {number}", "--owner", f"you{number}@example.org"] for number in range(3)]
    started = [
        Started("manage.py", *command, environment=os.environ | settings, log=tmp_path / "log")
        for command in [*commands, ["migrate"]]
    ]
    assert [each.wait(60) for each in started] == [0, 0, 0, 0], (tmp_path / "log").read_text()
    assert not list(tmp_path.glob("*.migrating"))


@pytest.mark.parametrize("command", SAY_WHY_NOT)
def test_first_command_says_in_a_sentence_why_it_does_nothing(tmp_path, command):
    arguments, reason = SAY_WHY_NOT[command]
    code, said = manage(tmp_path, sqlite(tmp_path), command, *(each.format(folder=tmp_path) for each in arguments))
    assert (code, reason in said, "Traceback" in said) == (1, True, False), said


def test_password_is_asked_for_at_a_terminal_and_elsewhere_a_sentence_says_so(tmp_path, up_to_date):
    data = up_to_date(tmp_path / "data")
    assert manage(data, sqlite(data), "createsuperuser", *WORK["createsuperuser"])[0] == 0
    code, said = manage(data, sqlite(data), "changepassword", "you@example.org")
    assert (code, "password_link EMAIL" in said, "Traceback" in said) == (1, True, False), said


@pytest.fixture
def outdated(tmp_path):
    """Return a data folder whose database an older version left."""
    with closing(sqlite3.connect(tmp_path / "ludoscore.sqlite3")) as link, link:
        link.execute("CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app, name, applied)")
        link.execute("INSERT INTO django_migrations (app, name) VALUES ('contenttypes', '0001_initial')")
    return tmp_path


def test_tables_of_an_older_version_are_left_alone(outdated):
    for command in (["create_club", "Café Meeple", "--owner", "you@example.org"], ["clearsessions"]):
        assert manage(outdated, sqlite(outdated), *command) == (1, f"CommandError: {NO_TABLES}\n")


def test_tables_of_an_older_version_can_be_backed_up(outdated):
    code, said = manage(outdated, sqlite(outdated), "backup", str(outdated / "backup"))
    assert code == 0, said


def test_database_that_cannot_be_opened_is_told(tmp_path):
    (tmp_path / "nowhere").touch()  # no folder, and none can be made there
    url = f"sqlite:///{tmp_path}/nowhere/ludoscore.sqlite3"
    code, said = manage(tmp_path, url, "create_club", "Café Meeple", "--owner", "you@example.org")
    assert (code, said.count("\n")) == (1, 1), said
    assert "The database cannot be used: unable to open database file" in said


@pytest.mark.parametrize(
    ("blocks", "command"),
    [(0, ["migrate"]), (0, ["demo", "--migrate"]), (64, ["create_club", "Café Meeple", "--owner", "you@example.org"])],
    ids=["migrate", "demo", "at the commit"],
)
def test_disk_that_takes_no_more_is_told_in_a_sentence(tmp_path, up_to_date, blocks, command):
    data = up_to_date(tmp_path / "data")
    done = subprocess.run(
        ["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", sys.executable, "manage.py", *command],
        env=os.environ | {"DATABASE_URL": sqlite(data), "LUDOSCORE_DATA": str(data), "SECRET_KEY": KEY},
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "The database cannot be used: disk I/O error. The disk is full. Make room on it" in done.stderr


@pytest.mark.parametrize("command", [["migrate"], ["create_club", *WORK["create_club"]]])
def test_database_that_is_away_is_told_in_a_sentence(tmp_path, command):
    code, said = manage(tmp_path, "postgres://nobody@127.0.0.1:1/nothing", *command)
    assert code == 1
    assert "The database cannot be used: " in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", [["export_person", "a\udcffb"], ["password_link", "a\udcff@b.c"], ["a\udcff"]])
def test_argument_that_is_no_text_is_told_in_a_sentence(tmp_path, command):
    code, said = manage(tmp_path, sqlite(tmp_path), *command)
    assert (code, said) == (1, f"CommandError: {command[-1].replace(chr(0xDCFF), chr(0xFFFD))} is not UTF-8.\n")


@pytest.mark.parametrize("is_buffered", [True, False])
@pytest.mark.parametrize(("command", "code"), [("backup", 0), ("restore", 1)])
def test_command_whose_lines_nobody_reads_comes_to_its_end(filled_folder, tmp_path, command, code, is_buffered):
    reader, writer = os.pipe()
    os.close(reader)
    settings = {"DATABASE_URL": sqlite(filled_folder), "LUDOSCORE_DATA": str(tmp_path), "SECRET_KEY": KEY}
    done = subprocess.run(
        [sys.executable, "manage.py", command, str(tmp_path / "backup")],
        env=os.environ | settings | {"PYTHONUNBUFFERED": "" if is_buffered else "1"},
        cwd=ROOT,
        check=False,
        stdout=writer,
        stderr=subprocess.PIPE if command == "backup" else writer,
        timeout=60,
    )
    os.close(writer)
    assert (done.returncode, done.stderr or b"") == (code, b"")
    assert (tmp_path / "backup").exists() == (command == "backup")


@pytest.mark.parametrize("loading", ["django.core.management", "config.settings", "ops.management.commands.serve"])
def test_start_that_is_interrupted_ends_without_a_traceback(tmp_path, loading):
    program = f"""
import runpy, sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == {loading!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
for name in [name for name in sys.modules if name.startswith({loading!r})]:
    del sys.modules[name]
sys.argv = ["manage.py", "serve"]
runpy.run_path("manage.py", run_name="__main__")
"""
    done = run(tmp_path, sqlite(tmp_path), "-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_interrupt_that_comes_while_an_object_is_thrown_away_is_not_lost(tmp_path):
    """Python told of it and went on, also with `serve`: loading throws many away."""
    program = """
import runpy, sys

class Thrown:
    def __del__(self):
        raise KeyboardInterrupt

class Throwing:
    def find_spec(self, name, path=None, target=None):
        if name == "config.settings":
            Thrown()

sys.meta_path.insert(0, Throwing())
sys.argv = ["manage.py", "shell", "--verbosity", "0", "-c", "import time; time.sleep(30)"]
runpy.run_path("manage.py", run_name="__main__")
"""
    done = run(tmp_path, sqlite(tmp_path), "-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_settings_of_another_project_are_not_ours(tmp_path):
    code, said = manage(tmp_path, sqlite(tmp_path), "check", DJANGO_SETTINGS_MODULE="mysite.settings")
    assert (code, "no issues" in said) == (0, True), said


@pytest.mark.parametrize("is_terminal", [True, False])
def test_letters_that_nobody_can_be_shown_end_no_command(is_terminal):
    """Somebody's terminal, or the mail of a job at night, may know ASCII alone."""
    program = "from ops import start; start.mend_process(); print('Café « Meeple » 🎲')"
    reader, writer = pty.openpty() if is_terminal else os.pipe()
    status = subprocess.call(
        [sys.executable, "-c", program], cwd=ROOT, stdout=writer, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    os.close(writer)
    shown = os.read(reader, 1000).decode("ascii")
    os.close(reader)
    assert status == 0
    assert json.loads(f'"{shown.strip()}"') == "Café « Meeple » 🎲"
