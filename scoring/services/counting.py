"""What counts: make a report the result of its table, or take a result away. The event must be locked.

Everything that is computed from results is marked as stale in the same transaction.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Min, QuerySet, prefetch_related_objects
from django.db.models.functions import Coalesce, Least
from django.utils import timezone

from core import computations
from core.computations import Change, Kind, Since
from core.statements import Prepared, insert, insert_all, remove
from scoring import rules
from scoring.models import Draft, Placing, RatingChange, Report, Result
from scoring.selectors import VOICES
from tournaments.models import Event, Seat, Table
from tournaments.services.events import changed_standings
from tournaments.services.tables import change_table

_REPORTS = Prepared(
    lambda table: Report.objects.filter(table=table).order_by("version").select_related("entry__player"), int
)


def all_reports(table: Table) -> list[Report]:
    """Return the reports of a table, oldest first, with who sent them and what was said of them."""
    found = _REPORTS(table.pk)
    for report in found:
        report.table = table
    prefetch_related_objects(found, VOICES)
    renew([report for report in found if report.status in Report.LIVE])
    return found


def live_reports(table: Table) -> list[Report]:
    """Return the reports of a table that may still count, oldest first."""
    return [report for report in all_reports(table) if report.status in Report.LIVE]


def read(report: Report, table: Table) -> Report:
    """Return a report of a locked table as it is now."""
    return next(each for each in all_reports(table) if each.pk == report.pk)


def renew(reports: Sequence[Report], *claims: tuple[object, ...]) -> None:
    """Find what reports claim anew, by the present rules, where that differs from each other or from claims given.

    A former version may have written it otherwise, and an update while people play must not put equal sheets in
    dispute. What is stored stays, because reports are never rewritten.
    """
    if len({*claims, *(report.claim for report in reports)}) > 1:
        for report in reports:
            report.present = said_now(report)


def said_now(report: Report) -> tuple[str, list[dict[str, Any]]]:
    """Return a report's fingerprint and places by the present rules; as stored where they refuse its sheet."""
    event = report.table.round.event
    if report.sheet is None or not (verdict := rules.game_of(event).check(report.sheet)).ok:
        return report.minimal, report.standings
    return rules.minimal(event, report.sheet), [row.as_json() for row in verdict.standings or ()]


def count(report: Report, now: dt.datetime, *, is_only: bool = False) -> Result | None:
    """Make a report the result of its table instead of any other; return the earlier result, if this corrects one.

    A corrected table keeps its place in the order of ratings. The table's seats must be prefetched. `is_only` spares a
    statement where the caller knows that no other report stands.
    """
    table = report.table
    if not is_only:
        others = table.reports.filter(status__in=Report.STANDING).exclude(pk=report.pk)
        others.update(status=Report.Status.REPLACED)
    if report.status != Report.Status.FINAL:
        table.reports.filter(pk=report.pk).update(status=Report.Status.FINAL)
        report.status = Report.Status.FINAL
    # A table that ever had a result is final, or was dropped afterwards; for all others the query is saved.
    before = _result_of(table) if table.status in Table.SETTLED else None
    result = _store(report, before, now)
    _place(result, report, is_new=before is None)
    change_table(table, status=Table.Status.FINAL)
    remove(Draft, "table_id", table.pk)
    mark_changed(result, is_new=before is None)
    return before


def _result_of(table: Table) -> Result | None:
    return Result.objects.select_related("report").filter(table=table).first()


def _store(report: Report, before: Result | None, now: dt.datetime) -> Result:
    """Write down that a report is the result of its table, in place of the one before."""
    if before is None:
        result = _new_result(report, now)
        insert(result)
        return result
    # `first_final_at` stays: it orders the tables for ratings, and a correction must not move a table in that order.
    Result.objects.filter(pk=before.pk).update(**_said_by(report))
    return Result.objects.select_related("event").get(pk=before.pk)


def _new_result(report: Report, first_final_at: dt.datetime) -> Result:
    table, event = report.table, report.table.round.event
    own = {"table": table, "event": event, "game": event.game, "is_rated": event.rated}
    return Result(**own, first_final_at=first_final_at, **_said_by(report))


