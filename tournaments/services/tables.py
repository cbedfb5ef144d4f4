"""Tables that players form themselves, the order in which people really sat, and tables nobody can finish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core import limits
from core.ids import new_code
from core.statements import Prepared, change
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import (
    ForbiddenError,
    RoundStatusError,
    SeatingInvalidError,
    SeatOthersError,
    TableStatusError,
    TooManyTablesError,
)
from tournaments.models import Entry, Event, Format, Role, Round, Seat, Table
from tournaments.services.entries import plays_from, stand_up
from tournaments.services.events import bump, lock_event, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.rounds import MOST_EXTRA_MINUTES, fill, next_number, require_counting, variant_of

MOST_FORMED, FORMED_WITHIN = 30, 600  # tables that a player may form in so many seconds


def lock_table(table: Table, *related: str) -> Table:
    """Lock a table with its round and event, and return it as it is now, with its seats and what else is named.

    Everybody who changes a table locks its event first, so that two never wait for each other. All three rows are
    locked by one statement: PostgreSQL reads a row that it had to wait for again, and only rows that it locks.
    """
    now = Table.objects.select_related("round__event__club", *related).prefetch_related(selectors.SEATS)
    return _locked(now).get(pk=table.pk)


def lock_as_read(table: Table) -> Table:
    """Lock a table that was read with its seats, and return it as it is now: seats are read again where it changed.

    Whoever changes the seats of a table raises its version.
    """
    now = _LOCKED.first(table.pk)
    if now is None:
        raise Table.DoesNotExist
    if now.version == table.version:
        selectors.keep_seats(now, table.seats.all())
    else:
        selectors.read_seats(now)
    return now


def _locked(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Lock events, rounds and tables as they are read, in this order: who has the event has them all.

    Their keys stay free, as in `lock_event`.
    """
    return tables.select_for_update(of=("round__event", "round", "self"), no_key=True)


_LOCKED = Prepared(lambda table: _locked(Table.objects.select_related("round__event__club")).filter(pk=table), int)


def require_at_table(*, actor: Actor, table: Table) -> None:
    """Refuse a caller who neither sits at the table nor runs the event."""
    if not selectors.sits_at(actor, table):
        require_role(actor=actor, club=table.round.event.club, role=Role.SCOREKEEPER)


@transaction.atomic
def form_table(*, actor: Actor, event: Event, entries: Sequence[Entry] = ()) -> Table:
    """Form a table in open play: a player for themselves alone, as others come by its code; the club for several."""
    event = lock_event(event)
    if actor.entry is None or actor.entry.event_id != event.pk:
        require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    elif set(entries) <= {actor.entry}:
        entries = [actor.entry]
        _refuse_too_many(actor.entry)
    else:
        raise SeatOthersError(
            _("You can seat yourself alone. The others sit down from their own phones, with the code of the table.")
        )
    _require_open_play(event)
    _require_seatable(event, entries)
    opened = Round.objects.create(
        event=event,
        number=next_number(event),
        kind=Round.Kind.OPEN,
        status=Round.Status.RUNNING,
        started_at=timezone.now(),
    )
    table = Table.objects.create(
        round=opened,
        number=opened.number,
        variant=variant_of(event, max(len(entries), event.table_min)),
        code=new_code(),
        status=Table.Status.PLAYING if len(entries) == event.table_max else Table.Status.SEATED,
    )
    fill(opened, [(table, entries)])
    bump(event)
    record(actor=actor, event=event, verb="table-formed", table=table, entries=[entry.uid for entry in entries])
    return table


def _refuse_too_many(entry: Entry) -> None:
    """Refuse a player who forms tables and leaves them without end: each stays in the event, its file and history."""
    if not limits.take("tables", entry.uid, MOST_FORMED, FORMED_WITHIN).is_within:
        raise TooManyTablesError(_("You have formed many tables in a short time. Wait a while, or sit down at one."))


def _require_open_play(event: Event) -> None:
    require_status(event, Event.Status.RUNNING)
    if event.format != Format.OPEN:
        raise RoundStatusError(
            _("In this event the organiser seats the rounds. Wait for your table."), event_format=event.format
        )
    # The hour that was announced says nothing here: the organiser who starts open play opens it.
    if event.ends_at is not None and timezone.now() > event.ends_at:
        raise RoundStatusError(
            _("The event is not running now. Ask the organiser when it is."),
            starts_at=event.starts_at,
            ends_at=event.ends_at,
        )


def _require_seatable(event: Event, entries: Sequence[Entry]) -> None:
    if len({entry.pk for entry in entries}) < len(entries):
        raise SeatingInvalidError(_("A player cannot have two seats."))
    here = Entry.objects.filter(event=event, status=Entry.Status.CHECKED_IN)  # read again: the event is locked now
    if here.filter(pk__in=[entry.pk for entry in entries]).count() < len(entries):
        raise SeatingInvalidError(_("Only players who are checked in to this event can sit down."))
    if not entries:
        raise SeatingInvalidError(_("Choose who sits down at the table."))
    if len(entries) > event.table_max:
        raise SeatingInvalidError(_("There are at most {most} seats at a table.").format(most=event.table_max))
    busy = Seat.objects.filter(entry__in=entries, table__status__in=Table.UNPLAYED, round__status=Round.Status.RUNNING)
    if names := list(busy.values_list("entry__name", flat=True)):
        raise SeatingInvalidError(_("These players sit at another table: {names}.").format(names=", ".join(names)))


