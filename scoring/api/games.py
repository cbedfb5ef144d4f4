"""The games: what there is to play, and the rules as a service for anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

import engines
from core.serializers import FindingOutput, ProblemOutput
from scoring import validation

if TYPE_CHECKING:
    from rest_framework.request import Request


class SeatsOutput(serializers.Serializer):
    """How many seats a variant has."""

    min = serializers.IntegerField()
    max = serializers.IntegerField()


class VariantOutput(serializers.Serializer):
    """A way to play a game."""

    slug = serializers.CharField()
    name = serializers.CharField()
    seats = SeatsOutput()
    solo = serializers.BooleanField(help_text="One person plays, for the record.")


class GameOutput(serializers.Serializer):
    """A game in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    variants = VariantOutput(many=True)


class GamesOutput(serializers.Serializer):
    """The list of games; it is short, so there is one page."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = GameOutput(many=True)


class GameDetailOutput(GameOutput):
    """A game with the shapes it reads."""

    schema = serializers.JSONField(help_text="JSON Schema of a report.")
    assist_schema = serializers.JSONField(help_text="JSON Schema of a position sent for assistance.")


class PlacingOutput(serializers.Serializer):
    """The place of a seat."""

    seat = serializers.CharField()
    rank = serializers.IntegerField()
    score = serializers.IntegerField()
    key = serializers.ListField(child=serializers.IntegerField(), help_text="Decides the rank, higher first.")


class VerdictOutput(serializers.Serializer):
    """The judgement of a report."""

    ok = serializers.BooleanField()
    errors = FindingOutput(many=True)  # type: ignore[assignment]  # becomes a field, not an attribute
    warnings = FindingOutput(many=True)
    standings = PlacingOutput(many=True, allow_null=True)
    explanations = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="A sentence per row of the standings."
    )


class PublicView(APIView):
    """A route anybody may use."""

    permission_classes = [AllowAny]


class Games(PublicView):
    """All games."""

    @extend_schema(operation_id="games_list", responses=GamesOutput)
    def get(self, request: Request) -> Response:
        """List the games, their variants and how many they seat."""
        results = [validation.describe(engine) for engine in engines.GAMES.values()]
        return Response({"next": None, "previous": None, "results": results})


class Game(PublicView):
    """One game."""

    @extend_schema(operation_id="games_retrieve", responses=GameDetailOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Describe a game with the JSON Schemas of its report and of a position for assistance."""
        engine = validation.game(slug)
        schemas = {"schema": engines.schema(slug), "assist_schema": engine.assist_shape.model_json_schema()}
        return Response(validation.describe(engine) | schemas)


class Check(PublicView):
    """Judge a report without storing it."""

    @extend_schema(operation_id="games_check", request=OpenApiTypes.ANY, responses=VerdictOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Judge a report by the rules: 200 with the verdict, whether it is ok or not. Nothing is stored."""
        return Response(validation.check(validation.game(slug), request.data))


class Assist(PublicView):
    """Help with a position."""

    @extend_schema(
        operation_id="games_assist",
        request=OpenApiTypes.ANY,
        responses={200: OpenApiTypes.OBJECT, (422, "application/problem+json"): ProblemOutput},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Help with a position: the best arrangement, the points of a throw, rows to tokens, dice to podium."""
        return Response(validation.assist(validation.game(slug), request.data))


urlpatterns = [
    path("", Games.as_view(), name="games"),
    path("<slug:slug>/", Game.as_view(), name="game"),
    path("<slug:slug>/check/", Check.as_view(), name="check"),
    path("<slug:slug>/assist/", Assist.as_view(), name="assist"),
]