def _said_by(report: Report) -> dict[str, Any]:
    """Return what a result has from the report that counts."""
    played_at = report.played_at or report.created_at
    return {"report": report, "is_counted": True, "played_at": played_at, "changed_at": timezone.now()}


class Final(NamedTuple):
    """A report that is stored as final, of a table that never had a result; who sits there; since when it counts."""

    report: Report
    seats: Sequence[Seat]
    at: dt.datetime


def count_new(event: Event, finals: Sequence[Final]) -> None:
    """Make reports of an event that nobody knows yet the results of their tables, all by a few statements."""
    results = [_new_result(each.report, each.at) for each in finals]
    insert_all(results)
    placed = zip(results, finals, strict=True)
    insert_all([placing for result, each in placed for placing in _placings(result, each.report, each.seats)])
    changes = changed_standings(event)
    if results and event.rated:
        # These tables were played before others that are rated already, so ratings are replayed from the first on.
        first = min(Since(result.first_final_at, result.table_id) for result in results)
        changes.append(Change(Kind.RATINGS, event.game, first))
    computations.mark_all(changes)


def uncount(tables: QuerySet[Table]) -> bool:
    """Take the results of tables of an event away, so that they count for nobody; return whether there was one."""
    Report.objects.filter(table__in=tables, status__in=Report.STANDING).update(status=Report.Status.REPLACED)
    results = list(Result.objects.select_related("event").filter(table__in=tables, is_counted=True))
    # Rating changes have neither a constraint nor a cascade towards placings, so they are deleted first and by hand.
    RatingChange.objects.filter(placing__result__in=results).delete()
    Placing.objects.filter(result__in=results).delete()
    # The rows stay, so that a table has its old place in the order of ratings if it is decided again.
    Result.objects.filter(pk__in=[result.pk for result in results]).update(is_counted=False, changed_at=timezone.now())
    if results:
        first = min(results, key=lambda result: (not result.is_rated, result.first_final_at, result.pk))
        mark_changed(first, is_new=False)
    return bool(results)


def _place(result: Result, report: Report, *, is_new: bool) -> None:
    placings = _placings(result, report, report.table.seats.all())
    if is_new:
        insert(*placings)
    else:
        Placing.objects.bulk_create(
            placings,
            update_conflicts=True,
            unique_fields=["seat"],
            update_fields=["rank", "score", "is_forfeit"],
        )


def _placings(result: Result, report: Report, seats: Iterable[Seat]) -> list[Placing]:
    """Return a row per seat, all of which the report names; who forfeited shares the places after everybody else."""
    ranked = {row["seat"]: (row["rank"], row["score"]) for row in report.standings}
    last = (len(ranked.keys() - set(report.forfeits)) + 1, None)
    places = dict.fromkeys(report.forfeits, last) | ranked
    return [
        Placing(
            seat=seat,
            result=result,
            event_id=result.event_id,
            entry=seat.entry,
            player_id=seat.entry.player_id,
            game=result.game,
            at=result.first_final_at,
            rank=rank,
            score=score,
            is_forfeit=seat.entry.player.uid in report.forfeits,
        )
        for seat in seats
        for rank, score in [places[seat.entry.player.uid]]
    ]


def mark_changed(result: Result, *, is_new: bool) -> None:
    """Write down what follows from a result that is new, or changed."""
    changes = changed_standings(result.event)
    if result.is_rated:
        # A new result is last in the order of ratings, so nothing before it is replayed.
        since = None if is_new else Since(result.first_final_at, result.table_id)
        changes.append(Change(Kind.RATINGS, result.game, since))
    computations.mark_all(changes)


def mark_rated_otherwise(tables: QuerySet[Table]) -> None:
    """Mark the ratings of games as stale from the first of these tables on.

    One that becomes final at this moment is not seen here, and comes after its round was made; one may also seem to be
    final before that, by a clock that was ahead and set right in between, or by a file.
    """
    first = Min(Least("round__created_at", Coalesce("result__first_final_at", "round__created_at")))
    for game, at in tables.values_list("round__event__game").annotate(first=first).order_by("round__event__game"):
        computations.mark(Kind.RATINGS, game, Since(at, 0))
