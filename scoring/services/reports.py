"""Sheets that players send: submit, confirm, dispute, withdraw.

Each is one change to the reports and voices of a table, then `settle`: it puts equal sheets together, sees whether two
differ or somebody objects, and counts the sheet once the event's policy is met. The event is locked throughout.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engines.base import Verdict
from scoring import results, validation
from scoring.announcements import announce_result
from scoring.errors import (
    OwnReportError,
    ReportStatusError,
    SheetRefusedError,
    TableClosedError,
)
from scoring.models import Attempt, Report, Voice
from tournaments.actors import Actor, Kind
from tournaments.errors import ForbiddenError, SeatingInvalidError, TableStatusError
from tournaments.models import Confirmation, Entry, Role, Round, Table
from tournaments.services import rounds
from tournaments.services.events import bump
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.tables import lock_table, require_at_table

Status = Report.Status
OBJECTED = "disputed-after-final"  # the flag of a final report that a player disputes


@transaction.atomic
def submit_report(
    *,
    actor: Actor,
    table: Table,
    sheet: Any,
    seat: str | None = None,
    played_at: dt.datetime | None = None,
) -> Report:
    """Judge a sheet and store it as the table's next report; return the report that stands for it now.

    A table's slip must name the `seat` it speaks for: a player, an entry or a position. An equal sheet of another seat
    confirms what is there, so the report returned may be that one.
    """
    table = lock_table(table)
    entry = speaker(actor, table, seat)
    require_open(table)
    verdict = validation.judge(table, sheet)
    known = results.all_reports(table)
    live = [report for report in known if report.status in results.LIVE]
    own = _own(actor, live, entry)
    if own is not None and own.sheet == sheet:
        return own
    report = store_report(
        actor=actor, table=table, known=known, sheet=sheet, verdict=verdict, entry=entry, played_at=played_at
    )
    record(actor=actor, event=table.round.event, verb="reported", table=table, **_facts(report))
    if own is not None:
        _change(own, Status.REPLACED)
        live.remove(own)
    if entry is not None:
        _take_back(entry, live)
    return _standing(_settle(actor, _started(actor, table), [*live, report]), report)


def speaker(actor: Actor, table: Table, seat: str | None) -> Entry | None:
    """Return the entry a caller speaks for at a table; None for the club, which speaks for nobody."""
    require_at_table(actor=actor, table=table)
    if actor.kind == Kind.ENTRY:
        return actor.entry
    if seat is None and actor.kind == Kind.TABLE:
        raise SeatingInvalidError(
            _("Say which seat speaks."),
            errors=[{"code": "missing-field", "path": ["seat"], "message": _("A player of the table.")}],
        )
    if seat is None:
        return None
    for each in table.seats.all():
        if seat in {each.entry.uid, each.entry.player.uid, str(each.position)}:
            return each.entry
    raise SeatingInvalidError(
        _("Nobody sits there."),
        errors=[{"code": "bad-value", "path": ["seat"], "message": _("A player of the table.")}],
    )


def require_open(table: Table) -> None:
    """Refuse a table that has a result, or whose result nobody waits for."""
    if table.status == Table.Status.FINAL:
        raise TableClosedError(
            _("Table {number} has a final result. An organiser can correct it.").format(number=table.number)
        )
    forming = table.round.kind == Round.Kind.OPEN and table.status == Table.Status.SEATED
    if table.status == Table.Status.DROPPED or not table.round.is_open or forming:
        raise TableStatusError(
            _("Table {number} is {status}.").format(number=table.number, status=table.get_status_display()),
            table_status=table.status,
        )


def author_of(actor: Actor) -> str:
    """Return who sends a sheet. A player is told by the entry, whose name may change or be forgotten."""
    return (actor.kind.value if actor.kind in {Kind.ENTRY, Kind.TABLE} else actor.label)[:120]


def _own(actor: Actor, live: Sequence[Report], entry: Entry | None) -> Report | None:
    """Return the report that a new one of the same voice replaces."""
    same = [report for report in live if report.entry == entry and (entry or report.author == author_of(actor))]
    return same[-1] if same else None


def store_report(
    *,
    actor: Actor,
    table: Table,
    known: Sequence[Report],
    sheet: Any,
    verdict: Verdict,
    entry: Entry | None = None,
    **fields: Any,
) -> Report:
    """Add a legal sheet to the known reports of a locked table, as the next version."""
    report = Report.objects.create(
        table=table,
        version=next_version(known),
        sheet=sheet,
        minimal=validation.minimal(table, sheet),
        standings=[row.as_json() for row in verdict.standings or ()],
        flags=validation.flags(sheet, verdict),
        entry=entry,
        author=author_of(actor),
        user=actor.user,
        **fields,
    )
    report.said = []
    return report


def next_version(known: Sequence[Report]) -> int:
    """Return the version of the report after those of a table, oldest first."""
    return known[-1].version + 1 if known else 1


def _started(actor: Actor, table: Table) -> Table:
    """Return the table in a round that runs: where nobody started it, a legal sheet shows that it is played."""
    if table.round.status != Round.Status.SEATED:
        return table
    rounds.start(actor=actor, current=table.round)
    return lock_table(table)


def _standing(settled: Sequence[Report], report: Report) -> Report:
    """Return the report that stands for one: itself, or the equal one it was put together with."""
    return next(each for each in settled if each.minimal == report.minimal)


def _take_back(entry: Entry, live: Sequence[Report]) -> None:
    """Forget what a seat said of others' reports: its own new sheet says what it means."""
    for report in live:
        if any(voice.entry_id == entry.pk for voice in report.said):
            report.voices.filter(entry=entry).delete()
            report.said = [voice for voice in report.said if voice.entry_id != entry.pk]


