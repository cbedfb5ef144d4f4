"""Rounds of tables: drafting, publishing, changing by hand, starting, extending, closing and cancelling them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import games, notices, selectors
from tournaments.actors import Actor
from tournaments.errors import RoundIncompleteError, RoundOpenError, RoundStatusError, SeatingInvalidError
from tournaments.models import Entry, Event, KeepApart, MessageType, Role, Round, Seat, SitOut, Table
from tournaments.seating import Entrant, SeatedRound, assess
from tournaments.services.entries import plays_from
from tournaments.services.events import bump, cancel_rounds, lock_event, mark_standings, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.webhooks import announce_event, announce_round

Status = Round.Status
MOST_EXTRA_MINUTES = 24 * 60
MOST_TABLES = 2000


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
    numbers: Sequence[int] = ()  # of the tables; from 1 where empty
    is_draft: bool = False
    stage: int = 0
    cut: Mapping[str, Any] = field(default_factory=dict)


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
    """Store a seating as the event's next round, for the club alone if it is a draft, else published at once."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    # Checked again under the lock: the search for this seating ran without one.
    require_can_seat(event)
    opened = Round.objects.create(
        event=event,
        number=next_number(event),
        kind=plan.kind,
        stage=plan.stage,
        cut=dict(plan.cut),
        status=Status.DRAFT,
        seed=plan.seed,
        steps=plan.steps,
        quality=dict(plan.quality),
        points=dict(plan.points),
        minutes=event.round_minutes,
    )
    _seat(opened, plan)
    SitOut.objects.bulk_create(SitOut(round=opened, entry=entry) for entry in plan.sitting_out)
    plays_from(opened.number, [entry for table in [*plan.tables, plan.sitting_out] for entry in table])
    if plan.is_draft:
        bump(event)
        record(actor=actor, event=event, verb="round-drafted", round=opened.number, seed=plan.seed)
    else:
        _publish(actor, opened)
    return opened


def _publish(actor: Actor, current: Round) -> None:
    """Show a draft of a locked event to everybody at once; the first round sets the event running."""
    event = current.event
    _require_present(current)
    tables = list(current.tables.annotate(size=Count("seats")))
    current.tables.filter(pk__in=[table.pk for table in tables if not table.size]).delete()
    for table in (table for table in tables if table.size):
        variant = variant_of(event, table.size, current.kind)
        if variant != table.variant:
            Table.objects.filter(pk=table.pk).change(variant=variant)
    seated = sum(bool(table.size) for table in tables)
    if not seated:
        raise SeatingInvalidError(_("Nobody has a seat."))
    Round.objects.filter(pk=current.pk).update(status=Status.SEATED, version=F("version") + 1)
    current.refresh_from_db(fields=["status", "version"])
    before = event.status
    bump(event, status=Event.Status.RUNNING)
    mark_standings(event)
    record(actor=actor, event=event, verb="round-seated", round=current.number, seed=current.seed)
    if before != Event.Status.RUNNING:
        announce_event(event, MessageType.EVENT_STARTED, before=before)
    announce_round(current, MessageType.ROUND_SEATED, tables=seated)
    notices.tell_seats(current)


def _require_present(current: Round) -> None:
    """Refuse a draft with a seat for somebody who has left since: they would be rated for a table they never saw."""
    left = Entry.objects.filter(seats__round=current).exclude(status=Entry.Status.CHECKED_IN)
    if names := _list(left.values_list("name", flat=True)):
        advice = _("These players are not checked in: {names}. Take them off their tables, or seat the round again.")
        raise SeatingInvalidError(advice.format(names=names))


def _seat(opened: Round, plan: Plan) -> None:
    """Create tables and seats in two queries."""
    numbers = plan.numbers or range(1, len(plan.tables) + 1)
    created = Table.objects.bulk_create(
        Table(
            round=opened,
            number=number,
            variant=variant_of(opened.event, len(entries), opened.kind),
            **label_of(opened.event, number),
        )
        for number, entries in zip(numbers, plan.tables, strict=True)
    )
    fill(opened, zip(created, plan.tables, strict=True))


def label_of(event: Event, number: int) -> dict[str, str]:
    """Return the label and the room of the table with this number, as the event's room plan has them."""
    plan = event.table_labels
    found = plan[number - 1] if number <= len(plan) else {}
    return {"label": found.get("label", ""), "room": found.get("room", "")}


