"""The public page of an event: standings that keep themselves fresh, and the tables of each round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.computations import Kind
from core.conditional import Answer, conditional, etag, respond
from core.costly import PAGE, Work
from core.errors import DomainError
from core.likeness import is_found
from play.services.records import recorded
from scoring.models import Placing, StandingRow
from scoring.news.state import EventState
from scoring.rankings.standings import words
from tournaments.actors import NOBODY, Actor
from tournaments.models import Entry, Event, Format, Role, Seat, TieBreak
from tournaments.selectors import shown_places, visible_events
from tournaments.services import joining, places
from tournaments.services.permissions import turn_of
from web import news
from web.base import by_its_clocks, page_actor, session_actor
from web.console.board import Board, Card, board_of
from web.prizes import closing_of
from web.public.base import found, inside, part, rendered
from web.public.previews import preview_of
from web.standings import explained, grouped, standings_of, telling_tiebreaks, tiebreak_name, titled

TEMPLATE, TABLES = "public/_event.html", "public/_tables.html"
PLACES = 200  # on a page
LONGEST_SEARCH = 60
FEW = 12  # places among which everybody finds a name
MOST_DIGITS = 6  # of a number in an address


class Place(NamedTuple):
    """A seat of a table, with its place once the result counts."""

    seat: Seat
    placing: Placing | None


class Rule(NamedTuple):
    """One thing that decides the standings: its name and what it means."""

    name: str
    meaning: str


def rules_of(event: Event) -> list[Rule]:
    """Return what decides the standings of an event, the most important first, each in a sentence."""
    if event.is_solo:
        points = words.explain_points_alone(counted=event.tables_counted, least=event.tables_least)
        names = [(tiebreak_name(event, key), words.ALONE_MEANINGS[key]) for key in telling_tiebreaks(event)]
        return [Rule(_("Points"), points), *(Rule(name, str(meaning)) for name, meaning in names)]
    podium = "–".join(map(str, event.podium_points))
    points = str(words.POINTS[event.points]).format(podium=podium)
    if event.format == Format.OPEN:
        how = words.BEST_POINTS if event.tables_counted else words.OPEN_POINTS
        points += " " + str(how).format(counted=event.tables_counted, least=event.tables_least)
    return [
        Rule(_("Points"), points),
        *(Rule(str(TieBreak(key).label), str(words.MEANINGS[key])) for key in event.tiebreaks),
    ]


class View(NamedTuple):
    """What of an event is looked at: a page of the standings, a name, and a round; 0 for the one that is on."""

    page: int = 1
    round: int = 0
    q: str = ""

    @classmethod
    def asked(cls, request: HttpRequest) -> View:
        """Read what the address asks for."""
        page, number = (_whole(request.GET.get(key, text)) for key, text in (("page", "1"), ("round", "0")))
        return cls(page, number, request.GET.get("q", "")[:LONGEST_SEARCH].strip())

    @property
    def query(self) -> str:
        """What to write after an address that shows the same."""
        return urlencode({key: value for key, value in self._asdict().items() if value != ""})


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Http404
    return int(text)


@require_safe
def event(request: HttpRequest, uid: str) -> HttpResponse:
    """Show an event to anybody who may know of it."""
    actor = page_actor(request, uid)
    shown = _event(actor, uid)
    view = View.asked(request)
    answer = _live(shown, view, actor)
    context = {
        "event": shown,
        "game": shown.game_name,
        "live": inside(answer),
        "tag": answer.tag,
        "address": f"{reverse('web:event-live', args=[uid])}?{view.query}",
        "rules": rules_of(shown),
        "entry": actor.entry,
        "my_page": _page_of(actor.entry) if shown_places(actor, shown) is None else None,
        "is_ours": session_actor(request).is_at_least(Role.SCOREKEEPER, shown.club),  # also where they play along
        "preview": preview_of(
            request, actor, "event", uid, title=shown.name, description=_about(shown), version=shown.done
        ),
    }
    return render(request, "public/event.html", context | _sign_up(shown))


def _about(event: Event) -> str:
    day = date_format(timezone.localtime(event.starts_at), "j F Y")
    return f"{event.club.name} · {event.game_name} · {day}"


def _sign_up(event: Event) -> dict[str, Any]:
    """Return what the page says to those who may want to sign up ahead."""
    if not event.sign_up_ahead or event.status != Event.Status.REGISTRATION:
        return {}
    try:
        joining.refuse_sign_up(event)
        can_sign_up = True
    except DomainError:
        can_sign_up = False
    found = Counter(event.entries.values_list("status", flat=True))
    return {
        "can_sign_up": can_sign_up,
        "is_full": places.is_full(event),
        "signed_up": sum(found[status] for status in Entry.IN),
        "waiting": found[Entry.Status.WAITING],
    }


@require_safe
def live(request: HttpRequest, uid: str) -> HttpResponse:
    """Answer with what changes on the page of an event; 304 while nothing has."""
    actor, view = page_actor(request, uid), View.asked(request)
    shown = _event(actor, uid)
    return conditional(request, _tag(shown, actor), lambda: respond(request, _live(shown, view, actor)))


@require_safe
def stream(request: HttpRequest, uid: str) -> HttpResponse:
    """Tell the page of an event when something of it is new."""
    actor = page_actor(request, uid)

    def is_new(_state: EventState) -> bool:
        event = _event(actor, uid)
        return news.has_other_tag(request, _tag(event, actor))

    return news.news(request, actor, _event(actor, uid), is_new=is_new, say=news.says_news(news.of_all))


def _version(event: Any, actor: Actor) -> tuple[int, ...]:
    """Return what the page depends on; those who see fewer places than others have a version of their own."""
    most = shown_places(actor, event)
    return event.version, event.done, event.wanted, -1 if most is None else most


def _tag(event: Any, actor: Actor) -> str:
    return etag(*_version(event, actor), get_language())


def _event(actor: Actor, uid: str) -> Any:
    shown = found(visible_events(actor), Kind.STANDINGS, uid)
    by_its_clocks(shown.club)
    return shown


def _live(event: Any, view: View, actor: Actor) -> Answer:
    version, entry = _version(event, actor), actor.entry
    shown, work = _there_is(event, view), _work(event, view, actor)

    def context() -> dict[str, Any]:
        return _context(event, shown, actor)

    if shown.q:  # whatever is typed would fill the memory
        answer = rendered(TEMPLATE, _tag(event, actor), context, work=work)
    else:
        answer = part(TEMPLATE, (event.uid, shown), version, context, work=work)
    return answer if entry is None else replace(answer, body=_with_mine(answer.body, entry.uid))


def _there_is(event: Event, view: View) -> View:
    """Return a view with a page that there is: numbers beyond the last would each be kept as one more."""
    if view.page == 1 or view.q:
        return view
    last = max(1, -(-StandingRow.objects.filter(event=event).count() // PLACES))
    return view._replace(page=view.page if 0 < view.page <= last else last)


def _work(event: Event, view: View, actor: Actor) -> Work | None:
    """Return the turn in which a view is rendered; none for what is on, which everybody polls, and in small events."""
    if view == View() or event.entries.count() <= PLACES:
        return None
    return turn_of(actor, event.club, PAGE)


def _with_mine(body: bytes, uid: str) -> bytes:
    """Return the part, which is the same for every reader, with the reader's own row marked and its group open."""
    row = f'<tr id="row-{uid}"'.encode()
    before, found, after = body.partition(row)
    if not found:
        return body
    head, group, rest = before.rpartition(b'<details class="group"')
    if group and b" open" not in rest.partition(b">")[0]:
        before = head + group + b" open" + rest
    you = escape(_("you"))
    mark = f'<span class="who"><span class="mine">{you}</span>'
    return before + row + b' aria-current="true"' + after.replace(b'<span class="who">', mark.encode(), 1)


