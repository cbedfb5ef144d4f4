"""What the pages share: who is there, which event, what was refused, and answers to who polls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import NotFound

from core.errors import DomainError
from tournaments import selectors
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.api.authentication import CredentialExpiredError, holder
from tournaments.models import Club, Event, Role

READ_OR_SEND = require_http_methods(["GET", "HEAD", "POST"])
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a page is not to be had, and what to do now."""

    status: int
    heading: str
    advice: str


def refuse(request: HttpRequest, refusal: Refusal, **more: Any) -> HttpResponse:
    """Answer with a page that says why there is no other."""
    return render(request, "accounts/refused.html", asdict(refusal) | more, status=refusal.status)


def reader_language() -> str:
    """Return the language of whoever reads the page."""
    return get_language() or settings.LANGUAGE_CODE


def session_actor(request: HttpRequest) -> Actor:
    """Return who is logged in, as a caller."""
    return Actor(Kind.USER, user=request.user) if request.user.is_authenticated else NOBODY


def page_actor(request: HttpRequest, *uids: str) -> Actor:
    """Return who uses a page: by the first link that the phone holds for one of these ids, else who is logged in.

    A link that was renewed, or whose event is over, stands for nobody.
    """
    for uid in uids:
        with suppress(NotFound, CredentialExpiredError):
            if actor := holder(request, uid):
                return actor
    return session_actor(request)


def club_or_404(request: HttpRequest, slug: str, role: Role = Role.SCOREKEEPER) -> Club:
    """Return a club in which whoever is logged in has at least this role."""
    return get_object_or_404(selectors.clubs_run_by(session_actor(request), role), slug=slug)


def event_or_404(request: HttpRequest, uid: str, role: Role = Role.SCOREKEEPER) -> Event:
    """Return an event that whoever is logged in runs, with at least this role."""
    return get_object_or_404(selectors.events_run_by(session_actor(request), role), uid=uid)


def reasons(error: DomainError) -> list[str]:
    """Return everything a refusal says, most telling first."""
    return [str(each["message"]) for each in error.errors] or [error.detail]


def attempt(request: HttpRequest, act: Callable[[], Done], said: str = "") -> Done | None:
    """Do something and say so on the next page; where it is refused, say why and return None."""
    try:
        done = act()
    except DomainError as error:
        messages.error(request, " ".join(reasons(error)))
        return None
    if said:
        messages.success(request, said)
    return done


def polled(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponseBase:
    """Answer with what `make` returns under an entity tag, or 304 without making it where the reader has it."""
    response = get_conditional_response(request, etag=tag) or make()
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response
