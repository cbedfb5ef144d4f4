"""Fault 30: schemathesis sends whatever the schema allows, and much that it does not, to every route."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.figures import count
from tests.faults.phones import evenings, organiser_token, token_of
from tests.faults.rig_names import UNTHROTTLED
from tests.faults.stand import Stand

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)


def fuzz(stand: Stand, token: str | None, report: Path) -> subprocess.CompletedProcess[str]:
    """Run schemathesis over the whole schema with a credential, or none."""
    script = Path(sys.executable).with_name("st")
    command = [str(script), "--no-color", "run", f"http://127.0.0.1:{stand.port}/api/v1/schema/"]
    command += ["--checks", CHECKS, "--max-examples", str(count(2, 40)), "--seed", "1", "--workers", "2"]
    command += ["--phases", "examples,coverage,fuzzing,stateful" if count(0, 1) else "fuzzing,stateful"]
    command += ["--generation-database", "none", "--suppress-health-check", "all", "--request-timeout", "20"]
    command += ["--report", "json", "--report-json-path", str(report)]
    if token is not None:
        command += ["--header", f"Authorization: Bearer {token}"]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=stand.folder)


@pytest.mark.fault(30, "schemathesis over the whole schema")
def test_30_api_keeps_to_its_schema(stand, ledger, figures, tmp_path):
    there = evenings(2)[0]
    callers = {"organiser": organiser_token(there), "player": token_of(there.players[0]), "nobody": None}
    stand.arm(UNTHROTTLED)
    try:
        for name, token in callers.items():
            done = fuzz(stand, token, tmp_path / f"{name}.json")
            assert done.returncode == 0, f"as {name}:\n{done.stdout}{done.stderr}"
    finally:
        stand.disarm(UNTHROTTLED)
    reports = [json.loads((tmp_path / f"{name}.json").read_text()) for name in callers]
    figures.clean(f"{reports}")