def _page_of(entry: Entry | None) -> int | None:
    """Return the page of the standings on which an entry is; None where it is on none."""
    place = entry and StandingRow.objects.filter(entry=entry).values_list("place", flat=True).first()
    return (place - 1) // PLACES + 1 if place else None


def _context(event: Any, view: View, actor: Actor) -> dict[str, Any]:
    board = board_of(event, view.round or None, is_public=True)
    standings = standings_of(event, actor=actor)
    rows = [row for row in standings.rows if not view.q or is_found(row["player"]["name"], view.q)]
    page = Paginator(rows, PLACES).get_page(view.page)
    return {
        "event": event,
        "board": board,
        "standings": standings,
        "closing": closing_of(event, standings.rows, board.rounds) if page.number == 1 and not view.q else None,
        "is_up_to_date": event.done == event.wanted,
        "groups": grouped(titled(explained(event, page), board.rounds)),
        "page": page,
        "typed": view.q,
        "more": urlencode({"q": view.q}) + "&" if view.q else "",
        "can_search": len(standings.rows) > FEW,
        "tables": _tables(board, view.round, actor),
        "is_ours_alone": standings.most is None and shown_places(NOBODY, event) is not None,
    }


def _tables(board: Board, number: int, actor: Actor) -> SafeString:
    """Return the tables of a round, which are the same beside every page of the standings: written once for all."""

    def context() -> dict[str, Any]:
        is_hidden = shown_places(actor, board.event) is not None
        return {"event": board.event, "board": board, "tables": _seated(board.cards, is_hidden=is_hidden)}

    return inside(part(TABLES, (board.event.uid, number), _version(board.event, actor), context))


def _seated(cards: Sequence[Card], *, is_hidden: bool) -> list[tuple[Card, list[Place], bool]]:
    """Return tables with their seats, by place where a result counts, and whether they have a record."""
    with_record = recorded([] if is_hidden else [card.table for card in cards])

    def places(card: Card) -> list[Place]:
        seats = [Place(seat, None if is_hidden else getattr(seat, "placing", None)) for seat in card.seats]
        return sorted(seats, key=lambda each: each.placing.rank if each.placing else 0)

    return [(card, places(card), card.table.pk in with_record) for card in cards]


urlpatterns = [
    path("e/<slug:uid>/", event, name="event"),
    path("e/<slug:uid>/live/", live, name="event-live"),
    path("e/<slug:uid>/news/", stream, name="event-news"),
]
