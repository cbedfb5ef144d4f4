"""Seasons from the database and back, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models.functions import Coalesce

from core import computations
from scoring.models import SeasonRow, StandingRow
from scoring.rankings.locks import advisory_lock
from scoring.rankings.seasons.compute import Finish, Row, compute
from scoring.rankings.seasons.course import Step, course
from tournaments.models import Season
from tournaments.selectors import counted_events


@transaction.atomic
def refresh(season_uid: str) -> bool:
    """Compute a season and write it down; False while the standings of one of its events are out of date."""
    advisory_lock(computations.Kind.SEASON, season_uid)
    season = Season.objects.filter(uid=season_uid).select_related("club").first()
    if season is None:
        return True
    events = list(counted_events(season).values_list("uid", flat=True))
    if not computations.is_up_to_date(computations.Kind.STANDINGS, *events):
        return False
    played = events, _finishes(season), season.best_of, season.tiebreaks
    steps = course(*played)
    SeasonRow.objects.filter(season=season).delete()
    SeasonRow.objects.bulk_create(_row(season, row, steps[row.player]) for row in compute(*played))
    return True


def take_away(seasons: Iterable[Season]) -> None:
    """Delete the tables of seasons, also those that are being computed at this moment."""
    for uid in sorted(season.uid for season in seasons):
        advisory_lock(computations.Kind.SEASON, uid)
        SeasonRow.objects.filter(season__uid=uid).delete()


def _finishes(season: Season) -> list[Finish]:
    """Return who played in the finished events: people who were ranked and had a table, under one record each."""
    rows = StandingRow.objects.filter(event__in=counted_events(season).order_by().values("pk"))
    person = Coalesce("entry__player__merged_into", "entry__player")
    found = rows.filter(is_ranked=True, tables__gt=0).order_by("event", "place")
    return [Finish(*row) for row in found.values_list("event__uid", person, "rank")]


def _row(season: Season, row: Row, steps: Sequence[Step]) -> SeasonRow:
    return SeasonRow(
        season=season,
        player_id=row.player,
        place=row.place,
        rank=row.rank,
        points=row.points,
        events=len(row.results),
        results=[each._asdict() for each in row.results],
        reason=row.reason,
        steps=[each._asdict() for each in steps],
    )
