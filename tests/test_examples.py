"""The examples, and the blocks in Python and bash of every page, run as they stand, against a real server."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import HTTPServer
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from standardwebhooks import Webhook

from scoring import tasks
from tests.documents import ROOT, blocks, pages_with
from tests.shell import bash, program

EXAMPLES = ROOT / "docs" / "examples"


def work_at_once(task, *args):
    if task == tasks.refresh.name:
        tasks.refresh(*args)


@pytest.fixture
def service(live_server, monkeypatch):
    """A server whose worker is never late, a club, and the environment the documents ask for."""
    monkeypatch.setattr("core.publishing.publish", work_at_once)
    monkeypatch.syspath_prepend(EXAMPLES)
    out = io.StringIO()
    call_command("create_club", "Café Meeple", "--owner", "owner@example.org", "--json", stdout=out, stderr=out)
    made = json.loads(out.getvalue().splitlines()[0])
    for name, value in {"URL": live_server.url, "CLUB": made["club"], "TOKEN": made["token"]}.items():
        monkeypatch.setenv(name, value)
    return live_server


@pytest.fixture
def tools(tmp_path):
    """The folder of the programs that shell blocks call."""
    program(tmp_path, "curl", f'exec "{sys.executable}" "{ROOT / "tests" / "curl.py"}" "$@"')
    program(tmp_path, "python3", f'exec "{sys.executable}" "$@"')
    return tmp_path


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_blocks_run(service, page):
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec", dont_inherit=True), names)


@pytest.mark.parametrize("page", pages_with("bash"))
def test_bash_blocks_run(service, tools, page):
    script = "\n".join(blocks(page, "bash")).replace("http://127.0.0.1:8000", "$URL")
    assert "docs/errors.md#" not in bash(script, tools)


def test_receiver_shown_takes_a_message_once(capsys):
    [block] = blocks("docs/how-to/webhooks.md", "python")
    names: dict[str, Any] = {}
    exec(block, names)
    body, now = '{"type": "ping", "data": {}}', timezone.now()
    signature = Webhook(names["Receiver"].secret).sign("msg_1", now, body)
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}
    with HTTPServer(("127.0.0.1", 0), names["Receiver"]) as server, ThreadPoolExecutor() as pool:
        for _ in range(2):
            pool.submit(server.handle_request)
            request = urllib.request.Request(f"http://127.0.0.1:{server.server_port}", body.encode(), headers)
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert answer.status == 204
    assert capsys.readouterr().out == "ping {}\n"


def test_example_runs_a_whole_event(service, capsys):
    importlib.import_module("whole_event").main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 12
    assert lines[0].startswith("  1. ")


def test_client_asks_for_changes_only(service):
    api = importlib.import_module("ludoscore").Ludoscore(os.environ["URL"], os.environ["TOKEN"])
    event = api.create_event(club=os.environ["CLUB"], name="Friday", game="dix", starts_at="2026-11-20T19:00:00+01:00")
    first = api.event(event["id"])
    assert api.event(event["id"]) == first
    api.change_event(event["id"], name="Saturday")
    assert api.event(event["id"])["name"] == "Saturday"


def test_client_calls_only_what_the_schema_has():
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    known = {(method.upper(), re.sub(r"\{\w+\}", "{}", path)) for path, item in paths.items() for method in item}
    source = (EXAMPLES / "ludoscore.py").read_text()
    called = re.findall(r'call\(\s*"([A-Z]+)", f?"([^"]+)"', source)
    assert len(called) >= 18
    for method, path in called:
        assert (method, "/api/v1/" + re.sub(r"\{[^}]+\}", "{}", path)) in known
