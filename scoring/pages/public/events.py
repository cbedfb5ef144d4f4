"""The public page of an event: standings that keep themselves fresh, and the tables of each round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.derived import Kind
from scoring import validation
from scoring.api.hot import Answer, respond
from scoring.models import Placing
from scoring.pages.board import Card, board_of
from scoring.pages.public.base import found, part
from scoring.pages.standings import standings_of
from scoring.standings import words
from tournaments.actors import Actor
from tournaments.models import Event, Format, Role, Seat, TieBreak
from tournaments.pages.base import page_actor
from tournaments.selectors import visible_events

PLACES = 200  # on a page
LARGEST = 10**6


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
    """What of an event is looked at: a page of the standings, and a round; 0 for the one that is on."""

    page: int = 1
    round: int = 0

    @classmethod
    def asked(cls, request: HttpRequest) -> View:
        """Read what the address asks for."""
        return cls(_whole(request.GET.get("page", "1")), _whole(request.GET.get("round", "0")))

    @property
    def query(self) -> str:
        """What to write after an address that shows the same."""
        return urlencode(self._asdict())


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) < LARGEST):
        raise Http404
    return int(text)


@require_safe
def event(request: HttpRequest, uid: str) -> HttpResponse:
    """Show an event to anybody who may know of it."""
    actor = page_actor(request, uid)
    shown = _event(actor, uid)
    view = View.asked(request)
    answer = _live(shown, view)
    context = {
        "event": shown,
        "game": validation.game(shown.game).name.into(validation.language()),
        "live": mark_safe(answer.body.decode()),  # noqa: S308  # a template's own output
        "tag": answer.tag,
        "address": f"{reverse('scoring:event-live', args=[uid])}?{view.query}",
        "rules": rules_of(shown),
        "entry": actor.entry,
        "is_ours": actor.is_at_least(Role.SCOREKEEPER, shown.club),
    }
    return render(request, "scoring/public/event.html", context)


@require_safe
def live(request: HttpRequest, uid: str) -> HttpResponse:
    """Answer with what changes on the page of an event; 304 while nothing has."""
    return respond(request, _live(_event(page_actor(request, uid), uid), View.asked(request)))


def _event(actor: Actor, uid: str) -> Any:
    return found(visible_events(actor), Kind.STANDINGS, uid)


def _live(event: Any, view: View) -> Answer:
    version = (event.version, event.done, event.wanted)
    return part("scoring/public/_event.html", (event.uid, view), version, lambda: _context(event, view))


def _context(event: Any, view: View) -> dict[str, Any]:
    board = board_of(event, view.round or None)
    standings = standings_of(event)
    page = Paginator(standings.rows, PLACES).get_page(view.page)
    return {
        "event": event,
        "board": board,
        "standings": standings,
        "places": [(row, list(zip(standings.tiebreaks, row["tiebreaks"], strict=True))) for row in page],
        "page": page,
        "tables": _tables(board.cards),
    }


def _tables(cards: Sequence[Card]) -> list[tuple[Card, list[Place]]]:
    """Return tables with their seats, those of a counted result in the order of their places."""
    placings = Placing.objects.filter(result__in=[card.table.pk for card in cards])
    by_seat = {placing.seat_id: placing for placing in placings}

    def places(card: Card) -> list[Place]:
        seats = [Place(seat, by_seat.get(seat.pk)) for seat in card.seats]
        return sorted(seats, key=lambda each: each.placing.rank if each.placing else 0)

    return [(card, places(card)) for card in cards]


urlpatterns = [
    path("e/<slug:uid>/", event, name="event"),
    path("e/<slug:uid>/live/", live, name="event-live"),
]
