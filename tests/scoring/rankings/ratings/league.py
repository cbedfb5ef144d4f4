"""A game in which tables become final, are corrected and taken back, and what its ratings should then be."""

from __future__ import annotations

import datetime as dt
from typing import Any

from core.computations import Since
from core.statements import insert_all
from scoring.models import Placing, Rating, RatingChange, Report, Result
from tests.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    ReportFactory,
    ResultFactory,
    RoundFactory,
    TableFactory,
)
from tests.scoring.rankings.ratings.reference import START, rated
from tournaments.models import Player, Round, Seat

GAME = "ten-phases"
NOON = dt.datetime(2026, 11, 18, 12, tzinfo=dt.UTC)


class League:
    """Players of one event of open play; a table is a list of pairs of player and rank, 0 for a forfeit."""

    def __init__(self, people: int, players: list[Player] | None = None) -> None:
        self.event = EventFactory(game=GAME)
        self.players = players or [PlayerFactory() for _ in range(people)]
        self.entries = [EntryFactory(event=self.event, player=player) for player in self.players]
        self.rounds = 0

    def play(self, seats, minutes: int = 0) -> Since:
        """Make a table final, some minutes after noon; return its place in the order."""
        self.rounds += 1
        played = RoundFactory(event=self.event, number=self.rounds, kind=Round.Kind.OPEN)
        table = TableFactory(round=played, number=1000 - self.rounds)
        places = [
            Seat(table=table, round=played, entry=self.entries[who], position=1 + place)
            for place, (who, _) in enumerate(seats)
        ]
        insert_all(places)
        report = ReportFactory(table=table, version=1, status=Report.Status.FINAL, minimal="")
        at = NOON + dt.timedelta(minutes=minutes)
        result = ResultFactory(report=report, event=self.event, first_final_at=at, played_at=at)
        ranks = [rank for _, rank in seats]
        insert_all(
            [Placing(seat=seat, **self.placed(result, seat, rank)) for seat, rank in zip(places, ranks, strict=True)]
        )
        return self.since(result)

    def place(self, result: Result, ranks) -> None:
        """Give a result its ranks, by seat."""
        seats = Seat.objects.filter(table=result.table_id).select_related("entry").order_by("position")
        for seat, rank in zip(seats, ranks, strict=False):
            Placing.objects.update_or_create(seat=seat, defaults=self.placed(result, seat, rank))

    def placed(self, result: Result, seat: Seat, rank: int) -> dict[str, Any]:
        """Return what is stored of a seat's rank in a result."""
        whose = {"event": self.event, "entry_id": seat.entry_id, "player_id": seat.entry.player_id, "game": GAME}
        return {"result": result, **whose, "rank": rank or 9, "is_forfeit": not rank, "at": result.first_final_at}

    def correct(self, result: Result, ranks) -> Since:
        """Give a result other ranks, whether or not it counted."""
        Result.objects.filter(pk=result.pk).update(is_counted=True)
        self.place(result, ranks)
        return self.since(result)

    def uncount(self, result: Result) -> Since:
        """Let a result count no more. Its changes stay, as after a race they may."""
        result.placings.all().delete()
        Result.objects.filter(pk=result.pk).update(is_counted=False)
        return self.since(result)

    def merge(self, gone: int, kept: int) -> Since | None:
        """Say that two records are one person; None if they met, so that they cannot be."""
        one, other = self.players[gone], self.players[kept]
        ours, theirs = ({one.pk, *one.merged.values_list("pk", flat=True)} for one in (one, other))
        met = Seat.objects.filter(entry__player__in=ours, table__seats__entry__player__in=theirs).exists()
        if gone == kept or met or other.merged_into_id or one.merged_into_id:
            return None
        Player.objects.filter(pk__in=ours).update(merged_into=other)
        return self.reread()

    def unmerge(self, gone: int) -> Since | None:
        """Say that somebody is a person of their own."""
        Player.objects.filter(pk=self.players[gone].pk).update(merged_into=None)
        return self.reread()

    def reread(self) -> Since:
        """Read the players again and return the beginning, which is what a merge may change."""
        for player in self.players:
            player.refresh_from_db()
        return Since(NOON - dt.timedelta(days=1), 0)

    def people(self, seats) -> list:
        """Return those seats whose people are not there twice."""
        return list({self.players[who].person_id: (who, rank) for who, rank in seats}.values())

    @staticmethod
    def since(result: Result) -> Since:
        return Since(result.first_final_at, result.table_id)


def right_answer():
    """Return what ratings and changes should be, computed from the results by the definition."""
    ratings: dict[int, int] = {}
    counts: dict[int, int] = {}
    last: dict[int, dt.datetime] = {}
    changes = {}
    counted = Result.objects.filter(is_counted=True, is_rated=True, event__club__is_rated_openly=True)
    counted = counted.exclude(table__seats__entry__claims__isnull=False).order_by("first_final_at", "table_id")
    for result in counted.prefetch_related("placings__player"):
        seats = {place.player.person_id: place for place in result.placings.all() if not place.is_forfeit}
        if len(seats) < 2:
            continue
        before = {person: ratings.get(person, START) for person in seats}
        met = {person: counts.get(person, 0) for person in seats}
        after = rated(before, met, {person: place.rank for person, place in seats.items()})
        changes |= {place.pk: (before[person], after[person]) for person, place in seats.items()}
        ratings |= after
        counts |= {person: met[person] + 1 for person in seats}
        last |= {person: max(result.played_at, last.get(person, result.played_at)) for person in seats}
    return {person: (ratings[person], counts[person], last[person]) for person in ratings}, changes


def answer():
    """Return ratings and changes as they are stored."""
    ratings = {row.player_id: (row.rating, row.tables, row.last_played) for row in Rating.objects.filter(game=GAME)}
    return ratings, {row.pk: (row.before, row.after) for row in RatingChange.objects.all()}
