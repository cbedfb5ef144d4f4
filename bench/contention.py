"""Writers of many events of one game at once: what their sessions wait for, and one web process beside two.

Every event gets reports one after the other, as from one busy scorekeeper, all events at the same time, and the worker
computes meanwhile. What the sessions wait for is sampled from `pg_stat_activity`. A wait of one report for another is
one for a row, a transaction or a tuple; each event has one writer, so any such wait is for something events share.
"""

from __future__ import annotations

import argparse
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from bench.database import scratch_database
from bench.load import Call, Outcome, generating
from bench.server import deployed
from bench.tables import show

WRITERS = 16
ROWS = {"transactionid", "tuple"}  # the wait events of a session that another one's row keeps waiting
EVERY = 0.005  # seconds between two samples
SAMPLE = """
SELECT state, wait_event_type, wait_event FROM pg_stat_activity
WHERE backend_type = 'client backend' AND application_name <> 'sampler' AND state <> 'idle'
"""


def run(arguments: list[str]) -> None:
    """Print what is waited for, and the rates."""
    parser = argparse.ArgumentParser(prog="./run bench contention", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="of writing, for each number of processes")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2], help="of the web server, in turn (1 2)")
    options = parser.parse_args(arguments)
    with scratch_database(broker=True):
        from bench.population import Population

        data = Population("dix")
        found = {}
        for processes in options.processes:
            chains = [[call.encoded() for call in calls] for calls in data.reports_by_event(WRITERS)]
            found[processes] = _measure(processes, chains, options.seconds)
    _show(found)


def _measure(processes: int, chains: Sequence[Sequence[bytes]], seconds: float) -> tuple[Outcome, Counter[str]]:
    with deployed(processes) as server, generating(server.port) as load:
        load.run([Call("/healthz")], 1, WRITERS)  # every process is up
        with _sampling() as samples:
            outcome = load.run_chains(chains, seconds)
    return outcome, samples


@contextmanager
def _sampling() -> Iterator[Counter[str]]:
    """Sample what busy sessions wait for until the end of the block."""
    samples: Counter[str] = Counter()
    done = threading.Event()

    def sample() -> None:
        with psycopg.connect(_address(), autocommit=True, application_name="sampler") as server:
            while not done.wait(EVERY):
                for state, kind, event in server.execute(SAMPLE).fetchall():
                    samples[_waits_for(state, kind, event)] += 1

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield samples
    finally:
        done.set()
        thread.join()


def _address() -> str:
    from django.db import connection

    made = connection.settings_dict
    return f"host={made['HOST']} user={made['USER']} dbname={made['NAME']}"


def _waits_for(state: str, kind: str | None, event: str | None) -> str:
    if kind == "Lock" and event in ROWS:
        return "a row that events share"
    if kind == "Client" or state.startswith("idle in transaction"):
        return "the web process"
    return "nothing: it computes" if kind is None else f"{kind}: {event}"


def _show(found: dict[int, tuple[Outcome, Counter[str]]]) -> None:
    first = next(iter(found.values()))[0].rate
    head = ("web processes", "reports/s", "÷ first", "samples", "waits for shared rows", "aim", "statuses")
    rows = []
    for processes, (outcome, samples) in found.items():
        share = samples["a row that events share"] / max(1, samples.total())
        statuses = ", ".join(f"{number} × {status}" for status, number in sorted(outcome.statuses.items()))
        ratio = f"{outcome.rate / first:.2f}"
        rows.append(
            (processes, f"{outcome.rate:.0f}", ratio, samples.total(), f"{100 * share:.2f} %", "< 2 %", statuses)
        )
    show(f"{WRITERS} writers in {WRITERS} events of one game", head, rows)
    for processes, (_outcome, samples) in found.items():
        shares = [(what, f"{100 * number / samples.total():.1f} %") for what, number in samples.most_common()]
        show(f"What busy sessions do, {processes} web processes", ("", "of the time"), shares)
