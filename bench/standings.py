"""Standings: read, computed and ranked with five tie-breaks, beside one SQL query that does the same."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bench.database import scratch_database
from bench.tables import seconds_each, show

if TYPE_CHECKING:
    from tournaments.models import Event

TIEBREAKS = ["wins", "opponents", "score_share", "head_to_head", "best_table"]

# Placement points, five tie-breaks and ranks of one event. Means are in floating point, which is faster than exact.
QUERY = """
WITH seat AS (
    SELECT seated.entry_id, seated.result_id, seated.is_forfeit,
           CASE WHEN seated.is_forfeit THEN NULL ELSE seated.score END AS score,
           CASE WHEN seated.is_forfeit THEN 0 ELSE greatest(coalesce(seated.score, 0), 0) END AS shared,
           seated.rank + 1000 * seated.is_forfeit::int AS place
    FROM scoring_placing AS seated
    JOIN scoring_result AS result ON result.table_id = seated.result_id AND result.is_counted
    JOIN tournaments_table AS played ON played.id = result.table_id
    JOIN tournaments_round AS round ON round.id = played.round_id AND round.status <> 'cancelled'
    WHERE seated.event_id = %s
), placed AS (
    SELECT *, count(*) OVER whole AS seats, rank() OVER (whole ORDER BY place) - 1 AS ahead,
           count(*) OVER (PARTITION BY result_id, place) AS level,
           shared::float8 / nullif(sum(shared) OVER whole, 0) AS share
    FROM seat
    WINDOW whole AS (PARTITION BY result_id)
), scored AS (
    SELECT *,
           CASE WHEN is_forfeit THEN 0 ELSE 420 * (2 * (seats - ahead - level) + level - 1) / (seats - 1) END points,
           CASE WHEN place = 1 THEN 840 / level ELSE 0 END AS won
    FROM placed
), entry AS (
    SELECT entry_id, sum(points) AS points, count(*) AS tables, sum(won) AS wins,
           coalesce(avg(share), 0) AS share, max(score) AS best
    FROM scored
    GROUP BY entry_id
), pair AS (
    SELECT mine.entry_id AS me, theirs.entry_id AS other, count(*) AS met, sum(theirs.points) AS points,
           sum(CASE WHEN mine.place < theirs.place THEN 2 WHEN mine.place = theirs.place THEN 1 ELSE 0 END) AS ahead
    FROM scored AS mine
    JOIN scored AS theirs ON theirs.result_id = mine.result_id AND theirs.entry_id <> mine.entry_id
    GROUP BY mine.entry_id, theirs.entry_id
), opponent AS (
    SELECT pair.me AS entry_id,
           sum(met * (entry.points - pair.points)::float8 / (entry.tables - met)) / sum(met) AS mean
    FROM pair
    JOIN entry ON entry.entry_id = pair.other AND entry.tables > pair.met
    GROUP BY pair.me
), tied AS (
    SELECT entry.*, coalesce(opponent.mean, 0) AS opponents,
           dense_rank() OVER (ORDER BY points DESC, wins DESC, opponent.mean DESC NULLS LAST, share DESC) AS level
    FROM entry
    LEFT JOIN opponent USING (entry_id)
), sized AS (
    SELECT *, count(*) OVER (PARTITION BY level) AS size FROM tied
), meeting AS (
    SELECT mine.entry_id, count(*) AS met, sum(pair.ahead) AS ahead
    FROM sized AS mine
    JOIN pair ON pair.me = mine.entry_id
    JOIN sized AS theirs ON theirs.entry_id = pair.other AND theirs.level = mine.level
    WHERE mine.size > 1
    GROUP BY mine.entry_id
), direct AS (
    SELECT sized.*,
           CASE WHEN size > 1 AND min(coalesce(met, 0)) OVER (PARTITION BY level) = size - 1 THEN ahead END AS direct
    FROM sized
    LEFT JOIN meeting USING (entry_id)
)
SELECT entry_id, rank() OVER (ORDER BY level, direct DESC NULLS LAST, best DESC NULLS LAST) AS rank,
       points, wins, opponents, share, direct, best, tables
