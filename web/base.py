"""What the pages share: the caller, the event, pages for refusals, and conditional answers to polling."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import NotFound

from core.errors import DomainError
from tournaments import selectors
from tournaments.access import phone_cookies
from tournaments.access.callers import CredentialExpiredError, holder
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Club, Event, Membership, Player, Role
from tournaments.services import entries

READ_OR_SEND = require_http_methods(["GET", "HEAD", "POST"])
Done = TypeVar("Done")
View = Callable[..., HttpResponse]


def takes_a_sheet(view: View) -> View:
    """Refuse a form that is larger than any sheet, as the API does."""

    @wraps(view)
    def bounded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.SHEET_MAX_BYTES:
            raise RequestDataTooBig
        return view(request, *args, **kwargs)

    bounded.most_bytes = settings.SHEET_MAX_BYTES  # type: ignore[attr-defined]  # where `ops.front` looks for it
    return bounded


def for_every_cache(request: HttpRequest, response: HttpResponse, seconds: int) -> HttpResponse:
    """Let pages of others and caches between take an answer that is the same for all who read one language.

    A language that somebody chose here is in a cookie, at which no cache looks: such an answer is theirs alone.
    """
    kept_by = "private" if settings.LANGUAGE_COOKIE_NAME in request.COOKIES else "public"
    response["Cache-Control"] = f"{kept_by}, max-age={seconds}"
    response["Access-Control-Allow-Origin"] = "*"
    response["Vary"] = "Accept-Language, Accept-Encoding"
    return response


def typed(request: HttpRequest, name: str) -> str:
    """Return a field of a form without NUL, which a database may refuse to keep or to look for."""
    return request.POST.get(name, "").replace("\0", "")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a page is refused, and what the reader can do next."""

    status: int
    heading: str
    advice: str


def refuse(request: HttpRequest, refusal: Refusal, **more: Any) -> HttpResponse:
    """Answer with a page that explains the refusal."""
    return render(request, "accounts/refused.html", asdict(refusal) | more, status=refusal.status)


def session_actor(request: HttpRequest) -> Actor:
    """Return who is logged in, as a caller."""
    if not request.user.is_authenticated:
        return NOBODY
    return Actor(Kind.USER, user=request.user, device=phone_cookies.device_of(request))


def page_actor(request: HttpRequest, *uids: str) -> Actor:
    """Return who uses a page: by the first link that the phone holds for one of these ids, else who is logged in.

    A link that was renewed, or whose event is over, stands for nobody.
    """
    for uid in uids:
        with suppress(NotFound, CredentialExpiredError):
            if actor := holder(request, uid):
                return actor
    return session_actor(request)


def reader_of(request: HttpRequest) -> Player | None:
    """Return the person who reads a page, where that is known: by their account, else by what their phone holds."""
    player = None
    if request.user.is_authenticated:
        player = Player.objects.filter(user=request.user).select_related("merged_into").first()
    phones = entries.earlier_phones(phone_cookies.personal_links(request)) if player is None else []
    if phones and phones[0].entry is not None:
        player = phones[0].entry.player
    return player and (player.merged_into or player)


def by_its_clocks(club: Club) -> Club:
    """Show and read times as the clocks of a club show them, until the request ends."""
    timezone.activate(club.zone)
    return club


def managed_club_or_404(request: HttpRequest, slug: str, role: Role = Role.SCOREKEEPER) -> Club:
    """Return a club in which the logged-in user has at least this role."""
    return by_its_clocks(get_object_or_404(selectors.clubs_run_by(session_actor(request), role), slug=slug))


def with_role(events: QuerySet[Event], actor: Actor) -> QuerySet[Event]:
    """Return events with the role that somebody logged in has in their clubs, which `role_in` then knows."""
    own = Membership.objects.filter(user=actor.user, club=OuterRef("club")).values("role")[:1]
    return events.annotate(own_role=Subquery(own))


def role_in(event: Event) -> Role | None:
    """Return the role that an event out of `with_role` was found with."""
    role: str | None = event.own_role  # type: ignore[attr-defined]  # annotated
    return Role(role) if role else None


def managed_event_or_404(request: HttpRequest, uid: str, role: Role = Role.SCOREKEEPER) -> Event:
    """Return an event of a club in which the logged-in user has at least this role."""
    actor = session_actor(request)
    event = get_object_or_404(with_role(selectors.events_run_by(actor, role), actor), uid=uid)
    by_its_clocks(event.club)
    return event


def reasons(error: DomainError) -> list[str]:
    """Return everything a refusal says, most telling first."""
    return [str(each["message"]) for each in error.errors] or [error.detail]


def attempt(request: HttpRequest, act: Callable[[], Done], said: str = "") -> Done | None:
    """Call a function and confirm it on the next page; where it is refused, say why and return None."""
    try:
        done = act()
    except DomainError as error:
        messages.error(request, " ".join(reasons(error)))
        return None
    if said:
        messages.success(request, said)
    return done


def takes_a_file(view: View) -> View:
    """Let the address of a view take a body as large as a file may be."""
    view.most_bytes = 2 * settings.FILE_MAX_BYTES  # type: ignore[attr-defined]  # where `ops.front` looks for it
    return view
