"""Results of tables: drafts, reports, what others say of them, decisions, and the history of it all."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import IF_NONE_MATCH, ApiView, ListView, written
from api.events import event_or_404
from api.games import VerdictOutput
from api.idempotency import HEADER, idempotent
from api.serializers import PersonOutput, many
from api.shapes import NullableSheetField, SheetField, ShortList
from core.costly import OWN, bounded
from core.csv import CsvRenderer
from core.ids import ID_LENGTH
from scoring import selectors
from scoring.errors import DraftConflictError
from scoring.models import Attempt, Draft, Report
from scoring.services import decisions, drafts, previews, reports
from scoring.services.decisions import Choice
from tournaments.errors import ForbiddenError
from tournaments.models import LARGEST_TABLE, LONGEST_REASON, Action, Role, Table
from tournaments.selectors import seen_table
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST_CLASHES = 50  # in an answer, as findings in a verdict

PREVIEW = OpenApiParameter(
    "preview", OpenApiTypes.BOOL, description="`true` says what would change, and stores nothing."
)


class Reason(serializers.Serializer):
    """Why, in a sentence."""

    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class DraftInput(serializers.Serializer):
    """A sheet as far as it is filled in, and the version it was made from: 0 for the first."""

    sheet = serializers.DictField()
    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


class DraftOutput(serializers.Serializer):
    """The sheet of a table in progress."""

    table = serializers.CharField(source="table.uid")
    version = serializers.IntegerField()
    sheet = serializers.DictField()
    author = serializers.SerializerMethodField(help_text="The entry whose phone it was, or the kind of caller.")
    updated_at = serializers.DateTimeField(allow_null=True)

    def get_author(self, draft: Draft) -> str | None:
        """Return who wrote it; None where nobody has begun."""
        return draft.author or None


class DraftMerge(serializers.Serializer):
    """What a phone wrote, and the sheet as it knew it before."""

    sheet = serializers.DictField(help_text="The sheet as it stands on the phone.")
    base = serializers.DictField(
        required=False,
        help_text="The sheet that the phone had at `version`, from which its changes are told. "
        "Without it the phone only adds: what it lacks is not taken away.",
    )
    version = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        default=0,
        help_text="Of the draft that the phone last saw; 0 for one that saw none.",
    )


class ClashOutput(serializers.Serializer):
    """A value that two phones wrote differently since they last agreed. The draft keeps what is there."""

    path = serializers.ListField(
        child=serializers.JSONField(), source="clash.path", help_text="Field names and indices from 0."
    )
    theirs = serializers.JSONField(
        source="clash.theirs", allow_null=True, help_text="What is there; null where it was taken away."
    )
    yours = serializers.JSONField(
        source="clash.yours", allow_null=True, help_text="What you wrote; null where you took it away."
    )
    place = serializers.CharField(help_text="Where that is on the sheet, for people and without the seat.")
    author = serializers.CharField(help_text="The entry whose phone wrote what is there, or the kind of caller.")
    author_name = serializers.CharField(help_text="Their name, for people.")


class SharedDraftOutput(DraftOutput):
    """The draft with what you wrote, and what has to be asked: save the answer as another change."""

    clashes = ClashOutput(
        many=True, help_text=f"The first {MOST_CLASHES} fields that somebody else wrote differently since `base`."
    )
    clash_count = serializers.IntegerField(help_text="How many such fields there are.")


class AnyTime(serializers.DateTimeField):
    """A time that stays in the zone it is given in: the first and the last of the calendar have no other."""

    def enforce_timezone(self, value: dt.datetime) -> dt.datetime:
        """Return a time with a zone: its own, else ours."""
        try:
            return value if timezone.is_aware(value) else super().enforce_timezone(value)
        except OverflowError:
            self.fail("overflow")


class ReportInput(serializers.Serializer):
    """The result of a table."""

    report = SheetField(help_text="As the game's JSON Schema has it; labels are the ids of the players.")
    seat = serializers.CharField(
        max_length=ID_LENGTH,
        required=False,
        help_text="Who speaks, for a table's slip: a player, an entry or a position.",
    )
    played_at = AnyTime(
        required=False,
        help_text="When it was played, for a sheet sent late: from a day before the event starts, or from when it was "
        "made if that was earlier, until now.",
    )


class VoiceOutput(serializers.Serializer):
    """A seat that agreed."""

    entry = serializers.CharField(source="entry.uid")
    player = PersonOutput(source="entry")
    at = serializers.DateTimeField()


class ObjectionOutput(VoiceOutput):
    """A seat that did not."""

    reason = serializers.CharField(allow_blank=True)


class ReportOutput(serializers.Serializer):
    """A legal result as somebody reported it."""

    id = serializers.CharField(source="uid")
    table = serializers.CharField(source="table.uid")
    version = serializers.IntegerField()
    status = serializers.ChoiceField(Report.Status.choices)
    report = NullableSheetField(
        source="sheet", allow_null=True, help_text="None where an organiser ranked the players by hand."
    )
    verdict = serializers.SerializerMethodField()
    confirmations = VoiceOutput(source="agreed", many=True)
    disputes = ObjectionOutput(source="objections", many=True)
    player = PersonOutput(source="entry", allow_null=True, help_text="Who sent it; none for the club.")
    author = serializers.CharField()
    forfeits = serializers.ListField(child=serializers.CharField())
    flags = serializers.ListField(child=serializers.JSONField(), help_text="Why somebody should look at it.")
    reason = serializers.CharField(allow_blank=True)
    played_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()

    @extend_schema_field(VerdictOutput)
    def get_verdict(self, report: Report) -> dict[str, Any]:
        """Return what the rules say of it; the seats of its table must be prefetched."""
        return written(VerdictOutput, selectors.verdict_of(report, report.table))


class DifferenceOutput(serializers.Serializer):
    """The first entry in which two sheets differ."""

    reports = serializers.ListField(child=serializers.CharField())
    path = serializers.ListField(child=serializers.JSONField())
    place = serializers.CharField()
    values = serializers.ListField(child=serializers.JSONField(allow_null=True))


class ReportsOutput(serializers.Serializer):
    """The reports of a table, newest first, and where two of them part."""

    results = ReportOutput(many=True)
    difference = DifferenceOutput(allow_null=True)


class AttemptOutput(serializers.Serializer):
    """A sheet that was refused."""

    code = serializers.CharField()
    sheet = serializers.JSONField()
    verdict = serializers.SerializerMethodField()
    player = PersonOutput(source="entry", allow_null=True)
    author = serializers.CharField()
    created_at = serializers.DateTimeField()

    @extend_schema_field(VerdictOutput)
    def get_verdict(self, attempt: Attempt) -> dict[str, Any]:
        """Return what the rules say of it now."""
        return VerdictOutput(selectors.verdict_of_attempt(attempt, self.context["table"])).data


class ActionOutput(serializers.ModelSerializer[Action]):
    """Something that was done: who, what, when, why."""

    class Meta:
        model = Action
        fields = ["verb", "actor", "reason", "facts", "at"]


class PlaceInput(serializers.Serializer):
    """A place given by hand."""

    player = serializers.CharField(max_length=ID_LENGTH)
    rank = serializers.IntegerField(min_value=1, max_value=LARGEST_TABLE)
    score = serializers.IntegerField(
        min_value=-Report.MOST_POINTS, max_value=Report.MOST_POINTS, required=False, allow_null=True
    )


class DecisionInput(serializers.Serializer):
    """What the result of a table is, and why: one of `report_id`, `report`, `ranking`, `drop`."""

    report_id = serializers.CharField(max_length=ID_LENGTH, required=False)
    report = SheetField(required=False)
    ranking = many(PlaceInput, LARGEST_TABLE, required=False)
    drop = serializers.BooleanField(default=False, help_text="The table counts for nobody.")
    forfeits = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH),
        required=False,
        max_length=LARGEST_TABLE,
        help_text="They take the last places.",
    )
    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class DecisionOutput(serializers.Serializer):
    """What counts now."""

    table = serializers.CharField(source="table.uid")
    status = serializers.CharField(source="table.status")
    report = ReportOutput(allow_null=True)
    rounds_seated_after = serializers.ListField(
        child=serializers.IntegerField(), help_text="They were seated by standings that may have changed; they stay."
    )


class RankMove(serializers.Serializer):
    """Somebody whose rank would change; none where they are not ranked."""

    player = PersonOutput()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)


class RatingMove(serializers.Serializer):
    """Somebody whose rating would change; none where they have none."""

    player = PersonOutput()
    before = serializers.FloatField(allow_null=True)
    after = serializers.FloatField(allow_null=True)


class CutMove(serializers.Serializer):
    """The entries in the final."""

    before = serializers.ListField(child=serializers.CharField())
    after = serializers.ListField(child=serializers.CharField())


class PreviewOutput(serializers.Serializer):
    """What a decision would change."""

    standings = RankMove(many=True)
    season = RankMove(many=True)
    cut = CutMove()
    ratings = RatingMove(many=True)
    rounds_seated_after = serializers.ListField(child=serializers.IntegerField())


DECIDED = PolymorphicProxySerializer("DecisionOrPreview", [DecisionOutput, PreviewOutput], None)


class AcceptPendingInput(serializers.Serializer):
    """Which sheets to accept: of one round, or all."""

    round = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)


class AcceptedOutput(serializers.Serializer):
    """What was accepted, and the tables in dispute that were not."""

    accepted = ReportOutput(many=True)
    disputed = serializers.ListField(child=serializers.CharField())


class TableView(ApiView):
    """A view of something that belongs to a table."""

    def table(self, uid: str) -> Table:
        """Return the table, with its seats, if the caller may know of it."""
        table = seen_table(self.actor, uid)
        if table is None:
            raise Http404
        return table

    def report(self, uid: str) -> Report:
        """Return a report the caller may know of: one that does not count is for its table and the club."""
        report = get_object_or_404(selectors.visible_reports(self.actor), uid=uid)
        if not selectors.may_see(self.actor, report):
            raise Http404
        return report


class TableDraft(TableView):
    """The score sheet of a table while it is filled in."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="drafts_retrieve", parameters=[IF_NONE_MATCH], responses=DraftOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read the draft; version 0 where nobody has begun."""
        draft = drafts.draft_of(actor=self.actor, table=self.table(uid))
        return self.polled(lambda: Response(DraftOutput(draft).data), draft.version)

    @extend_schema(operation_id="drafts_save", request=DraftInput, responses=DraftOutput)
    def put(self, request: Request, uid: str) -> Response:
        """Save the draft over the version it was made from; 409 with the newer draft where there is one."""
        body = self.body(DraftInput)
        try:
            draft = drafts.save_draft(
                actor=self.actor, table=self.table(uid), sheet=body["sheet"], version=body["version"]
            )
        except DraftConflictError as error:
            error.facts["draft"] = DraftOutput(error.draft).data
            raise
        return Response(DraftOutput(draft).data)

    @extend_schema(operation_id="drafts_merge", request=DraftMerge, responses=SharedDraftOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Add to the draft what changed on one phone, field by field; `clashes` are fields that two wrote at once."""
        body = self.body(DraftMerge)
        draft, questions = drafts.merge_draft(actor=self.actor, table=self.table(uid), **body)
        clashes = ClashOutput(questions[:MOST_CLASHES], many=True).data
        return Response(DraftOutput(draft).data | {"clashes": clashes, "clash_count": len(questions)})


class TableReports(TableView):
    """The reports of a table."""

    creates = ("report", "id")

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(operation_id="reports_list", parameters=[IF_NONE_MATCH], responses=ReportsOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """List the reports, newest first: all for the table and the club, the final one for everybody else.

        Why it was decided, disputed or marked is for the table and the club too.
        """
        table = self.table(uid)

        def make() -> Response:
            found = selectors.reports_of(self.actor, table)
            answer = {"results": found, "difference": selectors.difference_of(table, found)}
            return Response(ReportsOutput(answer).data)

        return self.polled(make, table.version, table.round.event.version, selectors.knows_table(self.actor, table))

    @extend_schema(
        operation_id="reports_create", parameters=[HEADER], request=ReportInput, responses={201: ReportOutput}
    )
    def post(self, request: Request, uid: str) -> Response:
        """Report the result of a table. A sheet that breaks the rules is 422 with every finding."""
        table = self.table(uid)
        body = self.body(ReportInput)
        return self._submit(request, reports.judge(table=table, sheet=body["report"]), body)

    @idempotent
    def _submit(self, request: Request, judged: reports.Judged, body: dict[str, Any]) -> Response:
        report = reports.submit_judged(
            actor=self.actor, judged=judged, seat=body.get("seat"), played_at=body.get("played_at")
        )
        return Response(written(ReportOutput, report), status=201)


class OneReport(TableView):
    """One report."""

    @extend_schema(operation_id="reports_retrieve", responses=ReportOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read a report. Why it was decided, disputed or marked is for its table and the club."""
        return Response(ReportOutput(selectors.as_seen(self.actor, self.report(uid))).data)


class Confirm(TableView):
    """Agree to a report."""

    @extend_schema(operation_id="reports_confirm", request=None, responses=ReportOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Agree as another seat of the table, or approve as an organiser."""
        report = reports.confirm_report(actor=self.actor, report=self.report(uid))
        return Response(ReportOutput(report).data)


class Dispute(TableView):
    """Object to a report."""

    @extend_schema(operation_id="reports_dispute", request=Reason, responses=ReportOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Object as another seat of the table; a final report is flagged and still counts."""
        reason = self.body(Reason)["reason"]
        report = reports.dispute_report(actor=self.actor, report=self.report(uid), reason=reason)
        return Response(ReportOutput(report).data)


class WithdrawInput(Reason):
    """Who takes it back, for a table's slip, and why."""

    seat = serializers.CharField(max_length=ID_LENGTH, required=False)


class Withdraw(TableView):
    """Take a report back."""

    @extend_schema(operation_id="reports_withdraw", request=WithdrawInput, responses=ReportOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Take one's own report back while it does not count."""
        body = self.body(WithdrawInput)
        report = reports.withdraw_report(
            actor=self.actor, report=self.report(uid), seat=body.get("seat"), reason=body["reason"]
        )
        return Response(ReportOutput(report).data)


class ClearFlags(TableView):
    """An organiser's look at a report that was marked."""

    @extend_schema(operation_id="reports_clear_flags", request=None, responses=ReportOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say that a marked report was looked at and is fine; the history keeps why it was marked."""
        return Response(ReportOutput(reports.clear_flags(actor=self.actor, report=self.report(uid))).data)


class Decision(TableView):
    """The organiser's word on a table."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(
        operation_id="decisions_create", parameters=[HEADER, PREVIEW], request=DecisionInput, responses=DECIDED
    )
    def post(self, request: Request, uid: str) -> Response:
        """Decide a table: choose a report, give one, rank by hand, or drop it; also long after the event."""
        if request.query_params.get("preview", "").lower() in {"true", "1"}:
            table, choice, reason = self._asked(uid)
            preview = previews.preview_decision(actor=self.actor, table=table, choice=choice, reason=reason)
            return Response(PreviewOutput(preview).data)
        table, choice, reason = self._asked(uid)
        return self._decide(request, decisions.propose(actor=self.actor, table=table, choice=choice, reason=reason))

    @idempotent
    def _decide(self, request: Request, proposal: decisions.Proposal) -> Response:
        report, table = decisions.decide(proposal), proposal.table
        table.refresh_from_db()
        answer = {"table": table, "report": report, "rounds_seated_after": decisions.later_rounds(table)}
        return Response(DecisionOutput(answer).data)

    def _asked(self, uid: str) -> tuple[Table, Choice, str]:
        table = self.table(uid)
        require_role(actor=self.actor, club=table.round.event.club, role=Role.ORGANISER)
        body = self.body(DecisionInput)
        chosen = body.get("report_id")
        ranking = body.get("ranking")
        return (
            table,
            Choice(
                report=get_object_or_404(table.reports, uid=chosen) if chosen else None,
                sheet=body.get("report"),
                ranking=None
                if ranking is None
                else {row["player"]: (row["rank"], row.get("score")) for row in ranking},
                is_dropped=body["drop"],
                forfeits=body.get("forfeits", ()),
            ),
            body["reason"],
        )


class AcceptAll(TableView):
    """Accept all sheets that nobody disputes."""

    @extend_schema(operation_id="decisions_accept_all", request=AcceptPendingInput, responses=AcceptedOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Accept every legal sheet that waits, of a round or of the whole event."""
        event = event_or_404(self.actor, uid)
        number = self.body(AcceptPendingInput).get("round")
        accepted, disputed = decisions.accept_pending(actor=self.actor, event=event, number=number)
        answer = {"accepted": accepted, "disputed": [table.uid for table in disputed]}
        return Response(AcceptedOutput(answer).data)


class Attempts(ListView, TableView):
    """Sheets that were refused."""

    serializer_class = AttemptOutput

    @extend_schema(operation_id="attempts_list", responses=AttemptOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List the refused sheets of a table, newest first, with what was wrong; for the club."""
        table = self.table(uid)
        require_role(actor=self.actor, club=table.round.event.club, role=Role.SCOREKEEPER)
        return self.page(selectors.attempts_of(table), AttemptOutput, table=table)


class TableHistory(ListView, TableView):
    """What was done at a table."""

    serializer_class = ActionOutput

    @extend_schema(operation_id="tables_history", responses=ActionOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List who did what at a table, newest first; for its players and the club."""
        table = self.table(uid)
        if not selectors.knows_table(self.actor, table):
            raise ForbiddenError(_("The history is for the players of the table and the club."))
        return self.page(selectors.history_of(table), ActionOutput)


class EventHistory(ListView):
    """What was done in an event."""

    serializer_class = ActionOutput
    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns = ("at", "actor", "verb", "reason")

    @extend_schema(operation_id="events_history", responses=ActionOutput(many=True))
    def get(self, request: Request, uid: str) -> Response:
        """List who did what in an event, newest first; for the club. CSV has no pages."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        actions = event.actions.order_by("-pk")
        if request.accepted_renderer.format == "csv":
            with bounded(OWN):
                return Response(ActionOutput(actions, many=True).data)
        return self.page(actions, ActionOutput)


urlpatterns = [
    path("tables/<slug:uid>/draft/", TableDraft.as_view(), name="draft"),
    path("tables/<slug:uid>/reports/", TableReports.as_view(), name="reports"),
    path("tables/<slug:uid>/attempts/", Attempts.as_view(), name="attempts"),
    path("tables/<slug:uid>/decision/", Decision.as_view(), name="decision"),
    path("tables/<slug:uid>/history/", TableHistory.as_view(), name="table-history"),
    path("reports/<slug:uid>/", OneReport.as_view(), name="report"),
    path("reports/<slug:uid>/confirm/", Confirm.as_view(), name="confirm"),
    path("reports/<slug:uid>/dispute/", Dispute.as_view(), name="dispute"),
    path("reports/<slug:uid>/withdraw/", Withdraw.as_view(), name="withdraw"),
    path("reports/<slug:uid>/clear-flags/", ClearFlags.as_view(), name="clear-flags"),
    path("events/<slug:uid>/decisions/", AcceptAll.as_view(), name="decisions"),
    path("events/<slug:uid>/history/", EventHistory.as_view(), name="event-history"),
]
