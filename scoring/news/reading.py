"""Read the states of events: one statement says whether anything changed in any of them, the rest what it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.db import connection
from django.db.models import BooleanField, Case, Count, OuterRef, Q, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404

from core.computations import Kind, progress
from core.models import Derived
from scoring.models import Draft, RatingChange, StandingRow
from scoring.news.state import EventState, Head, Place
from tournaments.actors import NOBODY
from tournaments.models import Entry, Event, Round, Seat, Table
from tournaments.selectors import shown_places, unpublished

AT_ONCE = 500  # keys in one statement
# What of an event only its own row says. Its version is the sign of all changes, and the schedule and whether phones
# want to be told are nobody's to see.
COLUMNS = Event._meta.concrete_fields  # noqa: SLF001 (it is Django's documented name)
FIELDS = tuple(each.attname for each in COLUMNS if each.name not in {"version", "schedule", "has_phones"})


class Question:
    """The statement that asks for the heads of events, written once for as long as they are the same."""

    def __init__(self) -> None:
        self._events: frozenset[int] = frozenset()
        self._statements: list[tuple[str, tuple[Any, ...]]] = []

    def ask(self, events: Collection[int]) -> dict[int, Head]:
        """Return the heads of events by their keys; those that are gone are left out."""
        if self._events != (wanted := frozenset(events)):
            self._statements = [_heads(part).query.sql_with_params() for part in _parts(wanted)]
            self._events = wanted
        found = {}
        with connection.cursor() as cursor:
            for statement in self._statements:
                cursor.execute(*statement)
                for pk, version, status, is_open_to_all, *counts in cursor.fetchall():
                    found[pk] = Head(version, status in Event.OVER, bool(is_open_to_all), *counts)
        return found


def _heads(events: Iterable[int]) -> Any:
    is_open_to_all = Case(
        When(Q(is_public=True, club__is_public=True) & ~Q(status=Event.Status.DRAFT), then=Value(value=True)),
        default=Value(value=False),
        output_field=BooleanField(),
    )
    rated = Derived.objects.filter(kind=Kind.RATINGS, key=OuterRef("game")).values("done")
    rows = Event.objects.filter(pk__in=list(events)).order_by()
    rows = rows.annotate(open_to_all=is_open_to_all, **progress(Kind.STANDINGS, OuterRef("uid")))
    rows = rows.annotate(rated_to=Coalesce(Subquery(rated), Value(0)))
    # Of an event's tables, few have a sheet that is being filled in: it goes when the result is final.
    drafts = Draft.objects.filter(table__round__event=OuterRef("pk"), table__round__status__in=Round.OPEN)
    shared = drafts.order_by().values("table__round__event")
    number = shared.annotate(number=Count("pk")).values("number")
    saves = shared.annotate(saves=Sum("version")).values("saves")
    rows = rows.annotate(drafts=Coalesce(Subquery(number), Value(0)), saves=Coalesce(Subquery(saves), Value(0)))
    return rows.values_list("pk", "version", "status", "open_to_all", "done", "wanted", "rated_to", "drafts", "saves")


def read(event: int) -> EventState:
    """Return the state of an event; Http404 where it was deleted meanwhile."""
    head = Question().ask([event]).get(event)
    if head is None:
        raise Http404
    try:
        uid = Event.objects.values_list("uid", flat=True).get(pk=event)
        return follow(EventState(uid, head._replace(version=-1, done=-1, rated=-1)), event, head)
    except Event.DoesNotExist as error:  # between two of these statements
        raise Http404 from error


def follow(known: EventState, event: int, head: Head) -> EventState:
    """Return the state that an event has now, by its new head; what that says is the same as before is not read."""
    new = replace(known, head=head)
    # The head is older than what is read here: a change in between is read again, and told once more at the most.
    if head.version != known.head.version or head.is_open_to_all != known.head.is_open_to_all:
        tables = dict(_tables(event))
        changed = [key for key, value in tables.items() if known.tables.get(key) != value]
        new = replace(
            new,
            fields=Event.objects.values_list(*FIELDS).get(pk=event),
            entries=dict(_entries(event)),
            rounds=dict(_rounds(event)),
            tables=tables,
            seats={key: known.seats.get(key, frozenset()) for key in tables} | _seats(changed),
        )
    if head.done != known.head.done:
        places = dict(_places(event))  # those that everybody may see
        new = replace(new, places=places, ranked=StandingRow.objects.filter(event=event, is_ranked=True).count())
    if head.rated != known.head.rated:
        new = replace(new, ratings=dict(_ratings(event)))
    if (head.drafts, head.saves) != (known.head.drafts, known.head.saves) or head.version != known.head.version:
        new = replace(new, drafts=dict(_drafts(event)))
    return new


def _entries(event: int) -> Iterator[tuple[int, Any]]:
    rows = Entry.objects.filter(event=event).order_by()
    for key, *values in rows.values_list("pk", "status", "name", "is_verified", "claims", "generation", "player"):
        yield key, tuple(values)


def _rounds(event: int) -> Iterator[tuple[int, Any]]:
    rows = Round.objects.filter(event=event).exclude(kind=Round.Kind.OPEN).exclude(unpublished(""))
    for key, *values in rows.order_by().values_list("pk", "version", "status"):
        yield key, tuple(values)


def _tables(event: int) -> Iterator[tuple[int, Any]]:
    # A round that is still a draft is nobody's to know of.
    rows = Table.objects.filter(round__event=event).exclude(unpublished()).order_by()
    fields = ("pk", "version", "round__kind", "round__version", "round__status")
    for key, version, kind, *of_round in rows.values_list(*fields):
        yield key, (version, *of_round) if kind == Round.Kind.OPEN else version


def _seats(tables: Collection[int]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {table: set() for table in tables}
    for part in _parts(tables):
        for table, entry in Seat.objects.filter(table__in=part).order_by().values_list("table", "entry"):
            found[table].add(entry)
    return {table: frozenset(entries) for table, entries in found.items()}


def _places(event: int) -> Iterator[tuple[int, Place]]:
    rows = StandingRow.objects.filter(event=event).order_by()
    most = shown_places(NOBODY, Event.objects.select_related("club").get(pk=event))
    if most is not None:
        rows = rows.filter(place__lte=most)
    for key, *values in rows.values_list("pk", "rank", "points", "tables"):
        yield key, Place(*values)


def _ratings(event: int) -> Iterator[tuple[int, Any]]:
    rows = RatingChange.objects.filter(placing__event=event).order_by().values_list("placing__entry")
    for key, *values in rows.annotate(Count("pk"), Sum("before"), Sum("after")):
        yield key, tuple(values)


def _drafts(event: int) -> Iterable[tuple[int, int]]:
    shared = Draft.objects.filter(table__round__event=event, table__round__status__in=Round.OPEN)
    return shared.order_by().values_list("table", "version")


def _parts(keys: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(keys)
    for first in range(0, len(ordered), AT_ONCE):
        yield ordered[first : first + AT_ONCE]
