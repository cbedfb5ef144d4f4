"""Processes that are kept running: what their supervisor does where the machine or a child does not go along."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from tests.documents import ROOT

# A supervisor of children that do not heed SIGTERM, without the service.
PROGRAM = """
import os, signal, sys, time
sys.path.insert(0, {root!r})
from ops.supervisor import Supervisor

def stay():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("here", flush=True)
    talk()
    time.sleep(60)

def talk():
    pass

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


# Far more lines than a pipe holds, once a file is there, and then another file.
TALK = """
def talk():
    while not os.path.exists({asked!r}):
        time.sleep(0.01)
    for number in range(5_000):
        {say}("%4d " % number + "x" * 100)
    open({asked!r} + "-" + str(os.getpid()), "w").close()

def write(text):
    try:
        os.write(2, text.encode() + b"\\n")
    except BlockingIOError:
        pass  # as a program in another language has it
"""

# What a shell does for a program in the foreground: it learns when that is paused.
SHELL = """
import os, subprocess, sys
job = subprocess.Popen([sys.executable, sys.argv[1]], process_group=0)
os.tcsetpgrp(0, job.pid)
status = os.waitpid(job.pid, os.WUNTRACED)[1]
print("paused" if os.WIFSTOPPED(status) else "ended", flush=True)
job.kill()
"""


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
        try:
            yield process, said
        finally:
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


@pytest.mark.parametrize("say", ["print", "write"])
def test_children_go_on_while_the_supervisor_is_stopped_and_their_lines_come_later(tmp_path, say):
    asked = tmp_path / "asked"
    with supervised(tmp_path, TALK.format(asked=str(asked), say=say)) as (process, _said):
        process.send_signal(signal.SIGSTOP)
        asked.touch()
        end = time.monotonic() + 20
        while len(list(tmp_path.glob("asked-*"))) < 3:
            assert time.monotonic() < end, "they wait for somebody to read their lines"
            time.sleep(0.05)
        process.send_signal(signal.SIGCONT)
        lines = list(islice(process.stdout, 1_000))
        assert all("xxx\n" in line for line in lines)
        if say == "print":
            told = 0
            while told < 3:  # without a line more from any of them
                told += "lines could not be shown here" in process.stdout.readline()


RELOADING = """
import ops.supervisor

ops.supervisor.GRACE = {grace}

class Supervisor(ops.supervisor.Supervisor):
    def __init__(self, *args):
        super().__init__(*args, reload=signal.SIGHUP, leave=60)
"""
STAYS = """
def stay():
    has_begun = os.path.exists({begun!r})
    signal.signal(signal.SIGTERM, lambda *_: None if has_begun else os._exit(0))
    ops.supervisor.say_ready()
    print("here", flush=True)
    while not (has_begun and os.path.exists({ended!r})):
        time.sleep(0.01)
"""


@pytest.mark.parametrize("how", ["it ends", "another reload comes"])
def test_who_leaves_at_a_reload_ends_what_it_began_unless_another_reload_comes(tmp_path, how):
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    begun.touch()
    with supervised(tmp_path, RELOADING.format(grace=0.3) + STAYS.format(begun=str(begun), ended=str(ended))) as (
        process,
        _said,
    ):
        begun.unlink()
        old = children(process)
        reload(process)
        time.sleep(1)  # longer than who is to stop has
        assert old < children(process), "nor does one wait for another"
        if how == "it ends":
            ended.touch()
        else:
            reload(process)
        end = time.monotonic() + 20
        while len(children(process)) > 3:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert not old & children(process)


TELLS = """
def stay():
    has_begun = os.path.exists({begun!r})

    def end(*_):
        if not has_begun:
            open({told!r} + str(os.getpid()), "w").close()
            os._exit(0)

    signal.signal(signal.SIGTERM, end)
    ops.supervisor.say_ready()
    print("here", flush=True)
    while True:
        time.sleep(0.01)
"""


def test_at_a_stop_nobody_waits_for_who_still_leaves_since_a_reload(tmp_path):
    begun, told = tmp_path / "begun", tmp_path / "told-"
    begun.touch()
    with supervised(tmp_path, RELOADING.format(grace=3) + TELLS.format(begun=str(begun), told=str(told))) as (
        process,
        _said,
    ):
        begun.unlink()
        reload(process)
        old = len(children(process)) - 3
        assert old, "they have begun something"
        process.send_signal(signal.SIGTERM)
        end = time.monotonic() + 20
        while len(list(tmp_path.glob("told-*"))) < 3:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert len(children(process)) >= old, "the old ones have not ended when the new ones are told"


def reload(process: subprocess.Popen[str]) -> None:
    """Have all children replaced."""
    assert process.stdout is not None
    process.send_signal(signal.SIGHUP)
    while "replaced all processes" not in process.stdout.readline():
        assert process.poll() is None


def children(process: subprocess.Popen[str]) -> set[str]:
    """Return the ids of the children."""
    return set(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())


def test_ctrl_z_pauses_nothing_and_says_so(tmp_path):
    program, shell = tmp_path / "program.py", tmp_path / "shell.py"
    program.write_text(PROGRAM.format(root=str(ROOT), before=""))
    shell.write_text(SHELL)
    child, terminal = pty.fork()
    if not child:
        os.execv(sys.executable, [sys.executable, str(shell), str(program)])
    try:
        read_until(terminal, b"| here", 3)
        os.write(terminal, b"\x1a")
        read_until(terminal, b"Ctrl-Z pauses nothing here")
        os.write(terminal, b"\x03")
        read_until(terminal, b"Stopping")
        os.write(terminal, b"\x03")
        read_until(terminal, b"ended")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def read_until(terminal: int, text: bytes, times: int = 1) -> bytes:
    """Return what a terminal shows until it has shown a text, for twenty seconds at most."""
    shown, end = b"", time.monotonic() + 20
    while shown.count(text) < times:
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536)
            assert b"paused" not in shown
    return shown
