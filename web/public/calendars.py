"""The events of a club as a calendar that people subscribe to (RFC 5545)."""

from __future__ import annotations

import datetime as dt
from hashlib import sha256
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar
from icalendar import Event as Appointment

from core.conditional import Answer, etag, kept
from core.costly import EXPORT
from tournaments.actors import NOBODY
from tournaments.links import origin_of
from tournaments.models import Club, Event
from tournaments.selectors import visible_clubs, visible_events
from web.base import for_every_cache

USUAL = dt.timedelta(hours=3)  # of an event that does not say when it ends
PAST = dt.timedelta(days=90)
MOST = 500
KEPT_FOR = 300  # seconds
REFRESH = dt.timedelta(hours=6)
ICAL = "text/calendar; charset=utf-8"
EDITION = 1  # of what a calendar says of an event
STATUS = {Event.Status.CANCELLED: "CANCELLED"}


@require_safe
def events(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the events of a club that anybody may know of: those to come, and of the last three months."""
    club = get_object_or_404(visible_clubs(NOBODY), slug=slug)
    shown = visible_events(NOBODY).filter(club=club, starts_at__gte=timezone.now() - PAST).order_by("starts_at", "pk")
    response = HttpResponse(_kept(club, shown[:MOST], origin_of(request)).body, content_type=ICAL)
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return for_every_cache(request, response, KEPT_FOR)


def _kept(club: Club, shown: QuerySet[Event], origin: str) -> Answer:
    """Return the calendar of a club from memory, or make it when it is its turn: a long one takes its time."""
    facts = (club.pk, club.slug, club.name, club.time_zone, origin, *shown.values_list("pk", "version"))
    tag = etag(EDITION, sha256(repr(facts).encode()).hexdigest()[:24], get_language())
    return kept(("calendar", tag), lambda: Answer(tag, _made(club, shown, origin), ICAL), EXPORT)


def _made(club: Club, shown: QuerySet[Event], origin: str) -> bytes:
    calendar = _calendar(club)
    for event in shown:
        calendar.add_component(_appointment(event, origin))
    calendar.add_missing_timezones()
    text: bytes = calendar.to_ical()
    return text


def _calendar(club: Club) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", "-//Ludoscore//Events//EN")
    calendar.add("version", "2.0")
    calendar.add("name", club.name)
    calendar.add("x-wr-calname", club.name)
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    return calendar


def _appointment(event: Event, origin: str) -> Appointment:
    game = event.game_name
    address = origin + reverse("web:event", args=[event.uid])
    appointment = Appointment()
    appointment.add("uid", f"{event.uid}@{urlsplit(origin).hostname}")
    appointment.add("sequence", event.version)
    appointment.add("dtstamp", timezone.now())
    appointment.add("dtstart", event.starts_at.astimezone(event.club.zone))
    appointment.add("dtend", (event.ends_at or event.starts_at + USUAL).astimezone(event.club.zone))
    appointment.add("summary", event.name)
    appointment.add("description", _("{game} at {club}").format(game=game, club=event.club.name))
    appointment.add("location", event.club.name)
    appointment.add("url", address)
    appointment.add("status", STATUS.get(Event.Status(event.status), "CONFIRMED"))
    return appointment


urlpatterns = [path("clubs/<slug:slug>/events.ics", events, name="club-calendar")]
