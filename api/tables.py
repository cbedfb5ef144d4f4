"""Tables: read one, say how people really sat, and form tables in open play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import IF_MATCH, IF_NONE_MATCH, ApiView
from api.events import event_or_404, knows_more_of
from api.idempotency import idempotent
from api.serializers import TableCode, TableInput, TableOutput, TablePatch
from core.brute_force import look_up
from core.conditional import etag
from scoring.services.decisions import drop_table
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.models import Entry, Role, Table
from tournaments.services import tables
from tournaments.services.permissions import require_role
from tournaments.services.rounds import remove_table

if TYPE_CHECKING:
    from rest_framework.request import Request


def _sight(actor: Actor, table: Table) -> dict[str, bool]:
    """Return what of a table the caller sees, as its serializer asks for it."""
    return {
        "for_organiser": knows_more_of(actor, table.round.event),
        "for_players": selectors.sits_at(actor, table),
    }


def _shown(actor: Actor, table: Table) -> dict[str, Any]:
    table = selectors.visible_tables(actor).get(pk=table.pk)
    return TableOutput(table, context=_sight(actor, table)).data


def _table_or_404(actor: Actor, uid: str) -> Table:
    return get_object_or_404(selectors.visible_tables(actor), uid=uid)


class OneTable(ApiView):
    """One table."""

    @extend_schema(operation_id="tables_retrieve", parameters=[IF_NONE_MATCH], responses=TableOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read a table."""
        table = _table_or_404(self.actor, uid)
        sight = _sight(self.actor, table)
        return self.polled(
            lambda: Response(TableOutput(table, context=sight).data),
            table.version,
            table.round.event.version,
            *sight.values(),
        )

    @extend_schema(operation_id="tables_change", parameters=[IF_MATCH], request=TablePatch, responses=TableOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Write down how people really sat, name the table, start one of open play, or drop one nobody can finish."""
        table = _table_or_404(self.actor, uid)
        tables.require_at_table(actor=self.actor, table=table)
        # The body is read before anything is locked: nobody waits for one that comes slowly.
        return self._change(table, self.body(TablePatch))

    @transaction.atomic
    def _change(self, table: Table, body: Mapping[str, Any]) -> Response:
        table = tables.lock_as_read(table)
        tables.require_at_table(actor=self.actor, table=table)
        self.require_version(version=table.version)
        if labels := {name: body[name] for name in ("label", "room") if name in body}:
            table = tables.label(actor=self.actor, table=table, **labels)
        if "extend" in body:
            table = tables.extend_table(actor=self.actor, table=table, minutes=body["extend"])
        if "seats" in body:
            table = tables.reorder(actor=self.actor, table=table, entries=body["seats"])
        match body.get("status"):
            case Table.Status.PLAYING:
                table = tables.begin(actor=self.actor, table=table)
            case Table.Status.DROPPED:
                table = drop_table(actor=self.actor, table=table, reason=body.get("reason", ""))
        return Response(_shown(self.actor, table), headers={"ETag": etag(table.version)})

    @extend_schema(operation_id="tables_remove", responses={204: None})
    def delete(self, request: Request, uid: str) -> Response:
        """Take a table out of a draft; who sat there has no seat until they are moved."""
        table = _table_or_404(self.actor, uid)
        require_role(actor=self.actor, club=table.round.event.club, role=Role.ORGANISER)
        remove_table(actor=self.actor, table=table)
        return Response(status=204)


class FormTable(ApiView):
    """Tables that players form themselves."""

    creates = ("table", "id")

    @extend_schema(operation_id="tables_form", request=TableInput, responses={201: TableOutput})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Form a table in open play: as a player alone, as others sit down by its code; as the club for several."""
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
        event, code = event_or_404(self.actor, uid), self.body(TableCode)["code"]
        table = look_up(request, lambda: selectors.table_to_join(event, code))
        if table is None:
            raise Http404
        return Response(_shown(self.actor, tables.sit_down(actor=self.actor, table=table)))


class Leave(ApiView):
    """Leave a table that is being formed."""

    @extend_schema(operation_id="tables_leave", request=None, responses=TableOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Stand up from a table of open play that has not begun, as a player who sits there."""
        return Response(_shown(self.actor, tables.leave(actor=self.actor, table=_table_or_404(self.actor, uid))))


class SlipView(ApiView):
    """The slip of a table."""

    @extend_schema(operation_id="tables_slip_renew", request=None, responses=TableOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Make the slip of a table invalid and give it another. For scorekeepers and organisers."""
        table = tables.renew_slip(actor=self.actor, table=_table_or_404(self.actor, uid))
        return Response(_shown(self.actor, table))


class Nudge(ApiView):
    """Ask a table for its result."""

    @extend_schema(operation_id="tables_nudge", request=None, responses=TableOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Ask a table for its result: the phones of its players show it. For scorekeepers and organisers."""
        return Response(_shown(self.actor, tables.nudge(actor=self.actor, table=_table_or_404(self.actor, uid))))


urlpatterns = [
    path("tables/<slug:uid>/", OneTable.as_view(), name="table"),
    path("tables/<slug:uid>/leave/", Leave.as_view(), name="leave-table"),
    path("tables/<slug:uid>/nudge/", Nudge.as_view(), name="nudge-table"),
    path("tables/<slug:uid>/slip/", SlipView.as_view(), name="table-slip"),
    path("events/<slug:uid>/tables/", FormTable.as_view(), name="form-table"),
    path("events/<slug:uid>/tables/join/", SitDown.as_view(), name="sit-down"),
]
