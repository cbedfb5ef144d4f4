"""Who plays in an event, for the organiser: enter, check in, drop out, vouch, hand over a personal link."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.errors import DomainError
from core.names import LONGEST
from tournaments import links, selectors
from tournaments.errors import NameTakenError
from tournaments.models import Club, Entry, Event, Player
from tournaments.pages.base import READ_OR_SEND, attempt, event_or_404, session_actor
from tournaments.pages.forms import NameField, ServiceForm
from tournaments.pages.qr import qr_code
from tournaments.services import entries

MOST_SUGGESTED = 300


class PlayerForm(ServiceForm):
    """A player by name: one whom the club knows, or somebody new."""

    name = NameField(
        label=gettext_lazy("Name"),
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "known-players"}),
    )
    is_new = forms.BooleanField(label=gettext_lazy("Somebody new, even if we know the name"), required=False)

    def __init__(self, data: Any, *, club: Club, **options: Any) -> None:
        super().__init__(data, **options)
        self.club = club

    def player(self) -> Player | None:
        """Return the one player of the club who has this name; None for somebody new."""
        if self.cleaned_data["is_new"]:
            return None
        known = selectors.known_players(self.club).filter(name__iexact=self.cleaned_data["name"])[:2]
        return known[0] if len(known) == 1 else None

    def refuse(self, error: DomainError) -> None:
        """Put a refusal beside the name, with a name that is free."""
        detail = error.detail
        if isinstance(error, NameTakenError):
            detail += " " + _("{name} is free.").format(name=error.facts["suggestion"])
        self.add_error("name", detail)


def _known_names(event: Event) -> list[str]:
    """Return the names of players the club knows who are not in the event yet."""
    known = selectors.known_players(event.club).exclude(entries__event=event)
    return list(known.values_list("name", flat=True)[:MOST_SUGGESTED])


def _entry_or_404(event: Event, uid: str) -> Entry:
    return get_object_or_404(selectors.entries_of(event).select_related("event__club"), uid=uid)


@login_required
@READ_OR_SEND
def entry_list(request: HttpRequest, uid: str) -> HttpResponse:
    """Show who plays, and enter somebody."""
    event = event_or_404(request, uid)
    form = PlayerForm(request.POST or None, club=event.club)
    if form.is_valid():
        name, player = form.cleaned_data["name"], form.player()
        try:
            entry = entries.add_entry(actor=session_actor(request), event=event, name=name, player=player)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect(f"{request.path}?entered={entry.uid}")
    found = sorted(selectors.entries_of(event), key=lambda entry: entry.name.casefold())
    context = {
        "event": event,
        "form": form,
        "entries": found,
        "entered": next((entry for entry in found if entry.uid == request.GET.get("entered")), None),
        "present": sum(entry.status == Entry.Status.CHECKED_IN for entry in found),
        "known": _known_names(event),
        "can_enter": event.status in {Event.Status.DRAFT, *entries.OPEN_FOR_ENTRY},
    }
    return render(request, "tournaments/console/entries.html", context)


@never_cache
@login_required
@READ_OR_SEND
def entry_page(request: HttpRequest, uid: str, entry_uid: str) -> HttpResponse:
    """Show a player's personal link and QR code again, and put somebody in their place."""
    event = event_or_404(request, uid)
    entry = _entry_or_404(event, entry_uid)
    form = PlayerForm(request.POST or None, club=event.club)
    if form.is_valid():
        name, player = form.cleaned_data["name"], form.player()
        try:
            new = entries.substitute(actor=session_actor(request), entry=entry, name=name, player=player)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("pages:entry", uid, new.uid)
    link = links.personal_link(entry, links.origin_of(request))
    context = {
        "event": event,
        "entry": entry,
        "form": form,
        "known": _known_names(event),
        "link": link,
        "qr": qr_code(link, _("Personal link of {name}").format(name=entry.name)),
        "can_enter": event.status in entries.OPEN_FOR_ENTRY,
    }
    return render(request, "tournaments/console/entry.html", context)


@login_required
@require_POST
def change_entry(request: HttpRequest, uid: str, entry_uid: str) -> HttpResponse:
    """Do what the button says to an entry: check in, drop out, vouch, or give a new link."""
    event = event_or_404(request, uid)
    entry = _entry_or_404(event, entry_uid)
    actor = session_actor(request)
    match request.POST.get("do"):
        case "vouch":
            attempt(request, lambda: entries.vouch(actor=actor, entry=entry))
        case "renew":
            said = _("{name} has a new link; the old one no longer works.").format(name=entry.name)
            attempt(request, lambda: entries.renew_link(actor=actor, entry=entry), said)
        case Entry.Status.CHECKED_IN | Entry.Status.DROPPED as status:
            attempt(request, lambda: entries.change_status(actor=actor, entry=entry, status=status))
    if request.POST.get("back") == "entry":
        return redirect("pages:entry", uid, entry_uid)
    return redirect("pages:entries", uid)
