"""What must hold after any fault: nothing acknowledged is lost, nothing happened twice, nothing computed is off."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet

from core import computations
from scoring.models import (
    Checkpoint,
    Placing,
    Rating,
    RatingChange,
    Report,
    Result,
    SeasonRow,
    StandingRow,
)
from scoring.rankings.ratings import store as ratings
from scoring.rankings.seasons import store as seasons
from scoring.rankings.standings import store as standings
from tests.faults.phones import Ledger
from tests.faults.stand import wait_for
from tournaments.models import Action, Event, Player, Season

Rows = Counter[tuple[Any, ...]]
COMPUTED = (StandingRow, Rating, RatingChange, SeasonRow)


class Findings(NamedTuple):
    """Results lost (L), effects that happened twice (D), rows that differ from a rebuild (Δ)."""

    lost: int
    doubled: int
    different: int

    @property
    def is_clean(self) -> bool:
        """Whether all is as it must be."""
        return not any(self)


def audit(ledger: Ledger | None = None) -> Findings:
    """Look for whatever a fault may have left behind; what is computed must be up to date."""
    ledger = ledger or Ledger(0)
    return Findings(_lost(ledger), _doubled(ledger), _misplaced() + chained_records().count() + _different())


def is_up_to_date() -> bool:
    """Say whether nothing waits to be computed."""
    return not computations.behind()


def settle(seconds: float = 90) -> None:
    """Wait until everything is computed."""
    wait_for(is_up_to_date, seconds)


def _lost(ledger: Ledger) -> int:
    """Count acknowledged reports that are not stored, and acknowledged results that are no result."""
    answers = [answer for told in ledger.told.values() for answer in told]
    stored = set(Report.objects.filter(uid__in={answer["id"] for answer in answers}).values_list("uid", flat=True))
    final = {answer["table"] for answer in answers if answer["status"] == Report.Status.FINAL}
    counted = set(Result.objects.filter(table__uid__in=final).values_list("table__uid", flat=True))
    return len({answer["id"] for answer in answers} - stored) + len(final - counted)


def _doubled(ledger: Ledger) -> int:
    """Count keys with two answers, reports that nobody sent, second final reports and second first results."""
    two_answers = sum(len({answer["id"] for answer in told}) > 1 for told in ledger.told.values())
    reports = Report.objects.filter(table__uid__in=ledger.keys).values_list("table__uid").annotate(count=Count("pk"))
    surplus = sum(max(0, count - len(ledger.keys[table])) for table, count in reports.filter(user=None))
    finals = Report.objects.filter(status=Report.Status.FINAL).values("table").annotate(count=Count("pk"))
    firsts = Action.objects.filter(verb="result-final").values("table").annotate(count=Count("pk"))
    return int(two_answers + surplus + finals.filter(count__gt=1).count() + firsts.filter(count__gt=1).count())


def _misplaced() -> int:
    """Count seats whose place is not the one in the final report of their table."""
    found = {
        (placing.result_id, placing.player.uid, placing.rank, placing.score)
        for placing in Placing.objects.select_related("player")
    }
    finals = Report.objects.filter(status=Report.Status.FINAL, forfeits=[])
    said = {(report.table_id, row["seat"], row["rank"], row["score"]) for report in finals for row in report.standings}
    return len({row for row in said if row[1] != "ALIX"} - found)


def chained_records() -> QuerySet[Player]:
    """Return the records that lead to one that was merged itself: from there nobody finds the person."""
    return Player.objects.exclude(merged_into__merged_into=None)


def _different() -> int:
    """Count rows that are not as a computation from nothing makes them."""
    before = _snapshot()
    with transaction.atomic():
        for model in (*COMPUTED, Checkpoint):
            model.objects.all().delete()
        for game in Result.objects.order_by().values_list("game", flat=True).distinct():
            ratings.refresh(game)
        for uid in Event.objects.filter(results__isnull=False).distinct().values_list("uid", flat=True):
            standings.refresh(uid)
        for uid in Season.objects.values_list("uid", flat=True):
            seasons.refresh(uid)
        after = _snapshot()
        transaction.set_rollback(True)
    return sum(((before - after) + (after - before)).values())


def _snapshot() -> Rows:
    """Return every computed row; of standings those of events with results: others may never have been computed."""
    rows: Rows = Counter()
    for model in COMPUTED:
        fields = [each.attname for each in model._meta.concrete_fields if each.attname != "id"]
        found: QuerySet[Any, tuple[Any, ...]] = model.objects.values_list(*fields)
        if model is StandingRow:
            found = found.filter(event__in=Result.objects.values("event"))
        rows.update((model.__name__, *map(repr, row)) for row in found)
    return rows
