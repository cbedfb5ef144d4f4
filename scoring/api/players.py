"""What a player has done: ratings, their history, results, statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from core.csv import CsvRenderer
from scoring import profiles, validation
from scoring.api.hot import FORMAT
from scoring.exports import everything_about
from scoring.models import Placing
from tournaments.api.base import ListView
from tournaments.api.players import OnePlayer, PlayerView, ProfileOutput
from tournaments.api.serializers import PersonOutput
from tournaments.errors import ForbiddenError
from tournaments.models import Player
from tournaments.services.people import is_self

if TYPE_CHECKING:
    from rest_framework.request import Request


class RatingOutput(serializers.Serializer):
    """A rating in a game."""

    game = serializers.CharField()
    rating = serializers.FloatField()
    provisional = serializers.BooleanField()
    tables = serializers.IntegerField()
    last_played = serializers.DateTimeField()


class RatedProfileOutput(ProfileOutput):
    """What everybody may know of a player, with their ratings."""

    ratings = RatingOutput(many=True)


class ChangeOutput(serializers.Serializer):
    """What a table did to a rating."""

    table = serializers.CharField(allow_null=True, help_text="None where the caller may not know of the event.")
    event = serializers.CharField(allow_null=True)
    event_name = serializers.CharField(allow_null=True)
    played_at = serializers.DateTimeField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    delta = serializers.FloatField()
    rank = serializers.IntegerField()
    seats = serializers.IntegerField()


class PlacesOutput(serializers.Serializer):
    """How often a place was reached."""

    rank = serializers.IntegerField()
    tables = serializers.IntegerField()


class PositionOutput(serializers.Serializer):
    """How somebody fares from a seat."""

    position = serializers.IntegerField()
    tables = serializers.IntegerField()
    wins = serializers.IntegerField()


class OpponentOutput(serializers.Serializer):
    """Somebody met at tables, and how often one was ahead of, level with or behind them."""

    player = PersonOutput()
    tables = serializers.IntegerField()
    ahead = serializers.IntegerField()
    level = serializers.IntegerField()
    behind = serializers.IntegerField()


class SheetOutput(serializers.Serializer):
    """A result worth remembering."""

    table = serializers.CharField()
    event = serializers.CharField()
    event_name = serializers.CharField()
    score = serializers.IntegerField()
    rank = serializers.IntegerField()
    played_at = serializers.DateTimeField()


class StatisticsOutput(serializers.Serializer):
    """What somebody has done in a game."""

    tables = serializers.IntegerField()
    wins = serializers.IntegerField()
    places = PlacesOutput(many=True)
    positions = PositionOutput(many=True)
    opponents = OpponentOutput(many=True)
    best_sheets = SheetOutput(many=True)


class FinishOutput(serializers.Serializer):
    """Where somebody stood in an event."""

    event = serializers.CharField(source="event.uid")
    event_name = serializers.CharField(source="event.name")
    club = serializers.CharField(source="event.club.slug")
    game = serializers.CharField(source="event.game")
    status = serializers.CharField(source="event.status")
    starts_at = serializers.DateTimeField(source="event.starts_at")
    rank = serializers.IntegerField()
    tables = serializers.IntegerField()


class RatedPlayer(OnePlayer):
    """One player, with ratings."""

    def profile(self, player: Player) -> dict[str, Any]:
        """Return a player as the caller may see them."""
        return {**super().profile(player), "ratings": profiles.ratings_of(player)}

    @extend_schema(operation_id="players_retrieve", responses=RatedProfileOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read a player's profile."""
        return super().get(request, uid)


class RatingHistory(ListView, PlayerView):
    """The rating of a player over time."""

    serializer_class = ChangeOutput
    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns = ("played_at", "event_name", "rank", "seats", "before", "after", "delta", "event", "table")

    @extend_schema(operation_id="players_ratings", parameters=[FORMAT], responses=ChangeOutput(many=True))
    def get(self, request: Request, uid: str, game: str) -> Response:
        """List what each table did to a player's rating in a game, newest first. CSV has no pages."""
        validation.game(game)
        rows = profiles.history_of(self.player(uid), game)
        if request.accepted_renderer.format == "csv":
            return Response(self._shapes(list(rows)))
        return self.get_paginated_response(self._shapes(list(self.paginate_queryset(rows) or ())))

    def _shapes(self, placings: list[Any]) -> list[dict[str, Any]]:
        hidden = profiles.hidden_events(self.actor, placings)
        return [_change(placing, is_hidden=placing.event_id in hidden) for placing in placings]


def _change(placing: Placing, *, is_hidden: bool) -> dict[str, Any]:
    change = placing.change
    return {
        "table": None if is_hidden else placing.result.table.uid,
        "event": None if is_hidden else placing.event.uid,
        "event_name": None if is_hidden else placing.event.name,
        "played_at": placing.result.played_at,
        "before": change.before / 1000,
        "after": change.after / 1000,
        "delta": (change.after - change.before) / 1000,
        "rank": placing.rank,
        "seats": placing.seats,  # type: ignore[attr-defined]  # by the query
    }


class Statistics(PlayerView):
    """A player in one game."""

    @extend_schema(operation_id="players_statistics", responses=StatisticsOutput)
    def get(self, request: Request, uid: str, game: str) -> Response:
        """Read what a player has done in a game: places, seats, opponents, best sheets."""
        validation.game(game)
        return Response(profiles.statistics_of(self.actor, self.player(uid), game))


class PlayerEvents(ListView, PlayerView):
    """The events of a player."""

    @extend_schema(operation_id="players_events", responses=FinishOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List where a player stood in their events, newest first."""
        return self.page(profiles.events_of(self.actor, self.player(uid)), FinishOutput)


class Export(PlayerView):
    """Everything about oneself."""

    @extend_schema(operation_id="players_export", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, uid: str) -> Response:
        """Read everything that is stored about oneself, with the account that the player is linked to."""
        player = self.player(uid)
        if not is_self(self.actor, player):
            raise ForbiddenError(_("Only the player themselves may do this."))
        return Response(everything_about(player))


urlpatterns = [
    path("players/<slug:uid>/", RatedPlayer.as_view(), name="player"),
    path("players/<slug:uid>/ratings/<slug:game>/", RatingHistory.as_view(), name="player-ratings"),
    path("players/<slug:uid>/statistics/<slug:game>/", Statistics.as_view(), name="player-statistics"),
    path("players/<slug:uid>/events/", PlayerEvents.as_view(), name="player-events"),
    path("players/<slug:uid>/export/", Export.as_view(), name="player-export"),
]
