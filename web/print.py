"""What goes on paper: who sits where, slips and score sheets, a poster to join by, standings and certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.costly import OWN, bounded
from core.language import reader_language
from core.short_names import sort_key
from scoring import rules
from tournaments import links, selectors
from tournaments.games import engine_of_game
from tournaments.models import Event, Round, Seat, Table
from tournaments.services import joining
from tournaments.services.plans import plan_of
from web.base import managed_event_or_404, session_actor
from web.phone.sheets import SeatName
from web.phone.sheets.paper import Block, blank, block_of
from web.prizes import won_in
from web.qr import qr_code
from web.standings import standings_of, standings_progress

MANY = 200  # people, who fill some fifty tables


@dataclass(frozen=True, slots=True)
class Slip:
    """What lies on a table: who sits there, and a code that opens its score sheet."""

    table: Table
    seats: Sequence[Seat]
    qr: SafeString


@dataclass(frozen=True, slots=True)
class Paper:
    """A score sheet to print: empty, or of a table with its names and the code that sends it in."""

    block: Block
    table: Table | None = None
    qr: SafeString | str = ""


def of_event(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Print something of everybody in an event of one's club; in turn, where they are many."""

    @wraps(view)
    def printed(request: HttpRequest, uid: str, **where: int) -> HttpResponse:
        event = managed_event_or_404(request, uid)
        with bounded(OWN if event.entries.count() > MANY else None):
            return view(request, event, **where)

    return printed


def _round_or_404(event: Event, number: int) -> Round:
    return get_object_or_404(selectors.rounds_of(event), number=number)


@login_required
@require_safe
def menu(request: HttpRequest, uid: str) -> HttpResponse:
    """Show what can be printed."""
    event = managed_event_or_404(request, uid)
    played = selectors.rounds_of(event).prefetch_related(None).exclude(kind=Round.Kind.OPEN)
    context = {"event": event, "rounds": played, "can_join": joining.is_open(event)}
    return render(request, "print/menu.html", context)


@login_required
@require_safe
@of_event
def seating(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Print who sits where: by name, to be found quickly, and by table."""
    current = _round_or_404(event, number)
    seats = [seat for table in current.tables.all() for seat in table.seats.all()]
    tables = {table.pk: table for table in current.tables.all()}
    by_name = sorted(seats, key=lambda seat: sort_key(seat.entry.name))
    context = {
        "event": event,
        "current": current,
        "by_name": [(seat.entry.name, tables[seat.table_id], seat.position) for seat in by_name],
        "tables": [(table, [seat.entry.name for seat in table.seats.all()]) for table in current.tables.all()],
        "sitting_out": [each.entry.name for each in current.sit_outs.all()],
    }
    return render(request, "print/seating.html", context)


@login_required
@require_safe
@of_event
def plan(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the whole plan of a rotation, on the screen and on paper: who sits where in which round."""
    rounds = plan_of(event)
    seats: dict[str, dict[int, int]] = {}
    for each in rounds:
        for table in each.tables:
            for entry in table.entries:
                seats.setdefault(entry.name, {})[each.number] = table.number
    by_name = [(name, [seats[name].get(each.number) for each in rounds]) for name in sorted(seats, key=sort_key)]
    return render(request, "print/plan.html", {"event": event, "rounds": rounds, "by_name": by_name})


@login_required
@require_safe
@of_event
def slips(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Print a slip for each table of a round, or for the one that is asked for."""
    current = _round_or_404(event, number)
    origin = links.origin_of(request)
    found = [
        Slip(table, list(table.seats.all()), qr_code(links.slip_link(table, origin), _score_sheet_of(event)))
        for table in current.tables.all()
        if table.uid == request.GET.get("table", table.uid)
    ]
    return render(request, "print/slips.html", {"event": event, "current": current, "slips": found})


@require_safe
def game_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Print an empty score sheet of a game, for anybody."""
    engine = rules.game(slug)
    ways = [(each.slug, each.name.into(reader_language())) for each in engine.variants]
    found = [Paper(blank(engine, request.GET.get("variant", "")))]
    return _papers(request, found, reverse("web:game", args=[slug]), ways=ways if len(ways) > 1 else ())


@require_safe
def club_game_sheet(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Print an empty score sheet of a club's own game, for whoever may know of it."""
    actor = session_actor(request)
    known = selectors.described(actor, selectors.visible_games(actor))
    own = get_object_or_404(known, club__slug=slug, slug=game)
    return _papers(request, [Paper(blank(engine_of_game(own)))], reverse("web:club-game", args=[slug, game]))


@login_required
@require_safe
def blank_sheet(request: HttpRequest, uid: str) -> HttpResponse:
    """Print an empty score sheet of an event's game, as the event plays it."""
    event = managed_event_or_404(request, uid)
    back = reverse("web:print", args=[uid])
    return _papers(request, [Paper(blank(rules.game_of(event), event.variant))], back, event=event)


@login_required
@require_safe
@of_event
def sheets(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Print a score sheet for each table of a round, or for the one that is asked for."""
    current = _round_or_404(event, number)
    engine, origin = rules.game_of(event), links.origin_of(request)

    def paper(table: Table) -> Paper:
        people = [SeatName(label, name) for label, name in rules.names_of(table).items()]
        code = qr_code(links.slip_link(table, origin), _score_sheet_of(event))
        return Paper(block_of(engine, engine.variant(table.variant), people), table, code)

    found = [paper(table) for table in current.tables.all() if table.uid == request.GET.get("table", table.uid)]
    return _papers(request, found, reverse("web:print", args=[event.uid]), event=event, current=current)


def _papers(request: HttpRequest, papers: Sequence[Paper], back: str, **context: Any) -> HttpResponse:
    return render(request, "print/sheets.html", {"papers": papers, "back": back, **context})


@login_required
@require_safe
def poster(request: HttpRequest, uid: str) -> HttpResponse:
    """Print how to join, large enough for a wall."""
    event = managed_event_or_404(request, uid)
    link = links.join_link(event, links.origin_of(request))
    context = {"event": event, "link": link, "qr": qr_code(link, _("Join {event}").format(event=event.name))}
    return render(request, "print/poster.html", context)


@login_required
@require_safe
def certificates(request: HttpRequest, uid: str) -> HttpResponse:
    """Print a certificate for everybody who won a prize, each on a sheet of its own."""
    event = managed_event_or_404(request, uid)
    context = {"event": event, "won": won_in(event), "is_up_to_date": standings_progress(event).is_up_to_date}
    return render(request, "print/certificates.html", context)


@login_required
@require_safe
@of_event
def standings(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the standings."""
    context = {
        "event": event,
        "standings": standings_of(event, actor=session_actor(request)),
        "is_up_to_date": standings_progress(event).is_up_to_date,
    }
    return render(request, "print/standings.html", context)


def _score_sheet_of(event: Event) -> str:
    """Say what a code on paper opens."""
    return _("Score sheet of this game") if event.is_solo else _("Score sheet of this table")
