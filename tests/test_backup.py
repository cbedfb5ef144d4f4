"""A backup is one file; restored elsewhere it holds and computes the same."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.copies import address, filled, look, manage, postgres, programs
from tests.test_serve import Service


def sqlite(data: Path) -> str:
    return f"sqlite:///{data / 'ludoscore.sqlite3'}"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    data = tmp_path_factory.mktemp("embedded")
    filled(data, sqlite(data))
    return data


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


def test_nothing_is_overwritten_unless_asked(embedded, tmp_path):
    file = tmp_path / "backup"
    assert manage(embedded, sqlite(embedded), "backup", str(file))[0] == 0
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


def test_running_service_is_backed_up_and_not_overwritten(tmp_path):
    with Service(tmp_path / "data") as service:
        file = tmp_path / "backup"
        assert manage(service.data, sqlite(service.data), "backup", str(file))[0] == 0
        code, said = manage(service.data, sqlite(service.data), "restore", str(file), "--overwrite")
        assert (code, "already running" in said) == (1, True)


def test_backup_of_postgresql_holds_and_computes_the_same_elsewhere(embedded, tmp_path):
    file = tmp_path / "backup"
    with postgres() as place:
        one, two = address(place, "one"), address(place, "two")
        filled(tmp_path, one)
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
        assert manage(tmp_path, two, "restore", str(file), "--overwrite", **programs(place))[0] == 0
        assert look(tmp_path, two) == found
        code, said = manage(embedded, sqlite(embedded), "restore", str(file), "--overwrite")
        assert (code, "move_to" in said) == (1, True)
