"""Who plays in an event: joining, checking in, dropping out, returning, taking somebody's place."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from core.names import clean_name
from tournaments import credentials, selectors
from tournaments.actors import Actor, Kind
from tournaments.errors import AlreadyEnteredError, EntryStatusError, ForbiddenError, NameTakenError
from tournaments.models import Affiliation, Entry, Event, Player, Role, Round, Seat, Table
from tournaments.services.events import bump, lock_event, mark_standings, require_status
from tournaments.services.history import record
from tournaments.services.people import lock_person, mark_boards
from tournaments.services.permissions import require_role

Status = Entry.Status
UNPLAYED = (Table.Status.SEATED, Table.Status.PLAYING)
OPEN_ROUND = (Round.Status.SEATED, Round.Status.RUNNING)
OPEN_FOR_ENTRY = (Event.Status.REGISTRATION, Event.Status.RUNNING)


class WrongCodeError(ForbiddenError):
    """The join code is not the event's."""

    code = "join-code"


def is_code(event: Event, code: str) -> bool:
    """Say whether a code is the event's, whatever the case it was typed in."""
    offered = code.strip().upper().encode("utf-8", "surrogatepass")  # half a character is a wrong code, not an error
    return hmac.compare_digest(event.join_code.encode(), offered)


@transaction.atomic
def join(*, event: Event, code: str, name: str = "", player: Player | None = None, actor: Actor) -> Entry:
    """Enter a player who shows the event's code, by a new name or as a player whom the club knows.

    Anybody can claim to be a known player, so that entry is unverified until an organiser or an earlier phone
    of theirs vouches for it.
    """
    if not is_code(event, code):
        raise WrongCodeError(
            _("This is not the code of the event. It is shown on the projector and by the organiser.")
        )
    event = lock_event(event)
    require_status(event, *OPEN_FOR_ENTRY)
    return _enter(event, name=name, player=player, actor=actor, is_verified=player is None)


@transaction.atomic
def add_entry(*, actor: Actor, event: Event, name: str = "", player: Player | None = None) -> Entry:
    """Enter a player on the organiser's word."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_status(event, Event.Status.DRAFT, *OPEN_FOR_ENTRY)
    return _enter(event, name=name, player=player, actor=actor, is_verified=True)


def _enter(event: Event, *, name: str, player: Player | None, actor: Actor, is_verified: bool) -> Entry:
    if player is None:
        name = clean_name(name)
        if name.casefold() in _names_of(event):
            raise NameTakenError(_("Somebody in this event is called so already."), suggestion=_free_name(event, name))
        player = Player.objects.create(name=name)
    else:
        player = lock_person(player.merged_into or player)
        if Entry.objects.filter(event=event, player__in=selectors.records_of(player)).exists():
            raise AlreadyEnteredError(_("This player is in the event already."))
        name = player.name if player.name.casefold() not in _names_of(event) else _free_name(event, player.name)
    if Affiliation.objects.get_or_create(club=event.club, player=player)[1]:
        mark_boards(player)
    latest = Round.objects.filter(event=event).exclude(status=Round.Status.CANCELLED).aggregate(last=Max("number"))
    try:
        with transaction.atomic():
            entry = Entry.objects.create(
                event=event,
                player=player,
                name=name,
                is_verified=is_verified,
                first_round=(latest["last"] or 0) + 1,
            )
    except IntegrityError:  # another phone was quicker, on a database without row locks
        raise NameTakenError(
            _("Somebody in this event is called so already."), suggestion=_free_name(event, name)
        ) from None
    bump(event)
    mark_standings(event)
    record(actor=actor, event=event, verb="entered", entry=entry.uid, name=name)
    return entry


def _names_of(event: Event) -> set[str]:
    """Return the names in an event, folded here because SQLite folds no letter outside of ASCII."""
    return {name.casefold() for name in Entry.objects.filter(event=event).values_list("name", flat=True)}


def _free_name(event: Event, name: str) -> str:
    """Return the name with the smallest number behind it that nobody in the event has."""
    stem = name[:56]
    taken = _names_of(event)
    number = 2
    while f"{stem} {number}".casefold() in taken:
        number += 1
    return f"{stem} {number}"


@transaction.atomic
def change_status(*, actor: Actor, entry: Entry, status: str) -> Entry:
    """Check a player in, take them out, or take them back in; players may do so for themselves."""
    event = lock_event(entry.event)
    _require_own_or_organiser(actor, entry, event)
    require_status(event, Event.Status.DRAFT, *OPEN_FOR_ENTRY)
    entry = Entry.objects.select_related("event__club", "player").get(pk=entry.pk)
    if status == entry.status:
        return entry
    if status == Status.REGISTERED:
        raise EntryStatusError(
            _("A player who has checked in can only drop out."), entry_status=entry.status, possible=_moves(entry)
        )
    before, entry.status = entry.status, status
    entry.save(update_fields=["status"])
    if status == Status.DROPPED:
        stand_up(entry)
    bump(event)
    record(actor=actor, event=event, verb=f"entry-{status}", entry=entry.uid, name=entry.name, before=before)
    return entry


def stand_up(entry: Entry) -> None:
    """Free an entry's seats at tables that are being formed in open play; a table that all have left is gone."""
    forming = Q(round__kind=Round.Kind.OPEN, round__status=Round.Status.RUNNING, table__status=Table.Status.SEATED)
    for seat in Seat.objects.filter(forming, entry=entry):
        seat.delete()
        others = list(Seat.objects.filter(table=seat.table_id).order_by("position"))
        for position, other in enumerate(others, 1):  # one by one in this order: no two have one position meanwhile
            Seat.objects.filter(pk=other.pk).update(position=position)
        gone = {} if others else {"status": Table.Status.DROPPED}
        Table.objects.filter(pk=seat.table_id).update(version=F("version") + 1, **gone)
        if gone:
            Round.objects.filter(pk=seat.round_id).update(status=Round.Status.CANCELLED, closed_at=timezone.now())


