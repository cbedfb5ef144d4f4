"""One person with two records: merge them, ask the other side, and answer those who ask."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.errors import DomainError
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import ConsentNeededError
from tournaments.models import MergeRequest, Player
from tournaments.services import merge_requests, merging
from web.base import READ_OR_SEND, attempt, session_actor
from web.forms import ServiceForm

MOST_SHOWN = 50
ADDRESS = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"})


class MergeForm(ServiceForm):
    """Two records, by the addresses of their pages."""

    gone = forms.CharField(label=gettext_lazy("Page of the one record"), max_length=200, widget=ADDRESS)
    kept = forms.CharField(
        label=gettext_lazy("Page of the record to keep"),
        max_length=200,
        help_text=gettext_lazy("Its name and its home club stay."),
        widget=ADDRESS,
    )

    def __init__(self, data: Any, *, actor: Actor, **options: Any) -> None:
        super().__init__(data, **options)
        self.players = selectors.visible_players(actor).select_related("merged_into")

    def _player(self, field: str) -> Player:
        uid = self.cleaned_data[field].partition("?")[0].rstrip("/").rpartition("/")[2]
        player = self.players.filter(uid=uid).first()
        if player is None:
            raise forms.ValidationError(_("There is no such player. Copy the address of their public page."))
        return player

    def clean_gone(self) -> Player:
        """Return the record that goes."""
        return self._player("gone")

    def clean_kept(self) -> Player:
        """Return the record that stays."""
        return self._player("kept")


@never_cache
@login_required
@READ_OR_SEND
def merges(request: HttpRequest) -> HttpResponse:
    """Show who asks whom, and merge two records: at once where both are one's own to merge, else by asking."""
    actor = session_actor(request)
    form = MergeForm(request.POST or None, actor=actor, initial=request.GET.dict())
    if form.is_valid():
        try:
            said = _merge_or_ask(actor, **form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, said)
            return redirect("web:merges")
    found, waits = (
        selectors.merge_requests_of(actor),
        Q(status=MergeRequest.Status.OPEN, expires_at__gt=timezone.now()),
    )
    context = {  # each list for itself: what is over, or asked by others, hides nothing that waits
        "form": form,
        "to_answer": found.filter(waits & Q(may_answer=True))[:MOST_SHOWN],
        "asked": found.filter(waits & Q(may_answer=False))[:MOST_SHOWN],
        "over": found.exclude(waits)[:MOST_SHOWN],
    }
    return render(request, "clubs/merges.html", context)


def _merge_or_ask(actor: Actor, gone: Player, kept: Player) -> str:
    """Merge two records, or ask the other side where it has to agree; return what was done."""
    try:
        merging.merge_players(actor=actor, gone=gone, kept=kept)
    except ConsentNeededError:
        merge_requests.ask(actor=actor, gone=gone, kept=kept)
        return _("The other side is asked. Nothing changes before they agree.")
    return _("{gone} and {kept} are one person now.").format(gone=gone.name, kept=kept.name)


@login_required
@require_POST
def answer(request: HttpRequest, uid: str) -> HttpResponse:
    """Do what the button says to a request: agree, say no, or take it back."""
    actor = session_actor(request)
    found: MergeRequest = get_object_or_404(selectors.merge_requests_of(actor), uid=uid)
    match request.POST.get("do"):
        case "accept":
            said = _("{gone} and {kept} are one person now.").format(gone=found.gone.name, kept=found.kept.name)
            attempt(request, lambda: merge_requests.accept(actor=actor, request=found), said)
        case "decline":
            attempt(request, lambda: merge_requests.decline(actor=actor, request=found), _("They stay two people."))
        case "withdraw":
            said = _("The request is taken back.")
            attempt(request, lambda: merge_requests.withdraw(actor=actor, request=found), said)
    return redirect("web:merges")


urlpatterns = [
    path("merges/", merges, name="merges"),
    path("merges/<slug:uid>/", answer, name="answer-merge"),
]
