"""A backup is one file; restored elsewhere it holds and computes the same."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from django.db import connections

from core.tables import alone
from ops import backups, checksums, databases
from ops.postgresql.base import DatabaseWrapper
from tests.faults.stand import wait_for
from tests.launcher import ROOT, Started
from tests.ops.copies import KEY, address, filled, life_of, look, manage, postgres, programs
from tests.ops.test_serve import Service

RELEASED = Path(__file__).parent / "released" / "first.sql.gz"
# Makes a database one of a version before 0010, with nothing of the migrations since.
BEFORE_LIVES = (
    "DROP TABLE core_epoch",
    "ALTER TABLE core_outgoingmail DROP COLUMN about",
    "DELETE FROM django_migrations WHERE app = 'core' AND name >= '0010'",
)


def sqlite(data: Path) -> str:
    return f"sqlite:///{data / 'ludoscore.sqlite3'}"


@pytest.fixture(scope="module")
def embedded(filled_folder, tmp_path_factory):
    return Path(shutil.copytree(filled_folder, tmp_path_factory.mktemp("embedded") / "data"))


@pytest.fixture(scope="module")
def backed_up(filled_folder, tmp_path_factory):
    """Return a backup of the filled folder: to read, or to copy."""
    file = tmp_path_factory.mktemp("backed-up") / "backup"
    code, said = manage(filled_folder, sqlite(filled_folder), "backup", str(file))
    assert code == 0, said
    return file


@pytest.fixture(scope="module")
def contents(filled_folder):
    """Return what the filled folder holds."""
    return look(filled_folder, sqlite(filled_folder))


@pytest.fixture
def file(backed_up, tmp_path):
    """Return a copy of the backup, to spoil."""
    return Path(shutil.copy(backed_up, tmp_path / "backup"))


def test_backup_of_sqlite_holds_and_computes_the_same_elsewhere(embedded, tmp_path):
    file, elsewhere = tmp_path / "backup", tmp_path / "elsewhere"
    code, said = manage(embedded, sqlite(embedded), "backup", str(file))
    assert code == 0, said
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["backup"], "one file, and nothing beside it"
    code, said = manage(elsewhere, sqlite(elsewhere), "restore", str(file))
    assert code == 0, said
    found = look(elsewhere, sqlite(elsewhere))
    assert found == look(embedded, sqlite(embedded))
    assert found["audit"] == [0, 0, 0]


def test_backup_of_sqlite_is_one_state_while_others_write(embedded, tmp_path):
    stop = threading.Event()

    def write():
        with closing(sqlite3.connect(embedded / "ludoscore.sqlite3", timeout=20)) as link:
            number = 0
            while not stop.is_set():
                number += 1
                with link:
                    for name in ("first", "second"):
                        link.execute("INSERT OR REPLACE INTO core_heartbeat VALUES (?, ?, ?)", (name, number, number))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        states = []
        for number in range(2):
            file = tmp_path / f"backup-{number}"
            assert manage(embedded, sqlite(embedded), "backup", str(file))[0] == 0
            with closing(sqlite3.connect(file)) as link:
                states.append(link.execute("SELECT sent_at FROM core_heartbeat WHERE name <> 'worker'").fetchall())
    finally:
        stop.set()
        writer.join()
    assert all(first == second for first, second in states)
    assert states[0] != states[1]


def test_two_backups_into_one_file_do_not_write_into_each_other(filled_folder, tmp_path, monkeypatch):
    """A schedule that was set up twice: the second begins when the first is nearly done."""
    file = tmp_path / "backup"
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": filled_folder / "ludoscore.sqlite3"})

    def finish_after_another(part: Path) -> None:
        monkeypatch.undo()
        backups.dump(database, file)
        checksums.append_checksum(part)

    monkeypatch.setattr(backups, "append_checksum", finish_after_another)
    with pytest.raises(backups.DumpError, match="exists already"):
        backups.dump(database, file)
    assert [each.name for each in tmp_path.iterdir()] == ["backup"]
    assert checksums.matches_checksum(file)
    assert backups.check(database, file)


def test_nothing_is_overwritten_unless_asked(embedded, file):
    assert "exists already" in manage(embedded, sqlite(embedded), "backup", str(file))[1]
    code, said = manage(embedded, sqlite(embedded), "restore", str(file))
    assert (code, "--overwrite" in said) == (1, True)
    assert manage(embedded, sqlite(embedded), "restore", str(file), "--overwrite")[0] == 0


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"SQLite format 3\0" + b"x" * 5000], ids=["empty", "text", "damaged"]
)
def test_what_is_no_backup_is_refused_with_a_sentence(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    code, said = manage(tmp_path, sqlite(tmp_path), "restore", str(tmp_path / "file"))
    assert code == 1
    assert "Traceback" not in said
    assert "is not a backup" in said or "is damaged" in said


def changed_at(file: Path, place: int) -> None:
    """Change one bit of a file."""
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)


def another_database(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as link:
        link.execute("CREATE TABLE recipes (name)")


def empty_database(file: Path) -> None:
    another_database(file)
    with closing(sqlite3.connect(file)) as link:
        link.execute("DROP TABLE recipes")


def database_of_another_project(file: Path) -> None:
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link, link:
        link.execute("DELETE FROM django_migrations WHERE app NOT IN ('auth', 'contenttypes')")


def database_of_a_project_with_a_core(file: Path) -> None:
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link, link:
        link.execute("DELETE FROM django_migrations WHERE app NOT IN ('auth', 'contenttypes', 'core')")


def newer_migrations(file: Path) -> None:
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link, link:
        link.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('core', '9999_later', '2040-01-01')")


def without_checksum(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: -checksums.LENGTH])


def migrations_of_no_kind(file: Path) -> None:
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link, link:
        link.execute("CREATE TABLE others (app, name)")
        link.execute("INSERT INTO others SELECT app, name FROM django_migrations")
        link.execute("INSERT INTO others VALUES (NULL, 3), (x'ff', 'later')")
        link.execute("DROP TABLE django_migrations")
        link.execute("ALTER TABLE others RENAME TO django_migrations")


UNFIT = {
    "no bytes": (lambda file: file.write_bytes(b""), "is not a backup of Ludoscore"),
    "no tables": (empty_database, "is not a backup of Ludoscore"),
    "other tables": (another_database, "is not a backup of Ludoscore"),
    "other project": (database_of_another_project, "is not a backup of Ludoscore"),
    "other core": (database_of_a_project_with_a_core, "is not a backup of Ludoscore"),
    "newer": (newer_migrations, "newer version of Ludoscore: this one does not know core.9999_later"),
    "byte in the middle": (lambda file: changed_at(file, file.stat().st_size // 2), "is damaged"),
    "byte of the checksum": (lambda file: changed_at(file, -30), "is damaged"),
    "first byte of the mark": (lambda file: changed_at(file, -checksums.LENGTH), "is damaged"),
    "last byte": (lambda file: changed_at(file, -1), "is damaged"),
    "cut short by a byte": (lambda file: os.truncate(file, file.stat().st_size - 1), "is damaged"),
    "cut short in the checksum": (lambda file: os.truncate(file, file.stat().st_size - 60), "is damaged"),
    "a line more": (lambda file: file.write_bytes(file.read_bytes() + b"\n"), "is damaged"),
    "migrations of no kind": (migrations_of_no_kind, "newer version of Ludoscore"),
}


@pytest.mark.parametrize("spoil", UNFIT)
def test_unfit_file_is_refused_with_a_reason_and_changes_nothing(filled_folder, file, tmp_path, spoil):
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    before = (data / "ludoscore.sqlite3").read_bytes()
    act, reason = UNFIT[spoil]
    act(file)
    code, said = manage(data, sqlite(data), "restore", str(file), "--overwrite")
    assert (code, said.count("\n")) == (1, 1), said
    assert reason in said
    assert (data / "ludoscore.sqlite3").read_bytes() == before
    assert not kept(data)


@pytest.mark.parametrize(
    "command", ["cat {file} | {restore} /dev/stdin", "{restore} {pipe}"], ids=["pipe", "named pipe"]
)
def test_what_can_be_read_only_once_is_refused(filled_folder, file, tmp_path, command):
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    os.mkfifo(tmp_path / "pipe")  # nobody ever writes into it
    restore = f"{sys.executable} manage.py restore --overwrite --skip-checks"
    done = subprocess.run(
        ["sh", "-c", command.format(file=file, restore=restore, pipe=tmp_path / "pipe")],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": sqlite(data), "LUDOSCORE_DATA": str(data), "SECRET_KEY": KEY},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "cannot be read: it is no file on a disk" in done.stderr
    assert not kept(data)


@pytest.mark.parametrize("is_link", [False, True])
def test_backup_named_like_what_restore_writes_is_refused_and_stays(filled_folder, file, tmp_path, is_link):
    """It was emptied to make room, and then copied onto itself, which never ended."""
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    named = file.rename(data / "ludoscore.sqlite3.part")
    before = [(data / "ludoscore.sqlite3").read_bytes(), named.read_bytes()]
    if is_link:
        named = tmp_path / "link"
        named.symlink_to(data / "ludoscore.sqlite3.part")
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": data / "ludoscore.sqlite3"})
    with pytest.raises(backups.DumpError, match="another name"):
        backups.load(database, named, is_sealed=True, keep_in=data)
    assert [(data / "ludoscore.sqlite3").read_bytes(), named.read_bytes()] == before
    assert not kept(data)


def kept(data: Path) -> list[Path]:
    return sorted(data.glob("*before-restore*"))


def test_log_of_another_database_beside_a_backup_is_left_alone(filled_folder, contents, file, tmp_path):
    """As where somebody copied the files of a service that ran, and gave a backup the name of one of them."""
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    with closing(sqlite3.connect(tmp_path / "another", isolation_level=None)) as link:
        link.execute("PRAGMA journal_mode=WAL")
        link.execute("CREATE TABLE notes (text)")
        shutil.copy(tmp_path / "another-wal", tmp_path / "backup-wal")
    before = file.read_bytes()
    code, said = manage(data, sqlite(data), "restore", "--overwrite", str(file))
    assert code == 0, said
    assert file.read_bytes() == before
    assert (tmp_path / "backup-wal").exists()
    assert look(data, sqlite(data)) == contents


def test_overwritten_database_is_kept_beside(filled_folder, file, tmp_path):
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    with closing(sqlite3.connect(data / "ludoscore.sqlite3")) as link, link:
        link.execute("UPDATE core_heartbeat SET name = 'later' WHERE name = 'worker'")
    code, said = manage(data, sqlite(data), "restore", str(file), "--overwrite")
    assert code == 0, said
    (old,) = kept(data)
    assert str(old) in said
    assert old.stat().st_mode & 0o777 == 0o600
    for place, name in ((old, "later"), (data / "ludoscore.sqlite3", "worker")):
        with closing(sqlite3.connect(place)) as link:
            assert link.execute("SELECT name FROM core_heartbeat").fetchall() == [(name,)]


def test_restored_database_has_another_life(filled_folder, file, tmp_path):
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    lives = [life_of(data, sqlite(data))]
    for _ in range(2):
        code, said = manage(data, sqlite(data), "restore", str(file), "--overwrite")
        assert code == 0, said
        lives.append(life_of(data, sqlite(data)))
    assert all(lives)
    assert len(set(lives)) == 3, "the tags of none stand for what another holds"


def test_backup_from_before_there_were_lives_gets_one_with_its_tables(file, tmp_path):
    data = tmp_path / "data"
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link, link:
        for step in BEFORE_LIVES:
            link.execute(step)
    code, said = manage(data, sqlite(data), "restore", str(file))
    assert code == 0, said
    assert manage(data, sqlite(data), "migrate", "--verbosity", "0")[0] == 0
    assert life_of(data, sqlite(data))


def test_damaged_database_is_overwritten_and_kept_too(contents, file, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "ludoscore.sqlite3").write_bytes(b"what the disk left of it" * 500)
    code, said = manage(data, sqlite(data), "restore", str(file))
    assert (code, "--overwrite" in said) == (1, True), said
    code, said = manage(data, sqlite(data), "restore", str(file), "--overwrite")
    assert code == 0, said
    assert [old.read_bytes()[:4] for old in kept(data)] == [b"what"]
    assert look(data, sqlite(data)) == contents


def test_backup_without_a_checksum_is_taken_and_said_to_have_none(contents, file, tmp_path):
    data = tmp_path / "data"
    without_checksum(file)
    code, said = manage(data, sqlite(data), "restore", str(file))
    assert code == 0, said
    assert "carries no checksum" in said
    assert not kept(data), "an empty database is not worth keeping"
    assert look(data, sqlite(data)) == contents


def test_file_of_a_stopped_service_where_sqlite_can_make_none_beside_it_is_restored(contents, file, tmp_path):
    """As on a disk that is mounted read-only; here its name is so long that a longer one is none."""
    data = tmp_path / "data"
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link:
        link.execute("PRAGMA journal_mode=WAL")
    code, said = manage(data, sqlite(data), "restore", str(file.rename(tmp_path / ("x" * 252))))
    assert code == 0, said
    assert look(data, sqlite(data)) == contents


def test_what_cannot_be_opened_is_not_called_damaged(tmp_path):
    with pytest.raises(backups.DumpError, match="cannot be opened"):
        backups._check_pages(tmp_path)


def test_backup_of_an_older_version_is_taken(file, tmp_path):
    data = tmp_path / "data"
    without_checksum(file)
    with closing(sqlite3.connect(file)) as link, link:
        link.execute("DELETE FROM django_migrations WHERE app = 'scoring' AND name > '0002'")
    code, said = manage(data, sqlite(data), "restore", str(file))
    assert code == 0, said
    assert "manage migrate" in said


@pytest.mark.parametrize("is_updated", [True, False], ids=["after the update", "before it"])
def test_backup_of_a_database_that_began_with_a_released_version_is_taken(tmp_path, is_updated):
    """It remembers the migrations of packages that are no longer used."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    with closing(sqlite3.connect(old / "ludoscore.sqlite3")) as link:
        link.executescript(gzip.decompress(RELEASED.read_bytes()).decode())
    if is_updated:
        assert manage(old, sqlite(old), "migrate", "--verbosity", "0")[0] == 0
    assert manage(old, sqlite(old), "backup", str(tmp_path / "backup"))[0] == 0
    code, said = manage(new, sqlite(new), "restore", str(tmp_path / "backup"))
    assert code == 0, said
    assert manage(new, sqlite(new), "migrate", "--verbosity", "0")[0] == 0
    assert reports_in(new) == reports_in(old) != []


