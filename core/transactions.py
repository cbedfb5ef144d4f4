"""Transactions whose refusals leave something behind.

A refused sheet or a vote that came too late undoes the work of its request, and is still worth keeping. Django knows
`on_commit` alone, so `on_rollback` is its counterpart, for work inside of `atomic`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar

from django.db import transaction

Act = Callable[[], object]
Kept = TypeVar("Kept")

MOST_ATTEMPTS = 3  # to keep what was prepared, while others change what it depends on

_waiting: ContextVar[list[Act] | None] = ContextVar("waiting", default=None)


@contextmanager
def atomic() -> Iterator[None]:
    """Run a transaction; once the outermost is undone by an error, do what was given to `on_rollback`."""
    if _waiting.get() is not None:
        # The outermost block rolls everything back on an error, so inner blocks need no savepoint.
        with transaction.atomic(savepoint=False):
            yield
        return
    waiting: list[Act] = []
    token = _waiting.set(waiting)
    try:
        with transaction.atomic():
            yield
    except Exception:
        _waiting.reset(token)
        for act in waiting:
            act()
        raise
    _waiting.reset(token)


def on_rollback(act: Act) -> None:
    """Do something once the transaction is undone; at once outside of `atomic`."""
    waiting = _waiting.get()
    if waiting is None:
        act()
    else:
        waiting.append(act)


@contextmanager
def rehearsal() -> Iterator[None]:
    """Run a transaction that is always undone and leaves nothing behind, whatever happens in it."""
    token = _waiting.set([])
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        _waiting.reset(token)


def anew_after(overtaken: type[Exception], take: Callable[[], Kept]) -> Kept:
    """Prepare something before anything is locked and keep it, and do so again where it was overtaken in between."""
    for _attempt in range(MOST_ATTEMPTS - 1):
        with suppress(overtaken):
            return take()
    return take()
