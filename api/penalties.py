"""Penalties: points that organisers take off entries, and give back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ApiView
from api.events import event_or_404
from api.idempotency import idempotent
from api.polled import FORMAT, flat
from api.serializers import PersonOutput
from core.csv import CsvRenderer
from core.ids import ID_LENGTH
from tournaments.models import LONGEST_REASON, Entry, Penalty
from tournaments.services import penalties

if TYPE_CHECKING:
    from rest_framework.request import Request


class PenaltyInput(serializers.Serializer):
    """Points to take off an entry."""

    entry = serializers.CharField(max_length=ID_LENGTH)
    points = serializers.DecimalField(
        max_digits=9,
        decimal_places=3,
        help_text=f"Above 0, in the unit of the event's own points and in steps of {Penalty.STEP}.",
    )
    reason = serializers.CharField(max_length=LONGEST_REASON)
    round = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, allow_null=True, help_text="The round it is for."
    )


class PenaltyOutput(serializers.Serializer):
    """Points taken off an entry."""

    id = serializers.CharField(source="uid")
    entry = serializers.CharField(source="entry.uid")
    player = PersonOutput(source="entry")
    points = serializers.DecimalField(max_digits=9, decimal_places=3)
    round = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    taken_back_at = serializers.DateTimeField(allow_null=True, help_text="Since then it counts nothing.")


class Penalties(ApiView):
    """The penalties of an event."""

    creates = ("penalty", "uid", "id")
    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns = ("id", "entry", "player", "name", "points", "round", "reason", "created_at", "taken_back_at")

    @extend_schema(operation_id="penalties_list", parameters=[FORMAT], responses=PenaltyOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List the penalties of an event, oldest first: all for the club, to a player their own."""
        found = penalties.penalties_of(self.actor, event_or_404(self.actor, uid))
        rows = PenaltyOutput(found, many=True).data
        if request.accepted_renderer.format == "csv":
            return Response([flat(row) for row in rows])
        return Response(rows)

    @extend_schema(operation_id="penalties_create", request=PenaltyInput, responses={201: PenaltyOutput})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Take points off an entry, as an organiser, while the event runs or when it is finished.

        Standings are computed anew and say so; ratings look at tables alone, and stay as they are.
        """
        event, body = event_or_404(self.actor, uid), self.body(PenaltyInput)
        entry = get_object_or_404(
            Entry.objects.select_related("event__club", "player"), event=event, uid=body["entry"]
        )
        given = penalties.give_penalty(
            actor=self.actor,
            entry=entry,
            points=body["points"],
            reason=body["reason"],
            number=body.get("round"),
        )
        return Response(PenaltyOutput(given).data, status=201)


class OnePenalty(ApiView):
    """One penalty."""

    @extend_schema(operation_id="penalties_retrieve", responses=PenaltyOutput)
    def get(self, request: Request, uid: str, penalty: str) -> Response:
        """Read a penalty, as the club or as the player."""
        found = penalties.penalties_of(self.actor, event_or_404(self.actor, uid))
        return Response(PenaltyOutput(get_object_or_404(found, uid=penalty)).data)

    @extend_schema(operation_id="penalties_take_back", responses={204: None})
    def delete(self, request: Request, uid: str, penalty: str) -> Response:
        """Take a penalty back, as an organiser: it counts nothing any more, and stays on record. Once is enough."""
        event = event_or_404(self.actor, uid)
        given = get_object_or_404(Penalty.objects.select_related("event__club", "entry"), event=event, uid=penalty)
        penalties.take_back(actor=self.actor, penalty=given)
        return Response(status=204)


urlpatterns = [
    path("events/<slug:uid>/penalties/", Penalties.as_view(), name="penalties"),
    path("events/<slug:uid>/penalties/<slug:penalty>/", OnePenalty.as_view(), name="penalty"),
]