def reports_in(data: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(data / "ludoscore.sqlite3")) as link:
        return link.execute("SELECT uid, status FROM scoring_report ORDER BY uid").fetchall()


def test_running_service_is_backed_up_and_not_overwritten(tmp_path, up_to_date):
    with Service(up_to_date(tmp_path / "data")) as service:
        file = tmp_path / "backup"
        assert manage(service.data, sqlite(service.data), "backup", str(file))[0] == 0
        code, said = manage(service.data, sqlite(service.data), "restore", str(file), "--overwrite")
        assert (code, "already running" in said) == (1, True)


def test_backup_of_postgresql_holds_and_computes_the_same_elsewhere(embedded, tmp_path):
    file = tmp_path / "backup"
    with postgres() as place:
        one, two = address(place, "one"), address(place, "two")
        filled(tmp_path, one)
        with psycopg.connect(one, autocommit=True) as link:  # as in one that began with a released version
            link.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('axes', '0001_initial', now())")
        assert "pg_dump is not on the PATH" in manage(tmp_path, one, "backup", str(file), PATH="/nowhere")[1]
        code, said = manage(tmp_path, one, "backup", str(file), **programs(place))
        assert code == 0, said
        assert file.stat().st_mode & 0o777 == 0o600
        code, said = manage(tmp_path, two, "restore", str(file), **programs(place))
        assert code == 0, said
        found = look(tmp_path, two)
        assert found == look(tmp_path, one)
        assert found["audit"] == [0, 0, 0]
        assert "--overwrite" in manage(tmp_path, two, "restore", str(file), **programs(place))[1]
        lives = [life_of(tmp_path, one), life_of(tmp_path, two)]
        assert manage(tmp_path, two, "restore", str(file), "--overwrite", **programs(place))[0] == 0
        lives.append(life_of(tmp_path, two))
        assert all(lives)
        assert len(set(lives)) == 3, "the tags of none stand for what another holds"
        assert look(tmp_path, two) == found
        assert [each.stat().st_mode & 0o777 for each in kept(tmp_path)] == [0o600]
        with psycopg.connect(two, autocommit=True) as link:
            link.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('core', '9999_later', now())")
        newer = tmp_path / "newer"
        assert manage(tmp_path, two, "backup", str(newer), **programs(place))[0] == 0
        changed_at(file, 5000)
        for unfit, reason in ((newer, "does not know core.9999_later"), (file, "is damaged")):
            code, said = manage(tmp_path, one, "restore", str(unfit), "--overwrite", **programs(place))
            assert (code, reason in said) == (1, True), said
        assert look(tmp_path, one) == found
        changed_at(file, 5000)
        with psycopg.connect(two, autocommit=True) as link:
            link.execute("CREATE TABLE core_later (id bigint PRIMARY KEY REFERENCES core_user)")
        assert manage(tmp_path, two, "restore", str(file), "--overwrite", **programs(place))[0] == 0
        with psycopg.connect(two) as link:
            assert link.execute("SELECT to_regclass('core_later')").fetchone() == (None,), "nothing newer is left"
        assert look(tmp_path, two) == found
        with psycopg.connect(two, autocommit=True) as link:
            for step in BEFORE_LIVES:
                link.execute(step)
        older = tmp_path / "older"
        assert manage(tmp_path, two, "backup", str(older), **programs(place))[0] == 0
        code, said = manage(tmp_path, two, "restore", str(older), "--overwrite", **programs(place))
        assert code == 0, said
        assert manage(tmp_path, two, "migrate", "--verbosity", "0")[0] == 0
        assert life_of(tmp_path, two) not in {"", *lives}
        code, said = manage(embedded, sqlite(embedded), "restore", str(file), "--overwrite")
        assert (code, "move_to" in said) == (1, True)


