"""Calls for the organiser: from a table, and what is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.events import event_or_404
from api.idempotency import idempotent
from api.serializers import PersonOutput
from core.ids import ID_LENGTH
from tournaments import selectors
from tournaments.models import Call, Entry, Role
from tournaments.services import calls
from tournaments.services.permissions import require_role
from tournaments.services.tables import require_at_table

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.actors import Actor


class CallInput(serializers.Serializer):
    """What the organiser is called for."""

    kind = serializers.ChoiceField(Call.Kind.choices, default=Call.Kind.QUESTION)
    text = serializers.CharField(max_length=Call.LONGEST_TEXT, required=False, allow_blank=True, default="")
    other = serializers.CharField(
        max_length=ID_LENGTH,
        required=False,
        help_text="Wrong seats: the entry on whose seat the caller sits. Once they agree, the two are exchanged.",
    )


class CallPatch(serializers.Serializer):
    """An answer to a call."""

    status = serializers.ChoiceField(
        [Call.Status.COMING.value, Call.Status.DONE.value, calls.AGREED, calls.REFUSED],
        help_text="The club: `coming`, `done`; who called: `done`; the other player: `agreed`, `refused`.",
    )


class CallOutput(serializers.Serializer):
    """A call for the organiser."""

    id = serializers.CharField(source="uid")
    table = serializers.CharField(source="table.uid")
    table_number = serializers.IntegerField(source="table.number")
    kind = serializers.CharField()
    text = serializers.CharField()
    status = serializers.CharField()
    entry = serializers.CharField(source="entry.uid", allow_null=True, help_text="Who called; null for the slip.")
    player = PersonOutput(source="entry", allow_null=True)
    other = serializers.CharField(source="other.uid", allow_null=True)
    created_at = serializers.DateTimeField()


def _calls() -> QuerySet[Call]:
    return Call.objects.select_related("table__round__event__club", "entry__player", "other").order_by("pk")


def _call_or_404(actor: Actor, uid: str) -> Call:
    """Return a call that the caller made, is asked by, sits at the table of, or answers for the club."""
    if actor.entry is not None:
        seen = Q(table__seats__entry=actor.entry) | Q(other=actor.entry) | Q(entry=actor.entry)
    elif actor.table is not None:
        seen = Q(table=actor.table)
    else:
        seen = Q(table__round__event__club__in=selectors.clubs_run_by(actor, Role.SCOREKEEPER))
    return get_object_or_404(_calls().filter(seen).distinct(), uid=uid)


class TableCalls(ApiView):
    """The calls of a table."""

    creates = ("call", "id")

    @extend_schema(operation_id="calls_list", responses=CallOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List the calls of a table that are not done, for those who sit there and the club."""
        table = get_object_or_404(selectors.visible_tables(self.actor), uid=uid)
        require_at_table(actor=self.actor, table=table)
        return Response(CallOutput(_calls().filter(table=table).exclude(status=Call.Status.DONE), many=True).data)

    @extend_schema(operation_id="calls_create", request=CallInput, responses={201: CallOutput, 200: CallOutput})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Call the organiser to a table. Who calls again before it is done changes the call (200)."""
        table = get_object_or_404(selectors.visible_tables(self.actor), uid=uid)
        require_at_table(actor=self.actor, table=table)
        body = self.body(CallInput)
        event = table.round.event
        other = get_object_or_404(Entry, event=event, uid=body["other"]) if "other" in body else None
        call, is_new = calls.call_organiser(
            actor=self.actor, table=table, kind=body["kind"], text=body["text"], other=other
        )
        return Response(CallOutput(_calls().get(pk=call.pk)).data, status=201 if is_new else 200)


class OneCall(ApiView):
    """One call."""

    @extend_schema(operation_id="calls_answer", request=CallPatch, responses=CallOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Say that one is coming, or that it is done; agree to a change of seats, or not."""
        call = _call_or_404(self.actor, uid)
        call = calls.answer(actor=self.actor, call=call, status=self.body(CallPatch)["status"])
        return Response(CallOutput(_calls().get(pk=call.pk)).data)


class TableCall(OneCall):
    """One call, by the address of its table."""

    @extend_schema(operation_id="calls_answer_at_table", request=CallPatch, responses=CallOutput)
    def patch(self, request: Request, table: str, uid: str) -> Response:  # type: ignore[override]
        """Answer a call, by the address of its table."""
        get_object_or_404(selectors.visible_tables(self.actor), uid=table, calls__uid=uid)
        return super().patch(request, uid)


class EventCalls(ApiView):
    """The calls of an event."""

    @extend_schema(operation_id="calls_of_event", responses=CallOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List the calls of an event that are not done, oldest first. For the club."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        return Response(CallOutput(_calls().filter(table__round__event=event).exclude(status="done"), many=True).data)


urlpatterns = [
    path("events/<slug:uid>/calls/", EventCalls.as_view(), name="event-calls"),
    path("tables/<slug:uid>/calls/", TableCalls.as_view(), name="calls"),
    path("tables/<slug:table>/calls/<slug:uid>/", TableCall.as_view(), name="table-call"),
    path("calls/<slug:uid>/", OneCall.as_view(), name="call"),
]
