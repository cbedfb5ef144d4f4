"""A worker's shift: send what is due by a few threads that hold no database connection, until nothing is due.

The senders go round in turn, because any receiver may take nearly all the time that it has, and still answer well:
whoever has the fewest messages under way is next, first among clubs, then among the events of one. The last senders
are kept for clubs of which nothing is under way, so that what another club is told does not wait for slow receivers.
"""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from core.publishing import publish
from tournaments.webhooks.sending import Outcome

SENDERS = 8
RESERVED = 2  # senders that are kept for receivers that answer, of clubs of which nothing is under way
SHIFT = 20.0  # seconds after which a task takes on nothing new: it must end within its time limit
GLANCE = 0.5  # seconds between two looks at what has become due, while something is under way

M = TypeVar("M")
Clock = Callable[[], dt.datetime]
Owner = tuple[int, ...]  # of a message: the club, and where it tells of one the event


class Waiting(NamedTuple):
    """Something that waits for a sender: what it is, whose, and whether its receiver has answered so far."""

    pk: int
    owner: Owner
    is_well: bool


def in_turn(waiting: Iterable[Waiting], under_way: Iterable[Owner], *, senders: int) -> list[int]:
    """Return what gets the free senders: whose owner has the fewest, and of those what waits first."""
    held = Counter(part for owner in under_way for part in _parts(owner))
    left, chosen = list(waiting), list[int]()
    while left and len(chosen) < senders:
        ranks = [_rank(each, held) for each in left]
        best = min(ranks)
        if senders - len(chosen) <= RESERVED and best[0] > 0:
            break
        first = left.pop(ranks.index(best))
        chosen.append(first.pk)
        held.update(_parts(first.owner))
    return chosen


def _rank(each: Waiting, held: Counter[Owner]) -> list[int]:
    """Return how many senders the club has, and the event; who did not answer stands behind as if it were more."""
    club, *others = (held[part] for part in _parts(each.owner))
    return [club if each.is_well else club + RESERVED, *others]


def _parts(owner: Owner) -> list[Owner]:
    return [owner[: depth + 1] for depth in range(len(owner))]


class _Claim(Protocol[M]):
    def __call__(self, now: dt.datetime, *, senders: int, under_way: Sequence[M]) -> list[M]: ...


@dataclass(frozen=True)
class Shift(Generic[M]):
    """What is sent in a shift: whether any is due, which messages to take on, how one is sent and written down.

    One task of a process is `at_work` at a time, so that its other threads stay free for other work. `task` is its
    name.
    """

    task: str
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
        while self.is_due(clock()):
            if time.monotonic() >= end:
                publish(self.task)  # for what is left, after whatever else waits for this thread
                return
            if not self.at_work.acquire(blocking=False):
                return
            try:
                self._send(clock, end)
            finally:
                self.at_work.release()

    def _send(self, clock: Clock, end: float) -> None:
        running: dict[Future[Outcome], M] = {}
        late: set[Future[Outcome]] = set()  # what was taken on after the end
        with ThreadPoolExecutor(SENDERS, thread_name_prefix="sender") as pool:
            while True:
                free, is_over = SENDERS - len(running), time.monotonic() >= end
                if is_over:  # while what is slow keeps us here, other clubs are still served
                    free = min(free, RESERVED) if running.keys() - late else 0
                for message in self.claim(clock(), senders=free, under_way=list(running.values())) if free else ():
                    future = pool.submit(self.attempt, message, clock())
                    running[future] = message
                    late.update([future] if is_over else [])
                if not running:
                    return
                done, _ = wait(running, GLANCE, FIRST_COMPLETED)
                for each in done:
                    self.record(running.pop(each), each.result(), clock())
