"""Come in: by the code of an event, by a personal link, or by the slip of a table."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from rest_framework.exceptions import NotFound

from core.errors import DomainError
from core.guesses import count_guess, is_guessing
from core.names import LONGEST
from tournaments import credentials, phones, selectors
from tournaments.actors import NOBODY, Actor
from tournaments.api.authentication import CredentialExpiredError, recognise
from tournaments.api.idempotency import Ticket
from tournaments.errors import AlreadyEnteredError, NameTakenError
from tournaments.models import Entry, Event, Player
from tournaments.pages.base import READ_OR_SEND, Refusal, page_actor, refuse
from tournaments.pages.forms import NameField
from tournaments.services import entries

LEAST_TYPED = 2  # letters before names are suggested: nobody reads a whole club's list
MOST_SUGGESTED = 6


class EnterForm(forms.Form):
    """Who joins."""

    name = NameField(
        label=gettext_lazy("Your name"),
        max_length=LONGEST,
        help_text=gettext_lazy("As the others at the table know you."),
        widget=forms.TextInput(attrs={"autocomplete": "name", "autocapitalize": "words", "spellcheck": "false"}),
    )


# --- By code ----------------------------------------------------------------------------------------------------


@never_cache
@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Ask for the code of an event."""
    if code := "".join(filter(str.isalnum, request.GET.get("code", "")))[:20]:
        return redirect("pages:join-event", code.upper())
    return _ask_code(request, is_wrong="code" in request.GET)


def _ask_code(request: HttpRequest, *, is_wrong: bool, code: str = "", status: int = 200) -> HttpResponse:
    own = [phone.entry for phone in _earlier_phones(request) if phone.entry and not phone.entry.event.is_over]
    context = {"is_wrong": is_wrong, "code": code, "own": own}
    return render(request, "tournaments/join.html", context, status=status)


@never_cache
@READ_OR_SEND
def join_event(request: HttpRequest, code: str) -> HttpResponse:
    """Let a player join the event of a code, by a new name or as somebody whom the club knows."""
    if is_guessing(request):
        return refuse(request, Refusal(429, _("Too many wrong codes"), _("Wait a minute, then try again.")))
    event = selectors.event_to_join(code)
    if event is None:
        count_guess(request)
        return _ask_code(request, is_wrong=True, code=code, status=404)
    if page_actor(request, event.uid).entry:
        return redirect("scoring:evening", event.uid)
    if request.method == "POST":
        return _answer(request, event)
    return _show(request, event, EnterForm())


def _show(request: HttpRequest, event: Event, form: EnterForm, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"event": event, "form": form, "key": uuid.uuid4().hex, "own": _own_people(request, event), **more}
    return render(request, "tournaments/join_event.html", context, status=status)


