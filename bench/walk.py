"""The walk of a report: from its POST over what follows to the leaderboard and the projector, traced call by call.

A package is a folder of ours with code in it, an app one at the top. Where a function calls one of another package,
the reader crosses over: each such pair of functions counts once, however many players sit at the table. What a library
calls for us does not count. SQL statements are counted for the POST alone, on PostgreSQL, without BEGIN and COMMIT.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from bench.database import scratch_database
from bench.tables import show

ROOT = Path(__file__).resolve().parent.parent
NOT_OURS = {".venv", "bench", "tests"}
GAME = "dix"


class Place(NamedTuple):
    """A function of ours, and the folder it is in."""

    folder: str
    module: str
    function: str

    def __str__(self) -> str:
        return f"{self.folder}/{self.module} {self.function}"


Step = tuple[Place, Place]


@dataclass
class Trace:
    """The calls between functions of ours, in the order in which they were made."""

    steps: list[Step] = field(default_factory=list)
    judged: int = 0

    def see(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Note a call from code of ours to code of ours, not what a library in between calls for it."""
        if event != "call" or (place := _place(frame)) is None:
            return
        self.judged += place[1:] == ("checking.py", "Checker.__call__")
        if frame.f_back is not None and (origin := _place(frame.f_back)) is not None:
            self.steps.append((origin, place))

    def crossings(self, depth: int | None = None) -> Counter[Step]:
        """Return the steps from one package to another, or between apps where only so many folders count."""
        return Counter(step for step in self.steps if _package(step[0], depth) != _package(step[1], depth))


def _package(place: Place, depth: int | None) -> list[str]:
    return place.folder.split("/")[:depth]


def _place(frame: FrameType) -> Place | None:
    """Return where a frame's code is, if it is ours."""
    found = _path(frame.f_code.co_filename)
    if len(found) < 2 or found[0] in NOT_OURS:
        return None
    return Place("/".join(found[:-1]), found[-1], frame.f_code.co_qualname)


@functools.cache
def _path(name: str) -> tuple[str, ...]:
    path = Path(name)
    return path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else ()


@contextmanager
def traced() -> Iterator[Trace]:
    """Trace what this thread calls in the block."""
    trace = Trace()
    sys.setprofile(trace.see)
    try:
        yield trace
    finally:
        sys.setprofile(None)


def run(arguments: list[str]) -> None:
    """Print how often the walk of a report crosses over, and its statements."""
    parser = argparse.ArgumentParser(prog="./run bench walk", description=__doc__)
    parser.add_argument("--each", action="store_true", help="name every crossing, in the order of the walk")
    options = parser.parse_args(arguments)
    with scratch_database():
        statements, trace = _walk()
    packages, apps = trace.crossings(), trace.crossings(1)
    rows = [
        ("crossings between packages", str(len(packages)), "≤ 41"),
        ("crossings between apps", str(len(apps)), "≤ 24"),
        ("calls by these, of packages", str(packages.total()), ""),
        ("times the sheet is judged", str(trace.judged), "1"),
        ("SQL statements of the POST", str(len(statements)), "≤ 18"),
    ]
    show("the walk of a report", ("", "now", "aim"), rows)
    if options.each:
        named = [(str(one), str(other), str(times)) for (one, other), times in packages.items()]
        show("crossings", ("from", "to", "times"), named)
        for number, statement in enumerate(statements, 1):
            print(f"{number:>3}  {statement[:180]}")


def _walk() -> tuple[list[str], Trace]:
    """Report a table of an event that trusts its players, compute what follows, and look at it."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from rest_framework.test import APIClient

    from scoring import tasks
    from tests.scoring.evenings import evening
    from tournaments import links
    from tournaments.models import Confirmation
    from tournaments.services.events import mark_standings

    tonight, second = (evening(game=GAME, confirmation=Confirmation.TRUST) for _ in range(2))
    mark_standings(tonight.event)  # as everybody's joining does
    client = APIClient(SERVER_NAME="localhost")
    address = f"/api/v1/tables/{tonight.table.uid}/reports/"
    post = _post(client, second, f"/api/v1/tables/{second.table.uid}/reports/", "warm-up")
    assert post().status_code == 201, "the first request loads what every other finds loaded"
    post = _post(client, tonight, address, "walk")
    with CaptureQueriesContext(connection) as captured, traced() as trace:
        assert post().status_code == 201
    statements = [each["sql"] for each in captured.captured_queries if each["sql"] not in {"BEGIN", "COMMIT"}]
    with traced() as rest:
        tasks.refresh("ratings", GAME)
        tasks.refresh("standings", tonight.event.uid)
        APIClient(SERVER_NAME="localhost").get(f"/api/v1/leaderboards/{GAME}/")
        client.get(links.projector_link(tonight.event, ""))
    trace.steps += rest.steps
    trace.judged += rest.judged
    return statements, trace


def _post(client: Any, tonight: Any, address: str, key: str) -> Callable[[], Any]:
    from tournaments.access import credentials

    entry, sheet = tonight.entries[0], tonight.sheet()
    token = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    return lambda: client.post(address, {"report": sheet}, format="json", headers=headers)
