"""What the buttons of the console do: each sends one word, here it becomes a call of a service."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.api.rounds import LARGEST_SEED
from scoring.services import decisions, reports
from scoring.services.rounds import seat_next_round
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import SeatingInvalidError
from tournaments.models import Event, Round, Table
from tournaments.pages.base import attempt, event_or_404, session_actor
from tournaments.services import events, rounds, tables

OFF = "off"  # where a player goes who leaves the table


class ActForm(forms.Form):
    """What a button sends besides its word."""

    do = forms.CharField(max_length=20)
    reason = forms.CharField(max_length=500, required=False)
    minutes = forms.IntegerField(min_value=1, max_value=240, required=False)
    entry = forms.CharField(max_length=16, required=False)
    to = forms.CharField(max_length=16, required=False)
    report = forms.CharField(max_length=16, required=False)


def _perform(request: HttpRequest, act: Callable[[Actor, dict[str, Any]], object]) -> None:
    """Have a button done, if its form makes sense; what a service refuses is said on the next page."""
    form = ActForm(request.POST)
    if form.is_valid():
        attempt(request, partial(act, session_actor(request), form.cleaned_data))


# --- The event --------------------------------------------------------------------------------------------------


@login_required
@require_POST
def act_on_event(request: HttpRequest, uid: str) -> HttpResponse:
    """Move an event on, seat its next round, or accept all its sheets that nobody disputes."""
    _perform(request, partial(_on_event, event_or_404(request, uid)))
    return redirect("scoring:console", uid)


def _on_event(event: Event, actor: Actor, sent: dict[str, Any]) -> None:
    match sent["do"]:
        case "seat" | "final" as kind:
            _seat(actor, event, is_final=kind == "final")
        case "accept":
            decisions.accept_pending(actor=actor, event=event)
        case status if status in Event.Status.values:
            events.change_status(actor=actor, event=event, status=status, reason=sent["reason"])


def _seat(actor: Actor, event: Event, *, is_final: bool = False) -> None:
    seat_next_round(actor=actor, event=event, seed=secrets.randbelow(LARGEST_SEED), is_final=is_final)


# --- A round ----------------------------------------------------------------------------------------------------


@login_required
@require_POST
def act_on_round(request: HttpRequest, uid: str, number: int) -> HttpResponse:
    """Start, extend, rearrange, close or cancel a round, or accept all its sheets that nobody disputes."""
    current = get_object_or_404(selectors.rounds_of(event_or_404(request, uid)), number=number)
    _perform(request, partial(_on_round, current))
    return redirect("scoring:console", uid)


def _on_round(current: Round, actor: Actor, sent: dict[str, Any]) -> None:
    event, number = current.event, current.number
    match sent["do"]:
        case "extend":
            rounds.extend(actor=actor, event=event, number=number, minutes=sent["minutes"] or 1)
        case "move":
            arranged = rearranged(_seats(current), sent["entry"], sent["to"])
            rounds.move_seats(actor=actor, event=event, number=number, tables=arranged)
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
        raise SeatingInvalidError(_("Nobody can take a seat that is taken. Choose a table."))
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
    """Nudge a table, begin it in open play, or accept its sheet."""
    event = event_or_404(request, uid)
    found = Table.objects.filter(round__event=event).select_related("round__event__club")
    _perform(request, partial(_on_table, get_object_or_404(found, uid=table_uid)))
    return redirect("scoring:console", uid)


def _on_table(table: Table, actor: Actor, sent: dict[str, Any]) -> None:
    match sent["do"]:
        case "nudge":
            tables.nudge(actor=actor, table=table)
        case "begin":
            tables.begin(actor=actor, table=table)
        case "approve":
            report = get_object_or_404(table.reports, uid=sent["report"])
            reports.confirm_report(actor=actor, report=report)
