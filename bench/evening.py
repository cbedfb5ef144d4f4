"""The end of a round: every phone in the room waits for news, and every table is reported within two minutes.

The whole service as `serve` starts it, on the embedded default and on PostgreSQL. Phones hold a stream and fetch their
page when it says so, as the page itself does; one of each table sends the sheet, another confirms it. First they all
wait for a while, and nothing is new.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from bench.database import embedded_database, scratch_database
from bench.load import Call, Connection, Outcome
from bench.server import Server, serving
from bench.tables import show

DATABASES = {"sqlite": embedded_database, "postgresql": scratch_database}
GAME = "dix"
POLL = 5.0  # seconds between two looks of a phone
THINKING = 4.0  # seconds until another seat confirms
SEATS = 4
PATIENCE = 60.0


@dataclass(frozen=True)
class Phone:
    """A player's phone; `sheet` is what it sends, if it is the one that reports its table."""

    address: str
    cookie: str
    token: str
    table: str
    sheet: dict[str, Any] | None = None
    confirms: bool = False


@dataclass
class Played:
    """What came of the end of a round."""

    polls: Outcome = field(default_factory=Outcome)
    sheets: Outcome = field(default_factory=Outcome)
    last_sheet: float = 0.0
    until_standings: float = 0.0
    shown: Outcome = field(default_factory=Outcome)  # from an accepted sheet until another phone of the table has it
    idle: float = 0.0  # share of one core

    @property
    def errors(self) -> int:
        """How many requests were refused, or not answered at all (status 0)."""
        statuses = self.polls.statuses + self.sheets.statuses + self.shown.statuses
        return sum(number for status, number in statuses.items() if status not in {200, 201, 304})


def run(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="./run bench evening", description=__doc__)
    parser.add_argument("--phones", type=int, default=500, help="four at a table (%(default)s)")
    parser.add_argument("--tables", type=int, help="of four phones each, instead of --phones")
    parser.add_argument("--minutes", type=float, default=2, help="within which all is reported (%(default)s)")
    parser.add_argument("--idle", type=float, default=20, help="seconds before that, with nothing new (%(default)s)")
    parser.add_argument("--poll", action="store_true", help="phones look every five seconds instead of listening")
    parser.add_argument("--database", choices=DATABASES, help="only there; prints one line of JSON")
    options = parser.parse_args(arguments)
    options.phones = max(options.phones, SEATS * (options.tables or 0))
    if options.database:
        print(json.dumps(_measure(options)))
        return
    figures = [_apart(database, arguments) for database in DATABASES]
    head = list(figures[0])
    rows = (list(row.values()) for row in figures)
    show(
        f"{options.phones} phones at {options.phones // SEATS} tables, all done within {options.minutes:g} min",
        head,
        rows,
    )


def _apart(database: str, arguments: list[str]) -> dict[str, Any]:
    """Measure in a process of its own: Django knows one database in its life."""
    command = [sys.executable, "-m", "bench", "evening", *arguments, "--database", database]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _measure(options: argparse.Namespace) -> dict[str, Any]:
    with DATABASES[options.database]():
        phones, standings = _open_doors(options.phones)
        with serving() as server, _watching(server) as megabytes, _room() as room:
            plan = Plan(server, 60 * options.minutes, options.idle, is_polling=options.poll)
            played: Played = room.submit(_play, plan, phones, standings).result()
    return {
        "database": options.database,
        "errors": played.errors,
        "idle, cores (aim 0.15)": round(played.idle, 2),
        "fetches": len(played.polls.times),
        "of them 304": f"{played.polls.statuses[304] / max(1, len(played.polls.times)):.0%}",
        "p99 of fetches, ms": round(played.polls.p99),
        "sheets and voices": len(played.sheets.times),
        "p99 of these, ms": round(played.sheets.p99),
        "p99 until another phone shows it, ms (aim 1500)": round(played.shown.p99),
        "standings after, s (aim 5)": round(played.until_standings, 1),
        "peak memory, MB": round(max(megabytes)),
    }


def _open_doors(number: int) -> tuple[list[Phone], str]:
    """Seat everybody; return their phones and the address of the standings."""
    from django.db import connections

    from bench.population import enter, link_of, make_event, seat
    from bench.sheets import sheet_for
    from tournaments.models import Club

    club = Club.objects.create(name="Bench", slug="bench")
    event = make_event(club, "Evening", GAME)
    phones = []
    for seats in seat(event, enter(event, number)):
        entries = [each.entry for each in seats]
        sheet = sheet_for(GAME, [entry.player.uid for entry in entries], seats[0].table.number % 20)
        for place, entry in enumerate(entries):
            link = link_of(entry)
            own = sheet if place == 0 else None
            cookie = f"phone-{event.uid}={link}"
            address = f"/e/{event.uid}/me/live/"
            phones.append(Phone(address, cookie, link, seats[0].table.uid, own, confirms=place == 1))
    connections.close_all()
    return phones, f"/api/v1/events/{event.uid}/standings/"


