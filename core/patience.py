"""Waiting with an end for what has none of its own: a name server that hangs keeps its caller for half a minute."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import BoundedSemaphore, Thread
from typing import TypeVar

Result = TypeVar("Result")

_free = BoundedSemaphore(32)  # threads of this process that may hang at a time


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Return what some work returns; TimeoutError where it takes longer, and then goes on with nobody waiting."""
    if not _free.acquire(blocking=False):
        raise TimeoutError("what was begun before still hangs")
    done: Future[Result] = Future()

    def carry_out() -> None:
        try:
            done.set_result(work())
        except Exception as error:  # it is the caller's, if there still is one
            done.set_exception(error)
        finally:
            _free.release()

    try:
        Thread(target=copy_context().run, args=(carry_out,), name="patience", daemon=True).start()
    except RuntimeError as error:
        _free.release()
        raise OSError("the machine has no room for one more thread") from error
    try:
        return done.result(seconds)
    except TimeoutError as error:
        raise TimeoutError(str(error) or f"no answer within {seconds:g} s") from error
