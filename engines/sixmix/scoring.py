"""Points of rows, ranking keys and which tokens a round can give at all. Takes plain values, knows no report.

A row is a text of six digits, so rows compare as the numbers they show. A seat's rows are one text too, two rows
with a space between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from itertools import combinations_with_replacement, permutations, product
from typing import NamedTuple

from engines.sixmix.pieces import BLUE_TOKENS, BLUE_WORTH, SIDES, SQUARES


class Place(IntEnum):
    """What the number of a row earns among all rows; the value is the points."""

    OTHER = 0
    SECOND = 1
    HIGHEST = 2


MOST_TRIPLES = SQUARES // 3
MOST_PER_ROW = Place.HIGHEST + MOST_TRIPLES


class RowScore(NamedTuple):
    """What one row earned."""

    place: Place
    triples: int

    @property
    def points(self) -> int:
        """The tokens its owner takes for it."""
        return self.place + self.triples


@lru_cache(maxsize=SIDES**SQUARES)
def triples(row: str) -> int:
    """Return the triples in a row: four or five equal dice are one, six are two (R15)."""
    return sum(row.count(digit) // 3 for digit in set(row))


def score_rows(rows: Sequence[str]) -> list[RowScore]:
    """Return what each row earns among all of them. Equal numbers earn the same (R1)."""
    highest, *lower = sorted(set(rows), reverse=True)
    places = {highest: Place.HIGHEST}
    if lower:
        places[lower[0]] = Place.SECOND
    return [RowScore(places.get(row, Place.OTHER), triples(row)) for row in rows]


def seat_tokens(rows: Sequence[str]) -> tuple[int, ...]:
    """Return the tokens per seat for the rows per seat."""
    return _by_seat(rows, [score.points for score in score_rows(" ".join(rows).split())])


def seat_tokens_without_second(rows: Sequence[str]) -> tuple[int, ...] | None:
    """Return the tokens per seat by the other reading of R1, None if only one row shows the highest number.

    By that reading the rows that share the highest number take both places, and the second number earns nothing.
    """
    scores = score_rows(" ".join(rows).split())
    if sum(score.place is Place.HIGHEST for score in scores) < 2:
        return None
    return _by_seat(rows, [score.triples if score.place is Place.SECOND else score.points for score in scores])


def _by_seat(rows: Sequence[str], points: Sequence[int]) -> tuple[int, ...]:
    per_seat = len(rows[0].split())
    return tuple(sum(points[start : start + per_seat]) for start in range(0, len(points), per_seat))


def lead_digit(rows: str) -> int:
    """Return the digit in the hundred-thousand square of a seat's row, the larger one of two rows (R8, R9)."""
    return max(int(row[0]) for row in rows.split())


def tied_leaders(totals: Sequence[int]) -> list[int]:
    """Return the seats that share the highest total; none if one seat has it alone."""
    most = max(totals)
    leaders = [seat for seat, total in enumerate(totals) if total == most]
    return leaders if len(leaders) > 1 else []


def ranking_keys(totals: Sequence[int], leads: Sequence[int | None]) -> list[tuple[int, int]]:
    """Return total and lead digit per seat. The digit counts only among seats that share the highest total (R11)."""
    leaders = tied_leaders(totals)
    return [(total, (leads[seat] or 0) if seat in leaders else 0) for seat, total in enumerate(totals)]


def next_starters(totals: Sequence[int]) -> list[int]:
    """Return the seats with the fewest points, the youngest of which starts the next round."""
    fewest = min(totals)
    return [seat for seat, total in enumerate(totals) if total == fewest]


def blue_tokens(rounds: Iterable[Sequence[int]], seats: int) -> list[int]:
    """Return the blue tokens each seat holds after exchanging, round by round, while there are any (R13)."""
    totals, blue = [0] * seats, [0] * seats
    for tokens in rounds:
        for seat, taken in enumerate(tokens):
            totals[seat] += taken
            due = totals[seat] // BLUE_WORTH - blue[seat]
            blue[seat] += min(due, BLUE_TOKENS - sum(blue))
    return blue


class _Row(NamedTuple):
    lead: int
    points: int


@cache
def reachable_tokens(seats: int, rows_per_seat: int) -> frozenset[tuple[int, ...]]:
    """Return every list of tokens per seat that some rows give."""
    lists = combinations_with_replacement(range(MOST_PER_ROW * rows_per_seat + 1), seats)
    found = [tokens for tokens in lists if can_lead(tokens, rows_per_seat, (None,) * seats)]
    return frozenset(order for tokens in found for order in permutations(tokens))


@lru_cache(maxsize=1 << 12)
def can_lead(tokens: tuple[int, ...], rows_per_seat: int, leads: tuple[int | None, ...]) -> bool:
    """Say whether some rows with these lead digits give these tokens, which must be few enough for their rows.

    None is a digit that is not known. It is enough to try it as each of the known ones: among rows with the same lead
    digit, numbers with any triples exist in any order, so a row can stand right above or below those of a known digit.
    """
    ways = _one_row if rows_per_seat == 1 else _two_rows
    known = {lead for lead in leads if lead} or {1}
    return any(
        _can_stand(sum(rows, ()))
        for digits in product(*({lead} if lead else known for lead in leads))
        for rows in product(*map(ways, tokens, digits))
    )


def _one_row(points: int, lead: int) -> list[tuple[_Row, ...]]:
    return [(_Row(lead, points),)]


def _two_rows(points: int, lead: int) -> list[tuple[_Row, ...]]:
    """Return how two rows can share points when the larger lead digit is known."""
    return [
        (_Row(lead, own), _Row(smaller, points - own))
        for own in range(max(0, points - MOST_PER_ROW), min(points, MOST_PER_ROW) + 1)
        for smaller in range(1, lead + 1)
    ]


def _can_stand(rows: tuple[_Row, ...]) -> bool:
    """Look for rows that can have the highest number. Of several alike, all have it or one is left as the second."""
    for highest in _candidates(rows, Place.HIGHEST):
        lower = tuple(row for row in rows if row != highest)
        if not lower or _can_follow(lower):
            return True
        if len(rows) - len(lower) > 1 and _can_follow((*lower, highest)):
            return True
    return False


def _can_follow(rows: tuple[_Row, ...]) -> bool:
    """Look for rows that can have the second number while all others score for triples only."""
    return any(
        all(row == second or row.points <= MOST_TRIPLES for row in rows) for second in _candidates(rows, Place.SECOND)
    )


def _candidates(rows: tuple[_Row, ...], place: Place) -> set[_Row]:
    lead = max(row.lead for row in rows)
    return {row for row in rows if row.lead == lead and place <= row.points <= place + MOST_TRIPLES}
