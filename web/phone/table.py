"""The page of a table: its score sheet, then what others say of it, then the result, and how it came about."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.conditional import conditional, etag
from core.errors import DomainError
from core.idempotency import Ticket
from core.transactions import atomic
from play.services.records import record_of
from scoring import rules, selectors, sheet_differences
from scoring.errors import SheetRefusedError
from scoring.models import Report, Result, Voice
from scoring.news.state import Difference, EventState
from scoring.notifications import Ask, ask_of
from scoring.services import drafts, reports
from tournaments.access import phone_cookies
from tournaments.actors import Actor, Kind
from tournaments.games import GAMES
from tournaments.models import LONGEST_REASON, Event, Table
from tournaments.selectors import SEATS, sits_at, visible_tables
from tournaments.services.history import refuse_too_many
from web import news
from web.base import READ_OR_SEND, attempt, by_its_clocks, page_actor, reasons, session_actor, takes_a_sheet, typed
from web.console.history import Told, told
from web.phone.app import marked
from web.phone.bg_stats import play_link
from web.phone.sheets import SeatName
from web.phone.sheets.forms import Links, SheetForm, check_of
from web.public.previews import preview_of

SENDING = {Ask.GO, Ask.ENTER}  # the sheet is what the page is for; otherwise it is shown when asked for


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as it is shown: whose it is, what it says in words, and who agreed or did not."""

    report: Report
    rows: Sequence[dict[str, Any]]
    title: str
    sentences: Sequence[str]
    entries: Sequence[sheet_differences.Entry]
    agreed: Sequence[str]
    objections: Sequence[Voice]
    is_own: bool  # the reader sent it; a slip that named their seat is for them to confirm as for the others


