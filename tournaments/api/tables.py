"""Tables: read one, say how people really sat, and form tables in open play."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from core.guesses import count_guess, refuse_guesser
from tournaments import credentials, selectors
from tournaments.actors import Actor
from tournaments.api.base import IF_MATCH, IF_NONE_MATCH, ApiView, etag
from tournaments.api.events import event_or_404, knows_more_of
from tournaments.api.idempotency import idempotent
from tournaments.api.serializers import TableCode, TableInput, TableOutput, TablePatch, person_of
from tournaments.models import Entry, Table
from tournaments.services import tables

if TYPE_CHECKING:
    from rest_framework.request import Request


def table_shape(table: Table, *, for_organiser: bool, for_players: bool = False) -> dict[str, Any]:
    """Return a table as plain values; its seats must be prefetched."""
    shape = {
        "id": table.uid,
        "event": table.round.event.uid,
        "round": table.round.number,
        "number": table.number,
        "status": table.status,
        "variant": table.variant,
        "version": table.version,
        "seats": [
            {"position": seat.position, "entry": seat.entry.uid, "player": person_of(seat.entry)}
            for seat in table.seats.all()
        ],
    }
    if for_organiser:
        shape["token"] = credentials.derive(credentials.TABLE, table.uid, table.generation)
    if (for_organiser or for_players) and table.code:
        shape["code"] = table.code
    return shape


def _shown(actor: Actor, table: Table) -> dict[str, Any]:
    table = selectors.visible_tables(actor).get(pk=table.pk)
    is_organiser = knows_more_of(actor, table.round.event)
    return table_shape(table, for_organiser=is_organiser, for_players=_sits_at(actor, table))


def _sits_at(actor: Actor, table: Table) -> bool:
    return actor.entry is not None and any(seat.entry_id == actor.entry.pk for seat in table.seats.all())


def _table_or_404(actor: Actor, uid: str) -> Table:
    return get_object_or_404(selectors.visible_tables(actor), uid=uid)


class OneTable(ApiView):
    """One table."""

    @extend_schema(operation_id="tables_retrieve", parameters=[IF_NONE_MATCH], responses=TableOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read a table."""
        table = _table_or_404(self.actor, uid)
        sight = {
            "for_organiser": knows_more_of(self.actor, table.round.event),
            "for_players": _sits_at(self.actor, table),
        }
        make = partial(table_shape, table, **sight)
        return self.polled(lambda: Response(make()), table.version, table.round.event.version, *sight.values())

    @extend_schema(operation_id="tables_change", parameters=[IF_MATCH], request=TablePatch, responses=TableOutput)
    @transaction.atomic
    def patch(self, request: Request, uid: str) -> Response:
        """Write down how people really sat, start a table of open play, or drop one that cannot be finished."""
        table = tables.lock_table(_table_or_404(self.actor, uid))
        tables.require_at_table(actor=self.actor, table=table)
        self.require_version(version=table.version)
        body = self.body(TablePatch)
        if "seats" in body:
            table = tables.reorder(actor=self.actor, table=table, entries=body["seats"])
        match body.get("status"):
            case Table.Status.PLAYING:
                table = tables.begin(actor=self.actor, table=table)
            case Table.Status.DROPPED:
                table = tables.drop(actor=self.actor, table=table, reason=body.get("reason", ""))
        return Response(_shown(self.actor, table), headers={"ETag": etag(table.version)})


class FormTable(ApiView):
    """Tables that players form themselves."""

    @extend_schema(operation_id="tables_form", request=TableInput, responses={201: TableOutput})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Form a table in open play, alone (others sit down by its code) or with others."""
        event = event_or_404(self.actor, uid)
        body = self.body(TableInput)
        wanted = body["entries"]
        known = {entry.uid: entry for entry in Entry.objects.filter(event=event, uid__in=wanted)}
        if missing := [entry for entry in wanted if entry not in known]:
            raise Http404(missing)
        table = tables.form_table(actor=self.actor, event=event, entries=[known[entry] for entry in wanted])
        return Response(_shown(self.actor, table), status=201)


class SitDown(ApiView):
    """Sit down at a table that is being formed."""

    @extend_schema(operation_id="tables_sit_down", request=TableCode, responses=TableOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Sit down at a table by its code."""
        refuse_guesser(request)
        event = event_or_404(self.actor, uid)
        table = selectors.table_to_join(event, self.body(TableCode)["code"])
        if table is None:
            count_guess(request)
            raise Http404
        return Response(_shown(self.actor, tables.sit_down(actor=self.actor, table=table)))


class Leave(ApiView):
    """Leave a table that is being formed."""

    @extend_schema(operation_id="tables_leave", request=None, responses=TableOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Stand up from a table of open play that has not begun, as a player who sits there."""
        return Response(_shown(self.actor, tables.leave(actor=self.actor, table=_table_or_404(self.actor, uid))))


class Nudge(ApiView):
    """Ask a table for its result."""

    @extend_schema(operation_id="tables_nudge", request=None, responses=TableOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Ask a table for its result: the phones of its players show it. For whoever runs the event."""
        return Response(_shown(self.actor, tables.nudge(actor=self.actor, table=_table_or_404(self.actor, uid))))


urlpatterns = [
    path("tables/<slug:uid>/", OneTable.as_view(), name="table"),
    path("tables/<slug:uid>/leave/", Leave.as_view(), name="leave-table"),
    path("tables/<slug:uid>/nudge/", Nudge.as_view(), name="nudge-table"),
    path("events/<slug:uid>/tables/", FormTable.as_view(), name="form-table"),
    path("events/<slug:uid>/tables/join/", SitDown.as_view(), name="sit-down"),
]
