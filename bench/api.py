"""The API over loopback, from another process, beside a view that does nothing on the same server in the same run."""

from __future__ import annotations

import argparse
import http.client
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.database import scratch_database
from bench.load import Call, Generator, Outcome, generating
from bench.server import Server, serving
from bench.tables import show

if TYPE_CHECKING:
    from bench.population import Population

GAME = "dix"
CONNECTIONS = 16
FULL = 100_000  # rated players for the main table
PAGES = 3000  # of leaderboards, each asked for once
PACKED = {"Accept-Encoding": "gzip"}  # as every browser asks, and most programs


@dataclass
class Case:
    """Calls of a kind; `aim` is the least share of the rate of the view that does nothing."""

    name: str
    calls: Sequence[Call]
    aim: float | None = None
    once: bool = False
    outcome: Outcome = field(default_factory=Outcome)
    floor: Outcome = field(default_factory=Outcome)

    def line(self) -> tuple[str, ...]:
        """Return what was measured, as a line of the table."""
        share, p99 = self.outcome.rate / self.floor.rate, self.outcome.p99 / self.floor.p99
        aim = f"≥ {self.aim}" if self.aim else ""
        return self.name, *_figures(self.outcome), f"{share:.2g}", aim, f"{p99:.1f}", _said(self.outcome.statuses)


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench api", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[1000, FULL, 1_000_000])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each turn (%(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="of each case, in turn with nothing (%(default)s)")
    options = parser.parse_args(arguments)
    growth: list[dict[str, Any]] = []
    with scratch_database():
        from bench.population import Population

        data = Population(GAME)
        for players in sorted(options.players):
            data.rate(players)
            with serving() as server, generating(server.port) as load:
                if players == FULL or len(options.players) == 1:
                    _show_cases(list(_cases(data, server)), players, load, options)
                growth.append(_page_of(data, players, load, options))
    _show_growth(growth)


def _show_cases(cases: Sequence[Case], players: int, load: Generator, options: argparse.Namespace) -> None:
    _take_turns(cases, load, options)
    floor = Outcome()
    for case in cases:
        floor.add(case.floor)
    nothing = ("a view that does nothing", *_figures(floor), "1", "", "1", _said(floor.statuses))
    head = ["calls", "requests/s", "p99 ms", "÷ nothing", "aim", "p99 ÷ nothing", "statuses"]
    lines = [nothing, *(case.line() for case in cases)]
    show(f"{CONNECTIONS} connections, {players:,} rated players, PostgreSQL", head, lines)


def _figures(outcome: Outcome) -> tuple[str, str]:
    return f"{outcome.rate:.0f}", f"{outcome.p99:.1f}"


def _said(statuses: dict[int, int]) -> str:
    return ", ".join(f"{number} × {status}" for status, number in sorted(statuses.items()))


def _cases(data: Population, server: Server) -> Iterator[Case]:
    board, standings = f"/api/v1/leaderboards/{GAME}/", f"/api/v1/events/{data.large.uid}/standings/"
    tokens = data.tokens
    for name, path in (("leaderboard of 50", board), ("standings of 500", standings)):
        tag = PACKED | {"If-None-Match": _tag(server, path)}
        yield Case(name, [Call(path, headers=PACKED)], 0.5)
        yield Case(f"{name}, 304", [Call(path, headers=tag)], 0.8)
        yield Case(f"{name}, with a credential", [Call(path, token=token, headers=PACKED) for token in tokens])
        yield Case(f"{name}, with a credential, 304", [Call(path, token=token, headers=tag) for token in tokens], 0.4)
    yield Case("leaderboard, pages nobody asked for yet", data.pages(PAGES), once=True)
    yield Case("player history, 50 of 200 tables", [Call(f"/api/v1/players/{data.veteran.uid}/ratings/{GAME}/")])
    yield Case("report: judged, stored, idempotent", data.reports(), 0.05, once=True)


def _tag(server: Server, path: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", path, headers={"Accept": "application/json"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return str(answer.headers["ETag"])


def _take_turns(cases: Sequence[Case], load: Generator, options: argparse.Namespace) -> None:
    """Measure every case in turn with nothing, so that a slow moment of the machine is in both."""
    nothing = [Call("/bench/nothing/")]
    load.run(nothing, 1, CONNECTIONS)
    for case in cases:  # reports last: they change what the others read
        for _ in range(options.turns):
            case.floor.add(load.run(nothing, options.seconds / 2, CONNECTIONS))
            calls = case.calls
            if case.once:  # a part for each turn, so that none is asked for twice
                size = len(calls) // options.turns
                calls, case.calls = calls[:size], calls[size:]
            case.outcome.add(load.run(calls, options.seconds, CONNECTIONS, once=case.once))


def _page_of(data: Population, players: int, load: Generator, options: argparse.Namespace) -> dict[str, Any]:
    """Measure pages of a leaderboard that nobody asked for yet, one request at a time."""
    calls = data.pages(PAGES)
    load.run(calls[:50], 5, 1, once=True)
    outcome = load.run(calls[50:], options.seconds * options.turns, 1, once=True)
    times = sorted(outcome.times)
    return {
        "players": players,
        "requests": len(times),
        "median_ms": round(1000 * times[len(times) // 2], 2),
        "p99_ms": round(outcome.p99, 2),
        "queries": data.queries(calls[random.Random(players).randrange(50)].path),
    }


def _show_growth(rows: Sequence[dict[str, Any]]) -> None:
    head = ["rated players", "queries", "median ms", "p99 ms", "p99 ÷ first"]
    show(
        "A page of a leaderboard that nobody asked for yet, one request at a time",
        head,
        (
            (
                f"{row['players']:,}",
                row["queries"],
                row["median_ms"],
                row["p99_ms"],
                f"{row['p99_ms'] / rows[0]['p99_ms']:.2f}",
            )
            for row in rows
        ),
    )
