"""Rounds: read them, seat the next one, and change one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.response import Response

from api.base import IF_MATCH, IF_NONE_MATCH, ApiView
from api.events import event_or_404, knows_more_of
from api.idempotency import HEADER, first_answer, idempotent
from api.serializers import PersonOutput, RoundOutput, RoundPatch, TableOutput
from api.shapes import ShortList
from core.conditional import etag
from core.costly import EXPORT, OWN, bounded
from core.ids import ID_LENGTH
from core.transactions import anew_after
from scoring.services.rounds import LARGEST_SEED, Planned, open_planned, plan_next_round
from tournaments import selectors
from tournaments.errors import EventOvertakenError
from tournaments.models import Event, Role, Round, Table
from tournaments.services import rounds
from tournaments.services.events import lock_event
from tournaments.services.permissions import require_role
from tournaments.services.plans import plan_of

if TYPE_CHECKING:
    from rest_framework.request import Request

MANY = 200  # tables, whose seats take their time


class NextRound(serializers.Serializer):
    """How to seat the next round; an empty object is enough."""

    seed = serializers.IntegerField(
        min_value=0, max_value=LARGEST_SEED, required=False, help_text="To seat it so again."
    )
    kind = serializers.ChoiceField([Round.Kind.NORMAL, Round.Kind.FINAL], default=Round.Kind.NORMAL)
    publish = serializers.BooleanField(default=True, help_text="False for a draft, which the club alone sees.")
    entries = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH),
        required=False,
        max_length=2000,
        help_text="Only these entries play, instead of those whom the standings choose for a final or in elimination.",
    )


class PlannedTable(serializers.Serializer):
    """A table of a rotation's plan."""

    number = serializers.IntegerField()
    players = PersonOutput(many=True, source="entries")


class PlannedRound(serializers.Serializer):
    """A round of a rotation's plan."""

    number = serializers.IntegerField()
    status = serializers.CharField(help_text="That of the round; `planned` where it is still to come.")
    tables = PlannedTable(many=True)
    sitting_out = PersonOutput(many=True)


def _for_organiser(changed: Round) -> dict[str, Any]:
    """Return a round as it is now, for the caller who changed it."""
    return RoundOutput(selectors.all_rounds().get(pk=changed.pk), context={"for_organiser": True}).data


def _seen(event: Event, *, knows_more: bool) -> QuerySet[Round]:
    """Return the rounds of an event that a caller may see."""
    return selectors.rounds_of(event) if knows_more else selectors.published_rounds(event)


def _written(current: Sequence[Round], *, knows_more: bool) -> list[dict[str, Any]]:
    """Return rounds with their tables and seats; where these are many, when it is the caller's turn."""
    is_long = Table.objects.filter(round__in=current).count() > MANY
    tables = Prefetch("tables", Table.objects.order_by("number").prefetch_related(selectors.SEATS))
    with bounded((OWN if knows_more else EXPORT) if is_long else None):
        prefetch_related_objects(current, tables, selectors.SIT_OUTS)
        return list(RoundOutput(current, many=True, context={"for_organiser": knows_more}).data)


class RoundList(ApiView, generics.GenericAPIView):
    """The rounds of an event."""

    creates = ("round", "uid", "number")

    queryset = Round.objects.none()  # for the schema; `get` knows the event
    serializer_class = RoundOutput

    @extend_schema(operation_id="rounds_list", parameters=[IF_NONE_MATCH], responses=RoundOutput(many=True))
    def get(self, request: Request, uid: str) -> HttpResponse:
        """List the rounds of an event with their tables, latest first."""
        event = event_or_404(self.actor, uid)
        knows_more = knows_more_of(self.actor, event)

        def found() -> Response:
            rows = _seen(event, knows_more=knows_more).prefetch_related(None).order_by("-pk")
            page = self.paginate_queryset(rows) or []
            return self.get_paginated_response(_written(page, knows_more=knows_more))

        return self.polled(found, event.version, knows_more)

    @extend_schema(operation_id="rounds_create", parameters=[HEADER], request=NextRound, responses={201: RoundOutput})
    def post(self, request: Request, uid: str) -> Response:
        """Seat the next round; the first one sets the event running."""
        if known := first_answer(self, request):
            return known
        event = event_or_404(self.actor, uid)
        body = self.body(NextRound)
        plan = partial(
            plan_next_round,
            actor=self.actor,
            event=event,
            seed=body.get("seed", secrets.randbelow(LARGEST_SEED)),
            only=body.get("entries"),
            is_final=body["kind"] == Round.Kind.FINAL,
            is_draft=not body["publish"],
        )
        return anew_after(EventOvertakenError, lambda: self._open(request, plan()))

    @idempotent
    def _open(self, request: Request, planned: Planned) -> Response:
        opened = open_planned(planned)
        return Response(_for_organiser(opened), status=201, headers={"ETag": etag(opened.version)})


