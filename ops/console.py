"""Lines for whoever started the service: they are told, and can never hold it up or end it.

A terminal may be paused (Ctrl-S, or a selection in some windows), a log may lie on a full disk, whoever read a pipe
may be gone. Lines then wait, up to a bound, and are left out after that. Standard library alone.
"""

from __future__ import annotations

import io
import os
import select
import threading
import time
from contextlib import suppress
from typing import TextIO

MOST_WAITING = 200_000  # bytes
EMPTIED_EVERY = 0.1  # seconds, while lines of a process wait
AT_THE_END = 1.0  # seconds that the last lines have
RETRIED = 1.0  # seconds after an error such as that of a full disk


class Console:
    """Writes lines to where a text file writes, as fast as they are taken there."""

    def __init__(self, file: TextIO) -> None:
        file.flush()
        self.file = file  # kept open
        self.encoding = file.encoding
        self.descriptor = _opened_anew(file)
        self.waiting = bytearray()
        self.left_out = 0
        self.paused_until = 0.0

    def write(self, text: str) -> None:
        """Write a line now if it can be, else when it can be."""
        line = f"{text}\n".encode(self.encoding, "replace")  # a terminal may know fewer letters than people have
        if len(self.waiting) + len(line) > MOST_WAITING:
            self.left_out += 1
        else:
            self.waiting += line
        self.flush()

    def flush(self) -> None:
        """Write what waits, as far as it is taken without waiting."""
        while self.waiting:
            try:
                if not self._is_taken():
                    return
                del self.waiting[: os.write(self.descriptor, self.waiting[: select.PIPE_BUF])]
            except BlockingIOError:
                return
            except OSError:
                self.paused_until = time.monotonic() + RETRIED
                return
            if not self.waiting and self.left_out:
                self.waiting += f"({self.left_out} lines could not be shown here.)\n".encode(self.encoding, "replace")
                self.left_out = 0

    def close(self) -> None:
        """Give the last lines a moment."""
        end = time.monotonic() + AT_THE_END
        while self.waiting and time.monotonic() < end and not self.paused_until > time.monotonic():
            self.flush()
            time.sleep(0.01)
        if self.descriptor != self.file.fileno():
            os.close(self.descriptor)

    def _is_taken(self) -> bool:
        if self.paused_until > time.monotonic():
            return False
        # So many bytes fit into a pipe that can be written to; a file can always be.
        return bool(select.select([], [self.descriptor], [], 0)[1])


class Lines(io.TextIOBase):
    """A text file for all threads of a process, none of which ever waits for whoever reads it.

    What could not be written at once follows as soon as it is taken, also where nobody writes anything more.
    """

    def __init__(self, descriptor: int) -> None:
        self.console = Console(os.fdopen(descriptor, "w", encoding="utf-8", closefd=False))
        self.unfinished = ""
        self.is_emptied = False  # by a thread, while something waits
        self.lock = threading.RLock()  # what is thrown away in the middle of a line may have something to say too

    def fileno(self) -> int:
        """Return the descriptor."""
        return self.console.descriptor

    def write(self, text: str) -> int:
        """Write the whole lines of a text, and keep the rest for the next one."""
        with self.lock:
            lines, end, self.unfinished = (self.unfinished + text).rpartition("\n")
            if end:
                self.console.write(lines)
            if self.console.waiting and not self.is_emptied:
                with suppress(RuntimeError):  # there is no room for one more thread: the next line tries again
                    threading.Thread(target=self._empty, daemon=True).start()
                    self.is_emptied = True
        return len(text)

    def close(self) -> None:
        """Write what is left, and give it a moment."""
        with self.lock:
            if self.unfinished:
                self.write("\n")
            self.console.close()

    def _empty(self) -> None:
        waits = True
        while waits:
            time.sleep(EMPTIED_EVERY)
            with self.lock:
                self.console.flush()
                self.is_emptied = waits = bool(self.console.waiting)


def _opened_anew(file: TextIO) -> int:
    """Return the descriptor to write to; of a terminal a new one, on which no write waits.

    Set on the one that was given, this would hold for the shell too, which shares it.
    """
    if file.isatty():
        try:
            return os.open(os.ttyname(file.fileno()), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            pass  # a terminal of another container has no name here
    return file.fileno()
