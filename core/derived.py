"""What is computed from final reports, and whether it is out of date.

`mark` writes it down in the transaction of the change, and hints the worker. Whoever claims a row reads what is wanted
first and the results after it, so `done` never runs ahead of what was computed. Computing twice, late or side by side
ends the same; a claim only spares work.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Now

from core.hints import hint
from core.models import Derived

TASK = "scoring.tasks.refresh"
LEASE = dt.timedelta(seconds=30)  # after this, a claim whose worker died is free again
MOST_ATTEMPTS = 3
Kind = Derived.Kind


class Since(NamedTuple):
    """A table's place in the order of ratings."""

    at: dt.datetime
    table: int


def mark(kind: str, key: str, since: Since | None = None) -> None:
    """Write down that something is out of date, for ratings from which table on; None where only new tables came."""
    changes: dict[str, Any] = {
        "wanted": F("wanted") + 1,
        "stale_since": Coalesce("stale_since", Now()),
        # A new fact may be the cure of what was parked: it gets one more try.
        "attempts": Case(When(parked_at=None, then=F("attempts")), default=Value(MOST_ATTEMPTS - 1)),
        "parked_at": None,
    }
    if since is not None:
        is_earlier = Q(since_at=None) | Q(since_at__gt=since.at) | Q(since_at=since.at, since_table__gt=since.table)
        changes |= {
            "since_at": Case(When(is_earlier, then=Value(since.at)), default=F("since_at")),
            "since_table": Case(
                When(is_earlier, then=Value(since.table)), default=F("since_table"), output_field=BigIntegerField()
            ),
        }
    row = Derived.objects.filter(kind=kind, key=key)
    if not row.update(**changes):
        _create(kind, key)
        row.update(**changes)
    hint(TASK, kind, key)


def _create(kind: str, key: str) -> None:
    try:
        with transaction.atomic():
            Derived.objects.create(kind=kind, key=key, wanted=0)
    except IntegrityError:
        pass  # somebody else just did


def since_of(row: Derived) -> Since | None:
    """Return from which table on ratings are out of date; None where only new tables came."""
    return Since(row.since_at, row.since_table or 0) if row.since_at else None


def is_up_to_date(kind: str, key: str) -> bool:
    """Say whether nothing changed since something was computed."""
    return not Derived.objects.filter(kind=kind, key=key).exclude(done=F("wanted")).exists()


def stale(now: dt.datetime) -> QuerySet[Derived]:
    """Return what is out of date, not parked, and claimed by nobody who still works on it."""
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    return Derived.objects.filter(free, stale_since__isnull=False, parked_at=None).order_by("stale_since")


def parked() -> QuerySet[Derived]:
    """Return what failed too often and waits for a person."""
    return Derived.objects.exclude(parked_at=None)


def claim(kind: str, key: str, now: dt.datetime) -> Derived | None:
    """Take on a computation; None where there is nothing to do, somebody else is at it, or it failed too often."""
    row = stale(now).filter(kind=kind, key=key)
    if row.filter(attempts__gte=MOST_ATTEMPTS).update(parked_at=now, claimed_until=None):
        return None
    if not row.update(claimed_until=now + LEASE, attempts=F("attempts") + 1):
        return None
    return Derived.objects.get(kind=kind, key=key)


def finish(claimed: Derived, now: dt.datetime) -> bool:
    """Write down that a claimed computation is done; return whether nothing changed meanwhile."""
    row = Derived.objects.filter(pk=claimed.pk)
    done = {"done": claimed.wanted, "computed_at": now, "attempts": 0, "claimed_until": None, "error": ""}
    unchanged = row.filter(wanted=claimed.wanted)
    if unchanged.update(**done, stale_since=None, since_at=None, since_table=None):
        return True
    row.filter(done__lt=claimed.wanted).update(**done)
    row.update(claimed_until=None)
    return False


def fail(claimed: Derived, error: str, now: dt.datetime, *, is_its_own: bool = True) -> None:
    """Write down why a claimed computation failed; it is tried again, later each time, and then parked.

    What was not its own fault, such as a database that went away, is not held against it.
    """
    again = now + LEASE / 6 * claimed.attempts
    attempts = claimed.attempts if is_its_own else claimed.attempts - 1
    Derived.objects.filter(pk=claimed.pk).update(error=error[:500], claimed_until=again, attempts=attempts)


def postpone(claimed: Derived) -> None:
    """Put a computation back that waits for another one, which will mark it again."""
    Derived.objects.filter(pk=claimed.pk).update(claimed_until=None, attempts=0)


def retry(row: Derived) -> None:
    """Let something that was parked be tried again."""
    Derived.objects.filter(pk=row.pk).update(parked_at=None, attempts=0, claimed_until=None)
    hint(TASK, row.kind, row.key)
