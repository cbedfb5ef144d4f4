"""Fault 30: schemathesis sends whatever the schema allows, and much that it does not, to every route."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories import SeasonFactory
from tests.faults.counts import IS_FULL, count
from tests.faults.phones import evenings, organiser_token, token_of
from tests.faults.rig_names import UNTHROTTLED
from tests.faults.stand import Stand
from tests.scoring.evenings import Evening

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance"
CHECKS += ",response_headers_conformance,response_schema_conformance"
PHASES = "examples,coverage,fuzzing,stateful" if IS_FULL else "fuzzing,stateful"
RULE = """
[[operations]]
include-path-regex = "{path}"
parameters = {{ {name} = "{value}" }}
"""


def write_parameters(folder: Path, there: Evening, report: str) -> None:
    """Tell schemathesis of rows that exist, so that it gets past the first 404."""
    entry, event = there.entries[0], there.event
    known = [
        ("^/api/v1/clubs/", "slug", event.club.slug),
        ("^/api/v1/games/", "slug", event.game),
        ("/{game}/$", "game", event.game),
        ("^/api/v1/events/", "uid", event.uid),
        ("^/api/v1/entries/", "uid", entry.uid),
        ("^/api/v1/tables/", "uid", there.table.uid),
        ("^/api/v1/reports/", "uid", report),
        ("^/api/v1/players/", "uid", entry.player.uid),
        ("^/api/v1/seasons/", "uid", SeasonFactory(club=event.club).uid),
        ("^/api/v1/join/", "code", event.join_code),
    ]
    rules = (RULE.format(path=path, name=name, value=value) for path, name, value in known)
    (folder / "schemathesis.toml").write_text("".join(rules))


def fuzz(stand: Stand, token: str | None, folder: Path) -> tuple[int, str]:
    """Run schemathesis over the whole schema with a credential or none; return its exit code and what it said."""
    command = [str(Path(sys.executable).with_name("st")), "--no-color", "run"]
    command += [f"http://127.0.0.1:{stand.port}/api/v1/schema/", "--checks", CHECKS, "--phases", PHASES]
    # One worker: Python 3.11 may fail to read source in two threads at once ("AST constructor recursion depth").
    command += ["--max-examples", str(count(2, 40)), "--seed", "1", "--workers", "1", "--request-timeout", "20"]
    command += ["--generation-database", "none", "--suppress-health-check", "all"]
    command += ["--exclude-operation-id", "tokens_revoke"]  # it would end the run's own credential
    command += ["--exclude-operation-id", "events_stream"]  # it stays open; test_news.py and test_streams.py read it
    if token is not None:
        command += ["--header", f"Authorization: Bearer {token}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.fault(30, "schemathesis over the whole schema, as organiser, player and nobody")
def test_30_api_keeps_to_its_schema(stand, ledger, figures, tmp_path):
    callers = {
        "organiser": organiser_token,
        "player": lambda there: token_of(there.players[0]),
        "nobody": lambda there: None,
    }
    cases = 0
    stand.arm(UNTHROTTLED)
    try:
        for name, token_for in callers.items():
            there = evenings(2, confirmation="confirm")[0]
            write_parameters(tmp_path, there, ledger.report(there).body["id"])
            status, said = fuzz(stand, token_for(there), tmp_path)
            assert status == 0, f"as {name}:\n{said}"
            cases += sum(map(int, re.findall(r"(\d+) generated", said)))
    finally:
        stand.disarm(UNTHROTTLED)
    figures.clean(f"{cases} requests, nothing undocumented")
