"""Rounds of tables: opening a seated round, changing it by hand, starting, extending, closing and cancelling it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engines.base import Engine
from tournaments import games, links, selectors
from tournaments.actors import Actor
from tournaments.errors import RoundIncompleteError, RoundOpenError, RoundStatusError, SeatingInvalidError
from tournaments.models import Entry, Event, KeepApart, MessageType, Role, Round, Seat, SitOut, Table
from tournaments.seating import Entrant, SeatedRound, assess
from tournaments.services.entries import UNPLAYED, plays_from
from tournaments.services.events import bump, lock_event, mark_standings, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.webhooks import announce

Status = Round.Status
MOST_EXTRA_MINUTES = 24 * 60
SETTLED = (Table.Status.FINAL, Table.Status.DROPPED)


@dataclass(frozen=True, slots=True)
class Plan:
    """Tables of entries in seat order, who sits out, and how that was found."""

    tables: Sequence[Sequence[Entry]]
    sitting_out: Sequence[Entry] = ()
    seed: int = 0
    steps: int = 0
    quality: Mapping[str, Any] = field(default_factory=dict)
    points: Mapping[str, int] = field(default_factory=dict)
    kind: str = Round.Kind.NORMAL


def require_can_seat(event: Event) -> None:
    """Refuse to seat a round while another is open or the event is not on."""
    require_status(event, Event.Status.REGISTRATION, Event.Status.RUNNING)
    if (current := selectors.open_round(event)) is not None:
        detail = _("Round {number} is still open. Close or cancel it first.").format(number=current.number)
        raise RoundOpenError(detail, round=current.number)


def next_number(event: Event) -> int:
    """Return the number of the event's next round."""
    numbers = Round.objects.filter(event=event).exclude(status=Status.CANCELLED).values_list("number", flat=True)
    return max(numbers, default=0) + 1