def fill(current: Round, tables: Iterable[tuple[Table, Sequence[Entry]]]) -> None:
    """Seat entries at tables of a round that are empty, in the order given."""
    Seat.objects.bulk_create(
        Seat(table=table, round=current, entry=entry, position=position)
        for table, entries in tables
        for position, entry in enumerate(entries, 1)
    )


def limits_of(event: Event, kind: str = Round.Kind.NORMAL) -> tuple[int, int]:
    """Return how few and how many may sit at a table: by the event, in a final by the game alone."""
    if kind in {Round.Kind.FINAL, Round.Kind.PLAYOFF}:
        engine = games.engine_of_event(event)
        sizes = games.sizes(engine, engine.variant(event.variant))
        return sizes[0], sizes[-1]
    return event.table_min, event.table_max


def variant_of(event: Event, size: int, kind: str = Round.Kind.NORMAL) -> str:
    """Return the variant a table of some size plays in an event; SeatingInvalidError where it cannot be."""
    engine = games.engine_of_event(event)
    variant = games.variant_for(engine, engine.variant(event.variant), size)
    low, high = limits_of(event, kind)
    if variant is None or not low <= size <= high:
        raise SeatingInvalidError(
            _("A table of {size} is not allowed here: {low} to {high}.").format(size=size, low=low, high=high)
        )
    return variant.slug


def _lock_round(event: Event, number: int) -> Round:
    # The event is always locked before its rounds, as in `lock_table`, so that no two transactions deadlock.
    try:
        return selectors.rounds_of(event).select_for_update(of=("self",)).get(number=number)
    except Round.DoesNotExist:
        _require_round(Round.objects.filter(event=event, number=number).latest("pk"))  # cancelled since it was found
        raise


def _require_round(current: Round, *allowed: str) -> None:
    if current.status not in allowed:
        raise RoundStatusError(
            _("Round {number} is {status}.").format(number=current.number, status=current.get_status_display()),
            round_status=current.status,
            possible=possible(current),
        )


def require_counting(current: Round) -> None:
    """Refuse a round that was cancelled, or is a draft: nothing in it counts, whatever is said of it."""
    if current.status in {Status.CANCELLED, Status.DRAFT}:
        _require_round(current)


def possible(current: Round, *, has_later: bool | None = None) -> list[str]:
    """Return the statuses a round can be moved to now; who knows whether a later one follows need not ask again."""
    moves = {
        Status.DRAFT: [Status.SEATED, Status.CANCELLED],
        Status.SEATED: [Status.RUNNING, Status.CANCELLED],
        Status.RUNNING: [Status.CLOSED, Status.CANCELLED],
        Status.CLOSED: [Status.RUNNING],
        Status.CANCELLED: [],
    }
    if _has_later(current) if has_later is None else has_later:
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
    result do not change. A draft may be of any shape until it is published: who loses a seat there sits out.
    """
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    current = _lock_round(event, number)
    _require_round(current, *Round.OPEN)
    arranged = _arranged(current, tables)
    before = [seat.entry for table, _entries in arranged for seat in table.seats.all()]
    # All seats go before any is made: moved one by one, two would share a position, or a player have two seats.
    Seat.objects.filter(table__in=[table.pk for table, _entries in arranged]).delete()
    fill(current, arranged)
    seated = [entry for _table, entries in arranged for entry in entries]
    SitOut.objects.filter(round=current, entry__in=seated).delete()
    _sit_out(current, [entry for entry in before if entry not in seated])
    plays_from(number, seated)
    for table, entries in arranged:
        # A draft is judged as a whole, when it is published.
        variant = table.variant if current.is_draft else variant_of(event, len(entries), current.kind)
        Table.objects.filter(pk=table.pk).change(variant=variant)
    _save(current, quality=_quality(current))
    mark_standings(event)
    numbers = [table.number for table, _entries in arranged]
    record(actor=actor, event=event, verb="seats-moved", round=number, tables=numbers)
    return current


def swap_seats(*, actor: Actor, current: Round, one: Entry, other: Entry) -> None:
    """Exchange the seats of two players in a round of a locked event, while neither table has a sheet."""
    seats = list(Seat.objects.filter(round=current, entry__in=[one, other]).select_related("table"))
    if len(seats) < 2 or any(seat.table.status not in Table.UNPLAYED for seat in seats):
        raise SeatingInvalidError(_("These seats can no longer be exchanged: a table has a sheet."))
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    first, second = seats
    Seat.objects.bulk_create(
        Seat(table=there.table, round=current, entry_id=here.entry_id, position=there.position)
        for here, there in ((first, second), (second, first))
    )
    Table.objects.filter(pk__in=[seat.table_id for seat in seats]).change()
    _save(current, quality=_quality(current))
    record(actor=actor, event=current.event, verb="seats-swapped", round=current.number, entries=[one.uid, other.uid])


def _sit_out(current: Round, entries: Iterable[Entry]) -> None:
    """Write down who has no seat any more though they are here; in a final they are simply not in it."""
    here = [entry for entry in entries if entry.status == Entry.Status.CHECKED_IN]
    if current.kind == Round.Kind.NORMAL:
        SitOut.objects.bulk_create(SitOut(round=current, entry=entry) for entry in here)


def _draft(actor: Actor, event: Event, number: int) -> tuple[Event, Round]:
    """Lock a draft that the caller may change, and return it with its event."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    current = _lock_round(event, number)
    _require_round(current, Status.DRAFT)
    return event, current


