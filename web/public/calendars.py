"""The events of a club as a calendar that people subscribe to (RFC 5545)."""

from __future__ import annotations

import datetime as dt
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar
from icalendar import Event as Appointment

from tournaments.actors import NOBODY
from tournaments.links import origin_of
from tournaments.models import Club, Event
from tournaments.selectors import visible_clubs, visible_events

USUAL = dt.timedelta(hours=3)  # of an event that does not say when it ends
PAST = dt.timedelta(days=90)
MOST = 500
REFRESH = dt.timedelta(hours=6)
STATUS = {Event.Status.CANCELLED: "CANCELLED"}


@require_safe
def events(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the events of a club that anybody may know of: those to come, and of the last three months."""
    club = get_object_or_404(visible_clubs(NOBODY), slug=slug)
    shown = visible_events(NOBODY).filter(club=club, starts_at__gte=timezone.now() - PAST)
    calendar = _calendar(club)
    for event in shown.order_by("starts_at", "pk")[:MOST]:
        calendar.add_component(_appointment(event, origin_of(request)))
    calendar.add_missing_timezones()
    response = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    response["Cache-Control"] = "public, max-age=300"
    response["Access-Control-Allow-Origin"] = "*"
    return response


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
