"""What a club puts on its own site: leaderboards and standings as HTML, pictures for where no script may run.

Everything here is public: no cookie and no credential is looked at, so any cache may keep
the answers. They follow the version of the ratings, or of the event, and the names of club, player and game.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.computations import Kind
from core.conditional import Answer, respond
from core.language import reader_language
from core.models import Derived
from scoring import rules
from scoring.rankings import profiles
from scoring.rankings.leaderboards import Filters, board
from tournaments.actors import NOBODY
from tournaments.games import Engine
from tournaments.links import origin_of
from tournaments.models import Club, Event
from tournaments.selectors import visible_clubs, visible_events, visible_players
from web.base import for_every_cache
from web.public.base import HTML, found, part
from web.public.leaderboards import TOP
from web.standings import standings_of

SVG = "image/svg+xml"
PLACES = 10
KEPT_FOR = 300  # seconds that caches may answer without asking
FRESH_FOR = 20  # while an event runs
LONGEST_NAME = 26  # letters that fit into a picture


@require_safe
def club_board(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Answer with the best of a club as a piece of HTML for another page."""
    return _answer(request, _club_part(request, slug, game, "_embed.html", PLACES, HTML))


@require_safe
def club_picture(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Answer with the first five of a club as a picture."""
    return _answer(request, _club_part(request, slug, game, "club.svg", TOP, SVG))


@require_safe
def player_picture(request: HttpRequest, uid: str, game: str) -> HttpResponse:
    """Answer with a player's rating as a picture."""
    engine = rules.known_game(NOBODY, game)
    player = get_object_or_404(visible_players(NOBODY).filter(merged_into=None), uid=uid)

    def context() -> dict[str, Any]:
        ratings = {row.game: row for row in profiles.ratings_of(NOBODY, player)}
        return {"player": player, "name": _name(engine), "rating": ratings.get(engine.key), "longest": LONGEST_NAME}

    return _answer(request, _part("player.svg", (player.pk, player.name), engine, context, SVG))


@require_safe
def event_standings(request: HttpRequest, uid: str) -> HttpResponse:
    """Answer with the first of an event's standings as a piece of HTML for another page."""
    shown = found(visible_events(NOBODY), Kind.STANDINGS, uid)
    is_running = shown.status == Event.Status.RUNNING
    origin = origin_of(request)

    def context() -> dict[str, Any]:
        standings = standings_of(shown, most=PLACES)
        return {
            "event": shown,
            "rows": standings.rows if standings.is_begun else (),
            "every": FRESH_FOR if is_running else 0,
            "origin": origin,
            "address": origin + reverse("web:event", args=[uid]),
        }

    version = (shown.version, shown.done, shown.wanted, _hour())
    answer = part("public/_embed_standings.html", (uid, origin), version, context)
    return _answer(request, answer, FRESH_FOR if is_running else KEPT_FOR)


def _club_part(request: HttpRequest, slug: str, game: str, template: str, size: int, kind: str) -> Answer:
    club: Club = get_object_or_404(visible_clubs(NOBODY), slug=slug)
    engine = rules.known_game(NOBODY, game, club)
    origin = origin_of(request)

    def context() -> dict[str, Any]:
        return {
            "club": club,
            "name": _name(engine),
            "rows": board(engine.key, Filters(club=club), None, timezone.now(), size).rows,
            "size": size,
            "longest": LONGEST_NAME,
            "origin": origin,
            "address": origin + reverse("web:club-leaderboard", args=[slug, game]),
        }

    return _part(template, (club.pk, club.name, origin), engine, context, kind)


def _part(template: str, key: Any, engine: Engine, context: Callable[[], dict[str, Any]], kind: str) -> Answer:
    done = Derived.objects.filter(kind=Kind.RATINGS, key=engine.key).values_list("done", flat=True).first() or 0
    shown = zlib.crc32(repr((key, _name(engine))).encode())
    return part(f"public/{template}", (key, engine.key), (done, _hour(), shown), context, kind)


def _hour() -> int:
    return int(timezone.now().timestamp()) // 3600


def _name(engine: Engine) -> str:
    return engine.name.into(reader_language())


def _answer(request: HttpRequest, answer: Answer, kept_for: int = KEPT_FOR) -> HttpResponse:
    return for_every_cache(request, respond(request, answer), kept_for)


urlpatterns = [
    path("embed/events/<slug:uid>/", event_standings, name="embed-event"),
    path("embed/clubs/<slug:slug>/<str:game>/", club_board, name="embed-club"),
    path("embed/clubs/<slug:slug>/<str:game>.svg", club_picture, name="embed-club-picture"),
    path("embed/players/<slug:uid>/<slug:game>.svg", player_picture, name="embed-player-picture"),
]
