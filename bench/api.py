"""The API over loopback, from another process, beside a view that does nothing on the same server in the same run."""

from __future__ import annotations

import argparse
import http.client
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
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


@dataclass
class Case:
    """Calls of a kind; `aim` is the least share of the rate of the view that does nothing."""

    name: str
    calls: Sequence[Call]
    aim: float | None = None
    once: bool = False
    outcome: Outcome = field(default_factory=Outcome)
    floor: Outcome = field(default_factory=Outcome)

    def figures(self) -> dict[str, Any]:
        """Return what was measured."""
        return {
            "name": self.name,
            "rate": round(self.outcome.rate, 1),
            "p99_ms": round(self.outcome.p99, 2),
            "share": round(self.outcome.rate / self.floor.rate, 3),
            "p99_ratio": round(self.outcome.p99 / self.floor.p99, 2),
            "aim": self.aim,
            "statuses": dict(self.outcome.statuses),
        }


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench api", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[1000, FULL, 1_000_000])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each turn (%(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="of each case, in turn with nothing (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args(arguments)
    figures: dict[str, Any] = {"growth": []}
    with scratch_database():
        from bench.population import Population

        data = Population(GAME)
        for players in sorted(options.players):
            data.rate(players)
            with serving() as server, generating(server.port) as load:
                if players == FULL or len(options.players) == 1:
                    figures["cases"] = _all_cases(data, server, load, options)
                figures["growth"].append(_page_of(data, players, load, options))
    _show_growth(figures["growth"])
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


def _all_cases(data: Population, server: Server, load: Generator, options: argparse.Namespace) -> list[dict[str, Any]]:
    cases = list(_cases(data, server))
    _take_turns(cases, load, options)
    rows = [case.figures() for case in cases]
    head = ["calls", "requests/s", "÷ nothing", "aim", "p99 ms", "÷ nothing", "statuses"]
    floor = Outcome()
    for case in cases:
        floor.add(case.floor)
    lines = [
        ("a view that does nothing", f"{floor.rate:.0f}", "1", "", f"{floor.p99:.1f}", "1", _said(floor.statuses))
    ]
    for row in rows:
        aim = f"≥ {row['aim']}" if row["aim"] else ""
        cells = (f"{row['rate']:.0f}", f"{row['share']:.2f}", aim, f"{row['p99_ms']:.1f}", f"{row['p99_ratio']:.1f}")
        lines.append((row["name"], *cells, _said(row["statuses"])))
    show(f"{CONNECTIONS} connections, {FULL:,} rated players, PostgreSQL", head, lines)
    return rows


def _said(statuses: dict[int, int]) -> str:
    return ", ".join(f"{number} × {status}" for status, number in sorted(statuses.items()))


def _cases(data: Population, server: Server) -> Iterator[Case]:
    board, standings = f"/api/v1/leaderboards/{GAME}/", f"/api/v1/events/{data.large.uid}/standings/"
    tokens = data.tokens
    for name, path in (("leaderboard of 50", board), ("standings of 500", standings)):
        tag = {"If-None-Match": _tag(server, path)}
        yield Case(name, [Call(path)], 0.5)
        yield Case(f"{name}, 304", [Call(path, headers=tag)], 0.8)
        yield Case(f"{name}, with a credential", [Call(path, token=token) for token in tokens])
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
