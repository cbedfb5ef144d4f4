"""The public pages of clubs: who there is, what they play, who leads."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from django.core.paginator import Paginator
from django.db.models import Case, Count, Prefetch, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.language import reader_language
from play.services import challenges
from scoring import rules
from scoring.models import SeasonRow, StandingRow
from scoring.rankings.leaderboards import Filters
from tournaments.models import Event, Role
from tournaments.selectors import visible_clubs, visible_events, visible_seasons
from web.base import by_its_clocks, session_actor
from web.public.leaderboards import leaders_of
from web.public.previews import preview_of

CLUBS = 60  # on a page
EVENTS = 30
COMING, OVER, SEASONS = 12, 8, 6
PODIUM = 3
Status = Event.Status


class Finished(NamedTuple):
    """An event that is over, and who came first."""

    event: Event
    podium: list[StandingRow]


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the clubs, and what is played now."""
    actor = session_actor(request)
    is_open = Q(events__is_public=True, events__status__in=[Status.RUNNING, Status.REGISTRATION])
    known = visible_clubs(actor).annotate(open_events=Count("events", filter=is_open)).order_by("name", "pk")
    public = visible_events(actor).filter(club__is_public=True, is_public=True)
    context = {
        "page": Paginator(known, CLUBS).get_page(request.GET.get("page")),
        "running": public.filter(status=Status.RUNNING).order_by("-starts_at", "-pk")[:COMING],
        "coming": public.filter(status=Status.REGISTRATION, starts_at__gte=timezone.now()).order_by("starts_at")[
            :COMING
        ],
    }
    return render(request, "public/clubs.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: what is on, what comes, how the last evenings ended, and who leads."""
    actor = session_actor(request)
    shown = by_its_clocks(get_object_or_404(visible_clubs(actor), slug=slug))
    events = visible_events(actor).filter(club=shown)
    seasons = visible_seasons(actor).filter(club=shown).prefetch_related(
        Prefetch("rows", SeasonRow.objects.filter(rank=1).select_related("player").order_by("place"))
    )  # fmt: skip
    context = {
        "club": shown,
        "is_ours": actor.is_at_least(Role.SCOREKEEPER, shown),
        "running": events.filter(status=Status.RUNNING).order_by("-starts_at", "-pk")[:COMING],
        "coming": events.filter(status=Status.REGISTRATION).order_by("starts_at", "pk")[:COMING],
        "over": _finished(events.filter(status=Status.FINISHED).order_by("-starts_at", "-pk")[:OVER]),
        "challenges": [(slug, rules.game(slug).name.into(reader_language())) for slug in challenges.games()],
        "boards": [board for board in leaders_of(Filters(club=shown)) if board.rows],
        "seasons": seasons.order_by("-pk")[:SEASONS],
        "preview": preview_of(
            request, actor, "club", slug, title=shown.name, description=_("Events, results and ratings")
        ),
    }
    return render(request, "public/club.html", context)


@require_safe
def events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all events of a club, page by page: those that run, those to come, those that are over."""
    actor = session_actor(request)
    shown = by_its_clocks(get_object_or_404(visible_clubs(actor), slug=slug))
    known = visible_events(actor).filter(club=shown).exclude(status=Status.DRAFT)
    order = Case(When(status=Status.RUNNING, then=0), When(status=Status.REGISTRATION, then=1), default=2)
    soon = Case(When(status=Status.REGISTRATION, then="starts_at"))  # the next one first
    page = Paginator(known.order_by(order, soon, "-starts_at", "-pk"), EVENTS).get_page(request.GET.get("page"))
    return render(request, "public/club_events.html", {"club": shown, "page": page})


def _finished(events: QuerySet[Event]) -> list[Finished]:
    over = list(events)
    podiums: dict[int, list[StandingRow]] = defaultdict(list)
    first = StandingRow.objects.filter(event__in=over, rank__lte=PODIUM, is_ranked=True, tables__gt=0)
    for row in first.select_related("entry__player").order_by("event", "place"):
        podiums[row.event_id].append(row)
    return [Finished(event, podiums[event.pk][:PODIUM]) for event in over]


urlpatterns = [
    path("clubs/", clubs, name="clubs"),
    path("clubs/<slug:slug>/", club, name="club"),
    path("clubs/<slug:slug>/events/", events, name="club-events"),
]
