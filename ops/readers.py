"""Those who read our answers: whoever asks and then does not read is closed, so that nobody holds much for long.

granian keeps what a reader has not taken yet, without a bound and without telling. The kernel knows how much of it has
arrived, so once a second a thread looks at the connections that were given something. Only Linux tells (TCP_INFO); on
other systems nothing is closed.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import NamedTuple

logger = logging.getLogger(__name__)

EVERY = 1.0  # seconds between two looks
OPEN_FILES = "/proc/self/fd"
Peer = tuple[str, int]

# Of the kernel's `struct tcp_info`: bytes that were sent and may be lost, that arrived, and that were not sent yet.
INFO_BYTES = 192
FIELDS = ((struct.Struct("=I"), 24), (struct.Struct("=Q"), 120), (struct.Struct("=I"), 144))
SHORTEST = 148  # what older kernels than of 2016 tell is shorter
RESET = struct.pack("ii", 1, 0)  # what was not sent is thrown away, in place of being offered for minutes


@dataclass(slots=True)
class Given:
    """What one connection was given, counted anew from the look that follows each answer."""

    last: float  # when, by `time.monotonic`
    size: int = 0  # bytes
    start: int | None = None  # bytes that had arrived over this connection at that look, headers among them
    is_new: bool = True  # since the last look

    def look(self, arrived: int) -> int:
        """Count from here on, if there is a new answer; return how many bytes arrived since it was first looked at."""
        if self.start is None:
            self.start = arrived
        if self.is_new:
            self.size = max(self.size - (arrived - self.start), 0)
            self.start, self.is_new = arrived, False
        return arrived - self.start


class Reader(NamedTuple):
    """A connection on which something is still on its way."""

    file: int
    peer: Peer
    taken: int  # bytes of its last answer
    behind: int  # bytes that we or the kernel still hold for it
    age: float  # seconds since that answer was given


class Readers:
    """What the readers of one process were given, and which of them take it."""

    def __init__(self, *, held: int, patience: float, pace: float) -> None:
        self.held, self.patience, self.pace = held, patience, pace
        self.most = sys.maxsize  # connections on which something may be on its way
        self._given: dict[Peer, Given] = {}
        self._lock = threading.Lock()
        self._end = threading.Event()

    def start(self) -> None:
        """Look at them from now on, where the system tells how much has arrived."""
        if sys.platform == "linux":
            threading.Thread(target=self._watch, name="readers", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._end.set()

    def _watch(self) -> None:
        while not self._end.wait(EVERY):
            try:
                self.look(time.monotonic())
            except OSError:  # too many files are open to list them
                logger.exception("readers cannot be looked at")

    def give(self, client: str, size: int) -> None:
        """Note that a connection is given so many bytes; `client` is its address as granian names it."""
        now = time.monotonic()
        with self._lock:
            given = self._given.setdefault(_peer_named(client), Given(now))
            given.size, given.last, given.is_new = given.size + size, now, True

    def cut(self, client: str) -> None:
        """Close a connection whose answer failed half way, before it ends as one that is whole does."""
        peer = _peer_named(client)
        for file in _open_files():
            if (state := _state_of(file)) is not None and state.peer == peer:
                _close(file, peer)

    def look(self, now: float) -> None:
        """Close whoever is too slow, and the worst of the others while more is held for them than may be."""
        with self._lock:
            given = dict(self._given)
        if not given:
            return
        reading = self._reading(given, now)
        self._forget(given.keys() - {reader.peer for reader in reading}, now)
        slow = [reader for reader in reading if self._is_slow(reader)]
        rest = sorted(set(reading) - set(slow), key=lambda reader: reader.behind * reader.age)
        held = sum(reader.behind for reader in rest)
        while rest and (held > self.held or len(rest) > self.most) and rest[-1].age > EVERY:
            held -= rest[-1].behind
            slow.append(rest.pop())
        for reader in slow:
            _close(reader.file, reader.peer)
        if slow:
            logger.info("%d connections were closed that did not read their answers", len(slow))

    def _is_slow(self, reader: Reader) -> bool:
        return reader.age - self.patience > reader.taken / self.pace

    def _reading(self, given: dict[Peer, Given], now: float) -> list[Reader]:
        """Return the connections on which something is still on its way."""
        found = []
        for file in _open_files():
            state = _state_of(file)
            if state is None or (known := given.get(state.peer)) is None:
                continue
            with self._lock:
                taken = known.look(state.arrived)
            if state.waiting:
                behind = max(known.size - taken, state.waiting)
                found.append(Reader(file, state.peer, taken, behind, now - known.last))
        return found

    def _forget(self, peers: set[Peer], now: float) -> None:
        """Forget those to whom everything has arrived, or who are gone; what was just given may not be sent yet."""
        with self._lock:
            for peer in peers:
                if now - self._given[peer].last > EVERY:
                    del self._given[peer]


class State(NamedTuple):
    """What the kernel knows of a connection: bytes that arrived, and that wait."""

    peer: Peer
    arrived: int
    waiting: int


def _open_files() -> Iterator[int]:
    """Yield the files this process has open, where the system lists them."""
    if sys.platform == "linux":
        yield from map(int, os.listdir(OPEN_FILES))  # noqa: PTH208 (thousands of names, and no need of paths)


def _peer_named(client: str) -> Peer:
    host, _, port = client.rpartition(":")
    return _without_zone(host.strip("[]")), int(port)


def _without_zone(host: str) -> str:
    return host.partition("%")[0]


def _state_of(file: int) -> State | None:
    """Return what the kernel knows of an open file; None where it is no connection of TCP."""
    try:
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=file)
    except OSError:  # of something else than a connection
        return None
    try:
        peer = connection.getpeername()
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
    except OSError:
        return None
    finally:
        connection.detach()  # it is granian's
    if not isinstance(peer, tuple) or len(info) < SHORTEST:
        return None
    unacknowledged, arrived, unsent = (kind.unpack_from(info, at)[0] for kind, at in FIELDS)
    return State((_without_zone(peer[0]), peer[1]), arrived, unacknowledged + unsent)


def _close(file: int, peer: Peer) -> None:
    """Close a connection, unless its file is another one's by now; granian finds it closed and lets go of it."""
    with suppress(OSError), closing(socket.socket(fileno=os.dup(file))) as connection:
        host, port, *_ = connection.getpeername()
        if (_without_zone(host), port) == peer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            connection.shutdown(socket.SHUT_RDWR)
