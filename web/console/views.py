"""The organiser's console: one screen per round, which keeps itself fresh. `actions` is what its buttons do."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.conditional import begins, conditional, etag
from scoring.news.state import EventState
from tournaments import links
from tournaments.models import Event, Role
from tournaments.services import joining
from tournaments.services.entries import OPEN_FOR_ENTRY
from web import news
from web.base import managed_event_or_404, role_in, session_actor
from web.console.board import Board, board_of
from web.console.buttons import next_step, steps_of_event, steps_of_round
from web.qr import qr_code

EXTRA_MINUTES = (1, 5, 10)


@login_required
@require_safe
def console(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """Show an event's tables: of the round that is on, or of one by its number."""
    event = managed_event_or_404(request, uid)
    context = _context(request, board_of(event, number)) | {"number": number, "tag": _tag(request, event, number)}
    return render(request, "console/console.html", context)


@login_required
@require_safe
def part(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponseBase:
    """Answer the console, which asks again and again, with its board; 304 while nothing has changed."""
    event = managed_event_or_404(request, uid)

    def make() -> HttpResponse:
        return render(request, "console/_board.html", _context(request, board_of(event, number)))

    return conditional(request, _tag(request, event, number), make)


@login_required
@require_safe
def stream(request: HttpRequest, uid: str) -> HttpResponse:
    """Tell a console when something of the event is new; its standings are not shown there."""
    event = managed_event_or_404(request, uid)

    def is_new(state: EventState) -> bool:
        return not begins(request.GET.get("tag", ""), state.head.version)

    return news.news(request, session_actor(request), event, is_new=is_new, say=news.says_news(news.of_event))


def _tag(request: HttpRequest, event: Event, number: int | None) -> str:
    return etag(event.version, number or "now", role_in(event), get_language())


def _context(request: HttpRequest, board: Board) -> dict[str, Any]:
    event, origin = board.event, links.origin_of(request)
    round_steps, event_steps = steps_of_round(board), steps_of_event(board)
    context = {
        "event": event,
        "board": board,
        "is_organiser": role_in(event) in {Role.ORGANISER, Role.OWNER},
        "round_steps": round_steps,
        "event_steps": event_steps,
        "main_step": next_step(board, round_steps, event_steps),
        "extra_minutes": EXTRA_MINUTES,
        "projector_link": links.projector_link(event, origin),
        "can_enter": event.status in OPEN_FOR_ENTRY,
        "absent": board.absent if event.has_check_in else 0,
        "is_out_of_reach": links.is_for_this_machine(origin),
    }
    if joining.is_open(event):
        link = links.join_link(event, origin)
        context["join_qr"] = qr_code(link, _("Join {event}").format(event=event.name))
    return context
