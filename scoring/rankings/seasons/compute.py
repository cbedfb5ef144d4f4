"""Seasons as a pure function of the standings of their events: rows in, rows out.

The result of an event is 100 × (entrants − rank) ÷ (entrants − 1), those who share a rank having the mean of their
places; in thousandths, rounded once, so that sums are of whole numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from typing import Any, NamedTuple

from scoring.units import MILLI, as_text

FULL = 100 * MILLI  # the result of an event's winner


class Finish(NamedTuple):
    """A person's rank in an event, among its entrants and maybe others."""

    event: str
    player: int
    rank: int


class Result(NamedTuple):
    """What an event gives a person; `is_counted` says whether it is among their best."""

    event: str
    rank: int
    entrants: int
    points: int
    is_counted: bool


class Row(NamedTuple):
    """A person's place in a season. `points` are in thousandths; `reason` is what put it behind the row before it."""

    player: int
    place: int
    rank: int
    points: int
    results: list[Result]
    reason: dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What ranks a person, kept up result by result: to add all of them up again after each event costs its square."""

    best_of: int
    points: int = 0  # of the best
    wins: int = 0
    best_event: int = 0
    events: int = 0
    last: tuple[str, int] = "", -1  # event, and what it gave
    best: list[int] = field(default_factory=list)  # a heap

    def add(self, result: Result) -> None:
        """Take in the result of a later event than those before."""
        if len(self.best) < self.best_of:
            heappush(self.best, result.points)
            self.points += result.points
        else:
            self.points += result.points - heappushpop(self.best, result.points)
        self.wins += result.rank == 1
        self.best_event = max(self.best_event, result.points)
        self.events += 1
        self.last = result.event, result.points


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What decides between people level on points: a whole number, higher first. It knows the latest event."""

    value: Callable[[Tally, str], int]
    unit: int = 1


TIEBREAKS: Mapping[str, TieBreak] = {
    "wins": TieBreak(lambda tally, _latest: tally.wins),
    "best_event": TieBreak(lambda tally, _latest: tally.best_event, MILLI),
    "events": TieBreak(lambda tally, _latest: tally.events),
    "last_event": TieBreak(lambda tally, latest: tally.last[1] if tally.last[0] == latest else -1, MILLI),
}


class Spot(NamedTuple):
    """Where somebody stands: who share a rank have places beside it. `key` is what decided, points first."""

    player: int
    place: int
    rank: int
    key: tuple[int, ...]


def compute(events: Sequence[str], finishes: Iterable[Finish], best_of: int, tiebreaks: Sequence[str]) -> list[Row]:
    """Rank the people of a season by the sum of their `best_of` best results; `events` are in order of time."""
    found: dict[int, list[Result]] = defaultdict(list)
    tallies: dict[int, Tally] = defaultdict(lambda: Tally(best_of))
    for entrants in results_of(events, finishes).values():
        for player, result in entrants:
            found[player].append(result)
            tallies[player].add(result)
    names = [("points", "", MILLI), *(("tie-break", key, TIEBREAKS[key].unit) for key in tiebreaks)]
    rows: list[Row] = []
    above: Sequence[int] = ()
    for player, place, rank, key in ranked(tallies, events[-1] if events else "", tiebreaks):
        results = with_best(found[player], best_of)
        rows.append(Row(player, place, rank, key[0], results, _reason(names, above, key)))
        above = key
    return rows


def ranked(tallies: Mapping[int, Tally], latest: str, tiebreaks: Sequence[str]) -> Iterator[Spot]:
    """Rank people by what they have so far; `latest` is the last event there was."""
    values = [TIEBREAKS[key].value for key in tiebreaks]
    keys = {player: (tally.points, *(value(tally, latest) for value in values)) for player, tally in tallies.items()}
    above, rank = None, 0
    for place, player in enumerate(sorted(keys, key=lambda player: (*(-each for each in keys[player]), player)), 1):
        key = keys[player]
        rank = rank if key == above else place
        yield Spot(player, place, rank, key)
        above = key


def results_of(events: Sequence[str], finishes: Iterable[Finish]) -> dict[str, list[tuple[int, Result]]]:
    """Return what each event gives to whom, in order of time; none of it is counted yet."""
    fields: dict[str, list[Finish]] = {event: [] for event in events}
    for finish in finishes:
        fields[finish.event].append(finish)
    return {event: list(_worth(event, entrants)) for event, entrants in fields.items()}


def _worth(event: str, entrants: Sequence[Finish]) -> Iterator[tuple[int, Result]]:
    ranks = sorted(finish.rank for finish in entrants)
    for finish in entrants:
        before, until = bisect_left(ranks, finish.rank), bisect_right(ranks, finish.rank)
        rank, points = before + 1, event_points(before + 1, until - before, len(entrants))
        yield finish.player, Result(event, rank, len(entrants), points, is_counted=False)


def event_points(rank: int, level: int, entrants: int) -> int:
    """Return what a rank that `level` people share is worth among all entrants; alone one has everything."""
    if entrants == 1:
        return FULL
    ahead_of, of = 2 * entrants - 2 * rank - level + 1, 2 * (entrants - 1)
    return (2 * FULL * ahead_of + of) // (2 * of)


def with_best(results: Sequence[Result], best_of: int) -> list[Result]:
    """Return a person's results with the best of them marked; of equal ones the earlier."""
    best = set(sorted(range(len(results)), key=lambda index: -results[index].points)[:best_of])
    return [each._replace(is_counted=index in best) for index, each in enumerate(results)]


def _reason(names: Sequence[tuple[str, str, int]], above: Sequence[int], own: Sequence[int]) -> dict[str, Any]:
    if not above:
        return {"code": "first"}
    for (code, key, unit), theirs, mine in zip(names, above, own, strict=True):
        if theirs != mine:
            shown = {"above": _text(theirs, unit), "own": _text(mine, unit)}
            return {"code": code, **({"key": key} if key else {}), **shown}
    return {"code": "shared"}


def _text(value: int, unit: int) -> str | None:
    """Return a value as text; None where there is none."""
    return None if value < 0 else as_text(value, unit, 3 if unit > 1 else 0)
