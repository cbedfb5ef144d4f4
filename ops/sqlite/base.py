"""SQLite as Django has it, except that threads write in turn, and that it makes no file where one was moved away."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

AGAIN = 0.002  # seconds until a process asks again whether another one still writes
WRITES = ("INSERT", "UPDATE", "DELETE")

_opened: set[Path] = set()  # by this process, or by the one that it was forked from


class Queue:
    """The threads of this process that write to a file, one after the other as they came.

    SQLite has no queue: who finds it taken looks again after up to a tenth of a second, and may find it taken each
    time by somebody who came later.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[Lock] = deque()
        self._is_taken = False

    def enter(self, seconds: float) -> bool:
        """Wait for one's turn; say whether it came in time."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            turn = Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            has_come = turn.acquire(timeout=seconds)
        except BaseException:
            if not self._is_given_up(turn):
                self.leave()
            raise
        return has_come or not self._is_given_up(turn)

    def _is_given_up(self, turn: Lock) -> bool:
        """Wait for a turn no longer; say whether it had not come at the last moment."""
        with self._lock:
            is_waiting = turn in self._waiting
            if is_waiting:
                self._waiting.remove(turn)
            return is_waiting

    def leave(self) -> None:
        """Let the next one write."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False


_queues: defaultdict[str, Queue] = defaultdict(Queue)
os.register_at_fork(after_in_child=_queues.clear)  # of the threads that wrote, a child has none


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite; Django's stubs leave out how transactions begin and end."""

    _queue: Queue | None = None  # while it is the turn of this connection

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.execute_wrappers.append(self._in_turn)

    def _in_turn(self, execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        """Carry out what writes without a transaction in its turn, too: those that have one would overtake it."""
        if self.in_atomic_block or self._queue is not None or not sql.startswith(WRITES):
            return execute(sql, *given)
        queue, patience = self._own_queue(), self._patience()
        has_turn = queue.enter(patience / 1000)
        try:
            return execute(sql, *given)
        finally:
            if has_turn:
                queue.leave()

    def _start_transaction_under_autocommit(self) -> None:
        """Begin to write when it is one's turn; who waited in vain asks SQLite all the same."""
        queue, patience = self._own_queue(), self._patience()
        end = time.monotonic() + patience / 1000
        if queue.enter(patience / 1000):
            self._queue = queue
        try:
            self._begin(patience, end)
        except BaseException:
            self._end_turn()
            raise

    def _begin(self, patience: int, end: float) -> None:
        """Ask SQLite more often than it looks by itself: a process whose threads take turns leaves others few gaps."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    super()._start_transaction_under_autocommit()  # type: ignore[misc]
                except OperationalError as error:
                    code = getattr(error.__cause__, "sqlite_errorcode", 0)
                    is_stale = code == sqlite3.SQLITE_BUSY_SNAPSHOT  # waiting makes what this one reads no newer
                    if is_stale or code & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                        raise
                else:
                    return
                time.sleep(AGAIN)
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {patience}")

    def _own_queue(self) -> Queue:
        return _queues[str(self.settings_dict["NAME"])]

    def _patience(self) -> int:
        """Return the milliseconds that this connection waits for SQLite now: `/readyz` waits shorter than others."""
        self.ensure_connection()
        (patience,) = self.connection.execute("PRAGMA busy_timeout").fetchone()
        return int(patience)

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _end_turn(self) -> None:
        if self._queue is not None:
            queue, self._queue = self._queue, None
            queue.leave()

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """Open the file; make it only where it never was."""
        file = Path(os.path.realpath(str(conn_params["database"])))  # beside which SQLite keeps its log
        place = address(file, is_known=file in _opened)
        made: sqlite3.Connection = super().get_new_connection(conn_params | {"database": place})
        _opened.add(file)
        return made


def address(file: Path, *, is_known: bool = False) -> str:
    """Return how SQLite is to open a file: it may make one only where there is neither a file nor the log of one.

    Beside a new file it would throw that log away, and with it what was stored last in a file that comes back.
    """
    file = Path(os.path.realpath(file))
    log = file.with_name(f"{file.name}-wal")
    is_known = is_known or os.access(file, os.F_OK) or os.access(log, os.F_OK)
    return f"{file.absolute().as_uri()}?mode={'rw' if is_known else 'rwc'}"
