"""What the service writes is for its owner alone, whatever the machine's habits are."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.test import RequestFactory

from ops import broker, files, metrics
from ops.files import make_private
from ops.management.commands import serve
from tests.launcher import ROOT
from tests.ops.test_serve import InstalledService


@pytest.fixture(autouse=True)
def generous_umask() -> Iterator[None]:
    """Let new files be readable by everybody, as on most machines."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(data: Path) -> dict[str, int]:
    """Return the modes of a data folder and of every file in it that stays: SQLite's journals come and go."""
    found = {".": mode(data)}
    for path in data.rglob("*"):
        with suppress(FileNotFoundError):
            if not path.is_dir():
                found[path.name] = mode(path)
    return found


@pytest.mark.parametrize("is_new", [True, False], ids=["new folder", "folder that everybody reads"])
def test_files_of_a_running_service_are_its_owners_alone(tmp_path, filled_folder, is_new):
    data = tmp_path / "data"
    if not is_new:
        data.mkdir(mode=0o755)
        shutil.copyfile(filled_folder / "ludoscore.sqlite3", data / "ludoscore.sqlite3")
        (data / "secret-key").write_text("x" * 50)
        assert set(modes(data).values()) == {0o755, 0o644}
    seen: set[tuple[str, int]] = set()

    def is_all_seen() -> bool:
        seen.update(modes(data).items())
        return {"ludoscore.sqlite3", "ludoscore.sqlite3-wal"} <= {name for name, _mode in seen}

    with InstalledService(data) as service:
        assert service.works()
        # SQLite's journal is there only while somebody is connected, as a web process is that has given a page.
        assert service.answers()
        service.wait(is_all_seen)
        assert mode(broker.embedded_socket(data)) == 0o600
    assert {mode for name, mode in seen if name == "."} == {0o700}
    assert {mode for name, mode in seen if name != "."} == {0o600}, seen


def test_folder_that_many_share_keeps_its_mode(tmp_path):
    tmp_path.chmod(0o1777)
    make_private(tmp_path)
    assert mode(tmp_path) == 0o1777


def test_socket_folder_elsewhere_is_made_private(tmp_path, monkeypatch):
    monkeypatch.setattr(broker.tempfile, "gettempdir", lambda: str(tmp_path))
    data = tmp_path / ("deep" * 25)
    folder = broker.embedded_socket(data).parent
    folder.mkdir(mode=0o755)
    broker.prepared_socket(data)
    assert (folder.parent, mode(folder)) == (tmp_path, 0o700)


def test_folder_of_somebody_else_is_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(CommandError, match="belongs to somebody else: start as that user"):
        serve.prepare_places(tmp_path)


def refuse(*_args, **_options):
    raise OSError(errno.ENOSPC, "No space left on device", "a place")


@pytest.mark.parametrize("taken", ["by a file", "by a link to nowhere", "by somebody's folder", "no room is left"])
def test_counts_that_have_no_place_are_left_out_and_the_service_starts(tmp_path, monkeypatch, caplog, taken):
    data, shared = tmp_path / "data", tmp_path / "shared"
    for folder in (data, shared):
        folder.mkdir()
    monkeypatch.setattr(files, "MEMORY", shared)
    monkeypatch.setattr(metrics, "_no_room_until", 0.0)
    place = files.counts_folder(data)
    if taken == "by a file":
        place.touch()
    elif taken == "by a link to nowhere":
        place.symlink_to(tmp_path / "nowhere")
    elif taken == "by somebody's folder":
        theirs = tmp_path / "theirs"
        theirs.mkdir()
        (theirs / "kept.db").touch()
        place.symlink_to(theirs)
    else:
        monkeypatch.setattr(Path, "mkdir", refuse)
    serve.prepare_places(data)
    assert "requests are not counted" in caplog.text
    metrics.count(RequestFactory().get("/"), 200)
    metrics.forget(data)
    assert [file.name for file in tmp_path.rglob("*.db")] == ["kept.db"] * (taken == "by somebody's folder")
    assert len(caplog.records) == 1


def test_socket_that_has_no_place_is_told_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "mkdir", refuse)
    told = "The broker's socket has no place: a place: No space left on device. Let LUDOSCORE_DATA name"
    with pytest.raises(CommandError, match=told):
        serve.prepare_places(tmp_path / ("deep" * 25))


# ./run with the packages that are there already: it would install its own.
RUN = """
import importlib.machinery, importlib.util, sys

loader = importlib.machinery.SourceFileLoader("run", "run")
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)
run.install, run.PYTHON = lambda lock: None, sys.executable
run.main(sys.argv[1:])
"""
CONNECT = "from django.db import connection; connection.ensure_connection()"


@pytest.mark.parametrize("is_new", [True, False], ids=["new folder", "folder that everybody reads"])
def test_files_of_a_command_are_their_owners_alone(tmp_path, is_new):
    data = tmp_path / "data"
    if not is_new:
        data.mkdir(mode=0o755)
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "SECRET_KEY"}}
    subprocess.run(
        [sys.executable, "-c", RUN, "manage", "shell", "--verbosity", "0", "-c", CONNECT],
        check=True,
        cwd=ROOT,
        env=kept | {"LUDOSCORE_DATA": str(data)},
    )
    assert modes(data) == {".": 0o700, "secret-key": 0o600, "ludoscore.sqlite3": 0o600}
