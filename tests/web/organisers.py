"""What tests of the organiser's pages share: events at every stage, and a browser that is logged in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.test import Client

from core.models import User
from scoring.services.rounds import seat_next_round
from tests.factories import EntryFactory, EventFactory
from tests.web.markup import tags
from tournaments.actors import Actor, Kind
from tournaments.models import Club, Event, Round
from tournaments.services import rounds

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("Ana", "Bo", "Célestine", "Dag", "Eva", "Finn", "Grace", "Hugo", "Ines", "Jonas", "Klara", "Liam")


def actor(user: User) -> Actor:
    """Return a user as a caller."""
    return Actor(Kind.USER, user=user)


def event_with(club: Club, players: int, **fields: Any) -> Event:
    """Return an event that is open for registration, with so many players checked in."""
    event = EventFactory(club=club, **{"game": "dix", "name": "DIX on Wednesday", "round_minutes": 30, **fields})
    for number in range(players):
        name = NAMES[number] if number < len(NAMES) else f"Player {number}"
        EntryFactory(event=event, player__name=name)
    return event


def seated(user: User, event: Event, **how: Any) -> Round:
    """Seat the event's next round."""
    return seat_next_round(actor=actor(user), event=event, seed=1, **how)


def running(user: User, event: Event) -> Round:
    """Seat and start the event's next round."""
    current = seated(user, event)
    return rounds.change_status(actor=actor(user), event=event, number=current.number, status="running")


def links_of(html: str) -> set[str]:
    """Return where a page leads."""
    return {tag.attributes["href"] for tag in tags(html, "a")}


def log_in(page: Page, user: User) -> Page:
    """Give a browser the session of a user."""
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return with_session(page, client)


def with_session(page: Page, client: Client) -> Page:
    """Give a browser the session of a client."""
    name = settings.SESSION_COOKIE_NAME
    page.goto("/")
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": page.url}])
    return page
