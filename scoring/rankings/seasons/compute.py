"""Seasons as a pure function of the standings of their events: rows in, rows out.

The result of an event is 100 × (entrants − rank) ÷ (entrants − 1), those who share a rank having the mean of their
places; in thousandths, rounded once, so that sums are of whole numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What decides between people level on points: a whole number, higher first. It knows the latest event."""

    value: Callable[[Sequence[Result], str], int]
    unit: int = 1


def _last_event(results: Sequence[Result], latest: str) -> int:
    return next((each.points for each in results if each.event == latest), -1)


TIEBREAKS: Mapping[str, TieBreak] = {
    "wins": TieBreak(lambda results, _latest: sum(each.rank == 1 for each in results)),
    "best_event": TieBreak(lambda results, _latest: max(each.points for each in results), MILLI),
    "events": TieBreak(lambda results, _latest: len(results)),
    "last_event": TieBreak(_last_event, MILLI),
}


def compute(events: Sequence[str], finishes: Iterable[Finish], best_of: int, tiebreaks: Sequence[str]) -> list[Row]:
    """Rank the people of a season by the sum of their `best_of` best results; `events` are in order of time."""
    found: dict[int, list[Result]] = defaultdict(list)
    for field in results_of(events, finishes).values():
        for player, result in field:
            found[player].append(result)
    best = {player: with_best(results, best_of) for player, results in found.items()}
    return ranked(best, events[-1] if events else "", tiebreaks)


def ranked(found: Mapping[int, Sequence[Result]], latest: str, tiebreaks: Sequence[str]) -> list[Row]:
    """Rank people by their counted results, in order of time; `latest` is the last event there was."""
    keys = {
        player: (
            sum(each.points for each in results if each.is_counted),
            *(TIEBREAKS[key].value(results, latest) for key in tiebreaks),
        )
        for player, results in found.items()
    }
    names = [("points", "", MILLI), *(("tie-break", key, TIEBREAKS[key].unit) for key in tiebreaks)]
    rows: list[Row] = []
    for place, player in enumerate(sorted(keys, key=lambda player: (*(-each for each in keys[player]), player)), 1):
        above = keys[rows[-1].player] if rows else ()
        is_shared = keys[player] == above
        rank = rows[-1].rank if is_shared else place
        reason = _reason(names, above, keys[player])
        rows.append(Row(player, place, rank, keys[player][0], list(found[player]), reason))
    return rows


def results_of(events: Sequence[str], finishes: Iterable[Finish]) -> dict[str, list[tuple[int, Result]]]:
    """Return what each event gives to whom, in order of time; none of it is counted yet."""
    fields: dict[str, list[Finish]] = {event: [] for event in events}
    for finish in finishes:
        fields[finish.event].append(finish)
    return {event: list(_worth(event, field)) for event, field in fields.items()}


def _worth(event: str, field: Sequence[Finish]) -> Iterator[tuple[int, Result]]:
    ranks = sorted(finish.rank for finish in field)
    for finish in field:
        before, until = bisect_left(ranks, finish.rank), bisect_right(ranks, finish.rank)
        rank, points = before + 1, event_points(before + 1, until - before, len(field))
        yield finish.player, Result(event, rank, len(field), points, is_counted=False)


def event_points(rank: int, level: int, entrants: int) -> int:
    """Return what a rank that `level` people share is worth among all entrants; alone one has everything."""
    if entrants == 1:
        return FULL
    ahead_of, of = 2 * entrants - 2 * rank - level + 1, 2 * (entrants - 1)
    return (2 * FULL * ahead_of + of) // (2 * of)


def with_best(results: Sequence[Result], best_of: int) -> list[Result]:
    """Return a person's results with the best of them marked; of equal ones the earlier."""
    best = sorted(range(len(results)), key=lambda index: -results[index].points)[:best_of]
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