FROM direct
ORDER BY rank, entry_id
"""


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench standings", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="+", default=[200, 1000, 10_000])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--turns", type=int, default=9, help="each is measured so often, and the best is shown")
    options = parser.parse_args(arguments)
    head = [
        "players",
        "rows",
        "read",
        "computed",
        "both",
        "SQL",
        "both ÷ SQL",
        "with texts and reasons",
        "other ranks",
    ]
    with scratch_database():
        rows = (_measure(players, options) for players in options.players)
        show(f"Standings after {options.rounds} rounds, five tie-breaks, milliseconds", head, rows)


def _measure(players: int, options: argparse.Namespace) -> tuple[object, ...]:
    from django.db import connection

    from scoring.rankings.standings import store

    event = _event(players, options.rounds, options.seed)
    inputs = store.load(event)

    def query() -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute(QUERY, [event.pk])
            return list(cursor.fetchall())

    works = (
        lambda: store.load(event),
        inputs.standings,
        lambda: store.load(event).standings().order,
        query,
        lambda: store.preview(event),
    )
    read, computed, both, sql, rows = seconds_each(*works, rounds=options.turns)
    ours = {row.entry: row.rank for row in store.preview(event)}
    other = sum(ours[entry] != rank for entry, rank, *_values in query())
    times = (f"{seconds * 1000:.1f}" for seconds in (read, computed, both, sql))
    return players, len(inputs.played.placings.table), *times, f"{both / sql:.2f}", f"{rows * 1000:.1f}", other


def _event(players: int, rounds: int, seed: int) -> Event:
    """Store an event of hidden skill, in which players of like points meet at tables of four."""
    from django.db import connection
    from django.utils import timezone

    from scoring.models import Placing, Report, Result
    from tournaments.models import Club, Entry, Event, Player, Round, Seat, Table

    now = timezone.now()
    club = Club.objects.create(name=f"Club {players}", slug=f"club-{players}")
    event = Event.objects.create(
        club=club,
        name="Evening",
        game="ten-phases",
        variant="standard",
        tiebreaks=TIEBREAKS,
        table_min=4,
        table_max=4,
        table_preferred=4,
        starts_at=now,
    )
    people = Player.objects.bulk_create(Player(name=f"P{number}") for number in range(players))
    entries = Entry.objects.bulk_create(Entry(event=event, player=player, name=player.name) for player in people)
    for number, tables in enumerate(_play(players, rounds, seed), 1):
        played = Round.objects.create(event=event, number=number, status=Round.Status.CLOSED)
        made = Table.objects.bulk_create(
            Table(round=played, number=index, variant="standard") for index in range(1, len(tables) + 1)
        )
        seats = Seat.objects.bulk_create(
            Seat(table=table, round=played, entry=entries[player], position=position)
            for table, scores in zip(made, tables, strict=True)
            for position, player in enumerate(scores, 1)
        )
        reports = Report.objects.bulk_create(Report(table=table, version=1, status="final") for table in made)
        common = {"game": event.game, "event": event}
        Result.objects.bulk_create(
            Result(table=table, report=report, first_final_at=now, played_at=now, is_rated=True, **common)
            for table, report in zip(made, reports, strict=True)
        )
        placed = ((score, list(scores.values())) for scores in tables for score in scores.values())
        Placing.objects.bulk_create(
            Placing(
                seat=seat,
                result_id=seat.table_id,
                entry=seat.entry,
                player_id=seat.entry.player_id,
                at=now,
                rank=1 + sum(other > score for other in others),
                score=score,
                **common,
            )
            for seat, (score, others) in zip(seats, placed, strict=True)
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return event


def _play(players: int, rounds: int, seed: int) -> Iterator[list[dict[int, int]]]:
    """Yield the tables of each round: the score of every player at it."""
    rng = random.Random(seed)
    skill = [rng.gauss(0, 30) for _ in range(players)]
    points = [0.0] * players
    for _ in range(rounds):
        order = sorted(range(players), key=lambda player: (-points[player], rng.random()))
        groups = [order[first : first + 4] for first in range(0, players, 4)]
        tables = [{player: round(rng.gauss(200, 40) + skill[player]) for player in group} for group in groups]
        for scores in tables:
            for player, score in scores.items():
                points[player] += sum(score > other for other in scores.values()) / 3
        yield tables
