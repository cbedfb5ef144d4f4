"""Phones: each sends over a connection of its own, retries with the same key, and remembers what it was told."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from tests.factories import EntryFactory
from tests.scoring.evenings import Evening, evening, short, table_in
from tournaments.access import credentials
from tournaments.actors import Actor, Kind

AT_ONCE = 8
Given = TypeVar("Given")
Got = TypeVar("Got")


class Answer(NamedTuple):
    """What came back: status 0 where nothing did."""

    status: int
    body: Any
    seconds: float

    @property
    def code(self) -> str:
        """The code of a problem."""
        return str(self.body.get("code", "")) if isinstance(self.body, dict) else ""


def call(
    port: int,
    method: str,
    path: str,
    body: Any = None,
    *,
    token: str | None = None,
    key: str | None = None,
    timeout: float = 10,
    address: str = "127.0.0.1",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Send one request, from an address of this machine."""
    headers = {"Content-Type": "application/json", **(headers or {})}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    sent = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(address, 0))
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a large body is answered before it is read
            connection.request(method, path, sent, headers)
        response = connection.getresponse()
        text = response.read()
        with contextlib.suppress(ValueError):
            return Answer(response.status, json.loads(text), time.monotonic() - began)
        return Answer(response.status, text, time.monotonic() - began)
    except (OSError, http.client.HTTPException) as error:
        return Answer(0, repr(error), time.monotonic() - began)
    finally:
        connection.close()


def token_of(actor: Actor) -> str:
    """Return the secret of a player or of a table."""
    if actor.kind == Kind.ENTRY and actor.entry is not None:
        return credentials.derive(credentials.ENTRY, actor.entry.uid, actor.entry.generation)
    assert actor.table is not None
    return credentials.derive(credentials.TABLE, actor.table.uid, actor.table.generation)


def organiser_token(evening: Evening) -> str:
    """Return a new token of who runs an event."""
    from tournaments.services.credentials import create_token

    return create_token(actor=evening.organiser, name="laptop")[1]


def sheet_for(evening: Evening, number: int = 0) -> dict[str, Any]:
    """Return a short legal sheet of a table; the number picks one of several that differ."""
    return short(evening.sheet(number))


def evenings(count: int, **fields: Any) -> list[Evening]:
    """Return the tables of one event, with people at each."""
    first = evening(**fields)
    event, current = first.event, first.table.round
    others = (
        table_in(current, [EntryFactory(event=event) for _ in first.entries], number) for number in range(2, count + 1)
    )
    return [first, *(Evening(event, table, first.organiser) for table in others)]


def requests_of(tables: Iterable[Evening]) -> list[tuple[str, dict[str, Any], str]]:
    """Return what to send for each table: its id, a body, and a player's token. Sending them needs no database."""
    return [(each.table.uid, {"report": sheet_for(each)}, token_of(each.players[0])) for each in tables]


def at_once(act: Callable[[Given], Got], each: Iterable[Given], *, workers: int = AT_ONCE) -> list[Got]:
    """Do something for each of many in threads, and return the results in order."""
    from django.db import connections

    def one(given: Given) -> Got:
        try:
            return act(given)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, each))


def together(acts: Sequence[Callable[[], Got]]) -> list[Got]:
    """Do several things at the same moment."""
    barrier = threading.Barrier(len(acts))

    def one(act: Callable[[], Got]) -> Got:
        barrier.wait(30)
        return act()

    return at_once(one, acts, workers=len(acts))


def insist(send: Callable[[], Answer], *, patience: float = 30) -> Answer:
    """Send as a phone does: again and again, until there is an answer that means something."""
    end = time.monotonic() + patience
    while True:
        answer = send()
        is_final = answer.status not in {0, 429, 503} and answer.code != "idempotency-running"
        if is_final or time.monotonic() > end:
            return answer
        time.sleep(0.2)


@dataclass
class Ledger:
    """What phones sent, by table, and what they were told, by key. The audit holds the service to it."""

    port: int
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    told: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def report(
        self, evening: Evening, number: int = 0, *, seat: int = 0, key: str | None = None, timeout: float = 10
    ) -> Answer:
        """Report a table once, from one of its seats."""
        return self.send(
            evening.table.uid, {"report": sheet_for(evening, number)}, token_of(evening.players[seat]), key, timeout
        )

    def send(self, table: str, body: Any, token: str, key: str | None = None, timeout: float = 10) -> Answer:
        """Send a report once, and write down what was answered."""
        key = key or uuid4().hex
        with self._lock:
            self.keys[table].add(key)
        path = f"/api/v1/tables/{table}/reports/"
        answer = call(self.port, "POST", path, body, token=token, key=key, timeout=timeout)
        if answer.status == 201:
            with self._lock:
                self.told[key].append(answer.body)
        return answer

    def insist(self, table: str, body: Any, token: str, key: str | None = None, *, patience: float = 30) -> Answer:
        """Report again and again with the same key, until there is an answer that means something."""
        key = key or uuid4().hex
        return insist(lambda: self.send(table, body, token, key), patience=patience)
