"""Keep several processes running as one: start, restart, replace, stop, and leave none behind.

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
from collections.abc import Callable, Collection, Iterator, Mapping
from types import FrameType
from typing import IO

from ops.console import Lines

FIRST_DELAY = 0.5  # seconds before the first restart; each further one waits twice as long
LONGEST_DELAY = 30.0
STEADY = 30.0  # a child that lived this long has recovered
GRACE = 10.0  # seconds a child has to stop by itself
START = 120.0  # seconds a child has to become ready before another that is leaves
TICK = 0.2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What a terminal sends to a program in the background that writes to it or reads from it, to pause it.
TERMINAL_SIGNALS = (signal.SIGTTOU, signal.SIGTTIN)

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


_ready: list[int] = []  # in a child: where it tells its parent that it is ready


def say_ready() -> None:
    """Tell the supervisor of this process that it does its work from now on."""
    while _ready:
        writer = _ready.pop()
        os.write(writer, b".")
        os.close(writer)


def fork(name: str, run: Callable[[], object], output: int, keep: Collection[int] = ()) -> int:
    """Start a child that calls a function and ends with this process; return its id.

    It writes to a file descriptor, and keeps no other file open but those it is to keep.

    Only for the main thread of a process without others. What is imported here is shared with the child, which
    therefore starts at once and takes little memory of its own.
    """
    parent = os.getpid()
    if child := os.fork():
        return child
    status = 1
    try:
        _detach(name, parent, output, keep)
        run()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.close()
        finally:
            # Not `sys.exit`: the child must neither return into the parent's loop nor run its exit handlers.
            os._exit(status)


def _detach(name: str, parent: int, output: int, keep: Collection[int]) -> None:
    die_with_parent(parent)
    if sys.platform == "linux":
        _libc.prctl(PR_SET_NAME, f"ludo-{name}".encode())  # what ps calls it
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, which then stops its children in order
    # A fork inherits the supervisor's handlers, which only count, so the child could not be stopped.
    for signum in STOP_SIGNALS:
        signal.signal(signum, signal.SIG_DFL)
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # a service is not paused, whoever asks for it
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _write_to(output)
    first = 3
    for kept in sorted({1024, *keep}):
        os.closerange(first, kept)  # among them the lock of the data folder and the pipes of the other children
        first = kept + 1


def _write_to(pipe: int) -> None:
    """Have everything in this process write into a pipe, and nothing ever wait for room in it.

    The supervisor, which empties it, may be stopped or slow. Lines of Python then wait in `Lines`, within a bound.
    What libraries in C and Rust write into the descriptor itself can wait nowhere, so the pipe refuses it instead of
    holding up their thread: they lose a line, and go on. This end of the pipe belongs to this process and what it
    starts, so nobody else meets a file that does not block.
    """
    os.set_blocking(pipe, False)
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    sys.stdout = sys.stderr = Lines(1)


class Child:
    """One process and its successors."""

    def __init__(self, name: str, run: Callable[[], object], keep: Collection[int] = ()) -> None:
        self.name, self.run, self.keep = name, run, keep
        self.pid = 0  # 0 while there is none
        self.output: IO[bytes] | None = None
        self.ready: IO[bytes] | None = None
        self.is_ready = False
        self.unfinished = b""  # the line it is in the middle of
        self.born = self.due = 0.0
        self.deaths = 0  # in a row, without a steady life in between

    def start(self) -> None:
        """Start the process; OSError where the machine has no room for one more."""
        self.born = time.monotonic()
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
            ready, say, reader, writer = pipes
            _ready.append(say)
            self.pid = fork(self.name, self.run, writer, {*self.keep, say})
        except OSError:
            for each in pipes:
                os.close(each)
            raise
        finally:
            _ready.clear()
        self.ready, self.is_ready = _reading(ready), False
        os.close(say)
        os.close(writer)  # while this end is open here, the reader never sees the end of the output
        self.output = _reading(reader)

    def look(self) -> bool:
        """Tell whether the process has said that it is ready."""
        if self.ready is not None and (said := self.ready.read(1)) is not None:
            self.is_ready = bool(said)
            self.ready.close()
            self.ready = None
        return self.is_ready

    def collect(self) -> int | None:
        """Return how the process ended, once: None while it runs or when there is none."""
        if not self.pid:
            return None
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if not ended:
            return None
        # From here on the kernel may give the id to another process, so `send` must not use it.
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


def _reading(descriptor: int) -> IO[bytes]:
    os.set_blocking(descriptor, False)  # a grandchild may keep the pipe open after the child has ended
    return os.fdopen(descriptor, "rb", buffering=0)


class Supervisor:
    """Run children until a signal says stop. They start in the order given and stop in the reverse one.

    `keep` names the files that a child shares with its successors. What children write is passed on line by line,
    `marked` with the child that wrote it or just as it is. A `reload` signal replaces every child by a new one; an old
    one has `leave` seconds to end what it began, but no more than it has to stop once another reload comes.
    """

    def __init__(
        self,
        children: Mapping[str, Callable[[], object]],
        write: Callable[[str], None],
        *,
        keep: Mapping[str, Collection[int]] | None = None,
        marked: bool = True,
        reload: signal.Signals | None = None,
        leave: float = GRACE,
    ) -> None:
        keep = keep or {}
        self.children = [Child(name, run, keep.get(name, ())) for name, run in children.items()]
        self.leaving: list[tuple[Child, float]] = []
        self.write, self.marked, self.reload, self.leave = write, marked, reload, leave
        self.width = max(map(len, children))
        self.selector = selectors.DefaultSelector()
        self.signals = self.reloads = self.pauses = 0

    def run(self, each_tick: Callable[[], None] = lambda: None, at_stop: Callable[[], None] = lambda: None) -> None:
        """Keep the children running, and call back several times a second, until SIGINT, SIGTERM or SIGHUP.

        It ends with them where a child ends for its configuration before any has become ready.
        """
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # while it is ignored, nobody learns how a child ended
        for signum in STOP_SIGNALS:
            if signum != signal.SIGHUP or signum == self.reload or not _outlives_the_terminal():
                signal.signal(signum, self._note)
        signal.signal(signal.SIGTSTP, self._note)
        for signum in TERMINAL_SIGNALS:
            signal.signal(signum, signal.SIG_IGN)
        rolling: Iterator[None] | None = None
        try:
            while not self.signals:
                self._start_due()
                self._relay()
                self._reap()
                if self.reloads and rolling is None:
                    self.reloads, rolling = 0, self._roll()
                if rolling is not None and next(rolling, self) is self:
                    rolling = None
                if self.pauses:
                    self.pauses = 0
                    self.say("Ctrl-Z pauses nothing here: the service goes on. Ctrl-C stops it.")
                each_tick()
            signals = self.signals
            self.say("Stopping (Ctrl-C again stops at once) …")
            at_stop()
            end = time.monotonic() + GRACE  # one for all of those that were asked before
            for child, _ in self.leaving:
                child.send(signal.SIGTERM)
            for child in reversed(self.children):
                self._stop(child, signals, time.monotonic() + GRACE)
            for child, _ in self.leaving:
                self._stop(child, signals, end)
        finally:
            for child in [*self.children, *(child for child, _ in self.leaving)]:
                child.send(signal.SIGKILL)

    def is_ready(self, name: str) -> bool:
        """Tell whether a child has said that it does its work."""
        return any(child.look() for child in self.children if child.name == name)

    def say(self, text: str, name: str = "") -> None:
        """Write a line, marked with the child that it comes from or is about."""
        self.write(f"{name:{self.width}} | {text}" if name else text)

    def _note(self, signum: int, _frame: FrameType | None) -> None:
        # A handler can interrupt any statement, so it only counts; the loop sees it within a tick.
        if signum == self.reload:
            self.reloads += 1
        elif signum == signal.SIGTSTP:
            self.pauses += 1
        else:
            self.signals += 1

    def _start_due(self) -> None:
        for child in self.children:
            if not child.pid and time.monotonic() >= child.due:
                self._start(child)

    def _start(self, child: Child) -> None:
        try:
            child.start()
        except OSError as error:  # the others go on meanwhile
            self.say(f"cannot be started: {error.strerror}; trying again in {child.schedule():g} s", child.name)
        if child.output is not None:
            self.selector.register(child.output, selectors.EVENT_READ, child)

    def _roll(self) -> Iterator[None]:
        """Replace the children, one after the other: the old one leaves once the new one is ready.

        One that ends or hangs instead of becoming ready is given up, and the old ones go on.
        """
        soon = time.monotonic() + GRACE
        self.leaving = [(child, min(end, soon)) for child, end in self.leaving]
        for place, old in enumerate(self.children):
            new = Child(old.name, old.run, old.keep)
            self._start(new)
            self.leaving.append((new, new.born + START))  # ended with the others, if the service is to stop now
            while not new.look():
                if not new.pid:
                    self.say("the new process did not start; the old ones go on", new.name)
                    return
                yield
            self.leaving = [entry for entry in self.leaving if entry[0] is not new]
            self.children[place] = new
            old.send(signal.SIGTERM)
            self.leaving.append((old, time.monotonic() + self.leave))
        self.say("replaced all processes")

    def _relay(self) -> None:
        if self.selector.get_map():
            ready = self.selector.select(TICK)
        else:
            ready = []
            time.sleep(TICK)
        for key, _ in ready:
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
            self.say(line, child.name if self.marked else "")
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
            if (code := self._collect(child)) is None:
                continue
            if code == os.EX_CONFIG and not any(each.pid and each.look() for each in self.children):
                sys.exit(code)  # what its environment says cannot be used: none would start, however often it is tried
            delay = child.schedule()
            times = f", {child.deaths} times in a row" if child.deaths > 1 else ""
            self.say(f"ended with {_describe(code)}{times}; starting again in {delay:g} s", child.name)
        for child, deadline in self.leaving:
            if time.monotonic() > deadline:
                child.send(signal.SIGKILL)
            self._collect(child)
        self.leaving = [entry for entry in self.leaving if entry[0].pid]

    def _collect(self, child: Child) -> int | None:
        """Return how a child ended, if it did, after its last words, which are often a traceback."""
        if (code := child.collect()) is not None:
            while self._read(child):
                pass
            self._close(child)
        return code

    def _stop(self, child: Child, signals: int, end: float) -> None:
        """Stop a child, at once where more signals have come by now than those that said stop."""
        child.send(signal.SIGTERM)
        while child.pid and self._collect(child) is None:
            if self.signals > signals or time.monotonic() > end:
                child.send(signal.SIGKILL)
            self._relay()  # its last words wait a moment for room in the pipe


def _outlives_the_terminal() -> bool:
    """Tell whether this process was started by `nohup`, to go on when its terminal is closed."""
    return signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def _describe(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
