"""Tables that players form themselves, the order in which people really sat, and tables nobody can finish."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from core.ids import new_code
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError, RoundStatusError, SeatingInvalidError, TableStatusError
from tournaments.models import Entry, Event, Format, Role, Round, Seat, Table
from tournaments.services.entries import UNPLAYED, plays_from, stand_up
from tournaments.services.events import bump, lock_event, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.rounds import fill, next_number, variant_of


def lock_table(table: Table) -> Table:
    """Lock the event, then return the table as it is now, with its seats: one order of locks for everybody."""
    _lock(table.round.event_id)
    now = Table.objects.select_related("round__event__club").prefetch_related(selectors.SEATS)
    return now.get(pk=table.pk)


def _lock(event: int) -> None:
    """Lock an event by its key; whoever locks a table reads everything else of the event with the table."""
    Event.objects.select_for_update().values_list("pk").get(pk=event)


def require_at_table(*, actor: Actor, table: Table) -> None:
    """Refuse a caller who neither sits at the table nor runs the event."""
    if not selectors.sits_at(actor, table):
        require_role(actor=actor, club=table.round.event.club, role=Role.SCOREKEEPER)


@transaction.atomic
def form_table(*, actor: Actor, event: Event, entries: Sequence[Entry]) -> Table:
    """Form a table in open play: a player for themselves, alone (others come by its code) or not; or an organiser."""
    event = lock_event(event)
    if actor.entry is None or actor.entry.event_id != event.pk:
        require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    elif actor.entry not in entries:
        entries = [actor.entry, *entries]
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


def _require_open_play(event: Event) -> None:
    require_status(event, Event.Status.RUNNING)
    if event.format != Format.OPEN:
        raise RoundStatusError(_("In this event the organiser seats the rounds."), event_format=event.format)
    now = timezone.now()
    if now < event.starts_at or (event.ends_at is not None and now > event.ends_at):
        raise RoundStatusError(
            _("The event is not on at this time."), starts_at=event.starts_at, ends_at=event.ends_at
        )


def _require_seatable(event: Event, entries: Sequence[Entry]) -> None:
    if len({entry.pk for entry in entries}) < len(entries):
        raise SeatingInvalidError(_("Somebody would sit in two places."))
    here = Entry.objects.filter(event=event, status=Entry.Status.CHECKED_IN)  # read again: the event is locked now
    if here.filter(pk__in=[entry.pk for entry in entries]).count() < len(entries):
        raise SeatingInvalidError(_("Only players who are checked in to this event can sit down."))
    if not entries or len(entries) > event.table_max:
        raise SeatingInvalidError(_("There are at most {most} seats at a table.").format(most=event.table_max))
    busy = Seat.objects.filter(entry__in=entries, table__status__in=UNPLAYED, round__status=Round.Status.RUNNING)
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
    _save(table, variant=variant_of(event, size))
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


def _save(table: Table, **fields: object) -> None:
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1, **fields)
    bump(table.round.event)
    table.refresh_from_db()


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
    _save(table, status=Table.Status.PLAYING, variant=variant)
    record(actor=actor, event=event, verb="table-started", table=table)
    return table


@transaction.atomic
def reorder(*, actor: Actor, table: Table, entries: Sequence[str]) -> Table:
    """Write down the order in which people really sat, before there is a report."""
    table = lock_table(table)
    event = table.round.event
    require_at_table(actor=actor, table=table)
    _require_table(table, *UNPLAYED)
    seated = {seat.entry.uid: seat.entry for seat in table.seats.select_related("entry")}
    if sorted(seated) != sorted(entries):
        raise SeatingInvalidError(_("The same players must sit at the table, each once."))
    table.seats.all().delete()
    fill(table.round, [(table, [seated[uid] for uid in entries])])
    _save(table)
    record(actor=actor, event=event, verb="seats-reordered", table=table, entries=list(entries))
    return table


@transaction.atomic
def drop(*, actor: Actor, table: Table, reason: str) -> Table:
    """Drop a table that was not or cannot be finished: it counts for nobody."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    _require_table(table, Table.Status.SEATED, Table.Status.PLAYING, Table.Status.REPORTED, Table.Status.DISPUTED)
    _save(table, status=Table.Status.DROPPED)
    if table.round.kind == Round.Kind.OPEN:
        Round.objects.filter(pk=table.round_id).update(status=Round.Status.CLOSED, closed_at=timezone.now())
    record(actor=actor, event=event, verb="table-dropped", table=table, reason=reason)
    return table


@transaction.atomic
def nudge(*, actor: Actor, table: Table) -> Table:
    """Ask a table for its result: the phones of its players show it."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    _require_table(table, Table.Status.PLAYING, Table.Status.REPORTED, Table.Status.DISPUTED)
    _save(table)
    record(actor=actor, event=event, verb=selectors.NUDGED, table=table)
    return table
