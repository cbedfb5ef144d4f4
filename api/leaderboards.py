"""Leaderboards: everywhere, and of a club."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import path
from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.settings import api_settings

from api.base import IF_NONE_MATCH
from api.clubs import club_or_404
from api.polled import FORMAT, ListVersion, PolledView
from api.serializers import PersonOutput
from core.computations import Kind
from core.costly import EXPORT
from scoring import rules
from scoring.rankings.leaderboards import LONGEST_SEARCH, Cursor, Filters, board
from tournaments.games import Engine, own_game
from tournaments.models import Club
from tournaments.selectors import visible_clubs
from tournaments.services.permissions import turn_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class BoardQuery(serializers.Serializer):
    """What a leaderboard can be narrowed to."""

    active_since = serializers.DateTimeField(required=False, help_text="Only who has played since.")
    provisional = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="`false` leaves provisional ratings out."
    )
    min_tables = serializers.IntegerField(required=False, min_value=0, max_value=10**6, default=0)
    search = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_SEARCH,
        help_text="Words of a name, the last may be unfinished; accents and case make no difference. "
        "Ranks stay those of the whole list.",
    )
    cursor = serializers.CharField(required=False, max_length=200)


READ = {*BoardQuery().fields, api_settings.URL_FORMAT_OVERRIDE}


class BoardRowOutput(serializers.Serializer):
    """A place on a leaderboard."""

    rank = serializers.IntegerField()
    player = PersonOutput()
    rating = serializers.FloatField()
    provisional = serializers.BooleanField()
    tables = serializers.IntegerField()
    last_played = serializers.DateTimeField()
    change_30_days = serializers.FloatField(allow_null=True)


class BoardOutput(serializers.Serializer):
    """A page of a leaderboard."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    game = serializers.CharField()
    version = serializers.IntegerField()
    up_to_date = serializers.BooleanField()
    results = BoardRowOutput(many=True)


class Leaderboard(PolledView):
    """Everybody's ratings in a game."""

    csv_columns = (
        "rank", "player", "name", "rating", "provisional", "tables", "last_played", "change_30_days",
    )  # fmt: skip

    @extend_schema(
        operation_id="leaderboards_retrieve",
        parameters=[BoardQuery, FORMAT, IF_NONE_MATCH],
        responses=BoardOutput,
    )
    def get(self, request: Request, game: str) -> HttpResponse:
        """Read a page of 50 of everybody's ratings, best first; CSV has no pages."""
        engine = rules.known_game(self.actor, game)
        own = own_game(engine.key)
        return self.answer(engine, own.club, self._seen(own.club)) if own else self.answer(engine)

    def _seen(self, club: Club) -> QuerySet[Club]:
        return visible_clubs(self.actor).filter(pk=club.pk)

    def answer(self, engine: Engine, club: Club | None = None, seen: QuerySet[Club] | None = None) -> HttpResponse:
        """Answer with a page, from bytes where nothing changed."""
        game = engine.key
        asked = self.query(BoardQuery)
        filters = Filters(club, asked.get("active_since"), asked["provisional"], asked["min_tables"], asked["search"])

        def make(state: ListVersion) -> dict[str, Any]:
            return self._page(game, filters, asked.get("cursor"), state.day) | {
                "game": engine.slug,
                "version": state.done,
                "up_to_date": state.done == state.wanted,
            }

        work = turn_of(self.actor, club, EXPORT) if self.request.accepted_renderer.format == "csv" else None
        read = (self.request.build_absolute_uri("/"), *sorted(self._given.items()))
        return self.polled_list(Kind.RATINGS, game, make, seen, read=read, work=work)

    @property
    def _given(self) -> dict[str, str]:
        """What the address says to this view: each parameter once, and none that is not read."""
        return {name: self.request.query_params[name] for name in self.request.query_params if name in READ}

    def _page(self, game: str, filters: Filters, cursor: str | None, now: dt.datetime) -> dict[str, Any]:
        if self.request.accepted_renderer.format == "csv":
            return {"next": None, "previous": None, "results": board(game, filters, None, now, size=None).rows}
        try:
            place = Cursor.read(cursor) if cursor else None
        except ValueError:
            raise NotFound from None
        page = board(game, filters, place, now)
        return {"next": self._link(page.next), "previous": self._link(page.previous), "results": page.rows}

    def _link(self, cursor: Cursor | None) -> str | None:
        if cursor is None:
            return None
        query = urlencode(self._given | {"cursor": cursor.written()})
        return str(self.request.build_absolute_uri(f"{self.request.path}?{query}"))


class ClubLeaderboard(Leaderboard):
    """The ratings of a club's players in a game."""

    @extend_schema(
        operation_id="clubs_leaderboard",
        parameters=[BoardQuery, FORMAT, IF_NONE_MATCH],
        responses=BoardOutput,
    )
    def get(self, request: Request, slug: str, game: str) -> HttpResponse:  # type: ignore[override]  # one more place
        """Read a page of 50 of the ratings of a club's players, best first; CSV has no pages."""
        club = club_or_404(self.actor, slug)
        return self.answer(rules.known_game(self.actor, game, club), club, self._seen(club))


urlpatterns = [
    path("leaderboards/<str:game>/", Leaderboard.as_view(), name="leaderboard"),
    path("clubs/<slug:slug>/leaderboards/<str:game>/", ClubLeaderboard.as_view(), name="club-leaderboard"),
]
