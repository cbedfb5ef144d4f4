"""What tests of the organiser's pages share: events at every stage, and a browser that is logged in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.test import Client

from core.models import User
from scoring.models import Report
from scoring.services.reports import submit_report
from scoring.services.rounds import seat_next_round
from tests.factories import EventFactory, PlayerFactory, enter_all
from tests.scoring.evenings import sheet_of
from tests.web.markup import tags
from tournaments.actors import Actor, Kind
from tournaments.models import Club, Event, Round, Table
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
    names = [*NAMES, *(f"Player {number}" for number in range(len(NAMES), players))][:players]
    enter_all(event, (PlayerFactory.build(name=name) for name in names))
    return event


def seated(user: User, event: Event, **how: Any) -> Round:
    """Seat the event's next round."""
    return seat_next_round(actor=actor(user), event=event, seed=1, **how)


def running(user: User, event: Event) -> Round:
    """Seat and start the event's next round."""
    current = seated(user, event)
    return rounds.change_status(actor=actor(user), event=event, number=current.number, status="running")


def console(client: Client, event: Event, path: str = "") -> str:
    """Return a page of the console."""
    response = client.get(f"/e/{event.uid}/console/{path}")
    assert response.status_code == 200
    return response.content.decode()


def act(client: Client, event: Event, path: str = "", **sent: Any) -> str:
    """Press a button, and return the page after it."""
    response = client.post(f"/e/{event.uid}/console/{path}act/", sent, follow=True)
    assert response.status_code == 200
    event.refresh_from_db()
    return response.content.decode()


def desk(table: Table) -> str:
    """Return where the organiser decides about a table."""
    return f"/e/{table.round.event.uid}/console/table/{table.uid}/"


def players_of(table: Table) -> list[Actor]:
    """Return who sits at a table, as callers."""
    seats = table.seats.select_related("entry__player", "entry__event").order_by("position")
    return [Actor(Kind.ENTRY, entry=seat.entry) for seat in seats]


def report(table: Table, number: int = 1, by: int = 0) -> Report:
    """Send a sheet for a table."""
    return submit_report(actor=players_of(table)[by], table=table, sheet=sheet_of(table, number))


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
