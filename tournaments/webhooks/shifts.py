"""A worker's shift: send what is due by a few threads that hold no database connection, until nothing is due."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from tournaments.webhooks.sending import Outcome

SENDERS = 8
RESERVED = 2  # senders that are kept for receivers that answer
SHIFT = 20.0  # seconds after which a task takes on nothing new: it must end within its time limit
GLANCE = 0.5  # seconds between two looks at what has become due, while something is under way

M = TypeVar("M")
Clock = Callable[[], dt.datetime]


class _Claim(Protocol[M]):
    def __call__(self, now: dt.datetime, *, senders: int) -> list[M]: ...


@dataclass(frozen=True)
class Shift(Generic[M]):
    """What is sent in a shift: whether any is due, which messages to take on, how one is sent and written down.

    One task of a process is `at_work` at a time, so that its other threads stay free for other work.
    """

    is_due: Callable[[dt.datetime], bool]
    claim: _Claim[M]
    attempt: Callable[[M, dt.datetime], Outcome]
    record: Callable[[M, Outcome, dt.datetime], None]
    at_work: threading.Lock = field(default_factory=threading.Lock)

    def work(self, clock: Clock) -> None:
        """Send what is due until nothing is, or the shift is over.

        Returns at once while another thread of this process is at it: that one looks again after it has let go, so
        nothing that became due in the meantime waits for the next sweep.
        """
        end = time.monotonic() + SHIFT
        while time.monotonic() < end and self.is_due(clock()) and self.at_work.acquire(blocking=False):
            try:
                self._send(clock, end)
            finally:
                self.at_work.release()

    def _send(self, clock: Clock, end: float) -> None:
        running: dict[Future[Outcome], M] = {}
        with ThreadPoolExecutor(SENDERS, thread_name_prefix="sender") as pool:
            while True:
                if time.monotonic() < end:
                    for message in self.claim(clock(), senders=SENDERS - len(running)):
                        running[pool.submit(self.attempt, message, clock())] = message
                if not running:
                    return
                done, _ = wait(running, GLANCE, FIRST_COMPLETED)
                for each in done:
                    self.record(running.pop(each), each.result(), clock())
