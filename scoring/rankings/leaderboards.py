"""Leaderboards: pages of ratings by keys of an index, so that a page costs the same however many are rated."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import functools
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from core.likeness import searchable
from core.statements import Prepared
from scoring.models import Placing, Rating
from scoring.rankings.ratings.model import PROVISIONAL
from scoring.units import in_points
from tournaments.models import Affiliation, Club, Player

PAGE = 50
LONGEST_SEARCH = Player.LONGEST_NAME
MOST_NAMED = 500  # people who have a name, and are looked up one by one
MOVEMENT = dt.timedelta(days=30)


class Cursor(NamedTuple):
    """A place between two rows: the row beside it, how many stand above it, and the rank and rating just above."""

    rating: int
    player: int
    above: int
    rank: int
    is_reverse: bool = False

    def written(self) -> str:
        """Return it as text for an address."""
        return base64.urlsafe_b64encode(json.dumps(self).encode()).decode()

    @classmethod
    def read(cls, text: str) -> Cursor:
        """Return what `written` wrote; ValueError for anything else."""
        try:
            values = json.loads(base64.urlsafe_b64decode(text.encode()))
        except (binascii.Error, UnicodeError, json.JSONDecodeError, RecursionError) as error:
            raise ValueError(text) from error
        kinds = [int, int, int, int, bool]
        if not isinstance(values, list) or [type(value) for value in values] != kinds:
            raise ValueError(text)
        if any(abs(value) >= 2**31 for value in values[:4]):
            raise ValueError(text)
        return cls(*values)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a leaderboard is narrowed to."""

    club: Club | None = None
    active_since: dt.datetime | None = None
    provisional: bool | None = None
    least_tables: int = 0
    search: str = ""  # words of a name; ranks stay those of the whole list


class Board(NamedTuple):
    """A page of a leaderboard."""

    rows: list[dict[str, Any]]
    next: Cursor | None
    previous: Cursor | None


def ratings_of(game: str, filters: Filters) -> QuerySet[Rating]:
    """Return the ratings that a leaderboard shows, best first."""
    rows = Rating.objects.filter(game=game).order_by("-rating", "player_id")
    known = Affiliation.objects.filter(player=OuterRef("player"))
    # People whom only private clubs know stand on no public list.
    rows = rows.filter(Exists(known.filter(club=filters.club) if filters.club else known.filter(club__is_public=True)))
    if filters.active_since is not None:
        rows = rows.filter(last_played__gte=filters.active_since)
    if filters.provisional is not None:
        rows = rows.filter(**{"tables__lt" if filters.provisional else "tables__gte": PROVISIONAL})
    if filters.least_tables:
        rows = rows.filter(tables__gte=filters.least_tables)
    return _named(rows, filters.search) if filters.search.strip() else rows


def _named(rows: QuerySet[Rating], typed: str) -> QuerySet[Rating]:
    """Return those ratings whose player has a name with these words."""
    wanted = searchable(typed)
    if not wanted:
        return rows.none()
    named = Player.objects.filter(search__contains=wanted).order_by()
    few = list(named.values_list("pk", flat=True)[: MOST_NAMED + 1])
    # A few are looked up one by one; of many the best are soon met on the way down the list. Either way alone would
    # look at everybody's rating, for a rare name or for a frequent one.
    return rows.filter(player__in=few) if len(few) <= MOST_NAMED else rows.filter(player__search__contains=wanted)


def board(game: str, filters: Filters, cursor: Cursor | None, now: dt.datetime, size: int | None = PAGE) -> Board:
    """Return a page after a cursor, or before it; all rows where `size` is None. Equal ratings share a rank."""
    rows = _rows(game, filters, cursor, size)
    has_more = size is not None and len(rows) > size
    rows = rows[:size]
    if cursor is not None and cursor.is_reverse:
        rows.reverse()
    above = _above(cursor, len(rows))
    ranks = _ranks(game, filters, rows, above, cursor)
    moves = _movements(game, [row[0] for row in rows], now)
    shapes = [_shape(row, rank, moves) for row, rank in zip(rows, ranks, strict=True)]
    return Board(shapes, *_cursors(rows, ranks, above, cursor, has_more=has_more))


def _rows(game: str, filters: Filters, cursor: Cursor | None, size: int | None) -> list[tuple[Any, ...]]:
    """Return the rows of a page, and one more where there is another page."""
    if size == PAGE and filters == Filters(filters.club):  # the pages that are asked for most
        prepared = _prepared(filters.club is not None, cursor is not None, cursor is not None and cursor.is_reverse)
        return prepared(game, *([filters.club.pk] if filters.club else []), *(cursor[:2] if cursor else []))
    values = _page(game, filters, cursor)
    return list(values[: size + 1] if size else values)


@functools.cache
def _prepared(has_club: bool, has_cursor: bool, is_reverse: bool) -> Prepared[tuple[Any, ...]]:
    def make(game: str, *places: int) -> QuerySet[Any, tuple[Any, ...]]:
        filters = Filters(Club(pk=places[0])) if has_club else Filters()
        cursor = Cursor(places[-2], places[-1], 0, 0, is_reverse) if has_cursor else None
        return _page(game, filters, cursor)[: PAGE + 1]

    return Prepared(make, str, *[int] * (has_club + 2 * has_cursor))


