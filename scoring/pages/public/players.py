"""The public page of a player: ratings, their graph, and everything played in one game."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.http import require_safe

from engines import GAMES
from scoring import profiles, validation
from scoring.models import Placing
from scoring.pages.graphs import Graph, Point, graph_of
from scoring.ratings.model import PROVISIONAL
from tournaments.actors import Actor
from tournaments.models import Player
from tournaments.pages.base import session_actor
from tournaments.selectors import visible_clubs, visible_players

TABLES = 20  # on a page
EVENTS = 10
MOST_DRAWN = 2000  # tables of the graph, the latest


@require_safe
def player(request: HttpRequest, uid: str, game: str | None = None) -> HttpResponse:
    """Show a person in the game they play most, or in another one; what is not there leads elsewhere."""
    actor = session_actor(request)
    shown = get_object_or_404(visible_players(actor).select_related("merged_into"), uid=uid)
    if shown.merged_into is not None:
        return redirect("scoring:player", shown.merged_into.uid)
    played = _played(shown)
    chosen = game or max(played, key=lambda slug: played[slug]["played"], default=None)
    if chosen is not None and chosen not in played:
        return redirect("scoring:player", shown.uid)
    context = {
        "player": shown,
        "clubs": visible_clubs(actor).filter(players=shown).order_by("name", "pk"),
        "played": played,
        "events": profiles.events_of(actor, shown)[:EVENTS],
        "game": chosen,
    }
    if chosen is not None:
        context |= _in_game(actor, shown, chosen, request.GET.get("page", "1")) | {"rating": played[chosen]}
    return render(request, "scoring/public/player.html", context)


def _played(player: Player) -> dict[str, dict[str, Any]]:
    """Return the games a person has played, by slug: the name, how many tables counted, and the rating if any."""
    language = validation.language()
    counts = profiles.placings_of(player).order_by("game").values("game").annotate(played=Count("pk"))
    ratings = {row["game"]: row for row in profiles.ratings_of(player)}
    return {
        row["game"]: row | {"name": GAMES[row["game"]].name.into(language)} | ratings.get(row["game"], {})
        for row in counts
    }


def _in_game(actor: Actor, player: Player, game: str, number: str) -> dict[str, Any]:
    page = Paginator(profiles.history_of(player, game), TABLES).get_page(number)
    return {
        "statistics": profiles.statistics_of(actor, player, game),
        "graph": _graph(player, game),
        "page": page,
        "history": _history(actor, page),
    }


def _history(actor: Actor, page: Page[Placing]) -> list[dict[str, Any]]:
    """Return what tables did to a rating; without the event where the reader may not know of it."""
    placings = list(page)
    hidden = profiles.hidden_events(actor, placings)
    return [
        {
            "placing": placing,
            "event": None if placing.event_id in hidden else placing.event,
            "rating": placing.change.after / 1000,
            "change": placing.change.after - placing.change.before,
        }
        for placing in placings
    ]


def _graph(player: Player, game: str) -> Graph | None:
    changes = profiles.placings_of(player, game).filter(change__isnull=False)
    latest = changes.values_list("at", "change__after")[:MOST_DRAWN]
    points = [Point(at, after / 1000) for at, after in reversed(latest)]
    return graph_of(points, PROVISIONAL if len(points) < MOST_DRAWN else 0)


urlpatterns = [
    path("players/<slug:uid>/", player, name="player"),
    path("players/<slug:uid>/<slug:game>/", player, name="player-game"),
]
