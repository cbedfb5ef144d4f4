"""Faults 51 and 55: what the disk of a café's laptop may do."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
import urllib.error
import urllib.request
from functools import partial

import pytest
from django.db import connection

from tests.faults.audit import audit, settle
from tests.faults.counts import count
from tests.faults.phones import call, evenings, requests_of
from tests.faults.sqlite_disk import SYNCED
from tests.faults.stand import wait_for

PARTS = ("web", "worker", "beat")
FILE = "faults.sqlite3"


def cut_power(stand):
    """End every process at once, and leave of the database what was synced."""
    for name in PARTS:
        stand.kill(name)
    left = stand.folder / "left"
    shutil.copytree(stand.folder / SYNCED, left)
    connection.close()  # it may still write and sync, which no longer matters
    for ending in ("", "-wal", "-shm"):
        (stand.folder / f"{FILE}{ending}").unlink(missing_ok=True)
    for name in (FILE, f"{FILE}-wal"):
        if (left / name).exists():
            shutil.copyfile(left / name, stand.folder / name)
    shutil.rmtree(left)
    stand.start(*PARTS)


def seconds_per_commit(folder, mode, commits):
    """Return how long a small commit takes on SQLite, synchronous as the mode says."""
    with contextlib.closing(sqlite3.connect(folder / f"{mode}.sqlite3", isolation_level=None)) as link:
        link.execute("PRAGMA journal_mode=WAL")
        link.execute(f"PRAGMA synchronous={mode}")
        link.execute("CREATE TABLE acts (text)")
        began = time.perf_counter()
        for _ in range(commits):
            link.execute("INSERT INTO acts VALUES (hex(randomblob(200)))")
        return (time.perf_counter() - began) / commits


@pytest.mark.fault(51, "power cut: the service starts from what was fsynced")
def test_51_acknowledged_results_survive_a_power_cut(disk_stand, ledger, figures, tmp_path):
    cuts = count(1, 5)
    for _ in range(cuts):
        for each in requests_of(evenings(12, confirmation="trust")):
            assert ledger.send(*each).status == 201
        cut = time.monotonic()
        cut_power(disk_stand)
        settle()
        figures.recovered(cut, within=60)
    full, normal = (1000 * seconds_per_commit(tmp_path, mode, count(100, 1000)) for mode in ("FULL", "NORMAL"))
    cost = f"a commit takes {full:.2f} ms, with NORMAL {normal:.2f} ms ({full / normal:.0f} times less)"
    figures.clean(f"{12 * cuts} reports, {cuts} cuts; {cost}")


def cut_with_normal(stand, ledger):
    """Report with `synchronous=NORMAL`, cut the power, and return how many acknowledged results are lost."""
    stand.environment["FAULTS_DISK"] = "NORMAL"
    try:
        for name in PARTS:
            stand.kill(name)
        stand.start(*PARTS)
        for each in requests_of(evenings(12, confirmation="trust")):
            assert ledger.send(*each).status == 201
    finally:
        stand.environment["FAULTS_DISK"] = "FULL"
        cut_power(stand)
    settle()
    return audit(ledger).lost


def test_51_control_with_normal_acknowledged_results_are_lost(disk_stand, ledger):
    # A checkpoint of the database just before the cut saves them all, so one cut may show nothing.
    assert any(cut_with_normal(disk_stand, ledger) for _ in range(5))


TROUBLES = {"disk-full": (507, "The disk is full"), "disk-read-only": (503, "The database cannot be written")}
CODES = {"disk-full": "disk-full", "disk-read-only": "database-read-only"}


def readiness(stand):
    """Return what `/readyz` says of all, and of the database."""
    body = call(stand.port, "GET", "/readyz").body
    return body["status"], body["checks"]["database"]


def read_page(stand, path, data=None):
    """Return status and text of a page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{stand.port}{path}", data, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def is_said(stand, name, line):
    """Tell whether a process has written something."""
    return line in stand.log(name)


@pytest.mark.fault(55, "disk full, then read-only")
def test_55_disk_that_takes_nothing_is_told_and_goes_on_when_it_does(disk_stand, ledger, figures):
    settle()
    tables = requests_of(evenings(2, confirmation="trust"))
    wait_for(lambda: readiness(disk_stand)[1] == "ok")
    for (name, (status, line)), (table, body, token) in zip(TROUBLES.items(), tables, strict=True):
        disk_stand.arm(name)
        try:
            answer = ledger.send(table, body, token, name)
            assert (answer.status, answer.code) == (status, CODES[name])
            assert readiness(disk_stand) == ("degraded", CODES[name])
            assert call(disk_stand.port, "GET", f"/api/v1/tables/{table}/", token=token).status == 200, "reads go on"
            assert line in disk_stand.log("web")
            wait_for(partial(is_said, disk_stand, "worker", line))
        finally:
            disk_stand.disarm(name)
        free = time.monotonic()
        assert ledger.insist(table, body, token, name).status == 201
        wait_for(lambda: readiness(disk_stand)[1] == "ok")
        settle()
        figures.recovered(free, within=60)
    figures.clean("507 and 503 with their codes, said by /readyz and on the console; reads go on")


def damage(file):
    """Overwrite the first page of a table, as a worn disk does."""
    with contextlib.closing(sqlite3.connect(file)) as link:
        link.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = link.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tournaments_event'").fetchone()
        (size,) = link.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xff" * size)


@pytest.mark.fault(55, "damaged page of the database")
def test_55_damaged_file_is_told(disk_stand, ledger, figures):
    there = evenings(1, confirmation="trust")[0]
    assert ledger.report(there).status == 201
    settle()
    path, file = f"/e/{there.event.uid}/", disk_stand.folder / FILE
    connection.close()
    for name in PARTS:
        disk_stand.kill(name)
    with contextlib.closing(sqlite3.connect(file)) as link:
        link.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = shutil.copyfile(file, disk_stand.folder / "whole")
    try:
        damage(file)
        disk_stand.start("web")
        answer = call(disk_stand.port, "GET", f"/api/v1/events/{there.event.uid}/")
        assert (answer.status, answer.code) == (503, "database-damaged")
        status, text = read_page(disk_stand, path)
        assert (status, "damaged" in text) == (503, True)
        wait_for(lambda: readiness(disk_stand)[1] == "database-damaged", 10)
        assert "The database is damaged" in disk_stand.log("web")
    finally:
        disk_stand.kill("web")
        for ending in ("-wal", "-shm"):
            (disk_stand.folder / f"{FILE}{ending}").unlink(missing_ok=True)
        shutil.copyfile(whole, file)
        mended = time.monotonic()
        disk_stand.start(*PARTS)
    assert call(disk_stand.port, "GET", f"/api/v1/events/{there.event.uid}/").status == 200
    figures.recovered(mended, within=60)
    figures.clean("503 database-damaged; whole again after the file was put back")
