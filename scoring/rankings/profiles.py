"""What can be said of a player from their results: all records of the person together, by indexed reads."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Count, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery

from core.statements import Prepared
from scoring import rules
from scoring.models import Placing, Rating, StandingRow
from scoring.rankings.ratings.model import PROVISIONAL
from scoring.units import in_points
from tournaments.actors import NOBODY, Actor
from tournaments.games import engine_of
from tournaments.models import Event, OwnGame, Player
from tournaments.models.games import PREFIX
from tournaments.selectors import hiding, records_of, visible_events, visible_players
from tournaments.trust import is_account_of, own_records

LATEST = 500  # tables that opponents are counted over
MOST_OPPONENTS = 12
BEST_SHEETS = 5
FIRST_PAGE = 50  # tables of a history


_RECORDS = Prepared(lambda kept: records_of(Player(pk=kept)).values_list("pk"), int)


def placings_of(actor: Actor, player: Player, game: str | None = None) -> QuerySet[Placing]:
    """Return every counted place of a person in events that the caller may know of, newest first.

    Of private events others learn nothing: neither that they were, nor who met there.
    """
    rows = Placing.objects.filter(player__in=_records(player))
    seen = _seen(actor, rows)
    if is_account_of(actor, player):
        seen = rows.filter(Q(player__in=own_records(actor, player)) | Q(pk__in=seen.order_by().values("pk")))
    return (seen.filter(game=game) if game else seen).order_by("-at", "-seat_id")


def _records(player: Player) -> list[int]:
    return [key for (key,) in _RECORDS(player.person_id)]


def _seen(actor: Actor, rows: QuerySet[Placing]) -> QuerySet[Placing]:
    rows = rows.filter(event__in=visible_events(actor).values("pk"))
    return rows.exclude(event__in=hiding(actor).values("pk"))


class RatingInGame(NamedTuple):
    """A person's rating in a game, in points."""

    game: str
    rating: float
    provisional: bool
    tables: int
    last_played: dt.datetime


def ratings_of(actor: Actor, player: Player) -> list[RatingInGame]:
    """Return a person's rating in each game that the caller may know of, ours before those of clubs."""
    rows = list(Rating.objects.filter(player=player.person_id).order_by("game"))
    own = own_games(actor, player, [row.game for row in rows])
    return [
        RatingInGame(row.game, in_points(row.rating), row.tables < PROVISIONAL, row.tables, row.last_played)
        for row in sorted(rows, key=lambda row: row.game in own)
        if row.game in own or not row.game.startswith(PREFIX)
    ]


def own_games(actor: Actor, player: Player, keys: Iterable[str]) -> dict[str, OwnGame]:
    """Return those of the games that clubs define themselves, and that the caller may know of, by their keys."""
    uids = [key.removeprefix(PREFIX) for key in keys if key.startswith(PREFIX)]
    if not uids:
        return {}
    return {game.key: game for game in rules.own_games(actor, player).filter(uid__in=uids)}


def history_of(actor: Actor, player: Player, game: str) -> QuerySet[Placing]:
    """Return what each table did to a person's rating in a game, newest first, with how many sat there."""
    return _changes(placings_of(actor, player, game)).select_related("change", "result__table", "event")


def _changes(placings: QuerySet[Placing]) -> QuerySet[Placing]:
    seats = (
        Placing.objects.filter(result=OuterRef("result"))
        .order_by()
        .annotate(count=Func(F("pk"), function="COUNT", output_field=IntegerField()))
    )
    return placings.filter(change__isnull=False).annotate(seats=Subquery(seats.values("count")))


# What is read of a table for a history in figures; `at` and `seat_id` are the order of its pages.
CHANGE = [
    "at", "seat_id", "rank", "seats", "change__before", "change__after",
    "result__table__uid", "result__played_at", "event__uid", "event__name",
]  # fmt: skip


def _latest(record: int, game: str) -> QuerySet[Any, tuple[Any, ...]]:
    rows = _changes(_seen(NOBODY, Placing.objects.filter(player=record, game=game)))
    return rows.order_by("-at", "-seat_id").values_list(*CHANGE)[: FIRST_PAGE + 1]


_LATEST = Prepared(_latest, int, str)


def latest_changes(player: Player, game: str) -> list[dict[str, Any]] | None:
    """Return the first page of the history that everybody sees, in figures, and one row more where there are others.

    None for somebody with several records: that statement is not composed beforehand.
    """
    records = _records(player)
    if len(records) > 1:
        return None
    return [dict(zip(CHANGE, row, strict=True)) for row in _LATEST(records[0], game)]


def statistics_of(actor: Actor, player: Player, game: str) -> dict[str, Any]:
    """Return what a person has done in a game: tables, places, seats, opponents, best sheets."""
    own = placings_of(actor, player, game)
    totals = own.order_by().aggregate(tables=Count("pk"), wins=Count("pk", filter=Q(rank=1)))
    positions = (
        own.order_by("seat__position")
        .values(position=F("seat__position"))
        .annotate(tables=Count("pk"), wins=Count("pk", filter=Q(rank=1)))
    )
    places = own.order_by("rank").values("rank").annotate(tables=Count("pk"))
    return {
        **totals,
        "places": list(places.values("rank", "tables")),
        "positions": list(positions.values("position", "tables", "wins")),
        "opponents": _opponents(actor, own),
        "best_sheets": _best_sheets(own, game),
    }


def _opponents(actor: Actor, own: QuerySet[Placing]) -> list[dict[str, Any]]:
    """Return whom a person met most at their latest tables, and how that went; only people the caller may know of."""
    ranks = dict(own.values_list("result", "rank")[:LATEST])
    mine = set(own.values_list("seat", flat=True)[:LATEST])
    others = Placing.objects.filter(result__in=ranks).select_related("player__merged_into")
    met: dict[Player, list[int]] = defaultdict(lambda: [0, 0, 0])
    for other in others.order_by("seat_id"):
        if other.seat_id not in mine:
            tally = met[other.player.merged_into or other.player]
            tally[(other.rank > ranks[other.result_id]) - (other.rank < ranks[other.result_id]) + 1] += 1
    most = sorted(met.items(), key=lambda item: (-sum(item[1]), item[0].pk))[:MOST_OPPONENTS]
    known = set(
        visible_players(actor).filter(pk__in=[other.pk for other, _tally in most]).values_list("pk", flat=True)
    )
    return [
        {
            "player": other,
            "tables": sum(tally),
            "ahead": tally[2],
            "level": tally[1],
            "behind": tally[0],
        }
        for other, tally in most
        if other.pk in known
    ]


def _best_sheets(own: QuerySet[Placing], game: str) -> QuerySet[Placing]:
    engine = engine_of(game)
    first = "score" if engine is not None and engine.is_low else "-score"
    best = own.filter(score__isnull=False, event__is_public=True, event__club__is_public=True)
    return best.order_by(first, "at", "seat_id").select_related("result__table", "event")[:BEST_SHEETS]


def events_of(actor: Actor, player: Player) -> QuerySet[StandingRow]:
    """Return where a person stood in the events a caller may know of, or that are their own, newest first."""
    theirs = Q(entry__player__in=own_records(actor, player)) & ~Q(event__status=Event.Status.DRAFT)
    seen = Q(event__in=visible_events(actor).values("pk")) | theirs
    rows = StandingRow.objects.filter(seen, entry__player__in=records_of(player))
    rows = rows.exclude(event__in=hiding(actor).values("pk")).annotate(starts_at=F("event__starts_at"))
    return rows.select_related("event__club").order_by("-starts_at", "-event_id")
