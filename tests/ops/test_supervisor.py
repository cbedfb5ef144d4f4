"""Processes that are kept running: what their supervisor does where the machine or a child does not go along."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.documents import ROOT

# A supervisor of children that do not heed SIGTERM, without the service.
PROGRAM = """
import os, signal, sys, time
sys.path.insert(0, {root!r})
from ops.supervisor import Supervisor

def stay():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("here", flush=True)
    time.sleep(60)

{before}
Supervisor(dict.fromkeys(["one", "two", "three"], stay), lambda line: print(line, flush=True)).run()
"""
FORK_FAILS_ONCE = """
real, calls = os.fork, []

def fork():
    calls.append(1)
    if len(calls) == 2:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return real()

os.fork = fork
"""

ENDS_ARE_IGNORED = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)"


@contextmanager
def supervised(folder: Path, before: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run three children under a supervisor; yield it once all three are there, and what it said."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(root=str(ROOT), before=before))
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        while said.count("| here") < 3:
            line = process.stdout.readline()
            assert line, said
            said += line
        yield process, said
        process.kill()


def test_a_second_signal_stops_all_children_at_once(tmp_path):
    with supervised(tmp_path) as (process, _said):
        process.terminate()
        assert "Stopping" in process.stdout.readline()
        began = time.monotonic()
        process.terminate()
        process.wait(40)
        assert time.monotonic() - began < 5


def test_a_child_that_cannot_be_started_is_tried_again_and_the_others_go_on(tmp_path):
    with supervised(tmp_path, FORK_FAILS_ONCE) as (_process, said):
        assert "two   | cannot be started: Resource temporarily unavailable; trying again in 0.5 s" in said


def test_a_child_that_ends_is_started_again_where_ends_of_children_were_ignored(tmp_path):
    with supervised(tmp_path, ENDS_ARE_IGNORED) as (process, _said):
        one = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
        os.kill(int(one), signal.SIGKILL)
        lines = [process.stdout.readline() for _ in range(2)]
        assert lines == ["one   | ended with SIGKILL; starting again in 0.5 s\n", "one   | here\n"]
