"""Clubs, players and results for the benches of the API: many rows, made by the database itself."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.load import Call
from bench.sheets import sheet_for
from core.ids import new_id
from core.models import Derived, User
from scoring.models import Placing, Rating, RatingChange, RatingModel, Report, Result
from scoring.rankings.leaderboards import Cursor
from scoring.rankings.ratings.model import fingerprint
from scoring.rankings.standings import store
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.models import Affiliation, Club, Confirmation, Entry, Event, Player, Round, Seat, Table
from tournaments.services.credentials import create_token

STANDINGS, ROUNDS = 500, 8  # players and rounds of the event whose standings are read
HISTORY = 200  # tables of the player whose history is read
TOKENS = 64
EVENTS, TABLES, SEATS = 40, 50, 4  # of the reports
REPORTED = "dice-run"  # another game than the one with ratings out of thin air: those a replay would take away

PLAYERS = """
INSERT INTO tournaments_player (uid, name, created_at)
SELECT lpad(to_hex(number), 16, 'z'), 'Player ' || number, now() FROM generate_series(%s, %s) AS number
RETURNING id
"""
RATINGS = """
INSERT INTO scoring_rating (player_id, game, rating, tables, last_played)
SELECT id, %s, 1500000 + (sqrt(-2 * ln(random() + 1e-9)) * cos(6.2832 * random()) * 200000)::int,
       1 + (random() * 90)::int, now() - random() * interval '200 days'
FROM tournaments_player WHERE id > %s
"""
KNOWN = """
INSERT INTO tournaments_affiliation (club_id, player_id, created_at)
SELECT %s, id, now() FROM tournaments_player WHERE id > %s
"""


class Population:
    """Players of one club who are rated, an event of 500, somebody with a long history, and tables to report."""

    def __init__(self, game: str) -> None:
        self.game, self.rng, self.players = game, random.Random(1), 0
        self.club = Club.objects.create(name="Bench", slug="bench")
        self.tokens = [_token(number) for number in range(TOKENS)]
        self.now = timezone.now()
        self.large = make_event(self.club, "Large", game)
        self._play(self.large, enter(self.large, STANDINGS), ROUNDS)
        self.veteran = self._play_often()

    def rate(self, players: int) -> None:
        """Have so many rated players."""
        with connection.cursor() as cursor:
            last = Player.objects.latest("pk").pk
            cursor.execute(PLAYERS, [self.players + 1, players])
            cursor.execute(RATINGS, [self.game, last])
            cursor.execute(KNOWN, [self.club.pk, last])
            cursor.execute("VACUUM ANALYZE")
        self.players = players
        Derived.objects.update_or_create(kind="ratings", key=self.game, defaults={"wanted": players, "done": players})
        # Ratings of an unknown model would be computed anew.
        RatingModel.objects.get_or_create(game=self.game, fingerprint=fingerprint())

    def pages(self, number: int) -> list[Call]:
        """Return calls for pages anywhere in the leaderboard, none twice."""
        highest = Rating.objects.order_by("-pk").values_list("pk", flat=True)[0]
        wanted = {self.rng.randint(1, highest) for _ in range(number)}
        rows = Rating.objects.filter(pk__in=wanted, game=self.game).values_list("rating", "player")
        cursors = [Cursor(rating, player, above, above) for above, (rating, player) in enumerate(rows, 1)]
        return [Call(f"/api/v1/leaderboards/{self.game}/?cursor={cursor.written()}") for cursor in cursors]

    def searches(self) -> Iterator[Call]:
        """Yield searches for players by the beginning of a name, no two in a row the same."""
        while True:
            yield Call(f"/api/v1/clubs/{self.club.slug}/players/?q=Player%20{self.rng.randint(1, self.players)}")

    def queries(self, path: str) -> int:
        """Return how many queries a call takes."""
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(path, HTTP_HOST="127.0.0.1").status_code == 200
        return len(queries)

    def reports(self) -> list[Call]:
        """Return a report for each of many tables in many events, each with a seat's credential and a key."""
        calls = [self._report(table) for table in self._tables_to_report()]
        self.rng.shuffle(calls)
        return calls

    def reports_by_event(self, events: int) -> list[list[Call]]:
        """Return reports for tables of so many new events, a list for each."""
        found: dict[int, list[Call]] = {}
        for table in self._tables_to_report(events):
            found.setdefault(table.round_id, []).append(self._report(table))
        return list(found.values())

    def _report(self, table: Table) -> Call:
        entries = [each.entry for each in table.seats.all()]
        sheet = sheet_for(REPORTED, [entry.player.uid for entry in entries], self.rng.randrange(20))
        key = {"Idempotency-Key": new_id()}
        return Call(f"/api/v1/tables/{table.uid}/reports/", "POST", link_of(entries[0]), {"report": sheet}, key)

    def _tables_to_report(self, events: int = EVENTS) -> list[Table]:
        made = [
            make_event(self.club, f"Event {number}", REPORTED, confirmation=Confirmation.TRUST)
            for number in range(events)
        ]
        for event in made:
            seat(event, enter(event, TABLES * SEATS))
        return list(Table.objects.filter(round__event__in=made).prefetch_related("seats__entry__player"))

    def _play(self, event: Event, entries: list[Entry], rounds: int) -> None:
        """Play rounds of an event, with everybody at a table."""
        closed = {"status": Table.Status.FINAL, "round_status": Round.Status.CLOSED}
        for number in range(1, rounds + 1):
            self.rng.shuffle(entries)
            place(event, seat(event, entries, number, **closed), self.now)
        store.refresh(event.uid)
        Derived.objects.create(kind="standings", key=event.uid, wanted=1, done=1)

    def _play_often(self) -> Player:
        """Let four people play until their history is long, in as many events as that takes; return one of them."""
        people: list[Player] = []
        for number, first in enumerate(range(0, HISTORY, Event.MOST_ROUNDS)):
            event = make_event(self.club, f"Often {number}", self.game)
            if not people:
                people = [entry.player for entry in enter(event, SEATS)]
            else:
                Entry.objects.bulk_create(Entry(event=event, player=player, name=player.name) for player in people)
            self._play(event, list(Entry.objects.filter(event=event)), min(Event.MOST_ROUNDS, HISTORY - first))
        return people[0]


