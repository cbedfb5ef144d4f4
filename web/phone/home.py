"""My evening: the page of one player, on their phone, from joining to the last result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.brute_force import count_failure, look_up
from core.conditional import conditional, known_tags
from core.ordinals import ordinal
from scoring.news.state import Difference, EventState
from tournaments import selectors, trust
from tournaments.access import phone_cookies
from tournaments.actors import Actor, Kind
from tournaments.errors import ProofWrongError, SeatingInvalidError
from tournaments.links import origin_of, personal_link
from tournaments.models import Entry, Event, Format, Table
from tournaments.push.keys import public_key
from tournaments.services import entries, proof, tables
from web import news
from web.base import Refusal, attempt, by_its_clocks, refuse, session_actor
from web.phone.app import marked
from web.phone.home_state import Rows, evening_of, version_of
from web.qr import qr_code


def _entry(request: HttpRequest, uid: str) -> Entry | None:
    phone = entries.earlier_phone(phone_cookies.held(request, uid))
    if phone is None or phone.entry is None or phone.entry.event.uid != uid:
        return None
    by_its_clocks(phone.entry.event.club)
    return phone.entry


def _rows(request: HttpRequest, uid: str) -> Rows | None:
    """Return the player whose link the phone holds; also of an event that is over, to say how it ended."""
    rows = Rows.held_by(phone_cookies.held(request, uid), uid)
    if rows is not None:
        by_its_clocks(rows.entry.event.club)
    return rows


def _refuse(request: HttpRequest, uid: str) -> HttpResponse:
    if taken := _taken_back(request, uid):
        return refuse(request, taken)
    advice = _("Open your personal link on this phone, or join with the code of the event.")
    return refuse(request, Refusal(404, _("This phone is not linked to a player"), advice), can_join=True)


def _taken_back(request: HttpRequest, uid: str) -> Refusal | None:
    """Say why a phone is out whose entry was taken back by the player; None for any other."""
    event = Event.objects.filter(uid=uid).first()
    if event is None or not proof.was_taken_back(phone_cookies.held(request, uid), event):
        return None
    advice = _("They proved that it is theirs. If you are somebody else, join under a name of your own.")
    return Refusal(404, _("The player took this entry back"), advice)


def _tag(request: HttpRequest, rows: Rows) -> str:
    suffix = f"-{get_language()}"
    known = next((tag.strip('"') for tag in known_tags(request)), "")
    return f'"{version_of(rows, known.removesuffix(suffix) if known.endswith(suffix) else "")}{suffix}"'


@never_cache
@require_safe
def evening(request: HttpRequest, uid: str) -> HttpResponse:
    """Show a player their evening."""
    rows = _rows(request, uid)
    if rows is None:
        return _refuse(request, uid)
    entry = rows.entry
    actor = Actor(Kind.ENTRY, entry=entry)
    link = personal_link(entry, origin_of(request))
    tag = _tag(request, rows)  # before what it stands for: news in between must not be missed
    context = {
        "evening": evening_of(rows),
        "now": timezone.now(),
        "tag": tag,
        "link": link,
        "code": qr_code(link, _("Your personal link")),
        "can_prove": trust.is_phone_of(actor, entry.player),
        "shown_code": proof.shown_code(entry),
        "push": _push(request, entry),
    }
    response = render(request, "phone/home.html", context)
    phone_cookies.hold(request, response, uid, phone_cookies.held(request, uid))
    return marked(response, entry)


def _push(request: HttpRequest, entry: Entry) -> dict[str, str]:
    """Return by what a phone can be told while nobody looks at it; browsers allow that on secure connections alone."""
    if not settings.WEB_PUSH or not request.is_secure() or entry.event.is_over:
        return {}
    address = reverse("api:entry-push", args=[entry.uid])
    return {"address": f"{address}?{phone_cookies.named(entry.event.uid)}", "key": public_key()}


@require_safe
def live(request: HttpRequest, uid: str) -> HttpResponseBase:
    """Answer with what changes on the page of an evening."""
    rows = _rows(request, uid)
    if rows is None:
        taken = _taken_back(request, uid)
        return render(request, "phone/_taken_back.html", asdict(taken)) if taken else HttpResponse(status=404)
    if request.GET.get("of", rows.entry.uid) != rows.entry.uid:
        return render(request, "phone/_other_player.html", {"entry": rows.entry})

    def make() -> HttpResponse:
        return render(request, "phone/_home.html", {"evening": evening_of(rows), "now": timezone.now()})

    return conditional(request, _tag(request, rows), make)


@require_safe
def stream(request: HttpRequest, uid: str) -> HttpResponse:
    """Tell the page of an evening when something of the player's own is new; a new place in so many words."""
    entry = _entry(request, uid)
    if entry is None:
        return HttpResponse(status=404)
    language = get_language()

    def is_new(_state: EventState) -> bool:
        rows = _rows(request, uid)
        return rows is None or rows.own not in request.GET.get("tag", "")

    def place(state: EventState) -> bytes:
        own = state.places.get(entry.pk)
        # Who has no place yet stands behind those who have, and the only one who has is first of nobody.
        if own is None or own.rank > state.ranked or state.ranked == 1:
            return b""
        with override(language):
            said = _("of %(ranked)s") % {"ranked": state.ranked}
            return news.message("place", {"rank": ordinal(own.rank), "said": said})

    def say(happened: Difference) -> bytes:
        if happened.is_for_all or entry.pk in happened.entries:
            return news.NEWS
        return place(happened.after) if happened.moves(entry.pk) else b""

    return news.news(
        request,
        Actor(Kind.ENTRY, entry=entry),
        entry.event,
        is_new=is_new,
        say=say,
        first=place,
    )


