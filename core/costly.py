"""Work that costs much: one at a time in each process, a few more wait, and everybody else is asked to come back.

So whatever is asked for most often, a thread stays free for the evening, and what strangers have computed never keeps
the phones waiting more than one thread does. What waits holds a thread, so few may, and nobody for what takes long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Semaphore

from django.utils.translation import gettext as _

from core.errors import DomainError

# Threads, of the nine that a process has: what anybody may ask for, and what only those who proved themselves may.
# Together they leave one, also where all of them wait.
MOST, MOST_PROVED = 4, 4
PATIENCE = 5.0  # seconds that somebody waits


class TooManyAtOnceError(DomainError):
    """More of something costly was asked for at once than is done at a time."""

    code = "too-many-at-once"
    status = 429
    retry_after = 2

    def __init__(self) -> None:
        super().__init__(_("Too many ask for this at once. Try again in a moment."))


class Work:
    """Something that costs, done one at a time, and how many wait for their turn; `free` is one that works share."""

    def __init__(self, waiting: int, *threads: Semaphore, free: Semaphore | None = None) -> None:
        self.free, self.places, self.threads = free or Semaphore(1), Semaphore(1 + waiting), threads


_threads, _proved = Semaphore(MOST), Semaphore(MOST_PROVED)
# What is done beside logins leaves them a thread, and what is done beside seating leaves one to that.
_beside_logins, _beside_seating = Semaphore(MOST_PROVED - 1), Semaphore(MOST_PROVED - 1)
_beside_both = Semaphore(MOST_PROVED - 2)
# Of the four threads for anybody two are of those who have something computed: one at a time, as Python runs one at a
# time and each keeps the phones waiting, and one that waits for it. They leave one to moves and what else is short,
# and these together one to passwords, which are hashed outside of Python. More of both wait where there is room.
_beside_passwords = Semaphore(MOST - 1)
_computing, _computing_or_waiting = Semaphore(1), Semaphore(MOST - 2)
PASSWORD = Work(2, _threads)
SUSPECT_PASSWORD = Work(1, _threads)
# Moves of house players and records that are replayed; definitions that anybody tries, and sheets that are made up.
PLAY = OWN_GAME = Work(1, _beside_passwords, _threads)
EXPORT = Work(1, _computing_or_waiting, _beside_passwords, _threads, free=_computing)
# A page of a large event or a long season, that is not what everybody polls.
PAGE = Work(1, _computing_or_waiting, _beside_passwords, _threads, free=_computing)
SCHEMA = Work(1, _computing_or_waiting, _beside_passwords, _threads, free=_computing)
PICTURE = Work(1, _computing_or_waiting, _beside_passwords, _threads, free=_computing)
# Organisers, and a device that logged in before, never wait behind strangers; and neither of them behind the other.
KNOWN_PASSWORD = Work(1, _beside_seating, _proved)
SEATING = Work(1, _beside_logins, _proved)
FILE = Work(0, _beside_both, _beside_logins, _beside_seating, _proved)
# What people of a club read of it, and strangers too; no seating and no login waits behind it.
OWN = Work(1, _beside_both, _beside_logins, _beside_seating, _proved)


@contextmanager
def bounded(work: Work | None) -> Iterator[None]:
    """Do something that costs when it is its turn; raise TooManyAtOnceError where too many wait already.

    What is no work, because there is little of it, is done at once.
    """
    with ExitStack() as taken:
        if work is not None:
            for places in (*work.threads, work.places):
                taken.enter_context(_place(places))
            taken.enter_context(_turn(work.free))
        yield


@contextmanager
def _place(places: Semaphore) -> Iterator[None]:
    if not places.acquire(blocking=False):
        raise TooManyAtOnceError
    try:
        yield
    finally:
        places.release()


@contextmanager
def _turn(free: Semaphore) -> Iterator[None]:
    if not free.acquire(timeout=PATIENCE):
        raise TooManyAtOnceError
    try:
        yield
    finally:
        free.release()
