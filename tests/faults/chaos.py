"""The chaos evening: 200 players through the API while faults strike at random, then an audit.

`./run faults chaos --seed N --minutes 5` runs it. The seed picks the faults and the games; the clock decides how many.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from tests.faults.audit import Findings, audit, settle
from tests.faults.phones import Answer, Ledger, at_once, call, insist
from tests.faults.stand import Stand, wait_for
from tests.scoring.evenings import sheet_with, short

PLAYERS = 200
ROUNDS = 4
GAME = "dix"


class Evening:
    """An organiser and 200 phones, at event after event until the time is up."""

    def __init__(self, stand: Stand, seed: int) -> None:
        self.port, self.ledger = stand.port, Ledger(stand.port)
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.is_over = threading.Event()
        self.failures: list[str] = []

    def run(self, club: str, organiser: str) -> None:
        """Play events until the time is up."""
        self.club, self.organiser = club, organiser
        try:
            while not self.is_over.is_set():
                self._play_event()
        except Exception as error:
            self.failures.append(repr(error))
            raise

    def _ask(self, method: str, path: str, body: Any, token: str | None, *expected: int) -> Any:
        """Call until there is an answer that means something, with one key all along."""
        send = partial(call, self.port, method, f"/api/v1/{path}", body, token=token, key=uuid4().hex)
        answer: Answer = insist(send, patience=120)
        self.counts[f"answered {answer.status}"] += 1
        if answer.status not in expected:
            self.failures.append(f"{method} {path}: {answer.status} {str(answer.body)[:300]}")
        return answer.body

    def _play_event(self) -> None:
        fields = {"club": self.club, "name": "Chaos", "game": GAME, "format": "swiss", "rounds": ROUNDS}
        fields |= {"table_size": {"min": 3, "max": 5, "preferred": 4}, "confirmation": "confirm"}
        event = self._ask("POST", "events/", fields | {"starts_at": "2026-01-01T19:00:00Z"}, self.organiser, 201)
        path = f"events/{event['id']}/"
        self._ask("PATCH", path, {"status": "registration"}, self.organiser, 200)

        def enter(number: int) -> tuple[str, str]:
            body = {"name": f"Player {number}", "join_code": event["join_code"]}
            entry = self._ask("POST", f"{path}entries/", body, None, 201)
            return entry["id"], entry["token"]

        tokens = dict(at_once(enter, range(PLAYERS)))
        for number in range(1, ROUNDS + 1):
            if self.is_over.is_set():
                return
            seated = self._ask("POST", f"{path}rounds/", {"seed": number}, self.organiser, 201)
            at_once(partial(self._play_table, tokens), seated["tables"])
            self._ask("PATCH", f"{path}rounds/{number}/", {"status": "closed"}, self.organiser, 200)
            self.counts["rounds"] += 1
        self._ask("PATCH", path, {"status": "finished"}, self.organiser, 200)

    def _play_table(self, tokens: dict[str, str], table: dict[str, Any]) -> None:
        """Report a table and confirm it; some tables send two different sheets, and the organiser decides."""
        seats = [seat["player"]["id"] for seat in table["seats"]]
        first, second = (tokens[seat["entry"]] for seat in table["seats"][:2])
        game = self.chance.randrange(20)
        sheet = _sheet(seats, game)
        self.counts["tables"] += 1
        reported = self.ledger.insist(table["id"], {"report": sheet}, first, patience=120)
        if reported.status != 201:
            self.failures.append(f"report: {reported}")
        elif self.chance.random() < 0.1:
            other = _sheet(seats, game + 1)
            self.ledger.insist(table["id"], {"report": other}, second, patience=120)
            body = {"report_id": reported.body["id"], "reason": "The first sheet is right."}
            self._ask("POST", f"tables/{table['id']}/decision/", body, self.organiser, 200)
        else:
            self._ask("POST", f"reports/{reported.body['id']}/confirm/", {}, second, 200)


def _sheet(seats: list[str], number: int) -> dict[str, Any]:
    return short(sheet_with(seats, number, game=GAME))


class Faults:
    """Everything that may strike, one at a time. Processes end with the thread that started them: the main one."""

    def __init__(self, stand: Stand, seed: int) -> None:
        self.stand, self.chance = stand, random.Random(seed)
        self.struck: Counter[str] = Counter()

    def strike(self) -> None:
        """Let a random fault strike, and mend what does not mend itself."""
        faults: list[Callable[[], None]] = [
            self.worker_killed,
            self.broker_killed,
            self.broker_paused,
            self.broker_erased,
            self.postgresql_restarted,
            self.connections_cut,
            self.web_process_killed,
            self.web_restarted,
            self.beat_killed,
        ]
        fault = self.chance.choice(faults)
        self.struck[fault.__name__] += 1
        fault()

    def _away(self) -> None:
        time.sleep(self.chance.uniform(0.2, 3))

    def _killed(self, name: str) -> None:
        self.stand.kill(name)
        self._away()
        self.stand.start(name)

    def worker_killed(self) -> None:
        """Kill the worker with whatever it is computing."""
        self._killed("worker")

    def beat_killed(self) -> None:
        """Kill the scheduler."""
        self._killed("beat")

    def broker_killed(self) -> None:
        """Kill the broker with every message in it."""
        self._killed("broker")

    def broker_paused(self) -> None:
        """Let the broker hang."""
        self.stand.running["broker"].send_signal(signal.SIGSTOP)
        self._away()
        self.stand.running["broker"].send_signal(signal.SIGCONT)

    def broker_erased(self) -> None:
        """Erase every message."""
        try:
            with Redis(unix_socket_path=str(self.stand.folder / "valkey.sock")) as broker:
                broker.flushall()
        except RedisError:
            self.struck["broker_erased"] -= 1

    def postgresql_restarted(self) -> None:
        """Restart PostgreSQL."""
        self.stand.stop("postgres", signal.SIGINT)
        self._away()
        self.stand.start("postgres")

    def connections_cut(self) -> None:
        """End every session with the database."""
        with psycopg.connect(self.stand.environment["DATABASE_URL"]) as session:
            session.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def web_process_killed(self) -> None:
        """Kill one of the processes that answer requests, as soon as there is one."""
        wait_for(self.stand.web_workers)
        self.stand.kill_web_worker()

    def web_restarted(self) -> None:
        """Stop the web server gently, and start it again."""
        self.stand.stop("web")
        self.stand.start("web")


def run(seed: int, minutes: float) -> bool:
    """Run an evening, print what happened, and return whether the audit found nothing."""
    from django.db import connection

    from core import computations
    from tests.scoring.evenings import evening
    from tournaments.services.credentials import create_token

    stand = Stand()
    try:
        stand.prepare()
        with stand.connected():
            there = evening()
            organiser = create_token(actor=there.organiser, name="laptop")[1]
            connection.close()
            chaos, faults = Evening(stand, seed), Faults(stand, seed)
            phones = threading.Thread(target=chaos.run, args=(there.event.club.slug, organiser))
            phones.start()
            end = time.monotonic() + 60 * minutes
            try:
                while time.monotonic() < end and phones.is_alive():
                    time.sleep(faults.chance.uniform(1, 4))
                    faults.strike()
            finally:
                chaos.is_over.set()
            phones.join()
            stand.heal()
            calm = time.monotonic()
            settle(180)
            recovery = time.monotonic() - calm
            found = audit(chaos.ledger)
            chaos.failures += [f"parked: {row.kind} {row.key} {row.error}" for row in computations.parked()]
    finally:
        stand.close()
    _print(seed, minutes, chaos, faults, found, recovery)
    return found.is_clean and not chaos.failures


def _print(seed: int, minutes: float, chaos: Evening, faults: Faults, found: Findings, recovery: float) -> None:
    acknowledged = sum(map(len, chaos.ledger.told.values()))
    print("| Seed | Minutes | Faults | Rounds | Tables | Reports acknowledged | L | D | Δ | R (s) |")
    print("| ---: " * 10 + "|")
    row = [seed, minutes, faults.struck.total(), chaos.counts["rounds"], chaos.counts["tables"], acknowledged]
    print("| " + " | ".join(map(str, [*row, *found, f"{recovery:.1f}"])) + " |")
    print("\nstruck: " + ", ".join(f"{name} {number}" for name, number in sorted(faults.struck.items())))
    for failure in chaos.failures:
        print(f"not as expected: {failure}", file=sys.stderr)


def main(arguments: list[str]) -> int:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="./run faults chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="what picks the faults and the games (%(default)s)")
    parser.add_argument("--minutes", type=float, default=5, help="how long faults strike (%(default)s)")
    options = parser.parse_args(arguments)
    return 0 if run(options.seed, options.minutes) else 1
