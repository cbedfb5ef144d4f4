"""The blocks in Python and bash of every page, run as they stand, against a real server."""

from __future__ import annotations

import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import HTTPServer
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks import Webhook

from tests.documents import ROOT, blocks, pages_with
from tests.shell import bash, program


@pytest.fixture
def tools(tmp_path):
    """The folder of the programs that shell blocks call."""
    program(tmp_path, "curl", f'exec "{sys.executable}" "{ROOT / "tests" / "curl.py"}" "$@"')
    program(tmp_path, "python3", f'exec "{sys.executable}" "$@"')
    return tmp_path


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_blocks_run(service, page):
    names: dict[str, Any] = {}
    # In a thread of their own: in ours the driver of the browser may have an event loop.
    with ThreadPoolExecutor(1) as thread:
        for block in blocks(page, "python"):
            thread.submit(exec, compile(block, page, "exec", dont_inherit=True), names).result()
    if "api" in names:
        names["api"].close()


@pytest.mark.parametrize("page", pages_with("bash"))
def test_bash_blocks_run(service, tools, page, tmp_path):
    script = "\n".join(blocks(page, "bash")).replace("http://127.0.0.1:8000", "$URL")
    assert "docs/errors.md#" not in bash(script, tools, tmp_path), "some write files where they are"


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
