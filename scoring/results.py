"""What counts: make a report the result of its table, or take a result away. The event must be locked.

Every place that follows from results is marked as out of date in the same transaction.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import F

from core import derived
from core.derived import Kind, Since
from scoring.models import Draft, Placing, RatingChange, Report, Result
from tournaments.models import Table
from tournaments.services.events import mark_standings

LIVE = (Report.Status.PENDING, Report.Status.DISPUTED)


def live_reports(table: Table) -> list[Report]:
    """Return the reports of a table that may still count, oldest first."""
    return list(table.reports.filter(status__in=LIVE).select_related("entry").order_by("version"))


def final_report(table: Table) -> Report | None:
    """Return the report of a table that counts, if there is one."""
    return table.reports.filter(status=Report.Status.FINAL).select_related("entry").first()


def count(report: Report, now: dt.datetime) -> bool:
    """Make a report the result of its table instead of any other; return whether it corrects an earlier result.

    A corrected table keeps its place in the order of ratings.
    """
    table = report.table
    others = table.reports.filter(status__in=[*LIVE, Report.Status.FINAL]).exclude(pk=report.pk)
    others.update(status=Report.Status.REPLACED)
    table.reports.filter(pk=report.pk).update(status=Report.Status.FINAL)
    report.status = Report.Status.FINAL
    result, is_new = Result.objects.update_or_create(
        table=table,
        defaults={"report": report, "is_counted": True, "played_at": report.played_at or report.created_at},
        create_defaults={
            "report": report,
            "event": table.round.event,
            "game": table.round.event.game,
            "first_final_at": now,
            "played_at": report.played_at or report.created_at,
            "is_rated": table.round.event.rated,
        },
    )
    _place(result, report)
    set_status(table, Table.Status.FINAL)
    Draft.objects.filter(table=table).delete()
    mark_changed(result, is_new=is_new)
    return not is_new


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
            for seat in report.table.seats.select_related("entry__player").order_by("position")
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
    table.refresh_from_db(fields=["status", "version"])
