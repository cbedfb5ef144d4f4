"""The games: what there is to play, and the rules as a service for anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.shapes import SHEET, FindingOutput, ProblemOutput
from core.language import reader_language
from scoring import rules
from tournaments.games import GAMES, CompleteEngine, Engine, Variant

if TYPE_CHECKING:
    from rest_framework.request import Request


class Translated(serializers.CharField):
    """A text of a game in the language of the reader."""

    def get_attribute(self, instance: Engine | Variant) -> str:
        """Return the text."""
        words: Any = super().get_attribute(instance)
        return str(words.into(reader_language()))


class SeatsOutput(serializers.Serializer):
    """How many seats a variant has."""

    min = serializers.IntegerField(source="seats_min")
    max = serializers.IntegerField(source="seats_max")


class VariantOutput(serializers.Serializer):
    """A way to play a game."""

    slug = serializers.CharField()
    name = Translated()
    seats = SeatsOutput(source="*")
    solo = serializers.BooleanField(source="is_solo", help_text="One person plays, for the record.")


class GameOutput(serializers.Serializer):
    """A game in a list."""

    slug = serializers.CharField()
    name = Translated()
    summary = Translated()
    variants = VariantOutput(many=True)


class GamesOutput(serializers.Serializer):
    """The list of games; it is short, so there is one page."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = GameOutput(many=True)


class GameDetailOutput(GameOutput):
    """A game with the shapes it reads."""

    schema = serializers.SerializerMethodField(help_text="JSON Schema of a report.")
    assist_schema = serializers.SerializerMethodField(help_text="JSON Schema of a position sent for assistance.")

    def get_schema(self, engine: Engine) -> dict[str, Any]:
        """Return the JSON Schema of a report."""
        return rules.report_schema(engine)

    def get_assist_schema(self, engine: CompleteEngine) -> dict[str, Any]:
        """Return the JSON Schema of a position."""
        return rules.assist_schema(engine)


class PlacingOutput(serializers.Serializer):
    """The place of a seat."""

    seat = serializers.CharField()
    rank = serializers.IntegerField()
    score = serializers.IntegerField(
        allow_null=True, help_text="None where an organiser ranked the players by hand, without scores."
    )
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


class Games(ApiView):
    """All games."""

    @extend_schema(operation_id="games_list", responses=GamesOutput)
    def get(self, request: Request) -> Response:
        """List the games, their variants and how many they seat."""
        return Response(GamesOutput({"next": None, "previous": None, "results": GAMES.values()}).data)


class Game(ApiView):
    """One game."""

    @extend_schema(operation_id="games_retrieve", responses=GameDetailOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Describe a game with the JSON Schemas of its report and of a position for assistance."""
        return Response(GameDetailOutput(rules.game(slug)).data)


class VectorVerdict(serializers.Serializer):
    """What the rules say of the report of a vector."""

    ok = serializers.BooleanField()
    codes = serializers.ListField(child=serializers.CharField(), help_text="Every code among the errors, once.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="Every code among the warnings, once.")
    standings = PlacingOutput(many=True, allow_null=True)


class VectorOutput(serializers.Serializer):
    """A report with the verdict that every implementation of the rules must reach."""

    id = serializers.CharField(help_text="Tells it from the other vectors of the game.")
    report = serializers.JSONField(help_text="A sheet, or something that is none.")
    verdict = VectorVerdict()
    why = serializers.CharField(help_text="Which rule it shows.")


class VectorsOutput(serializers.Serializer):
    """The vectors of a game; there is one page."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = VectorOutput(many=True)


class Vectors(ApiView):
    """The rules of a game as data."""

    @extend_schema(operation_id="games_vectors", responses=VectorsOutput)
    def get(self, request: Request, slug: str) -> Response:
        """List reports with the verdicts that every implementation of the rules must reach: test yours with them."""
        found = {"next": None, "previous": None, "results": rules.vectors(rules.game(slug))}
        return Response(VectorsOutput(found).data)


class Check(ApiView):
    """Judge a report without storing it."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="games_check", request={"application/json": SHEET}, responses=VerdictOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Judge a report by the rules: 200 with the verdict, whether it is ok or not. Nothing is stored."""
        return Response(VerdictOutput(rules.check(rules.game(slug), request.data)).data)


class Assist(ApiView):
    """Help with a position."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(
        operation_id="games_assist",
        request=OpenApiTypes.ANY,
        responses={200: OpenApiTypes.OBJECT, (422, "application/problem+json"): ProblemOutput},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Help with a position: the best arrangement, the points of a throw, rows to tokens, dice to podium."""
        return Response(rules.assist(rules.game(slug), request.data))


urlpatterns = [
    path("", Games.as_view(), name="games"),
    path("<slug:slug>/", Game.as_view(), name="game"),
    path("<slug:slug>/vectors/", Vectors.as_view(), name="vectors"),
    path("<slug:slug>/check/", Check.as_view(), name="check"),
    path("<slug:slug>/assist/", Assist.as_view(), name="assist"),
]
