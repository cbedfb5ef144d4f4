"""Come in: by the code of an event, by a personal link, or by the slip of a table."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from rest_framework.exceptions import NotFound

from core import mails
from core.brute_force import address_of, count_failure, look_up
from core.errors import DomainError
from core.idempotency import SecretRenewedError, Ticket
from core.likeness import searchable
from core.models import StoredAnswer, User
from tournaments import selectors, trust
from tournaments.access import credentials, phone_cookies
from tournaments.access.callers import CredentialExpiredError, recognise
from tournaments.actors import NOBODY, SELF, Actor, Kind, noting_grants
from tournaments.errors import AlreadyEnteredError, ForbiddenError, NameAlikeError, NameTakenError, ProofWrongError
from tournaments.links import mailed_origin_of
from tournaments.models import Entry, Event, Player
from tournaments.services import entries, joining, places
from tournaments.services import proof as proofs
from web.base import READ_OR_SEND, Refusal, attempt, by_its_clocks, page_actor, refuse, session_actor, typed
from web.forms import NameField

LEAST_TYPED = 3  # letters before names are suggested: nobody reads a whole club's list
MOST_SUGGESTED = 3
LONGEST_PROOF = 100


@dataclass(frozen=True, slots=True)
class Door:
    """How players come into an event: by its code, which shows that they are here, or ahead on its public page."""

    event: Event
    is_ahead: bool = False

    @property
    def page(self) -> str:
        """The address of the form. That of sign-up ahead does not hold the code."""
        return self._address("sign-up", "join-event")

    @property
    def people(self) -> str:
        """The address that proposes people whom the club knows."""
        return self._address("sign-up-people", "join-people")

    def _address(self, ahead: str, by_code: str) -> str:
        is_ahead, event = self.is_ahead, self.event
        return reverse(f"web:{ahead if is_ahead else by_code}", args=[event.uid if is_ahead else event.join_code])

    def enter(self, **who: Any) -> Entry:
        """Enter somebody."""
        if self.is_ahead:
            return joining.sign_up(event=self.event, **who)
        return joining.join(event=self.event, code=self.event.join_code, **who)


class EnterForm(forms.Form):
    """Who joins."""

    name = NameField(
        label=gettext_lazy("Your name"),
        max_length=Player.LONGEST_NAME,
        help_text=gettext_lazy("As people in the club know you."),
        widget=forms.TextInput(attrs={"autocomplete": "name", "autocapitalize": "words", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address, if you like"),
        max_length=User.LONGEST_EMAIL,
        required=False,
        help_text=gettext_lazy(
            "For news of this event alone: a reminder, when you get a place, and where the club wants it when you "
            "play and your final place. Nobody sees it."
        ),
    )


# --- By code ----------------------------------------------------------------------------------------------------


@never_cache
@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Ask for the code of an event."""
    if code := "".join(filter(str.isalnum, request.GET.get("code", "")))[:20]:
        return redirect("web:join-event", code.upper())
    return _ask_code(request, is_wrong="code" in request.GET)


def _ask_code(request: HttpRequest, *, is_wrong: bool, code: str = "", status: int = 200) -> HttpResponse:
    own = [phone.entry for phone in _earlier_phones(request) if phone.entry and not phone.entry.event.is_over]
    context = {"is_wrong": is_wrong, "code": code, "own": own}
    return render(request, "join/join.html", context, status=status)


@never_cache
@READ_OR_SEND
def join_event(request: HttpRequest, code: str) -> HttpResponse:
    """Let a player join the event of a code: by a new name, as themselves, or as somebody whom the club knows."""
    event = look_up(request, lambda: selectors.event_to_join(code))
    if event is None:
        return _ask_code(request, is_wrong=True, code=code, status=404)
    by_its_clocks(event.club)
    if entry := page_actor(request, event.uid).entry:
        return _at_door(request, event, entry)
    if request.method == "POST":
        return _answer(request, Door(event))
    return _show(request, Door(event), EnterForm())


