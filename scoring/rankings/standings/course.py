"""How the standings came about, round by round: what each round gave to an entry, and which rank it had after it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoring.rankings.standings.compute import Played, Rules, Standings, compute, points_in
from scoring.rankings.standings.values import Attendance, Ints, Penalties, Placings, Tables


class Step(NamedTuple):
    """A round of an entry: its rank in the standings after it, and its `place` of `seats` at its table.

    `points` are in 840ths; None where it had none to win, as in a final or while its table has no result.
    """

    round: int
    rank: int
    points: int | None
    place: int | None
    seats: int | None


def course(rules: Rules, played: Played, standings: Standings) -> list[list[Step]]:
    """Return the rounds of each entry from its first on; nothing in open play, which has none."""
    steps: list[list[Step]] = [[] for _ in range(played.size)]
    playoffs = played.playoffs if played.playoffs is not None else played.placings.where(slice(0))
    numbers = np.union1d(played.placings.round, playoffs.round).tolist()
    if rules.is_open:
        return steps
    for number in numbers:
        until = played if number == numbers[-1] else _until(played, playoffs, number)
        ranks = _ranks(standings if until is played else compute(rules, until))
        points = dict(zip(*(column.tolist() for column in points_in(rules, until, number)), strict=True))
        places = _places(until.placings, number) | _places(playoffs, number)
        for entry, before in enumerate(steps):
            if before or entry in points or entry in places:
                place, seats = places.get(entry, (None, None))
                before.append(Step(number, ranks[entry], points.get(entry), place, seats))
    return steps


def _until(played: Played, playoffs: Placings, number: int) -> Played:
    """Return what was played up to a round. Lots are drawn for a stage of the final, and so after it."""
    return replace(
        played,
        placings=played.placings.where(played.placings.round <= number),
        playoffs=playoffs.where(playoffs.round <= number),
        sit_outs=_attendance(played.sit_outs, number),
        seated=played.seated and _attendance(played.seated, number),
        lots=None,
        penalties=played.penalties and _penalties(played.penalties, number),
    )


def _attendance(attendance: Attendance, number: int) -> Attendance:
    there = attendance.round <= number
    return Attendance(attendance.round[there], attendance.entry[there])


def _penalties(penalties: Penalties, number: int) -> Penalties:
    there = penalties.round <= number
    return Penalties(*(column[there] for column in penalties))


def _ranks(standings: Standings) -> list[int]:
    tied: Ints = standings.levels[-1].tied
    return [int(each) + 1 for each in np.searchsorted(np.sort(tied), tied)]


def _places(placings: Placings, number: int) -> dict[int, tuple[int, int]]:
    """Return the place of each entry at its table of a round, and how many sat there."""
    rows = placings.where(placings.round == number)
    tables = Tables(rows.where(np.argsort(rows.table, kind="stable")))
    sizes = tables.sizes[tables.row].tolist()
    found = zip(tables.placings.entry.tolist(), tables.placings.rank.tolist(), sizes, strict=True)
    return {entry: (rank, size) for entry, rank, size in found}
