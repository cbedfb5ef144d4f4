"""The page on the wall: how to join, who sits where, the clock and the standings, in turn and without a reload."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import OuterRef
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.brute_force import count_failure
from core.computations import Kind, progress
from core.conditional import begins, conditional, etag
from core.costly import PAGE, bounded
from core.short_names import short_names, sort_key
from scoring.news.state import EventState
from tournaments import links, selectors
from tournaments.access import credentials
from tournaments.access.guards import Guard
from tournaments.actors import NOBODY
from tournaments.models import Event, Round, Table
from tournaments.services import joining
from tournaments.services.entries import OPEN_FOR_ENTRY
from web import news
from web.base import by_its_clocks, page_actor, role_in, session_actor, with_role
from web.console.board import Board, Card, board_of
from web.prizes import closing_of
from web.qr import qr_code
from web.standings import standings_of

PLACES, MOST_PLACES = 16, 48  # as many as can be read from ten metres; two columns of places
MOST_PRIZES = 3  # on a slide, though six with long names share each
MANY_TABLES = 10  # from here on people find themselves by their name sooner than by looking at every table
MANY = 200  # people, whose tables take their time
NEWEST = 12  # names of those who joined last
# For so long after the start people look for their seats: the wall shows these, and nothing else.
LOOKING = dt.timedelta(minutes=5)
SIGNS: Mapping[str, str] = {"info": "▸", "warn": "?", "bad": "!", "good": "✓"}  # colour never says it alone
Each = TypeVar("Each")


@dataclass(frozen=True, slots=True)
class Slide:
    """One thing to show, for some seconds and after a wait; `items` are tables, names or places.

    The browser lays tables and names out on as many slides as they need (`fit.js`), and gives each its time.
    """

    kind: str
    seconds: int
    items: Sequence[Any] = ()
    number: int = 1
    of: int = 1
    wait: int = 0


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody's name and table; `short` is a form of the name that nobody else in the room has."""

    name: str
    short: str
    table: Table
    position: int


@dataclass(frozen=True, slots=True)
class Tile:
    """A table on the wall, with a sign for the colour of its state."""

    card: Card
    people: Sequence[Seated]

    @property
    def sign(self) -> str:
        """The sign."""
        return SIGNS.get(self.card.tone, "")


def _seen(request: HttpRequest, uid: str) -> tuple[Event, bool]:
    """Return the event, and whether its join code may be shown: to organisers, and by the projector's own link."""
    computed = progress(Kind.STANDINGS, OuterRef("uid"))
    if key := request.GET.get("key"):
        event = Event.objects.select_related("club").annotate(**computed).filter(uid=uid).first()
        is_ours = key.startswith(credentials.PROJECTOR)
        if event is not None and is_ours and credentials.is_genuine(key, event.uid, event.generation):
            by_its_clocks(event.club)
            return event, True
        count_failure(request)
        raise Http404
    events = with_role(selectors.visible_events(page_actor(request, uid)), session_actor(request))
    event = get_object_or_404(events.annotate(**computed), uid=uid)
    by_its_clocks(event.club)
    return event, role_in(event) is not None


@require_safe
def projector(request: HttpRequest, uid: str) -> HttpResponse:
    """Show the page that a projector keeps open."""
    event, knows_code = _seen(request, uid)
    tag = _tag(event, knows_code=knows_code)  # before what it stands for: news in between must not be missed
    key = {"key": request.GET["key"]} if "key" in request.GET else {}
    named = {
        "tag": tag,
        "part": _with(key, "web:projector-part", uid),
        "news": _with(key, "web:projector-news", uid),
    }
    return _shown(request, "projector/projector.html", event, knows_code=knows_code, **named)


def _shown(request: HttpRequest, template: str, event: Event, *, knows_code: bool, **named: str) -> HttpResponse:
    """Show a wall; to strangers in turn where many play, who ask for it as often as they like."""
    with bounded(None if knows_code or event.entries.count() <= MANY else PAGE):
        return render(request, template, _context(request, event, knows_code=knows_code) | named)


def _with(key: dict[str, str], route: str, uid: str) -> str:
    return reverse(route, args=[uid]) + (f"?{urlencode(key)}" if key else "")