def settle(*, actor: Actor, table: Table) -> list[Report]:
    """Bring the reports of a locked table in line with each other; return those that may still count, or do now."""
    return _settle(actor, table, results.live_reports(table))


def _settle(actor: Actor, table: Table, live: Sequence[Report]) -> list[Report]:
    live = _put_together(table, live)
    is_disputed = len(live) > 1 or any(report.objections for report in live)
    if live and not is_disputed and _is_agreed(live[0]):
        return [count_report(actor=actor, report=live[0])]
    for report in live:
        _change(report, Status.DISPUTED if is_disputed else Status.PENDING)
    if not live:
        results.set_status(table, Table.Status.PLAYING)
    else:
        results.set_status(table, Table.Status.DISPUTED if is_disputed else Table.Status.REPORTED)
    bump(table.round.event)
    return live


def _put_together(table: Table, live: Sequence[Report]) -> list[Report]:
    """Keep one of the reports that say the same, the one with the most evidence; the others confirm it."""
    kept: dict[str, Report] = {}
    for report in sorted(live, key=lambda report: (-len(json.dumps(report.sheet)), report.version)):
        best = kept.setdefault(report.minimal, report)
        if best is report:
            continue
        _change(report, Status.REPLACED)
        for entry in [report.entry_id, *(voice.entry_id for voice in report.agreed)]:
            if entry is not None and entry != best.entry_id:
                Voice.objects.get_or_create(report=best, entry_id=entry, defaults={"says": Voice.Says.CONFIRM})
    return list(live) if len(kept) == len(live) else results.live_reports(table)


def _is_agreed(report: Report) -> bool:
    """Say whether the event's policy lets a report count now."""
    table = report.table
    match table.round.event.confirmation:
        case Confirmation.TRUST:
            return True
        case Confirmation.CONFIRM:
            is_alone = report.entry_id is not None and len(table.seats.all()) == 1
            return is_alone or bool(report.agreed)
    return _is_approved(report)


def _is_approved(report: Report) -> bool:
    """Say whether an organiser sent the report themselves."""
    return report.user is not None and Actor(Kind.USER, user=report.user).is_at_least(
        Role.ORGANISER, report.table.round.event.club
    )


def count_report(*, actor: Actor, report: Report, reason: str = "") -> Report:
    """Make a report of a locked table final and tell everybody."""
    before = results.count(report, timezone.now())
    event = report.table.round.event
    bump(event)
    verb = "result-final" if before is None else "result-corrected"
    facts = _facts(report) | {"before": before.report.version if before and before.is_counted else None}
    record(actor=actor, event=event, verb=verb, table=report.table, reason=reason, **facts)
    announce_result(report, is_correction=before is not None)
    return report


def _facts(report: Report) -> dict[str, Any]:
    return {"report": report.uid, "version": report.version, "entry": report.entry and report.entry.uid}


def _change(report: Report, status: str) -> None:
    if report.status != status:
        Report.objects.filter(pk=report.pk).update(status=status)
        report.status = status


def _lock_report(report: Report) -> Report:
    table = lock_table(report.table)
    if table.status == Table.Status.DROPPED:
        require_open(table)
    return results.read(report, table)


@transaction.atomic
def confirm_report(*, actor: Actor, report: Report) -> Report:
    """Agree to a report as another seat, or approve it as an organiser."""
    report = _lock_report(report)
    table, event = report.table, report.table.round.event
    if actor.kind in {Kind.USER, Kind.KEY}:
        require_role(actor=actor, club=event.club, role=Role.ORGANISER)
        return _approve(actor, report)
    entry = _other_seat(actor, report)
    _require_status(report, Status.PENDING, Status.DISPUTED, Status.FINAL)
    if entry in [voice.entry for voice in report.agreed]:
        return report
    _say(report, entry, Voice.Says.CONFIRM)
    record(actor=actor, event=event, verb="confirmed", table=table, **_facts(report))
    if report.status != Status.FINAL:
        return _standing(settle(actor=actor, table=table), report)
    report = results.read(report, table)
    _clear_objection(report)
    return report