@dataclass(frozen=True)
class TablePage:
    """A table as one visitor may see it."""

    table: Table
    actor: Actor

    @property
    def event(self) -> Event:
        """The table's event."""
        return self.table.round.event

    @cached_property
    def knows(self) -> bool:
        """Whether they may see everything about the table, and send a sheet."""
        return selectors.knows_table(self.actor, self.table)

    @cached_property
    def reports(self) -> list[Report]:
        """The reports they may see, newest first."""
        return selectors.reports_of(self.actor, self.table)

    @cached_property
    def live(self) -> list[Shown]:
        """The reports that may still count or do, oldest first."""
        counted = [report for report in self.reports if report.status in Report.STANDING]
        return [self._shown(report) for report in reversed(counted)]

    @cached_property
    def ask(self) -> Ask:
        """What the table asks of them."""
        return ask_of(self.table, self.actor.entry, [shown.report for shown in self.live])

    @property
    def is_own(self) -> bool:
        """Whether the sheet that waits is theirs."""
        return any(shown.is_own for shown in self.live)

    @cached_property
    def differences(self) -> list[sheet_differences.Entry]:
        """Where two sheets that are both live differ, the first entry first."""
        pairs = selectors.pairs_of(shown.report for shown in self.live if shown.report.sheet is not None)
        if not pairs:
            return []
        sheets = [report.sheet or {} for report in pairs[0]]
        return sheet_differences.differences(rules.game_of(self.event), self.names, *sheets)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names at the table by the labels of its sheet."""
        return rules.names_of(self.table)

    @cached_property
    def history(self) -> list[Told]:
        """What was done at the table, oldest first."""
        return (
            [told(action, is_solo=self.event.is_solo) for action in reversed(selectors.history_of(self.table))]
            if self.knows
            else []
        )

    @cached_property
    def has_record(self) -> bool:
        """Whether the record of the game belongs to the result."""
        return record_of(self.table) is not None

    @cached_property
    def takes_record(self) -> bool:
        """Whether they may attach the record of the game: there is one sheet, and a game that the engines play."""
        return self.knows and self.event.game in GAMES and len(self.live) == 1

    @cached_property
    def bg_stats(self) -> str:
        """The link that copies the result into the app BG Stats; empty while nothing counts."""
        counted = [shown for shown in self.live if shown.report.status == Report.Status.FINAL]
        result = Result.objects.filter(table=self.table, is_counted=True).first() if counted else None
        return play_link(self.table, counted[0].rows, result.played_at) if result else ""

    @property
    def tag(self) -> str:
        """What tells one state of the page from another."""
        event, current, table = self.event, self.table.round, self.table
        # Results at other tables raise the event's version, and change nothing here.
        of_event = (event.status, event.confirmation, current.version, current.status)
        return etag(table.version, *of_event, self.actor.throttle_key, get_language())

    @property
    def address(self) -> str:
        """Where the page is."""
        return reverse("web:table", args=[self.event.uid, self.table.uid])

    def _shown(self, report: Report) -> Shown:
        engine = rules.game_of(self.event)
        verdict = selectors.verdict_of(report, self.table)
        scores = [row["score"] for row in report.standings]
        entry = self.actor.entry
        return Shown(
            report=report,
            rows=[row | {"name": self.names.get(row["seat"], row["seat"])} for row in report.standings],
            title=rules.solo_title(engine, report.sheet, report.standings[0]["seat"]) if report.sheet else "",
            # Where all scores differ they say enough.
            sentences=(verdict["explanations"] or ()) if len(set(scores)) < len(scores) else (),
            entries=sheet_differences.entries(engine, self.names, report.sheet) if report.sheet else (),
            agreed=[voice.entry.name for voice in report.agreed],
            objections=report.objections,
            is_own=entry is not None and report.entry_id == entry.pk and not report.is_by_slip,
        )

    def form(self, sheet: dict[str, Any] | None = None) -> SheetForm:
        """Return the score sheet: as it was sent, or as far as the table has filled it in, or as it was reported."""
        engine = rules.game_of(self.event)
        draft = drafts.draft_of(actor=self.actor, table=self.table)
        links = Links(
            draft=self._api("draft"),
            version=draft.version,
            send=self._api("reports"),
            key=uuid.uuid4().hex,
            then=self.address,
            check=check_of(self.event),
            author=drafts.author_of(self.actor),
        )
        reported = [shown.report.sheet for shown in self.live if shown.report.sheet]
        known = sheet or draft.sheet or (reported[-1] if reported else {})
        people = [SeatName(label, name) for label, name in self.names.items()]
        variant = engine.variant(self.table.variant)
        corrected = reported[-1] if reported else None
        return SheetForm(engine, variant, people, known, links, judged=sheet is not None, corrected=corrected)

    def _api(self, route: str) -> str:
        """Return an address of the API for the script, which speaks with the link that the page was made for."""
        address = reverse(f"api:{route}", args=[self.table.uid])
        if self.actor.entry is not None:
            return f"{address}?{phone_cookies.named(self.event.uid, self.actor.entry.uid)}"
        if self.actor.user is not None:
            return f"{address}?{phone_cookies.named(self.event.uid, phone_cookies.login_of(self.actor.user))}"
        return f"{address}?{phone_cookies.named(self.table.uid)}" if self.actor.kind == Kind.TABLE else address


def table_page(request: HttpRequest, uid: str, table_uid: str) -> TablePage:
    """Return the table as a visitor sees it: as somebody who sits there, by its slip, as a member, or as anybody.

    Who runs the event and plays along in the same browser is a player at their own table, and the club at the others.
    """
    tables = Table.objects.select_related("round__event__club").prefetch_related(SEATS)
    table = get_object_or_404(tables, uid=table_uid, round__event__uid=uid)
    actor = page_actor(request, uid)
    if not sits_at(actor, table):
        actor = page_actor(request, table_uid, uid)
    if not selectors.knows_table(actor, table) and selectors.knows_table(member := session_actor(request), table):
        actor = member
    if not visible_tables(actor).filter(pk=table.pk).exists():
        raise Http404
    by_its_clocks(table.round.event.club)
    return TablePage(table, actor)


@never_cache
@READ_OR_SEND
@takes_a_sheet
def table(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Show a table; a sheet that is sent as a plain form is checked, or reported."""
    page = table_page(request, uid, table_uid)
    if request.method == "POST":
        return _take(request, page)
    is_sending = page.knows and (page.ask in SENDING or ("sheet" in request.GET and page.ask != Ask.FINAL))
    return _show(request, page, page.form() if is_sending else None)


