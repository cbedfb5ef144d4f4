"""Records of games: judged, stepped through and made into a report; and that of a table, beside its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.games import VerdictOutput
from api.shapes import ProblemOutput
from core.costly import PLAY, bounded
from play import rules
from play.errors import RecordInvalidError
from play.services import records
from scoring import rules as judging
from scoring.selectors import knows_result
from tournaments.selectors import visible_tables

if TYPE_CHECKING:
    from rest_framework.request import Request

REFUSED = {(422, "application/problem+json"): ProblemOutput}


class RecordInput(serializers.Serializer):
    """A game as it was played, move by move."""

    game = serializers.CharField()
    variant = serializers.CharField()
    seats = serializers.ListField(child=serializers.CharField())
    options = serializers.DictField(required=False)
    moves = serializers.ListField(child=serializers.CharField())


class RecordOutput(RecordInput):
    """A record that replays."""


class StepInput(serializers.Serializer):
    """A record, and after how many of its moves to look; without a number at its end."""

    record = serializers.JSONField()
    at = serializers.IntegerField(min_value=0, max_value=rules.MOST_STEPS, required=False)


class OfferOutput(serializers.Serializer):
    """A move that is possible."""

    move = serializers.CharField()
    words = serializers.CharField()


class LegalOutput(serializers.Serializer):
    """What is possible: how many moves, and the first of them."""

    count = serializers.IntegerField()
    moves = OfferOutput(many=True)


class ToldOutput(serializers.Serializer):
    """A move that was made; `move` is none where the reader may not know it, `seat` where chance made it."""

    number = serializers.IntegerField()
    seat = serializers.CharField(allow_null=True)
    move = serializers.CharField(allow_null=True)
    words = serializers.CharField()


class MomentOutput(serializers.Serializer):
    """A moment of a game."""

    number = serializers.IntegerField(help_text="How many moves were made.")
    actor = serializers.CharField(allow_null=True, help_text="Whose move it is; none for chance.")
    is_over = serializers.BooleanField()
    table = serializers.DictField(help_text="What lies on the table, as the game has it.")
    legal = LegalOutput()


class StepOutput(MomentOutput):
    """A moment of a record."""

    of = serializers.IntegerField(help_text="How many moves the record has.")
    last = ToldOutput(allow_null=True, help_text="The move that led here.")


class ConvertedOutput(serializers.Serializer):
    """What a table would report of the game."""

    report = serializers.DictField()


def _record_of(slug: str, record: Any) -> Any:
    """Return a record of a game; RecordInvalidError where it is of another."""
    judging.game(slug)
    opened = rules.opened(record)
    if opened.engine.slug != slug:
        raise RecordInvalidError(_("This is a record of another game."), game=opened.engine.slug)
    return record


class CheckRecord(ApiView):
    """Judge a record without storing it."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="records_check", request=RecordInput, responses=VerdictOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Replay a record and judge its game: 200 with the verdict, whether it is ok or not. Nothing is stored."""
        engine = judging.game(slug)
        try:
            with bounded(PLAY):
                report = rules.report_of(_record_of(slug, request.data))
        except RecordInvalidError as error:
            found = error.errors or [{"code": "record.unfinished", "path": ["moves"], "message": error.detail}]
            verdict = {"ok": False, "errors": found, "warnings": [], "standings": None, "explanations": None}
            return Response(VerdictOutput(verdict).data)
        return Response(VerdictOutput(judging.check(engine, report)).data)


class StepRecord(ApiView):
    """Look at a record after some of its moves."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="records_step", request=StepInput, responses={200: StepOutput, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Show a record, finished or not, after so many moves: what lies on the table and which moves are possible."""
        asked = self.body(StepInput)
        with bounded(PLAY):
            record = _record_of(slug, asked["record"])
            of = len(record["moves"])
            number = min(asked.get("at", of), of)
            position = rules.at(record, number)
            last = rules.told(record, number, number)
        return Response(StepOutput(position_shape(position) | {"of": of, "last": last[0] if last else None}).data)


class ConvertRecord(ApiView):
    """Make a report of a record."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="records_convert", request=RecordInput, responses={200: ConvertedOutput, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Replay a record and return the report of its game, with the deepest evidence."""
        with bounded(PLAY):
            report = rules.report_of(_record_of(slug, request.data))
        return Response(ConvertedOutput({"report": report}).data)


def position_shape(position: rules.Position) -> dict[str, Any]:
    """Return a position as its serializer takes it."""
    return {
        "number": position.number,
        "actor": position.actor,
        "is_over": position.is_over,
        "table": position.table,
        "legal": position.legal,
    }


class TableRecord(ApiView):
    """The record of a table's game."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="tables_record_retrieve", responses=RecordOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Return the record that belongs to the result of a table."""
        table = get_object_or_404(visible_tables(self.actor), uid=uid)
        kept = records.record_of(table)
        if kept is None or not knows_result(self.actor, table):
            raise Http404
        return Response(kept.record)

    @extend_schema(
        operation_id="tables_record_attach",
        request=OpenApiTypes.ANY,
        responses={200: RecordOutput, **REFUSED},
    )
    def put(self, request: Request, uid: str) -> Response:
        """Attach the record of its game to a table: it is replayed, and must tell what the table's sheet says."""
        table = get_object_or_404(visible_tables(self.actor), uid=uid)
        with bounded(PLAY):
            return Response(records.attach_record(actor=self.actor, table=table, record=self.request.data).record)

    @extend_schema(operation_id="tables_record_remove", responses={204: None})
    def delete(self, request: Request, uid: str) -> Response:
        """Take the record off a table."""
        records.remove_record(actor=self.actor, table=get_object_or_404(visible_tables(self.actor), uid=uid))
        return Response(status=204)


urlpatterns = [
    path("games/<slug:slug>/records/check/", CheckRecord.as_view(), name="record-check"),
    path("games/<slug:slug>/records/step/", StepRecord.as_view(), name="record-step"),
    path("games/<slug:slug>/records/convert/", ConvertRecord.as_view(), name="record-convert"),
    path("tables/<slug:uid>/record/", TableRecord.as_view(), name="table-record"),
]