# --- What a player does -----------------------------------------------------------------------------------------


@require_POST
def act(request: HttpRequest, uid: str, verb: str) -> HttpResponse:
    """Do one of the things a player can do in their evening, then show it again."""
    entry = _entry(request, uid)
    if entry is None or verb not in ACTS:
        return _refuse(request, uid)
    actor = Actor(Kind.ENTRY, entry=entry)
    attempt(request, lambda: ACTS[verb](request, actor, entry), _said(entry, verb))
    return redirect("web:phone-home", uid)


def _said(entry: Entry, verb: str) -> str:
    """Return what a player is told who leaves or comes back by themselves."""
    match verb:
        case "leave" if entry.status == Entry.Status.CHECKED_IN:
            return _("Goodbye, and thank you for playing. If you come back, this page lets you in again.")
        case "return" if entry.status == Entry.Status.DROPPED and entry.event.format == Format.OPEN:
            return _("Welcome back. Play when you like.")
        case "return" if entry.status == Entry.Status.DROPPED:
            return _("Welcome back. You are seated again from the next round on.")
    return ""


def _drop_out(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    entries.change_status(actor=actor, entry=entry, status=Entry.Status.DROPPED)


def _come_in(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    entries.change_status(actor=actor, entry=entry, status=Entry.Status.CHECKED_IN)


def _form_table(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    tables.form_table(actor=actor, event=entry.event)


def _sit_down(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    found = look_up(request, lambda: selectors.table_to_join(entry.event, request.POST.get("code", "")))
    if found is None:
        raise SeatingInvalidError(_("No table has this code now."))
    tables.sit_down(actor=actor, table=found)


def _begin(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    tables.begin(actor=actor, table=_own_table(request, actor))


def _leave(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    tables.leave(actor=actor, table=_own_table(request, actor))


def _show_code(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    proof.show_code(actor=actor, entry=entry)


def _prove(request: HttpRequest, actor: Actor, entry: Entry) -> None:
    """Prove after joining that one is the player one named."""
    try:
        proof.vouch(actor=session_actor(request), entry=entry, proof=request.POST.get("proof", ""))
    except ProofWrongError:
        count_failure(request)
        raise


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
    "code": _show_code,
    "prove": _prove,
}

urlpatterns = [
    path("e/<slug:uid>/me/", evening, name="phone-home"),
    path("e/<slug:uid>/me/live/", live, name="phone-home-live"),
    path("e/<slug:uid>/me/news/", stream, name="phone-home-news"),
    path("e/<slug:uid>/me/<slug:verb>/", act, name="phone-home-act"),
]
