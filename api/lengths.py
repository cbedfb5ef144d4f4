"""How long a table likely takes in a club."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from scoring.lengths import likely_length
from tournaments import games, selectors
from tournaments.models import LARGEST_TABLE, Event, Role
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request


class LengthQuery(serializers.Serializer):
    """Of which game, and for how many."""

    game = serializers.CharField(max_length=40)
    variant = serializers.CharField(max_length=Event.LONGEST_VARIANT, required=False)
    players = serializers.IntegerField(min_value=1, max_value=LARGEST_TABLE, default=4)


class LengthOutput(serializers.Serializer):
    """Minutes that three of four tables need."""

    minutes = serializers.IntegerField()
    tables = serializers.IntegerField(help_text="How many of the club's own tables say so; 0 for simulated games.")


class ClubLength(ApiView):
    """How long a table likely takes."""

    @extend_schema(operation_id="clubs_length", parameters=[LengthQuery], responses=LengthOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Read how long a table of a game likely takes in a club: by its own tables, else by simulated games."""
        club = get_object_or_404(selectors.visible_clubs(self.actor), slug=slug)
        require_role(actor=self.actor, club=club, role=Role.SCOREKEEPER)
        wanted = self.query(LengthQuery)
        engine = games.engine_of(wanted["game"])
        if engine is None:
            raise Http404
        slugs = [each.slug for each in engine.variants]
        variant = engine.variant(wanted["variant"] if wanted.get("variant") in slugs else slugs[0])
        sizes = games.sizes(engine, variant)
        players = min(max(wanted["players"], sizes[0]), sizes[-1])
        return Response(
            LengthOutput(likely_length(club=club, game=engine.slug, variant=variant.slug, players=players)).data
        )


urlpatterns = [path("clubs/<slug:slug>/length/", ClubLength.as_view(), name="club-length")]