def test_backup_of_a_schema_replaces_that_schema_and_nothing_beside_it(tmp_path):
    file = tmp_path / "backup"
    with postgres() as place:
        for name in ("one", "two"):
            with psycopg.connect(address(place, name), autocommit=True) as link:
                link.execute('CREATE SCHEMA "Our evenings"')
                link.execute("CREATE SCHEMA theirs CREATE TABLE kept (name text)")
                link.execute("INSERT INTO theirs.kept VALUES (%s)", [name])
        ours = "?options=-csearch_path%3D%22Our%5C%20evenings%22"
        one, two = (address(place, name) + ours for name in ("one", "two"))
        filled(tmp_path, one)
        found = look(tmp_path, one)
        assert manage(tmp_path, one, "backup", str(file), **programs(place))[0] == 0
        with psycopg.connect(one, autocommit=True) as link:
            link.execute("INSERT INTO theirs.kept VALUES ('later')")
            link.execute("DELETE FROM core_storedanswer")
        for url, options in ((one, ["--overwrite"]), (two, [])):
            code, said = manage(tmp_path, url, "restore", str(file), *options, **programs(place))
            assert code == 0, said
            assert look(tmp_path, url) == found
        with psycopg.connect(one, autocommit=True) as link:
            link.execute("CREATE VIEW clubs AS SELECT slug FROM tournaments_club")  # is in the backup, as it is ours
            link.execute("CREATE VIEW theirs.clubs AS SELECT slug FROM tournaments_club")
        code, said = manage(tmp_path, one, "restore", str(file), "--overwrite", **programs(place))
        assert (code, "view theirs.clubs depends on" in said, "Traceback" in said) == (1, True, False), said
        assert look(tmp_path, one) == found
        with psycopg.connect(one, autocommit=True) as link:
            assert link.execute("SELECT count(*) FROM theirs.clubs").fetchone() != (0,)
            link.execute("DROP VIEW theirs.clubs")
        code, said = manage(tmp_path, one, "restore", str(file), "--overwrite", **programs(place))
        assert code == 0, said
        for url, others in ((one, ["one", "later"]), (two, ["two"])):
            with psycopg.connect(url) as link:
                assert link.execute("SELECT name FROM theirs.kept").fetchall() == [(name,) for name in others]
        for elsewhere, reason in (
            ("three", "in the schema public, to which DATABASE_URL leads. It may be one in Our evenings: make"),
            ("gone", "make it first"),
        ):
            url = address(place, "three") + ("?options=-csearch_path%3Dgone" if elsewhere == "gone" else "")
            code, said = manage(tmp_path, url, "restore", str(file), **programs(place))
            assert (code, reason in said, "Traceback" in said) == (1, True, False), said


