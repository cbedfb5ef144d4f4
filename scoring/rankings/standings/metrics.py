"""The tie-breaks: each a key, how it is computed over everything played, and how many decimals it shows.

A tie-break returns a value per entry, higher first. It is told who is still tied, because some look at those alone;
its keys need to order nobody else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from scoring.rankings.ratings.model import FAR, MILLION, expectations
from scoring.rankings.standings.values import LARGEST, NO_SCORE, Bools, Column, Field, Ints, ratio, sums, total
from scoring.units import UNIT

Compute = Callable[[Field, Ints], Column]

PRECISION = 40  # bits of a share of a table's score, before fractions decide what these leave open
REACH = 8000  # tenths of a point that a performance may lie from the mean of the opponents


@dataclass(frozen=True, slots=True)
class Metric:
    """A tie-break. `decimals` are shown always, or only where there are any: `is_plain`."""

    key: str
    compute: Compute
    decimals: int = 3
    is_plain: bool = False


def wins(field: Field, tied: Ints) -> Column:
    """Count the tables won; those who share the first place share the win."""
    tables, placings = field.tables, field.tables.placings
    is_first = ((placings.rank == 1) & ~placings.is_forfeit).astype(np.int64)
    shares = is_first * UNIT // np.maximum(sums(is_first, tables.starts), 1)[tables.row]
    won = total(field.entry, shares, field.size)
    return Column(won, won, np.full(field.size, UNIT))


def opponents(field: Field, tied: Ints) -> Column:
    """Average the points per table of all opponents, each meeting counted, at tables without this player."""
    pairs = field.pairs
    tables = field.played[pairs.other] - pairs.meetings
    points = field.table_points[pairs.other] - pairs.points
    meetings = np.where(tables > 0, pairs.meetings, 0)
    common = math.lcm(*np.unique(tables[tables > 0]).tolist())
    met = total(pairs.me, meetings, field.size)
    largest = max(int(abs(points).max(initial=0)), UNIT) * int(met.max(initial=1)) * common
    kind = object if largest >= LARGEST else np.int64  # Python's integers where the usual ones are too short
    parts = common // np.maximum(tables, 1).astype(kind)
    column = ratio(total(pairs.me, meetings * points * parts, field.size), met)
    return column._replace(denominator=column.denominator.astype(kind) * (common * UNIT))


def score_share(field: Field, tied: Ints) -> Column:
    """Average the share of the table's scores, over tables that have any."""
    tables, placings = field.tables, field.tables.placings
    own = np.where(placings.is_forfeit, 0, np.maximum(placings.score, 0))
    whole = sums(own, tables.starts)[tables.row]
    scored = np.flatnonzero(whole > 0)
    entry, own, whole = field.entry[scored], own[scored], whole[scored]
    played = np.maximum(np.bincount(entry, minlength=field.size), 1)
    bits = min(PRECISION, 62 - int(whole.max(initial=1)).bit_length())
    parts = total(entry, (own << bits) // whole, field.size)
    keys = _settled(parts // played, tied, entry, own, whole)
    return Column(keys, parts, played << bits)


def _settled(keys: Ints, tied: Ints, entry: Ints, own: Ints, whole: Ints) -> Ints:
    """Return keys that order the tied exactly: where the means of rounded shares are too close, fractions decide."""
    order = np.lexsort((keys, tied))
    is_close = (np.diff(keys[order]) < 2) & (np.diff(tied[order]) == 0)  # rounding takes less than two off
    run = np.empty_like(keys)
    run[order] = np.cumsum(np.append(False, ~is_close)[: len(order)])
    settled = run * (len(keys) + 1)
    unsure = np.unique(order[np.flatnonzero(is_close)[:, None] + np.arange(2)])
    exact = _mean_shares(unsure, entry, own, whole)
    place, before = 0, None
    for index, each in enumerate(sorted(exact, key=lambda each: (run[each], exact[each]))):
        if (now := (run[each], exact[each])) != before:
            place, before = index, now
        settled[each] += place
    return settled


def _mean_shares(entries: Ints, entry: Ints, own: Ints, whole: Ints) -> dict[int, Fraction]:
    shares: dict[int, list[Fraction]] = {each: [] for each in entries.tolist()}
    rows = np.flatnonzero(np.isin(entry, entries))
    for each, part, of in zip(entry[rows].tolist(), own[rows].tolist(), whole[rows].tolist(), strict=True):
        shares[each].append(Fraction(part, of))
    return {each: sum(found, Fraction()) / max(len(found), 1) for each, found in shares.items()}


def head_to_head(field: Field, tied: Ints) -> Column:
    """Count the tied whom one was ahead of, half where level, if each of them met all the others."""
    pairs = field.pairs
    together = tied[pairs.me] == tied[pairs.other]
    me = pairs.me[together]
    met = np.bincount(tied[me], minlength=field.size)
    others = np.bincount(tied, minlength=field.size) - 1
    known: Bools = ((others > 0) & (met == (others + 1) * others))[tied]
    ahead = np.where(known, total(me, pairs.ahead[together], field.size), 0)
    return Column(ahead, ahead, np.full(field.size, 2), known)


def best_table(field: Field, tied: Ints) -> Column:
    """Take the best score at one table."""
    placings = field.tables.placings
    best = np.full(field.size, NO_SCORE)
    np.maximum.at(best, field.entry, np.where(placings.is_forfeit, NO_SCORE, placings.score))
    return Column(best, best, np.ones_like(best), best > NO_SCORE)


def performance(field: Field, tied: Ints) -> Column:
    """Find the lowest rating, in tenths, that expects this result against the opponents' ratings at entry."""
    pairs, ratings = field.pairs, field.ratings
    met = total(pairs.me, pairs.meetings, field.size)
    ahead = total(pairs.me, pairs.ahead, field.size) * (MILLION // 2)
    theirs = ratings[pairs.other]
    mean = total(pairs.me, pairs.meetings * theirs, field.size) // np.maximum(met, 1) // 100
    low, high = mean - REACH, mean + REACH
    for _ in range((2 * REACH).bit_length()):
        middle = (low + high) // 2
        lead = theirs - 100 * middle[pairs.me]
        tenths = (lead + 50 + (lead >> 63)) // 100
        expected = pairs.meetings * expectations()[FAR + np.clip(tenths, -FAR, FAR)]
        is_enough = total(pairs.me, expected, field.size) >= ahead
        low, high = np.where(is_enough, low, np.minimum(middle + 1, high)), np.where(is_enough, middle, high)
    return Column(np.where(met > 0, high, 0), high, np.full(field.size, 10), met > 0)


METRICS = {
    metric.key: metric
    for metric in (
        Metric("wins", wins, is_plain=True),
        Metric("opponents", opponents),
        Metric("score_share", score_share),
        Metric("head_to_head", head_to_head, is_plain=True),
        Metric("best_table", best_table, decimals=0),
        Metric("performance", performance, decimals=1),
    )
}
