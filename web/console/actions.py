"""What the buttons of the console do: each sends one word, here it becomes a call of a service."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.ids import ID_LENGTH
from scoring.services import decisions, reports
from scoring.services.rounds import LARGEST_SEED, seat_next_round
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import SeatingInvalidError
from tournaments.models import LONGEST_REASON, Event, Joining, Round, Table
from tournaments.services import calls, events, joining, proof, rounds, tables
from tournaments.services.proof import Answer
from web.base import attempt, managed_event_or_404, session_actor

OFF = "off"  # where a player goes who leaves the table
SLIP = "slip"
TABLE_MINUTES = 5  # that one table gets beyond the others


class ActForm(forms.Form):
    """What a button sends besides its word."""

    do = forms.CharField(max_length=20)
    reason = forms.CharField(max_length=LONGEST_REASON, required=False)
    minutes = forms.IntegerField(min_value=1, max_value=Round.MOST_MINUTES_AT_ONCE, required=False)
    entry = forms.CharField(max_length=ID_LENGTH, required=False)
    to = forms.CharField(max_length=ID_LENGTH, required=False)
    report = forms.CharField(max_length=ID_LENGTH, required=False)
    call = forms.CharField(max_length=ID_LENGTH, required=False)
    who = forms.Field(widget=forms.SelectMultiple, required=False)  # as many as are ticked
    unproven = forms.ChoiceField(choices=Answer.choices, required=False)
    label = forms.CharField(max_length=Event.LONGEST_LABEL, required=False)
    room = forms.CharField(max_length=Event.LONGEST_LABEL, required=False)


def _perform(request: HttpRequest, act: Callable[[Actor, dict[str, Any]], object]) -> None:
    """Have a button done, if its form makes sense; what a service refuses is said on the next page."""
    form = ActForm(request.POST)
    if form.is_valid():
        attempt(request, partial(act, session_actor(request), form.cleaned_data))


# --- The event --------------------------------------------------------------------------------------------------


@login_required
@require_POST
def act_on_event(request: HttpRequest, uid: str) -> HttpResponse:
    """Move an event on, seat its next round, accept its sheets, answer for phones, or say who may still join."""
    _perform(request, partial(_on_event, managed_event_or_404(request, uid)))
    return redirect("web:console", uid)


def _on_event(event: Event, actor: Actor, sent: dict[str, Any]) -> None:
    match sent["do"]:
        case "seat" | "final" as kind:
            _seat(actor, event, is_final=kind == "final")
        case "form-table":
            entries = list(selectors.entries_of(event).filter(uid__in=sent["who"]))
            tables.form_table(actor=actor, event=event, entries=entries)
        case "accept":
            decisions.accept_pending(actor=actor, event=event)
        case Answer.VOUCH | Answer.REJECT as answer:
            proof.answer_all(actor=actor, event=event, answer=Answer(answer))
        case "new-code":
            joining.renew_code(actor=actor, event=event)
        case "close-joining" | "open-joining" as do:
            fields = {"joining": Joining.CLOSED if do == "close-joining" else Joining.OPEN}
            events.edit_event(actor=actor, event=event, fields=fields)
        case status if status in Event.Status.values:
            _move(event, actor, sent)


@transaction.atomic
def _move(event: Event, actor: Actor, sent: dict[str, Any]) -> None:
    if answer := sent["unproven"]:
        proof.answer_all(actor=actor, event=event, answer=Answer(answer))
    events.change_status(actor=actor, event=event, status=sent["do"], reason=sent["reason"])


def _seat(actor: Actor, event: Event, *, is_final: bool = False) -> None:
    seed = secrets.randbelow(LARGEST_SEED)
    seat_next_round(actor=actor, event=event, seed=seed, is_final=is_final, is_draft=True)


# --- A round ----------------------------------------------------------------------------------------------------


@login_required
@require_POST
def act_on_round(request: HttpRequest, uid: str, number: int) -> HttpResponse:
    """Publish, start, extend, rearrange, close or cancel a round, or accept all its sheets that nobody disputes."""
    current = get_object_or_404(selectors.rounds_of(managed_event_or_404(request, uid)), number=number)
    _perform(request, partial(_on_round, current))
    return redirect("web:console", uid)


def _on_round(current: Round, actor: Actor, sent: dict[str, Any]) -> None:
    event, number = current.event, current.number
    match sent["do"]:
        case "extend":
            rounds.extend(actor=actor, event=event, number=number, minutes=sent["minutes"] or 1)
        case "pause":
            rounds.pause(actor=actor, event=event, number=number)
        case "resume":
            rounds.resume(actor=actor, event=event, number=number)
        case "move":
            arranged = rearranged(_seats(current), sent["entry"], sent["to"])
            rounds.move_seats(actor=actor, event=event, number=number, tables=arranged)
        case "add-table":
            rounds.add_table(actor=actor, event=event, number=number)
        case "accept":
            decisions.accept_pending(actor=actor, event=event, number=number)
        case "again":
            rounds.change_status(actor=actor, event=event, number=number, status=Round.Status.CANCELLED)
            _seat(actor, event, is_final=current.kind == Round.Kind.FINAL)
        case status if status in Round.Status.values:
            rounds.change_status(actor=actor, event=event, number=number, status=status, reason=sent["reason"])


def _seats(current: Round) -> dict[str, list[str]]:
    return {table.uid: [seat.entry.uid for seat in table.seats.all()] for table in current.tables.all()}


def rearranged(seats: dict[str, list[str]], entry: str, to: str) -> dict[str, list[str]]:
    """Return the tables that change, with their entries in order, when one entry moves.

    `to` is a table (its last seat), another entry (the two swap places), or `OFF`.
    """
    here = next((uid for uid, seated in seats.items() if entry in seated), None)
    there = next((uid for uid, seated in seats.items() if to in seated), None)
    if there is not None and here is not None:
        swap = {entry: to, to: entry}
        return {uid: [swap.get(each, each) for each in seats[uid]] for uid in (here, there)}
    if there is not None:
        raise SeatingInvalidError(_("This seat is taken. Choose a table."))
    if to != OFF and to not in seats:
        raise SeatingInvalidError(_("Choose a player and where to."))
    changed = {here: [each for each in seats[here] if each != entry]} if here is not None else {}
    if to != OFF:
        changed[to] = [*(each for each in seats[to] if each != entry), entry]
    return changed


# --- A table ----------------------------------------------------------------------------------------------------


@login_required
@require_POST
def act_on_table(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Nudge, name or remove a table, begin it, accept its sheet, or replace its slip, which is then printed."""
    event = managed_event_or_404(request, uid)
    found = Table.objects.filter(round__event=event).select_related("round__event__club")
    table = get_object_or_404(found, uid=table_uid)
    _perform(request, partial(_on_table, table))
    if request.POST.get("do") == SLIP and table.round.status != Round.Status.CANCELLED:
        return redirect(reverse("web:print-slips", args=[uid, table.round.number]) + f"?table={table.uid}")
    return redirect("web:console", uid)


def _on_table(table: Table, actor: Actor, sent: dict[str, Any]) -> None:
    match sent["do"]:
        case "nudge":
            tables.nudge(actor=actor, table=table)
        case "begin":
            tables.begin(actor=actor, table=table)
        case "slip":
            tables.renew_slip(actor=actor, table=table)
        case "extend":
            tables.extend_table(actor=actor, table=table, minutes=sent["minutes"] or TABLE_MINUTES)
        case "coming" | "done" | "agreed" as status:
            call = get_object_or_404(table.calls, uid=sent["call"])
            calls.answer(actor=actor, call=call, status=status)
        case "remove":
            rounds.remove_table(actor=actor, table=table)
        case "label":
            tables.label(actor=actor, table=table, label=sent["label"], room=sent["room"])
        case "clear-flags":
            reports.clear_flags(actor=actor, report=get_object_or_404(table.reports, uid=sent["report"]))
        case "approve":
            report = get_object_or_404(table.reports, uid=sent["report"])
            reports.confirm_report(actor=actor, report=report)
