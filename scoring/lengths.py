"""How long a table of a game likely takes: by the club's own tables, else by games that the engines play."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from django.db.models import F, Min

from scoring import rules
from tournaments.models import Club, Round, Table

ENOUGH = 6  # tables of one's own that tell more than a simulation
LATEST = 60
STEP = 5  # minutes, as a clock in a café shows them
OVERHEAD = 5  # minutes for finding a seat and adding up
SIMULATED = 5  # games
# Seconds that people take for what is one move in a record, which is of another weight in every game.
PACE: Mapping[str, float] = {"ten-phases": 8.5, "sixmix": 3.9, "dix": 4.1, "dice-run": 14.5}
USUAL = 40  # minutes, of a game that nobody can simulate
SHORTEST, LONGEST = 5, 6 * 60  # what was longer was an evening that somebody forgot to end


class Length(NamedTuple):
    """Minutes that three of four tables need; `tables` is how many of the club's own say so, 0 for a simulation."""

    minutes: int
    tables: int


def likely_length(*, club: Club, game: str, variant: str, players: int) -> Length:
    """Return how long a table of this game likely takes in a club, in one query."""
    own = _own_minutes(club, game)
    if len(own) >= ENOUGH:
        return Length(_rounded(_three_quarters(own)), len(own))
    return Length(_simulated(game, variant, players), 0)


def _own_minutes(club: Club, game: str) -> list[float]:
    """Return the minutes from the start of a round to the first sheet, of the club's latest tables."""
    played = Table.objects.filter(round__event__club=club, round__event__game=game, status=Table.Status.FINAL)
    timed = played.exclude(round__kind=Round.Kind.OPEN).exclude(round__started_at=None)
    sent = timed.annotate(begun=F("round__started_at"), sent=Min("reports__created_at")).exclude(sent=None)
    pairs = sent.order_by("-pk").values_list("begun", "sent", "round__paused_seconds")[:LATEST]
    minutes = [((sent - begun).total_seconds() - paused) / 60 for begun, sent, paused in pairs]
    return sorted(each for each in minutes if SHORTEST <= each <= LONGEST)


def _three_quarters(minutes: Sequence[float]) -> float:
    return minutes[(3 * len(minutes)) // 4]


def _rounded(minutes: float) -> int:
    return max(STEP, STEP * math.ceil(minutes / STEP))


@cache
def _simulated(game: str, variant: str, players: int) -> int:
    pace = PACE.get(game)
    if pace is None:
        return USUAL
    moves = [rules.moves_of_a_game(game, variant, players, number) for number in range(SIMULATED)]
    return _rounded(OVERHEAD + pace * sum(moves) / SIMULATED / 60)