def _moves(entry: Entry) -> list[str]:
    return [str(each) for each in (Status.CHECKED_IN, Status.DROPPED) if each != entry.status]


def _require_own_or_organiser(actor: Actor, entry: Entry, event: Event) -> None:
    is_own = actor.kind == Kind.ENTRY and actor.entry is not None and actor.entry.pk == entry.pk
    if not is_own:
        require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)


def earlier_phone(secret: str) -> Actor | None:
    """Return the caller that an earlier link of a player stands for, also when that event is over."""
    entry = Entry.objects.select_related("event__club", "player").filter(uid=credentials.uid_of(secret)).first()
    if entry is None or not credentials.is_genuine(secret, entry.uid, entry.generation):
        return None
    return Actor(Kind.ENTRY, entry=entry)


@transaction.atomic
def vouch(*, actor: Actor, entry: Entry) -> Entry:
    """Say that an entry really is the known player: by an organiser, or an earlier phone of that player."""
    event = lock_event(entry.event)
    is_same_person = (
        actor.entry is not None
        and actor.entry.pk != entry.pk
        and actor.entry.player.person_id == entry.player.person_id
        and actor.entry.is_verified
    )
    if not is_same_person:
        require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    Entry.objects.filter(pk=entry.pk).update(is_verified=True)
    entry.refresh_from_db()
    bump(event)
    record(actor=actor, event=event, verb="vouched", entry=entry.uid, name=entry.name)
    return entry


@transaction.atomic
def renew_link(*, actor: Actor, entry: Entry) -> Entry:
    """Make the entry's personal link invalid and give it another."""
    event = lock_event(entry.event)
    _require_own_or_organiser(actor, entry, event)
    Entry.objects.filter(pk=entry.pk).update(generation=F("generation") + 1)
    entry.refresh_from_db()
    record(actor=actor, event=event, verb="link-renewed", entry=entry.uid, name=entry.name)
    return entry


@transaction.atomic
def substitute(*, actor: Actor, entry: Entry, name: str = "", player: Player | None = None) -> Entry:
    """Put another player in somebody's place from now on: also at their table, if it has no result yet."""
    event = lock_event(entry.event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_status(event, *OPEN_FOR_ENTRY)
    new = _enter(event, name=name, player=player, actor=actor, is_verified=True)
    Entry.objects.filter(pk=entry.pk).update(status=Status.DROPPED)
    seats = Seat.objects.filter(entry=entry, table__status__in=UNPLAYED, round__status__in=OPEN_ROUND)
    moved = list(seats.select_related("round"))
    seats.update(entry=new)
    for seat in moved:
        Round.objects.filter(pk=seat.round_id).update(version=F("version") + 1)
        Table.objects.filter(pk=seat.table_id).update(version=F("version") + 1)
        plays_from(seat.round.number, [new])
    new.refresh_from_db()
    record(actor=actor, event=event, verb="substituted", entry=new.uid, for_entry=entry.uid, at_the_table=bool(moved))
    return new


def plays_from(number: int, entries: Iterable[Entry]) -> None:
    """Write down that entries play in a round, also those who were to come in later."""
    late = Entry.objects.filter(pk__in=[entry.pk for entry in entries], first_round__gt=number)
    late.update(first_round=number)
