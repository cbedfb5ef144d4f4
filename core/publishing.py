"""Tell the worker that there is something to do.

A published task only makes work start sooner: the database holds what is to be done, and a sweep finds what was not
published. So a broker that is away or hangs must never fail or delay the request that publishes.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from functools import partial
from typing import Any

from cachetools import TTLCache
from celery import current_app
from django.db import transaction

from core.breaker import Breaker
from core.patience import within

logger = logging.getLogger(__name__)

APART = 0.5  # seconds between two messages that say the same: what comes in between is one more, at the end
PATIENCE = 1.0  # seconds that a request waits until a broker has taken its message

breaker = Breaker()


def publish_on_commit(task: str, *args: Any) -> None:
    """Publish a task by its name once the current transaction is committed; never raises."""
    transaction.on_commit(partial(publish, task, *args))


class _Spaced:
    """Messages that say the same, `APART` from each other: the first goes at once, and the last is never lost."""

    def __init__(self) -> None:
        self._sent: TTLCache[tuple[Any, ...], float] = TTLCache(10_000, 60, timer=time.monotonic)
        self._waiting: dict[tuple[Any, ...], float] = {}  # when each goes out
        self._lock = threading.Lock()
        self._is_sending = False

    def publish(self, *message: Any) -> None:
        """Publish a message now, or with those that wait."""
        now = time.monotonic()
        with self._lock:
            if message in self._waiting:
                return
            due = self._sent.get(message, now - APART) + APART
            if due > now and self._have_it_sent():
                self._waiting[message] = due
                return
            self._sent[message] = now
        publish(*message)

    def _have_it_sent(self) -> bool:
        """Start the thread that sends what waits; tell whether there is one, which a machine may have no room for."""
        if not self._is_sending:
            with suppress(RuntimeError):
                threading.Thread(target=self._send_waiting, name="publisher", daemon=True).start()
                self._is_sending = True
        return self._is_sending

    def _send_waiting(self) -> None:
        """Publish each message that waits when it is due, until none does."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._is_sending = False
                    return
                now, (message, due) = time.monotonic(), next(iter(self._waiting.items()))
                if is_due := due <= now:
                    del self._waiting[message]
                    self._sent[message] = now
            if is_due:
                publish(*message)
            else:
                time.sleep(due - now)


publish_spaced = _Spaced().publish


def publish_spaced_on_commit(task: str, *args: Any) -> None:
    """Publish a task once the current transaction is committed; many that say the same are few messages."""
    transaction.on_commit(partial(publish_spaced, task, *args))


def publish(task: str, *args: Any) -> None:
    """Publish a task by its name at once; never raises."""
    if not breaker.lets_through():
        return
    try:
        within(PATIENCE, partial(current_app.send_task, task, args, retry=False))
    except Exception as error:  # each broker has errors of its own, such as being out of memory
        breaker.note_failure()
        logger.warning("broker away, %s left to the sweep: %s", task, error)
    else:
        breaker.note_answer()
