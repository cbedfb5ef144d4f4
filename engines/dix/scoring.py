"""Points of claimed runs and the order of the players, with the tie-breaks of the rulebook.

Takes plain numbers; whether a hand can fill the runs is asked in `engines.dix.arranging`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.base import Standing, standings
from engines.dix.pieces import TOKEN_WORTH, Run


def points(runs: Iterable[Run | None]) -> int:
    """Return the score of the runs: a point per card and one more for each run from 1 to 9."""
    return sum([run.points for run in runs if run])


def rank(
    seats: Sequence[str], scores: Sequence[int], purses: Sequence[tuple[int, int]], cards: Sequence[int]
) -> tuple[Standing, ...]:
    """Rank by score, then money (a purse is coins and consolation tokens), then fewer cards held."""
    keys = [
        (score, coins + TOKEN_WORTH * tokens, -held)
        for score, (coins, tokens), held in zip(scores, purses, cards, strict=True)
    ]
    return standings(seats, scores, keys)


def rank_solo(seats: Sequence[str], scores: Sequence[int]) -> tuple[Standing, ...]:
    """Rank the player and ALIX: equal points are not a win against her."""
    return standings(seats, scores, [(score, place) for place, score in enumerate(scores)])
