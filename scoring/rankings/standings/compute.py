"""Standings as a pure function of what was played: arrays in, rows out.

Entries are ranked by one level after the other: each is a value per entry, and decides between those whom all levels
before it left tied. So the first level in which two neighbours differ is the explanation of their order. Who the
entries are, and where results come from, is for others to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from scoring.rankings.ratings.model import START
from scoring.rankings.standings.metrics import METRICS
from scoring.rankings.standings.values import (
    FORFEITED,
    NO_PENALTIES,
    NO_SCORE,
    Attendance,
    Bools,
    Column,
    Field,
    Ints,
    Penalties,
    Placings,
    Tables,
    ratio,
    total,
)
from scoring.units import UNIT

TIEBREAKS = "tiebreaks"  # the rule by which they decide at the line of a cut, and lots only after them
MOST_DECIMALS = 9  # where two values look alike with fewer


@dataclass(frozen=True, slots=True)
class Rules:
    """How an event ranks. Open play counts the best `counted` tables, or the mean of all from `least` tables on."""

    points: str = "placement"
    podium: Sequence[int] = ()
    tiebreaks: Sequence[str] = ()
    is_open: bool = False
    is_elimination: bool = False
    counted: int | None = None
    least: int = 1
    tie_rule: str = "tiebreaks"


@dataclass(frozen=True, slots=True)
class Played:
    """What was played by `size` entries. `seated` says who was in which round; only elimination asks.

    `playoffs` and `lots` decided at the line of a cut between entries level on points: tables played for it, and the
    order in which lots were drawn, from 1; 0 for who drew none.
    """

    size: int
    placings: Placings
    sit_outs: Attendance
    seated: Attendance | None = None
    ratings: Ints | None = None
    playoffs: Placings | None = None
    lots: Ints | None = None
    penalties: Penalties | None = None


class Row(NamedTuple):
    """An entry's place. `points` and the `penalty` taken off them are in 840ths; `reason` is why it is not above."""

    entry: int
    place: int
    rank: int
    points: int
    tables: int
    tiebreaks: list[dict[str, str | None]]
    reason: dict[str, Any]
    is_ranked: bool
    penalty: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """Something that ranks: its values and how they are shown, and who was still tied after it, numbered best first.

    `key` is that of a tie-break; `decimals` are shown always, or with `is_plain` as many as there are.
    """

    code: str
    column: Column
    tied: Ints
    key: str = ""
    decimals: int = 0
    is_plain: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)

    def texts(self, entries: Ints) -> list[str | None]:
        """Return the values of entries as text; None where there is none."""
        numerator, denominator = self.column.numerator[entries], self.column.denominator[entries]
        shown = _decimals(numerator, denominator, self.decimals)
        if self.is_plain:
            shown = [text.rstrip("0").rstrip(".") for text in shown]
        if self.column.known is None:
            return list(shown)
        return [text if known else None for text, known in zip(shown, self.column.known[entries], strict=True)]

    def reason(self, above: str | None, own: str | None, entries: Ints) -> dict[str, Any]:
        """Say that this level put one entry behind another, as a code with facts."""
        if above == own:
            numerator, denominator = self.column.numerator[entries], self.column.denominator[entries]
            above, own = _decimals(numerator.astype(object), denominator, MOST_DECIMALS)
        key = {"key": self.key} if self.key else {}
        return {"code": self.code, **key, "above": above, "own": own, **self.facts}


def _decimals(numerator: Any, denominator: Any, digits: int) -> list[str]:
    rounded = (2 * 10**digits * numerator + denominator) // (2 * denominator)
    return [f"{each / 10**digits:.{digits}f}" for each in rounded.tolist()]


