"""Rate a million tables: plain, with NumPy, compiled, beside other libraries; then the whole rebuild on PostgreSQL.

Players of clubs with hidden skills that drift, at tables of two to six: a dense population, in which everybody plays
200 tables, and two sparse ones. The quality of a model is the log-loss of its forecast of the next result, pair by
pair, over the second half of the tables; no model can do better than the hidden skills.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.database import scratch_database
from bench.tables import show
from scoring.rankings.ratings import model
from scoring.rankings.ratings.model import Ints, Path, Tables

CLUBS, MEMBERS = 400, 50
LARGEST = 6
PART_CLUBS = 8  # their tables are rated by every library
SPARSE = {45: 40, 13: 120}  # tables a player, and the clubs whose players play that few
ERAS = 50  # in which skills hold still
EARLY = 2_000  # tables: enough for every club to have one of them
SCALE = 400 / math.log(10)
AIMS = {"this Elo, waves": "≥ 5", "this Elo, compiled": "≥ 50", "first rebuild": "< 1"}
GAME = b"ten-phases"
LOADED = ["tournaments_player", "tournaments_seat", "scoring_result", "scoring_placing"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Workload:
    """Tables in order, and the hidden skill of every seat."""

    tables: Tables
    skills: Floats
    people: int

    def of_clubs(self, clubs: int, most: int) -> Workload:
        """Return the first tables of the first clubs, whose members meet nobody else."""
        tables, sizes = self.tables, np.diff(self.tables.offsets)
        is_theirs = tables.players[tables.offsets[:-1]] < clubs * MEMBERS
        is_theirs &= np.cumsum(is_theirs) <= most
        seats = np.repeat(is_theirs, sizes)
        offsets = np.append(0, np.cumsum(sizes[is_theirs]))
        return Workload(
            Tables(offsets, tables.players[seats], tables.ranks[seats]), self.skills[seats], clubs * MEMBERS
        )

    def as_lists(self) -> list[tuple[list[int], list[int]]]:
        """Return players and ranks, table by table."""
        bounds, players, ranks = (
            column.tolist() for column in (self.tables.offsets, self.tables.players, self.tables.ranks)
        )
        return [(players[first:end], ranks[first:end]) for first, end in pairwise(bounds)]


def workload(tables: int, seed: int, of_clubs: int = CLUBS) -> Workload:
    """Draw who plays where, and who wins: as in Plackett and Luce's model, the one that Elo's formula belongs to."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, LARGEST + 1, tables)
    clubs = rng.integers(0, of_clubs, tables)
    people = of_clubs * MEMBERS
    activity = rng.normal(0, 0.5, (of_clubs, MEMBERS))
    skill = rng.normal(0, 200, people) + np.cumsum(rng.normal(0, 20, (ERAS, people)), axis=0)
    columns: tuple[list[NDArray[Any]], ...] = ([], [], [])
    for first in range(0, tables, 20_000):
        part = slice(first, first + 20_000)
        # The largest of weights plus Gumbel noise are a draw without replacement by those weights.
        wish = activity[clubs[part]] + rng.gumbel(size=(len(sizes[part]), MEMBERS))
        who = np.argpartition(-wish, LARGEST, axis=1)[:, :LARGEST] + clubs[part, None] * MEMBERS
        is_seated = np.arange(LARGEST) < sizes[part, None]
        level = skill[np.arange(first, first + len(who))[:, None] * ERAS // tables, who]
        form = np.where(is_seated, level + rng.gumbel(0, SCALE, who.shape), -np.inf)
        rank = 1 + np.argsort(np.argsort(-form, axis=1), axis=1)
        for column, values in zip(columns, (who, level, rank), strict=True):
            column.append(values[is_seated])
    players, skills, ranks = map(np.concatenate, columns)
    return Workload(Tables(np.append(0, np.cumsum(sizes)), players, ranks), skills, people)


def sparse_workloads(seed: int) -> Iterator[Workload]:
    """Draw populations in which everybody plays few tables."""
    for each, clubs in SPARSE.items():
        yield workload(each * clubs * MEMBERS * 2 // (2 + LARGEST), seed, clubs)


# --- Other libraries --------------------------------------------------------------------------------------------


class Peer(Protocol):
    """A library that rates a table at a time."""

    def __init__(self, people: int) -> None: ...

    def rate(self, players: list[int], ranks: list[int]) -> None:
        """Take the result of a table in."""

    def chance(self, one: int, other: int) -> float:
        """Say how likely one is to beat the other."""


class Riix:
    """Elo between every two at a table, each pair at K = 10."""

    def __init__(self, people: int) -> None:
        self.elo: Any = importlib.import_module("riix.models.elo").Elo(list(range(people)), k=10.0)

    def rate(self, players: list[int], ranks: list[int]) -> None:
        pairs = [
            (one, other) if ranks[i] < ranks[j] else (other, one)
            for (i, one), (j, other) in combinations(enumerate(players), 2)
        ]
        self.elo.iterative_update(np.array(pairs), np.ones(len(pairs)))

    def rate_all(self, tables: Tables) -> float:
        """Rate all pairs of all tables in one call, its fastest way; return the seconds without preparing them."""
        left, right = model.pairs(tables.offsets)
        won = tables.ranks[left] < tables.ranks[right]
        pairs = np.stack([tables.players[left], tables.players[right]], axis=1)
        return _seconds(lambda: self.elo.iterative_update(pairs, won.astype(np.float64)))

    def chance(self, one: int, other: int) -> float:
        return _logistic((self.elo.ratings[one] - self.elo.ratings[other]) / SCALE)


class OpenSkill:
    """Plackett and Luce's model by Weng and Lin; a table at once."""

    def __init__(self, people: int) -> None:
        self.model: Any = importlib.import_module("openskill.models").PlackettLuce()
        self.ratings = [self.model.rating() for _ in range(people)]

    def rate(self, players: list[int], ranks: list[int]) -> None:
        teams = [[self.ratings[player]] for player in players]
        for player, (rating,) in zip(players, self.model.rate(teams, ranks=ranks), strict=True):
            self.ratings[player] = rating

    def chance(self, one: int, other: int) -> float:
        mine, theirs = self.ratings[one], self.ratings[other]
        spread = math.sqrt(mine.sigma**2 + theirs.sigma**2 + 2 * self.model.beta**2)
        return _logistic((mine.mu - theirs.mu) / spread)


class TrueSkill:
    """Microsoft's model; a table at once."""

    def __init__(self, people: int) -> None:
        self.model: Any = importlib.import_module("trueskill").TrueSkill(draw_probability=0)
        self.ratings = [self.model.create_rating() for _ in range(people)]

    def rate(self, players: list[int], ranks: list[int]) -> None:
        groups = [(self.ratings[player],) for player in players]
        for player, (rating,) in zip(players, self.model.rate(groups, ranks=ranks), strict=True):
            self.ratings[player] = rating

    def chance(self, one: int, other: int) -> float:
        mine, theirs = self.ratings[one], self.ratings[other]
        spread = math.sqrt(mine.sigma**2 + theirs.sigma**2 + 2 * self.model.beta**2)
        return math.erfc((theirs.mu - mine.mu) / spread / math.sqrt(2)) / 2


class Glicko2:
    """Glickman's model; every table is a period of its own, the others at it the opponents."""

    def __init__(self, people: int) -> None:
        player: Any = importlib.import_module("glicko2").Player
        self.players = [player() for _ in range(people)]

    def rate(self, players: list[int], ranks: list[int]) -> None:
        known = [(self.players[player].rating, self.players[player].rd) for player in players]
        for seat, player in enumerate(players):
            others = [other for other in range(len(players)) if other != seat]
            self.players[player].update_player(
                [known[other][0] for other in others],
                [known[other][1] for other in others],
                [float(ranks[seat] < ranks[other]) for other in others],
            )

    def chance(self, one: int, other: int) -> float:
        mine, theirs = self.players[one], self.players[other]
        doubt = 1 / math.sqrt(1 + 3 * (mine.rd**2 + theirs.rd**2) / (math.pi * SCALE) ** 2)
        return _logistic(doubt * (mine.rating - theirs.rating) / SCALE)


PEERS: dict[str, type[Peer]] = {"riix": Riix, "openskill": OpenSkill, "glicko2": Glicko2, "trueskill": TrueSkill}


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def _seconds(work: Callable[[], object]) -> float:
    """Return the seconds of one core that some work takes, whatever else the machine does."""
    started = time.process_time()
    work()
    return time.process_time() - started


# --- Speed and quality ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What was measured of a way to rate."""

    name: str
    tables: int
    seconds: float
    losses: list[float]  # by population

    @property
    def speed(self) -> float:
        """Tables a second."""
        return self.tables / self.seconds

    def cells(self, peer: Row) -> tuple[object, ...]:
        """Return the cells of the table, beside a peer."""
        ratio, aim = f"{self.speed / peer.speed:.2f}", AIMS.get(self.name, "")
        return self.name, self.tables, f"{self.speed:,.0f}", ratio, aim, *(f"{loss:.4f}" for loss in self.losses)


def _measure_peer(name: str, parts: list[Workload]) -> Row:
    """Take the clock on the first population, and the losses on all."""
    runs = [_rate_and_forecast(PEERS[name](part.people), part) for part in parts]
    return Row(name, len(parts[0].tables) // 2, runs[0][0], [loss for _, loss in runs])


def _rate_and_forecast(peer: Peer, work: Workload) -> tuple[float, float]:
    """Rate the first half of some tables against the clock, the second with a forecast of every pair."""
    tables = work.as_lists()
    half = len(tables) // 2

    def rate() -> None:
        for players, ranks in tables[:half]:
            peer.rate(players, ranks)

    seconds, losses = _seconds(rate), []
    for players, ranks in tables[half:]:
        order = sorted(zip(ranks, players, strict=True))
        losses += [-math.log(peer.chance(winner, loser)) for (_, winner), (_, loser) in combinations(order, 2)]
        peer.rate(players, ranks)
    return seconds, sum(losses) / len(losses)


def _loss(work: Workload, ratings: Floats) -> float:
    """Return the log-loss of ratings held before each table, over the second half."""
    left, right = model.pairs(work.tables.offsets)
    late = left >= work.tables.offsets[len(work.tables) // 2]
    left, right = left[late], right[late]
    lead = (ratings[left] - ratings[right]) * np.sign(work.tables.ranks[right] - work.tables.ranks[left])
    return float(np.log1p(np.exp(-lead / SCALE)).mean())


def _replay(work: Workload, path: Path | None = None) -> Ints:
    ratings, counts = np.full(work.people, model.START), np.zeros(work.people, np.int64)
    return model.replay(ratings, counts, work.tables, path=path)[0]


def _measure_ours(path: Path, whole: Workload, parts: list[Workload], rounds: int) -> Row:
    work = parts[0] if path is Path.PLAIN else whole
    seconds = min(_seconds(lambda: _replay(work, path)) for _ in range(rounds))
    losses = [_loss(part, _replay(part, path) / 1000) for part in parts]
    return Row(f"this Elo, {path}", len(work.tables), seconds, losses)


def _compare(whole: Workload, parts: list[Workload], rounds: int) -> tuple[list[Row], list[Row]]:
    """Return our ways to rate, and the libraries, the fastest first."""
    peers = [_measure_peer(name, parts) for name in PEERS]
    seconds = Riix(whole.people).rate_all(whole.tables)
    peers[0] = Row("riix, all in one call", len(whole.tables), seconds, peers[0].losses)
    return [_measure_ours(path, whole, parts, rounds) for path in Path], sorted(peers, key=lambda row: -row.speed)


def _say_which_is_best(ours: list[Row], peers: list[Row], populations: list[str]) -> None:
    for population, *losses in zip(populations, *(row.losses for row in (ours[0], *peers)), strict=True):
        best = min(range(len(losses)), key=lambda place: losses[place])
        print(f"Lowest log-loss at {population} a player: {'this Elo' if best == 0 else peers[best - 1].name}")


# --- The whole rebuild ------------------------------------------------------------------------------------------


def _load(work: Workload) -> None:
    """Write players, seats, results and placings: what a rebuild reads. Nothing else is there to refer to."""
    bulk: Any = importlib.import_module("scoring.rankings.bulk")
    connection = importlib.import_module("django.db").connection
    tables, sizes = work.tables, np.diff(work.tables.offsets)
    keys, seats = np.arange(1, len(tables) + 1), np.arange(1, len(tables.players) + 1)
    at = keys * 60_000_000  # a table a minute, in PostgreSQL's microseconds
    of_seat = np.repeat(keys, sizes)
    people = np.arange(1, work.people + 1)
    yes, no = np.array(True), np.array(False)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no foreign key is checked
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s)", [LOADED])
        indexes = {name: definition for name, definition in cursor.fetchall() if "UNIQUE" not in definition}
        cursor.execute(f"DROP INDEX {', '.join(indexes)}")  # made again, much sooner, when the rows are there
        names = np.char.zfill(people.astype(str), 16).astype("S16")
        _copy(bulk, "tournaments_player", id=people, uid=names, name=names, created_at=people)
        position = (seats - tables.offsets[of_seat - 1]).astype(np.int16)
        _copy(
            bulk, "tournaments_seat", id=seats, table_id=of_seat, round_id=of_seat, entry_id=seats, position=position
        )
        result = {"table_id": keys, "event_id": keys, "game": np.array(GAME), "report_id": keys, "is_rated": yes}
        _copy(bulk, "scoring_result", **result, first_final_at=at, played_at=at, is_counted=yes)
        _copy(
            bulk,
            "scoring_placing",
            seat_id=seats,
            result_id=of_seat,
            event_id=of_seat,
            entry_id=seats,
            player_id=tables.players + 1,
            game=np.array(GAME),
            at=at[of_seat - 1],
            rank=tables.ranks.astype(np.int16),
            is_forfeit=no,
        )
        for definition in indexes.values():
            cursor.execute(definition)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


def _copy(bulk: Any, table: str, **columns: NDArray[Any]) -> None:
    size = max(column.size for column in columns.values())
    whole = {name: np.broadcast_to(column, size) for name, column in columns.items()}
    for first in range(0, size, 500_000):
        bulk.insert(table, {name: column[first : first + 500_000] for name, column in whole.items()})


def _rebuild() -> Iterator[tuple[str, int, int, float]]:
    """Yield what was done, the tables read, the seats changed, and the seconds on the clock."""
    models: Any = importlib.import_module("scoring.models")
    store: Any = importlib.import_module("scoring.rankings.ratings.store")
    rank = importlib.import_module("django.db.models").F("rank")
    order = models.Result.objects.order_by("first_final_at", "table_id")

    def clock(what: str, since: Any = None) -> tuple[str, int, int, float]:
        started = time.perf_counter()
        done = store.refresh(GAME.decode(), since)
        return what, done.tables, done.changes, time.perf_counter() - started

    def turn_round(results: Any) -> Any:
        models.Placing.objects.filter(result__in=[result.pk for result in results]).update(rank=LARGEST + 1 - rank)
        return store.Since(results[0].first_final_at, results[0].pk)

    yield clock("first rebuild")
    yield clock("nothing new")
    yield clock("rebuild, nothing changed", store.BEGINNING)
    yield clock(f"the first {EARLY} tables corrected", turn_round(order[:EARLY]))
    yield clock("a recent table corrected", turn_round(order.reverse()[100:101]))


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench ratings", description=__doc__)
    parser.add_argument("--tables", type=int, default=1_000_000)
    parser.add_argument("--part", type=int, default=20_000, help="tables that every library rates")
    parser.add_argument("--rounds", type=int, default=5, help="times this Elo rates them; the best counts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    whole = workload(options.tables, options.seed)
    parts = [whole.of_clubs(PART_CLUBS, options.part), *sparse_workloads(options.seed)]
    populations = [f"{len(part.tables.players) / part.people:.0f} tables" for part in parts]
    ours, peers = _compare(whole, parts, options.rounds)
    rows, peer = [*ours, *peers], peers[0]
    hidden = [f"{_loss(part, part.skills):.4f}" for part in parts]
    show(
        f"{options.tables:,} tables of {whole.people:,} players, rated; log-loss by the tables a player has",
        ("Model", "tables rated", "tables/s", f"× {peer.name}", "aim", *populations),
        [*(row.cells(peer) for row in rows), ("the hidden skills", "", "", "", "", *hidden)],
    )
    _say_which_is_best(ours, peers, populations)
    alone = options.tables / peer.speed
    with scratch_database():
        _load(whole)
        steps = list(_rebuild())
    show(
        f"With PostgreSQL: read, rate and write; {peer.name} rates as many tables in {alone:.1f} s",
        ("Step", "tables", "seats changed", "s", f"÷ {peer.name}", "aim"),
        [
            (what, tables, changed, f"{seconds:.2f}", f"{seconds / alone:.2f}", AIMS.get(what, ""))
            for what, tables, changed, seconds in steps
        ],
    )
    figures = {
        "tables": options.tables,
        "speed": {row.name: row.speed for row in rows},
        "losses": {row.name: dict(zip(populations, row.losses, strict=True)) for row in rows},
        "seconds": {what: seconds for what, *_, seconds in steps},
    }
    print("\n" + json.dumps(figures))
