"""The public pages of clubs: who there is, what they play, who leads; and the tables of their seasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.db.models import Case, Count, Prefetch, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.computations import Kind
from core.costly import PAGE, bounded
from core.language import reader_language
from play.services import challenges
from scoring import rules
from scoring.models import SeasonRow, StandingRow
from scoring.rankings.leaderboards import Filters
from scoring.rankings.standings import words
from scoring.rankings.standings.readable import SEASON, readable, scale_of
from scoring.selectors import season_course, season_rows
from scoring.units import MILLI, as_text
from tournaments.actors import Actor
from tournaments.models import Event, Player, Role, Season, SeasonTieBreak
from tournaments.selectors import visible_clubs, visible_events, visible_seasons
from tournaments.services.permissions import turn_of
from web.base import by_its_clocks, reader_of, session_actor
from web.public.base import found
from web.public.events import Rule
from web.public.leaderboards import leaders_of
from web.public.previews import preview_of
from web.public.races import TOP, Race, race_of

CLUBS = 60  # on a page
PLACES = 200  # of a season; the table of more takes its time
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


@require_safe
def season(request: HttpRequest, uid: str) -> HttpResponse:
    """Show the table of a season, each place with the results it is the sum of; a long one when it is its turn."""
    actor = session_actor(request)
    shown = found(visible_seasons(actor).annotate(places=Count("rows")), Kind.SEASON, uid)
    by_its_clocks(shown.club)
    with bounded(turn_of(actor, shown.club, PAGE) if shown.places > PLACES else None):
        return render(request, "public/season.html", _season(shown, actor, reader_of(request)))


def _season(shown: Any, actor: Actor, reader: Player | None) -> dict[str, Any]:
    events = list(visible_events(actor).filter(season=shown).exclude(status=Status.DRAFT).order_by("starts_at", "pk"))
    return {
        "season": shown,
        "events": events,
        "rows": _with_names(season_rows(shown), events),
        "race": _race(shown, events, reader),
        "rules": [Rule(str(SeasonTieBreak(key).label), str(words.SEASON_MEANINGS[key])) for key in shown.tiebreaks],
        "is_up_to_date": shown.done == shown.wanted,
    }


def _race(season: Season, events: Sequence[Event], reader: Player | None) -> Race | None:
    rows = season_course(season, top=TOP, person=reader.pk if reader else None)
    return race_of(rows, events, reader.uid if reader else None)


def _with_names(rows: Sequence[dict[str, Any]], events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return rows in readable points whose results name their event; None for events the reader may not know of."""
    by_uid = {event.uid: event for event in events}
    scale = scale_of(SEASON)
    points = scale.texts([row["points"] for row in rows])
    above = ["", *(row["player"]["name"] for row in rows)]

    def result(each: dict[str, Any]) -> dict[str, Any]:
        return each | {"event": by_uid.get(each["event"]), "points": scale.texts([as_text(each["points"], MILLI)])[0]}

    return [
        row
        | {
            "results": [result(each) for each in row["results"]],
            "explanation": words.explain_season(readable(row["reason"], SEASON), above[place]),
            "points": points[place],
        }
        for place, row in enumerate(rows)
    ]


urlpatterns = [
    path("clubs/", clubs, name="clubs"),
    path("clubs/<slug:slug>/", club, name="club"),
    path("clubs/<slug:slug>/events/", events, name="club-events"),
    path("seasons/<slug:uid>/", season, name="season"),
]