@dataclass(frozen=True)
class Standings:
    """The standings of an event. `order` are the entries from first to last; the columns are by entry."""

    levels: Sequence[Level]
    points: Ints
    tables: Ints
    is_ranked: Bools
    penalties: Ints

    @property
    def order(self) -> Ints:
        """The entries from first to last, ties in the order of the entries."""
        return np.argsort(self.levels[-1].tied, kind="stable")

    def rows(self) -> list[Row]:
        """Return a row per entry, from first to last."""
        order = self.order
        tied = self.levels[-1].tied[order]
        ranks = (np.searchsorted(tied, tied) + 1).tolist()
        texts = [level.texts(order) for level in self.levels]
        reasons = self._reasons(order, texts)
        keys = [(level.key, shown) for level, shown in zip(self.levels, texts, strict=True) if level.key]
        columns = (column[order].tolist() for column in (self.points, self.tables, self.is_ranked, self.penalties))
        return [
            Row(
                entry,
                index + 1,
                ranks[index],
                points,
                tables,
                [{"key": key, "value": shown[index]} for key, shown in keys],
                reasons[index],
                is_ranked,
                penalty,
            )
            for index, (entry, points, tables, is_ranked, penalty) in enumerate(
                zip(order.tolist(), *columns, strict=True)
            )
        ]

    def _reasons(self, order: Ints, texts: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        """Return what put each place behind the one before it: the first level in which they differ."""
        differ = np.array([np.diff(level.tied[order], prepend=-1) != 0 for level in self.levels])
        deciding = np.where(differ.any(axis=0), differ.argmax(axis=0), len(self.levels)).tolist()
        reasons: list[dict[str, Any]] = [{"code": "first"}]
        for place, index in enumerate(deciding[1:], 1):
            if index == len(self.levels):
                reasons.append({"code": "shared"})
            else:
                above, own = texts[index][place - 1 : place + 1]
                reasons.append(self.levels[index].reason(above, own, order[place - 1 : place + 1]))
        return reasons


@dataclass
class _Ladder:
    """The levels so far, and who is still tied after them."""

    tied: Ints
    levels: list[Level] = field(default_factory=list)

    def add(self, code: str, column: Column, **shown: Any) -> None:
        order = np.lexsort((-column.keys, self.tied))
        is_next = (np.diff(self.tied[order], prepend=0) != 0) | (np.diff(column.keys[order], prepend=0) != 0)
        is_next[:1] = False
        self.tied = np.empty_like(self.tied)
        self.tied[order] = np.cumsum(is_next)
        self.levels.append(Level(code, column, self.tied, **shown))


def compute(rules: Rules, played: Played) -> Standings:
    """Rank the entries of an event."""
    size, placings = played.size, played.placings
    tables = Tables(_by_table(placings.where(~placings.is_final)))
    ratings = np.full(size, START) if played.ratings is None else played.ratings
    seats = Field(size, tables, points_of_seats(rules, tables), ratings)
    waits = _sit_outs(rules, seats, played.sit_outs)
    penalties = played.penalties or NO_PENALTIES
    has_played = np.bincount(placings.entry, minlength=size) + np.bincount(waits.entry, minlength=size) > 0

    ladder = _Ladder(np.zeros(size, dtype=np.int64))
    ladder.add("not-played", _whole(has_played.astype(np.int64)))
    is_ranked = np.ones(size, dtype=bool)
    if rules.is_open and rules.counted is None:
        is_ranked = seats.played >= rules.least
        enough = Column(is_ranked.astype(np.int64), seats.played, np.ones_like(seats.played))
        ladder.add("too-few-tables", enough, facts={"least": rules.least})
    if placings.is_final.any():
        _add_finals(ladder, _by_table(placings.where(placings.is_final)), size)
    if rules.is_elimination and played.seated is not None:
        _add_elimination(ladder, seats, waits, played.seated, penalties)
    points = _without(_points(rules, seats, waits), penalties.of(size))
    ladder.add("points", points, decimals=3)
    if played.playoffs is not None and len(played.playoffs.entry):
        _add_playoffs(ladder, _by_table(played.playoffs), size)
    lots = played.lots if played.lots is not None and played.lots.any() else None
    if lots is not None and rules.tie_rule != TIEBREAKS:
        _add_lots(ladder, lots)
    for key in rules.tiebreaks:
        metric = METRICS[key]
        column = metric.compute(seats, ladder.tied)
        ladder.add("tie-break", column, key=key, decimals=metric.decimals, is_plain=metric.is_plain)
    if lots is not None and rules.tie_rule == TIEBREAKS:
        _add_lots(ladder, lots)
    in_units = (2 * UNIT * points.numerator + points.denominator) // (2 * points.denominator)
    tables_of = np.bincount(placings.entry, minlength=size)
    return Standings(ladder.levels, in_units, tables_of, is_ranked, penalties.of(size))


def _by_table(placings: Placings) -> Placings:
    return placings.where(np.argsort(placings.table, kind="stable"))


def _whole(values: Ints) -> Column:
    return Column(values, values, np.ones_like(values))


def points_of_seats(rules: Rules, tables: Tables) -> Ints:
    """Return the points of each seat at its table in 840ths; a forfeit counts nothing."""
    beaten, level = tables.beaten_and_level
    match rules.points:
        case "placement":
            others = (tables.sizes - 1)[tables.row]
            # Alone at a table one is as good as half of nobody.
            points = np.where(others > 0, UNIT * (2 * beaten + level) // np.maximum(2 * others, 1), UNIT // 2)
        case "podium":
            ahead = tables.sizes[tables.row] - 1 - beaten - level
            podium = [*rules.podium, *[0] * int(tables.sizes.max(initial=0))]
            summed = np.cumsum([0, *podium])
            points = UNIT * (summed[ahead + level + 1] - summed[ahead]) // (level + 1)
        case _:
            points = UNIT * np.where(tables.placings.score == NO_SCORE, 0, tables.placings.score)
    return np.where(tables.placings.is_forfeit, 0, points)


class _Waits(NamedTuple):
    """Sit-outs that count, with their points."""

    round: Ints
    entry: Ints
    points: Ints


def _sit_outs(rules: Rules, seats: Field, sit_outs: Attendance) -> _Waits:
    """Return the sit-outs of rounds that have a result: half a table's points, or the mean of the round's."""
    rounds, index = np.unique(seats.tables.placings.round, return_inverse=True)
    counts = np.isin(sit_outs.round, rounds)
    number, entry = sit_outs.round[counts], sit_outs.entry[counts]
    if rules.points == "placement":
        return _Waits(number, entry, np.full(len(entry), UNIT // 2))
    sums, seated = total(index, seats.points, len(rounds)), np.bincount(index, minlength=len(rounds))
    means = (2 * sums + seated) // np.maximum(2 * seated, 1)
    return _Waits(number, entry, means[np.searchsorted(rounds, number)])


def _points(rules: Rules, seats: Field, waits: _Waits) -> Column:
    """Return the points of each entry: the sum, in open play the mean or the sum of the best tables."""
    if not rules.is_open:
        summed = seats.table_points + total(waits.entry, waits.points, seats.size)
    elif rules.counted is None:
        mean = ratio(seats.table_points, seats.played)
        return mean._replace(denominator=mean.denominator * UNIT)
    else:
        order = np.lexsort((-seats.points, seats.entry))
        entry = seats.entry[order]
        best = np.arange(len(entry)) - np.searchsorted(entry, entry) < rules.counted
        summed = total(entry[best], seats.points[order][best], seats.size)
    return Column(summed, summed, np.full(seats.size, UNIT))


def _without(points: Column, penalties: Ints) -> Column:
    """Return points less penalties; of a mean too, whose denominator is as many 840ths as there are tables."""
    if not penalties.any():
        return points
    tables = points.denominator // UNIT
    return ratio(points.numerator - penalties * tables, tables)._replace(denominator=points.denominator)


def _add_finals(ladder: _Ladder, finals: Placings, size: int) -> None:
    """Put those who played a final first, in its order; where there were several, the last decides."""
    last = np.zeros(size, dtype=np.int64)
    np.maximum.at(last, finals.entry, finals.round)
    ladder.add("final", _whole(last))
    place = np.zeros(size, dtype=np.int64)
    is_last = finals.round == last[finals.entry]
    place[finals.entry[is_last]] = Tables(finals).ranks[is_last]
    ladder.add("final-place", _whole(place)._replace(keys=-place))


def _add_playoffs(ladder: _Ladder, playoffs: Placings, size: int) -> None:
    """Rank those level on points by the last play-off that they had against each other."""
    last = np.zeros(size, dtype=np.int64)
    np.maximum.at(last, playoffs.entry, playoffs.round)
    place = np.zeros(size, dtype=np.int64)
    is_last = playoffs.round == last[playoffs.entry]
    place[playoffs.entry[is_last]] = Tables(playoffs).ranks[is_last]
    ladder.add("play-off", _whole(place)._replace(keys=last * 10 * FORFEITED - place))


def _add_lots(ladder: _Ladder, lots: Ints) -> None:
    """Rank by the order in which lots were drawn; who drew none stays where they are, behind."""
    ladder.add("lots", _whole(lots)._replace(keys=np.where(lots > 0, 1 - lots, -len(lots) - 1)))


class Line(NamedTuple):
    """The line of a cut: who is through, and the entries level at it who compete for `places` places.

    `contested` are those level on points, before anything else decided; where `tied` is empty, something did.
    """

    through: list[int]
    tied: list[int]
    places: int
    contested: list[int]


def line(rules: Rules, standings: Standings, present: Sequence[bool], size: int) -> Line:
    """Draw the line after the first `size` of those present; who is level there by the event's rule is tied."""
    order = [each for each in standings.order.tolist() if present[each]]
    if len(order) <= size:
        return Line(order, [], 0, [])
    codes = [level.code for level in standings.levels]
    points = codes.index("points")
    wanted = {"playoff": "play-off", "lots": "lots"}.get(rules.tie_rule)
    decisive = len(codes) - 1 if wanted is None else codes.index(wanted) if wanted in codes else points
    level = _level_at(order, standings.levels[points].tied, size)
    tied = _level_at(order, standings.levels[decisive].tied, size)
    if not tied:
        return Line(order[:size], [], 0, level)
    through = order[: order.index(tied[0])]
    return Line(through, tied, size - len(through), level)


def _level_at(order: Sequence[int], tied: Ints, size: int) -> list[int]:
    """Return the entries on both sides of the line that are level, best first."""
    if tied[order[size - 1]] != tied[order[size]]:
        return []
    return [each for each in order if tied[each] == tied[order[size]]]


def _add_elimination(ladder: _Ladder, seats: Field, waits: _Waits, seated: Attendance, penalties: Penalties) -> None:
    """Rank by the last round reached that has a result, then by the points in it, less the penalties for it."""
    has_result = np.isin(seated.round, seats.tables.placings.round)
    reached = np.zeros(seats.size, dtype=np.int64)
    for number, entry in ((seated.round[has_result], seated.entry[has_result]), (waits.round, waits.entry)):
        np.maximum.at(reached, entry, number)
    ladder.add("round", _whole(reached))
    summed = np.zeros(seats.size, dtype=np.int64)
    at_tables = (seats.tables.placings.round, seats.entry, seats.points)
    for number, entry, points in (at_tables, waits):
        is_last = number == reached[entry]
        np.add.at(summed, entry[is_last], points[is_last])
    is_last = penalties.round == reached[penalties.entry]
    np.subtract.at(summed, penalties.entry[is_last], penalties.points[is_last])
    ladder.add("round-points", Column(summed, summed, np.full(seats.size, UNIT)), decimals=3)


def advancing(played: Played, standings: Standings, per_table: int | None) -> list[int]:
    """Return the entries that play on in elimination, best first: of each table of the last round the first ones.

    `per_table` is half of the table, rounded up, where None. Ties at the line are decided by the standings, nobody
    who forfeited plays on, and who had to sit out does.
    """
    if played.seated is None or not len(played.seated.round):
        return []
    last = int(played.seated.round.max())
    tables = Tables(_by_table(played.placings.where(played.placings.round == last)))
    if not len(tables.row):
        return []
    place = np.empty(played.size, dtype=np.int64)
    place[standings.order] = np.arange(played.size)
    entry = tables.placings.entry
    order = np.lexsort((place[entry], tables.ranks, tables.row))
    turn = np.arange(len(order)) - tables.starts[tables.row]
    most = (tables.sizes + 1) // 2 if per_table is None else np.full(len(tables.sizes), per_table)
    plays_on = (turn < most[tables.row]) & ~tables.placings.is_forfeit[order]
    sat_out = played.sit_outs.entry[played.sit_outs.round == last]
    chosen = np.concatenate((entry[order][plays_on], sat_out))
    return [int(each) for each in sorted(chosen, key=place.__getitem__)]


def points_in(rules: Rules, played: Played, number: int) -> tuple[Ints, Ints]:
    """Return who had points in a round that is no final, at a table or for sitting out, and how many."""
    placings = played.placings
    tables = Tables(_by_table(placings.where((placings.round == number) & ~placings.is_final)))
    seats = Field(played.size, tables, points_of_seats(rules, tables), np.full(played.size, START))
    waits = _sit_outs(rules, seats, played.sit_outs)
    return np.concatenate((seats.entry, waits.entry)), np.concatenate((seats.points, waits.points))
