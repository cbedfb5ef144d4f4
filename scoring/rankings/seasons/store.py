"""Seasons from the database and back, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models.functions import Coalesce

from core import computations
from scoring.models import SeasonRow, StandingRow
from scoring.rankings.locks import advisory_lock
from scoring.rankings.seasons.compute import Finish, Row, compute
from scoring.rankings.seasons.course import Step, course
from tournaments.models import Season
from tournaments.selectors import counted_events


class Known(NamedTuple):
    """Whose turn it is to compute a season, and of which events it may tell."""

    turn: object
    season: Season | None
    events: dict[int, str]  # in order of time


def refresh(season_uid: str) -> bool:
    """Compute a season and write it down; False while the standings of one of its events are out of date.

    It is computed before the transaction that writes it, because SQLite lets nobody else write meanwhile. Where others
    may have written it since, from what is newer, or it may tell of other events now, it is computed again.
    """
    known = _known(season_uid)
    rows = _computed(known)
    with transaction.atomic():
        advisory_lock(computations.Kind.SEASON, season_uid)
        if (now := _known(season_uid)) != known:
            rows = _computed(now)
        if rows is not None:
            SeasonRow.objects.filter(season=now.season).delete()
            SeasonRow.objects.bulk_create(rows)
    return rows is not None


def take_away(seasons: Iterable[Season]) -> None:
    """Delete the tables of seasons, also those that are being computed at this moment."""
    for uid in sorted(season.uid for season in seasons):
        advisory_lock(computations.Kind.SEASON, uid)
        SeasonRow.objects.filter(season__uid=uid).delete()


def _known(season_uid: str) -> Known:
    turn = computations.turn(computations.Kind.SEASON, season_uid)
    season = Season.objects.filter(uid=season_uid).select_related("club").first()
    events = counted_events(season).values_list("pk", "uid") if season else ()
    return Known(turn, season, dict(events))


def _computed(known: Known) -> list[SeasonRow] | None:
    """Return the rows of a season; None while the standings of one of its events are out of date."""
    season, events = known.season, list(known.events.values())
    if not computations.is_up_to_date(computations.Kind.STANDINGS, *events):
        return None
    if season is None:
        return []
    played = events, _finishes(known.events), season.best_of, season.tiebreaks
    steps = course(*played)
    return [_row(season, row, steps[row.player]) for row in compute(*played)]


def _finishes(events: Iterable[int]) -> list[Finish]:
    """Return who played in events: people who were ranked and had a table, under one record each."""
    person = Coalesce("entry__player__merged_into", "entry__player")
    found = StandingRow.objects.filter(event__in=events, is_ranked=True, tables__gt=0).order_by("event", "place")
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
