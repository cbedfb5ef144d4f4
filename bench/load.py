"""A load generator on bare sockets, in a process of its own: keep-alive connections, one request at a time each."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A request."""

    path: str
    method: str = "GET"
    token: str = ""
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Return it as it goes over the wire."""
        body = b"" if self.body is None else json.dumps(self.body).encode()
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        lines += [f"Authorization: Bearer {self.token}"] if self.token else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []
        return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class Outcome:
    """What came of many requests: how long each took, in seconds, and the statuses of the answers."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Requests per second."""
        return len(self.times) / self.seconds if self.seconds else 0.0

    @property
    def p99(self) -> float:
        """The milliseconds within which 99 of 100 were answered."""
        return 1000 * sorted(self.times)[int(0.99 * (len(self.times) - 1))] if self.times else 0.0

    def add(self, other: Outcome) -> None:
        """Take in what came of more requests."""
        self.seconds += other.seconds
        self.times += other.times
        self.statuses += other.statuses


class Connection:
    """A keep-alive connection, from one of many addresses of this machine."""

    def __init__(self, port: int, number: int = 0) -> None:
        self.port, self.source = port, f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter | None = None

    async def send(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        """Send a request and return status, headers and body of the answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.source, 0), limit=1 << 22
            )
        self.writer.write(request)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:-2])}
        body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            await self.close()
        return int(head[0].split()[1]), headers, body

    async def lines(self, request: bytes) -> AsyncIterator[bytes]:
        """Send a request and yield the lines of an answer that stays open, until it ends."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        self.writer.write(request)
        while line := await self.reader.readline():
            yield line.strip()

    async def close(self) -> None:
        """Hang up."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None


class Generator:
    """Sends requests from another process."""

    def __init__(self, pool: ProcessPoolExecutor, port: int) -> None:
        self._pool, self._port = pool, port

    def run(self, calls: Sequence[Call], seconds: float, connections: int, *, once: bool = False) -> Outcome:
        """Send calls in turn for some seconds; with `once` each is sent once, and then it ends."""
        requests = [call.encoded() for call in calls]
        return self._pool.submit(_run, self._port, requests, seconds, connections, once).result()

    def run_chains(self, chains: Sequence[Sequence[bytes]], seconds: float) -> Outcome:
        """Send chains of requests at the same time, each on a connection of its own and in order, for some seconds."""
        return self._pool.submit(_run_chains, self._port, chains, seconds).result()


@contextmanager
def generating(port: int) -> Iterator[Generator]:
    """Start the other process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield Generator(pool, port)


def _run_chains(port: int, chains: Sequence[Sequence[bytes]], seconds: float) -> Outcome:
    return asyncio.run(_send_chains(port, chains, seconds))


async def _send_chains(port: int, chains: Sequence[Sequence[bytes]], seconds: float) -> Outcome:
    outcome, began = Outcome(), time.perf_counter()

    async def work(number: int, chain: Sequence[bytes]) -> None:
        connection = Connection(port, number)
        for request in chain:
            started = time.perf_counter()
            if started - began > seconds:
                break
            status, _headers, _body = await connection.send(request)
            outcome.times.append(time.perf_counter() - started)
            outcome.statuses[status] += 1
        await connection.close()

    await asyncio.gather(*(work(number, chain) for number, chain in enumerate(chains)))
    outcome.seconds = time.perf_counter() - began
    return outcome


def _run(port: int, requests: list[bytes], seconds: float, connections: int, once: bool) -> Outcome:
    return asyncio.run(_send_all(port, requests, seconds, connections, once))


async def _send_all(port: int, requests: list[bytes], seconds: float, connections: int, once: bool) -> Outcome:
    outcome, numbers = Outcome(), iter(range(len(requests) if once else 1 << 40))
    began = time.perf_counter()

    async def work(connection: Connection) -> None:
        for number in numbers:
            started = time.perf_counter()
            if started - began > seconds:
                break
            status, _headers, _body = await connection.send(requests[number % len(requests)])
            outcome.times.append(time.perf_counter() - started)
            outcome.statuses[status] += 1
        await connection.close()

    await asyncio.gather(*(work(Connection(port, number)) for number in range(connections)))
    outcome.seconds = time.perf_counter() - began
    return outcome
