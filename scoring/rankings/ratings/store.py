"""Keep the ratings of a game: read its tables in order, rate them, and write what changed.

`Rating` rows are the ratings after the last rated table, the head. New tables are rated from there. Where something
before the head changed, the replay starts at the last checkpoint before it; where the model itself changed, at the
first table. A run is one transaction, and one at a time per game. It may see results that were committed after it
began; what those mark brings another run.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from django.db import connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from numpy.typing import NDArray

from core.computations import EDITION, Kind, Since, is_up_to_date
from core.models import Derived
from scoring.models import Checkpoint, Placing, Rating, RatingChange, RatingModel, Replay, Result
from scoring.rankings import bulk
from scoring.rankings.locks import advisory_lock
from scoring.rankings.ratings import model
from scoring.rankings.ratings.model import Ints, Tables
from scoring.rankings.ratings.state import RatingState, find
from tournaments.models import Event, Player, Seat

Progress = Callable[[int, int], None]  # called with the tables rated so far, and in all

BEGINNING = Since(dt.datetime(1, 1, 1, tzinfo=dt.UTC), 0)
SPACING = 1 << 15  # tables read at a time, and between checkpoints
LATE = dt.timedelta(hours=1)  # longer than a result is on its way into the database
UNRATED = -2_000_000_000  # stands for null in a column of ratings
NEW_MODEL = "the rating model changed"
MOVES_LOGGED = 10
DENSE = 8  # keys to read for one that is wanted, at most
CHANGES = "scoring_ratingchange"
RATING_COLUMNS = {
    "player_id": "bigint",
    "game": "text",
    "rating": "integer",
    "tables": "integer",
    "last_played": "timestamptz",
}


class Move(NamedTuple):
    """A person's rating before and after a run; None where they had, or have, none."""

    player: int
    before: int | None
    after: int | None

    @property
    def size(self) -> int:
        """How far it moved; where there was none, from the rating everybody starts with."""
        before, after = (model.START if rating is None else rating for rating in (self.before, self.after))
        return abs(after - before)


@dataclass
class Summary:
    """What a run did, or would do: seats whose change is another now, and whose rating moved, the farthest first."""

    game: str
    since: Since | None  # the first table that was rated again; None where only new ones were
    tables: int = 0
    changes: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def went_back(self) -> bool:
        """Whether tables that had been rated were rated again."""
        return self.since is not None

    @property
    def largest_move(self) -> int:
        """How far the rating moved that moved farthest."""
        return self.moves[0].size if self.moves else 0


def refresh(
    game: str,
    since: Since | None = None,
    *,
    new_since: dt.datetime | None = None,
    why: str = "",
    dry_run: bool = False,
    progress: Progress | None = None,
    spacing: int = SPACING,
) -> Summary:
    """Bring the ratings of a game up to date.

    `since` is the first table in order that may have changed; None where only new ones came, and `new_since` is when
    the first of these did. With `dry_run` nothing is written; what the caller's own transaction changed is seen.
    """
    with transaction.atomic():
        _plan_for_parts()
        if not dry_run:
            _take_time()  # waiting for the advisory lock counts as a statement too
            advisory_lock(Kind.RATINGS, game)
        return _Run(game, since, new_since, dry_run, spacing).carry_out(why, progress)


def games_of_another_model() -> list[str]:
    """Return the games whose ratings wait for nothing, but were computed by another model than the present one."""
    present = RatingModel.objects.filter(fingerprint=model.fingerprint())
    rows = Derived.objects.filter(kind=Kind.RATINGS, done=F("wanted"), edition__lte=EDITION)
    others = rows.exclude(key__in=present.values("game")).values_list("key", flat=True)
    return [game for game in others if is_up_to_date(Kind.RATINGS, game)]


def forget_lost_seats() -> None:
    """Delete the changes of seats whose placing was deleted: no game knows of them any more."""
    RatingChange.objects.filter(~Exists(Placing.objects.filter(pk=OuterRef("pk")))).delete()


def _plan_for_parts() -> None:
    """Keep PostgreSQL from reading whole tables for every part: it takes a part for larger than it is."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_hashjoin = off")
            cursor.execute("SET LOCAL enable_mergejoin = off")
            cursor.execute("SET LOCAL max_parallel_workers_per_gather = 0")


def _take_time() -> None:
    """Lift the limit on statements, which is for requests, until the transaction ends."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
        connection.connection.patience = None  # nor is the server given up (`ops.postgresql`)