def test_role_with_a_schema_of_its_own_backs_up_beside_others_and_restores_elsewhere(tmp_path):
    """As at many hosts: it may read nothing of others, and its schema is made for it on a new server, too."""
    file = tmp_path / "backup"
    with postgres() as place:
        one, two = (address(place, name).replace("ludoscore@", "cafe@") for name in ("one", "two"))
        with psycopg.connect(address(place, "one"), autocommit=True) as link:
            link.execute("CREATE ROLE cafe LOGIN")
            link.execute("CREATE SCHEMA cafe AUTHORIZATION cafe")
            link.execute('CREATE SCHEMA "the ""others" CREATE TABLE kept (name text)')
        filled(tmp_path, one)
        code, said = manage(tmp_path, one, "backup", str(file), **programs(place))
        assert code == 0, said
        code, said = manage(tmp_path, two, "restore", str(file), **programs(place))
        assert (code, "It may be one in cafe: make that schema" in said, "Traceback" in said) == (1, True, False), said
        with psycopg.connect(address(place, "two"), autocommit=True) as link:
            link.execute("CREATE SCHEMA cafe AUTHORIZATION cafe")
        code, said = manage(tmp_path, two, "restore", str(file), **programs(place))
        assert code == 0, said
        assert look(tmp_path, two) == look(tmp_path, one)


