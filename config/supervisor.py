"""Keep several processes running as one: start, restart, stop, and leave none behind.

Standard library alone: nothing here knows what the processes do.
"""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from types import FrameType
from typing import IO

FIRST_DELAY = 0.5  # seconds before the first restart; each further one waits twice as long
LONGEST_DELAY = 30.0
STEADY = 30.0  # a child that lived this long has recovered
GRACE = 10.0  # seconds a child has to stop by itself
TICK = 0.2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
_libc = ctypes.CDLL(None)


def die_with_parent(parent: int, signum: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent, whose id is given, ends in whatever way.

    The signal comes when the *thread* that started this process ends, so a parent starts it from its main thread.
    """
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, signum)
    if os.getppid() != parent:  # it ended before the kernel was told
        os._exit(1)


def fork(name: str, run: Callable[[], object], output: int) -> int:
    """Start a child that calls a function, writes to a file descriptor and ends with this process; return its id.

    Only for the main thread of a process without others. What is imported here is shared with the child, which
    therefore starts at once and takes little memory of its own.
    """
    parent = os.getpid()
    if child := os.fork():
        return child
    status = 1
    try:
        _detach(name, parent, output)
        run()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def _detach(name: str, parent: int, output: int) -> None:
    die_with_parent(parent)
    if sys.platform == "linux":
        _libc.prctl(PR_SET_NAME, f"ludo-{name}".encode())  # what ps calls it
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, which then stops its children in order
    for signum in STOP_SIGNALS:
        signal.signal(signum, signal.SIG_DFL)
    for number, source in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
        os.dup2(source, number)
    os.closerange(3, 1024)  # among them the lock of the data folder and the pipes of the other children
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


class Child:
    """One process and its successors."""

    def __init__(self, name: str, run: Callable[[], object]) -> None:
        self.name, self.run = name, run
        self.pid = 0  # 0 while there is none
        self.output: IO[bytes] | None = None
        self.unfinished = b""  # the line it is in the middle of
        self.born = self.due = 0.0
        self.deaths = 0  # in a row, without a steady life in between

    def start(self) -> IO[bytes]:
        """Start the process and return its output."""
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        self.pid = fork(self.name, self.run, writer)
        os.close(writer)
        self.output = os.fdopen(reader, "rb", buffering=0)
        self.born = time.monotonic()
        return self.output

    def collect(self) -> int | None:
        """Return how the process ended, once: None while it runs or when there is none."""
        if not self.pid:
            return None
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if not ended:
            return None
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def send(self, signum: int) -> None:
        """Send the process a signal, if there is one."""
        if self.pid:
            os.kill(self.pid, signum)

    def schedule(self) -> float:
        """Choose when to start again, and return the seconds until then."""
        now = time.monotonic()
        self.deaths = 1 if now - self.born > STEADY else self.deaths + 1
        delay = min(FIRST_DELAY * 2.0 ** min(self.deaths - 1, 10), LONGEST_DELAY)
        self.due = now + delay
        return delay

    def lines(self, chunk: bytes) -> list[str]:
        """Return the whole lines that a piece of output completes; an empty piece completes the last one."""
        *whole, self.unfinished = (self.unfinished + chunk).split(b"\n")
        if not chunk and self.unfinished:
            whole, self.unfinished = [self.unfinished], b""
        return [line.decode(errors="replace").rstrip() for line in whole]


class Supervisor:
    """Run children until a signal says stop. They start in the order given and stop in the reverse one."""

    def __init__(self, children: Mapping[str, Callable[[], object]], write: Callable[[str], None]) -> None:
        self.children = [Child(name, run) for name, run in children.items()]
        self.write = write
        self.width = max(map(len, children))
        self.selector = selectors.DefaultSelector()
        self.signals = 0

    def run(self, each_tick: Callable[[], None]) -> None:
        """Keep the children running, and call back several times a second, until SIGINT, SIGTERM or SIGHUP."""
        for signum in STOP_SIGNALS:
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
            if not child.pid and time.monotonic() >= child.due:
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
            if (code := child.collect()) is None:
                continue
            while self._read(child):
                pass  # what it said last comes first
            self._close(child)
            delay = child.schedule()
            times = f", {child.deaths} times in a row" if child.deaths > 1 else ""
            self.say(f"ended with {_describe(code)}{times}; starting again in {delay:g} s", child.name)

    def _stop(self, child: Child) -> None:
        signals, end = self.signals, time.monotonic() + GRACE
        child.send(signal.SIGTERM)
        while child.pid and child.collect() is None:
            if self.signals > signals or time.monotonic() > end:
                child.send(signal.SIGKILL)
            self._relay()


def _describe(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
