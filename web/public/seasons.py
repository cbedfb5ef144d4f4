"""The public page of a season: its table, page by page, and the race of those who lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from core.computations import Kind
from core.costly import PAGE
from scoring.models import SeasonRow
from scoring.rankings.standings import words
from scoring.rankings.standings.readable import SEASON, readable, scale_of
from scoring.selectors import season_course, season_rows
from scoring.units import MILLI, as_text
from tournaments.actors import Actor
from tournaments.models import Event, Player, Season, SeasonTieBreak
from tournaments.selectors import visible_events, visible_seasons
from tournaments.services.permissions import turn_of
from web.base import by_its_clocks, reader_of, session_actor
from web.public.base import found, inside, part
from web.public.events import Rule
from web.public.races import TOP, Race, race_of

PLACES = 100  # on a page
RESULTS = 24  # of a person; of more the best that count
EVENTS = 60  # of the season that are listed below its table
MANY = 10_000  # results of the people on a page; more are read in turn


@require_safe
def season(request: HttpRequest, uid: str) -> HttpResponse:
    """Show a page of the table of a season, each place with the results it is the sum of."""
    actor = session_actor(request)
    sizes = {"places": Count("rows"), "results": Sum("rows__events", default=0)}
    shown = found(visible_seasons(actor).annotate(**sizes), Kind.SEASON, uid)
    by_its_clocks(shown.club)
    page = Paginator(range(shown.places), PLACES).get_page(request.GET.get("page"))
    events = _events_of(shown, actor)
    first = (page.number - 1) * PLACES
    places = slice(max(first - 1, 0), first + PLACES)  # with the one above, whom the first is said to be behind
    runner = _runner(shown, request) if page.number == 1 else None
    key = (uid, page.number, _named(shown, events, places))
    version = (shown.done, shown.wanted)

    def table() -> Mapping[str, Any]:
        return {"rows": _with_names(season_rows(shown, places), events)[bool(first) :]}

    def race() -> Mapping[str, Any]:
        return {"race": _race(shown, events, runner)}

    is_much = shown.results > MANY * page.paginator.num_pages
    work = turn_of(actor, shown.club, PAGE) if is_much else None
    mine = runner and (runner.uid, runner.name)
    context = {
        "season": shown,
        "page": page,
        "race": inside(part("public/_season_race.html", (*key, mine), version, race)) if page.number == 1 else "",
        "table": inside(part("public/_season.html", key, version, table, work=work)),
        "events": events[-EVENTS:],
        "are_all": len(events) <= EVENTS,
        "rules": [Rule(str(SeasonTieBreak(each).label), str(words.SEASON_MEANINGS[each])) for each in shown.tiebreaks],
        "is_up_to_date": shown.done == shown.wanted,
    }
    return render(request, "public/season.html", context)


def _events_of(season: Season, actor: Actor) -> list[Event]:
    events = visible_events(actor).filter(season=season).exclude(status=Event.Status.DRAFT).select_related(None)
    return list(events.only("uid", "name", "starts_at", "status").order_by("starts_at", "pk"))


def _runner(season: Season, request: HttpRequest) -> Player | None:
    """Return who reads the page, where they are in the table."""
    reader = reader_of(request)
    return reader if reader and SeasonRow.objects.filter(season=season, player=reader).exists() else None


def _named(season: Season, events: Iterable[Event], places: slice) -> str:
    """Return what the page depends on beside the results: names, which no version tells of, and what one may see."""
    people = SeasonRow.objects.filter(season=season).order_by("place").values_list("player__uid", "player__name")
    known = [(event.uid, event.name, event.starts_at) for event in events]
    return sha256(repr((season.club.time_zone, known, list(people[places]))).encode()).hexdigest()


def _race(season: Season, events: Sequence[Event], runner: Player | None) -> Race | None:
    rows = season_course(season, top=TOP, person=runner.pk if runner else None)
    return race_of(rows, events, runner.uid if runner else None)


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
            "results": [result(each) for each in _best(row["results"])],
            "are_all": len(row["results"]) <= RESULTS,
            "explanation": words.explain_season(readable(row["reason"], SEASON), above[place]),
            "points": points[place],
        }
        for place, row in enumerate(rows)
    ]


def _best(results: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Return the results of a person to show: all of them, or of very many the best that count; in order of time."""
    if len(results) <= RESULTS:
        return results
    counted = [each for each in results if each["is_counted"]]
    best = sorted(range(len(counted)), key=lambda index: -counted[index]["points"])[:RESULTS]
    return [counted[index] for index in sorted(best)]


urlpatterns = [path("seasons/<slug:uid>/", season, name="season")]
