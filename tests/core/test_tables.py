"""The tables of the database, brought up to date with words."""

from __future__ import annotations

import io

import pytest

from core import tables


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.fixture
def migrated(monkeypatch):
    """Stand in for `migrate`: three migrations, told as Django tells them."""
    calls = []

    def call(_command, **options):
        calls.append(options["verbosity"])
        if out := options.get("stdout"):
            for name in ("a.0001_first", "a.0002_second", "b.0001_first"):
                out.write(f"  Applying {name}...")
                out.write(" OK\n")

    monkeypatch.setattr(tables, "call_command", call)
    monkeypatch.setattr(tables, "_missing", lambda _database: 3)
    return calls


def test_terminal_is_told_how_many_steps_are_done(migrated):
    out = Terminal()
    tables.bring_up_to_date(out)
    lines = out.getvalue().split("\r\033[K")
    assert lines[1] == "Bringing the database up to date … 0 / 3"
    assert lines[-2:] == ["Bringing the database up to date … 3 / 3", ""]


def test_log_is_told_once(migrated):
    out = io.StringIO()
    tables.bring_up_to_date(out)
    assert (out.getvalue(), migrated) == ("Bringing the database up to date …\n", [0])


@pytest.mark.django_db
def test_nothing_is_said_where_nothing_is_missing():
    out = Terminal()
    tables.bring_up_to_date(out)
    assert out.getvalue() == ""
