"""Leaderboards as pages: the best of every game, and each game's own list, everywhere and of a club."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.computations import Kind, is_up_to_date
from core.language import reader_language
from scoring import rules
from scoring.rankings.leaderboards import LONGEST_SEARCH, Cursor, Filters, board
from tournaments.games import GAMES, Engine, own_engines
from tournaments.models import Club
from tournaments.selectors import visible_clubs
from web.base import session_actor

TOP = 5
MOST_OWN = 12  # games of a club's own, of which the best are shown side by side


class Leaders(NamedTuple):
    """The best of a game."""

    game: Engine
    name: str
    rows: Sequence[dict[str, Any]]


def leaders_of(filters: Filters, size: int = TOP) -> list[Leaders]:
    """Return the best of every game, in a fixed number of queries; of a club's own games those that have any."""
    now, language = timezone.now(), reader_language()
    own = own_engines(filters.club)[:MOST_OWN] if filters.club else []
    boards = [
        Leaders(engine, engine.name.into(language), board(engine.key, filters, None, now, size).rows)
        for engine in [*GAMES.values(), *own]
    ]
    return [each for each in boards if each.rows or each.game.slug in GAMES]


class BoardForm(forms.Form):
    """What a leaderboard is narrowed to."""

    search = forms.CharField(
        label=_("Find a name"),
        max_length=LONGEST_SEARCH,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    active = forms.TypedChoiceField(
        label=_("Played"),
        choices=[("", _("at any time")), ("30", _("in the last month")), ("365", _("in the last year"))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    settled = forms.BooleanField(label=_("Without provisional ratings"), required=False)

    def filters(self, club: Club | None, now: dt.datetime) -> Filters:
        """Return what was asked for; what cannot be read asks for nothing."""
        self.full_clean()
        days = self.cleaned_data.get("active")
        since = now - dt.timedelta(days=days) if days else None
        settled = False if self.cleaned_data.get("settled") else None
        return Filters(club, since, provisional=settled, search=self.cleaned_data.get("search", ""))


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the best of every game."""
    return render(request, "public/leaderboards.html", {"boards": leaders_of(Filters())})


@require_safe
def leaderboard(request: HttpRequest, game: str, slug: str | None = None) -> HttpResponse:
    """Show a page of a game's leaderboard: everybody's, or that of a club's players."""
    actor = session_actor(request)
    club = get_object_or_404(visible_clubs(actor), slug=slug) if slug else None
    engine = rules.known_game(actor, game, club)
    form, now = BoardForm(request.GET), timezone.now()
    filters = form.filters(club, now)
    page = board(engine.key, filters, _cursor(request), now)
    language = reader_language()
    context = {
        "game": engine,
        "name": engine.name.into(language),
        "games": [
            (each.slug, each.name.into(language)) for each in [*GAMES.values(), *(own_engines(club) if club else ())]
        ],
        "club": club,
        "form": form,
        "searched": filters.search.strip(),
        "rows": page.rows,
        "next": _query(request, page.next),
        "previous": _query(request, page.previous),
        "is_up_to_date": is_up_to_date(Kind.RATINGS, engine.key),
    }
    return render(request, "public/leaderboard.html", context)


def _cursor(request: HttpRequest) -> Cursor | None:
    text = request.GET.get("cursor")
    try:
        return Cursor.read(text) if text else None
    except ValueError:
        raise Http404 from None


def _query(request: HttpRequest, cursor: Cursor | None) -> str:
    """Return what to write after the address of another page; empty where there is none."""
    if cursor is None:
        return ""
    query = request.GET.copy()
    query["cursor"] = cursor.written()
    return "?" + query.urlencode()


urlpatterns = [
    path("leaderboards/", leaderboards, name="leaderboards"),
    path("leaderboards/<slug:game>/", leaderboard, name="leaderboard"),
    path("clubs/<slug:slug>/leaderboards/<str:game>/", leaderboard, name="club-leaderboard"),
]
