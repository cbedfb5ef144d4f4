"""The examples of the clients run a whole event, and the same one: the same people, sheets and standings."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.clients.nodes import needs_node
from tests.conftest import make_club
from tests.documents import ROOT

JAVASCRIPT = ["node", str(ROOT / "clients/typescript/examples/whole_event.js")]
PYTHON = [sys.executable, str(ROOT / "clients/python/examples/whole_event.py")]


@pytest.fixture
def evening(service):
    """Return a function that runs an example in a club of its own, and returns the lines it printed."""
    clubs = iter(["Club One", "Club Two"])

    def run(command):
        made = make_club(next(clubs))
        settings = {"CLUB": made["club"], "TOKEN": made["token"], "PYTHONPATH": str(ROOT / "clients/python")}
        done = subprocess.run(
            command, check=False, env={**os.environ, **settings}, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_python_runs_a_whole_event(evening):
    lines = evening(PYTHON)
    assert len(lines) == 12
    assert lines[0].startswith("  1. Ana ")


@needs_node
def test_both_clients_run_the_same_event(evening):
    assert evening(JAVASCRIPT) == evening(PYTHON)
