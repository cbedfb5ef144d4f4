"""Calls for the organiser from a table, and seats that two players changed: mended when both say so."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.errors import CallClosedError, ForbiddenError, RoundStatusError, SeatingInvalidError
from tournaments.models import Call, Calling, Entry, Event, Role, Round, Seat, Table
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.rounds import swap_seats
from tournaments.services.tables import change_table, lock_table, require_at_table

Status = Call.Status
AGREED, REFUSED = "agreed", "refused"  # what the other player says of seats that were changed


@transaction.atomic
def call_organiser(
    *, actor: Actor, table: Table, kind: str, text: str = "", other: Entry | None = None
) -> tuple[Call, bool]:
    """Call the organiser to a table; whoever calls again changes their call. Return it, and whether it is new.

    `other` is the player on whose seat the caller sits: once they agree, the two seats are exchanged.
    """
    table = lock_table(table)
    require_at_table(actor=actor, table=table)
    _require_on(table.round)
    if other is not None:
        _require_exchange(actor, table, other)
        kind = Call.Kind.SEATS
    said = {"kind": kind, "text": " ".join(text.split()), "other": other}
    waiting = Call.objects.filter(table=table, entry=actor.entry).exclude(status=Status.DONE)
    call = waiting.select_related("other").first()
    is_new = call is None
    if call is None:
        call = Call.objects.create(table=table, entry=actor.entry, **said)
    else:
        before = call.other
        for name, value in said.items():
            setattr(call, name, value)
        call.save(update_fields=list(said))
        _show(table.round.event, before)
    _show(table.round.event, other)
    _show_at(table)
    record(actor=actor, event=table.round.event, verb="called", table=table, reason=call.text, kind=kind)
    return call, is_new


def _require_on(current: Round) -> None:
    if not current.is_open or current.is_draft:
        detail = _("Round {number} is {status}.").format(number=current.number, status=current.get_status_display())
        raise RoundStatusError(detail, round_status=current.status)


def _require_exchange(actor: Actor, table: Table, other: Entry) -> None:
    """Refuse a change of seats with oneself, with somebody who has no seat in this round, or in open play."""
    is_seated = Seat.objects.filter(round=table.round, entry=other).exists()
    if actor.entry is None or other.pk == actor.entry.pk or not is_seated or table.round.kind == Round.Kind.OPEN:
        raise SeatingInvalidError(_("Choose another player of this round."))


@transaction.atomic
def answer(*, actor: Actor, call: Call, status: str) -> Call:
    """Say that one is coming or that it is done; take one's own call back; agree to a change of seats, or not."""
    table = lock_table(call.table)
    event = table.round.event
    call = Call.objects.select_related("entry", "other").get(pk=call.pk)  # as it is, now that the event is locked
    _require_may_answer(actor, call, status, event)
    if call.status == Status.DONE:
        if status == Status.DONE:
            return call
        raise CallClosedError(_("This call is done."), call_status=call.status)
    other = call.other
    match status:
        case "agreed":
            _exchange(actor, call, table.round)
            call.status = Status.DONE
        case "refused":
            call.other = None  # it stays a call: the organiser has to come
        case _:
            call.status = status
    call.save(update_fields=["status", "other"])
    for entry in (other, call.entry):  # where they sit now
        _show(event, entry)
    _show_at(table)
    record(actor=actor, event=event, verb=f"call-{status}", table=table)
    return call


def _require_may_answer(actor: Actor, call: Call, status: str, event: Event) -> None:
    is_own = actor.entry is not None and actor.entry.pk == call.entry_id
    is_own |= actor.kind == Kind.TABLE and call.entry_id is None and selectors.sits_at(actor, call.table)
    is_other = actor.entry is not None and actor.entry.pk == call.other_id
    if (is_own and status == Status.DONE) or (is_other and status in {AGREED, REFUSED}):
        return
    if is_own or is_other:
        raise ForbiddenError(_("Somebody else has to say this."))
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)


def _exchange(actor: Actor, call: Call, current: Round) -> None:
    if call.entry is None or call.other is None:
        raise CallClosedError(_("Nobody was named to change seats with."), call_status=call.status)
    _require_on(current)
    swap_seats(actor=actor, current=current, one=call.entry, other=call.other)


def _show(event: Event, entry: Entry | None) -> None:
    """Have the table at which an entry sits now show what is asked there."""
    if entry is not None:
        for seat in Seat.objects.filter(entry=entry, round__status__in=Round.OPEN).select_related("table__round"):
            seat.table.round.event = event
            _show_at(seat.table)


def _show_at(table: Table) -> None:
    """Write down what the phones of a table show of all its calls."""
    waiting = Call.objects.exclude(status=Status.DONE)
    called = set(waiting.filter(table=table).values_list("status", flat=True))
    shown = ""
    if Status.COMING in called:
        shown = Calling.COMING
    elif waiting.filter(other__seats__table=table).exists():  # also where whoever called sits beside them
        shown = Calling.ASKED
    elif called:
        shown = Calling.OPEN
    change_table(table, call=shown)
