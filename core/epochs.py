"""Which life of the database this is: a random word, part of every entity tag and of every place in a stream.

Those are made of counters, which go back with a backup: afterwards the same numbers would stand for other content.
Whatever puts another state in place gives the database another word.
"""

from __future__ import annotations

import secrets

from core.models import Epoch

_current: str | None = None  # nobody replaces the database of a process that runs, so it is read once


def new() -> str:
    """Return a word that no other life has."""
    return secrets.token_hex(4)


def current() -> str:
    """Return the word of this life."""
    global _current  # noqa: PLW0603 -- one per process
    if _current is None:
        _current = Epoch.objects.values_list("value", flat=True).first() or ""
    return _current
