"""What an organiser decides about a table, at any time: choose a report, give one, rank by hand, or drop the table.

A preview does all of it, computes everything that follows with the functions that will, and takes it back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.transactions import atomic
from scoring import rules
from scoring.errors import DecisionInvalidError
from scoring.models import Report
from scoring.services import counting
from scoring.services.reports import Judged, author_of, count_report, judge, new_report, next_version, verdict_at
from tournaments.actors import Actor
from tournaments.models import Event, Role, Round, Table
from tournaments.selectors import SEATS
from tournaments.services.events import lock_event
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.rounds import require_counting
from tournaments.services.tables import change_table, lock_as_read, lock_table


@dataclass(frozen=True, slots=True)
class Choice:
    """What the result of a table is to be: exactly one of a `report`, a `sheet`, a `ranking`, or nothing at all.

    `ranking` gives a rank, and a score or None, by player id. Players in `forfeits` take the last places.
    """

    report: Report | None = None
    sheet: Any = None
    ranking: Mapping[str, tuple[int, int | None]] | None = None
    is_dropped: bool = False
    forfeits: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A decision that is clear and whose sheet, if it gives one, is judged; `table` is as it was read."""

    actor: Actor
    table: Table
    choice: Choice
    reason: str
    judged: Judged | None


def decide_table(*, actor: Actor, table: Table, choice: Choice, reason: str) -> Report | None:
    """Decide the result of a table; returns the report that counts now, None for a table that was dropped."""
    return decide(propose(actor=actor, table=table, choice=choice, reason=reason))


def propose(*, actor: Actor, table: Table, choice: Choice, reason: str) -> Proposal:
    """Say what a decision would be, with its sheet judged before anything is locked; refuse one that is not clear."""
    table = Table.objects.select_related("round__event__club").prefetch_related(SEATS).get(pk=table.pk)
    require_role(actor=actor, club=table.round.event.club, role=Role.ORGANISER)
    _require_choice(table, choice, reason)
    judged = None
    if choice.sheet is not None:
        judged = judge(table=table, sheet=choice.sheet, forfeits=sorted(choice.forfeits))
    return Proposal(actor, table, choice, reason, judged)


@atomic()
def decide(proposal: Proposal) -> Report | None:
    """Decide the result of a table as it was proposed; returns what `decide_table` does."""
    actor, choice, reason = proposal.actor, proposal.choice, proposal.reason
    table = lock_as_read(proposal.table)
    _require_choice(table, choice, reason)
    if choice.is_dropped:
        drop_table(actor=actor, table=table, reason=reason)
        return None
    require_counting(table.round)
    report = counting.read(choice.report, table) if choice.report else _new_report(table, proposal)
    if report.status == Report.Status.FINAL:
        return report
    return count_report(actor=actor, report=report, reason=reason)


def _require_choice(table: Table, choice: Choice, reason: str) -> None:
    faults: list[tuple[str, list[str], str]] = []
    if not reason.strip():
        faults.append(("missing-field", ["reason"], _("Say why.")))
    given = [choice.report is not None, choice.sheet is not None, choice.ranking is not None, choice.is_dropped]
    if sum(given) != 1:
        faults.append(("bad-value", [], _("Choose one report, give one, rank the players, or drop the table.")))
    if choice.report is not None and (choice.report.table_id != table.pk or choice.forfeits):
        faults.append(("bad-value", ["report_id"], _("Choose a report of this table, as it is.")))
    players = set(rules.names_of(table))
    if choice.report is not None and _people_on(choice.report, table) != players:
        message = _("This report has other players than the table has now. Give another one, or rank the players.")
        faults.append(("bad-value", ["report_id"], message))
    if not set(choice.forfeits) < players:
        faults.append(("bad-value", ["forfeits"], _("Somebody of the table must have played.")))
    if choice.ranking is not None and set(choice.ranking) != players - set(choice.forfeits):
        faults.append(("bad-value", ["ranking"], _("Rank everybody at the table who did not forfeit.")))
    if faults:
        errors = [{"code": code, "path": path, "message": message} for code, path, message in faults]
        raise DecisionInvalidError(_("The decision is not clear; `errors` says why."), errors=errors)


