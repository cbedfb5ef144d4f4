"""How likely is a sheet? Where a score lies among the scores of simulated games.

The counts in `data/scores.json` come from games of the decent players (`./run bench games` makes them). A score far
out in the tail is a reason for a person to look, never an error.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Any

from engines.base import Report, Verdict


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a score lies: the share of simulated scores at most, and at least, as high, out of so many `games`."""

    seat: str
    score: int
    at_most: float
    at_least: float
    games: int

    @property
    def share(self) -> float:
        """The smaller of the two sides: near 0 far out in a tail."""
        return min(self.at_most, self.at_least)


@cache
def table() -> dict[str, Any]:
    """Return what was seen in simulated games, by game, variant and number of seats.

    `scores`, `winning` (scores of winners) and `turns` say how often each number was seen; `wins` lists how many games
    the starter, the one after the starter and so on won, shared wins by their share.
    """
    text = (resources.files("engines") / "data" / "scores.json").read_text()
    return dict(json.loads(text))


@cache
def _distribution(game: str, variant: str, seats: int) -> tuple[int, list[int], list[int]]:
    entry = table()[game][variant][str(seats)]
    scores = sorted(map(int, entry["scores"]))
    return entry["games"], scores, list(accumulate(entry["scores"][str(score)] for score in scores))


def tails(report: Report, verdict: Verdict) -> tuple[Tail, ...]:
    """Return where each score of a valid report lies, in the order of the standings.

    One is added to every count, so that a score nobody ever had is rare and not impossible.
    """
    if verdict.standings is None or report["game"] not in table():
        return ()
    games, scores, running = _distribution(report["game"], report["variant"], len(report["seats"]))
    total = running[-1]

    def place(seat: str, score: int) -> Tail:
        up_to, below = bisect_right(scores, score), bisect_left(scores, score)
        at_most = running[up_to - 1] if up_to else 0
        at_least = total - (running[below - 1] if below else 0)
        return Tail(seat, score, (at_most + 1) / (total + 1), (at_least + 1) / (total + 1), games)

    return tuple(place(row.seat, row.score) for row in verdict.standings)
