"""What goes on paper: who sits where, slips for the tables, a poster to join by, and the final standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.pages.standings import standings_of
from tournaments import links, selectors
from tournaments.models import Event, Round, Seat, Table
from tournaments.pages.base import event_or_404
from tournaments.pages.qr import qr_code
from tournaments.services.entries import OPEN_FOR_ENTRY


@dataclass(frozen=True, slots=True)
class Slip:
    """What lies on a table: who sits there, and a code that opens its score sheet."""

    table: Table
    seats: Sequence[Seat]
    qr: SafeString


def _round_or_404(event: Event, number: int) -> Round:
    return get_object_or_404(selectors.rounds_of(event), number=number)


@login_required
@require_safe
def menu(request: HttpRequest, uid: str) -> HttpResponse:
    """Show what can be printed."""
    event = event_or_404(request, uid)
    played = selectors.rounds_of(event).prefetch_related(None).exclude(kind=Round.Kind.OPEN)
    context = {"event": event, "rounds": played, "can_join": event.status in OPEN_FOR_ENTRY}
    return render(request, "tournaments/print/menu.html", context)


@login_required
@require_safe
def seating(request: HttpRequest, uid: str, number: int) -> HttpResponse:
    """Print who sits where: by name, to be found quickly, and by table."""
    event = event_or_404(request, uid)
    current = _round_or_404(event, number)
    seats = [seat for table in current.tables.all() for seat in table.seats.all()]
    numbers = {table.pk: table.number for table in current.tables.all()}
    by_name = sorted(seats, key=lambda seat: seat.entry.name.casefold())
    context = {
        "event": event,
        "current": current,
        "by_name": [(seat.entry.name, numbers[seat.table_id], seat.position) for seat in by_name],
        "tables": [(table.number, [seat.entry.name for seat in table.seats.all()]) for table in current.tables.all()],
        "sitting_out": [each.entry.name for each in current.sit_outs.all()],
    }
    return render(request, "tournaments/print/seating.html", context)


@login_required
@require_safe
def slips(request: HttpRequest, uid: str, number: int) -> HttpResponse:
    """Print a slip for each table of a round."""
    event = event_or_404(request, uid)
    current = _round_or_404(event, number)
    origin = links.origin_of(request)
    found = [
        Slip(table, list(table.seats.all()), qr_code(links.slip_link(table, origin), _("Score sheet of this table")))
        for table in current.tables.all()
    ]
    return render(request, "tournaments/print/slips.html", {"event": event, "current": current, "slips": found})


@login_required
@require_safe
def poster(request: HttpRequest, uid: str) -> HttpResponse:
    """Print how to join, large enough for a wall."""
    event = event_or_404(request, uid)
    link = links.join_link(event, links.origin_of(request))
    context = {"event": event, "link": link, "qr": qr_code(link, _("Join {event}").format(event=event.name))}
    return render(request, "tournaments/print/poster.html", context)


@login_required
@require_safe
def standings(request: HttpRequest, uid: str) -> HttpResponse:
    """Print the standings."""
    event = event_or_404(request, uid)
    return render(request, "tournaments/print/standings.html", {"event": event, "standings": standings_of(event)})
