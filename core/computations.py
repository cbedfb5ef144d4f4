"""What is computed from results, and whether it is stale: one row each, with two counters and a lease.

`mark` writes down that something is stale, in the transaction of the change, and notifies the worker. It only adds a
row, so writers never wait for each other. A worker that claims a computation adds the marks to `wanted` and reads the
results after that, so `done` never runs ahead of what was computed. Computing twice, late or in parallel gives the
same; a claim only saves work.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from core.clocks import is_over, was_within
from core.models import Derived, Heartbeat, StaleMark
from core.statements import Prepared, insert

Tell = Callable[[str, str], object]
# After this, a claim whose worker died is free again. A computation that takes longer may run twice, which does no
# harm: an advisory lock lets them write one after the other, and who began before another did computes again (`turn`).
LEASE = dt.timedelta(seconds=30)
MOST_ATTEMPTS = 3
# Raise this when standings, seasons or ratings come out otherwise than before: everything is computed anew then, and
# workers of a former version that still run leave it alone.
EDITION = 5
# So long after their last word there are no workers of a newer version: somebody went back to this one. A sweep gives
# it, and whichever worker takes that: of a few new ones beside many old ones none may come to it for a minute or two.
ALIVE = dt.timedelta(minutes=5)
WORKERS = "workers of edition "
TAKEN_AT_ONCE = 1000  # marks; what is left makes the computation stale again
Kind = Derived.Kind

_listeners: list[Tell] = []


def tell(listener: Tell) -> None:
    """Register a function that is called for everything that becomes stale, in the transaction of the change.

    Rows are kept here and computed above, so the application that computes them registers itself when it starts.
    """
    _listeners.append(listener)


def _tell(kind: str, key: str) -> None:
    for listener in _listeners:
        listener(kind, key)


class Since(NamedTuple):
    """A table's place in the order of ratings."""

    at: dt.datetime
    table: int


class Change(NamedTuple):
    """That a computation is stale, ratings from which table on; None where only new tables came."""

    kind: str
    key: str
    since: Since | None = None


def mark(kind: str, key: str, since: Since | None = None) -> None:
    """Mark a computation as stale."""
    mark_all([Change(kind, key, since)])


def mark_all(changes: Sequence[Change]) -> None:
    """Mark computations as stale, by one statement."""
    if not changes:
        return
    insert(
        *(
            StaleMark(
                kind=kind,
                key=key,
                since_at=since and since.at,
                since_table=since.table if since else None,
                edition=EDITION,
            )
            for kind, key, since in changes
        )
    )
    for kind, key, _since in changes:
        _tell(kind, key)


def _take_in(kind: str, key: str) -> None:
    """Add the marks of a computation to its row, and with them the earliest table they name."""
    marks = StaleMark.objects.filter(kind=kind, key=key)
    if not marks.exists():
        return  # most messages come when an earlier one has done their work
    Derived.objects.bulk_create([Derived(kind=kind, key=key, wanted=0)], ignore_conflicts=True)
    # Two workers take turns here, so that each mark is added once.
    row = Derived.objects.select_for_update().get(kind=kind, key=key)
    taken = list(marks.order_by("pk")[:TAKEN_AT_ONCE])
    if not taken:
        return
    marks.filter(pk__in=[each.pk for each in taken]).delete()
    row.wanted += len(taken)
    # The earliest, also where the clock was set back since: ratings look for new tables from here on.
    row.stale_since = min(filter(None, [row.stale_since, *(each.at for each in taken)]))
    if (edition := max(each.edition for each in taken)) > row.edition:
        row.edition, row.vouched_at = edition, None  # that edition wants it, and has not computed it
    if row.parked_at is not None:
        # A new result may remove the cause of the failure, so what was parked gets one more attempt.
        row.attempts, row.parked_at = MOST_ATTEMPTS - 1, None
    if named := list(filter(None, [since_of(row), *map(since_of, taken)])):
        row.since_at, row.since_table = min(named)
    names = ["wanted", "stale_since", "attempts", "parked_at", "since_at", "since_table", "edition", "vouched_at"]
    row.save(update_fields=names)


def since_of(row: Derived | StaleMark) -> Since | None:
    """Return the first table whose ratings are stale; None where only new tables came."""
    return Since(row.since_at, row.since_table or 0) if row.since_at else None


class Progress(NamedTuple):
    """How far something is computed. `done` is the version of what was computed."""

    done: int
    wanted: int
    parked_at: dt.datetime | None

    @property
    def is_up_to_date(self) -> bool:
        """Whether nothing has changed since it was computed."""
        return self.done == self.wanted


