"""The public page of a player: ratings, their graph, and everything played in one game."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.language import reader_language
from scoring.models import Placing
from scoring.rankings import profiles
from scoring.rankings.ratings.model import PROVISIONAL
from scoring.units import in_points
from tournaments.actors import Actor
from tournaments.games import engine_of
from tournaments.models import Player
from tournaments.selectors import visible_clubs, visible_players
from web.base import session_actor
from web.public.graphs import Graph, Point, graph_of
from web.public.previews import preview_of

TABLES = 20  # on a page
EVENTS = 10
MOST_DRAWN = 2000  # tables of the graph, the latest


@require_safe
def player(request: HttpRequest, uid: str, game: str | None = None) -> HttpResponse:
    """Show a person in the game they play most, or in another one; what is not there leads elsewhere."""
    actor = session_actor(request)
    shown = get_object_or_404(visible_players(actor).select_related("merged_into"), uid=uid)
    if shown.merged_into is not None:
        return redirect("web:player", shown.merged_into.uid)
    played = _played(actor, shown)
    chosen = game or max(played, key=lambda slug: played[slug]["played"], default=None)
    if chosen is not None and chosen not in played:
        return redirect("web:player", shown.uid)
    context = {
        "player": shown,
        "clubs": visible_clubs(actor).filter(players=shown).order_by("name", "pk"),
        "played": played,
        "events": profiles.events_of(actor, shown)[:EVENTS],
        "game": chosen,
        "preview": preview_of(request, actor, "player", shown.uid, title=shown.name, description=_about(played)),
    }
    if chosen is not None:
        context |= _in_game(actor, shown, chosen, request.GET.get("page", "1")) | {"rating": played[chosen]}
    return render(request, "public/player.html", context)


def _about(played: dict[str, dict[str, Any]]) -> str:
    """Return a person's games and ratings in a line."""
    rated = [f"{each['name']} {each['rating']:.0f}" for each in played.values() if each.get("rating")]
    return " · ".join(rated) or _("Results and ratings")


def _played(actor: Actor, player: Player) -> dict[str, dict[str, Any]]:
    """Return the games a person has played, by slug: the name, how many tables counted, and the rating if any."""
    language = reader_language()
    counts = profiles.placings_of(actor, player).order_by("game").values("game").annotate(played=Count("pk"))
    ratings = {row.game: row._asdict() for row in profiles.ratings_of(actor, player)}
    engines = {row["game"]: engine for row in counts if (engine := engine_of(row["game"]))}
    return {
        row["game"]: row | {"name": engines[row["game"]].name.into(language)} | ratings.get(row["game"], {})
        for row in counts
        if row["game"] in engines
    }


def _in_game(actor: Actor, player: Player, game: str, number: str) -> dict[str, Any]:
    page = Paginator(profiles.history_of(actor, player, game), TABLES).get_page(number)
    return {
        "statistics": profiles.statistics_of(actor, player, game),
        "graph": _graph(actor, player, game),
        "page": page,
        "history": _history(page),
    }


def _history(page: Page[Placing]) -> list[dict[str, Any]]:
    """Return what tables did to a rating."""
    return [
        {
            "placing": placing,
            "event": placing.event,
            "rating": in_points(placing.change.after),
            "change": placing.change.delta,
        }
        for placing in page
    ]


def _graph(actor: Actor, player: Player, game: str) -> Graph | None:
    changes = profiles.placings_of(actor, player, game).filter(change__isnull=False)
    latest = changes.values_list("at", "change__after")[:MOST_DRAWN]
    points = [Point(at, in_points(after)) for at, after in reversed(latest)]
    return graph_of(points, PROVISIONAL if len(points) < MOST_DRAWN else 0)


urlpatterns = [
    path("players/<slug:uid>/", player, name="player"),
    path("players/<slug:uid>/<slug:game>/", player, name="player-game"),
]
