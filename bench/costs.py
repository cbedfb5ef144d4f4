"""What one call costs: processor time of the web process and of PostgreSQL for each, and how many statements it takes.

Calls go straight into Django's handler, in one process and one thread, so that neither a load generator nor a busy
machine is in the figures. Everything is beside a view that does nothing. After the reports the worker's tasks run in
the same process, and what they cost is divided by the number of reports.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import os
import pstats
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench.database import scratch_database
from bench.load import Call
from bench.tables import show

GAME = "dix"
TICK = 1000 / os.sysconf("SC_CLK_TCK")  # milliseconds
AIMS = {"report": "≥ 0.05", "leaderboard": "≥ 0.12", "history": "≥ 0.1"}


@dataclass
class Cost:
    """What calls of a kind took, in milliseconds of processor time each."""

    name: str
    calls: int
    web: float
    database: float
    statements: float


def run(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="./run bench costs", description=__doc__)
    parser.add_argument("--players", type=int, default=10_000, help="who are rated (%(default)s)")
    parser.add_argument("--calls", type=int, default=300, help="of each kind (%(default)s)")
    parser.add_argument("--profile", metavar="KIND", help="profile the calls whose name begins so instead")
    options = parser.parse_args(arguments)
    with scratch_database(settings="bench.settings", broker=True):
        from bench.population import Population

        data = Population(GAME)
        data.rate(options.players)
        kinds = _kinds(data)
        if options.profile:
            _profile(next(each for each in kinds.items() if each[0].startswith(options.profile)), options.calls)
            return
        _show([_cost(name, calls, options.calls) for name, calls in kinds.items()])


def _kinds(data: Any) -> dict[str, Iterator[Call]]:
    """Return the kinds of calls; what is kept after it was asked for once is asked for once only."""
    history = Call(f"/api/v1/players/{data.veteran.uid}/ratings/{GAME}/")
    return {
        "nothing": cycle([Call("/bench/nothing/")]),
        "leaderboard, a page nobody asked for yet": iter(data.pages(3000)),
        "history, 50 of 200 tables": cycle([history]),
        "search by name": iter(data.searches()),
        "report: judged, stored, idempotent": iter(data.reports()),
    }


def _cost(name: str, calls: Iterator[Call], number: int) -> Cost:
    from django.db import connection

    _send(islice(calls, 30))  # everything is loaded, and statements are prepared
    statements = _Counter()
    with connection.execute_wrapper(statements):
        _send(islice(calls, 5))
    wanted = [environment(call) for call in islice(calls, number)]
    web, database = time.process_time(), ticks()
    answer(wanted)
    web, database = time.process_time() - web, ticks() - database
    each = len(wanted)
    return Cost(name, each, 1000 * web / each, TICK * database / each, statements.number / 5)


class _Counter:
    """Counts the statements it is given to run."""

    number = 0

    def __call__(self, execute: Any, *arguments: Any) -> Any:
        self.number += 1
        return execute(*arguments)


def _send(calls: Iterable[Call]) -> None:
    answer([environment(call) for call in calls])


def answer(environments: Sequence[dict[str, Any]]) -> None:
    """Have Django answer, in this thread."""
    from config.wsgi import application

    for each in environments:
        seen: list[str] = []
        answered = application(each, lambda status, _headers, seen=seen: seen.append(status))
        body = b"".join(answered)
        answered.close()
        assert seen[0][0] == "2", (seen, each["PATH_INFO"], body[:500])


def environment(call: Call) -> dict[str, Any]:
    """Return a call as the web server hands it to Django."""
    body = b"" if call.body is None else json.dumps(call.body).encode()
    path, _mark, query = call.path.partition("?")
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in call.headers.items()}
    if call.token:
        headers["HTTP_AUTHORIZATION"] = f"Bearer {call.token}"
    return {
        "REQUEST_METHOD": call.method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_ACCEPT": "application/json",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
        **headers,
    }


def ticks() -> int:
    """Return the processor time of this process's sessions at PostgreSQL so far."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
        pids = [pid for (pid,) in cursor.fetchall()]
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(fields[11]) + int(fields[12]) for fields in stats)


def _profile(kind: tuple[str, Iterator[Call]], number: int) -> None:
    name, calls = kind
    _send(islice(calls, 30))
    wanted = [environment(call) for call in islice(calls, number)]
    profile = cProfile.Profile(time.thread_time)  # not what PostgreSQL takes meanwhile
    profile.runcall(answer, wanted)
    print(f"{name}, {number} calls")
    found = pstats.Stats(profile)
    found.sort_stats("cumulative").print_stats(150)
    found.sort_stats("tottime").print_stats(60)


def _show(costs: Sequence[Cost]) -> None:
    nothing = costs[0].web
    rows = [
        (
            cost.name,
            f"{cost.statements:.0f}",
            f"{cost.web:.2f}",
            f"{cost.database:.2f}",
            f"{nothing / cost.web:.3f}",
            AIMS.get(cost.name.partition(",")[0].partition(":")[0], ""),
        )
        for cost in costs
    ]
    head = ("calls", "statements", "web ms", "PostgreSQL ms", "nothing ÷ web", "aim")
    show("Milliseconds of processor time for a call", head, rows)
