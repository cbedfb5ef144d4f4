"""Tell the worker that there is something to do.

A hint only makes work start sooner: what is to be done stands in the database, and a sweep finds what no hint
brought. So a broker that is away or hangs must never fail or delay the request that gives the hint.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

PAUSE = 5.0  # seconds without an attempt after a failed one, so that a hanging broker costs one request in many

_silent_until = 0.0


def hint(task: str, *args: Any) -> None:
    """Publish a task by its name once the current transaction is committed; never raises."""
    transaction.on_commit(partial(publish, task, *args))


def publish(task: str, *args: Any) -> None:
    """Publish a task by its name at once; never raises."""
    global _silent_until  # noqa: PLW0603 -- one breaker per process
    if time.monotonic() < _silent_until:
        return
    try:
        current_app.send_task(task, args, retry=False)
    except (OperationalError, OSError) as error:
        _silent_until = time.monotonic() + PAUSE
        logger.warning("broker away, %s left to the sweep: %s", task, error)


@contextmanager
def withheld() -> Iterator[None]:
    """Publish nothing meanwhile: for work in bulk that computes itself what follows from it."""
    global _silent_until  # noqa: PLW0603 -- one breaker per process
    before, _silent_until = _silent_until, math.inf
    try:
        yield
    finally:
        _silent_until = before
