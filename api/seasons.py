"""Seasons of a club, and players who should not meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.clubs import club_or_404
from api.idempotency import idempotent
from api.players import PlayerOutput
from api.shapes import ShortList
from core.ids import ID_LENGTH
from core.names import NameField
from tournaments import selectors
from tournaments.models import Club, KeepApart, Player, Role, Season, SeasonTieBreak
from tournaments.services import seasons
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request


class SeasonInput(serializers.Serializer):
    """A season to create or change."""

    name = NameField(longest=Season.LONGEST_NAME)
    best_of = serializers.IntegerField(
        min_value=1, max_value=Season.MOST_COUNTED, required=False, help_text="How many results of a player count."
    )
    tiebreaks = ShortList(
        child=serializers.ChoiceField(SeasonTieBreak.choices),
        max_length=len(SeasonTieBreak),
        required=False,
        help_text="What decides between players level on points, in order.",
    )
    starts_on = serializers.DateField(required=False, allow_null=True)
    ends_on = serializers.DateField(required=False, allow_null=True)


class SeasonOutput(serializers.Serializer):
    """A season."""

    id = serializers.CharField(source="uid")
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    best_of = serializers.IntegerField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    starts_on = serializers.DateField(allow_null=True)
    ends_on = serializers.DateField(allow_null=True)


class KeepApartInput(serializers.Serializer):
    """Two players who should not meet."""

    players = ShortList(child=serializers.SlugField(max_length=ID_LENGTH), min_length=2, max_length=2)
    event = serializers.SlugField(
        max_length=ID_LENGTH, required=False, allow_null=True, help_text="Only in this event; in all if left out."
    )


class KeepApartOutput(serializers.Serializer):
    """Two players who should not meet."""

    id = serializers.CharField(source="uid")
    event = serializers.CharField(source="event.uid", allow_null=True)
    first = PlayerOutput()
    second = PlayerOutput()


class Seasons(ListView):
    """The seasons of a club."""

    creates = ("season", "id")

    @extend_schema(operation_id="seasons_list", responses=SeasonOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the seasons of a club, latest first."""
        club = club_or_404(self.actor, slug)
        return self.page(selectors.visible_seasons(self.actor).filter(club=club).order_by("-pk"), SeasonOutput)

    @extend_schema(operation_id="seasons_create", request=SeasonInput, responses={201: SeasonOutput})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Create a season, as an organiser. Events are assigned to it by changing the event."""
        club = club_or_404(self.actor, slug)
        season = seasons.create_season(actor=self.actor, club=club, fields=self.body(SeasonInput))
        return Response(SeasonOutput(season).data, status=201)


class OneSeason(ApiView):
    """One season."""

    @extend_schema(operation_id="seasons_retrieve", responses=SeasonOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read a season."""
        return Response(SeasonOutput(get_object_or_404(selectors.visible_seasons(self.actor), uid=uid)).data)

    @extend_schema(operation_id="seasons_change", request=SeasonInput, responses=SeasonOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Change a season, as an organiser."""
        season = get_object_or_404(selectors.visible_seasons(self.actor), uid=uid)
        fields = self.body(SeasonInput, partial=True)
        return Response(SeasonOutput(seasons.edit_season(actor=self.actor, season=season, fields=fields)).data)


class KeptApart(ListView):
    """The pairs of a club who should not meet."""

    creates = ("pair", "slug", "id")

    @extend_schema(operation_id="keep_apart_list", responses=KeepApartOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the pairs, as an organiser."""
        return self.page(_pairs(_organised(self, slug)).order_by("-pk"), KeepApartOutput)

    @extend_schema(
        operation_id="keep_apart_create",
        request=KeepApartInput,
        responses={201: KeepApartOutput},
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Keep two players of the club apart, in one event or in all, as an organiser."""
        club = _organised(self, slug)
        body = self.body(KeepApartInput)
        first, second = (_known(club, uid) for uid in body["players"])
        wanted = body.get("event")
        event = wanted and get_object_or_404(selectors.visible_events(self.actor), uid=wanted, club=club)
        pair = seasons.keep_apart(actor=self.actor, club=club, players=(first, second), event=event)
        return Response(KeepApartOutput(pair).data, status=201)


class OnePair(ApiView):
    """One pair."""

    @extend_schema(operation_id="keep_apart_remove", responses={204: None})
    def delete(self, request: Request, slug: str, uid: str) -> Response:
        """Let two players meet again, as an organiser."""
        seasons.let_meet(actor=self.actor, pair=get_object_or_404(_pairs(_organised(self, slug)), uid=uid))
        return Response(status=204)


def _organised(view: ApiView, slug: str) -> Club:
    club = club_or_404(view.actor, slug)
    require_role(actor=view.actor, club=club, role=Role.ORGANISER)
    return club


def _pairs(club: Club) -> QuerySet[KeepApart]:
    return KeepApart.objects.filter(club=club).select_related("club", "event", "first", "second")


def _known(club: Club, uid: str) -> Player:
    players = Player.objects.filter(clubs=club, anonymised_at=None).select_related("merged_into")
    return get_object_or_404(players, uid=uid)


urlpatterns = [
    path("clubs/<slug:slug>/seasons/", Seasons.as_view(), name="seasons"),
    path("seasons/<slug:uid>/", OneSeason.as_view(), name="season"),
    path("clubs/<slug:slug>/keep-apart/", KeptApart.as_view(), name="keep-apart"),
    path("clubs/<slug:slug>/keep-apart/<slug:uid>/", OnePair.as_view(), name="pair"),
]
