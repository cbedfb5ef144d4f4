"""How a worker treats a message."""

from __future__ import annotations

from typing import Any

from celery.worker import request


class Request(request.Request):
    """A message in a worker. One that cannot be acknowledged means that the connection to the broker is lost.

    Celery logs such a failure and counts the message as being worked on for good: with as many of them as a worker may
    hold, it would take no more. Raised instead, the failure makes the worker connect again.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given | {"connection_errors": ()})
