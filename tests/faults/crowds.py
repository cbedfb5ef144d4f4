"""Phones that go on meanwhile, and connections that only hold on."""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Self
from urllib.parse import urlencode

from tests.faults.counts import count
from tests.faults.phones import Answer, call, evenings, token_of

# Seconds in which everybody else is served, whatever somebody does. The bounded run has other tests beside it, which
# take the processors for as long: there it holds only that nobody waits for the slow ones to end.
WITHIN = count(4, 1)


# They ask more often than people do, and it is not they who are to be limited.
ADDRESSES = itertools.cycle(f"127.0.9.{number}" for number in range(1, 201))


class Meanwhile:
    """Phones that read pages and the API, one request after the other, while something happens."""

    def __init__(
        self,
        port: int,
        *paths: str,
        phones: int = 3,
        tokens: Sequence[str] = (),
        pause: float = 0.02,
        timeout: float = 10,
        may_retry: bool = False,
    ) -> None:
        self.port, self.pause, self.timeout, self.may_retry = port, pause, timeout, may_retry
        self.paths = paths or ("/healthz", "/api/v1/games/")
        self.tokens: Sequence[str | None] = tokens or [None] * phones
        self.answers: list[Answer] = []
        self.is_over = threading.Event()

    def __enter__(self) -> Self:
        self.threads = [threading.Thread(target=self._run, args=[token]) for token in self.tokens]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def _run(self, token: str | None) -> None:
        while not self.is_over.is_set():
            for path in self.paths:
                self.answers.append(self._read(path, token))
            self.is_over.wait(self.pause)

    def _read(self, path: str, token: str | None) -> Answer:
        answer = call(self.port, "GET", path, token=token, timeout=self.timeout, address=next(ADDRESSES))
        if answer.status == 0 and self.may_retry:
            # A process that leaves may close a connection that it has just accepted; browsers then read once more.
            answer = call(self.port, "GET", path, token=token, timeout=self.timeout, address=next(ADDRESSES))
        return answer

    @property
    def statuses(self) -> Counter[int]:
        """How often each status was answered."""
        return Counter(answer.status for answer in self.answers)

    @property
    def median(self) -> float:
        """The seconds within which half was answered."""
        return statistics.median(answer.seconds for answer in self.answers)

    @property
    def p99(self) -> float:
        """The seconds within which 99 of 100 were answered."""
        times = sorted(answer.seconds for answer in self.answers)
        return times[int(0.99 * (len(times) - 1))]

    def are_served(self) -> str:
        """Hold that every phone was served, and say how."""
        assert set(self.statuses) == {200}, self.statuses
        assert self.p99 < WITHIN
        return f"{len(self.answers)} others served, p99 {1000 * self.p99:.0f} ms"


@contextlib.contextmanager
def room(port: int, tables: int) -> Iterator[Meanwhile]:
    """Seat people at tables of an event, and have the phone of each ask for news every two seconds."""
    seated = evenings(tables)
    tokens = [token_of(player) for there in seated for player in there.players]
    with Meanwhile(port, "/api/v1/me/", tokens=tokens, pause=2) as others:
        yield others


@contextlib.contextmanager
def held(port: int, beginning: bytes, number: int) -> Iterator[list[socket.socket]]:
    """Open connections that send the beginning of a request and nothing more."""
    connections: list[socket.socket] = []
    try:
        for _ in range(number):
            connections.append(socket.create_connection(("127.0.0.1", port), timeout=30))
            connections[-1].sendall(beginning)
        yield connections
    finally:
        for each in connections:
            each.close()


def endings(connections: list[socket.socket], seconds: float, drip: bytes = b"") -> Counter[str]:
    """Return how each connection was ended within a time: a status, `closed`, or `open`; send a byte each second."""
    said = dict.fromkeys(connections, b"")
    waiting, ended, due = set(connections), Counter[str](), 0.0
    end = time.monotonic() + seconds
    while waiting and time.monotonic() < end:
        if drip and time.monotonic() > due:
            due = time.monotonic() + 1
            for each in waiting:
                with contextlib.suppress(OSError):
                    each.sendall(drip)
        poll = select.poll()
        by_number = {each.fileno(): each for each in waiting}
        for number in by_number:
            poll.register(number, select.POLLIN)
        for number, _event in poll.poll(200):
            each = by_number[number]
            try:
                part = each.recv(65536)
            except OSError:
                part = b""
            said[each] += part
            if not part:
                waiting.remove(each)
                ended[said[each][9:12].decode() or "closed"] += 1
    ended["open"] += len(waiting)
    return +ended


def log_in(port: int, name: str, password: str, address: str = "127.0.0.1", device: str = "") -> Answer:
    """Send the form of the login page, from an address of this machine."""
    token = "t" * 32  # of a form that is ours, cookie and field are the same
    fields = urlencode({"username": name, "password": password, "csrfmiddlewaretoken": token}).encode()
    cookies = f"csrftoken={token}" + (f"; device={device}" if device else "")
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies}
    return call(port, "POST", "/login/", fields, address=address, headers=headers, timeout=60)