def _page(game: str, filters: Filters, cursor: Cursor | None) -> QuerySet[Any, tuple[Any, ...]]:
    found = ratings_of(game, filters)
    if cursor is not None:
        found = _beside(found, cursor)
    return found.values_list("player", "player__uid", "player__name", "rating", "tables", "last_played")


def _beside(rows: QuerySet[Rating], cursor: Cursor) -> QuerySet[Rating]:
    if cursor.is_reverse:
        before = Q(rating__gt=cursor.rating) | Q(rating=cursor.rating, player__lt=cursor.player)
        return rows.filter(before, rating__gte=cursor.rating).order_by("rating", "-player_id")
    after = Q(rating__lt=cursor.rating) | Q(rating=cursor.rating, player__gt=cursor.player)
    return rows.filter(after, rating__lte=cursor.rating)


def _above(cursor: Cursor | None, count: int) -> int:
    """Return how many stand above the page."""
    if cursor is None:
        return 0
    return max(0, cursor.above - count) if cursor.is_reverse else cursor.above


def _ranks(
    game: str,
    filters: Filters,
    rows: Sequence[tuple[Any, ...]],
    above: int,
    cursor: Cursor | None,
) -> list[int]:
    """Return competition ranks; the first row may share its rank with rows of the page before."""
    if filters.search.strip():
        return _ranks_of_all(game, replace(filters, search=""), [row[3] for row in rows])
    ranks: list[int] = []
    for index, row in enumerate(rows):
        if index and row[3] == rows[index - 1][3]:
            ranks.append(ranks[-1])
        elif not index and above:
            ranks.append(_rank_across(game, filters, row, above, cursor))
        else:
            ranks.append(above + index + 1)
    return ranks


def _ranks_of_all(game: str, filters: Filters, ratings: Sequence[int]) -> list[int]:
    """Return the ranks that ratings have in the whole list, by one statement over those above the lowest."""
    if not ratings:
        return []
    better = ratings_of(game, filters).filter(rating__gt=min(ratings)).order_by("rating")
    above = list(better.values_list("rating", flat=True))
    return [1 + len(above) - bisect_right(above, rating) for rating in ratings]


def _rank_across(game: str, filters: Filters, row: tuple[Any, ...], above: int, cursor: Cursor | None) -> int:
    if cursor is not None and not cursor.is_reverse:
        return cursor.rank if row[3] == cursor.rating else above + 1
    level = ratings_of(game, filters).filter(rating=row[3], player__lt=row[0]).count()
    return above + 1 - level


def _cursors(
    rows: Sequence[tuple[Any, ...]], ranks: Sequence[int], above: int, cursor: Cursor | None, *, has_more: bool
) -> tuple[Cursor | None, Cursor | None]:
    if not rows:
        return None, None
    is_back = cursor is not None and cursor.is_reverse
    has_next, has_previous = has_more or is_back, has_more if is_back else cursor is not None
    following = Cursor(rows[-1][3], rows[-1][0], above + len(rows), ranks[-1])
    preceding = Cursor(rows[0][3], rows[0][0], above, ranks[0], is_reverse=True)
    return following if has_next else None, preceding if has_previous and above else None


def _movements(game: str, players: Sequence[int], now: dt.datetime) -> Mapping[int, int]:
    """Return the rating each had 30 days ago, by player; nothing for who had none."""
    if not players:
        return {}
    since = now - MOVEMENT
    then: dict[int, tuple[dt.datetime, int]] = {}
    missing = [0] * (PAGE - len(players))
    found = _FORMER(game, since, *players, *missing) if len(players) <= PAGE else _former(game, since, *players)
    for record, merged_into, at, after in found:
        person = merged_into or record
        if at is not None and (person not in then or then[person][0] < at):
            then[person] = at, after
    return {person: after for person, (_at, after) in then.items()}


def _former(game: str, since: dt.datetime, *players: int) -> QuerySet[Any, tuple[Any, ...]]:
    """Return the records of players, into which each was merged, and the last rating of each before some moment."""
    records = Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players))
    last = (
        Placing.objects.filter(player=OuterRef("pk"), game=game, at__lt=since, change__isnull=False)
        .order_by("-at", "-seat_id")
        .values("at", "change__after")[:1]
    )
    found = records.annotate(at=Subquery(last.values("at")), after=Subquery(last.values("change__after")))
    return found.values_list("pk", "merged_into", "at", "after")


_FORMER = Prepared(_former, str, dt.datetime, *[int] * PAGE)


def _shape(row: tuple[Any, ...], rank: int, then: Mapping[int, int]) -> dict[str, Any]:
    player, uid, name, rating, tables, last_played = row
    return {
        "rank": rank,
        "player": {"id": uid, "name": name},
        "rating": in_points(rating),
        "provisional": tables < PROVISIONAL,
        "tables": tables,
        "last_played": last_played,
        "change_30_days": in_points(rating - then[player]) if player in then else None,
    }
