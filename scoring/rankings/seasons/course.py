"""How a season came about: where everybody stood after each of its events, by the rules of `compute`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.rankings.seasons.compute import Finish, Tally, ranked, results_of


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
    tallies: dict[int, Tally] = defaultdict(lambda: Tally(best_of))
    for event, entrants in results_of(events, finishes).items():
        for player, result in entrants:
            tallies[player].add(result)
        for spot in ranked(tallies, event, tiebreaks):
            steps[spot.player].append(Step(event, spot.place, spot.rank, spot.key[0]))
    return steps
