"""What players are told by mail who signed up with an address: that they are in, moved up, reminded, or free that day.

An address is kept beside the entry for as long as the event is to come or runs, shown to nobody, and then deleted.
Anybody can type anybody's: so few are taken from one sender, not many more for an event than a room has people, and
names are written so that no mail program makes links of them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum

from django.db import transaction
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core import limits, mails
from core.models import OutgoingMail
from core.names import unlinked
from tournaments import links
from tournaments.models import Contact, Entry, Event, Round, Seat

AHEAD = dt.timedelta(hours=24)  # of the start, when players are reminded
JUST_NOW = dt.timedelta(hours=3)  # who signed up so lately needs no reminder
AT_ONCE = 200
# Addresses that are kept in an hour: more are left out, and whoever gave one is in the event all the same.
FOR_EVENT = 300
FROM_SENDER = 30
AN_HOUR = 3600


class Notice(StrEnum):
    """What a player is told."""

    SIGNED_UP = "signed-up"
    WAITING = "waiting"
    MOVED_UP = "moved-up"
    REMINDER = "reminder"
    CANCELLED = "cancelled"


def keep_contact(entry: Entry, *, email: str, origin: str, sender: str = "") -> None:
    """Keep the address of a player for news of this event, where mail can be sent and not too many were given.

    `sender` is the network that the address comes from, as far as it is known.
    """
    if email and mails.is_set_up() and _is_within(entry.event, sender):
        language = translation.get_language() or ""
        Contact.objects.update_or_create(
            entry=entry, defaults={"email": email, "language": language, "origin": origin}
        )


def _is_within(event: Event, sender: str) -> bool:
    # Whoever gave too many is asked first, so that they use up nothing of the event's.
    if sender and not limits.take("addresses-from", sender, FROM_SENDER, AN_HOUR).is_within:
        return False
    return limits.take("addresses-for", event.uid, FOR_EVENT, AN_HOUR).is_within


def tell(entry: Entry, notice: Notice) -> None:
    """Have a player told something, if they left an address and it did not get too many mails today."""
    contact = Contact.objects.filter(entry=entry).first()
    if contact is None or not mails.is_set_up():
        return
    if _has_enough(contact):
        return
    with translation.override(contact.language):
        subject, body = _compose(entry, notice, contact.origin)
    _send(contact, entry.event, subject, body)


def _compose(entry: Entry, notice: Notice, origin: str) -> tuple[str, str]:
    event = entry.event
    starts_at = date_format(timezone.localtime(event.starts_at, event.club.zone), "l j F Y, H:i")
    facts = {"name": unlinked(entry.name), "event": unlinked(event.name), "club": unlinked(event.club.name)}
    facts["time"] = starts_at
    match notice:
        case Notice.SIGNED_UP:
            subject, first = _("You are signed up: {event}"), _("{name}, you are signed up for {event}.")
        case Notice.WAITING:
            subject, first = _("On the waiting list: {event}"), _("{name}, you are on the waiting list of {event}.")
        case Notice.MOVED_UP:
            subject, first = _("A place is yours: {event}"), _("{name}, a place became free: you play in {event}.")
        case Notice.REMINDER:
            subject, first = _("Reminder: {event}"), _("{name}, this is soon: {event}.")
        case Notice.CANCELLED:
            subject, first = _("Cancelled: {event}"), _("{name}, {event} will not take place.")
    lines = [first, "{time} · {club}"]
    if notice is not Notice.CANCELLED:
        link = _("Say here that you have arrived, or that you cannot come. Keep the link to yourself:")
        lines += [link, links.personal_link(entry, origin)]
    return subject.format(**facts), "\n\n".join(line.format(**facts) for line in lines) + "\n"


def tell_all(event: Event, notice: Notice) -> None:
    """Have everybody told who left an address and has not dropped out."""
    everybody = Entry.objects.filter(event=event).exclude(contact=None).exclude(status=Entry.Status.DROPPED)
    for entry in everybody.select_related("event__club"):
        tell(entry, notice)


def tell_seats(current: Round) -> None:
    """Have those who left an address told where they sit, if the club wants it; of each round once."""
    club = current.event.club
    if not club.mails_players or not mails.is_set_up():
        return
    names: dict[int, list[str]] = {}
    seats = Seat.objects.filter(round=current).select_related("table", "entry__contact", "entry__event__club")
    seats = seats.order_by("table__number", "position")
    for seat in seats:
        names.setdefault(seat.table_id, []).append(unlinked(seat.entry.name))
    for seat in seats:
        contact = getattr(seat.entry, "contact", None)
        if contact is None:
            continue
        if Contact.objects.filter(pk=contact.pk, told_round__lt=current.number).update(told_round=current.number):
            facts = {"event": unlinked(seat.entry.event.name), "table": seat.table.number}
            facts |= {"name": unlinked(seat.entry.name), "names": ", ".join(names[seat.table_id])}
            with translation.override(contact.language):
                facts["round"] = current.title
                subject = _("{event}: {round}, table {table}")
                body = _("{name}, you sit at table {table}: {names}.")
                link = links.personal_link(seat.entry, contact.origin)
                _mail(contact, current.event, subject.format(**facts), body.format(**facts), link)


def tell_places(event: Event, places: Mapping[int, int]) -> None:
    """Have those who left an address told their final place, if the club wants it, once; `places` are by entry."""
    if not event.club.mails_players or not mails.is_set_up():
        return
    unaware = Contact.objects.filter(entry__in=list(places), told_place_at=None)
    for contact in unaware.select_related("entry__event"):
        if Contact.objects.filter(pk=contact.pk, told_place_at=None).update(told_place_at=timezone.now()):
            facts = {
                "event": unlinked(event.name),
                "name": unlinked(contact.entry.name),
                "rank": places[contact.entry_id],
                "of": len(places),
            }
            with translation.override(contact.language):
                subject = _("{event}: place {rank} of {of}")
                body = _("{name}, {event} is over: you have place {rank} of {of}. Thank you for playing.")
                link = f"{contact.origin}/e/{event.uid}/"
                _mail(contact, event, subject.format(**facts), body.format(**facts), link)


def _mail(contact: Contact, event: Event, subject: str, text: str, link: str) -> None:
    """Have a mail sent, unless its address got too many today."""
    if not _has_enough(contact):
        _send(contact, event, subject, f"{text}\n\n{link}\n")


def _send(contact: Contact, event: Event, subject: str, body: str) -> None:
    # `about` is how a name is found in it that is to be forgotten before it is sent.
    mails.send(kind=OutgoingMail.Kind.EVENT, to=contact.email, subject=subject, body=body, about=event.uid)


def _has_enough(contact: Contact) -> bool:
    return mails.sent_lately(contact.email).count() >= mails.MOST_A_DAY


def remind(now: dt.datetime) -> int:
    """Have the players reminded whose event begins within a day; return how many. Nobody is reminded twice."""
    due = Contact.objects.filter(
        reminded_at=None,
        created_at__lt=now - JUST_NOW,
        entry__status__in=Entry.IN,
        entry__event__status=Event.Status.REGISTRATION,
        entry__event__starts_at__gt=now,
        entry__event__starts_at__lte=now + AHEAD,
    )
    reminded = 0
    for contact in due.select_related("entry__event__club").order_by("pk")[:AT_ONCE]:
        with transaction.atomic():
            # Another worker may be at it: whoever writes the time down sends the mail.
            if Contact.objects.filter(pk=contact.pk, reminded_at=None).update(reminded_at=now):
                tell(contact.entry, Notice.REMINDER)
                reminded += 1
    return reminded


def forget() -> None:
    """Delete the addresses of events that are over."""
    Contact.objects.filter(entry__event__status__in=Event.OVER).delete()
