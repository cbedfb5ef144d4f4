"""What calls cost as results grow: a club's three years, and 10, 100 and 1,000 times that, on PostgreSQL.

One club's three years (1,000 results) are made by the models, then copied inside of the database, club by club, with
other ids and names. All ratings are computed anew at each size. Then calls go straight into Django's handler, in one
process: each asks for something nobody asked for yet, so that nothing comes from memory. Times are medians; processor
time is that of the process and of its session at PostgreSQL together, which a busy machine changes less.
"""

# ruff: noqa: SLF001 -- `_meta` is how Django has a model described

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.costs import TICK, answer, environment, ticks
from bench.database import scratch_database
from bench.load import Call
from bench.tables import show

GAME = "dice-run"
CLUB = 1000  # results of a club in three years
EVENTS, ROUNDS, TABLES, SEATS, PLAYERS = 25, 10, 4, 4, 100
APART = 100_000  # between the keys of a club and those of the next: more than any club has of anything
ROWS = 4096  # more than a club has of anything that has a code
COPIED = """
Club Player Affiliation Event Entry Round Table Seat Report Result Placing RatingChange StandingRow Action Derived
"""


@dataclass
class Figure:
    """What calls of a kind took at one size: milliseconds, in the middle, and of processor time each."""

    median: float
    processor: float


