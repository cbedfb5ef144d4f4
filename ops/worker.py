"""How a worker treats a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celery.worker import request
from celery.worker.consumer import consumer

from ops.transport import JUNK, check, throw_away


class Request(request.Request):
    """A message in a worker. One that cannot be acknowledged means that the connection to the broker is lost.

    Celery logs such a failure and counts the message as being worked on for good: with as many of them as a worker may
    hold, it would take no more. Raised instead, the failure makes the worker connect again.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given | {"connection_errors": ()})


# What Celery's workers tell each other, every two seconds. Nothing here listens to it, and it is no task of ours.
SILENT = {"without_gossip": True, "without_mingle": True, "without_heartbeat": True}


class Consumer(consumer.Consumer):
    """What takes messages from the broker. One that is not ours is thrown away, not logged whole and not deadly."""

    def __init__(self, *args: Any, **given: Any) -> None:
        options = (given.get("worker_options") or {}) | SILENT
        super().__init__(*args, **given | {"worker_options": options})

    def create_task_handler(self, *args: Any, **given: Any) -> Callable[[Any], None]:
        """Return the function that is called with each message."""
        take = super().create_task_handler(*args, **given)

        def handle(message: Any) -> None:
            try:
                check(message)
                take(message)
            except JUNK as error:
                self._refuse(message, type(error).__name__)

        return handle

    def on_invalid_task(self, body: Any, message: Any, exc: Exception) -> None:
        """Throw away a task that is not written as tasks are."""
        self._refuse(message, type(exc).__name__)

    def on_decode_error(self, message: Any, exc: Exception) -> None:
        """Throw away what cannot be read."""
        self._refuse(message, type(exc).__name__)

    def _refuse(self, message: Any, reason: str) -> None:
        throw_away(reason)
        if not message.acknowledged:
            message.reject()
