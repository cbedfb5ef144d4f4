"""What an error of the database says about its disk."""

from __future__ import annotations

import errno
import os
import sqlite3

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import RequestFactory

from core import disk
from ops.errors import server_error


@pytest.fixture(autouse=True)
def nothing_met(monkeypatch):
    monkeypatch.setattr(disk, "_met", {})
    monkeypatch.setattr(disk, "_told", {})


def wrapped(cause):
    error = DatabaseError("as Django has it")
    error.__cause__ = cause
    return error


def of_sqlite(code):
    error = sqlite3.OperationalError("as SQLite has it")
    error.sqlite_errorcode = code
    return wrapped(error)


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), disk.FULL),
        (of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), disk.READ_ONLY),
        (of_sqlite(sqlite3.SQLITE_CORRUPT_INDEX), disk.DAMAGED),
        (of_sqlite(sqlite3.SQLITE_NOTADB), disk.DAMAGED),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), disk.FAILING),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), disk.CLOSED),
        (of_sqlite(sqlite3.SQLITE_BUSY), None),
        (wrapped(psycopg.errors.DiskFull()), disk.FULL),
        (wrapped(psycopg.errors.ReadOnlySqlTransaction()), disk.READ_ONLY),
        (wrapped(psycopg.errors.IndexCorrupted()), disk.DAMAGED),
        (wrapped(psycopg.errors.AdminShutdown()), None),
        (ValueError(), None),
        (None, None),
    ],
)
def test_causes_are_told_apart(error, trouble):
    assert disk.trouble_of(error) is trouble


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_CANTOPEN])
def test_no_room_for_what_sqlite_makes_beside_its_file_is_a_full_disk(monkeypatch, code):
    monkeypatch.setattr(disk, "_is_full", lambda: True)
    assert disk.trouble_of(of_sqlite(code)) is disk.FULL


@pytest.mark.parametrize(
    ("refused", "trouble"),
    [(errno.ENOSPC, disk.FULL), (errno.EDQUOT, disk.FULL), (errno.EFBIG, disk.FULL), (errno.EIO, disk.FAILING)],
)
def test_write_that_failed_is_tried_again_beside_the_database_to_learn_why(monkeypatch, tmp_path, refused, trouble):
    def write(*_):
        raise OSError(refused, os.strerror(refused))

    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "ludoscore.sqlite3")
    monkeypatch.setattr(os, "write", write)
    assert disk.trouble_of(of_sqlite(sqlite3.SQLITE_IOERR_WRITE)) is trouble


def test_try_beside_the_database_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "ludoscore.sqlite3")
    assert disk.trouble_of(of_sqlite(sqlite3.SQLITE_IOERR_WRITE)) is disk.FAILING
    assert not list(tmp_path.iterdir())


def test_worst_is_shown_until_it_is_over_and_damage_for_good(monkeypatch):
    assert disk.present() is None
    disk.note(of_sqlite(sqlite3.SQLITE_FULL))
    assert disk.present() is disk.FULL
    disk.forget()
    assert disk.present() is None
    disk.note(of_sqlite(sqlite3.SQLITE_CORRUPT))
    disk.forget()
    assert disk.present() is disk.DAMAGED


def test_console_is_told_once_in_a_while(caplog):
    for _ in range(100):
        disk.note(of_sqlite(sqlite3.SQLITE_FULL))
    assert [record.getMessage() for record in caplog.records] == [f"{disk.FULL.remedy} (as Django has it)"]


@pytest.mark.parametrize(
    ("path", "word"), [("/api/v1/clubs/", '"code": "disk-full"'), ("/e/x/", "Nothing can be saved")]
)
def test_full_disk_is_a_problem_in_the_api_and_a_page_elsewhere(path, word):
    try:
        raise OperationalError from of_sqlite(sqlite3.SQLITE_FULL).__cause__
    except OperationalError:
        response = server_error(RequestFactory().get(path))
    assert (response.status_code, response["Retry-After"]) == (507, "2")
    assert word in response.content.decode()