def _say(report: Report, entry: Entry, says: str, reason: str = "") -> None:
    """Write down what a seat says of a report, instead of what it said before."""
    Voice.objects.bulk_create(
        [Voice(report=report, entry=entry, says=says, reason=reason)],
        update_conflicts=True,
        unique_fields=["report", "entry"],
        update_fields=["says", "reason", "at"],
    )


def _approve(actor: Actor, report: Report) -> Report:
    if report.status == Status.FINAL:
        return report
    _require_status(report, Status.PENDING, Status.DISPUTED)
    record(actor=actor, event=report.table.round.event, verb="approved", table=report.table, **_facts(report))
    return count_report(actor=actor, report=report)


def _other_seat(actor: Actor, report: Report) -> Entry:
    """Return the seat that speaks of somebody else's report."""
    require_at_table(actor=actor, table=report.table)
    if actor.kind != Kind.ENTRY or actor.entry is None:
        raise ForbiddenError(_("A slip speaks for nobody. Use a personal link."))
    if actor.entry.pk == report.entry_id:
        raise OwnReportError(_("This is your own report. Another player of the table must confirm it."))
    return actor.entry


def _require_status(report: Report, *allowed: str) -> None:
    if report.status not in allowed:
        detail = _("This report is {status}.").format(status=report.get_status_display())
        raise ReportStatusError(detail, report_status=report.status)


@transaction.atomic
def dispute_report(*, actor: Actor, report: Report, reason: str = "") -> Report:
    """Object to a report. One that is final still counts, and is flagged for the organiser until the round closes."""
    report = _lock_report(report)
    table = report.table
    entry = _other_seat(actor, report)
    _require_status(report, Status.PENDING, Status.DISPUTED, Status.FINAL)
    if report.status == Status.FINAL and not table.round.is_open:
        raise ReportStatusError(_("The round is closed. Ask the organiser."), report_status=report.status)
    _say(report, entry, Voice.Says.DISPUTE, reason)
    record(actor=actor, event=table.round.event, verb="disputed", reason=reason, table=table, **_facts(report))
    if report.status != Status.FINAL:
        return _standing(settle(actor=actor, table=table), report)
    _set_flags(report, [*report.flags, {"code": OBJECTED}] if not _is_objected(report) else report.flags)
    return results.read(report, table)


def _is_objected(report: Report) -> bool:
    return any(flag["code"] == OBJECTED for flag in report.flags)


def _clear_objection(report: Report) -> None:
    if _is_objected(report) and not report.objections:
        _set_flags(report, [flag for flag in report.flags if flag["code"] != OBJECTED])


def _set_flags(report: Report, flags: list[dict[str, Any]]) -> None:
    Report.objects.filter(pk=report.pk).update(flags=flags)
    report.flags = flags
    results.set_status(report.table, report.table.status)
    bump(report.table.round.event)


@transaction.atomic
def withdraw_report(*, actor: Actor, report: Report, seat: str | None = None, reason: str = "") -> Report:
    """Take one's own report back while it does not count."""
    report = _lock_report(report)
    table = report.table
    entry = speaker(actor, table, seat)
    if entry != report.entry and not actor.is_at_least(Role.ORGANISER, table.round.event.club):
        raise ForbiddenError(_("Only who sent a report may withdraw it."))
    if report.status == Status.WITHDRAWN:
        return report
    _require_status(report, Status.PENDING, Status.DISPUTED)
    _change(report, Status.WITHDRAWN)
    record(actor=actor, event=table.round.event, verb="withdrawn", reason=reason, table=table, **_facts(report))
    settle(actor=actor, table=table)
    return report


@transaction.atomic
def keep_attempt(*, actor: Actor, table: Table, error: SheetRefusedError, seat: str | None = None) -> None:
    """Keep a refused sheet for the organiser to see; the same one again is kept once."""
    entry = speaker(actor, table, seat)
    mine = Attempt.objects.filter(table=table, author=author_of(actor), entry=entry)
    last = mine.order_by("-pk").first()
    if last is None or last.sheet != error.sheet:
        Attempt.objects.create(table=table, code=error.code, sheet=error.sheet, entry=entry, author=author_of(actor))


@transaction.atomic
def record_late_voice(*, actor: Actor, report: Report, verb: str) -> None:
    """Write down that somebody spoke of a report that was decided meanwhile."""
    record(actor=actor, event=report.table.round.event, verb=f"{verb}-too-late", table=report.table, **_facts(report))