class _Run:
    """One computation, from the head or a checkpoint to the last table there is."""

    def __init__(
        self, game: str, since: Since | None, new_since: dt.datetime | None, dry_run: bool, spacing: int
    ) -> None:
        self.game, self.dry_run, self.spacing = game, dry_run, spacing
        self.is_new_model = not RatingModel.objects.filter(game=game, fingerprint=model.fingerprint()).exists()
        head = _head(game)
        anew = BEGINNING if head is None or self.is_new_model else _overlooked(game, head, new_since)
        self.since = min((each for each in (since, anew) if each is not None), default=None)
        self.begin = head or BEGINNING
        self.tables_before = 0
        self.state = self.stored = RatingState.nobody()
        gone = Player.objects.exclude(merged_into=None).order_by("pk")
        self.merged = bulk.fetch(gone, {"id": "i8", "merged_into_id": "i8"})
        self.summary = Summary(game, self.since)

    def carry_out(self, why: str, progress: Progress | None) -> Summary:
        """Rate the tables and write what changed."""
        if self.since is not None:
            self._go_back(self.since)
        total = _tables(self.game, self.begin).count()
        for end, seats in self._chunks():
            self._rate(seats, total)
            if progress is not None:
                progress(self.summary.tables, total)
            if end is not None and self.summary.went_back and not self.dry_run:
                self.tables_before += self.spacing
                self._keep_checkpoint(end, self.state, self.tables_before)
        self._compare()
        if not self.dry_run:
            self._save(why)
        return self.summary

    def _go_back(self, since: Since) -> None:
        checkpoint = Checkpoint.objects.filter(_before(since), game=self.game).first()
        self.begin = BEGINNING
        if checkpoint is not None:
            self.begin, self.tables_before = Since(checkpoint.at, checkpoint.table), checkpoint.tables
            self.state = RatingState.unpack(bytes(checkpoint.state))
        self.stored = _stored(Rating.objects.filter(game=self.game))
        if not self.dry_run:
            Checkpoint.objects.filter(~_before(since), game=self.game).delete()
            _forget_uncounted(self.game, since)

    def _chunks(self) -> Iterator[tuple[Since | None, bulk.Columns]]:
        """Yield the seats to rate, those of `spacing` tables at a time, with the last table if more may follow."""
        begin: Since | None = self.begin
        while begin is not None:
            tables = _tables(self.game, begin).order_by("first_final_at", "table_id")
            last = tables.values_list("first_final_at", "table")[self.spacing - 1 : self.spacing].first()
            end = Since(*last) if last else None
            yield end, _seats(self.game, begin, end)
            begin = end

    def _rate(self, seats: bulk.Columns, total: int) -> None:
        kept = _rateable(seats)
        people = self._people(seats["player_id"][kept])
        self._admit(people)
        who, _ = find(self.state.players, people)
        tables = Tables(_offsets(seats["result_id"][kept]), who, seats["rank"][kept].astype(np.int64))
        np.maximum.at(self.state.played, who, seats["result__played_at"][kept])
        before, after = (np.full(len(kept), UNRATED, np.int32) for _ in range(2))
        before[kept], after[kept] = model.replay(self.state.ratings, self.state.counts, tables, of=total)
        is_changed = (before != seats["before"]) | (after != seats["after"])
        self.summary.tables += len(tables)
        self.summary.changes += int(is_changed.sum())
        if not self.dry_run:
            old, new = is_changed & (seats["before"] != UNRATED), is_changed & kept
            bulk.delete(CHANGES, "placing_id", seats["seat_id"][old])
            columns = {"placing_id": seats["seat_id"][new], "before": before[new], "after": after[new]}
            bulk.insert(CHANGES, columns)

    def _people(self, players: Ints) -> Ints:
        """Return the person behind each record."""
        places, is_merged = find(self.merged["id"], players)
        people = players.copy()
        people[is_merged] = self.merged["merged_into_id"][places[is_merged]]
        return people

    def _admit(self, people: Ints) -> None:
        """Take in who is not in the state yet: as they are at the head if the run began there, else as newcomers."""
        _, is_known = find(self.state.players, people)
        missing = np.unique(people[~is_known])
        if self.since is None and missing.size:
            # Read after the tables, so that nobody whose table has just been committed is taken for a newcomer.
            known = _stored(Rating.objects.filter(game=self.game, player__in=missing.tolist()))
            self.stored, self.state = self.stored.with_others(known), self.state.with_others(known)
            missing = np.setdiff1d(missing, known.players)
        self.state = self.state.with_others(RatingState.newcomers(missing))

    def _compare(self) -> None:
        old, new = self.stored.rows(), self.state.rows()
        self.changed = {player: row for player, row in new.items() if row != old.get(player)}
        self.gone = old.keys() - new.keys()
        ratings = ((player, old.get(player), new.get(player)) for player in self.changed.keys() | self.gone)
        moves = (Move(player, before and before[0], after and after[0]) for player, before, after in ratings)
        self.summary.moves = sorted(
            (move for move in moves if move.before != move.after), key=lambda move: (-move.size, move.player)
        )

    def _save(self, why: str) -> None:
        Rating.objects.filter(game=self.game, player__in=self.gone).delete()
        rows = [
            (player, self.game, rating, tables, bulk.as_stored(played))
            for player, (rating, tables, played) in self.changed.items()
        ]
        bulk.upsert("scoring_rating", RATING_COLUMNS, "player_id, game", rows)
        if self.since is None:
            self._mark_the_way()
        elif self.stored.players.size:
            self._log(self.since, NEW_MODEL if self.is_new_model else why)
        if self.is_new_model:
            RatingModel.objects.bulk_create(
                [RatingModel(game=self.game, fingerprint=model.fingerprint())],
                update_conflicts=True,
                unique_fields=["game"],
                update_fields=["fingerprint"],
            )

    def _mark_the_way(self) -> None:
        """Keep a checkpoint at the head if the last one is far behind."""
        head = _head(self.game)
        if head is None:
            return
        last = Checkpoint.objects.filter(game=self.game).first()
        behind = _tables(self.game, Since(last.at, last.table) if last else BEGINNING).filter(_until(head)).count()
        if behind >= self.spacing:
            self._keep_checkpoint(
                head, _stored(Rating.objects.filter(game=self.game)), behind + (last.tables if last else 0)
            )

    def _keep_checkpoint(self, after: Since, state: RatingState, tables: int) -> None:
        Checkpoint.objects.create(game=self.game, at=after.at, table=after.table, tables=tables, state=state.pack())

    def _log(self, since: Since, why: str) -> None:
        moves = self.summary.moves
        is_whole = since == BEGINNING
        Replay.objects.create(
            game=self.game,
            why=why,
            since_at=None if is_whole else since.at,
            since_table=None if is_whole else since.table,
            tables=self.summary.tables,
            players_moved=len(moves),
            largest_move=self.summary.largest_move,
            facts={"changes": self.summary.changes, "moves": [move._asdict() for move in moves[:MOVES_LOGGED]]},
        )