@transaction.atomic
def open_round(*, actor: Actor, event: Event, plan: Plan) -> Round:
    """Store a seating as the event's next round; the first one sets the event running."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    require_can_seat(event)
    opened = Round.objects.create(
        event=event,
        number=next_number(event),
        kind=plan.kind,
        seed=plan.seed,
        steps=plan.steps,
        quality=dict(plan.quality),
        points=dict(plan.points),
        minutes=event.round_minutes,
    )
    _seat(opened, plan.tables)
    SitOut.objects.bulk_create(SitOut(round=opened, entry=entry) for entry in plan.sitting_out)
    plays_from(opened.number, [entry for table in [*plan.tables, plan.sitting_out] for entry in table])
    bump(event, status=Event.Status.RUNNING)
    mark_standings(event)
    record(actor=actor, event=event, verb="round-seated", round=opened.number, seed=plan.seed)
    url = links.api_url("round", uid=event.uid, number=opened.number)
    data = {"event": event.uid, "round": opened.number, "tables": len(plan.tables), "url": url}
    announce(event.club, MessageType.ROUND_SEATED, data)
    return opened


def _seat(opened: Round, tables: Sequence[Sequence[Entry]]) -> None:
    """Create tables and seats in two queries."""
    variants = [variant_of(opened.event, len(entries), opened.kind) for entries in tables]
    created = Table.objects.bulk_create(
        Table(round=opened, number=number, variant=variant) for number, variant in enumerate(variants, 1)
    )
    fill(opened, zip(created, tables, strict=True))


def fill(current: Round, tables: Iterable[tuple[Table, Sequence[Entry]]]) -> None:
    """Seat entries at tables of a round that are empty, in the order given."""
    Seat.objects.bulk_create(
        Seat(table=table, round=current, entry=entry, position=position)
        for table, entries in tables
        for position, entry in enumerate(entries, 1)
    )


def limits_of(event: Event, kind: str = Round.Kind.NORMAL) -> tuple[int, int]:
    """Return how few and how many may sit at a table: by the event, in a final by the game alone."""
    if kind == Round.Kind.FINAL:
        engine = _engine_of(event)
        sizes = games.sizes(engine, engine.variant(event.variant))
        return sizes[0], sizes[-1]
    return event.table_min, event.table_max


def variant_of(event: Event, size: int, kind: str = Round.Kind.NORMAL) -> str:
    """Return the variant a table of some size plays in an event; SeatingInvalidError where it cannot be."""
    engine = _engine_of(event)
    variant = games.variant_for(engine, engine.variant(event.variant), size)
    low, high = limits_of(event, kind)
    if variant is None or not low <= size <= high:
        raise SeatingInvalidError(
            _("A table of {size} is not allowed here: {low} to {high}.").format(size=size, low=low, high=high)
        )
    return variant.slug


def _engine_of(event: Event) -> Engine:
    engine = games.engine_of(event.game)
    assert engine is not None  # noqa: S101 -- an event without a game is never saved
    return engine


def _lock_round(event: Event, number: int) -> Round:
    return selectors.rounds_of(event).select_for_update(of=("self",)).get(number=number)


def _require_round(current: Round, *allowed: str) -> None:
    if current.status not in allowed:
        raise RoundStatusError(
            _("Round {number} is {status}.").format(number=current.number, status=current.get_status_display()),
            round_status=current.status,
            possible=possible(current),
        )


def possible(current: Round) -> list[str]:
    """Return the statuses a round can be moved to now."""
    moves = {
        Status.SEATED: [Status.RUNNING, Status.CANCELLED],
        Status.RUNNING: [Status.CLOSED, Status.CANCELLED],
        Status.CLOSED: [Status.RUNNING],
        Status.CANCELLED: [],
    }
    if _has_later(current):
        moves[Status.RUNNING].remove(Status.CANCELLED)  # the numbers of rounds have no gap
    return [str(each) for each in moves[Status(current.status)]]


def _has_later(current: Round) -> bool:
    later = Round.objects.filter(event=current.event_id, number__gt=current.number).exclude(status=Status.CANCELLED)
    return current.kind != Round.Kind.OPEN and later.exists()


def _save(current: Round, **fields: Any) -> None:
    Round.objects.filter(pk=current.pk).update(version=F("version") + 1, **fields)
    bump(current.event)


@transaction.atomic
def move_seats(*, actor: Actor, event: Event, number: int, tables: Mapping[str, Sequence[str]]) -> Round:
    """Seat a round otherwise: for each table that changes, its entries in seat order.

    Everybody who was seated stays seated, exactly once; players who came late may be added. Tables that have a
    result do not change.
    """
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    current = _lock_round(event, number)
    _require_round(current, Status.SEATED, Status.RUNNING)
    arranged = _arranged(current, tables)
    Seat.objects.filter(table__in=[table.pk for table, _entries in arranged]).delete()
    fill(current, arranged)
    seated = [entry for _table, entries in arranged for entry in entries]
    SitOut.objects.filter(round=current, entry__in=seated).delete()
    plays_from(number, seated)
    for table, entries in arranged:
        variant = variant_of(event, len(entries), current.kind)
        Table.objects.filter(pk=table.pk).update(variant=variant, version=F("version") + 1)
    _save(current, quality=_quality(current))
    mark_standings(event)
    numbers = [table.number for table, _entries in arranged]
    record(actor=actor, event=event, verb="seats-moved", round=number, tables=numbers)
    return current


def past_rounds(event: Event, before: int) -> list[SeatedRound]:
    """Return what was seated in an event before a round, as the seating wants it."""
    return [_seated(played) for played in selectors.rounds_of(event).filter(number__lt=before)]


def _seated(played: Round) -> SeatedRound:
    return SeatedRound(
        tables=tuple(tuple(seat.entry.uid for seat in table.seats.all()) for table in played.tables.all()),
        sitting_out=tuple(each.entry.uid for each in played.sit_outs.all()),
    )


def apart(event: Event, entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """Return the pairs of entries that should not meet, in this event or anywhere in the club.

    A pair is of two people, whichever of their records it was made for or they entered with.
    """
    by_person = {entry.player.person_id: entry.uid for entry in entries}
    pairs = KeepApart.objects.filter(Q(event=None) | Q(event=event), club=event.club).order_by("pk")
    people = [(pair.first.person_id, pair.second.person_id) for pair in pairs.select_related("first", "second")]
    return [(by_person[one], by_person[other]) for one, other in people if {one, other} <= set(by_person)]


def _quality(current: Round) -> dict[str, Any]:
    """Say what a round that was changed by hand costs."""
    changed = selectors.all_rounds().get(pk=current.pk)
    entries = [seat.entry for table in changed.tables.all() for seat in table.seats.all()]
    entrants = [Entrant(entry.uid, current.points.get(entry.uid, 0)) for entry in entries]
    tables = SeatedRound(_seated(changed).tables)
    past = past_rounds(current.event, current.number)
    return asdict(assess(tables, entrants, past=past, keep_apart=apart(current.event, entries)))


def _arranged(current: Round, tables: Mapping[str, Sequence[str]]) -> list[tuple[Table, list[Entry]]]:
    """Return the changed tables with their entries; SeatingInvalidError where they seat somebody twice or nobody."""
    known = {table.uid: table for table in current.tables.all()}
    if strange := set(tables) - set(known):
        raise SeatingInvalidError(_("These tables are not in this round: {tables}.").format(tables=_list(strange)))
    if fixed := [known[uid] for uid in tables if known[uid].status not in UNPLAYED]:
        numbers = _list(str(table.number) for table in fixed)
        raise SeatingInvalidError(_("These tables have a result already: {tables}.").format(tables=numbers))
    wanted = [uid for uids in tables.values() for uid in uids]
    entries = {entry.uid: entry for entry in Entry.objects.filter(event=current.event, uid__in=wanted)}
    if strange := set(wanted) - set(entries):
        raise SeatingInvalidError(_("These are no entries of this event: {entries}.").format(entries=_list(strange)))
    if dropped := [entry.name for entry in entries.values() if entry.status != Entry.Status.CHECKED_IN]:
        raise SeatingInvalidError(_("These players are not checked in: {names}.").format(names=_list(dropped)))
    before = {seat.entry_id: seat.entry for table in known.values() for seat in table.seats.all()}
    elsewhere = {seat.entry.uid for uid, table in known.items() if uid not in tables for seat in table.seats.all()}
    if len(set(wanted)) < len(wanted) or elsewhere & set(wanted):
        raise SeatingInvalidError(_("Somebody would sit in two places."))
    leaving = [entry for entry in before.values() if entry.uid not in {*wanted, *elsewhere}]
    if lost := [entry.name for entry in leaving if entry.status == Entry.Status.CHECKED_IN]:
        raise SeatingInvalidError(_("These players would lose their seat: {names}.").format(names=_list(lost)))
    for uids in tables.values():
        variant_of(current.event, len(uids), current.kind)
    return [(known[uid], [entries[each] for each in uids]) for uid, uids in tables.items()]


def _list(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts))


@transaction.atomic
def change_status(*, actor: Actor, event: Event, number: int, status: str, reason: str = "") -> Round:
    """Start, close, reopen or cancel a round. It can be closed when every table has a result or was dropped."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    current = _lock_round(event, number)
    if status == current.status:
        return current
    if status not in possible(current):
        _require_round(current)
    match status:
        case Status.RUNNING if current.status == Status.SEATED:
            return start(actor=actor, current=current)
        case Status.RUNNING:
            require_can_seat(event)
            _save(current, status=status, closed_at=None)
        case Status.CLOSED:
            _require_complete(current)
            _save(current, status=status, closed_at=timezone.now())
        case Status.CANCELLED:
            _save(current, status=status, closed_at=timezone.now())
            Event.objects.filter(pk=event.pk).update(schedule=[])  # what was planned was planned for after this round
    mark_standings(event)
    record(actor=actor, event=event, verb=f"round-{status}", reason=reason, round=number, before=current.status)
    current.refresh_from_db()
    return current


def start(*, actor: Actor, current: Round) -> Round:
    """Set a seated round of a locked event running, and its clock."""
    _save(current, status=Status.RUNNING, started_at=timezone.now())
    current.tables.filter(status=Table.Status.SEATED).update(status=Table.Status.PLAYING)
    record(actor=actor, event=current.event, verb="round-running", round=current.number, before=current.status)
    current.refresh_from_db()
    return current


def _require_complete(current: Round) -> None:
    open_tables = [table.number for table in current.tables.all() if table.status not in SETTLED]
    if open_tables:
        numbers = ", ".join(map(str, open_tables))
        raise RoundIncompleteError(
            _("These tables have no final result yet: {tables}.").format(tables=numbers), tables=open_tables
        )


@transaction.atomic
def extend(*, actor: Actor, event: Event, number: int, minutes: int) -> Round:
    """Give a round extra time."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    current = _lock_round(event, number)
    _require_round(current, Status.SEATED, Status.RUNNING)
    _save(current, extra_minutes=min(current.extra_minutes + minutes, MOST_EXTRA_MINUTES))
    record(actor=actor, event=event, verb="round-extended", round=number, minutes=minutes)
    current.refresh_from_db()
    return current
