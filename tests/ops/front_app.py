"""A front with small limits before an application that tells what it was given; `test_front.py` runs it."""

from __future__ import annotations

import asyncio
import io
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 (they need the set-up)
from django.http import StreamingHttpResponse  # noqa: E402 (likewise)

from core.held import HeldResponse  # noqa: E402 (likewise)
from ops.front import Front, Limits  # noqa: E402 (likewise)
from tests.ops import front_app_limits as small  # noqa: E402 (likewise)

if (settings.DATA_DIR / "broken").exists():
    raise ImportError("half an update")
if (settings.DATA_DIR / "broken-routes").exists():
    settings.ROOT_URLCONF = "tests.ops.half_an_update"

seen = {"began": 0, "closed": 0}


class Endless(StreamingHttpResponse):
    """Numbers without end, which says when it was closed."""

    def close(self) -> None:
        """Say so."""
        seen["closed"] += 1
        super().close()


def numbers() -> Iterator[bytes]:
    """Count."""
    for number in range(1_000_000):
        time.sleep(0.01)
        yield b"%d\n" % number


def broken() -> Iterator[bytes]:
    """Begin, and fail."""
    yield b"one "
    raise ValueError("half way")


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """Answer by the path."""
    path = environ["PATH_INFO"]
    seen["began"] += 1
    if path == "/sleep/":
        time.sleep(1)
    if path.endswith("/fail/"):
        raise ValueError("on purpose")
    if path == "/file/":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return environ["wsgi.file_wrapper"](Path(__file__).open("rb"))
    if path == "/part/":
        start_response("206 Partial Content", [("Content-Length", "4")])
        return environ["wsgi.file_wrapper"](io.BytesIO(b"part"))
    if path == "/stream/":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return StreamingHttpResponse([b"one ", b"two"])
    if path == "/broken/":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return StreamingHttpResponse(broken())
    if path == "/endless/":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return Endless(numbers())
    if path == "/held/":
        start_response("200 OK", [("Content-Type", "text/event-stream"), ("Content-Length", "7")])
        return HeldResponse(b"first\n\n", hold)
    if path == "/long/":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"x" * small.LONG]
    if path == "/unchanged/":
        start_response("304 Not Modified", [("ETag", '"1"')])
        return []
    texts = {name: value for name, value in environ.items() if isinstance(value, str)}
    told = {"environ": texts, "body": environ["wsgi.input"].read().decode("latin-1"), **seen}
    told |= {"thread": threading.current_thread().name, "switch": sys.getswitchinterval()}
    start_response("200 OK", [("Content-Type", "application/json"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
    return [json.dumps(told).encode()]


async def hold(send: Any) -> None:
    """Say where it runs, and then a word at a time for as long as somebody listens."""
    await send(f"data: {threading.current_thread().name}\n\n".encode())
    try:
        while True:
            await asyncio.sleep(0.05)
            await send(b":\n\n")
    finally:
        seen["closed"] += 1


limits = Limits(
    threads=small.THREADS,
    waiting=small.WAITING,
    patience=5,
    grace=small.GRACE,
    rate=small.RATE,
    held=small.HELD,
    unread=small.UNREAD,
    reading=small.READING,
    pace=small.PACE,
)
front = Front(application, limits)
