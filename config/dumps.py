"""The whole database as one file, and back: SQLite through its own backup, PostgreSQL through its own programs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

MAGIC = {b"SQLite format 3\0": "sqlite", b"PGDMP": "postgresql"}
# What libpq reads from the environment: a password must not stand in a command, which everybody on the machine sees.
VARIABLES = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD", "NAME": "PGDATABASE"}
TLS = ("sslmode", "sslrootcert", "sslcert", "sslkey")


class DumpError(Exception):
    """A reason why a dump cannot be made or used, in one sentence."""


def kind_of(file: Path) -> str:
    """Return which database a dump is of: `sqlite` or `postgresql`."""
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise DumpError(f"{file} cannot be read: {error.strerror}.") from error
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return kind
    raise DumpError(f"{file} is not a backup of Ludoscore.")


def dump(database: BaseDatabaseWrapper, file: Path) -> None:
    """Write one state of a database into a new file that only its owner can read, while others go on writing."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    try:
        part.touch(mode=0o600)
        if database.vendor == "sqlite":
            _copy(Path(str(database.settings_dict["NAME"])), part)
            check(part)
        else:
            options = ("--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
            _run("pg_dump", database.settings_dict, *options)
        part.rename(file)
    except OSError as error:
        raise DumpError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def load(database: BaseDatabaseWrapper, file: Path) -> None:
    """Make a database what a dump says, in one transaction; what else was in it is lost."""
    if database.vendor == "sqlite":
        check(file)
        target = Path(str(database.settings_dict["NAME"]))
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy(file, target)
    else:
        options = ("--no-owner", "--no-privileges", "--clean", "--if-exists", "--single-transaction")
        name = str(database.settings_dict["NAME"])
        _run("pg_restore", database.settings_dict, *options, f"--dbname={name}", str(file))


def check(file: Path) -> None:
    """Refuse a SQLite file with a damaged page or a reference that leads nowhere."""
    try:
        with closing(sqlite3.connect(file)) as opened:
            opened.execute("PRAGMA journal_mode=DELETE")  # so that the one file is all there is
            damage = opened.execute("PRAGMA integrity_check").fetchone() != ("ok",)
            dangling = opened.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise DumpError(f"{file} is damaged: {error}.") from error
    if damage or dangling:
        raise DumpError(f"{file} is damaged.")


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)  # all pages in one step: one state, whoever writes meanwhile


def _run(program: str, settings: dict[str, Any], *options: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise DumpError(f"{program} is not on the PATH: install PostgreSQL's client programs, as new as the server.")
    link = {variable: str(settings[name]) for name, variable in VARIABLES.items() if settings.get(name)}
    link |= {f"PG{name.upper()}": settings["OPTIONS"][name] for name in TLS if name in settings["OPTIONS"]}
    done = subprocess.run(  # noqa: S603 -- a program of PostgreSQL, with options of ours
        [found, *options], env=os.environ | link, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise DumpError(f"{program} failed: {done.stderr.strip()}")
