"""Prizes: who won what in an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.events import event_or_404
from api.serializers import PersonOutput
from core.computations import Kind, progress_of
from scoring import selectors
from tournaments.models import Event, PrizeKind

if TYPE_CHECKING:
    from rest_framework.request import Request


class WinnerOutput(serializers.Serializer):
    """Somebody who won a prize."""

    entry = serializers.CharField()
    player = PersonOutput()
    rank = serializers.IntegerField(allow_null=True, help_text="Their place; null for who is not ranked.")


class AwardOutput(serializers.Serializer):
    """A prize, and all who share it."""

    kind = serializers.ChoiceField(PrizeKind.choices, help_text="What it is for.")
    place = serializers.IntegerField(allow_null=True, help_text="`place`: which one.")
    name = serializers.CharField(help_text="What there is to win.")
    winners = WinnerOutput(many=True, help_text="Best place first; empty where nobody qualifies.")


class AwardsOutput(serializers.Serializer):
    """The prizes of an event."""

    event = serializers.CharField()
    finished = serializers.BooleanField(help_text="Before the event is finished nobody has won anything.")
    up_to_date = serializers.BooleanField(help_text="False while the standings are being computed.")
    prizes = AwardOutput(many=True)


class Prizes(ApiView):
    """The prizes of an event."""

    @extend_schema(operation_id="prizes_retrieve", responses=AwardsOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read the prizes of an event, and who won them once it is finished."""
        event = event_or_404(self.actor, uid)
        found = [
            award._asdict()
            | {
                "winners": [
                    {"entry": each.entry, "player": {"id": each.player, "name": each.name}, "rank": each.rank}
                    for each in award.winners
                ]
            }
            for award in selectors.awards(event)
        ]
        return Response(
            {
                "event": uid,
                "finished": event.status == Event.Status.FINISHED,
                "up_to_date": progress_of(Kind.STANDINGS, uid).is_up_to_date,
                "prizes": found,
            }
        )


urlpatterns = [path("events/<slug:uid>/prizes/", Prizes.as_view(), name="prizes")]
