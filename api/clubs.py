"""Clubs: list, create, read, change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.idempotency import idempotent
from core.names import NameField
from core.zones import ZoneField
from tournaments import selectors
from tournaments.models import Club
from tournaments.services import clubs

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.actors import Actor


class ClubInput(serializers.Serializer):
    """A club to create."""

    name = NameField(longest=Club.LONGEST_NAME)
    slug = serializers.SlugField(
        max_length=Club.LONGEST_SLUG,
        required=False,
        help_text="Its part of an address; made from the name if left out.",
    )
    public = serializers.BooleanField(source="is_public", default=True)
    time_zone = ZoneField(required=False)


class ClubPatch(serializers.Serializer):
    """A change of a club. Its slug stays, because addresses hold it."""

    name = NameField(longest=Club.LONGEST_NAME, required=False)
    public = serializers.BooleanField(source="is_public", required=False)
    time_zone = ZoneField(required=False)
    mails_players = serializers.BooleanField(
        required=False, help_text="Whether players who left an address are mailed their tables and their final place."
    )


class ClubOutput(serializers.Serializer):
    """A club."""

    slug = serializers.CharField()
    name = serializers.CharField()
    public = serializers.BooleanField(source="is_public", help_text="Anybody may read events and standings.")
    rated = serializers.BooleanField(
        source="is_rated_openly", help_text="Its results count for ratings; the operator may withdraw that."
    )
    time_zone = serializers.CharField(help_text="What its clocks show: times of its events have this offset.")
    mails_players = serializers.BooleanField(
        help_text="Whether players who left an address are mailed their tables and their final place."
    )
    created_at = serializers.DateTimeField()


def club_or_404(actor: Actor, slug: str) -> Club:
    """Return a club that the caller may know of."""
    return get_object_or_404(selectors.visible_clubs(actor), slug=slug)


class Clubs(ListView):
    """All clubs a caller may see."""

    creates = ("club", "slug")

    @extend_schema(operation_id="clubs_list", responses=ClubOutput(many=True))
    def get(self, request: Request) -> Response:
        """List clubs by name."""
        return self.page(selectors.visible_clubs(self.actor).order_by("name", "pk"), ClubOutput)

    @extend_schema(operation_id="clubs_create", request=ClubInput, responses={201: ClubOutput})
    @idempotent
    def post(self, request: Request) -> Response:
        """Create a club where the operator lets anybody do so. The caller becomes its owner."""
        club = clubs.found_club(actor=self.actor, **self.body(ClubInput))
        return Response(ClubOutput(club).data, status=201)


class OneClub(ApiView):
    """One club."""

    @extend_schema(operation_id="clubs_retrieve", responses=ClubOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Read a club."""
        return Response(ClubOutput(club_or_404(self.actor, slug)).data)

    @extend_schema(operation_id="clubs_change", request=ClubPatch, responses=ClubOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Change a club, as an owner."""
        club = club_or_404(self.actor, slug)
        club = clubs.edit_club(actor=self.actor, club=club, **self.body(ClubPatch))
        return Response(ClubOutput(club).data)


urlpatterns = [
    path("clubs/", Clubs.as_view(), name="clubs"),
    path("clubs/<slug:slug>/", OneClub.as_view(), name="club"),
]
