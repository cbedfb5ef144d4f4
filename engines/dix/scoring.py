"""Points of claimed runs and the order of the players, with the tie-breaks of the rulebook.

Takes plain numbers; whether a hand can fill the runs is asked in `engines.dix.arranging`, and whether what breaks a
tie was reported at all in `engines.dix.report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.base import Standing, standings
from engines.dix.pieces import Run


def points(runs: Iterable[Run | None]) -> int:
    """Return the score of the runs: a point per card and one more for each run from 1 to 9."""
    return sum([run.points for run in runs if run])


def leaders(scores: Sequence[int]) -> list[int]:
    """Return the indexes of the seats that share the highest score; nobody if one of them has it alone."""
    return _sharing(range(len(scores)), scores)


def richest(scores: Sequence[int], money: Sequence[int]) -> list[int]:
    """Return the indexes of the leaders that share the most money; nobody if one of them has it alone."""
    return _sharing(leaders(scores), money)


def _sharing(places: Sequence[int], values: Sequence[int]) -> list[int]:
    highest = max([values[place] for place in places], default=0)
    first = [place for place in places if values[place] == highest]
    return first if len(first) > 1 else []


def rank(
    seats: Sequence[str], scores: Sequence[int], money: Sequence[int], cards: Sequence[int]
) -> tuple[Standing, ...]:
    """Rank by score; a shared first place goes to the most money, and among equals to the fewest cards.

    The rulebook breaks a tie for the winner only, so lower ties are shared, whatever the money and the cards there.
    """
    first, rich = leaders(scores), richest(scores, money)
    keys = [
        (score, money[place] if place in first else 0, -cards[place] if place in rich else 0)
        for place, score in enumerate(scores)
    ]
    return standings(seats, scores, keys)


def rank_solo(seats: Sequence[str], scores: Sequence[int]) -> tuple[Standing, ...]:
    """Rank the player and ALIX: equal points are not a win against her."""
    return standings(seats, scores, [(score, place) for place, score in enumerate(scores)])