def progress_of(kind: str, key: str) -> Progress:
    """Return how far something is computed."""
    return summed(QUESTION(kind, key))


def summed(rows: Iterable[tuple[int, int, dt.datetime | None]]) -> Progress:
    """Return what the rows of a `question` say together."""
    found = list(rows)
    parked_at = next((row[2] for row in found if row[2]), None)
    return Progress(sum(row[0] for row in found), sum(row[1] for row in found), parked_at)


def is_up_to_date(kind: str, *keys: str) -> bool:
    """Say whether nothing changed since these were computed."""
    behind = Derived.objects.filter(kind=kind, key__in=keys).exclude(done=F("wanted")).order_by()
    marked = StaleMark.objects.filter(kind=kind, key__in=keys)
    return not behind.values("pk").union(marked.values("pk"), all=True).exists()


# These read marks first: a worker that takes one in meanwhile leaves a stale row, so that it is seen here or there.


def waiting(now: dt.datetime) -> list[tuple[str, str]]:
    """Return kind and key of everything that a worker could compute now, longest stale first."""
    marked = list(StaleMark.objects.values_list("kind", "key").annotate(since=Min("at")).order_by("since"))
    rows = stale(now).values_list("kind", "key")
    return list(dict.fromkeys([*rows, *((kind, key) for kind, key, _since in marked)]))


def behind() -> set[tuple[str, str]]:
    """Return kind and key of everything that is stale and not parked, also what is being computed."""
    rows = Derived.objects.filter(stale_since__isnull=False, parked_at=None)
    return {*StaleMark.objects.values_list("kind", "key").distinct(), *rows.values_list("kind", "key")}


def oldest() -> dt.datetime | None:
    """Return since when the longest stale computation has been so; parked ones left out."""
    times = [
        StaleMark.objects.aggregate(at=Min("at"))["at"],
        Derived.objects.filter(parked_at=None).aggregate(at=Min("stale_since"))["at"],
    ]
    return min((at for at in times if at is not None), default=None)


def stale(now: dt.datetime) -> QuerySet[Derived]:
    """Return what is stale, not parked, not under a lease, and not for newer code to compute."""
    free = Q(claimed_until=None) | is_over("claimed_until", now, LEASE)
    own = Q(edition__lte=EDITION)
    if not _has_newer_workers(now):  # those that are only starting have a while to take what is theirs
        own |= ~was_within("stale_since", now, ALIVE)
    return Derived.objects.filter(free, own, stale_since__isnull=False, parked_at=None).order_by("stale_since")


def outdated(now: dt.datetime | None = None) -> list[tuple[str, str]]:
    """Return kind and key of everything that waits for nothing, but was last computed by other code than this.

    What newer code computed is outdated too once none of its workers is left: this service went back.
    """
    marks = StaleMark.objects.filter(kind=OuterRef("kind"), key=OuterRef("key"))
    rows = Derived.objects.filter(~Exists(marks), done=F("wanted"), computed_at__isnull=False)
    rows = rows.exclude(_is_of_this_edition())
    if _has_newer_workers(now or timezone.now()):
        rows = rows.filter(edition__lte=EDITION)
    return list(rows.values_list("kind", "key"))


def _is_of_this_edition() -> Q:
    return Q(edition=EDITION, vouched_at__isnull=False, vouched_at=F("computed_at"))


def is_of_this_edition(row: Derived) -> bool:
    """Tell whether this edition of the code computed something last; what was never computed is of any."""
    return row.computed_at is None or (row.edition == EDITION and row.vouched_at == row.computed_at)


def tell_edition(now: dt.datetime) -> None:
    """Tell workers of other versions that one of this version is at work."""
    Heartbeat.objects.update_or_create(name=f"{WORKERS}{EDITION}", defaults={"sent_at": now, "done_at": now})


def _has_newer_workers(now: dt.datetime) -> bool:
    told = Heartbeat.objects.filter(was_within("done_at", now, ALIVE), name__startswith=WORKERS)
    return any(int(name.removeprefix(WORKERS)) > EDITION for name in told.values_list("name", flat=True))


def parked() -> QuerySet[Derived]:
    """Return what failed too often and waits for a person."""
    return Derived.objects.exclude(parked_at=None)


@transaction.atomic
def claim(kind: str, key: str, now: dt.datetime) -> Derived | None:
    """Claim a computation; None where it is not stale, under another worker's lease, or parked."""
    _take_in(kind, key)
    # Attempts are counted here and not in `fail`, because a computation that kills its worker never gets there.
    row = stale(now).filter(kind=kind, key=key)
    if row.filter(attempts__gte=MOST_ATTEMPTS).update(parked_at=now, claimed_until=None):
        return None
    # The condition is part of the UPDATE: of two workers that come at once, the second one changes no row.
    if not row.update(claimed_until=now + LEASE, attempts=F("attempts") + 1):
        return None
    return Derived.objects.get(kind=kind, key=key)