@pytest.fixture(scope="module")
def servers():
    """Run two servers with a database of the same name: ours, and the one that PostgreSQL's programs take first."""
    with postgres() as ours, postgres() as other:
        for place, name in ((ours, "Ours"), (other, "Other's")):
            with psycopg.connect(address(place, "one"), autocommit=True) as link:
                link.execute("CREATE TABLE clubs (name text)")
                link.execute("INSERT INTO clubs VALUES (%s)", [name])
        yield ours, other


@pytest.fixture
def beside_another(servers, django_db_blocker, monkeypatch):
    """Return our server's folder, where the environment of the programs names the other server."""
    ours, other = servers
    monkeypatch.setenv("PATH", programs(ours)["PATH"])
    monkeypatch.setenv("PGHOST", str(other / "postgres"))
    (ours / "services").write_text(f"[ours]\nhost={ours / 'postgres'}\n")
    monkeypatch.setenv("PGSERVICEFILE", str(ours / "services"))
    with django_db_blocker.unblock():
        yield ours


@contextmanager
def database_at(url: str) -> Iterator[DatabaseWrapper]:
    """Open the database at an address as the service does."""
    found = databases.parse(url, {databases.POSTGRESQL: {"connect_timeout": 2}})
    opened = DatabaseWrapper(connections.configure_settings({"default": found})["default"], "beside")
    try:
        yield opened
    finally:
        opened.close()


