"""Tables written by hand, and the standings they make."""

from __future__ import annotations

import numpy as np

from scoring.rankings.standings.compute import Played, Rules, Standings, compute
from scoring.rankings.standings.values import NO_SCORE, Attendance, Penalties, Placings

NAMES = "abcdefghijklmnopqrstuvwxyz"


class Seat(dict):
    """A seat at a table: who, which rank, and what else is said."""

    def __init__(self, name, rank, score=None, *, forfeit=False):
        super().__init__(name=name, rank=rank, score=score, forfeit=forfeit)


def placings(tables):
    """Return placings of tables, each a round, its seats, and whether it is a final."""
    rows = [
        (
            number,
            round_,
            NAMES.index(seat["name"]),
            seat["rank"],
            NO_SCORE if seat["score"] is None else seat["score"],
            seat["forfeit"],
            is_final,
        )
        for number, (round_, seats, is_final) in enumerate(tables, 1)
        for seat in seats
    ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 7).T
    return Placings(*columns[:5], *columns[5:].astype(bool))


def attendance(pairs):
    """Return who was in which round, from pairs of round and name."""
    columns = np.array([(round_, NAMES.index(name)) for round_, name in pairs], dtype=np.int64).reshape(-1, 2).T
    return Attendance(*columns)


def table(round_, text, *, final=False):
    """Return a table from text such as `a1:30 b2 c2:10 d4!`: name, rank, score if any, and ! for a forfeit."""
    seats = []
    for word in text.split():
        place, _colon, score = word.rstrip("!").partition(":")
        seats.append(Seat(place[0], int(place[1:]), int(score) if score else None, forfeit=word.endswith("!")))
    return round_, seats, final


def penalised(rows):
    """Return penalties from triples of round, name and 840ths."""
    columns = [(round_, NAMES.index(name), points) for round_, name, points in rows]
    return Penalties(*np.array(columns, dtype=np.int64).reshape(-1, 3).T)


def played(size, *tables, sit_outs=(), seated=None, ratings=None, penalties=()):
    """Return what `size` entries, named a, b, c …, played."""
    return Played(
        size,
        placings(tables),
        attendance(sit_outs),
        None if seated is None else attendance(seated),
        None if ratings is None else np.array(ratings),
        penalties=penalised(penalties),
    )


def standings(size, *tables, sit_outs=(), seated=None, ratings=None, penalties=(), **rules) -> Standings:
    """Return the standings of `size` entries after some tables."""
    what = played(size, *tables, sit_outs=sit_outs, seated=seated, ratings=ratings, penalties=penalties)
    return compute(Rules(**rules), what)


def ranked(found: Standings) -> str:
    """Return the order of the standings as text, ties in brackets: `a(bc)d`."""
    groups: dict[int, str] = {}
    for row in found.rows():
        groups[row.rank] = groups.get(row.rank, "") + NAMES[row.entry]
    return "".join(each if len(each) == 1 else f"({each})" for each in groups.values())


def value(found: Standings, name: str, key: str) -> str | None:
    """Return what a tie-break shows for an entry."""
    row = next(row for row in found.rows() if NAMES[row.entry] == name)
    return next(each["value"] for each in row.tiebreaks if each["key"] == key)


def points(found: Standings) -> dict[str, int]:
    """Return the points of entries in 840ths."""
    return {NAMES[row.entry]: row.points for row in found.rows()}