@transaction.atomic
def add_table(*, actor: Actor, event: Event, number: int) -> Table:
    """Put another table into a draft, with nobody at it yet."""
    event, current = _draft(actor, event, number)
    used = {table.number for table in current.tables.all()}
    if len(used) >= MOST_TABLES:
        raise SeatingInvalidError(_("There are at most {most} tables in a round.").format(most=MOST_TABLES))
    free = next(each for each in range(1, len(used) + 2) if each not in used)
    labels = label_of(event, free)
    added = Table.objects.create(round=current, number=free, variant=event.variant, **labels)
    _save(current)
    record(actor=actor, event=event, verb="table-added", table=added, round=number)
    return added


@transaction.atomic
def remove_table(*, actor: Actor, table: Table) -> None:
    """Take a table out of a draft; who sat there has no seat until they are moved."""
    event, current = _draft(actor, table.round.event, table.round.number)
    if table.round_id != current.pk:  # its own was cancelled; the draft was seated anew, under the same number
        _require_round(Round.objects.get(pk=table.round_id))
    entries = [seat.entry for seat in Seat.objects.filter(table=table).select_related("entry")]
    record(actor=actor, event=event, verb="table-removed", round=current.number, table_number=table.number)
    Table.objects.filter(pk=table.pk).delete()
    _sit_out(current, entries)
    _save(current, quality=_quality(current))


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
    by_person = {entry.person_id: entry.uid for entry in entries}
    pairs = KeepApart.objects.filter(Q(event=None) | Q(event=event), club=event.club).order_by("pk")
    people = [(pair.first.person_id, pair.second.person_id) for pair in pairs.select_related("first", "second")]
    return [(by_person[one], by_person[other]) for one, other in people if {one, other} <= set(by_person)]


def _quality(current: Round) -> dict[str, Any]:
    """Say what a round that was changed by hand costs."""
    changed = selectors.all_rounds().get(pk=current.pk)  # `current` holds the seats from before the change
    entries = [seat.entry for table in changed.tables.all() for seat in table.seats.all()]
    entrants = [Entrant(entry.uid, current.points.get(entry.uid, 0)) for entry in entries]
    tables = SeatedRound(tuple(table for table in _seated(changed).tables if table))
    if not tables.tables:
        return {}
    past = past_rounds(current.event, current.number)
    return asdict(assess(tables, entrants, past=past, keep_apart=apart(current.event, entries)))


def _arranged(current: Round, tables: Mapping[str, Sequence[str]]) -> list[tuple[Table, list[Entry]]]:
    """Return the changed tables with their entries; SeatingInvalidError where they seat somebody twice or nobody."""
    known = {table.uid: table for table in current.tables.all()}
    if strange := set(tables) - set(known):
        raise SeatingInvalidError(_("These tables are not in this round: {tables}.").format(tables=_list(strange)))
    if fixed := [known[uid] for uid in tables if known[uid].status not in Table.UNPLAYED]:
        numbers = _list(str(table.number) for table in fixed)
        raise SeatingInvalidError(_("These tables already have a result: {tables}.").format(tables=numbers))
    wanted = [uid for uids in tables.values() for uid in uids]
    entries = {entry.uid: entry for entry in Entry.objects.filter(event=current.event, uid__in=wanted)}
    if strange := set(wanted) - set(entries):
        raise SeatingInvalidError(_("These entries are not in this event: {entries}.").format(entries=_list(strange)))
    before = {seat.entry_id: seat.entry for table in known.values() for seat in table.seats.all()}
    # Who dropped out of a draft may be taken off it one after the other; it is judged when it is published.
    staying = before if current.is_draft else {}
    absent = [entry for entry in entries.values() if entry.status != Entry.Status.CHECKED_IN]
    if dropped := [entry.name for entry in absent if entry.pk not in staying]:
        raise SeatingInvalidError(_("These players are not checked in: {names}.").format(names=_list(dropped)))
    elsewhere = {seat.entry.uid for uid, table in known.items() if uid not in tables for seat in table.seats.all()}
    if len(set(wanted)) < len(wanted) or elsewhere & set(wanted):
        raise SeatingInvalidError(_("A player cannot have two seats."))
    # Only players who dropped out may lose their seat.
    leaving = [entry for entry in before.values() if entry.uid not in {*wanted, *elsewhere}]
    if current.is_draft:
        leaving = []
    if lost := [entry.name for entry in leaving if entry.status == Entry.Status.CHECKED_IN]:
        raise SeatingInvalidError(_("These players would lose their seat: {names}.").format(names=_list(lost)))
    for uids in () if current.is_draft else tables.values():
        variant_of(current.event, len(uids), current.kind)
    return [(known[uid], [entries[each] for each in uids]) for uid, uids in tables.items()]


