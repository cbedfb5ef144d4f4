"""The page on the wall: how to join, who sits where, the clock and the standings, in turn and without a reload."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.guesses import count_guess
from scoring.pages.board import Board, board_of
from scoring.pages.standings import standings_of, standings_tag
from tournaments import credentials, links, selectors
from tournaments.models import Event, Role, Round, Table
from tournaments.pages.base import page_actor, polled, session_actor
from tournaments.pages.qr import qr_code
from tournaments.services.entries import OPEN_FOR_ENTRY

TABLES, PLACES, MOST_PLACES = 12, 16, 48  # as many as can be read from ten metres; two columns of places
OVER = (Table.Status.FINAL, Table.Status.DROPPED)
Each = TypeVar("Each")


@dataclass(frozen=True, slots=True)
class Slide:
    """One thing to show, for some seconds; `items` are tables or places."""

    kind: str
    seconds: int
    items: Sequence[Any] = ()
    number: int = 1
    of: int = 1


def _seen(request: HttpRequest, uid: str) -> tuple[Event, bool]:
    """Return the event, and whether its join code may be shown: to organisers, and by the projector's own link."""
    if key := request.GET.get("key"):
        event = Event.objects.select_related("club").filter(uid=uid).first()
        is_ours = key.startswith(credentials.PROJECTOR)
        if event is not None and is_ours and credentials.is_genuine(key, event.uid, links.PROJECTOR_GENERATION):
            return event, True
        count_guess(request)
        raise Http404
    event = get_object_or_404(selectors.visible_events(page_actor(request, uid)), uid=uid)
    return event, session_actor(request).is_at_least(Role.SCOREKEEPER, event.club)


@require_safe
def projector(request: HttpRequest, uid: str) -> HttpResponse:
    """Show the page that a projector keeps open."""
    event, knows_code = _seen(request, uid)
    address = reverse("scoring:projector-part", args=[uid])
    key = {"key": request.GET["key"]} if "key" in request.GET else {}
    context = _context(request, event, knows_code=knows_code) | {
        "tag": _tag(event, knows_code=knows_code),
        "part": f"{address}?{urlencode(key)}" if key else address,
    }
    return render(request, "tournaments/projector.html", context)


@require_safe
def part(request: HttpRequest, uid: str) -> HttpResponseBase:
    """Answer the projector, which asks again and again; 304 while nothing has changed."""
    event, knows_code = _seen(request, uid)

    def make() -> HttpResponse:
        return render(request, "tournaments/_projector.html", _context(request, event, knows_code=knows_code))

    return polled(request, _tag(event, knows_code=knows_code), make)


def _tag(event: Event, *, knows_code: bool) -> str:
    return f'"{event.version}-{standings_tag(event)}-{knows_code}-{get_language()}"'


def _context(request: HttpRequest, event: Event, *, knows_code: bool) -> dict[str, Any]:
    board = board_of(event)
    context: dict[str, Any] = {"event": event, "board": board, "slides": list(_slides(board, knows_code=knows_code))}
    if knows_code and event.status in OPEN_FOR_ENTRY:
        link = links.join_link(event, links.origin_of(request))
        context |= {"join_link": link, "join_qr": qr_code(link, _("Join {event}").format(event=event.name))}
    return context


def _slides(board: Board, *, knows_code: bool) -> Iterator[Slide]:
    """Yield what is to be seen now, in turn."""
    event, current = board.event, board.current
    is_between = current is None or not current.is_open
    if event.status in OPEN_FOR_ENTRY and is_between and not board.is_open_play:
        yield Slide("join" if knows_code else "welcome", 12)
    if current is not None and current.is_open:
        yield from _paged("seating", 15, list(board.cards), TABLES)
        if current.status == Round.Status.RUNNING and current.ends_at is not None:
            yield Slide("clock", 15)
    elif board.is_open_play and not event.is_over:
        yield Slide("join" if knows_code else "welcome", 12)
        now = [card for card in board.cards if card.table.status not in OVER]
        yield from _paged("seating", 15, now, TABLES)
    standings = standings_of(event)
    if standings.is_begun:
        yield from _paged("standings", 12, standings.rows[:MOST_PLACES], PLACES)
    elif event.is_over or event.status == Event.Status.DRAFT:
        yield Slide("welcome", 12)


def _paged(kind: str, seconds: int, items: Sequence[Each], most: int) -> Iterator[Slide]:
    """Yield as many slides as the items need, about equally full."""
    pages = -(-len(items) // most)
    for number in range(pages):
        begin, end = len(items) * number // pages, len(items) * (number + 1) // pages
        yield Slide(kind, seconds, items[begin:end], number + 1, pages)
