"""Everybody who waits for news of an event in this process, and the thread that tells them.

The database is the truth, whichever process wrote: while somebody listens, one thread asks for the heads of all their
events in one statement, some times a second, and reads more only of those that changed. That works alike on SQLite
and PostgreSQL, behind a pooler, with any broker and with none (`docs/performance.md` has what it costs).
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection
from django.utils.translation import gettext as _

from core import epochs
from core.errors import DomainError
from core.held import Send, answering
from scoring.news.reading import Question, follow, read
from scoring.news.state import Difference, EventState, Head, What
from tournaments.access import guards
from tournaments.access.guards import Guard

logger = logging.getLogger(__name__)

MOST_DIGITS = 18  # of a version that a reader knows
EVERY = 0.4  # seconds between two looks …
SHARE = 10  # … or so many times as long as the last one took, so that looking is a tenth of the work at the most
GUARDED_EVERY = 5.0  # seconds between two looks at what readers were let in by
RATED_EVERY = 2.0  # seconds between two looks at the ratings of an event: those of a busy game never stand still
BLIND = 10.0  # seconds without an answer of the database after which readers are sent away, to ask for themselves
BEAT = 12.0  # seconds of silence; proxies and phones drop a connection that says nothing for long
LONGEST = 900.0  # seconds that a stream lasts, about: its reader comes again, to whichever process has room
MOST_BYTES = 200_000  # of one stream: nothing tells how much of it a slow reader has not taken yet
FETCHED = (b"event: news", b"event: change")  # what makes a reader fetch something: a page, or a list
AT_ONCE = 12  # readers who are told so at once, more than sit at a table; the others …
APART = 1 / 40  # … so many seconds apart, and only while this process answers so few requests …
FEW = 2
LATEST = 0.25  # … or after so many seconds, however busy it is
MOST = 4000  # streams of a process
MOST_EACH = 20  # of a credential
MOST_PER_ADDRESS = 500  # without one: a café is one address
REMEMBERED = 200  # changes of an event, to tell who comes back what they missed

Say = Callable[[Difference], bytes]


def place_of(state: EventState) -> str:
    """Return what says how far somebody has heard who knows a state."""
    return f"{state.version}-{epochs.current()}"


class TooManyStreamsError(DomainError):
    """More streams are open than one reader, or the process, may hold."""

    code = "too-many-streams"
    status = 429
    retry_after = 30

    def __init__(self) -> None:
        super().__init__(_("Too many streams are open. Close some, or ask again every few seconds instead."))


@dataclass(eq=False)
class Listener:
    """Somebody who waits for news of an event, from a state on that they know.

    `say` turns what happened into what is sent, empty where it is none of their business; it is called in the thread
    of the hub. `holder` is whom the stream is counted under.
    """

    event: int
    state: EventState
    say: Say
    guard: Guard
    holder: str
    beat: bytes
    last: bytes = b""  # said when the event is over
    is_over: bool = False
    unsent: list[bytes] = field(default_factory=list)

    def is_near(self, happened: Difference) -> bool:
        """Say whether something happened at the reader's own table, or the reader looks after all of them."""
        entry, table = (each and each[0] for each in (self.guard.entry, self.guard.table))
        return self.guard.member is not None or entry in happened.seated or table in happened.tables

    async def listen(self, send: Send) -> None:
        """Send what there is to say, until the stream is over."""
        self.loop, self.news = asyncio.get_running_loop(), asyncio.Event()
        end, sent = self.loop.time() + LONGEST * random.uniform(0.8, 1.2), 0
        hub.add(self)
        try:
            while not self.is_over and sent < MOST_BYTES and self.loop.time() < end:
                part = await self._next()
                await send(part)
                sent += len(part)
        finally:
            hub.remove(self)

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout(BEAT):
                await self.news.wait()
        except TimeoutError:
            return self.beat  # what is unsent waits for its turn
        self.news.clear()
        part = b"".join(self.unsent) or self.beat
        self.unsent.clear()
        return part