# --- Questions to the database ----------------------------------------------------------------------------------


def _after(since: Since, path: str = "") -> Q:
    at, table = f"{path}first_final_at", f"{path}table"
    # The first condition is implied; an index can be entered by it.
    return Q(**{f"{at}__gte": since.at}) & (Q(**{f"{at}__gt": since.at}) | Q(**{f"{table}__gt": since.table}))


def _until(since: Since, path: str = "") -> Q:
    at, table = f"{path}first_final_at", f"{path}table"
    return Q(**{f"{at}__lte": since.at}) & (Q(**{f"{at}__lt": since.at}) | Q(**{f"{table}__lte": since.table}))


def _before(since: Since) -> Q:
    return Q(at__lt=since.at) | Q(at=since.at, table__lt=since.table)


def _tables(game: str, begin: Since) -> QuerySet[Result]:
    """Return the results that count for ratings, after one of them."""
    return Result.objects.filter(_after(begin), _is_free(), game=game, is_counted=True, is_rated=True)


def _is_free(path: str = "") -> Q:
    """Select the results that nothing keeps from being rated.

    The operator withdraws clubs from ratings, and a table waits while nobody knows whose a phone there is. Both are
    few, and read once.
    """
    withdrawn = Event.objects.filter(club__is_rated_openly=False)
    return ~Q(**{f"{path}event__in": withdrawn}) & ~Q(**{f"{path}pk__in": _unproven()})


