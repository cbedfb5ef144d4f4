"""How likely somebody among others wins a game in play, and how attempts with different aims end.

Two tables hold what was worked out backwards from the tenth phase, for two players (`./run bench race` writes them).
Of several rivals each has to be beaten, as if they did not know of one another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from engines.ten_phases.pieces import PHASES
from engines.ten_phases.play.rules import total_of
from engines.ten_phases.play.state import Block
from engines.ten_phases.scoring import BONUS, BONUS5_LEAST

RACE = resources.files("engines") / "data" / "race.json"
HASTY, USUAL = (-60, -20, 16, 36), (-20, 16, 32, 40)
FLOORS = ((-20, 16, 28, 36), (-20, 32, 40, 44), (-20, 32, 40, 44), USUAL, USUAL, *[HASTY] * 5)
"""Per phase the aims of an attempt: points are written above the floor, and below 0 making the phase counts most."""
QUANTILES = 16
HALF = 5
"""The phases that count for the first bonus."""
USUAL_POINTS = 42
"""What a phase brings: a lead in points is one beyond what a lead in phases brings."""
EDGE, SPAN = 12, 240
"""Chances are listed for leads from -SPAN to SPAN points, EDGE apart."""

Outlook = Callable[[int | None], float]
"""How likely the player to move wins who writes points, or nothing."""


class Attempts(NamedTuple):
    """How attempts with an aim end: how likely points are written, and points that are as likely as one another."""

    floor: int
    chance: float
    results: Sequence[int]

    def worth(self, outlook: Outlook) -> float:
        """Return how likely somebody wins who makes an attempt with this aim."""
        written = sum([outlook(points) for points in self.results]) / len(self.results)
        return self.chance * written + (1 - self.chance) * outlook(None)


@cache
def _table() -> dict[str, Any]:
    return dict(json.loads(RACE.read_text()))


@cache
def attempts(number: int) -> list[Attempts]:
    """Return how attempts at a phase, counted from 0, end with each aim."""
    return [Attempts(*each) for each in _table()["aims"][number]]


@cache
def hope(number: int, summed: int) -> float:
    """Return how many points of the first bonus somebody with a sum of points can count on before a phase."""
    if number >= HALF:
        return 0.0
    results = attempts(number)[1].results
    if number == HALF - 1:
        return sum([BONUS for points in results if summed + points >= BONUS5_LEAST]) / len(results)
    return sum([hope(number + 1, summed + points) for points in results]) / len(results)


def _between(chances: Sequence[float], lead: float) -> float:
    place = min(max((lead + SPAN) / EDGE, 0), len(chances) - 1.000001)
    whole = int(place)
    return chances[whole] + (place - whole) * (chances[whole + 1] - chances[whole])


def outlook_of(block: Block) -> Outlook:
    """Return how likely the player to move is to win, by what is written now."""
    seat = block.seat
    points = block.columns[seat].points
    number, total = len(points), total_of(block, seat)
    others = [each for each in range(len(block.seats)) if each != seat]
    counts = [len(block.columns[each].entries) for each in others]
    totals = [total_of(block, each) for each in others]
    leaders = [total for total, count in zip(totals, counts, strict=True) if count == len(PHASES)]
    hoped = [total + hope(count, total) for total, count in zip(totals, counts, strict=True)]

    def outlook(written: int | None) -> float:
        after, own = number, float(total)
        if written is not None:
            after, own = number + 1, own + written
            if after == HALF and sum(points) + written >= BONUS5_LEAST:
                own += BONUS
        own += hope(after, int(own))
        if leaders:
            lead = own - max(leaders) - USUAL_POINTS * (after - len(PHASES))
            return _between(_table()["closing"][after], lead) if written is not None else 0.0
        chance = 1.0
        for other, count, theirs in zip(others, counts, hoped, strict=True):
            lead = own - theirs - USUAL_POINTS * (after - count)
            chance *= _between(_table()["wins"][other < seat][after][count], lead)
        return chance

    return outlook
