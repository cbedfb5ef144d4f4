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
from django.utils.translation import gettext as _

from scoring import results, validation
from scoring.errors import DecisionInvalidError
from scoring.models import Report
from scoring.services.reports import author_of, count_report, next_version, store_report
from tournaments.actors import Actor
from tournaments.models import Event, Role, Round, Table
from tournaments.selectors import SEATS
from tournaments.services.events import bump, lock_event
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.tables import lock_table


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


@transaction.atomic
def decide_table(*, actor: Actor, table: Table, choice: Choice, reason: str) -> Report | None:
    """Decide the result of a table; returns the report that counts now, None for a table that was dropped."""
    table = lock_table(table)
    event = table.round.event
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    _require_choice(table, choice, reason)
    if choice.is_dropped:
        _drop(actor, table, reason)
        return None
    report = results.read(choice.report, table) if choice.report else _new_report(actor, table, choice, reason)
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
    players = set(validation.names_of(table))
    if not set(choice.forfeits) < players:
        faults.append(("bad-value", ["forfeits"], _("Somebody of the table must have played.")))
    if choice.ranking is not None and set(choice.ranking) != players - set(choice.forfeits):
        faults.append(("bad-value", ["ranking"], _("Rank everybody at the table who did not forfeit.")))
    if faults:
        errors = [{"code": code, "path": path, "message": message} for code, path, message in faults]
        raise DecisionInvalidError(_("The decision is not clear; `errors` says why."), errors=errors)


def _drop(actor: Actor, table: Table, reason: str) -> None:
    """Take a table out: it counts for nobody."""
    had_result = results.uncount(table)
    results.set_status(table, Table.Status.DROPPED)
    bump(table.round.event)
    record(
        actor=actor, event=table.round.event, verb="table-dropped", table=table, reason=reason, had_result=had_result
    )


def _new_report(actor: Actor, table: Table, choice: Choice, reason: str) -> Report:
    forfeits, known = sorted(choice.forfeits), results.all_reports(table)
    if choice.ranking is None:
        verdict = validation.judge(table, choice.sheet, forfeits)
        return store_report(
            actor=actor,
            table=table,
            known=known,
            sheet=choice.sheet,
            verdict=verdict,
            forfeits=forfeits,
            reason=reason,
        )
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
        count_report(actor=actor, report=results.live_reports(table)[0])
        for table in tables.filter(status=Table.Status.REPORTED)
    ]
    return accepted, list(tables.filter(status=Table.Status.DISPUTED))


def later_rounds(table: Table) -> Sequence[int]:
    """Return the rounds that were seated after a table's, by standings that a correction may change."""
    later = Round.objects.filter(event=table.round.event_id, number__gt=table.round.number)
    later = later.exclude(status=Round.Status.CANCELLED).exclude(kind=Round.Kind.OPEN)
    return list(later.order_by("number").values_list("number", flat=True))