def _at_door(request: HttpRequest, event: Event, entry: Entry) -> HttpResponse:
    """Let somebody who signed up and scans the code at the door say that they are here, by one tap."""
    if entry.status not in {Entry.Status.REGISTERED, Entry.Status.WAITING} or not event.has_check_in:
        return _go_on(request, entry)
    if request.method != "POST":
        return render(request, "join/at_door.html", {"event": event, "entry": entry})
    actor = Actor(Kind.ENTRY, entry=entry)
    status = Entry.Status.CHECKED_IN
    attempt(request, lambda: entries.change_status(actor=actor, entry=entry, status=status, is_at_door=True))
    return redirect("web:phone-home", event.uid)


def _go_on(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show their evening to somebody who came before; to who is in, say what to do for somebody without a phone."""
    if entry.status in Entry.IN:
        said = _("You are in as {name}. Who has no phone of their own is entered by the organiser.")
        messages.info(request, said.format(name=entry.name))
    return redirect("web:phone-home", entry.event.uid)


@never_cache
@READ_OR_SEND
def sign_up(request: HttpRequest, uid: str) -> HttpResponse:
    """Let a player sign up ahead on the public page of an event."""
    event = get_object_or_404(selectors.visible_events(page_actor(request, uid)), uid=uid, sign_up_ahead=True)
    by_its_clocks(event.club)
    if entry := page_actor(request, event.uid).entry:
        return _go_on(request, entry)
    if request.method == "POST":
        return _answer(request, Door(event, is_ahead=True))
    return _show(request, Door(event, is_ahead=True), EnterForm())


def _show(request: HttpRequest, door: Door, form: EnterForm, *, status: int = 200, **more: Any) -> HttpResponse:
    event, own = door.event, _own_people(request)
    here = [entry for entry in (entries.entry_of(event, player) for player in own) if entry]
    more = {"closed": _closed(door), "taken_back": here[:1], **more}
    people = [player for player in own if player.pk not in {entry.person_id for entry in here}]
    context = {"event": event, "door": door, "form": form, "key": uuid.uuid4().hex, "own": people, **more}
    if event.sign_up_ahead:
        context |= {"is_full": places.is_full(event), "waiting": len(places.line(event))}
        context |= {"is_mail_set_up": mails.is_set_up()}
    return render(request, "join/join_event.html", context, status=status)


def _closed(door: Door) -> str:
    """Say why nobody comes in now; empty while people do."""
    try:
        if door.is_ahead:
            joining.refuse_sign_up(door.event)
        joining.refuse_more(door.event)
    except DomainError as error:
        return error.detail
    return ""


def _answer(request: HttpRequest, door: Door) -> HttpResponse:
    """Enter the player who sent the form, give them their entry back, or say why it is refused."""
    event = door.event
    form, player, proof = EnterForm(request.POST), None, request.POST.get("proof", "").strip()[:LONGEST_PROOF]
    if uid := typed(request, "player"):
        player = get_object_or_404(_people(request, event), uid=uid)
    elif not proof and "take_back" not in request.POST:
        if not form.is_valid():
            return _show(request, door, form, status=400)
        if "new" not in request.POST and (namesakes := _namesakes(event, form.cleaned_data["name"])):
            return _show(request, door, form, namesakes=namesakes)
    try:
        entry = _enter_once(request, door, form, player, proof)
    except DomainError as error:
        return _refused(request, door, error, player, proof)
    is_waiting = entry.status == Entry.Status.WAITING
    said = _("{name}, you are on the waiting list.") if is_waiting else _("You’re in, {name}!")
    messages.success(request, said.format(name=entry.name))
    return _let_in(request, entry)


def _refused(request: HttpRequest, door: Door, error: DomainError, player: Player | None, proof: str) -> HttpResponse:
    """Show the form again with what was refused, and what to do about it."""
    event = door.event
    form, more = EnterForm(), {"refusal": error.detail}
    match error:
        case NameAlikeError():
            form, more = EnterForm(request.POST), {"alike": error.facts["alike"]}
        case NameTakenError():
            form = EnterForm(initial={"name": error.facts["suggestion"]})
            more = {"taken": request.POST.get("name", "")}
        case AlreadyEnteredError(facts={"entry": uid}):
            return _show(request, door, form, status=error.status, taken_back=_entries(event, uid), proof=proof)
        case AlreadyEnteredError() if player is not None:
            more = {"taken": player.name}
        case ProofWrongError():
            count_failure(request)
            more = {"proof_refusal": error.detail}
    return _show(request, door, form, status=error.status, **more)


def _entries(event: Event, uid: str) -> QuerySet[Entry]:
    return selectors.entries_of(event).select_related("event__club").filter(uid=uid)


def _enter_once(request: HttpRequest, door: Door, form: EnterForm, player: Player | None, proof: str) -> Entry:
    """Enter a player, or give them their entry back, once however often the form comes."""
    event, email = door.event, _email(request)
    name = form.cleaned_data["name"] if not player and not proof and form.is_valid() else ""
    back = typed(request, "take_back")
    ticket = Ticket.of_form(f"join-{event.uid}", request.POST.get("key", ""), name, player and player.uid, proof, back)
    actor, phones = session_actor(request), _earlier_phones(request)
    with transaction.atomic(), noting_grants() as grants:
        if known := ticket.find():
            return _entered(known, [actor, *phones])
        if back:
            held = get_object_or_404(_entries(event, back))
            entry = proofs.take_back(actor=actor, entry=held, proof=proof, phones=phones)
        else:
            entry = door.enter(
                name=name,
                player=player,
                proof=proof,
                phones=phones,
                actor=actor,
                confirm_alike="new" in request.POST,
                email=email,
                origin=mailed_origin_of(request),
                sender=address_of(request),
            )
        ticket.keep({"entry": entry.uid, "generation": entry.generation}, grants=grants)
    return entry


def _email(request: HttpRequest) -> str:
    """Return the address that a form has, also one of the forms without a name; empty where it is none."""
    sent = forms.EmailField(required=False, max_length=User.LONGEST_EMAIL)
    try:
        return str(sent.clean(request.POST.get("email", "")))
    except forms.ValidationError:
        return ""


def _entered(known: StoredAnswer, callers: Sequence[Actor]) -> Entry:
    """Return the entry that a form made when it came first.

    Its link is not given again once it was renewed, nor to an account that is the player's no more.
    """
    entry = Entry.objects.select_related("event", "player").get(uid=known.body["entry"])
    people = Player.objects.filter(pk__in=[key for key, what in known.grants if what == SELF])
    if not all(proofs.prover_of(player, callers) for player in people):
        raise ForbiddenError(_("Only the player may do this, with a link or a code of theirs, or logged in."))
    if entry.generation != known.body.get("generation"):
        raise SecretRenewedError(_("This was done, and its link was renewed since. Ask for the one that is valid."))
    return entry


def _let_in(request: HttpRequest, entry: Entry) -> HttpResponse:
    response = redirect("web:phone-home", entry.event.uid)
    secret = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    if phone_cookies.held(request, entry.event.uid) not in {"", secret}:
        rotate_token(request)  # a page that is still open was made for another player, and is sent for nobody else
    phone_cookies.hold(request, response, entry.event.uid, secret)
    return response


# --- People whom the club knows ---------------------------------------------------------------------------------


def _known(event: Event, text: str = "") -> QuerySet[Player]:
    """Return the club's own people who are not in the event yet, with when they were last seen there in public.

    A private club tells nobody whom it knows.
    """
    if not event.club.is_public:
        return Player.objects.none()
    entered = Entry.objects.filter(event=event)
    here = Q(pk__in=entered.values("player")) | Q(merged__in=entered.values("player"))
    here |= Q(pk__in=entered.exclude(claims=None).values("claims"))
    people = selectors.known_players(event.club, text).filter(home=event.club).exclude(here)
    seen = Q(entries__event__in=selectors.visible_events(NOBODY).filter(club=event.club).values("pk"))
    return people.annotate(last_seen=Max("entries__event__starts_at", filter=seen))


def _namesakes(event: Event, name: str) -> QuerySet[Player]:
    return selectors.namesakes(_known(event), name)[:MOST_SUGGESTED]


def _earlier_phones(request: HttpRequest) -> list[Actor]:
    return entries.earlier_phones(phone_cookies.personal_links(request))


def _own_people(request: HttpRequest) -> list[Player]:
    """Return the people whom this phone proves: by links of theirs that it holds, or by who is logged in."""
    phones = [(phone, phone.entry.player) for phone in _earlier_phones(request) if phone.entry]
    proved = {player.person_id for phone, player in phones if trust.is_self(phone, player)}
    is_own = Q(pk__in=proved)
    if (user := session_actor(request).user) is not None:
        is_own |= Q(pk__in=selectors.proved_by(user).values("pk"))
    people = Player.objects.filter(is_own, merged_into=None, anonymised_at=None)
    return list(people.order_by("search", "name", "pk"))


def _people(request: HttpRequest, event: Event) -> QuerySet[Player]:
    own = [player.pk for player in _own_people(request)]
    known = selectors.own_players(event.club).values("pk")
    return Player.objects.filter(Q(pk__in=known) | Q(pk__in=own)).select_related("merged_into")


@never_cache
@require_safe
def suggest(request: HttpRequest, code: str) -> HttpResponse:
    """Suggest the club's own people by the beginning of a name."""
    event = look_up(request, lambda: selectors.event_to_join(code))
    return HttpResponse(status=404) if event is None else _proposed(request, event)


@never_cache
@require_safe
def suggest_ahead(request: HttpRequest, uid: str) -> HttpResponse:
    """Suggest the club's own people to somebody who signs up ahead."""
    event = get_object_or_404(selectors.visible_events(page_actor(request, uid)), uid=uid, sign_up_ahead=True)
    return _proposed(request, event)


def _proposed(request: HttpRequest, event: Event) -> HttpResponse:
    by_its_clocks(event.club)
    typed = request.GET.get("name", "").strip()[: Player.LONGEST_NAME]
    letters = sum(map(str.isalnum, searchable(typed)))  # what a search overlooks does not count either
    people = _known(event, typed)[:MOST_SUGGESTED] if letters >= LEAST_TYPED else ()
    return render(request, "join/_join_people.html", {"people": people})


# --- By link and by slip ----------------------------------------------------------------------------------------


@never_cache
@READ_OR_SEND
def personal(request: HttpRequest, secret: str) -> HttpResponse:
    """Let the phone hold a personal link, and show the evening without the secret in its address.

    A phone that is another player of the event becomes this one by a button alone: any site can open a link.
    """
    phone = entries.earlier_phone(secret)  # also of an event that is over: the evening says how it ended
    if phone is None or phone.entry is None:
        return _refuse_link(request)
    held = _held(request, phone.entry.event)
    if request.method == "POST" or held in {None, phone.entry}:
        return _let_in(request, phone.entry)
    by_its_clocks(phone.entry.event.club)
    return render(request, "join/become.html", {"held": held, "entry": phone.entry})


def _held(request: HttpRequest, event: Event) -> Entry | None:
    """Return the entry of the event whose link the phone holds, while that is valid."""
    phone = entries.earlier_phone(phone_cookies.held(request, event.uid))
    return phone.entry if phone and phone.entry and phone.entry.event_id == event.pk else None


@never_cache
@require_safe
def slip(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the table of a slip; the phone holds the slip unless it holds the link of a player who sits there."""
    try:
        table = recognise(secret).table if secret.startswith(credentials.TABLE) else None
    except NotFound:
        table = None
    except CredentialExpiredError as error:
        return refuse(request, Refusal(error.status, _("This slip is not valid any more"), error.detail))
    if table is None:
        return _refuse_link(request)
    response = redirect("web:table", table.round.event.uid, table.uid)
    entry = page_actor(request, table.round.event.uid).entry
    if entry is None or not table.seats.filter(entry=entry).exists():
        phone_cookies.hold(request, response, table.uid, secret)
    return response


def _refuse_link(request: HttpRequest) -> HttpResponse:
    count_failure(request)
    advice = _("It is incomplete, or the organiser made another for you. Ask them to show it again.")
    return refuse(request, Refusal(404, _("There is no such link"), advice))


urlpatterns = [
    path("join/", join, name="join"),
    path("join/<str:code>/", join_event, name="join-event"),
    path("join/<str:code>/people/", suggest, name="join-people"),
    path("e/<slug:uid>/sign-up/", sign_up, name="sign-up"),
    path("e/<slug:uid>/sign-up/people/", suggest_ahead, name="sign-up-people"),
    path("me/<str:secret>/", personal, name="personal-link"),
    path("t/<str:secret>/", slip, name="slip"),
]