def _show(request: HttpRequest, page: TablePage, form: SheetForm | None, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {"page": page, "form": form, "now": timezone.now(), "seat": request.POST.get("seat")}
    if page.ask == Ask.FINAL:
        title = f"{page.event.table_title(page.table.number)} · {page.event.name}"
        context["preview"] = preview_of(
            request, page.actor, "table", page.event.uid, page.table.uid,
            title=title, description=", ".join(page.names.values()), version=page.table.version,
        )  # fmt: skip
    response = render(request, "phone/table.html", context, status=status)
    if page.knows:  # before they send a sheet: who is logged in may open a player's link here later
        phone_cookies.number(request, response)
    return marked(response, page.actor.entry)


@require_safe
def live(request: HttpRequest, uid: str, table_uid: str) -> HttpResponseBase:
    """Answer with what changes on the page of a table."""
    page = table_page(request, uid, table_uid)
    return conditional(request, page.tag, lambda: render(request, "phone/_table.html", {"page": page}))


@require_safe
def stream(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Tell the page of a table when something there is new."""
    page = table_page(request, uid, table_uid)
    key = page.table.pk

    def is_new(_state: EventState) -> bool:
        return news.has_other_tag(request, table_page(request, uid, table_uid).tag)

    def draft(state: EventState) -> bytes:
        """Tell those who fill in the sheet which version of it there is."""
        return news.message("draft", state.drafts[key]) if page.knows and key in state.drafts else b""

    def say(happened: Difference) -> bytes:
        is_news = happened.is_for_all or key in happened.tables
        return (news.NEWS if is_news else b"") + (draft(happened.after) if key in happened.drafts else b"")

    return news.news(request, page.actor, page.event, is_new=is_new, say=say, first=draft)


# --- What people at the table do --------------------------------------------------------------------------------


def _take(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Check a sheet that came as a plain form, or report it; what is wrong is said beside the fields."""
    if not page.knows:
        raise PermissionDenied
    sheet, seat = page.form().read(request.POST), request.POST.get("seat") or None
    if request.POST.get("action") != "send":
        return _show(request, page, page.form(sheet))
    try:
        _report_once(page, request.POST.get("key", ""), sheet, seat)
    except DomainError as error:
        messages.error(request, error.detail if isinstance(error, SheetRefusedError) else " ".join(reasons(error)))
        return _show(request, page, page.form(sheet), status=error.status)
    return redirect(page.address)


def _report_once(page: TablePage, key: str, sheet: dict[str, Any], seat: str | None) -> None:
    ticket = Ticket.of_form(page.actor.throttle_key or "", key, page.table.uid, sheet, seat)
    judged = reports.judge(table=page.table, sheet=sheet)
    with atomic():
        if ticket.find() is None:
            report = reports.submit_judged(actor=page.actor, judged=judged, seat=seat)
            refuse_too_many(page.actor, "answers")
            ticket.keep({"report": report.uid})


@require_POST
def act(request: HttpRequest, uid: str, table_uid: str, verb: str) -> HttpResponse:
    """Say something of a report, then show the table again."""
    page = table_page(request, uid, table_uid)
    report = next((each for each in page.reports if each.uid == request.POST.get("report")), None)
    if report is None or verb not in ACTS:
        raise Http404
    attempt(request, lambda: ACTS[verb](page.actor, report, typed(request, "reason")[:LONGEST_REASON]))
    return redirect(page.address)


def _confirm(actor: Actor, report: Report, reason: str) -> None:
    reports.confirm_report(actor=actor, report=report)


def _dispute(actor: Actor, report: Report, reason: str) -> None:
    reports.dispute_report(actor=actor, report=report, reason=reason)


def _withdraw(actor: Actor, report: Report, reason: str) -> None:
    reports.withdraw_report(actor=actor, report=report, reason=reason)


ACTS: dict[str, Callable[[Actor, Report, str], None]] = {
    "confirm": _confirm,
    "dispute": _dispute,
    "withdraw": _withdraw,
}

urlpatterns = [
    path("e/<slug:uid>/table/<slug:table_uid>/", table, name="table"),
    path("e/<slug:uid>/table/<slug:table_uid>/live/", live, name="table-live"),
    path("e/<slug:uid>/table/<slug:table_uid>/news/", stream, name="table-news"),
    path("e/<slug:uid>/table/<slug:table_uid>/<slug:verb>/", act, name="table-act"),
]
