"""Call the organiser from a phone, and say of a change of seats whether it is so."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from core.short_names import sort_key
from tournaments.models import Call, Entry, Round, Table
from tournaments.selectors import sits_at
from tournaments.services import calls
from web.base import READ_OR_SEND, attempt
from web.phone.table import TablePage, table_page


class CallForm(forms.Form):
    """What the organiser is called for."""

    kind = forms.ChoiceField(label=gettext_lazy("What is it?"), choices=Call.Kind.choices)
    text = forms.CharField(label=gettext_lazy("In a few words"), max_length=Call.LONGEST_TEXT, required=False)

    def __init__(self, data: Any, *, page: TablePage) -> None:
        super().__init__(data)
        actor, table = page.actor, page.table
        can_exchange = table.round.kind != Round.Kind.OPEN and table.status in Table.UNPLAYED  # else it is refused
        if page.event.is_solo:
            kinds = [each for each in Call.Kind.choices if each[0] != Call.Kind.SEATS]
            self.fields["kind"].choices = kinds  # type: ignore[attr-defined]
        elif actor.entry is not None and sits_at(actor, table) and can_exchange:
            others = Entry.objects.filter(seats__round=table.round).exclude(pk=actor.entry.pk)
            label = gettext_lazy("I sit on the seat of")
            help_text = gettext_lazy("For wrong seats: once they agree, the two of you are exchanged.")
            field = forms.ModelChoiceField(
                others, label=label, help_text=help_text, required=False, to_field_name="uid"
            )
            by_name = sorted(others, key=lambda entry: sort_key(entry.name))
            field.choices = [("", "—"), *((entry.uid, entry.name) for entry in by_name)]
            self.fields["other"] = field


@never_cache
@READ_OR_SEND
def call(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Show the calls of a table to those who sit there, and take another."""
    page = table_page(request, uid, table_uid)
    if not page.knows:
        raise PermissionDenied
    form = CallForm(request.POST if request.POST.get("do") == "call" else None, page=page)
    if request.method == "POST" and (form.is_valid() or not form.is_bound):
        _do(request, page, form)
        return redirect(request.path)
    return render(request, "phone/call.html", _context(page, form))


def _do(request: HttpRequest, page: TablePage, form: CallForm) -> None:
    if form.is_bound:
        attempt(request, lambda: calls.call_organiser(actor=page.actor, table=page.table, **form.cleaned_data))
        return
    known = Call.objects.filter(table__round__event=page.event).select_related("table")
    found = get_object_or_404(known, uid=request.POST.get("call", ""))
    status = request.POST.get("do", "")
    if status in {Call.Status.DONE, Call.Status.COMING, calls.AGREED, calls.REFUSED}:
        said = _("Your seats are exchanged.") if status == calls.AGREED else ""
        attempt(request, lambda: calls.answer(actor=page.actor, call=found, status=status), said)


def _context(page: TablePage, form: CallForm) -> dict[str, Any]:
    table, entry = page.table, page.actor.entry
    waiting = Call.objects.exclude(status=Call.Status.DONE).select_related("entry", "other")
    at_table = list(waiting.filter(table=table))
    for each in at_table:
        each.is_own = each.entry_id == (entry and entry.pk)  # type: ignore[attr-defined]  # for the template
    return {
        "page": page,
        "form": form,
        "calls": at_table,
        "asked": list(waiting.filter(other=entry)) if entry else [],
        "can_call": table.round.is_open and table.round.status != Round.Status.DRAFT,
        "back": reverse("web:phone-home", args=[page.event.uid]) if entry else page.address,
    }


urlpatterns = [path("e/<slug:uid>/table/<slug:table_uid>/call/", call, name="table-call")]
