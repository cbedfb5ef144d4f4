"""What the worker does: bring what is out of date up to date."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from celery import shared_task
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
        derived.fail(claimed, f"{type(error).__name__}: {error}", timezone.now())
        return
    if not is_done:
        derived.postpone(claimed)
        return
    if not derived.finish(claimed, timezone.now()):
        publish(derived.TASK, kind, key)
    for waiting in _waiting_for(claimed):
        publish(derived.TASK, *waiting)


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
