"""How a worker treats a message."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from celery.concurrency import thread
from celery.worker import request, state
from celery.worker.consumer import consumer

from ops.transport import JUNK, throw_away


class Request(request.Request):
    """A message in a worker. One that cannot be acknowledged means that the connection to the broker is lost.

    Celery logs such a failure and counts the message as being worked on for good: with as many of them as a worker may
    hold, it would take no more. Raised instead, the failure makes the worker connect again.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given | {"connection_errors": ()})


class ThreadPool(thread.TaskPool):
    """Threads that work off messages. One whose odd parts make Celery itself fail, beside its task, is thrown away.

    Nobody would hear of such a failure in a thread: the message would never be acknowledged, and after as many of them
    as a worker may hold, it would take no more.
    """

    def on_apply(self, *args: Any, **given: Any) -> Any:
        """Have a thread take a message; the callback is a method of its request."""
        result = super().on_apply(*args, **given)
        result.f.add_done_callback(partial(_end, given["callback"].__self__))
        return result


def _end(taken: Request, ended: Future[Any]) -> None:
    # That a message cannot be acknowledged is another matter: then the connection is lost, which the worker finds out.
    if not ended.cancelled() and isinstance(error := ended.exception(), JUNK):
        throw_away(type(error).__name__)
        state.task_ready(taken)
        taken.acknowledge()


def check(message: Any) -> None:
    """Raise what is wrong with a message of a task, as none of ours is: most of it Celery finds out too late.

    A time at which to start makes the worker hold on to it, a wrong limit breaks the pool of processes.
    """
    headers = message.headers
    if "task" not in headers:
        return
    arguments, named, _others = message.decode()
    hard, soft = headers.get("timelimit") or (None, None)
    shape = (headers["task"], headers["id"], arguments, named, hard or 0, soft or 0)
    if tuple(map(type, shape)) != (str, str, list, dict, int, int):
        raise TypeError("a part of it is of another kind")
    if headers.get("eta") or headers.get("retries"):
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
