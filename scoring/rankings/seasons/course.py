"""How a season came about: where everybody stood after each of its events, by the rules of `compute`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.rankings.seasons.compute import Finish, Result, ranked, results_of, with_best


class Step(NamedTuple):
    """Where a person stood after an event. `points` are in thousandths; who share a rank have places beside it."""

    event: str
    place: int
    rank: int
    points: int


def course(
    events: Sequence[str], finishes: Iterable[Finish], best_of: int, tiebreaks: Sequence[str]
) -> dict[int, list[Step]]:
    """Return the steps of each person from their first event on; the last is their row of the season's table."""
    steps: dict[int, list[Step]] = defaultdict(list)
    found: dict[int, list[Result]] = {}
    for event, field in results_of(events, finishes).items():
        for player, result in field:
            found[player] = with_best([*found.get(player, ()), result], best_of)
        for row in ranked(found, event, tiebreaks):
            steps[row.player].append(Step(event, row.place, row.rank, row.points))
    return steps
