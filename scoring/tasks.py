"""Tasks of the worker: compute what is stale."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

from celery import shared_task
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from core import computations, disk
from core.computations import Kind
from core.models import Derived
from core.publishing import publish, publish_spaced, publish_spaced_on_commit
from scoring.rankings.ratings import store as ratings
from scoring.rankings.seasons import store as seasons
from scoring.rankings.standings import store as standings
from scoring.services import phones
from scoring.services.announcements import announce_ratings, announce_standings
from tournaments.models import Event, Season
from tournaments.services.events import mark_standings

logger = logging.getLogger(__name__)

SWEEP_AT_ONCE = 1000
# Seconds before each attempt to write down that a computation failed. Together they stay below the lease, after which
# another worker may already have claimed it.
PAUSES = (0, 1, 2, 4, 8)
CANCELLED = "57014"  # how PostgreSQL ends a statement that took too long
IN_THE_WAY = {"55P03", "40P01"}  # and one that waited too long for a lock, or each for the other's


@shared_task(ignore_result=True)
def refresh(kind: str, key: str) -> None:
    """Claim a stale computation and run it; do nothing where another worker has the lease."""
    claimed = computations.claim(kind, key, timezone.now())
    if claimed is None:
        return
    try:
        is_done = _compute(claimed)
        is_latest = is_done and _finish(claimed)
    except Exception as error:
        logger.exception("cannot compute %s of %s", kind, key)
        _give_back(claimed, error)
        return
    if not is_done:
        computations.postpone(claimed)
        return
    if not is_latest:
        # The task of the newer change found this lease and did nothing, so the change is published again here.
        publish_spaced(refresh.name, kind, key)
    for waiting in _waiting_for(claimed):
        publish(refresh.name, *waiting)


def publish_refresh(kind: str, key: str) -> None:
    """Have something that became stale computed as soon as the change is committed."""
    publish_spaced_on_commit(refresh.name, kind, key)


def _give_back(claimed: Derived, error: Exception) -> None:
    """Write down that a computation failed, as soon as the database can be reached; else its lease ends by itself."""
    for pause in PAUSES:
        time.sleep(pause)
        try:
            text = f"{type(error).__name__}: {error}"
            computations.fail(claimed, text, timezone.now(), is_its_own=not _is_away(error))
        except (OperationalError, InterfaceError):
            connection.close()  # a broken connection is not replaced before it is closed
        else:
            return


def _is_away(error: Exception) -> bool:
    """Say whether a computation failed because the database, its disk or somebody's lock did, not by what it asked."""
    if disk.note(error):
        return True
    state = getattr(error.__cause__, "sqlstate", None) or ""
    is_away = state[:2] in {"", "08", "57"} and state != CANCELLED
    return isinstance(error, OperationalError | InterfaceError) and (is_away or state in IN_THE_WAY)


def _compute(claimed: Derived) -> bool:
    """Compute a claimed row; False where its own input is stale."""
    match claimed.kind:
        case Kind.STANDINGS if standings.waits_for_ratings(claimed.key):
            return False
        case Kind.STANDINGS:
            standings.refresh(claimed.key)
        case Kind.SEASON:
            return seasons.refresh(claimed.key)
        case Kind.RATINGS:
            _compute_ratings(claimed)
    return True


@transaction.atomic
def _finish(claimed: Derived) -> bool:
    """Write down that a computation is done, and tell of it; return whether it is still up to date.

    A worker that dies in between has done neither, so that both are done by the next.
    """
    is_latest = computations.finish(claimed, timezone.now())
    if is_latest and claimed.kind == Kind.STANDINGS:
        announce_standings(claimed.key)
    return is_latest


@transaction.atomic  # what follows from a replay is known to the run alone that did it
def _compute_ratings(claimed: Derived) -> None:
    game, since = claimed.key, computations.since_of(claimed)
    if not computations.is_of_this_edition(claimed):
        since = ratings.BEGINNING  # as in a sweep, which sees only what is not stale
    why = "a result or a person changed" if since else ""
    summary = ratings.refresh(game, since, new_since=claimed.stale_since, why=why)
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
    """Find stale computations whose message was lost, and publish a task for each.

    What other code or another rating model computed is stale too, though no result changed: after an upgrade, or on
    the way back from one, nobody has to ask for a rebuild.
    """
    now = timezone.now()
    others = {*computations.outdated(now), *((Kind.RATINGS, game) for game in ratings.games_of_another_model())}
    for kind, key in sorted(others):
        # Which tables other code has rated nobody knows: ratings start over.
        computations.mark(kind, key, ratings.BEGINNING if kind == Kind.RATINGS else None)
    for kind, key in computations.waiting(now)[:SWEEP_AT_ONCE]:
        publish(refresh.name, kind, key)
    computations.tell_edition(now)


@shared_task(ignore_result=True)
def notify(event: int | None = None) -> None:
    """Find what is new to the phones of an event; the schedule names none, for changes that no message brought."""
    for each in phones.unseen() if event is None else [event]:
        phones.look(each, timezone.now())