def _answer(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter whoever sent the form, or say what stands in the way."""
    form, player = EnterForm(request.POST), None
    if uid := request.POST.get("player"):
        player = get_object_or_404(_people(request, event), uid=uid)
    elif not form.is_valid():
        return _show(request, event, form, status=400)
    elif "new" not in request.POST and (namesakes := _known(event).filter(name__iexact=form.cleaned_data["name"])):
        return _show(request, event, form, namesakes=namesakes)
    try:
        entry = _enter_once(request, event, name="" if player else form.cleaned_data["name"], player=player)
    except NameTakenError as error:
        taken, free = request.POST.get("name", ""), error.facts["suggestion"]
        return _show(request, event, EnterForm(initial={"name": free}), status=error.status, taken=taken)
    except AlreadyEnteredError as error:
        return _show(request, event, EnterForm(), status=error.status, taken=player and player.name)
    except DomainError as error:
        return _show(request, event, form, status=error.status, refusal=error.detail)
    messages.success(request, _("You’re in, {name}!").format(name=entry.name))
    return _let_in(request, entry)


def _enter_once(request: HttpRequest, event: Event, *, name: str, player: Player | None) -> Entry:
    """Enter a player, once however often the form comes; an earlier phone of the player vouches for them."""
    ticket = Ticket.of_form(f"join-{event.uid}", request.POST.get("key", ""), name, player and player.uid)
    with transaction.atomic():
        if known := ticket.find():
            return Entry.objects.select_related("event", "player").get(uid=known.body["entry"])
        entry = entries.join(event=event, code=event.join_code, name=name, player=player, actor=NOBODY)
        for phone in _earlier_phones(request):
            if phone.entry and phone.entry.is_verified and phone.entry.player.person_id == entry.player.person_id:
                entry = entries.vouch(actor=phone, entry=entry)
                break
        ticket.keep({"entry": entry.uid})
    return entry


def _let_in(request: HttpRequest, entry: Entry) -> HttpResponse:
    response = redirect("scoring:evening", entry.event.uid)
    secret = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    phones.hold(request, response, entry.event.uid, secret)
    return response


# --- People whom the club knows ---------------------------------------------------------------------------------


def _known(event: Event, text: str = "") -> QuerySet[Player]:
    """Return the people of the club who are not in the event yet, with when they were last seen there."""
    here = Entry.objects.filter(event=event).values("player")
    people = selectors.known_players(event.club, text).exclude(Q(pk__in=here) | Q(merged__in=here))
    return people.annotate(last_seen=Max("entries__event__starts_at", filter=Q(entries__event__club=event.club)))


def _earlier_phones(request: HttpRequest) -> list[Actor]:
    return list(filter(None, map(entries.earlier_phone, phones.personal_links(request))))


def _own_people(request: HttpRequest, event: Event) -> QuerySet[Player]:
    """Return the people who played with this phone before and are not in the event yet."""
    known = [phone.entry.player.person_id for phone in _earlier_phones(request) if phone.entry]
    here = Entry.objects.filter(event=event).values("player")
    people = Player.objects.filter(pk__in=known, anonymised_at=None)
    return people.exclude(Q(pk__in=here) | Q(merged__in=here)).order_by("name", "pk")


def _people(request: HttpRequest, event: Event) -> QuerySet[Player]:
    own = [player.pk for player in _own_people(request, event)]
    return Player.objects.filter(Q(clubs=event.club) | Q(pk__in=own), anonymised_at=None).distinct()


@never_cache
@require_safe
def suggest(request: HttpRequest, code: str) -> HttpResponse:
    """Suggest people whom the club knows by the beginning of a name."""
    event = None if is_guessing(request) else selectors.event_to_join(code)
    if event is None:
        count_guess(request)
        return HttpResponse(status=404)
    typed = request.GET.get("name", "").strip()
    people = _known(event, typed)[:MOST_SUGGESTED] if len(typed) >= LEAST_TYPED else ()
    return render(request, "tournaments/_join_people.html", {"people": people})


# --- By link and by slip ----------------------------------------------------------------------------------------


@never_cache
@require_safe
def personal(request: HttpRequest, secret: str) -> HttpResponse:
    """Let the phone hold a personal link, and show the evening without the secret in its address."""
    phone = entries.earlier_phone(secret)  # also of an event that is over: the evening says how it ended
    return _let_in(request, phone.entry) if phone and phone.entry else _refuse_link(request)


@never_cache
@require_safe
def slip(request: HttpRequest, secret: str) -> HttpResponse:
    """Let the phone hold the slip of a table, and show the table; whoever sits there speaks for themselves."""
    try:
        table = recognise(secret).table if secret.startswith(credentials.TABLE) else None
    except NotFound:
        table = None
    except CredentialExpiredError as error:
        return refuse(request, Refusal(error.status, _("This slip is not valid any more"), error.detail))
    if table is None:
        return _refuse_link(request)
    response = redirect("scoring:table", table.round.event.uid, table.uid)
    entry = page_actor(request, table.round.event.uid).entry
    if entry is None or not table.seats.filter(entry=entry).exists():
        phones.hold(request, response, table.uid, secret)
    return response


def _refuse_link(request: HttpRequest) -> HttpResponse:
    if is_guessing(request):
        return refuse(request, Refusal(429, _("Too many wrong links"), _("Wait a minute, then open yours again.")))
    count_guess(request)
    advice = _("It is incomplete, or the organiser made another for you. Ask them to show it again.")
    return refuse(request, Refusal(404, _("There is no such link"), advice))


urlpatterns = [
    path("join/", join, name="join"),
    path("join/<str:code>/", join_event, name="join-event"),
    path("join/<str:code>/people/", suggest, name="join-people"),
    path("me/<str:secret>/", personal, name="personal-link"),
    path("t/<str:secret>/", slip, name="slip"),
]
