"""Somebody else's change between the moment at which something is read and the one at which it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from django.db.models import Model


@contextmanager
def meanwhile(model: type[Model], act: Callable[[], object], *, reads: int = 1) -> Iterator[None]:
    """Let somebody else act once, right after rows of a model were read so many times in the block."""
    waiting, read = [act, *[lambda: None] * (reads - 1)], f'FROM "{model._meta.db_table}"'

    def come(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        found = execute(sql, *given)
        if waiting and sql.startswith("SELECT") and read in sql:
            waiting.pop()()
        return found

    with connection.execute_wrapper(come):
        yield
    assert not waiting, "nothing was read"