def turn(kind: str, key: str) -> tuple[int, dt.datetime | None] | None:
    """Return what is another as soon as somebody else claims or finishes a computation.

    Who reads before the transaction in which they write may have read what is older than what stands by then.
    """
    return Derived.objects.filter(kind=kind, key=key).values_list("done", "claimed_until").first()


@transaction.atomic
def finish(claimed: Derived, now: dt.datetime) -> bool:
    """Write down that a claimed computation is done; return whether it is still up to date."""
    _take_in(claimed.kind, claimed.key)
    row = Derived.objects.filter(pk=claimed.pk)
    done = {"done": claimed.wanted, "computed_at": now, "attempts": 0, "claimed_until": None, "error": ""}
    done["parked_at"] = None  # by others who came while this took longer than a lease
    own = {"vouched_at": now, "edition": EDITION}
    unchanged = row.filter(wanted=claimed.wanted)
    if unchanged.update(**done, **own, stale_since=None, since_at=None, since_table=None):
        return True
    # Something changed during the computation. What was computed is still newer than before, so `done` rises, but the
    # row stays stale, and `since_at` stays because it may come from a newer change. A slow worker cannot lower `done`.
    changed = row.filter(done__lt=claimed.wanted)
    # What newer code wanted meanwhile stays for that.
    if not changed.filter(edition__lte=max(EDITION, claimed.edition)).update(**done, **own):
        changed.update(**done)
    row.update(claimed_until=None)
    return False


def fail(claimed: Derived, error: str, now: dt.datetime, *, is_its_own: bool = True) -> None:
    """Write down why a claimed computation failed; it is tried again, later each time, and then parked.

    What was not its own fault, such as a database that went away, is not held against it.
    """
    again = now + LEASE / 6 * claimed.attempts  # the lease doubles as the pause before the next attempt
    attempts = claimed.attempts if is_its_own else claimed.attempts - 1
    # Where the lease was over, another may have claimed it since: what that one does stands.
    Derived.objects.filter(pk=claimed.pk, claimed_until=claimed.claimed_until).update(
        error=error[: Derived.LONGEST_ERROR], claimed_until=again, attempts=attempts
    )


def pretend_done(kind: str, key: str) -> None:
    """Let something count as computed, in a transaction that will be rolled back."""
    _take_in(kind, key)
    Derived.objects.filter(kind=kind, key=key).update(done=F("wanted"))


def postpone(claimed: Derived) -> None:
    """Release a computation that waits for another one, whose task publishes this one when it is done."""
    Derived.objects.filter(pk=claimed.pk).update(claimed_until=None, attempts=0)


def retry(row: Derived) -> None:
    """Let something that was parked be tried again."""
    Derived.objects.filter(pk=row.pk).update(parked_at=None, attempts=0, claimed_until=None)
    _tell(row.kind, row.key)


def question(kind: str, key: str) -> QuerySet[Any, tuple[int, int, dt.datetime | None]]:
    """Return the rows whose sums are how far something is computed: those of its row, and of its marks."""
    marks = StaleMark.objects.filter(kind=kind, key=key).order_by().values("kind").annotate(marks=Count("pk"))
    own = Derived.objects.filter(kind=kind, key=key).order_by().values_list("done", "wanted", "parked_at")
    return own.union(marks.values_list(Value(0), "marks", Value(None, DateTimeField())), all=True)


QUESTION = Prepared(question, str, str)  # composed once: every list that is polled asks it


def _marked(kind: str, key: str | OuterRef) -> Coalesce:
    """Return how many changes of something no worker has seen yet, as a column."""
    marks = StaleMark.objects.filter(kind=kind, key=key).order_by().values("kind").annotate(marks=Count("pk"))
    return Coalesce(Subquery(marks.values("marks"), output_field=IntegerField()), Value(0))


def progress(kind: str, key: str | OuterRef) -> dict[str, Any]:
    """Return how far something is computed, as columns to add to a row of something else."""
    own = Derived.objects.filter(kind=kind, key=key)
    return {
        "done": Coalesce(Subquery(own.values("done")), Value(0)),
        "wanted": Coalesce(Subquery(own.values("wanted")), Value(0)) + _marked(kind, key),
        "parked_at": Subquery(own.values("parked_at")),
    }
