"""A table as the organiser sees it: what was sent, where sheets differ, and the decision, which is previewed first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core import strict_json
from core.errors import DomainError
from scoring import rules, selectors
from scoring.models import Report
from scoring.services.decisions import Choice, decide_table
from scoring.services.previews import Cut, Preview, preview_decision
from scoring.services.reports import OBJECTED
from tournaments.models import LARGEST_TABLE, LONGEST_REASON, Entry, Role, Round, Table
from tournaments.selectors import SEATS
from web.base import READ_OR_SEND, managed_event_or_404, reasons, session_actor, takes_a_sheet
from web.forms import ServiceForm
from web.phone.sheets import SeatName
from web.phone.sheets.forms import Links, SheetForm, check_of
from web.phone.table import TablePage

FORFEIT = "forfeit"
ATTEMPTS_SHOWN = 5
MOVES_SHOWN = 10  # of a list, before the others are unfolded


class RankingForm(ServiceForm):
    """Places given by hand: a rank and perhaps a score for each player, or that they forfeited."""

    def __init__(self, data: Any, *, names: Mapping[str, str], **options: Any) -> None:
        super().__init__(data, **options)
        self.names = names
        ranks = [("", "–"), *((str(rank), str(rank)) for rank in range(1, len(names) + 1)), (FORFEIT, _("forfeited"))]
        for uid, name in names.items():
            self.fields[f"rank_{uid}"] = forms.ChoiceField(label=name, choices=ranks)
            self.fields[f"score_{uid}"] = forms.IntegerField(
                label=_("Score of {name}").format(name=name),
                required=False,
                min_value=-Report.MOST_POINTS,
                max_value=Report.MOST_POINTS,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "placeholder": _("score")}),
            )

    @property
    def rows(self) -> list[tuple[Any, Any]]:
        """The fields of each player."""
        return [(self[f"rank_{uid}"], self[f"score_{uid}"]) for uid in self.names]

    def payload(self) -> dict[str, Any]:
        """Return the decision, as the page after this one carries it."""
        given = {uid: (self.cleaned_data[f"rank_{uid}"], self.cleaned_data[f"score_{uid}"]) for uid in self.names}
        return {
            "ranking": {uid: [int(rank), score] for uid, (rank, score) in given.items() if rank != FORFEIT},
            "forfeits": [uid for uid, (rank, _score) in given.items() if rank == FORFEIT],
        }


class PayloadField(forms.JSONField):
    """JSON that a page of ours wrote."""

    def to_python(self, value: Any) -> Any:
        """Return the value; what cannot be kept is no JSON of ours."""
        try:
            return strict_json.read(value or "")
        except ValueError:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None


class DecisionForm(forms.Form):
    """A decision that waits for a word: what it is, as JSON, and why."""

    payload = PayloadField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Everybody at the table can read it."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class Move(NamedTuple):
    """Somebody who would move, from where to where."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Moves:
    """A list of those who would move; `nobody` is said where it is empty."""

    title: str
    nobody: str
    rows: Sequence[Move]

    @property
    def first(self) -> Sequence[Move]:
        """Those who are shown at once."""
        return self.rows[:MOVES_SHOWN]

    @property
    def others(self) -> Sequence[Move]:
        """Those who are unfolded."""
        return self.rows[MOVES_SHOWN:]


def _page(request: HttpRequest, uid: str, table_uid: str, role: Role = Role.SCOREKEEPER) -> TablePage:
    event = managed_event_or_404(request, uid, role)
    tables = Table.objects.filter(round__event=event).select_related("round__event__club").prefetch_related(SEATS)
    return TablePage(get_object_or_404(tables, uid=table_uid), session_actor(request))


def _console_of(page: TablePage) -> str:
    """Return where the console shows the table among others."""
    if page.table.round.kind == Round.Kind.OPEN:
        return reverse("web:console", args=[page.event.uid])
    return reverse("web:console-round", args=[page.event.uid, page.table.round.number])


