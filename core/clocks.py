"""The time of day can be wrong, and jump when somebody sets it right; what must not stall or be deleted asks here."""

from __future__ import annotations

import datetime as dt
import time

from django.db.models import Q

TOLERATED = dt.timedelta(seconds=10)  # by which the clocks of two machines may differ
STEADY_FOR = 1800.0  # seconds of running with one and the same time of day after which it is believed

_steady_since: tuple[float, float] | None = None  # the time of day and the monotonic time of this process then


def is_over(field: str, now: dt.datetime, longest: dt.timedelta) -> Q:
    """Return the condition that a moment has come which was at most so far ahead when it was written down.

    One that lies farther ahead was written by a clock that was set back since: it would never come.
    """
    return Q(**{f"{field}__lte": now}) | Q(**{f"{field}__gt": now + longest + TOLERATED})


def was_within(field: str, now: dt.datetime, window: dt.timedelta) -> Q:
    """Return the condition that something was less than so long ago; what seems to come was not (`is_fresh`)."""
    return Q(**{f"{field}__gt": now - window, f"{field}__lte": now + TOLERATED})


def is_fresh(since: dt.datetime, now: dt.datetime, window: dt.timedelta) -> bool:
    """Say whether something was less than so long ago.

    A stamp of the future was written by a clock that was set back since: taken for fresh it would be so until the
    clock comes there again, which may take a year.
    """
    return now - window < since <= now + TOLERATED


def age(since: dt.datetime, now: dt.datetime) -> dt.timedelta:
    """Return how long ago something was; what seems to come is as old as it is ahead, since a clock was set back."""
    return abs(now - since)


def is_steady() -> bool:
    """Say whether the time of day has not jumped for a while in this process: only then anything is deleted by it."""
    global _steady_since  # noqa: PLW0603 -- one per process
    day, run = time.time(), time.monotonic()
    if _steady_since is None or abs((day - _steady_since[0]) - (run - _steady_since[1])) > TOLERATED.total_seconds():
        _steady_since = day, run
    return run - _steady_since[1] >= STEADY_FOR