def clubs_at(place: Path) -> list[tuple[str]]:
    with psycopg.connect(address(place, "one")) as link:
        return link.execute("SELECT name FROM clubs").fetchall()


ADDRESSES = {
    "host": "postgres://ludoscore@/one?host={}",
    "several hosts": "postgres://ludoscore@/one?host=/nowhere,{}",
    "user and database": "postgres:///postgres?host={}&user=ludoscore&dbname=one",
    "service": "postgres://ludoscore@/one?service=ours",
    "options": "postgres://ludoscore@/one?host={}&options=-c%20statement_timeout%3D1s",
}


@pytest.mark.parametrize("form", ADDRESSES)
def test_database_of_the_address_is_backed_up_and_replaced_and_no_other(beside_another, servers, tmp_path, form):
    with database_at(ADDRESSES[form].format(beside_another / "postgres")) as database:
        backups.dump(database, tmp_path / "backup")
        with database.cursor() as cursor:
            cursor.execute("UPDATE clubs SET name = 'Later'")
        backups._replace_tables(database, tmp_path / "backup")
    assert [clubs_at(place) for place in servers] == [[("Ours",)], [("Other's",)]]


def test_backup_takes_its_time_where_a_busy_server_reads_slowly(beside_another):
    url = ADDRESSES["host"].format(beside_another / "postgres")
    with database_at(f"{url}&tcp_user_timeout=4000") as database:
        database.ensure_connection()
        assert database.connection.info.get_parameters()["tcp_user_timeout"] == "4000"
        assert "tcp_user_timeout" not in backups._link(database)


def test_nothing_is_dropped_where_psql_is_led_elsewhere(beside_another, servers, tmp_path, monkeypatch):
    with database_at(address(beside_another, "one")) as database:
        backups.dump(database, tmp_path / "backup")
        link = backups._link(database) | {"host": str(servers[1] / "postgres")}
        monkeypatch.setattr(backups, "_link", lambda _database: link)
        with pytest.raises(backups.DumpError, match="another database"):
            backups._replace_tables(database, tmp_path / "backup")
    assert [clubs_at(place) for place in servers] == [[("Ours",)], [("Other's",)]]


@pytest.mark.parametrize("length", [236, 256], ids=["for what is made beside it", "for a file"])
def test_name_that_is_too_long_is_refused_with_a_sentence(filled_folder, tmp_path, length):
    url = f"sqlite:///{filled_folder / 'ludoscore.sqlite3'}"
    code, said = manage(filled_folder, url, "backup", str(tmp_path / ("x" * length)))
    assert code == 1
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


def test_backup_that_is_ended_leaves_nothing_behind(servers, tmp_path):
    """As by a timer that has waited long enough."""
    programs, log = tmp_path / "programs", tmp_path / "log"
    programs.mkdir()
    (programs / "pg_dump").write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\nexec sleep 60\n")
    (programs / "pg_dump").chmod(0o700)
    path = f"{programs}:{os.environ['PATH']}"
    process = begun(address(servers[0], "one"), tmp_path, log, "backup", str(tmp_path / "backup"), PATH=path)
    wait_for((tmp_path / "begun").exists)
    assert list(tmp_path.glob("backup.*"))
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM, log.read_text()
    assert not list(tmp_path.glob("backup*"))
    assert log.read_text() == ""


@pytest.mark.parametrize("knows_links", [True, False])
def test_restore_that_is_cut_short_leaves_a_whole_database(filled_folder, file, tmp_path, monkeypatch, knows_links):
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    monkeypatch.setattr(Path, "replace", cut_short)
    if not knows_links:  # as the disk of a camera or of another system
        monkeypatch.setattr(Path, "hardlink_to", not_permitted)
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": data / "ludoscore.sqlite3"})
    with pytest.raises(KeyboardInterrupt):
        backups.load(database, file, is_sealed=True, keep_in=data)
    monkeypatch.undo()
    assert [each.read_bytes() for each in kept(data)] == [(data / "ludoscore.sqlite3").read_bytes()]
    assert [each.stat().st_mode & 0o777 for each in kept(data)] == [0o600]
    assert look(data, sqlite(data)) == look(filled_folder, sqlite(filled_folder))