@transaction.atomic
def sit_down(*, actor: Actor, table: Table) -> Table:
    """Take the next free seat of a table that is being formed."""
    table = lock_table(table)
    event = table.round.event
    if actor.entry is None or actor.entry.event_id != event.pk:
        raise ForbiddenError(_("Only a player of this event can sit down."))
    _require_open_play(event)
    _require_table(table, Table.Status.SEATED)
    entries = [seat.entry for seat in table.seats.select_related("entry").order_by("position")]
    if actor.entry in entries:
        return table
    _require_seatable(event, [actor.entry])
    if len(entries) >= event.table_max:
        raise SeatingInvalidError(_("There are at most {most} seats at a table.").format(most=event.table_max))
    Seat.objects.create(table=table, round=table.round, entry=actor.entry, position=len(entries) + 1)
    plays_from(table.round.number, [actor.entry])
    size = max(len(entries) + 1, event.table_min)
    change_table(table, variant=variant_of(event, size))
    record(actor=actor, event=event, verb="sat-down", table=table, entry=actor.entry.uid)
    return table


@transaction.atomic
def leave(*, actor: Actor, table: Table) -> Table:
    """Stand up from a table that is being formed."""
    table = lock_table(table)
    if actor.entry is None or not selectors.sits_at(actor, table):
        raise ForbiddenError(_("Only a player of this table can leave it."))
    if table.round.kind != Round.Kind.OPEN:
        raise TableStatusError(
            _("Players leave a table only in open play. Drop out of the event instead."), table_status=table.status
        )
    _require_table(table, Table.Status.SEATED)
    stand_up(actor.entry)
    bump(table.round.event)
    table.refresh_from_db()
    record(actor=actor, event=table.round.event, verb="left-table", table=table, entry=actor.entry.uid)
    return table


def change_table(table: Table, **fields: Any) -> None:
    """Save fields of a table of a locked event, and raise the versions of both."""
    change(table, **fields)
    bump(table.round.event)


def _require_table(table: Table, *allowed: str) -> None:
    if not table.round.is_open:
        number, status = table.round.number, table.round.get_status_display()
        raise RoundStatusError(
            _("Round {number} is {status}.").format(number=number, status=status), round_status=table.round.status
        )
    if table.status not in allowed:
        raise TableStatusError(
            _("Table {number} is {status}.").format(number=table.number, status=table.get_status_display()),
            table_status=table.status,
        )


@transaction.atomic
def begin(*, actor: Actor, table: Table) -> Table:
    """Begin to play at a table that was formed in open play; nobody else can sit down any more."""
    table = lock_table(table)
    event = table.round.event
    require_at_table(actor=actor, table=table)
    if table.round.kind != Round.Kind.OPEN:
        raise TableStatusError(_("The tables of a round start together."), table_status=table.status)
    _require_table(table, Table.Status.SEATED)
    variant = variant_of(event, table.seats.count())
    change_table(table, status=Table.Status.PLAYING, variant=variant)
    record(actor=actor, event=event, verb="table-started", table=table)
    return table


@transaction.atomic
def reorder(*, actor: Actor, table: Table, entries: Sequence[str]) -> Table:
    """Write down the order in which people really sat, before there is a report."""
    table = lock_table(table)
    event = table.round.event
    require_at_table(actor=actor, table=table)
    _require_table(table, *Table.UNPLAYED)
    seated = {seat.entry.uid: seat.entry for seat in table.seats.select_related("entry")}
    if sorted(seated) != sorted(entries):
        raise SeatingInvalidError(_("The same players must sit at the table, each once."))
    table.seats.all().delete()
    fill(table.round, [(table, [seated[uid] for uid in entries])])
    change_table(table)
    record(actor=actor, event=event, verb="seats-reordered", table=table, entries=list(entries))
    return table


@transaction.atomic
def label(*, actor: Actor, table: Table, **labels: str) -> Table:
    """Say what the club calls a table in this round, and in which room it stands."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    change_table(table, **{name: " ".join(text.split()) for name, text in labels.items()})
    record(actor=actor, event=event, verb="table-labelled", table=table, label=table.label, room=table.room)
    return table


@transaction.atomic
def extend_table(*, actor: Actor, table: Table, minutes: int) -> Table:
    """Give one table more time than the others."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    _require_table(table, *Table.UNPLAYED, Table.Status.REPORTED, Table.Status.DISPUTED)
    change_table(table, extra_minutes=min(table.extra_minutes + minutes, MOST_EXTRA_MINUTES))
    record(actor=actor, event=event, verb="table-extended", table=table, minutes=minutes)
    return table


@transaction.atomic
def renew_slip(*, actor: Actor, table: Table) -> Table:
    """Make the slip of a table invalid and give it another."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_counting(table.round)
    change_table(table, generation=table.generation + 1)
    record(actor=actor, event=event, verb="slip-renewed", table=table)
    return table


@transaction.atomic
def nudge(*, actor: Actor, table: Table) -> Table:
    """Ask a table for its result: the phones of its players show it."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    _require_table(table, Table.Status.PLAYING, Table.Status.REPORTED, Table.Status.DISPUTED)
    change_table(table)
    record(actor=actor, event=event, verb=selectors.NUDGED, table=table)
    return table