def _list(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts))


@transaction.atomic
def change_status(*, actor: Actor, event: Event, number: int, status: str, reason: str = "") -> Round:
    """Publish, start, close, reopen or cancel a round; it is closed when every table has a result or was dropped."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    current = _lock_round(event, number)
    if status == current.status:
        return current
    if status not in possible(current):
        _require_round(current)
    match status:
        case Status.SEATED:
            require_status(event, Event.Status.REGISTRATION, Event.Status.RUNNING)
            _publish(actor, current)
            return current
        case Status.RUNNING if current.status == Status.SEATED:
            return start(actor=actor, current=current)
        case Status.RUNNING:
            require_can_seat(event)  # a reopened round is open again, and only one may be
            _save(current, status=status, closed_at=None)
        case Status.CLOSED:
            _require_complete(current)
            _save(current, status=status, closed_at=timezone.now())
        case Status.CANCELLED:
            cancel_rounds(Round.objects.filter(pk=current.pk))
            bump(event)
            # The rest of a rotation was planned on the assumption that this round is played.
            Event.objects.filter(pk=event.pk).update(schedule=[])
    mark_standings(event)
    before = current.status
    record(actor=actor, event=event, verb=f"round-{status}", reason=reason, round=number, before=before)
    current.refresh_from_db()
    if status in {Status.RUNNING, Status.CLOSED}:
        kind = MessageType.ROUND_CLOSED if status == Status.CLOSED else MessageType.ROUND_STARTED
        announce_round(current, kind, before=before)
    return current


def start(*, actor: Actor, current: Round) -> Round:
    """Set a seated round of a locked event running, and its clock."""
    before = current.status
    _save(current, status=Status.RUNNING, started_at=timezone.now())
    Table.objects.filter(round=current, status=Table.Status.SEATED).change(status=Table.Status.PLAYING)
    record(actor=actor, event=current.event, verb="round-running", round=current.number, before=before)
    current.refresh_from_db()
    announce_round(current, MessageType.ROUND_STARTED, before=before)
    return current


def _require_complete(current: Round) -> None:
    open_tables = [table.number for table in current.tables.all() if table.status not in Table.SETTLED]
    if open_tables:
        numbers = ", ".join(map(str, open_tables))
        raise RoundIncompleteError(
            _("These tables have no final result yet: {tables}.").format(tables=numbers), tables=open_tables
        )


@transaction.atomic
def pause(*, actor: Actor, event: Event, number: int) -> Round:
    """Stop the clock of a round that runs; what is left stays as it is."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    current = _lock_round(event, number)
    _require_round(current, Status.RUNNING)
    if current.paused_at is None:
        _save(current, paused_at=timezone.now())
        record(actor=actor, event=event, verb="round-paused", round=number)
        current.refresh_from_db()
    return current


@transaction.atomic
def resume(*, actor: Actor, event: Event, number: int) -> Round:
    """Let a clock that was stopped go on."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    current = _lock_round(event, number)
    _require_round(current, Status.RUNNING)
    if current.paused_at is not None:
        paused = max(0, round((timezone.now() - current.paused_at).total_seconds()))
        _save(current, paused_at=None, paused_seconds=current.paused_seconds + paused)
        record(actor=actor, event=event, verb="round-resumed", round=number, seconds=paused)
        current.refresh_from_db()
    return current


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