def _people_on(report: Report, table: Table) -> set[str]:
    """Return the ids of the players whom a report ranks or has forfeit; somebody may have come in for one since."""
    named = {row["seat"] for row in report.standings} | set(report.forfeits)
    return named - rules.partners_on(table.round.event, report.sheet)


@transaction.atomic
def drop_table(*, actor: Actor, table: Table, reason: str) -> Table:
    """Take a table out, before or after it has a result: it counts for nobody, and its sheets are replaced.

    In open play the round of the table closes with it.
    """
    table = lock_table(table)
    current = table.round
    require_role(actor=actor, club=current.event.club, role=Role.ORGANISER)
    require_counting(current)
    if table.status == Table.Status.DROPPED:
        return table
    had_result = counting.uncount(Table.objects.filter(pk=table.pk))
    change_table(table, status=Table.Status.DROPPED)
    if current.kind == Round.Kind.OPEN and current.is_open:
        Round.objects.filter(pk=current.pk).update(status=Round.Status.CLOSED, closed_at=timezone.now())
    record(actor=actor, event=current.event, verb="table-dropped", table=table, reason=reason, had_result=had_result)
    return table


def _new_report(table: Table, proposal: Proposal) -> Report:
    actor, choice, reason = proposal.actor, proposal.choice, proposal.reason
    forfeits, known = sorted(choice.forfeits), counting.all_reports(table)
    if choice.ranking is None:
        assert proposal.judged is not None  # noqa: S101 -- a clear decision without a ranking has a sheet
        verdict = verdict_at(table, proposal.judged, actor=actor)
        given = new_report(
            actor=actor,
            table=table,
            known=known,
            sheet=choice.sheet,
            verdict=verdict,
            forfeits=forfeits,
            reason=reason,
        )
        given.save(force_insert=True)
        return given
    rows = _ranked(choice.ranking)
    report = Report.objects.create(
        table=table,
        version=next_version(known),
        minimal=hashlib.sha256(json.dumps(rows).encode()).hexdigest(),
        standings=rows,
        forfeits=forfeits,
        author=author_of(actor),
        user=actor.user,
        reason=reason,
    )
    report.said = []
    return report


def _ranked(ranking: Mapping[str, tuple[int, int | None]]) -> list[dict[str, Any]]:
    """Return rows as a verdict has them, with ranks that count those before them."""
    given = [rank for rank, _score in ranking.values()]
    rows: list[dict[str, Any]] = [
        {"seat": seat, "rank": 1 + sum(other < rank for other in given), "score": score, "key": []}
        for seat, (rank, score) in ranking.items()
    ]
    return sorted(rows, key=lambda row: row["rank"])


@transaction.atomic
def accept_pending(*, actor: Actor, event: Event, number: int | None = None) -> tuple[list[Report], list[Table]]:
    """Accept every sheet nobody disputes, of a round or of all; return what counts now, and the tables left over."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    tables = Table.objects.filter(round__event=event).exclude(round__status=Round.Status.CANCELLED)
    if number is not None:
        tables = tables.filter(round__number=number)
    tables = tables.select_related("round__event__club").prefetch_related(SEATS).order_by("round__number", "number")
    accepted = [
        count_report(actor=actor, report=counting.live_reports(table)[0])
        for table in tables.filter(status=Table.Status.REPORTED)
    ]
    return accepted, list(tables.filter(status=Table.Status.DISPUTED))


def later_rounds(table: Table) -> Sequence[int]:
    """Return the rounds that were seated after a table's, by standings that a correction may change."""
    later = Round.objects.filter(event=table.round.event_id, number__gt=table.round.number)
    later = later.exclude(status=Round.Status.CANCELLED).exclude(kind=Round.Kind.OPEN)
    return list(later.order_by("number").values_list("number", flat=True))
