"""What keys are used for: counted in memory, and written down at most once a minute, beside all requests.

A process that is killed takes the counts of its last minute along: the price of no request waiting for them.
"""

from __future__ import annotations

import datetime as dt
import functools
import logging
import re
from collections import Counter
from collections.abc import Mapping
from threading import Lock, Timer
from typing import NamedTuple

from django.db import Error, connection, transaction
from django.utils import timezone

from tournaments.models import Credential, KeyUse

EVERY = 60.0  # seconds
KEPT = dt.timedelta(days=90)
MOST = 5_000  # different uses that are counted in memory; what comes on top of them is not logged

logger = logging.getLogger(__name__)


class Use(NamedTuple):
    """What is counted together."""

    credential: int
    day: dt.date
    method: str
    route: str
    status: int  # its first digit


_counts: Counter[Use] = Counter()
_lock = Lock()
_timer: Timer | None = None


def note(credential: int, method: str, route: str, status: int) -> None:
    """Count a call of a key by the pattern of its address and how it was answered; it is written down later."""
    global _timer  # noqa: PLW0603 (one for the process)
    use = Use(credential, timezone.now().date(), method, template_of(route), status // 100)
    with _lock:
        if use in _counts or len(_counts) < MOST:
            _counts[use] += 1
        if _timer is None:
            _timer = Timer(EVERY, _write_and_leave)
            _timer.daemon = True
            _timer.start()


@functools.cache
def template_of(route: str) -> str:
    """Return the pattern of an address as the documentation writes it: `/events/{uid}/`."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route).removeprefix("api/v1/")


def write() -> None:
    """Add what was counted since the last time to the log, in one statement."""
    counted = _take()
    with transaction.atomic():
        known = set(Credential.objects.filter(pk__in={use.credential for use in counted}).values_list("pk", flat=True))
        _add({use: count for use, count in counted.items() if use.credential in known})


def _take() -> Counter[Use]:
    global _counts, _timer  # noqa: PLW0603 (one for the process)
    with _lock:
        counted, _counts = _counts, Counter()
        if _timer is not None:
            _timer.cancel()
            _timer = None
    return counted


def drop() -> None:
    """Forget what was counted and not yet written."""
    _take()


def _add(counted: Mapping[Use, int]) -> None:
    adapt = connection.ops
    now = adapt.adapt_datetimefield_value(timezone.now())
    sql = (
        "INSERT INTO tournaments_keyuse (credential_id, day, method, route, status, count, last_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (credential_id, day, method, route, status)"
        " DO UPDATE SET count = tournaments_keyuse.count + excluded.count, last_at = excluded.last_at"
    )
    # In one order, so that of two processes that write at once one waits for the other, and not both.
    rows = [
        (use.credential, adapt.adapt_datefield_value(use.day), use.method, use.route, use.status, counted[use], now)
        for use in sorted(counted)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(sql, rows)


def _write_and_leave() -> None:
    """Write in a thread of its own, which keeps no connection."""
    try:
        write()
    except Error:
        logger.warning("the use of keys in the last minute could not be written down", exc_info=True)
    finally:
        connection.close()


def forget(now: dt.datetime) -> None:
    """Delete what is older than the log goes back."""
    KeyUse.objects.filter(day__lt=(now - KEPT).date()).delete()
