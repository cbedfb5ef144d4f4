"""Seat the next round of an event."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from scoring.services.rounds import seat_next_round
from tournaments import selectors
from tournaments.api.base import etag
from tournaments.api.events import event_or_404
from tournaments.api.idempotency import idempotent
from tournaments.api.rounds import RoundList, shape
from tournaments.api.serializers import RoundOutput
from tournaments.models import Round

if TYPE_CHECKING:
    from rest_framework.request import Request

LARGEST_SEED = 2**31 - 1


class NextRound(serializers.Serializer):
    """How to seat the next round; an empty object is enough."""

    seed = serializers.IntegerField(
        min_value=0, max_value=LARGEST_SEED, required=False, help_text="To seat it so again."
    )
    kind = serializers.ChoiceField([Round.Kind.NORMAL, Round.Kind.FINAL], default=Round.Kind.NORMAL)
    entries = serializers.ListField(
        child=serializers.CharField(max_length=16),
        required=False,
        max_length=2000,
        help_text="Only these entries play, instead of those whom the standings choose for a final or in elimination.",
    )


class Rounds(RoundList):
    """The rounds of an event."""

    @extend_schema(operation_id="rounds_create", request=NextRound, responses={201: RoundOutput})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Seat the next round; the first one sets the event running."""
        event = event_or_404(self.actor, uid)
        body = self.body(NextRound)
        seated = seat_next_round(
            actor=self.actor,
            event=event,
            seed=body.get("seed", secrets.randbelow(LARGEST_SEED)),
            only=body.get("entries"),
            is_final=body["kind"] == Round.Kind.FINAL,
        )
        found = shape(selectors.all_rounds().get(pk=seated.pk), for_organiser=True)
        return Response(found, status=201, headers={"ETag": etag(seated.version)})


urlpatterns = [path("events/<slug:uid>/rounds/", Rounds.as_view(), name="rounds")]
