"""Rounds: read them, and change one. Seating the next one needs the standings and lives in `scoring`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.response import Response

from tournaments import selectors
from tournaments.actors import Actor
from tournaments.api.base import ApiView, etag
from tournaments.api.events import event_or_404
from tournaments.api.serializers import RoundOutput, RoundPatch, person_of
from tournaments.api.tables import table_shape
from tournaments.models import Event, Role, Round
from tournaments.services import rounds
from tournaments.services.events import lock_event

if TYPE_CHECKING:
    from rest_framework.request import Request

QUALITY = {"repeats": 0, "repeats_bound": 0, "spread": 0}


def shape(current: Round, *, for_organiser: bool) -> dict[str, Any]:
    """Return a round as plain values; tables, seats and sit-outs must be prefetched."""
    for table in current.tables.all():
        table.round = current  # known already: no query for each
    return {
        "number": current.number,
        "kind": current.kind,
        "status": current.status,
        "seed": current.seed,
        "quality": QUALITY | current.quality,
        "started_at": current.started_at,
        "minutes": current.minutes,
        "extra_minutes": current.extra_minutes,
        "version": current.version,
        "tables": [table_shape(table, for_organiser=for_organiser) for table in current.tables.all()],
        "sitting_out": [person_of(each.entry) for each in current.sit_outs.all()],
    }


def round_shape(actor: Actor, event: Event, number: int) -> dict[str, Any]:
    """Return one round as the caller may see it."""
    current = get_object_or_404(selectors.rounds_of(event), number=number)
    return shape(current, for_organiser=actor.is_at_least(Role.SCOREKEEPER, event.club))


class RoundList(ApiView, generics.GenericAPIView):
    """The rounds of an event; a subclass adds how the next one is seated."""

    queryset = Round.objects.none()  # for the schema; `get_queryset` knows the event
    serializer_class = RoundOutput

    def get_queryset(self) -> QuerySet[Round]:
        """Return the rounds of the event."""
        return selectors.rounds_of(event_or_404(self.actor, self.kwargs["uid"])).order_by("-pk")

    @extend_schema(operation_id="rounds_list", responses=RoundOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List the rounds of an event with their tables, latest first."""
        event = event_or_404(self.actor, uid)
        page = self.paginate_queryset(self.get_queryset()) or []
        is_organiser = self.actor.is_at_least(Role.SCOREKEEPER, event.club)
        return self.get_paginated_response([shape(each, for_organiser=is_organiser) for each in page])


class OneRound(ApiView):
    """One round."""

    @extend_schema(operation_id="rounds_retrieve", responses=RoundOutput)
    def get(self, request: Request, uid: str, number: int) -> Response:
        """Read a round with its tables and seats."""
        found = round_shape(self.actor, event_or_404(self.actor, uid), number)
        return Response(found, headers={"ETag": etag(found["version"])})

    @extend_schema(operation_id="rounds_change", request=RoundPatch, responses=RoundOutput)
    @transaction.atomic
    def patch(self, request: Request, uid: str, number: int) -> Response:
        """Change who sits where, give extra time, start, close, reopen or cancel a round. `If-Match` is honoured."""
        event = lock_event(event_or_404(self.actor, uid))
        current = get_object_or_404(selectors.rounds_of(event), number=number)
        self.require_version(version=current.version)
        body = RoundPatch(data=request.data)
        body.is_valid(raise_exception=True)
        self._change(event, number, body.validated_data)
        changed = selectors.all_rounds().get(pk=current.pk)
        found = shape(changed, for_organiser=self.actor.is_at_least(Role.SCOREKEEPER, event.club))
        return Response(found, headers={"ETag": etag(changed.version)})

    def _change(self, event: Event, number: int, wanted: Mapping[str, Any]) -> None:
        if "tables" in wanted:
            seats = {each["id"]: each["seats"] for each in wanted["tables"]}
            rounds.move_seats(actor=self.actor, event=event, number=number, tables=seats)
        if "extend" in wanted:
            rounds.extend(actor=self.actor, event=event, number=number, minutes=wanted["extend"])
        if "status" in wanted:
            status, reason = wanted["status"], wanted.get("reason", "")
            rounds.change_status(actor=self.actor, event=event, number=number, status=status, reason=reason)


urlpatterns = [path("events/<slug:uid>/rounds/<int:number>/", OneRound.as_view(), name="round")]