class OneRound(ApiView):
    """One round."""

    @extend_schema(operation_id="rounds_retrieve", parameters=[IF_NONE_MATCH], responses=RoundOutput)
    def get(self, request: Request, uid: str, number: int) -> HttpResponse:
        """Read a round with its tables and seats."""
        event = event_or_404(self.actor, uid)
        knows_more = knows_more_of(self.actor, event)
        seen = _seen(event, knows_more=knows_more).prefetch_related(None)
        current = get_object_or_404(seen, number=number)

        def make() -> Response:
            return Response(_written([current], knows_more=knows_more)[0])

        return self.polled(make, current.version, event.version, knows_more)

    @extend_schema(operation_id="rounds_change", parameters=[IF_MATCH], request=RoundPatch, responses=RoundOutput)
    def patch(self, request: Request, uid: str, number: int) -> Response:
        """Change who sits where, give time, publish, start, close, reopen or cancel it. `If-Match` is honoured."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        # The body is read before anything is locked: nobody waits for one that comes slowly.
        return self._change_locked(event, number, self.body(RoundPatch))

    @transaction.atomic
    def _change_locked(self, event: Event, number: int, wanted: Mapping[str, Any]) -> Response:
        event = lock_event(event)
        current = get_object_or_404(selectors.rounds_of(event), number=number)
        self.require_version(version=current.version)
        self._change(event, number, wanted)
        changed = _for_organiser(current)
        return Response(changed, headers={"ETag": etag(changed["version"])})

    def _change(self, event: Event, number: int, wanted: Mapping[str, Any]) -> None:
        if "tables" in wanted:
            seats = {each["id"]: each["seats"] for each in wanted["tables"]}
            rounds.move_seats(actor=self.actor, event=event, number=number, tables=seats)
        if "extend" in wanted:
            rounds.extend(actor=self.actor, event=event, number=number, minutes=wanted["extend"])
        if "clock" in wanted:
            change = rounds.pause if wanted["clock"] == "paused" else rounds.resume
            change(actor=self.actor, event=event, number=number)
        if "status" in wanted:
            status, reason = wanted["status"], wanted.get("reason", "")
            rounds.change_status(actor=self.actor, event=event, number=number, status=status, reason=reason)


class DraftTables(ApiView):
    """The tables of a draft."""

    creates = ("table", "id")

    @extend_schema(operation_id="rounds_add_table", request=None, responses={201: TableOutput})
    @idempotent
    def post(self, request: Request, uid: str, number: int) -> Response:
        """Put an empty table into a draft."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.ORGANISER)
        get_object_or_404(selectors.rounds_of(event), number=number)
        added = rounds.add_table(actor=self.actor, event=event, number=number)
        shown = selectors.visible_tables(self.actor).get(pk=added.pk)
        return Response(TableOutput(shown, context={"for_organiser": True}).data, status=201)


class RotationPlan(ApiView):
    """The whole plan of a rotation."""

    @extend_schema(operation_id="rounds_plan", responses=PlannedRound(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """Read who meets whom in every round, played or to come. For the club."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        return Response(PlannedRound(plan_of(event), many=True).data)


urlpatterns = [
    path("events/<slug:uid>/rounds/", RoundList.as_view(), name="rounds"),
    path("events/<slug:uid>/plan/", RotationPlan.as_view(), name="plan"),
    path("events/<slug:uid>/rounds/<int:number>/", OneRound.as_view(), name="round"),
    path("events/<slug:uid>/rounds/<int:number>/tables/", DraftTables.as_view(), name="draft-tables"),
]
