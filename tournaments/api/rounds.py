"""Rounds: read them, and change one. Seating the next one needs the standings and lives in `scoring`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.response import Response

from tournaments import selectors
from tournaments.api.base import IF_MATCH, IF_NONE_MATCH, ApiView, etag
from tournaments.api.events import event_or_404, knows_more_of
from tournaments.api.serializers import RoundOutput, RoundPatch, person_of
from tournaments.api.tables import table_shape
from tournaments.models import Event, Role, Round
from tournaments.services import rounds
from tournaments.services.events import lock_event
from tournaments.services.permissions import require_role

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


class RoundList(ApiView, generics.GenericAPIView):
    """The rounds of an event; a subclass adds how the next one is seated."""

    queryset = Round.objects.none()  # for the schema; `get` knows the event
    serializer_class = RoundOutput

    @extend_schema(operation_id="rounds_list", parameters=[IF_NONE_MATCH], responses=RoundOutput(many=True))
    def get(self, request: Request, uid: str) -> HttpResponse:
        """List the rounds of an event with their tables, latest first."""
        event = event_or_404(self.actor, uid)
        knows_more = knows_more_of(self.actor, event)

        def found() -> Response:
            page = self.paginate_queryset(selectors.rounds_of(event).order_by("-pk")) or []
            return self.get_paginated_response([shape(each, for_organiser=knows_more) for each in page])

        return self.polled(found, event.version, knows_more)


class OneRound(ApiView):
    """One round."""

    @extend_schema(operation_id="rounds_retrieve", parameters=[IF_NONE_MATCH], responses=RoundOutput)
    def get(self, request: Request, uid: str, number: int) -> HttpResponse:
        """Read a round with its tables and seats."""
        event = event_or_404(self.actor, uid)
        knows_more = knows_more_of(self.actor, event)
        current = get_object_or_404(selectors.rounds_of(event).prefetch_related(None), number=number)

        def make() -> Response:
            prefetch_related_objects([current], selectors.TABLES, selectors.SIT_OUTS)
            return Response(shape(current, for_organiser=knows_more))

        return self.polled(make, current.version, event.version, knows_more)

    @extend_schema(operation_id="rounds_change", parameters=[IF_MATCH], request=RoundPatch, responses=RoundOutput)
    @transaction.atomic
    def patch(self, request: Request, uid: str, number: int) -> Response:
        """Change who sits where, give extra time, start, close, reopen or cancel a round. `If-Match` is honoured."""
        event = lock_event(event_or_404(self.actor, uid))
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        current = get_object_or_404(selectors.rounds_of(event), number=number)
        self.require_version(version=current.version)
        body = self.body(RoundPatch)
        self._change(event, number, body)
        changed = selectors.all_rounds().get(pk=current.pk)
        return Response(shape(changed, for_organiser=True), headers={"ETag": etag(changed.version)})

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
