"""What can be said of a player from their results: all records of the person together, by indexed reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery

from scoring.models import Placing, Rating, StandingRow
from scoring.ratings.model import PROVISIONAL
from tournaments.actors import Actor
from tournaments.models import Player
from tournaments.selectors import records_of, visible_events, visible_players

LATEST = 500  # tables that opponents are counted over
MOST_OPPONENTS = 12
BEST_SHEETS = 5


def placings_of(player: Player, game: str | None = None) -> QuerySet[Placing]:
    """Return every counted place of a person, newest first."""
    records = list(records_of(player).values_list("pk", flat=True))
    rows = Placing.objects.filter(player__in=records)
    return (rows.filter(game=game) if game else rows).order_by("-at", "-seat_id")


def ratings_of(player: Player) -> list[dict[str, Any]]:
    """Return a person's rating in each game."""
    rows = Rating.objects.filter(player=player.person_id).order_by("game")
    return [
        {
            "game": row.game,
            "rating": row.rating / 1000,
            "provisional": row.tables < PROVISIONAL,
            "tables": row.tables,
            "last_played": row.last_played,
        }
        for row in rows
    ]


def history_of(player: Player, game: str) -> QuerySet[Placing]:
    """Return what each table did to a person's rating in a game, newest first, with how many sat there."""
    seats = (
        Placing.objects.filter(result=OuterRef("result"))
        .order_by()
        .annotate(count=Func(F("pk"), function="COUNT", output_field=IntegerField()))
    )
    return (
        placings_of(player, game)
        .filter(change__isnull=False)
        .select_related("change", "result__table", "event")
        .annotate(seats=Subquery(seats.values("count")))
    )


def hidden_events(actor: Actor, placings: Sequence[Placing]) -> set[int]:
    """Return which events of some placings a caller may not know of."""
    events = {placing.event_id for placing in placings}
    return events - set(visible_events(actor).filter(pk__in=events).values_list("pk", flat=True))


def statistics_of(actor: Actor, player: Player, game: str) -> dict[str, Any]:
    """Return what a person has done in a game: tables, places, seats, opponents, best sheets."""
    own = placings_of(player, game)
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
        "best_sheets": _best_sheets(own),
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
            "player": {"id": other.uid, "name": other.name},
            "tables": sum(tally),
            "ahead": tally[2],
            "level": tally[1],
            "behind": tally[0],
        }
        for other, tally in most
        if other.pk in known
    ]


def _best_sheets(own: QuerySet[Placing]) -> list[dict[str, Any]]:
    best = own.filter(score__isnull=False, event__is_public=True, event__club__is_public=True)
    rows = best.order_by("-score", "at", "seat_id").select_related("result__table", "event")[:BEST_SHEETS]
    return [
        {
            "table": row.result.table.uid,
            "event": row.event.uid,
            "event_name": row.event.name,
            "score": row.score,
            "rank": row.rank,
            "played_at": row.result.played_at,
        }
        for row in rows
    ]


def events_of(actor: Actor, player: Player) -> QuerySet[StandingRow]:
    """Return where a person stood in the events a caller may know of, newest first."""
    rows = StandingRow.objects.filter(
        entry__player__in=records_of(player), event__in=visible_events(actor).values("pk")
    )
    rows = rows.annotate(starts_at=F("event__starts_at"))
    return rows.select_related("event__club").order_by("-starts_at", "-event_id")
