"""How a worker treats a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celery.worker import request
from celery.worker.consumer import consumer

from ops.transport import JUNK, throw_away


class Request(request.Request):
    """A message in a worker. One that cannot be acknowledged means that the connection to the broker is lost.

    Celery logs such a failure and counts the message as being worked on for good: with as many of them as a worker may
    hold, it would take no more. Raised instead, the failure makes the worker connect again.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given | {"connection_errors": ()})


# What Celery lets a message ask for, and no task of ours does.
UNUSED = ("eta", "retries", "shadow", "group", "chain", "chord", "callbacks", "errbacks", "stamps", "stamped_headers")


def check(message: Any) -> None:
    """Raise what is wrong with a message of a task, as none of ours is: most of it Celery finds out too late.

    A time at which to start makes the worker hold on to it, a wrong limit breaks the pool of processes. What is to
    happen around a task can fail beside it, where nobody hears of it: then the message is never acknowledged, and
    after as many of them as a worker may hold it takes no more.
    """
    headers = message.headers
    if "task" not in headers:
        return
    arguments, named, around = message.decode()
    hard, soft = headers.get("timelimit") or (None, None)
    shape = (headers["task"], headers["id"], arguments, named, around, hard or 0, soft or 0)
    if tuple(map(type, shape)) != (str, str, list, dict, dict, int, int):
        raise TypeError("a part of it is of another kind")
    if any(map(headers.get, UNUSED)) or any(around.values()):
        raise ValueError("it asks for what no task of ours does")


class Consumer(consumer.Consumer):
    """What takes messages from the broker. One that is not ours is thrown away, not logged whole and not deadly."""

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

    def on_unknown_message(self, body: Any, message: Any) -> None:
        """Throw away what is no task."""
        self._refuse(message, "it names no task")

    def on_unknown_task(self, body: Any, message: Any, exc: Exception) -> None:
        """Throw away a task that this version does not know: the sweep of one that does finds the work."""
        self._refuse(message, "nobody knows its task")

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
