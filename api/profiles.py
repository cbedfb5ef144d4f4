"""What a player has done: ratings, their history, results, statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ListView
from api.framework import FirstRows
from api.players import OnePlayer, PlayerView, ProfileOutput
from api.polled import FORMAT
from api.serializers import PersonOutput
from core.costly import EXPORT, bounded
from core.csv import CsvRenderer
from core.zones import ZonedTimeField
from scoring import rules
from scoring.exports import everything_about
from scoring.rankings import profiles
from scoring.units import in_points
from tournaments import trust
from tournaments.actors import Kind
from tournaments.models import Player
from tournaments.services.permissions import require_last_say, turn_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class RatingOutput(serializers.Serializer):
    """A rating in a game."""

    game = serializers.CharField()
    club = serializers.CharField(allow_null=True, help_text="Whose own game it is; null for ours.")
    rating = serializers.FloatField()
    provisional = serializers.BooleanField()
    tables = serializers.IntegerField()
    last_played = serializers.DateTimeField()


class RatedProfileOutput(ProfileOutput):
    """What everybody may know of a player, with their ratings."""

    ratings = serializers.SerializerMethodField()

    @extend_schema_field(RatingOutput(many=True))
    def get_ratings(self, player: Player) -> list[dict[str, Any]]:
        """Return the player's rating in each game."""
        actor = self.context["actor"]
        rows = profiles.ratings_of(actor, player)
        own = profiles.own_games(actor, player, [row.game for row in rows])
        shown = [
            row._asdict() | {"game": own[row.game].name, "club": own[row.game].club.slug}
            if row.game in own
            else row._asdict() | {"club": None}
            for row in rows
        ]
        return list(RatingOutput(shown, many=True).data)


class ChangeOutput(serializers.Serializer):
    """What a table did to a rating."""

    table = serializers.CharField()
    event = serializers.CharField()
    event_name = serializers.CharField()
    played_at = serializers.DateTimeField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    delta = serializers.FloatField()
    rank = serializers.IntegerField()
    seats = serializers.IntegerField()


TIME = serializers.DateTimeField()


def _change(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as `ChangeOutput` has it, written out by hand: a page has fifty of them."""
    before, after = row["change__before"], row["change__after"]
    return {
        "table": row["result__table__uid"],
        "event": row["event__uid"],
        "event_name": row["event__name"],
        "played_at": TIME.to_representation(row["result__played_at"]),
        "before": in_points(before),
        "after": in_points(after),
        "delta": in_points(after - before),
        "rank": row["rank"],
        "seats": row["seats"],
    }


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

    table = serializers.CharField(source="result.table.uid")
    event = serializers.CharField(source="event.uid")
    event_name = serializers.CharField(source="event.name")
    score = serializers.IntegerField()
    rank = serializers.IntegerField()
    played_at = serializers.DateTimeField(source="result.played_at")


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
    game = serializers.CharField(source="event.game_slug")
    status = serializers.CharField(source="event.status")
    starts_at = ZonedTimeField(source="event.starts_at", zone_source="event.club.zone")
    rank = serializers.IntegerField()
    tables = serializers.IntegerField()


class RatedPlayer(OnePlayer):
    """One player, with ratings."""

    profile_shape = RatedProfileOutput

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
        """List what each table that one may know of did to a player's rating, newest first. CSV has no pages."""
        player = self.player(uid)
        key = rules.known_game(self.actor, game, player=player).key
        is_csv = request.accepted_renderer.format == "csv"
        if self.actor.kind == Kind.NOBODY and not request.query_params and not is_csv:  # what is asked for most
            latest = profiles.latest_changes(player, key)
            if latest is not None:
                return self._answered(FirstRows(latest, ("-at", "-seat_id")))
        rows = profiles.history_of(self.actor, player, key).values(*profiles.CHANGE)
        if is_csv:
            with bounded(EXPORT):
                return Response(list(map(_change, rows)))
        return self._answered(rows)

    def _answered(self, rows: Any) -> Response:
        return self.get_paginated_response(list(map(_change, self.paginate_queryset(rows) or ())))


class Statistics(PlayerView):
    """A player in one game."""

    @extend_schema(operation_id="players_statistics", responses=StatisticsOutput)
    def get(self, request: Request, uid: str, game: str) -> Response:
        """Read what a player has done in a game: places, seats, opponents, best sheets."""
        player = self.player(uid)
        engine = rules.known_game(self.actor, game, player=player)
        return Response(StatisticsOutput(profiles.statistics_of(self.actor, player, engine.key)).data)


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
        """Read everything that is stored about a person: as themselves, or as an owner of their home club."""
        player = self.player(uid)
        require_last_say(self.actor, player)
        with bounded(turn_of(self.actor, trust.home_of(player), EXPORT)):
            return Response(everything_about(player, seen_by=self.actor))


urlpatterns = [
    path("players/<slug:uid>/", RatedPlayer.as_view(), name="player"),
    path("players/<slug:uid>/ratings/<str:game>/", RatingHistory.as_view(), name="player-ratings"),
    path("players/<slug:uid>/statistics/<str:game>/", Statistics.as_view(), name="player-statistics"),
    path("players/<slug:uid>/events/", PlayerEvents.as_view(), name="player-events"),
    path("players/<slug:uid>/export/", Export.as_view(), name="player-export"),
]
