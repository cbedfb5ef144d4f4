"""How many places an event has, who has one, who waits for one, and from when players say that they are here."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.actors import NOBODY, Actor
from tournaments.errors import EntryStatusError
from tournaments.models import Entry, Event, Round, Seat
from tournaments.notices import Notice, tell
from tournaments.services.history import record
from tournaments.services.webhooks import announce_changed

Status = Entry.Status
CHECK_IN_BEFORE = dt.timedelta(hours=3)  # of the start, from when a phone may say that its player is here


def is_full(event: Event) -> bool:
    """Say whether every place of an event is taken. Who dropped out or waits takes none."""
    if event.most_entries is None:
        return False
    return Entry.objects.filter(event=event, status__in=Entry.IN).count() >= event.most_entries


def is_check_in_open(event: Event) -> bool:
    """Say whether players can check in by their own phones."""
    return event.status == Event.Status.RUNNING or timezone.now() >= event.starts_at - CHECK_IN_BEFORE


def newcomer(event: Event, *, is_here: bool) -> Status:
    """Return as what a player comes in who is not entered by the club: `is_here` by the code, else ahead."""
    if event.sign_up_ahead and is_full(event):
        return Status.WAITING
    return Status.CHECKED_IN if is_here or not event.has_check_in else Status.REGISTERED


def line(event: Event) -> list[Entry]:
    """Return who waits for a place, in order."""
    waiting = Entry.objects.filter(event=event, status=Status.WAITING).select_related("player")
    return list(waiting.order_by("waiting_since", "pk"))


def fill(event: Event, *, actor: Actor = NOBODY) -> list[Entry]:
    """Give free places of a locked event to those who wait, and tell them. The caller raises the event's version.

    Where nobody checks in, being in means being seated: then places are given only until play begins.
    """
    moved: list[Entry] = []
    if not event.sign_up_ahead or not (event.has_check_in or event.status == Event.Status.REGISTRATION):
        return moved
    for entry in line(event) if event.status in (Event.Status.REGISTRATION, Event.Status.RUNNING) else []:
        if is_full(event):
            break
        status = newcomer(event, is_here=False)
        Entry.objects.filter(pk=entry.pk).update(status=status, waiting_since=None)
        entry.status, entry.event = status, event
        record(actor=actor, event=event, verb="entry-moved-up", entry=entry.uid, name=entry.name)
        tell(entry, Notice.MOVED_UP)
        moved.append(entry)
    announce_changed(event, moved, before=Status.WAITING)
    return moved


def settle(event: Event, *, actor: Actor) -> None:
    """Follow other settings of a locked event: where nobody checks in any more all are in; free places are given."""
    if not event.has_check_in:
        here = list(Entry.objects.filter(event=event, status=Status.REGISTERED).select_related("player"))
        for entry in here:
            entry.status = Status.CHECKED_IN
            record(actor=actor, event=event, verb="entry-checked_in", entry=entry.uid, name=entry.name)
        Entry.objects.filter(event=event, status=Status.REGISTERED).update(status=Status.CHECKED_IN)
        announce_changed(event, here, before=Status.REGISTERED)
    fill(event, actor=actor)


def granted(event: Event, entry: Entry, wanted: str, *, is_member: bool, is_at_door: bool) -> str:
    """Return the status that an entry gets when somebody asks for one; EntryStatusError where they cannot.

    Members of the club decide as they like. A player who comes back takes a place if there is one, else waits.
    """
    match wanted:
        case Status.DROPPED:
            return wanted
        case Status.CHECKED_IN | Status.REGISTERED if is_member and event.has_check_in:
            if entry.status == Status.CHECKED_IN and _is_seated(entry):
                raise _refusal(entry, _("They sit at a table. Let them drop out, or change the seating first."))
            return wanted
        case Status.CHECKED_IN if is_member:
            return wanted
        case Status.CHECKED_IN | Status.REGISTERED if entry.status == Status.DROPPED:
            is_here = wanted == Status.CHECKED_IN and (is_at_door or is_check_in_open(event))
            return newcomer(event, is_here=is_here)
        case Status.CHECKED_IN if entry.status == Status.WAITING:
            raise _refusal(entry, _("Every place is taken. You move up as soon as one is free, and are told."))
        case Status.CHECKED_IN if event.has_check_in and not (is_at_door or is_check_in_open(event)):
            opens = date_format(timezone.localtime(event.starts_at - CHECK_IN_BEFORE, event.club.zone), "j N, H:i")
            raise _refusal(
                entry, _("Check-in opens on {time}. At the door the code of the event does it too.").format(time=opens)
            )
        case Status.CHECKED_IN:
            return wanted
        case Status.REGISTERED if not event.has_check_in or entry.status == Status.CHECKED_IN:
            raise _refusal(entry, _("A player who has checked in can only drop out."))
    raise _refusal(entry, _("Nobody is put on the waiting list: who comes while every place is taken waits."))


def _is_seated(entry: Entry) -> bool:
    return Seat.objects.filter(entry=entry, round__status__in=Round.OPEN).exists()


def _refusal(entry: Entry, detail: str) -> EntryStatusError:
    possible = [str(each) for each in (Status.CHECKED_IN, Status.DROPPED) if each != entry.status]
    return EntryStatusError(detail, entry_status=entry.status, possible=possible)