class Told(NamedTuple):
    """What a listener is sent, whether that is the end, and whether it is of their own table."""

    listener: Listener
    part: bytes
    is_last: bool
    is_near: bool = False

    @property
    def is_light(self) -> bool:
        """Whether nothing is fetched for it."""
        return not any(name in self.part for name in FETCHED)


@dataclass
class Known:
    """An event as the thread last saw it, what happened to it lately, and when its ratings were looked at."""

    state: EventState
    past: deque[tuple[int, tuple[What, ...]]]
    rated_at: float

    def take_in(self, state: EventState) -> None:
        """Take over a newer state."""
        if what := Difference(self.state, state).what:
            self.past.append((state.version, what))
        if state.head.rated != self.state.head.rated:
            self.rated_at = time.monotonic()
        self.state = state


class Hub:
    """The listeners of this process by their events, and what is known of these."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[int, set[Listener]] = {}
        self._known: dict[int, Known] = {}
        self._held: Counter[str] = Counter()
        self._question = Question()
        self._thread: threading.Thread | None = None

    # --- For those who want to listen -----------------------------------------------------------------------------

    def state_of(self, event: int, version: int) -> EventState:
        """Return the state of an event, at least as new as its row of this version; from memory where it is known."""
        known = self._known.get(event)
        return known.state if known is not None and known.state.head.version >= version else read(event)

    def missed(self, event: int, state: EventState, known: str) -> tuple[What, ...]:
        """Return what somebody missed who knows an earlier version, and everything where nobody remembers."""
        if known == place_of(state):
            return ()
        number, _dash, life = known.partition("-")
        with self._lock:
            past = list(self._known[event].past) if event in self._known else []
        is_of_now = life == epochs.current() and number.isdecimal() and len(number) <= MOST_DIGITS
        if not is_of_now or not past or not past[0][0] <= int(number) < state.version:
            return tuple(What)
        found = {what for version, changed in past if version > int(number) for what in changed}
        return tuple(what for what in What if what in found) or tuple(What)

    def require_room(self, holder: str, *, is_address: bool) -> None:
        """Raise TooManyStreamsError where one more stream would be too many."""
        most = MOST_PER_ADDRESS if is_address else MOST_EACH
        with self._lock:
            if self._held.total() >= MOST or self._held[holder] >= most:
                raise TooManyStreamsError

    def add(self, listener: Listener) -> None:
        """Tell a listener from now on; on their event loop. RuntimeError where the machine has no thread for it."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(target=self._watch, name="news", daemon=True)
                thread.start()  # it waits for the lock
                self._thread = thread
            self._held[listener.holder] += 1
            self._listeners.setdefault(listener.event, set()).add(listener)

    def remove(self, listener: Listener) -> None:
        """Tell a listener nothing more."""
        with self._lock:
            self._held[listener.holder] -= 1
            if not self._held[listener.holder]:
                del self._held[listener.holder]
            self._listeners[listener.event].discard(listener)
            if not self._listeners[listener.event]:
                del self._listeners[listener.event]
                self._known.pop(listener.event, None)

    # --- The thread -----------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        seen = guarded = time.monotonic()
        while True:
            began = time.monotonic()
            try:
                self._look()
                if began - guarded >= GUARDED_EVERY:
                    guarded = began
                    self._guard()
                seen = began
            except Exception:  # whatever it is: those who listen must not wait for ever
                logger.warning("news cannot be read", exc_info=True)
                connection.close()
                if began - seen >= BLIND:
                    self._end(self._all())
            if connection.vendor != "sqlite":
                connection.close()  # back into the pool, which has one for each thread that answers
            with self._lock:
                if not self._listeners:
                    self._thread = None
                    break
            time.sleep(max(EVERY, SHARE * (time.monotonic() - began)))
        connection.close()

    def _look(self) -> None:
        with self._lock:
            events = list(self._listeners)
        heads = self._question.ask(events)
        for event in events:
            if event not in heads:
                self._end(listener for listener in self._all() if listener.event == event)
                continue
            self._tell(event, self._follow(event, heads[event]))

    def _follow(self, event: int, head: Head) -> EventState:
        """Return the state of an event by its head, reading what changed."""
        known = self._known.get(event)
        if known is None:
            return read(event)
        if time.monotonic() - known.rated_at < RATED_EVERY:
            head = head._replace(rated=known.state.head.rated)
        return known.state if head == known.state.head else follow(known.state, event, head)

    def _tell(self, event: int, state: EventState) -> None:
        with self._lock:
            listeners = list(self._listeners.get(event, ()))
            if event in self._known:
                self._known[event].take_in(state)
            elif listeners:
                self._known[event] = Known(state, deque([(state.version, ())], REMEMBERED), time.monotonic())
        happened: dict[int, Difference] = {}
        told = []
        for listener in listeners:
            if listener.state is state or listener.state.version > state.version:
                continue  # they know it, or what comes after it: they looked for themselves while this was read
            # Nearly all know the same state, so that what happened is worked out once.
            difference = happened.setdefault(id(listener.state), Difference(listener.state, state))
            listener.state = state
            part = listener.say(difference)
            is_last = state.is_settled or not (state.head.is_open_to_all or listener.guard.is_inside)
            if part or is_last:
                whole = part + listener.last if is_last else part
                told.append(Told(listener, whole, is_last, listener.is_near(difference)))
        _deliver(told)

    def _guard(self) -> None:
        listeners = self._all()
        gone = guards.ended({listener.guard for listener in listeners})
        self._end(listener for listener in listeners if listener.guard in gone)

    def _end(self, listeners: Iterable[Listener]) -> None:
        _deliver([Told(listener, b"", is_last=True) for listener in listeners])

    def _all(self) -> list[Listener]:
        with self._lock:
            return [listener for listeners in self._listeners.values() for listener in listeners]


