"""The links a phone holds: one cookie per event or table, whose value is the secret of the personal link or the slip.

Secrets are derived and checked each time, so the cookie needs no signature of its own. A page names the link it speaks
with by the id of its event or table: a phone may hold several, and is never taken for the wrong one.

A browser that holds a link, or is logged in where it may send a sheet, also gets a number of its own, whichever links
it holds then or later: a browser is one voice at a table.
"""

from __future__ import annotations

import datetime as dt
import secrets
from typing import TYPE_CHECKING

from tournaments.access import credentials

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, HttpResponse
    from rest_framework.request import Request

    from core.models import User

PREFIX = "phone-"
DEVICE = "device"
PARAMETER = "as"  # of an address of the API that a page calls: the id whose link it speaks with, and whose page it is
LOGIN = "login-"  # what stands before the key of an account, in the place of an entry, on pages of who is logged in
KEPT = dt.timedelta(days=30)  # after the last visit; the link itself ends with its event
MOST = 20  # links of one phone that are looked at


def hold(request: HttpRequest, response: HttpResponse, uid: str, secret: str) -> None:
    """Let the phone hold the link of an event or a table, from this visit on."""
    _keep(request, response, f"{PREFIX}{uid}", secret)
    number(request, response)


def number(request: HttpRequest, response: HttpResponse) -> None:
    """Let the browser have a number from this visit on: the one that it has, or its first."""
    _keep(request, response, DEVICE, device_of(request) or secrets.token_urlsafe())


def _keep(request: HttpRequest, response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=KEPT, secure=request.is_secure(), httponly=True, samesite="Lax")


def device_of(request: HttpRequest | Request) -> str:
    """Return the number that tells this browser from others; empty for one that never got any."""
    device: str = request.COOKIES.get(DEVICE, "")
    return device


def held(request: HttpRequest | Request, uid: str) -> str:
    """Return the secret that the phone holds for an event or a table, genuine or not; empty where it holds none."""
    secret: str = request.COOKIES.get(f"{PREFIX}{uid}", "")
    return secret if secret.startswith((credentials.ENTRY, credentials.TABLE)) else ""


def named(uid: str, author: str = "") -> str:
    """Return how a page names the link it speaks with: by its event or table, and by the entry it was made for.

    A page of who is logged in has no link, and names the event and the account.
    """
    return f"{PARAMETER}={uid}.{author}" if author else f"{PARAMETER}={uid}"


def login_of(user: User | AnonymousUser) -> str:
    """Return what a page of who is logged in names as its author."""
    return f"{LOGIN}{user.pk}"


def personal_links(request: HttpRequest) -> list[str]:
    """Return the personal links that the phone holds, genuine or not."""
    links = (value for name, value in request.COOKIES.items() if name.startswith(PREFIX))
    return [link for link in links if link.startswith(credentials.ENTRY)][:MOST]
