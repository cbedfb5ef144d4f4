"""The organiser's console: one screen per round, which keeps itself fresh. `acts` is what its buttons do."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.pages.board import Board, board_of
from scoring.pages.steps import next_step, steps_of_event, steps_of_round
from tournaments import links
from tournaments.models import Event, Role
from tournaments.pages.base import event_or_404, polled, session_actor
from tournaments.pages.qr import qr_code
from tournaments.services.entries import OPEN_FOR_ENTRY

EXTRA_MINUTES = (1, 5, 10)


@login_required
@require_safe
def console(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """Show an event's tables: of the round that is on, or of one by its number."""
    event = event_or_404(request, uid)
    context = _context(request, board_of(event, number)) | {"number": number, "tag": _tag(request, event, number)}
    return render(request, "tournaments/console/console.html", context)


@login_required
@require_safe
def part(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponseBase:
    """Answer the console, which asks again and again, with its board; 304 while nothing has changed."""
    event = event_or_404(request, uid)

    def make() -> HttpResponse:
        return render(request, "tournaments/console/_board.html", _context(request, board_of(event, number)))

    return polled(request, _tag(request, event, number), make)


def _tag(request: HttpRequest, event: Event, number: int | None) -> str:
    role = session_actor(request).role_in(event.club)
    return f'"{event.version}-{number or "now"}-{role}-{get_language()}"'


def _context(request: HttpRequest, board: Board) -> dict[str, Any]:
    event, origin = board.event, links.origin_of(request)
    round_steps, event_steps = steps_of_round(board), steps_of_event(board)
    context = {
        "event": event,
        "board": board,
        "is_organiser": session_actor(request).is_at_least(Role.ORGANISER, event.club),
        "round_steps": round_steps,
        "event_steps": event_steps,
        "main_step": next_step(board, round_steps, event_steps),
        "extra_minutes": EXTRA_MINUTES,
        "projector_link": links.projector_link(event, origin),
    }
    if event.status in OPEN_FOR_ENTRY:
        link = links.join_link(event, origin)
        context["join_qr"] = qr_code(link, _("Join {event}").format(event=event.name))
    return context