@contextmanager
def _watching(server: Server) -> Iterator[list[float]]:
    """Look at the memory of the server's processes every half second."""
    seen, is_over = [0.0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.5):
            seen.append(server.memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        is_over.set()
        watcher.join()


@contextmanager
def _room() -> Iterator[ProcessPoolExecutor]:
    """Put the phones in a process of their own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


# --- In the room ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where the service is, and how long the room waits and plays."""

    server: Server
    seconds: float
    idle: float
    is_polling: bool


def _play(plan: Plan, phones: list[Phone], standings: str) -> Played:
    return asyncio.run(_Room(plan, phones).play(standings))


class _Room:
    """All phones at once, each on a connection of its own."""

    def __init__(self, plan: Plan, phones: list[Phone]) -> None:
        self.plan, self.port, self.phones, self.seconds = plan, plan.server.port, phones, plan.seconds
        self.played, self.rng = Played(), random.Random(1)
        self.reports: dict[str, asyncio.Future[str]] = {}
        self.accepted: dict[str, float] = {}
        self.listening = 0

    async def play(self, standings: str) -> Played:
        """Play the end of a round, and wait for its standings."""
        loop = asyncio.get_running_loop()
        self.reports = {phone.table: loop.create_future() for phone in self.phones}
        tags = [await self._open(phone) for phone in self.phones]
        wait = self._poll if self.plan.is_polling else self._listen
        polling = [asyncio.create_task(wait(*each)) for each in zip(self.phones, tags, strict=True)]
        while not self.plan.is_polling and self.listening < len(self.phones):
            await asyncio.sleep(0.1)
        await self._rest()
        await asyncio.gather(*(self._act(phone) for phone in self.phones if phone.sheet or phone.confirms))
        self.played.until_standings = await self._wait_for(standings)
        for task in polling:
            task.cancel()
        await asyncio.gather(*polling, return_exceptions=True)
        return self.played

    async def _open(self, phone: Phone) -> str:
        """Open the page, as it has been open since the player sat down; return its tag."""
        connection = Connection(self.port)
        _status, tag, _body = await self._timed(
            connection, Call(phone.address, headers={"Cookie": phone.cookie}), Outcome()
        )
        await connection.close()
        return tag

    async def _rest(self) -> None:
        """Measure what the service takes while nothing is new."""
        if self.plan.idle:
            before = self.plan.server.processor()
            await asyncio.sleep(self.plan.idle)
            self.played.idle = (self.plan.server.processor() - before) / self.plan.idle

    async def _listen(self, phone: Phone, tag: str) -> None:
        """Hold a stream, and fetch the page when it says that something is new."""
        connection, is_first = Connection(self.port), True
        while True:
            stream = Connection(self.port)
            path = phone.address.replace("/live/", f"/news/?{urlencode({'tag': tag})}")
            async for line in stream.lines(Call(path, headers={"Cookie": phone.cookie}).encoded()):
                if line == b"event: beat" and is_first:
                    self.listening, is_first = self.listening + 1, False
                if line == b"event: news":
                    tag = await self._fetch(connection, phone, tag)
            await stream.close()
            await asyncio.sleep(self.rng.uniform(1, 4))

    async def _fetch(self, connection: Connection, phone: Phone, tag: str) -> str:
        call = Call(phone.address, headers={"Cookie": phone.cookie, "If-None-Match": tag})
        status, tag, _body = await self._timed(connection, call, self.played.polls)
        if status == 200 and phone.confirms and phone.table in self.accepted:
            self.played.shown.times.append(time.perf_counter() - self.accepted.pop(phone.table))
        return tag

    async def _poll(self, phone: Phone, tag: str) -> None:
        """Look at the page again and again, as it does itself."""
        connection = Connection(self.port)
        await asyncio.sleep(self.rng.uniform(0, POLL))
        while True:
            tag = await self._fetch(connection, phone, tag)
            await asyncio.sleep(POLL)

    async def _act(self, phone: Phone) -> None:
        """Report the table at some moment, or confirm a little after the report is there."""
        connection = Connection(self.port)
        if phone.sheet is not None:
            await asyncio.sleep(self.rng.uniform(0, max(0.0, self.seconds - 2 * THINKING)))
            call = Call(f"/api/v1/tables/{phone.table}/reports/", "POST", phone.token, {"report": phone.sheet})
            report = await self._send_once(connection, call)
            self.accepted[phone.table] = time.perf_counter()
            self.reports[phone.table].set_result(json.loads(report).get("id", ""))
        else:
            report_id = await self.reports[phone.table]
            await asyncio.sleep(self.rng.uniform(1, THINKING))
            await self._send_once(connection, Call(f"/api/v1/reports/{report_id}/confirm/", "POST", phone.token, {}))
        self.played.last_sheet = time.perf_counter()
        await connection.close()

    async def _send_once(self, connection: Connection, call: Call) -> bytes:
        call.headers["Idempotency-Key"] = str(uuid4())
        _status, _tag, body = await self._timed(connection, call, self.played.sheets)
        return body

    async def _timed(self, connection: Connection, call: Call, outcome: Outcome) -> tuple[int, str, bytes]:
        began, is_kept = time.perf_counter(), connection.writer is not None
        try:
            status, headers, body = await connection.send(call.encoded())
        except (OSError, asyncio.IncompleteReadError):
            await connection.close()
            if is_kept:  # the server closes one that nobody used for ten seconds; browsers then open another
                return await self._timed(connection, call, outcome)
            status, headers, body = 0, {}, b"{}"
        outcome.times.append(time.perf_counter() - began)
        outcome.statuses[status] += 1
        return status, headers.get("etag", ""), body

    async def _wait_for(self, standings: str) -> float:
        """Return the seconds from the last sheet until the standings have everything."""
        connection = Connection(self.port)
        call = Call(standings, token=self.phones[0].token)
        while time.perf_counter() < self.played.last_sheet + PATIENCE:
            _status, _headers, body = await connection.send(call.encoded())
            if json.loads(body)["up_to_date"]:
                break
            await asyncio.sleep(0.1)
        await connection.close()
        return time.perf_counter() - self.played.last_sheet