def run(arguments: list[str]) -> None:
    """Print a table per size, and how the calls grow."""
    parser = argparse.ArgumentParser(prog="./run bench scale", description=__doc__)
    parser.add_argument("--results", type=int, nargs="+", default=[CLUB * 10**power for power in range(4)])
    parser.add_argument("--calls", type=int, default=60, help="of each kind at each size (%(default)s)")
    options = parser.parse_args(arguments)
    with scratch_database(settings="bench.settings", broker=True):
        clubs = Clubs()
        found = {}
        for results in sorted(options.results):
            seconds = clubs.grow(max(1, results // CLUB))
            found[results] = clubs.measure(options.calls)
            times = f"filled in {seconds:.0f} s, rated in {clubs.rated_in:.0f} s"
            print(f"{results:,} results, {_size():,.0f} MB: {times}", flush=True)
    _show(found)


def _show(found: dict[int, dict[str, Figure]]) -> None:
    sizes = list(found)
    for title, name in (("median", "median"), ("processor time", "processor")):
        rows = []
        for kind in found[sizes[0]]:
            figures = [getattr(found[size][kind], name) for size in sizes]
            aim = "≤ 1.3" if kind == "report" else ""
            rows.append((kind, *(f"{each:.1f}" for each in figures), f"{figures[-1] / figures[0]:.2f}", aim))
        head = ("calls", *(f"{size:,}" for size in sizes), "last ÷ first", "aim")
        show(f"Milliseconds a call by results stored, {title}", head, rows)


def _size() -> float:
    """Return the megabytes of the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return float(cursor.fetchone()[0]) / 1e6


class Clubs:
    """A club with three years of results, and its copies."""

    def __init__(self) -> None:
        from core.models import User
        from tournaments.actors import Actor, Kind
        from tournaments.models import Role
        from tournaments.services.credentials import create_token

        self.number, self.asked, self.rated_in = 1, 0, 0.0
        _make_club()
        user = User.objects.create_user("organiser@example.org")
        self.token = create_token(actor=Actor(Kind.USER, user=user), name="bench")[1]
        self.user, self.role = user, Role.ORGANISER
        self._rate()  # copies take their changes of ratings with them

    def grow(self, number: int) -> float:
        """Have so many clubs, all rated; return the seconds it took to copy them."""
        began = time.perf_counter()
        if number > self.number:
            _copy(self.number, number - 1)
            self.number = number
        seconds = time.perf_counter() - began
        self._rate()
        return seconds

    def _rate(self) -> None:
        """Compute every rating anew, and forget what copying left."""
        from django.db import connection

        from core.models import Derived, StaleMark
        from scoring.rankings.ratings import store

        began = time.perf_counter()
        store.refresh(GAME, store.BEGINNING)
        self.rated_in = time.perf_counter() - began
        StaleMark.objects.all().delete()
        Derived.objects.update_or_create(kind="ratings", key=GAME, defaults={"wanted": 1, "done": 1})
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")

    def measure(self, calls: int) -> dict[str, Figure]:
        """Measure every kind of call."""
        from core.models import StaleMark
        from scoring import tasks

        kinds: dict[str, Callable[[int], Iterator[Call]]] = {
            "standings": self._standings,
            "leaderboard": self._boards,
            "history": self._histories,
            "search": self._searches,
            "report": self._reports,
            "correction": self._corrections,
        }
        found = {kind: _figure([_sent(call) for call in make(calls + 10)]) for kind, make in kinds.items()}
        work = [(kind, key) for kind, key in StaleMark.objects.values_list("kind", "key").distinct()]
        found["what the worker computes then"] = _figure([_done(tasks.refresh, *each) for each in work], warm=0)
        return found

    def _some(self, rows: Any, number: int) -> list[Any]:
        """Return rows spread over all clubs, others each time."""
        self.asked += 1
        keys = [1 + (self.asked * 7919 + index * 104_729) % (self.number * 10**6) for index in range(number)]
        picked = []
        for index, key in enumerate(keys):
            club = index % self.number if self.number < number else key % self.number
            picked.append(rows.filter(pk__gt=club * APART).order_by("pk")[key % 20])
        return picked

    def _standings(self, number: int) -> Iterator[Call]:
        from tournaments.models import Event

        for event in self._some(Event.objects.filter(name__startswith="Evening"), number):
            yield Call(f"/api/v1/events/{event.uid}/standings/")

    def _boards(self, number: int) -> Iterator[Call]:
        from scoring.models import Rating
        from scoring.rankings.leaderboards import Cursor

        last = Rating.objects.latest("pk").pk
        for index in range(number):
            row = Rating.objects.filter(game=GAME, pk__lte=max(1, last - index * (last // (number + 1)))).latest("pk")
            cursor = Cursor(row.rating - index % 7, row.player_id, 100 + index, 100 + index)
            yield Call(f"/api/v1/leaderboards/{GAME}/?cursor={cursor.written()}")

    def _histories(self, number: int) -> Iterator[Call]:
        from tournaments.models import Player

        for player in self._some(Player.objects.filter(name__startswith="Player"), number):
            yield Call(f"/api/v1/players/{player.uid}/ratings/{GAME}/")

    def _searches(self, number: int) -> Iterator[Call]:
        from tournaments.models import Club

        slugs = list(Club.objects.order_by("?").values_list("slug", flat=True)[:number])
        for index in range(number):
            yield Call(f"/api/v1/clubs/{slugs[index % len(slugs)]}/players/?q=Player%20{index % 90}")

    def _reports(self, number: int) -> Iterator[Call]:
        """Yield reports of a new evening of the first club."""
        from bench.population import enter, link_of, make_event, seat
        from bench.sheets import sheet_for
        from core.ids import new_id
        from tournaments.models import Club, Confirmation

        club = Club.objects.earliest("pk")
        event = make_event(club, f"Tonight {self.asked}", GAME, confirmation=Confirmation.TRUST)
        for index, seats in enumerate(seat(event, enter(event, number * SEATS))):
            sheet = sheet_for(GAME, [each.entry.player.uid for each in seats], index % 20)
            key = {"Idempotency-Key": new_id()}
            path = f"/api/v1/tables/{seats[0].table.uid}/reports/"
            yield Call(path, "POST", link_of(seats[0].entry), {"report": sheet}, key)

    def _corrections(self, number: int) -> Iterator[Call]:
        """Yield corrections of the latest tables of the first club, by its organiser."""
        from tournaments.models import Club, Membership, Table

        club = Club.objects.earliest("pk")
        Membership.objects.get_or_create(club=club, user=self.user, defaults={"role": self.role})
        final = Table.objects.filter(round__event__club=club, status=Table.Status.FINAL)
        for table in final.order_by("-result__first_final_at").prefetch_related("seats__entry__player")[:number]:
            people = [each.entry.player.uid for each in table.seats.all()]
            ranking = [{"player": uid, "rank": rank} for rank, uid in enumerate(people, 1)]
            body = {"ranking": ranking, "reason": "The sheet was misread."}
            yield Call(f"/api/v1/tables/{table.uid}/decision/", "POST", self.token, body)


def _sent(call: Call) -> tuple[float, float]:
    """Send a call; return the seconds it took, and the milliseconds of processor time."""
    from api import polled
    from core import conditional

    made = environment(call)
    conditional.forget_all()  # nothing comes from memory
    polled.recent.clear()
    return _done(answer, [made])


def _done(work: Callable[..., object], *arguments: Any) -> tuple[float, float]:
    web, database, began = time.process_time(), ticks(), time.perf_counter()
    work(*arguments)
    seconds = time.perf_counter() - began
    return seconds, 1000 * (time.process_time() - web) + TICK * (ticks() - database)


def _figure(done: Sequence[tuple[float, float]], warm: int = 10) -> Figure:
    """Return the median and the mean of processor time, without the first, which load what the others find."""
    counted = done[warm:]
    return Figure(1000 * statistics.median(each[0] for each in counted), statistics.fmean(each[1] for each in counted))


# --- Filling ----------------------------------------------------------------------------------------------------


def _make_club() -> None:
    """Make a club with its people and three years of evenings that were played."""
    import datetime as dt
    import random

    from django.utils import timezone

    from bench.population import make_event, place, seat
    from core.models import Derived
    from scoring.rankings.standings import store
    from tournaments.models import Affiliation, Club, Entry, Player, Round, Table

    rng, club = random.Random(1), Club.objects.create(name="Club", slug="club")
    people = Player.objects.bulk_create(Player(name=f"Player {each}", home=club) for each in range(PLAYERS))
    Affiliation.objects.bulk_create(Affiliation(club=club, player=player) for player in people)
    start = timezone.now() - dt.timedelta(days=3 * 365)
    for number in range(EVENTS):
        at = start + dt.timedelta(days=number * 40)
        event = make_event(club, f"Evening {number}", GAME)
        there = rng.sample(people, TABLES * SEATS)
        entries = Entry.objects.bulk_create(Entry(event=event, player=each, name=each.name) for each in there)
        for round_number in range(1, ROUNDS + 1):
            rng.shuffle(entries)
            closed = {"status": Table.Status.FINAL, "round_status": Round.Status.CLOSED}
            tables = seat(event, entries, round_number, **closed)
            place(event, tables, at + dt.timedelta(minutes=40 * round_number))
        type(event).objects.filter(pk=event.pk).update(status="finished", starts_at=at)
        store.refresh(event.uid)
        Derived.objects.create(kind="standings", key=event.uid, wanted=1, done=1)


def _copy(first: int, last: int) -> None:
    """Copy everything of the first club so often, inside of the database."""
    from django.apps import apps
    from django.db import connection

    models = {each.__name__: each for each in apps.get_models() if each.__module__.split(".")[0] in OURS}
    copied = [models[name] for name in COPIED.split()]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # neither keys nor triggers are looked at
        for model in copied:
            columns = [str(each.column) for each in model._meta.local_concrete_fields]
            values = [_value(each, copied) for each in model._meta.local_concrete_fields]
            cursor.execute(_copying(model._meta.db_table, columns, values, _which(model)), [first, last])
        cursor.execute("SET session_replication_role = DEFAULT")
        for model in copied:
            if model._meta.auto_field is not None:
                table = model._meta.db_table
                largest = f"SELECT max({model._meta.pk.column}) FROM {table}"
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), ({largest}))")


OURS = {"core", "tournaments", "scoring"}


def _copying(table: str, columns: Sequence[str], values: Sequence[str], which: str) -> str:
    named = ", ".join(f'"{each}"' for each in columns)
    of = f"FROM {table} AS one, generate_series(%s, %s) AS club WHERE {which}"
    return f"INSERT INTO {table} ({named}) SELECT {', '.join(values)} {of}"


def _which(model: Any) -> str:
    """Return which rows are the first club's."""
    if model.__name__ == "Derived":
        return f"kind = 'standings' AND id < {APART}"
    return f"{model._meta.pk.column} < {APART}"


def _value(field: Any, copied: Sequence[Any]) -> str:
    """Return what a copy has in a column: keys so far apart, other unique texts, and the rest as it is."""
    column = f'one."{field.column}"'
    is_key = field.primary_key and not field.is_relation
    if is_key or (field.is_relation and field.related_model in copied):
        return f"{column} + club * {APART}"
    if field.model.__name__ == "Derived" and field.name == "key":
        return f"left(md5({column} || club), 16)"
    if field.unique and field.max_length:
        # A digest cut to a join code's six letters would come twice among some thousand events.
        is_short = field.max_length < 16
        numbered = f"lpad(to_hex(club * {ROWS} + mod(one.id, {ROWS})), {field.max_length}, '0')"
        return numbered if is_short else f"left(md5({column} || club), 16)"
    return column
