"""Answers that stay open: a first part, and then whatever there is to say, until either side ends it.

A view returns one like any other answer, after every check that any other answer gets; the front of the web process
(`ops.front`) holds it on its event loop, where it takes no thread. A server that cannot hold it sends the first part
and ends; those who read such answers come again by themselves.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from django.http import HttpResponse

Send = Callable[[bytes], Awaitable[object]]
Hold = Callable[[Send], Awaitable[None]]


class Answering:
    """How many requests this process answers now, those among them that wait for a thread; the front counts them."""

    number = 0


answering = Answering()


class HeldResponse(HttpResponse):
    """Server-sent events that go on for as long as `hold` runs; it is cancelled when the reader is gone."""

    def __init__(self, first: bytes, hold: Hold) -> None:
        super().__init__(first, content_type="text/event-stream")
        self.hold = hold
        self["Cache-Control"] = "no-store"
        self["X-Accel-Buffering"] = "no"  # nginx would keep back what is less than a page
