"""The challenge of the day: its board, the way into it, and what other sites show of it."""

from __future__ import annotations

import datetime as dt

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from play.models import Challenge, SoloGame
from play.services import challenges, games
from tournaments.actors import NOBODY
from tournaments.links import origin_of
from tournaments.models import Club, Role
from tournaments.selectors import visible_clubs
from web.base import READ_OR_SEND, attempt, by_its_clocks, for_every_cache, session_actor
from web.play.base import hold, name_of, phone_for, phone_of
from web.public.embeds import KEPT_FOR

ROWS, EMBEDDED = 100, 10


@never_cache
@READ_OR_SEND
def challenge(request: HttpRequest, game: str) -> HttpResponse:
    """Show the challenge that is everybody's, and let whoever wants begin it."""
    return _page(request, game, None)


@never_cache
@READ_OR_SEND
def club_challenge(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Show the challenge of a club."""
    club = by_its_clocks(get_object_or_404(visible_clubs(session_actor(request)), slug=slug))
    return _page(request, game, club)


def _page(request: HttpRequest, game: str, club: Club | None) -> HttpResponse:
    shown = challenges.challenge_of(game=game, club=club, day=_day(request))
    if request.method == "POST":
        return _begun(request, shown)
    phone = phone_of(request)
    results = challenges.board_of(shown)
    context = {
        "challenge": shown,
        "club": club,
        "name": name_of(game),
        "rows": challenges.ranked(results[:ROWS]),
        "count": results.count(),
        "own": games.try_of(phone, shown),
        "may_look": challenges.has_finished(phone, shown),
        "is_ours": club is not None and session_actor(request).is_at_least(Role.ORGANISER, club),
        "before": shown.day - dt.timedelta(days=1),
    }
    return render(request, "play/challenge.html", context)


def _day(request: HttpRequest) -> dt.date | None:
    text = request.GET.get("day")
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise Http404(text) from None


def _begun(request: HttpRequest, shown: Challenge) -> HttpResponse:
    phone = phone_for(request)

    def begin() -> SoloGame:
        games.count_start(request)
        games.count_try(request, phone, shown)
        return games.start_challenge(phone=phone, challenge=shown, name=request.POST.get("name", "")[:500])

    begun = attempt(request, begin)
    if begun is None:
        return redirect(request.get_full_path())
    return hold(request, redirect("web:solo", begun.uid), phone)


@require_safe
def embed(request: HttpRequest, game: str, slug: str | None = None) -> HttpResponse:
    """Answer with the board of today's challenge as a piece of HTML for another page."""
    club = get_object_or_404(visible_clubs(NOBODY), slug=slug) if slug else None
    shown = challenges.challenge_of(game=game, club=club)
    page = reverse("web:club-challenge", args=[slug, game]) if slug else reverse("web:challenge", args=[game])
    context = {
        "name": name_of(game),
        "club": club,
        "rows": challenges.ranked(challenges.board_of(shown)[:EMBEDDED]),
        "address": origin_of(request) + page,
    }
    return for_every_cache(request, HttpResponse(render_to_string("play/_embed.html", context)), KEPT_FOR)


urlpatterns = [
    path("challenge/<slug:game>/", challenge, name="challenge"),
    path("clubs/<slug:slug>/challenge/<slug:game>/", club_challenge, name="club-challenge"),
    path("embed/challenge/<slug:game>/", embed, name="embed-challenge"),
    path("embed/clubs/<slug:slug>/challenge/<slug:game>/", embed, name="embed-club-challenge"),
]
