"""What counts: make a report the result of its table, or take a result away. The event must be locked.

Every place that follows from results is marked as out of date in the same transaction.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import F, QuerySet

from core import derived
from core.derived import Kind, Since
from scoring.models import Draft, Placing, RatingChange, Report, Result
from scoring.selectors import VOICES
from tournaments.models import Table
from tournaments.services.events import mark_standings

LIVE = (Report.Status.PENDING, Report.Status.DISPUTED)


def _reports(table: Table) -> QuerySet[Report]:
    return table.reports.order_by("version").select_related("entry__player").prefetch_related(VOICES)


def all_reports(table: Table) -> list[Report]:
    """Return the reports of a table, oldest first, with who sent them and what was said of them."""
    return list(_reports(table))


def live_reports(table: Table) -> list[Report]:
    """Return the reports of a table that may still count, oldest first."""
    return list(_reports(table).filter(status__in=LIVE))


def read(report: Report, table: Table) -> Report:
    """Return a report of a locked table as it is now."""
    return _reports(table).get(pk=report.pk)


def count(report: Report, now: dt.datetime) -> Result | None:
    """Make a report the result of its table instead of any other; return the earlier result, if this corrects one.

    A corrected table keeps its place in the order of ratings. The table's seats must be prefetched.
    """
    table = report.table
    others = table.reports.filter(status__in=[*LIVE, Report.Status.FINAL]).exclude(pk=report.pk)
    others.update(status=Report.Status.REPLACED)
    table.reports.filter(pk=report.pk).update(status=Report.Status.FINAL)
    report.status = Report.Status.FINAL
    before = Result.objects.select_related("report").filter(table=table).first()
    result = _store(report, before, now)
    _place(result, report)
    set_status(table, Table.Status.FINAL)
    Draft.objects.filter(table=table).delete()
    mark_changed(result, is_new=before is None)
    return before


def _store(report: Report, before: Result | None, now: dt.datetime) -> Result:
    """Write down that a report is the result of its table, in place of the one before."""
    event = report.table.round.event
    changes = {"report": report, "is_counted": True, "played_at": report.played_at or report.created_at}
    if before is None:
        return Result.objects.create(
            table=report.table, event=event, game=event.game, first_final_at=now, is_rated=event.rated, **changes
        )
    Result.objects.filter(pk=before.pk).update(**changes)
    return Result.objects.select_related("event").get(pk=before.pk)


def uncount(table: Table) -> bool:
    """Take the result of a table away, so that it counts for nobody; return whether it had one."""
    result = Result.objects.select_related("event").filter(table=table, is_counted=True).first()
    table.reports.filter(status__in=[*LIVE, Report.Status.FINAL]).update(status=Report.Status.REPLACED)
    if result is None:
        return False
    RatingChange.objects.filter(placing__result=result).delete()
    result.placings.all().delete()
    Result.objects.filter(pk=result.pk).update(is_counted=False)
    mark_changed(result, is_new=False)
    return True


def _place(result: Result, report: Report) -> None:
    """Write a row per seat; players who forfeited share the places after everybody else."""
    places = {row["seat"]: (row["rank"], row["score"]) for row in report.standings}
    last = (len(places.keys() - set(report.forfeits)) + 1, None)
    Placing.objects.bulk_create(
        (
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
            for seat in report.table.seats.all()
            for rank, score in [places.get(seat.entry.player.uid, last)]
        ),
        update_conflicts=True,
        unique_fields=["seat"],
        update_fields=["rank", "score", "is_forfeit"],
    )


def mark_changed(result: Result, *, is_new: bool) -> None:
    """Write down what follows from a result that is new, or changed."""
    mark_standings(result.event)
    if result.is_rated:
        derived.mark(Kind.RATINGS, result.game, None if is_new else Since(result.first_final_at, result.table_id))


def set_status(table: Table, status: str) -> None:
    """Give a table a status and raise its version."""
    Table.objects.filter(pk=table.pk).update(status=status, version=F("version") + 1)
    table.status, table.version = status, table.version + 1
