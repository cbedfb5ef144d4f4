"""Who plays in an event, for the organiser: enter, check in, drop out, vouch, hand over a personal link."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.errors import DomainError
from core.likeness import folded, is_found
from tournaments import links, selectors
from tournaments.errors import NameTakenError
from tournaments.models import Club, Entry, Event, Player, Role
from tournaments.services import attendance, entries, imports, penalties, proof
from web.base import READ_OR_SEND, attempt, managed_event_or_404, session_actor, takes_a_file
from web.forms import MOST_SAID, NameField, ServiceForm
from web.qr import qr_code

MOST_SUGGESTED = 300
SHOWN = 100  # players on a page
FEW = 8  # whom one finds without a search
ORDER = (Entry.Status.REGISTERED, Entry.Status.CHECKED_IN, Entry.Status.WAITING, Entry.Status.DROPPED)


class PlayerForm(ServiceForm):
    """A player by name: one whom the club knows, or somebody new."""

    name = NameField(
        label=gettext_lazy("Name"),
        max_length=Player.LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "known-players"}),
    )
    is_new = forms.BooleanField(label=gettext_lazy("Somebody new, even if we know the name"), required=False)
    is_here = forms.BooleanField(label=gettext_lazy("They are here"), required=False)

    def __init__(self, data: Any, *, club: Club, **options: Any) -> None:
        super().__init__(data, **options)
        self.club = club

    def player(self) -> Player | None:
        """Return the one player who has this name: of the club's own, else a guest; None for somebody new."""
        if self.cleaned_data["is_new"]:
            return None
        name = self.cleaned_data["name"]
        for people in (selectors.own_players(self.club), selectors.known_players(self.club)):
            known = list(selectors.namesakes(people, name))
            exact = [player for player in known if player.name.casefold() == name.casefold()] or known
            if exact:
                return exact[0] if len(exact) == 1 else None
        return None

    def refuse(self, error: DomainError) -> None:
        """Put a refusal beside the name, with a name that is free."""
        detail = error.detail
        if isinstance(error, NameTakenError):
            detail += " " + _("{name} is free.").format(name=error.facts["suggestion"])
        self.add_error("name", detail)


class NamesForm(ServiceForm):
    """A list of names, pasted."""

    names = forms.CharField(
        label=gettext_lazy("Names, one in a line"),
        required=False,
        max_length=4 * Player.LONGEST_NAME * attendance.MOST_NAMES,
        help_text=gettext_lazy("Whom the club knows is found by the name, with or without its accents."),
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        help_text=gettext_lazy(
            "CSV or text: a name in each line, or a first line that says which column is the name."
        ),
    )
    is_here = forms.BooleanField(label=gettext_lazy("They are here"), required=False)

    def __init__(self, data: QueryDict | None = None, files: MultiValueDict[str, Any] | None = None) -> None:
        # The page has another form with a field of that name, and a label finds its field by the id.
        super().__init__(data, files, auto_id="list-%s")

    def clean(self) -> dict[str, Any]:
        """Take the names of the file, or those that were written."""
        sent = super().clean() or {}
        if file := sent.get("file"):
            try:
                text = file.read(settings.FILE_MAX_BYTES).decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("This is not text in UTF-8. Save it as CSV in UTF-8."))
                return sent
            found, problems = imports.names_in(text)
            for each in problems[:MOST_SAID]:
                self.add_error("file", each.message)
            sent["names"] = [name for _line, name in found]
        elif not sent.get("names", "").strip():
            self.add_error("names", _("Choose a file, or paste names."))
        else:
            sent["names"] = sent["names"].splitlines()
        return sent


@takes_a_file
@login_required
@require_POST
def act_on_all(request: HttpRequest, uid: str) -> HttpResponse:
    """Do what the button says to many at once: enter a list of names, check in all, take out who is not here."""
    event = managed_event_or_404(request, uid)
    actor = session_actor(request)
    match request.POST.get("do"):
        case "names":
            return _enter_list(request, event)
        case "here":
            said = _("Everybody who signed up is here.")
            attempt(request, lambda: attendance.check_in(actor=actor, event=event), said)
        case "absent":
            said = _("Who is not here is taken out.")
            attempt(request, lambda: attendance.drop_absent(actor=actor, event=event), said)
    return redirect("web:entries", uid)


def _enter_list(request: HttpRequest, event: Event) -> HttpResponse:
    form = NamesForm(request.POST, request.FILES)
    if form.is_valid():
        names, is_here = form.cleaned_data["names"], form.cleaned_data["is_here"]
        try:
            made = attendance.add_names(actor=session_actor(request), event=event, names=names, is_here=is_here)
        except DomainError as error:
            form.refuse(error)
        else:
            number = len(made.entries)
            said = ngettext("{number} player is in.", "{number} players are in.", number).format(number=number)
            if made.here_already:
                already = _("In the event already: {names}.").format(names=", ".join(made.here_already[:MOST_SAID]))
                said = f"{said} {already}"
            messages.success(request, said)
            return redirect("web:entries", event.uid)
    return _show(request, event, _form(None, event), form)


def _form(request: HttpRequest | None, event: Event) -> PlayerForm:
    initial = {"is_here": event.status == Event.Status.RUNNING}
    return PlayerForm(request.POST or None if request else None, club=event.club, initial=initial)


