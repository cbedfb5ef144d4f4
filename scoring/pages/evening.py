"""My evening: the page of one player, on their phone, from joining to the last result."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.guesses import count_guess, is_guessing
from scoring.evenings import evening_of, version_of
from tournaments import phones, selectors
from tournaments.actors import Actor, Kind
from tournaments.errors import SeatingInvalidError
from tournaments.links import origin_of, personal_link
from tournaments.models import Entry, Table
from tournaments.pages.base import Refusal, attempt, polled, refuse
from tournaments.pages.qr import qr_code
from tournaments.services import entries, tables


def _entry(request: HttpRequest, uid: str) -> Entry | None:
    """Return the player whose link the phone holds; also of an event that is over, to say how it ended."""
    phone = entries.earlier_phone(phones.held(request, uid))
    return phone.entry if phone and phone.entry and phone.entry.event.uid == uid else None


def _refuse(request: HttpRequest) -> HttpResponse:
    advice = _("Open your personal link on this phone, or join with the code of the event.")
    return refuse(request, Refusal(404, _("This phone is nobody’s here"), advice))


def _tag(request: HttpRequest, entry: Entry) -> str:
    suffix = f"-{get_language()}"
    tags = parse_etags(request.headers.get("If-None-Match", ""))
    known = next((tag.removeprefix("W/").strip('"') for tag in tags), "")
    return f'"{version_of(entry, known.removesuffix(suffix) if known.endswith(suffix) else "")}{suffix}"'


@never_cache
@require_safe
def evening(request: HttpRequest, uid: str) -> HttpResponse:
    """Show a player their evening."""
    entry = _entry(request, uid)
    if entry is None:
        return _refuse(request)
    link = personal_link(entry, origin_of(request))
    tag = _tag(request, entry)  # before what it stands for: news in between must not be missed
    context = {
        "evening": evening_of(entry),
        "now": timezone.now(),
        "tag": tag,
        "link": link,
        "code": qr_code(link, _("Your personal link")),
    }
    response = render(request, "scoring/evening.html", context)
    phones.hold(request, response, uid, phones.held(request, uid))
    return response


@require_safe
def live(request: HttpRequest, uid: str) -> HttpResponseBase:
    """Answer with what changes on the page of an evening."""
    entry = _entry(request, uid)
    if entry is None:
        return HttpResponse(status=404)

    def make() -> HttpResponse:
        return render(request, "scoring/_evening.html", {"evening": evening_of(entry), "now": timezone.now()})

    return polled(request, _tag(request, entry), make)


# --- What a player does -----------------------------------------------------------------------------------------


@require_POST
def act(request: HttpRequest, uid: str, verb: str) -> HttpResponse:
    """Do one of the things a player can do in their evening, then show it again."""
    entry = _entry(request, uid)
    if entry is None or verb not in ACTS:
        return _refuse(request)
    actor = Actor(Kind.ENTRY, entry=entry)
    attempt(request, lambda: ACTS[verb](request, actor, entry))
    return redirect("scoring:evening", uid)


def _drop_out(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    entries.change_status(actor=actor, entry=entry, status=Entry.Status.DROPPED)


def _come_in(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    entries.change_status(actor=actor, entry=entry, status=Entry.Status.CHECKED_IN)


def _form_table(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    tables.form_table(actor=actor, event=entry.event, entries=[entry])


def _sit_down(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    found = None if is_guessing(request) else selectors.table_to_join(entry.event, request.POST.get("code", ""))
    if found is None:
        count_guess(request)
        raise SeatingInvalidError(_("No table has this code now."))
    tables.sit_down(actor=actor, table=found)


def _begin(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    tables.begin(actor=actor, table=_own_table(request, actor))


def _leave(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    tables.leave(actor=actor, table=_own_table(request, actor))


def _own_table(request: HttpRequest, actor: Actor) -> Table:
    found = selectors.visible_tables(actor).filter(seats__entry=actor.entry)
    return get_object_or_404(found, uid=request.POST.get("table", ""))


ACTS: dict[str, Callable[[HttpRequest, Actor, Entry], None]] = {
    "leave": _drop_out,
    "return": _come_in,
    "form": _form_table,
    "sit": _sit_down,
    "begin": _begin,
    "stand": _leave,
}

urlpatterns = [
    path("e/<slug:uid>/me/", evening, name="evening"),
    path("e/<slug:uid>/me/live/", live, name="evening-live"),
    path("e/<slug:uid>/me/<slug:verb>/", act, name="evening-act"),
]