@pytest.mark.parametrize("knows_links", [True, False])
def test_restore_over_a_damaged_database_that_is_cut_short_leaves_it_there(file, tmp_path, monkeypatch, knows_links):
    data = tmp_path / "data"
    data.mkdir()
    left = b"what the disk left of it" * 500
    (data / "ludoscore.sqlite3").write_bytes(left)
    monkeypatch.setattr(Path, "replace", cut_short)
    if not knows_links:
        monkeypatch.setattr(Path, "hardlink_to", not_permitted)
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": data / "ludoscore.sqlite3"})
    with pytest.raises(KeyboardInterrupt):
        backups.load(database, file, is_sealed=True, keep_in=data)
    assert (data / "ludoscore.sqlite3").read_bytes() == left, "a start would make an empty one"
    assert [each.read_bytes() for each in kept(data)] == [left]


def cut_short(*_: object) -> None:
    raise KeyboardInterrupt


def not_permitted(*_: object) -> None:
    raise PermissionError


SOMEBODY = 54_321  # the number of a user who is neither root nor whoever runs the tests


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("knows_links", [True, False])
@pytest.mark.parametrize("is_new", [True, False])
def test_database_that_root_restores_is_its_owners(filled_folder, file, tmp_path, monkeypatch, is_new, knows_links):
    data = tmp_path / "data"
    data.mkdir()
    target = data / "ludoscore.sqlite3"
    if is_new:
        target.touch()  # as looking whether there is a database does, by whoever looks
    else:
        shutil.copyfile(filled_folder / "ludoscore.sqlite3", target)
        os.chown(target, SOMEBODY, SOMEBODY)
    os.chown(data, SOMEBODY, SOMEBODY)
    if not knows_links:
        monkeypatch.setattr(Path, "hardlink_to", not_permitted)
    backups._replace(target, file, None if is_new else data / "kept", is_sealed=True)
    found = {(each.name, each.stat().st_uid, each.stat().st_gid) for each in data.iterdir()}
    names = {"ludoscore.sqlite3"} if is_new else {"ludoscore.sqlite3", "kept"}
    assert found == {(name, SOMEBODY, SOMEBODY) for name in names}


def test_database_of_somebody_else_is_not_replaced(filled_folder, file, tmp_path, monkeypatch):
    target = Path(shutil.copyfile(filled_folder / "ludoscore.sqlite3", tmp_path / "ludoscore.sqlite3"))
    content = target.read_bytes()
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY)
    monkeypatch.setattr(os, "chown", not_permitted)
    with pytest.raises(backups.DumpError, match="belongs to somebody else: restore as that user"):
        backups._replace(target, file, tmp_path / "kept", is_sealed=True)
    assert target.read_bytes() == content
    assert {each.name for each in tmp_path.iterdir()} == {"ludoscore.sqlite3", file.name}


def test_new_database_in_a_folder_that_many_share_is_restored(file, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY)
    monkeypatch.setattr(os, "chown", not_permitted)
    backups._replace(tmp_path / "ludoscore.sqlite3", file, None, is_sealed=True)
    assert (tmp_path / "ludoscore.sqlite3").stat().st_size


def test_database_that_another_program_has_open_is_not_overwritten(filled_folder, file, tmp_path):
    data = Path(shutil.copytree(filled_folder, tmp_path / "data"))
    with closing(sqlite3.connect(data / "ludoscore.sqlite3")) as link:
        link.execute("PRAGMA journal_mode=WAL")
        link.execute("SELECT * FROM core_heartbeat").fetchall()
        code, said = manage(data, sqlite(data), "restore", str(file), "--overwrite")
        assert (code, "is open in another program" in said) == (1, True), said
    assert not kept(data)


def stores_meanwhile(monkeypatch: pytest.MonkeyPatch, target: Path) -> None:
    """Have a first command store something while a backup is being copied."""

    def sync(path: Path) -> None:
        monkeypatch.undo()
        with closing(sqlite3.connect(target)) as link, link:
            link.execute("PRAGMA journal_mode=WAL")
            link.execute("CREATE TABLE clubs (name)")
            link.execute("INSERT INTO clubs VALUES ('mine')")
        backups.sync(path)

    monkeypatch.setattr(backups, "sync", sync)


def clubs_in(file: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(file)) as link:
        return link.execute("SELECT name FROM clubs").fetchall()


