"""Reads: reports as plain values, and who may see which."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from django.db.models import Prefetch, QuerySet

from scoring import validation
from scoring.differences import first_difference
from scoring.models import Attempt, Report, Voice
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.api.serializers import person_of
from tournaments.models import Action, Role, Table

VOICES = Prefetch("voices", Voice.objects.select_related("entry__player").order_by("pk"))


def sits_at(actor: Actor, table: Table) -> bool:
    """Say whether a caller sits at a table, or holds its slip."""
    if actor.kind == Kind.TABLE:
        return actor.table is not None and actor.table.pk == table.pk
    return actor.entry is not None and any(seat.entry_id == actor.entry.pk for seat in table.seats.all())


def knows_table(actor: Actor, table: Table) -> bool:
    """Say whether a caller may see everything about a table: who sits there, and members of the club."""
    return sits_at(actor, table) or actor.is_at_least(Role.SCOREKEEPER, table.round.event.club)


def reports_of(actor: Actor, table: Table) -> QuerySet[Report]:
    """Return the reports of a table that a caller may see, newest first; strangers see what counts."""
    reports = Report.objects.filter(table=table).select_related("entry__player").prefetch_related(VOICES)
    if not knows_table(actor, table):
        reports = reports.filter(status=Report.Status.FINAL)
    return reports.order_by("-version")


def visible_reports(actor: Actor) -> QuerySet[Report]:
    """Return the reports of all tables a caller may know of; what is not final is for the table and the club."""
    tables = selectors.visible_tables(actor).values("pk")
    return (
        Report.objects.filter(table__in=tables)
        .select_related("table__round__event__club", "entry__player")
        .prefetch_related(VOICES, Prefetch("table__seats", selectors.SEATS.queryset))
    )


def report_shape(report: Report, table: Table) -> dict[str, Any]:
    """Return a report as plain values; the table's seats must be prefetched."""
    voices = list(report.voices.all())
    return {
        "id": report.uid,
        "table": table.uid,
        "version": report.version,
        "status": report.status,
        "report": report.sheet,
        "verdict": verdict_of(report, table),
        "confirmations": [_voice(voice) for voice in voices if voice.says == Voice.Says.CONFIRM],
        "disputes": [_voice(voice) | {"reason": voice.reason} for voice in voices if voice.says == Voice.Says.DISPUTE],
        "player": person_of(report.entry) if report.entry else None,
        "author": report.author,
        "forfeits": report.forfeits,
        "flags": report.flags,
        "reason": report.reason,
        "played_at": report.played_at,
        "created_at": report.created_at,
    }


def _voice(voice: Voice) -> dict[str, Any]:
    return {"entry": voice.entry.uid, "player": person_of(voice.entry), "at": voice.at}


def verdict_of(report: Report, table: Table) -> dict[str, Any]:
    """Return the verdict of a report in the reader's language; a ranking by hand is not judged again."""
    if report.sheet is not None:
        engine = validation.game(table.round.event.game)
        return validation.check(engine, report.sheet, validation.names_of(table))
    return {"ok": True, "errors": [], "warnings": [], "standings": report.standings, "explanations": None}


def difference_of(table: Table, reports: QuerySet[Report]) -> dict[str, Any] | None:
    """Return the first entry in which two disputed sheets of a table differ, in words and values."""
    disputed = [each for each in reports if each.status == Report.Status.DISPUTED and each.sheet is not None]
    engine = validation.game(table.round.event.game)
    for one, other in combinations(sorted(disputed, key=lambda report: report.version), 2):
        found = first_difference(engine, one.sheet, other.sheet)
        if found is not None:
            names = validation.names_of(table)
            seat = next((names[step] for step in found.path if step in names), None)
            place = engine.place(found.path, validation.language())
            return {
                "reports": [one.uid, other.uid],
                "path": list(found.path),
                "place": f"{seat} · {place}" if seat else place,
                "values": [found.one, found.other],
            }
    return None


def attempts_of(table: Table) -> QuerySet[Attempt]:
    """Return the refused sheets of a table, newest first."""
    return Attempt.objects.filter(table=table).select_related("entry__player").order_by("-pk")


def history_of(table: Table) -> QuerySet[Action]:
    """Return what was done at a table, newest first."""
    return Action.objects.filter(table=table).order_by("-pk")


def attempt_shape(attempt: Attempt, table: Table) -> dict[str, Any]:
    """Return a refused sheet as plain values, judged again for the reader's language."""
    engine = validation.game(table.round.event.game)
    return {
        "code": attempt.code,
        "sheet": attempt.sheet,
        "verdict": validation.check(engine, attempt.sheet, validation.names_of(table)),
        "player": person_of(attempt.entry) if attempt.entry else None,
        "author": attempt.author,
        "created_at": attempt.created_at,
    }