def place(event: Event, tables: Iterable[list[Seat]], at: dt.datetime) -> None:
    """Let tables have a result, in the order of their seats."""
    common: dict[str, Any] = {"game": event.game, "event": event}
    for seats in tables:
        report = Report.objects.create(table=seats[0].table, version=1, status="final")
        times = {"first_final_at": at, "played_at": at}
        result = Result.objects.create(table=seats[0].table, report=report, is_rated=True, **times, **common)
        Placing.objects.bulk_create(
            Placing(
                seat=each,
                result=result,
                entry=each.entry,
                player_id=each.entry.player_id,
                at=at,
                rank=rank,
                score=100 - rank,
                **common,
            )
            for rank, each in enumerate(seats, 1)
        )
        RatingChange.objects.bulk_create(
            RatingChange(placing_id=each.pk, before=1_500_000, after=1_500_000) for each in seats
        )


def make_event(club: Club, name: str, game: str, **fields: Any) -> Event:
    """Create an event that is running."""
    return Event.objects.create(
        club=club,
        name=name,
        game=game,
        variant="standard",
        status=Event.Status.RUNNING,
        starts_at=timezone.now(),
        table_min=3,
        table_preferred=SEATS,
        table_max=5,
        **fields,
    )


def enter(event: Event, number: int) -> list[Entry]:
    """Enter so many new players of the club."""
    people = Player.objects.bulk_create(Player(name=f"{event.name} {each}", home=event.club) for each in range(number))
    Affiliation.objects.bulk_create(Affiliation(club=event.club, player=player) for player in people)
    return Entry.objects.bulk_create(Entry(event=event, player=player, name=player.name) for player in people)


def seat(
    event: Event, entries: list[Entry], number: int = 1, *, status: str = "playing", round_status: str = "running"
) -> list[list[Seat]]:
    """Seat a round by fours; return the seats of each table."""
    opened = Round.objects.create(event=event, number=number, status=round_status, started_at=timezone.now())
    groups = [entries[first : first + SEATS] for first in range(0, len(entries), SEATS)]
    made = Table.objects.bulk_create(
        Table(round=opened, number=each, variant="standard", status=status) for each in range(1, len(groups) + 1)
    )
    seats = Seat.objects.bulk_create(
        Seat(table=table, round=opened, entry=entry, position=position)
        for table, group in zip(made, groups, strict=True)
        for position, entry in enumerate(group, 1)
    )
    return [seats[first : first + SEATS] for first in range(0, len(seats), SEATS)]


def link_of(entry: Entry) -> str:
    """Return the secret of a player's personal link."""
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def _token(number: int) -> str:
    user = User.objects.create_user(f"user-{number}@example.org")
    return create_token(actor=Actor(Kind.USER, user=user), name="bench")[1]