def _unproven() -> QuerySet[Seat, Any]:
    """Return the tables of phones that say they are somebody known, and for which nobody has answered."""
    return Seat.objects.filter(entry__claims__isnull=False).values("table")


def _is_rated() -> Exists:
    return Exists(RatingChange.objects.filter(placing__result=OuterRef("pk")))


def _head(game: str) -> Since | None:
    """Return the last table that has been rated."""
    tables = _tables(game, BEGINNING).filter(_is_rated()).order_by("-first_final_at", "-table_id")
    head = tables.values_list("first_final_at", "table").first()
    return Since(*head) if head else None


def _overlooked(game: str, head: Since, new_since: dt.datetime | None) -> Since | None:
    """Return the first table before the head that has not been rated.

    It was committed after later ones, or these are from a clock that was ahead.
    """
    recent = _tables(game, Since(min(head.at, new_since or head.at) - LATE, 0)).filter(_until(head), ~_is_rated())
    seats = Count("placings", filter=Q(placings__is_forfeit=False))
    tables = recent.annotate(seats=seats).filter(seats__gte=2).order_by("first_final_at", "table_id")
    first = tables.values_list("first_final_at", "table").first()
    return Since(*first) if first else None


def _seats(game: str, begin: Since, end: Since | None) -> bulk.Columns:
    """Return the seats of the tables after one up to another, in order, with what they are stored as."""
    placings = Placing.objects.filter(
        _after(begin, "result__"),
        _is_free("result__"),
        result__game=game,
        result__is_counted=True,
        result__is_rated=True,
    )
    if end is not None:
        placings = placings.filter(_until(end, "result__"))
    kinds = {
        "result_id": "i8",
        "seat_id": "i8",
        "player_id": "i8",
        "rank": "i2",
        "is_forfeit": "?",
        "result__played_at": bulk.TIME,
    }
    seats = bulk.fetch(placings.order_by("result__first_final_at", "result_id"), kinds)
    return seats | _changes(placings, seats["seat_id"])


def _changes(placings: QuerySet[Placing], seats: Ints) -> bulk.Columns:
    """Return the stored ratings of seats before and after their tables; `UNRATED` where there are none."""
    rows = RatingChange.objects.filter(placing__in=placings.values("pk"))
    if seats.size and np.ptp(seats) < DENSE * seats.size:
        # Several times faster, and hardly anybody else sits between those of one time.
        rows = RatingChange.objects.filter(placing__gte=int(seats.min()), placing__lte=int(seats.max()))
    stored = bulk.fetch(rows.order_by("placing_id"), {"placing_id": "i8", "before": "i4", "after": "i4"})
    places, is_stored = find(stored["placing_id"], seats)
    columns = {name: np.full(seats.size, UNRATED, np.int32) for name in ("before", "after")}
    for name, column in columns.items():
        column[is_stored] = stored[name][places[is_stored]]
    return columns


def _stored(rows: QuerySet[Rating]) -> RatingState:
    kinds = {"player_id": "i8", "rating": "i4", "tables": "i4", "last_played": bulk.TIME}
    found = bulk.fetch(rows.order_by("player_id"), kinds)
    return RatingState(*(found[name].astype(np.int64) for name in kinds))


def _forget_uncounted(game: str, since: Since) -> None:
    """Delete the changes of tables that count no more."""
    is_none = Q(is_counted=False) | Q(is_rated=False) | ~_is_free()
    results = Result.objects.filter(is_none, game=game, first_final_at__gte=since.at)
    RatingChange.objects.filter(placing__in=Seat.objects.filter(table__result__in=results).values("pk")).delete()


# --- Columns ----------------------------------------------------------------------------------------------------


def _offsets(tables: Ints) -> Ints:
    """Return where each run of equal values begins, and the end."""
    return np.append(np.flatnonzero(np.diff(tables, prepend=-1)), len(tables))


def _rateable(seats: bulk.Columns) -> NDArray[np.bool_]:
    """Tell who is rated: who did not forfeit, at tables where at least two did not."""
    sizes = np.diff(_offsets(seats["result_id"]))
    table = np.repeat(np.arange(len(sizes)), sizes)
    stayed = ~seats["is_forfeit"]
    return stayed & (np.bincount(table[stayed], minlength=len(sizes))[table] >= 2)