def _deliver(told: Sequence[Told]) -> None:
    """Hand over what is to be sent; all who listen in a process do so on one event loop."""
    if told:
        with suppress(RuntimeError):  # the loop has ended, and they with it
            told[0].listener.loop.call_soon_threadsafe(_hand, told)


def _hand(told: Sequence[Told]) -> None:
    """Wake a few at once and the rest one by one: what everybody is told must not hold up what a table sends."""
    for listener, part, is_last, _is_near in told:
        listener.unsent.append(part)  # in order, whoever is woken first
        listener.is_over |= is_last
    fetching = sorted((each for each in told if not each.is_light), key=lambda each: not each.is_near)
    # Whoever waits for their turn to fetch a page hears the rest with it.
    light = (each for each in told if each.is_light and len(each.listener.unsent) == 1)
    for each in (*light, *fetching[:AT_ONCE]):
        each.listener.news.set()
    queue.add(fetching[AT_ONCE:])


class Queue:
    """Readers who wait their turn to be woken, on the event loop of the process; first those of a table."""

    def __init__(self) -> None:
        self._near: deque[Listener] = deque()
        self._others: deque[Listener] = deque()
        self._last = 0.0

    def add(self, told: Sequence[Told]) -> None:
        """Wake readers after those of their kind who wait already."""
        is_idle = not (self._near or self._others)
        for each in told:
            (self._near if each.is_near else self._others).append(each.listener)
        if is_idle and told:
            self._go_on(told[0].listener.loop)

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(APART, self._next, loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        if answering.number < FEW or loop.time() - self._last >= LATEST:
            self._last = loop.time()
            while (self._near or self._others) and not self._wake():
                pass
        if self._near or self._others:
            self._go_on(loop)

    def _wake(self) -> bool:
        """Wake the first; tell whether they still have something to hear, and were not woken for something else."""
        listener = (self._near or self._others).popleft()
        is_waiting = bool(listener.unsent)
        if is_waiting:
            listener.news.set()
        return is_waiting


queue = Queue()
hub = Hub()
