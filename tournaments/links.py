"""Addresses that are handed to people."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port
from django.urls import reverse

from core import mails, passwords
from tournaments.access import credentials

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

    from core.models import User
    from tournaments.models import Entry, Event, OwnGame, Table


def origin_of(request: HttpRequest | Request) -> str:
    """Return the beginning of every address people use: the public one, or the one they asked for."""
    return settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")


def mailed_origin_of(request: HttpRequest | Request) -> str:
    """Return the beginning of every address that is mailed: the public one, or the host that was asked for, as served.

    Whoever asks can name any port, and the mail may go to somebody else. So the port is the one that the request came
    in by, or behind a proxy the usual one.
    """
    if settings.PUBLIC_URL or not mails.is_set_up():
        return origin_of(request)
    host, _port = split_domain_port(request.get_host())
    served = "" if settings.TRUSTED_PROXY else str(request.META["SERVER_PORT"])
    is_usual = served in {"", "443" if request.scheme == "https" else "80"}
    return f"{request.scheme}://{host}" if is_usual else f"{request.scheme}://{host}:{served}"


def is_for_this_machine(origin: str) -> bool:
    """Tell whether an address means the very machine that opens it, so that no phone can."""
    host = urlsplit(origin).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def api_url(route: str, **arguments: object) -> str:
    """Return the address of something in the API, for messages: only its path where the service's own is not known."""
    return settings.PUBLIC_URL + reverse(f"api:{route}", kwargs=arguments)


def password_link(user: User, origin: str) -> str:
    """Return a link to hand to a user, by which they set a password, once and within a day."""
    return passwords.link(user, origin, is_mailed=False)


def way_to_password(user: User, origin: str) -> str:
    """Say how a user gets a password: by a link, or by a command where the address of the service is not known."""
    return password_link(user, origin) if origin else f"{settings.MANAGE_COMMAND} changepassword {user.email}"


def join_link(event: Event, origin: str) -> str:
    """Return the address by which players join an event: what its QR code says."""
    return f"{origin}/join/{event.join_code}/"


def sit_down_link(event: Event, table: Table, origin: str) -> str:
    """Return the address by which players of an event sit down at a table that is being formed."""
    return f"{origin}{evening_path(event)}?sit={table.code}"


def evening_path(event: Event) -> str:
    """Return where a phone that holds a personal link shows its evening, on this service."""
    return f"/e/{event.uid}/me/"


def game_link(game: OwnGame, origin: str) -> str:
    """Return the address by which other clubs read and copy a game."""
    return f"{origin}/shared-games/{game.link}/"


def personal_link(entry: Entry, origin: str) -> str:
    """Return a player's personal link."""
    return f"{origin}/me/{credentials.derive(credentials.ENTRY, entry.uid, entry.generation)}/"


def slip_link(table: Table, origin: str) -> str:
    """Return the address on a table's slip."""
    return f"{origin}/t/{credentials.derive(credentials.TABLE, table.uid, table.generation)}/"


def projector_key(event: Event) -> str:
    """Return what opens an event's projector page on a machine where nobody logged in."""
    return credentials.derive(credentials.PROJECTOR, event.uid, event.generation)


def projector_link(event: Event, origin: str) -> str:
    """Return the address to open on the projector. Its key stands in the query, because paths are logged."""
    return f"{origin}{reverse('web:projector', args=[event.uid])}?key={projector_key(event)}"
