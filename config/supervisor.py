"""Keep several processes running as one: start, restart, stop, and leave none behind.

Standard library alone: nothing here knows what the processes do.
"""

from __future__ import annotations

import ctypes
import functools
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from types import FrameType
from typing import IO, Any

FIRST_DELAY = 0.5  # seconds before the first restart; each further one waits twice as long
LONGEST_DELAY = 30.0
STEADY = 30.0  # a child that lived this long has recovered
GRACE = 10.0  # seconds a child has to stop by itself
TICK = 0.2

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def die_with_parent(parent: int, signum: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent, whose id is given, ends in whatever way.

    The signal comes when the *thread* that started this process ends, so a parent starts it from its main thread.
    """
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, signum)
    if os.getppid() != parent:  # it ended before the kernel was told
        os._exit(1)


def spawn(command: list[str], *, at_death: int = signal.SIGKILL, **options: Any) -> subprocess.Popen[bytes]:
    """Start a child that gets a signal when this process ends; only for the main thread of one without others."""
    announce = functools.partial(die_with_parent, os.getpid(), at_death)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=announce, **options)  # noqa: S603, PLW1509


class Child:
    """One process and its successors."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name, self.command = name, command
        self.process: subprocess.Popen[bytes] | None = None
        self.output: IO[bytes] | None = None
        self.unfinished = b""  # the line it is in the middle of
        self.born = self.due = 0.0
        self.deaths = 0  # in a row, without a steady life in between

    def start(self) -> IO[bytes]:
        """Start the process and return its output."""
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        # A group of its own: Ctrl-C is for the supervisor, which then stops its children in order.
        self.process = spawn(self.command, stdout=writer, stderr=writer, process_group=0)
        os.close(writer)
        self.output = os.fdopen(reader, "rb", buffering=0)
        self.born = time.monotonic()
        return self.output

    def is_running(self) -> bool:
        """Tell whether the process was started and is not gone."""
        return self.process is not None and self.process.poll() is None

    def send(self, signum: int) -> None:
        """Send the process a signal, if it still runs."""
        if self.process is not None and self.is_running():
            self.process.send_signal(signum)

    def schedule(self) -> float:
        """Choose when to start again, and return the seconds until then."""
        now = time.monotonic()
        self.deaths = 1 if now - self.born > STEADY else self.deaths + 1
        delay = min(FIRST_DELAY * 2.0 ** min(self.deaths - 1, 10), LONGEST_DELAY)
        self.due, self.process = now + delay, None
        return delay

    def lines(self, chunk: bytes) -> list[str]:
        """Return the whole lines that a piece of output completes; an empty piece completes the last one."""
        *whole, self.unfinished = (self.unfinished + chunk).split(b"\n")
        if not chunk and self.unfinished:
            whole, self.unfinished = [self.unfinished], b""
        return [line.decode(errors="replace").rstrip() for line in whole]


class Supervisor:
    """Run children until a signal says stop. They start in the order given and stop in the reverse one."""

    def __init__(self, commands: Mapping[str, list[str]], write: Callable[[str], None]) -> None:
        self.children = [Child(name, command) for name, command in commands.items()]
        self.write = write
        self.width = max(map(len, commands))
        self.selector = selectors.DefaultSelector()
        self.signals = 0

    def run(self, each_tick: Callable[[], None]) -> None:
        """Keep the children running, and call back several times a second, until SIGINT, SIGTERM or SIGHUP."""
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self._note)
        try:
            while not self.signals:
                self._start_due()
                self._relay()
                self._reap()
                each_tick()
            self.say("Stopping (Ctrl-C again stops at once) …")
            for child in reversed(self.children):
                self._stop(child)
        finally:
            for child in self.children:
                child.send(signal.SIGKILL)

    def say(self, text: str, name: str = "") -> None:
        """Write a line, marked with the child that it comes from or is about."""
        self.write(f"{name:{self.width}} | {text}" if name else text)

    def _note(self, _signum: int, _frame: FrameType | None) -> None:
        self.signals += 1

    def _start_due(self) -> None:
        for child in self.children:
            if child.process is None and time.monotonic() >= child.due:
                self.selector.register(child.start(), selectors.EVENT_READ, child)

    def _relay(self) -> None:
        for key, _ in self.selector.select(TICK):
            self._read(key.data)

    def _read(self, child: Child) -> bool:
        """Pass on what a child has written, and tell whether there may be more."""
        if child.output is None:
            return False
        try:
            chunk = os.read(child.output.fileno(), 65536)
        except BlockingIOError:
            return False
        for line in child.lines(chunk):
            self.say(line, child.name)
        if not chunk:
            self._close(child)
        return bool(chunk)

    def _close(self, child: Child) -> None:
        if child.output is not None:
            self.selector.unregister(child.output)
            child.output.close()
            child.output = None

    def _reap(self) -> None:
        for child in self.children:
            if child.process is None or child.process.poll() is None:
                continue
            while self._read(child):
                pass  # what it said last comes first
            self._close(child)
            code, delay = child.process.returncode, child.schedule()
            times = f", {child.deaths} times in a row" if child.deaths > 1 else ""
            self.say(f"ended with {_describe(code)}{times}; starting again in {delay:g} s", child.name)

    def _stop(self, child: Child) -> None:
        signals, end = self.signals, time.monotonic() + GRACE
        child.send(signal.SIGTERM)
        while child.is_running():
            if self.signals > signals or time.monotonic() > end:
                child.send(signal.SIGKILL)
            self._relay()


def _describe(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