def _known_names(event: Event) -> list[str]:
    """Return the names of the club's own people who are not in the event yet."""
    known = selectors.own_players(event.club).exclude(entries__event=event)
    return list(known.values_list("name", flat=True)[:MOST_SUGGESTED])


class FixedTableForm(forms.Form):
    """The table at which somebody always sits; empty for any."""

    table = forms.IntegerField(min_value=1, max_value=Event.MOST_LABELS, required=False)


def _entry_or_404(event: Event, uid: str) -> Entry:
    return get_object_or_404(selectors.entries_of(event).select_related("event__club"), uid=uid)


@login_required
@READ_OR_SEND
def entry_list(request: HttpRequest, uid: str) -> HttpResponse:
    """Show who plays, and enter somebody."""
    event = managed_event_or_404(request, uid)
    form = _form(request, event)
    if form.is_valid():
        name, player = form.cleaned_data["name"], form.player()
        actor, is_here = session_actor(request), form.cleaned_data["is_here"]
        try:
            entry = entries.add_entry(actor=actor, event=event, name=name, player=player, is_here=is_here)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect(f"{request.path}?entered={entry.uid}")
    return _show(request, event, form, NamesForm())


def _show(request: HttpRequest, event: Event, form: PlayerForm, names: NamesForm, **more: Any) -> HttpResponse:
    everybody = sorted(selectors.entries_of(event), key=lambda entry: (ORDER.index(entry.status), folded(entry.name)))
    if not event.has_check_in:
        everybody.sort(key=lambda entry: folded(entry.name))
    typed = request.GET.get("q", "").strip()[: Player.LONGEST_NAME]
    found = [entry for entry in everybody if is_found(entry.name, typed)]
    counts = Counter(entry.status for entry in everybody)
    context = {
        "event": event,
        "form": form,
        "names_form": names,
        "typed": typed,
        "page": Paginator(found, SHOWN).get_page(request.GET.get("page")),
        "more": f"{urlencode({'q': typed})}&" if typed else "",
        "entered": next((entry for entry in everybody if entry.uid == request.GET.get("entered")), None),
        "present": counts[Entry.Status.CHECKED_IN],
        "absent": counts[Entry.Status.REGISTERED],
        "waiting": counts[Entry.Status.WAITING],
        "is_sought": len(everybody) > FEW,
        "known": _known_names(event),
        "can_enter": event.status in {Event.Status.DRAFT, *entries.OPEN_FOR_ENTRY},
        "can_punish": event.status in penalties.COUNTED,
        "unproven": proof.unproven(event),
        "is_organiser": session_actor(request).is_at_least(Role.ORGANISER, event.club),
    } | more
    return render(request, "console/entries.html", context)


@never_cache
@login_required
@READ_OR_SEND
def entry_page(request: HttpRequest, uid: str, entry_uid: str) -> HttpResponse:
    """Show a player's personal link and QR code again, and put somebody in their place."""
    event = managed_event_or_404(request, uid)
    entry = _entry_or_404(event, entry_uid)
    form = PlayerForm(request.POST or None, club=event.club)
    del form.fields["is_here"]  # who takes over is
    if form.is_valid():
        name, player = form.cleaned_data["name"], form.player()
        try:
            new = entries.substitute(actor=session_actor(request), entry=entry, name=name, player=player)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("web:entry", uid, new.uid)
    link = links.personal_link(entry, links.origin_of(request))
    context = {
        "event": event,
        "entry": entry,
        "form": form,
        "known": _known_names(event),
        "link": link,
        "qr": qr_code(link, _("Personal link of {name}").format(name=entry.name)),
        "can_enter": event.status in entries.OPEN_FOR_ENTRY,
        "can_punish": event.status in penalties.COUNTED,
        "is_organiser": session_actor(request).is_at_least(Role.ORGANISER, event.club),
    }
    return render(request, "console/entry.html", context)


@login_required
@require_POST
def change_entry(request: HttpRequest, uid: str, entry_uid: str) -> HttpResponse:
    """Do what the button says to an entry: check in, drop out, vouch, reject, or give a new link."""
    event = managed_event_or_404(request, uid)
    entry = _entry_or_404(event, entry_uid)
    actor = session_actor(request)
    match request.POST.get("do"):
        case "vouch":
            attempt(request, lambda: proof.vouch(actor=actor, entry=entry))
        case "reject":
            said = _("{name} goes on as somebody new.").format(name=entry.name)
            attempt(request, lambda: proof.reject(actor=actor, entry=entry), said)
        case "renew":
            said = _("{name} has a new link; the old one no longer works.").format(name=entry.name)
            attempt(request, lambda: entries.renew_link(actor=actor, entry=entry), said)
        case "fix":
            form = FixedTableForm(request.POST)
            if form.is_valid():
                number = form.cleaned_data["table"]
                attempt(request, lambda: entries.fix_table(actor=actor, entry=entry, number=number))
        case Entry.Status.CHECKED_IN | Entry.Status.DROPPED | Entry.Status.REGISTERED as status:
            attempt(request, lambda: entries.change_status(actor=actor, entry=entry, status=status))
    match request.POST.get("back"):
        case "entry":
            return redirect("web:entry", uid, entry_uid)
        case "console":
            return redirect("web:console", uid)
    typed = request.POST.get("q", "")[: Player.LONGEST_NAME]
    return redirect(reverse("web:entries", args=[uid]) + (f"?{urlencode({'q': typed})}" if typed else ""))