@login_required
@require_safe
def table(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Show a table with everything that was sent, and the ways to decide it."""
    return _show(request, _page(request, uid, table_uid))


def _show(request: HttpRequest, page: TablePage, ranking: RankingForm | None = None) -> HttpResponse:
    context = {
        "page": page,
        "event": page.event,
        "back": _console_of(page),
        "is_organiser": page.actor.is_at_least(Role.ORGANISER, page.event.club),
        "doubts": [(shown.report, _doubts(page, shown.report)) for shown in page.live if shown.report.flags],
        "attempts": [
            (each, selectors.verdict_of_attempt(each, page.table)["errors"])
            for each in selectors.attempts_of(page.table)[:ATTEMPTS_SHOWN]
        ],
        "ranking": ranking or RankingForm(None, names=page.names),
    }
    return render(request, "console/table.html", context)


def _doubts(page: TablePage, report: Report) -> list[str]:
    """Return why somebody should look at a report, in words."""
    verdict = selectors.verdict_of(report, page.table)
    doubts = [str(each["message"]) for each in verdict["warnings"]]
    for flag in report.flags:
        if flag["code"] == OBJECTED:
            doubts.append(_("A player of the table objects to the result."))
        elif "share" in flag:
            text = _("{name} scored {score}. In simulated games, {share} % of the scores are as unusual.")
            name = page.names.get(flag["seat"], flag["seat"])
            doubts.append(text.format(name=name, score=flag["score"], share=f"{100 * flag['share']:.2f}"))
    return doubts


# --- Decisions --------------------------------------------------------------------------------------------------


def _choice(page: TablePage, payload: Any) -> Choice:
    """Return the decision that a form carried; whatever makes no sense there is not ours."""
    match payload:
        case {"report": str(uid)}:
            report = next((each for each in page.reports if each.uid == uid), None)
            return Choice(report=report)
        case {"sheet": dict(sheet), "forfeits": list(forfeits)}:
            return Choice(sheet=sheet, forfeits=[str(each) for each in forfeits])
        case {"ranking": dict(ranking), "forfeits": list(forfeits)}:
            places = {uid: _given_place(place) for uid, place in ranking.items()}
            return Choice(ranking=places, forfeits=[str(each) for each in forfeits])
        case {"drop": True}:
            return Choice(is_dropped=True)
    raise BadRequest


def _given_place(place: Any) -> tuple[int, int | None]:
    match place:
        case [int(rank), int() | None as score] if (
            1 <= rank <= LARGEST_TABLE and abs(score or 0) <= Report.MOST_POINTS
        ):
            return rank, score
    raise BadRequest


@login_required
@require_POST
def rank(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Take places given by hand, and show what they would change."""
    page = _page(request, uid, table_uid, Role.ORGANISER)
    form = RankingForm(request.POST, names=page.names)
    if not form.is_valid():
        return _show(request, page, form)
    return _preview(request, page, form.payload())


@never_cache
@login_required
@READ_OR_SEND
@takes_a_sheet
def sheet(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Give a sheet for a table, without the players who forfeited, and show what it would change."""
    page = _page(request, uid, table_uid, Role.ORGANISER)
    forfeits = [each for each in request.GET.getlist("forfeit") if each in page.names]
    form = _sheet_form(page, forfeits, request.get_full_path())
    if request.method == "POST":
        given = form.read(request.POST)
        form = _sheet_form(page, forfeits, request.get_full_path(), given)
        if request.POST.get("action") != "check" and form.verdict and form.verdict["ok"]:
            return _preview(request, page, {"sheet": given, "forfeits": forfeits})
    context = {"page": page, "event": page.event, "form": form, "forfeits": forfeits}
    return render(request, "console/table_sheet.html", context)


def _sheet_form(page: TablePage, forfeits: list[str], address: str, given: dict[str, Any] | None = None) -> SheetForm:
    """Return the sheet of a table without some players: as it was given, or as it counts, or empty."""
    engine = rules.game_of(page.event)
    variant, labels = rules.labels_of(page.table, forfeits)
    people = [SeatName(label, page.names[label]) for label in labels if label in page.names]
    counted = [shown.report.sheet for shown in page.live if shown.report.sheet and not forfeits]
    known = given if given is not None else (counted[-1] if counted else {})
    links = Links(send=address, check=check_of(page.event))
    return SheetForm(engine, engine.variant(variant), people, known, links, judged=given is not None)


@never_cache
@login_required
@require_POST
@takes_a_sheet
def decide(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Show what a decision would change, then, with a reason, make it."""
    page = _page(request, uid, table_uid, Role.ORGANISER)
    form = DecisionForm(request.POST)
    is_clear = form.is_valid()
    if "payload" not in form.cleaned_data:
        raise BadRequest
    payload = form.cleaned_data["payload"]
    if not is_clear or "decided" not in request.POST:
        return _preview(request, page, payload, form if "decided" in request.POST else None)
    choice, reason = _choice(page, payload), form.cleaned_data["reason"]
    try:
        decide_table(actor=page.actor, table=page.table, choice=choice, reason=reason)
    except DomainError as error:
        messages.error(request, " ".join(reasons(error)))
        return redirect("web:table-decision", uid, table_uid)
    messages.success(request, _("Table {number} is decided.").format(number=page.table.number))
    return redirect(_console_of(page))


def _preview(
    request: HttpRequest, page: TablePage, payload: dict[str, Any], form: DecisionForm | None = None
) -> HttpResponse:
    choice = _choice(page, payload)
    try:
        changes = preview_decision(actor=page.actor, table=page.table, choice=choice)
    except DomainError as error:
        messages.error(request, " ".join(reasons(error)))
        return redirect("web:table-decision", page.event.uid, page.table.uid)
    leave, enter = _finalists(changes.cut)
    context = {
        "page": page,
        "event": page.event,
        "changes": changes,
        "moves": _moves(changes),
        "leave": leave,
        "enter": enter,
        "places": _places(page, choice),
        "is_dropped": choice.is_dropped,
        "form": form or DecisionForm(initial={"payload": payload}),
        "address": reverse("web:decide", args=[page.event.uid, page.table.uid]),
    }
    return render(request, "console/decision.html", context)


def _moves(changes: Preview) -> list[Moves]:
    """Return who moves where, in the standings, the ratings and, where it counts there, the season."""
    standings, season = (
        [Move(each.player.name, _number(each.rank_before), _number(each.rank_after)) for each in ranks]
        for ranks in (changes.standings, changes.season)
    )
    ratings = [Move(each.player.name, _number(each.before), _number(each.after)) for each in changes.ratings]
    lists = [Moves(_("Standings"), _("Nobody moves."), standings)]
    lists.append(Moves(_("Ratings"), _("Nobody’s rating changes."), ratings))
    return [*lists, Moves(_("Season"), "", season)] if season else lists


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _finalists(cut: Cut) -> tuple[list[str], list[str]]:
    """Return the names of who leaves the final and of who enters it, in the order of the standings."""
    leave = [uid for uid in cut.before if uid not in cut.after]
    enter = [uid for uid in cut.after if uid not in cut.before]
    names = dict(Entry.objects.filter(uid__in=[*leave, *enter]).values_list("uid", "name"))
    return [names[uid] for uid in leave], [names[uid] for uid in enter]


def _places(page: TablePage, choice: Choice) -> list[dict[str, Any]]:
    """Return who gets which place by a decision."""
    if choice.report is not None:
        rows = choice.report.standings
    elif choice.ranking is not None:
        given = choice.ranking.items()
        rows = sorted(
            ({"seat": uid, "rank": rank, "score": score} for uid, (rank, score) in given), key=lambda row: row["rank"]
        )
    elif choice.sheet is not None:
        rows = rules.check(rules.game_of(page.event), choice.sheet, page.names)["standings"] or []
    else:
        rows = []
    forfeits = choice.report.forfeits if choice.report is not None else choice.forfeits
    names = [{**row, "name": page.names.get(row["seat"], row["seat"])} for row in rows]
    return [*names, *({"name": page.names[uid], "rank": None, "score": None} for uid in forfeits)]
