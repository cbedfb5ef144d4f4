"""Penalties of an event, for the organiser: give one with its reason, take one back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from core.errors import DomainError
from core.ids import ALPHABET, ID_LENGTH, new_id
from core.short_names import sort_key
from scoring.rankings.standings.readable import scale_of, taken_off
from scoring.rankings.standings.words import decimal
from tournaments.models import LONGEST_REASON, Event, Format, Penalty, Role, Round
from tournaments.services import penalties
from web.base import READ_OR_SEND, attempt, managed_event_or_404, session_actor
from web.forms import ServiceForm


class PenaltyForm(ServiceForm):
    """Points to take off somebody, and why. `key` tells a form that is sent twice from two penalties."""

    aliases = {"round": "number"}

    entry = forms.ChoiceField(label=gettext_lazy("Player"))
    points = forms.DecimalField(
        label=gettext_lazy("Points taken off"),
        max_digits=9,
        decimal_places=3,
        localize=True,
        help_text=gettext_lazy("As the standings show them."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "class": "narrow"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy(
            "The player reads it on their phone. Everybody else sees only that there is a penalty."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    number = forms.TypedChoiceField(label=gettext_lazy("Round"), required=False, coerce=int, empty_value=None)
    key = forms.RegexField(rf"^[{ALPHABET}]{{{ID_LENGTH}}}$", widget=forms.HiddenInput)

    def __init__(self, data: Any, *, event: Event, **options: Any) -> None:
        super().__init__(data, **options)
        self.scheme, self.factor = event.points, scale_of(event.points).factor
        self.listed = {entry.uid: entry for entry in event.entries.select_related("event__club", "player")}
        by_name = sorted(self.listed.values(), key=lambda entry: sort_key(entry.name))
        self.fields["entry"].choices = [("", "–"), *((each.uid, each.name) for each in by_name)]  # type: ignore[attr-defined]
        if event.format == Format.OPEN:  # each table is a round of its own, which nobody counts
            del self.fields["number"]
        else:
            rounds = event.rounds.exclude(status=Round.Status.CANCELLED).order_by("number")
            self.fields["number"].choices = [("", _("none")), *((each.number, each.title) for each in rounds)]  # type: ignore[attr-defined]

    def taken_off(self) -> Decimal:
        """Return the points in the unit that the service keeps; pages show a table's share as points of a hundred."""
        return Decimal(self.cleaned_data["points"]) / self.factor

    def refuse(self, error: DomainError) -> None:
        """Put a refusal beside its field, in the unit of the page."""
        step = decimal(taken_off(Penalty.STEP, self.scheme))
        for fault in error.errors:
            if fault["path"] == ["points"]:
                fault["message"] = penalties.wrong_points(step)
        super().refuse(error)


@login_required
@READ_OR_SEND
def penalty_list(request: HttpRequest, uid: str) -> HttpResponse:
    """Show the penalties of an event, and give one."""
    event = managed_event_or_404(request, uid)
    actor = session_actor(request)
    initial = {"entry": request.GET.get("entry", ""), "key": new_id()}
    form = PenaltyForm(request.POST or None, event=event, initial=initial)
    if form.is_valid():
        said = form.cleaned_data
        entry = form.listed[said["entry"]]
        try:
            penalties.give_penalty(
                actor=actor,
                entry=entry,
                points=form.taken_off(),
                reason=said["reason"],
                number=said.get("number"),
                uid=said["key"],
            )
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("{name} has a penalty.").format(name=entry.name))
            return redirect("web:penalties", uid)
    context = {
        "event": event,
        "form": form,
        "penalties": penalties.penalties_of(actor, event).order_by("-pk"),
        "can_punish": actor.is_at_least(Role.ORGANISER, event.club) and event.status in penalties.COUNTED,
    }
    return render(request, "console/penalties.html", context)


@login_required
@require_POST
def take_back(request: HttpRequest, uid: str, penalty_uid: str) -> HttpResponse:
    """Take a penalty back."""
    event = managed_event_or_404(request, uid)
    found = Penalty.objects.select_related("event__club", "entry")
    penalty = get_object_or_404(found, event=event, uid=penalty_uid)
    said = _("The penalty of {name} is taken back.").format(name=penalty.entry.name)
    attempt(request, lambda: penalties.take_back(actor=session_actor(request), penalty=penalty), said)
    return redirect("web:penalties", uid)
