"""The web process beside what it was: granian's WSGI mode, a thread for every request from its first byte on."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bench.database import scratch_database
from bench.load import Call, Generator, Outcome, generating
from bench.server import ROOT, serving, wait_for_answer
from bench.tables import show

GAME = "dix"
CONNECTIONS = 16
WSGI = "--interface wsgi --no-ws --blocking-threads 8 --log-level error config.wsgi:application"


def run(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="./run bench front", description=__doc__)
    parser.add_argument("--players", type=int, default=1000, help="rated players (%(default)s)")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each turn (%(default)s)")
    parser.add_argument("--turns", type=int, default=5, help="of each, one after the other (%(default)s)")
    options = parser.parse_args(arguments)
    board = f"/api/v1/leaderboards/{GAME}/"
    calls = {
        "a view that does nothing": Call("/bench/nothing/"),
        "leaderboard of 50": Call(board, headers={"Accept-Encoding": "gzip"}),
        "a sheet to check": Call(f"/api/v1/games/{GAME}/check/", "POST", body={"game": GAME}),
    }
    with scratch_database():
        from bench.population import Population

        Population(GAME).rate(options.players)
        with serving() as server, _before() as port, generating(server.port) as new, generating(port) as old:
            lines = [_line(name, call, old, new, options) for name, call in calls.items()]
    head = ["calls", "WSGI requests/s", "p99 ms", "front requests/s", "p99 ms", "front ÷ WSGI"]
    show(f"{CONNECTIONS} connections, {options.turns} turns of {options.seconds:g} s each, PostgreSQL", head, lines)


def _line(name: str, call: Call, old: Generator, new: Generator, options: argparse.Namespace) -> tuple[str, ...]:
    """Measure both in turn, so that a slow moment of the machine is in both."""
    before, after = Outcome(), Outcome()
    for load in (old, new):
        load.run([call], 1, CONNECTIONS)
    for _ in range(options.turns):
        before.add(old.run([call], options.seconds, CONNECTIONS))
        after.add(new.run([call], options.seconds, CONNECTIONS))
    figures = (f"{each:.0f}" for outcome in (before, after) for each in (outcome.rate, outcome.p99))
    return name, *figures, f"{after.rate / before.rate:.2f}"


@contextmanager
def _before() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "bench.settings", "LOG_LEVEL": "ERROR"}
    command = [sys.executable, "-m", "granian", "--port", str(port), *WSGI.split()]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for_answer(f"http://127.0.0.1:{port}/healthz", process)
        yield port
    finally:
        process.terminate()
        process.wait()