@require_safe
def part(request: HttpRequest, uid: str) -> HttpResponseBase:
    """Answer the projector, which asks again and again; 304 while nothing has changed."""
    event, knows_code = _seen(request, uid)

    def make() -> HttpResponse:
        return _shown(request, "projector/_projector.html", event, knows_code=knows_code)

    return conditional(request, _tag(event, knows_code=knows_code), make)


@require_safe
def stream(request: HttpRequest, uid: str) -> HttpResponse:
    """Tell a projector when something of the event or its standings is new."""
    event, _knows_code = _seen(request, uid)
    has_key = "key" in request.GET
    actor = NOBODY if has_key else page_actor(request, uid)

    def is_new(state: EventState) -> bool:
        return not begins(request.GET.get("tag", ""), state.head.version, state.head.done)

    guard = Guard(is_inside=True, projector=(event.pk, event.generation)) if has_key else None
    return news.news(request, actor, event, is_new=is_new, say=news.says_news(news.of_all), guard=guard)


def _tag(event: Any, *, knows_code: bool) -> str:
    state = "done" if event.done == event.wanted else "pending"
    return etag(event.version, event.done, state, knows_code, get_language())


def _context(request: HttpRequest, event: Event, *, knows_code: bool) -> dict[str, Any]:
    board = board_of(event, is_public=True)
    newest = sorted(board.present, key=lambda entry: entry.created_at, reverse=True)[:NEWEST]
    can_join = knows_code and joining.is_open(event)
    slides = list(_slides(board, can_join=can_join))
    context: dict[str, Any] = {"event": event, "board": board, "newest": newest, "slides": slides}
    if can_join:
        link = links.join_link(event, links.origin_of(request))
        context |= {"join_link": link, "join_qr": qr_code(link, _("Join {event}").format(event=event.name))}
    return context


def _slides(board: Board, *, can_join: bool) -> Iterator[Slide]:
    """Yield what is to be seen now, in turn."""
    event, current = board.event, board.current
    is_between = current is None or not current.is_open
    joins = "join" if can_join else "welcome"
    if event.status in OPEN_FOR_ENTRY and is_between and not board.is_open_play:
        yield Slide(joins, 12)
    wait = 0
    if current is not None and current.is_open:
        yield from _seating(board.cards)
        if current.status == Round.Status.SEATED:
            return
        wait = _seconds_of_looking(current)
        if current.ends_at is not None:
            yield Slide("clock", 12, wait=wait)
    elif board.is_open_play and not event.is_over:
        yield Slide(joins, 12)
        yield from _seating([card for card in board.cards if card.table.status not in Table.SETTLED])
    standings = standings_of(event, most=MOST_PLACES)
    if standings.is_begun:
        if (closing := closing_of(event, standings.rows, board.rounds)) is not None:
            yield Slide("podium", 20, [closing.podium])
            yield from _paged("prizes", 15, closing.prizes, MOST_PRIZES)
        yield from _paged("standings", 12, standings.rows, PLACES, wait)
    elif event.is_over or event.status == Event.Status.DRAFT:
        yield Slide("welcome", 12)


def _seating(cards: Sequence[Card]) -> Iterator[Slide]:
    """Yield the tables; where there are many, also everybody by name."""
    short = short_names(seat.entry.name for card in cards for seat in card.seats)
    tiles = [
        Tile(card, [Seated(n := seat.entry.name, short[n], card.table, seat.position) for seat in card.seats])
        for card in cards
    ]
    if tiles:
        yield Slide("seating", 15, tiles)
    if len(tiles) >= MANY_TABLES:
        everybody = [person for tile in tiles for person in tile.people]
        yield Slide("finder", 15, sorted(everybody, key=lambda person: sort_key(person.name)))


def _seconds_of_looking(current: Round) -> int:
    """Return how long people will still look for their seats."""
    since = timezone.now() - (current.started_at or current.created_at)
    return max(0, int((LOOKING - since).total_seconds()))


def _paged(kind: str, seconds: int, items: Sequence[Each], most: int, wait: int = 0) -> Iterator[Slide]:
    """Yield as many slides as the items need, about equally full."""
    pages = -(-len(items) // most)
    for number in range(pages):
        begin, end = len(items) * number // pages, len(items) * (number + 1) // pages
        yield Slide(kind, seconds, items[begin:end], number + 1, pages, wait)
