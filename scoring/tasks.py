"""What the worker does: bring what is out of date up to date."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

from celery import shared_task
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from core import derived
from core.derived import Kind
from core.hints import publish
from core.models import Derived
from scoring.announcements import announce_ratings
from scoring.ratings import store as ratings
from scoring.seasons import store as seasons
from scoring.standings import store as standings
from tournaments.models import Event, Season
from tournaments.services.events import mark_standings

logger = logging.getLogger(__name__)

SWEEP_AT_ONCE = 1000
PAUSES = (0, 1, 2, 4, 8)  # seconds before each attempt to say in the database that a computation failed
CANCELLED = "57014"  # how PostgreSQL ends a statement that took too long


@shared_task(name=derived.TASK, ignore_result=True)
def refresh(kind: str, key: str) -> None:
    """Compute something that is out of date, if nobody else is at it."""
    claimed = derived.claim(kind, key, timezone.now())
    if claimed is None:
        return
    try:
        is_done = _compute(claimed)
    except Exception as error:
        logger.exception("cannot compute %s of %s", kind, key)
        _give_back(claimed, error)
        return
    if not is_done:
        derived.postpone(claimed)
        return
    if not derived.finish(claimed, timezone.now()):
        publish(derived.TASK, kind, key)
    for waiting in _waiting_for(claimed):
        publish(derived.TASK, *waiting)


def _give_back(claimed: Derived, error: Exception) -> None:
    """Write down that a computation failed, as soon as the database can be reached; else its lease ends by itself."""
    for pause in PAUSES:
        time.sleep(pause)
        try:
            text = f"{type(error).__name__}: {error}"
            derived.fail(claimed, text, timezone.now(), is_its_own=not _is_away(error))
        except (OperationalError, InterfaceError):
            connection.close()
        else:
            return


def _is_away(error: Exception) -> bool:
    """Say whether a computation failed because the connection to the database ended, not by what it asked there."""
    state = getattr(error.__cause__, "sqlstate", None) or ""
    return (
        isinstance(error, OperationalError | InterfaceError) and state[:2] in {"", "08", "57"} and state != CANCELLED
    )


def _compute(claimed: Derived) -> bool:
    """Compute a claimed row; False where what it needs is itself out of date."""
    match claimed.kind:
        case Kind.STANDINGS if standings.waits_for_ratings(claimed.key):
            return False
        case Kind.STANDINGS:
            standings.refresh(claimed.key)
        case Kind.SEASON:
            return seasons.refresh(claimed.key)
        case Kind.RATINGS:
            _compute_ratings(claimed.key, derived.since_of(claimed))
    return True


def _compute_ratings(game: str, since: derived.Since | None) -> None:
    summary = ratings.refresh(game, since, why="a result or a person changed" if since else "")
    if summary.went_back:  # standings that look at ratings see others now
        changed = standings.ranked_by_ratings(game, summary.since)
        for event in Event.objects.filter(uid__in=changed).select_related("season"):
            mark_standings(event)
    announce_ratings(summary)


def _waiting_for(claimed: Derived) -> Iterator[tuple[str, str]]:
    """Yield what could not be computed before this was."""
    match claimed.kind:
        case Kind.STANDINGS:
            seasons_of = Season.objects.filter(events__uid=claimed.key)
            yield from ((Kind.SEASON, uid) for uid in seasons_of.values_list("uid", flat=True))
        case Kind.RATINGS:
            yield from ((Kind.STANDINGS, uid) for uid in standings.ranked_by_ratings(claimed.key))


@shared_task(ignore_result=True)
def sweep() -> None:
    """Find what no message brought, and have each computed by a task of its own."""
    rows = derived.stale(timezone.now()).values_list("kind", "key")[:SWEEP_AT_ONCE]
    for kind, key in rows:
        publish(derived.TASK, kind, key)