@pytest.mark.parametrize("is_kept", [True, False])
def test_what_is_stored_while_an_empty_database_is_restored_is_not_lost(file, tmp_path, monkeypatch, is_kept):
    data = tmp_path / "data"
    data.mkdir()
    target = data / "ludoscore.sqlite3"
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": target})
    stores_meanwhile(monkeypatch, target)
    if is_kept:
        assert backups.load(database, file, is_sealed=True, keep_in=data) == kept(data)[0]
        assert clubs_in(kept(data)[0]) == [("mine",)]
        return
    with pytest.raises(backups.DumpError, match="The database is not empty"):
        backups.load(database, file, is_sealed=True, keep_in=None)
    assert clubs_in(target) == [("mine",)]
    assert [each.name for each in data.iterdir()] == ["ludoscore.sqlite3"]


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_nobody_stores_anything_between_the_last_look_and_the_replacement(file, tmp_path, monkeypatch, mode):
    target = tmp_path / "data.sqlite3"
    with closing(sqlite3.connect(target)) as link, link:
        link.execute(f"PRAGMA journal_mode={mode}")
        link.execute("CREATE TABLE clubs (name)")
    early = sqlite3.connect(target, timeout=0)  # it waits for its turn, with the old file open
    replace = Path.replace

    def store_and_replace(part: Path, place: Path) -> None:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            early.execute("INSERT INTO clubs VALUES ('mine')")
        replace(part, place)

    monkeypatch.setattr(Path, "replace", store_and_replace)
    with closing(early):
        backups._replace(target, file, tmp_path / "kept", is_sealed=True)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            early.execute("PRAGMA journal_mode=WAL")
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            early.execute("INSERT INTO clubs VALUES ('mine')")
    assert clubs_in(tmp_path / "kept") == []
    assert sorted(each.name for each in tmp_path.glob("*.sqlite3*")) == ["data.sqlite3"]


def begun(url: str, data: Path, log: Path, *command: str, **environment: str) -> Started:
    """Start a command of Django on a database."""
    settings = {"DATABASE_URL": url, "LUDOSCORE_DATA": str(data), "SECRET_KEY": KEY, "LOG_LEVEL": "ERROR"}
    return Started("manage.py", *command, environment=os.environ | settings | environment, log=log)


def waits_for(process: Started, file: Path, log: Path) -> None:
    """Wait until a process has a file open."""
    end = time.monotonic() + 60
    while not any(os.path.realpath(each) == str(file) for each in Path(f"/proc/{process.pid}/fd").glob("*")):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end
        time.sleep(0.02)


def test_first_command_beside_restore_waits_for_it_and_works_on_what_was_restored(file, tmp_path):
    data, log = tmp_path / "data", tmp_path / "log"
    data.mkdir()
    target = data / "ludoscore.sqlite3"
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": target}, in_atomic_block=True)
    with alone(database):  # as `restore` has it
        process = begun(sqlite(data), data, log, "create_club", "Café Meeple", "--owner", "you@example.org")
        waits_for(process, Path(f"{target}.migrating"), log)
        backups.load(database, file, is_sealed=True, keep_in=None)
    assert process.wait(60) == 0, log.read_text()
    with closing(sqlite3.connect(target)) as link:
        slugs = {slug for (slug,) in link.execute("SELECT slug FROM tournaments_club")}
    assert "cafe-meeple" in slugs
    assert len(slugs) > 1, "beside what the backup holds"


def test_restore_beside_a_first_command_looks_when_that_is_done(file, tmp_path):
    data, log = tmp_path / "data", tmp_path / "log"
    data.mkdir()
    target = data / "ludoscore.sqlite3"
    database = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": target}, in_atomic_block=True)
    with alone(database):  # as whoever makes the tables has it
        process = begun(sqlite(data), data, log, "restore", str(file), "--skip-checks")
        waits_for(process, Path(f"{target}.migrating"), log)
        with closing(sqlite3.connect(target)) as link, link:
            link.execute("CREATE TABLE clubs (name)")
    assert (process.wait(60), "is not empty" in log.read_text()) == (1, True), log.read_text()
    assert clubs_in(target) == []


def test_database_on_a_disk_that_takes_no_more_is_backed_up_elsewhere(contents, filled_folder, tmp_path):
    data, elsewhere = Path(shutil.copytree(filled_folder, tmp_path / "data")), tmp_path / "elsewhere"
    database = data / "ludoscore.sqlite3"
    with closing(sqlite3.connect(database)) as link:
        link.execute("PRAGMA journal_mode=WAL")
        link.execute("UPDATE core_heartbeat SET name = 'later' WHERE name = 'worker'")
        link.commit()
        log = (data / "ludoscore.sqlite3-wal").read_bytes()
        whole = database.read_bytes()
    database.write_bytes(whole)
    (data / "ludoscore.sqlite3-wal").write_bytes(log)  # as a power cut leaves it
    (data / "ludoscore.sqlite3-shm").mkdir()  # where SQLite wants to make a file
    code, said = manage(data, sqlite(data), "backup", str(tmp_path / "backup"))
    assert code == 0, said
    assert sorted(file.name for file in tmp_path.glob("backup*")) == ["backup"]
    assert manage(elsewhere, sqlite(elsewhere), "restore", str(tmp_path / "backup"))[0] == 0
    with closing(sqlite3.connect(elsewhere / "ludoscore.sqlite3")) as link:
        assert link.execute("SELECT name FROM core_heartbeat").fetchall() == [("later",)]
    assert look(elsewhere, sqlite(elsewhere))["audit"] == contents["audit"]
