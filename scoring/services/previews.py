"""What a decision would change: do it, compute what follows by the functions that will, and take it all back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F

from core.derived import Kind, Since
from core.models import Derived
from scoring.announcements import in_points
from scoring.models import Result, SeasonRow, StandingRow
from scoring.ratings import store as ratings
from scoring.seasons import store as seasons
from scoring.services.decisions import Choice, decide_table, later_rounds
from scoring.standings import store as standings
from tournaments.actors import Actor
from tournaments.models import Event, Player, Table
from tournaments.services.tables import lock_table


class Picture(NamedTuple):
    """Who is where: ranks by player id, in the event and its season, and who is in the final."""

    standings: Mapping[str, int]
    season: Mapping[str, int]
    finalists: list[str]


def preview_decision(*, actor: Actor, table: Table, choice: Choice, reason: str = "") -> dict[str, Any]:
    """Say who would move from where to where; nothing is stored."""
    with transaction.atomic():
        event = lock_table(table).round.event
        before = _picture(event)
        decide_table(actor=actor, table=table, choice=choice, reason=reason or "-")
        after = _picture(event)
        moves = _rating_moves(table)
        transaction.set_rollback(True)
    names = _names({*before.standings, *before.season, *after.standings, *after.season, *moves})
    return {
        "standings": _moved(names, before.standings, after.standings),
        "season": _moved(names, before.season, after.season),
        "cut": {"before": before.finalists, "after": after.finalists},
        "ratings": [
            {"player": names[player], "before": in_points(old), "after": in_points(new)}
            for player, (old, new) in moves.items()
        ],
        "rounds_seated_after": later_rounds(table),
    }


def _picture(event: Event) -> Picture:
    """Compute the standings as they are in this transaction, and the season's where they count there."""
    standings.refresh(event.uid)
    rows = StandingRow.objects.filter(event=event).order_by("place")
    ranks = dict(rows.values_list("entry__player__uid", "rank"))
    season: dict[str, int] = {}
    if event.season is not None and event.status == Event.Status.FINISHED:
        Derived.objects.filter(kind=Kind.STANDINGS, key=event.uid).update(done=F("wanted"))
        seasons.refresh(event.season.uid)
        places = SeasonRow.objects.filter(season=event.season).order_by("place")
        season = dict(places.values_list("player__uid", "rank"))
    return Picture(ranks, season, standings.finalists(event) if event.cut_to else [])


def _rating_moves(table: Table) -> dict[str, tuple[int | None, int | None]]:
    result = Result.objects.filter(table=table, is_rated=True).first()
    if result is None:
        return {}
    since = Since(result.first_final_at, result.table_id)
    moves = ratings.refresh(result.game, since, dry_run=True).moves
    uids = dict(Player.objects.filter(pk__in=[move.player for move in moves]).values_list("pk", "uid"))
    return {uids[move.player]: (move.before, move.after) for move in moves}


def _names(players: set[str]) -> dict[str, dict[str, str]]:
    found = Player.objects.filter(uid__in=players).values_list("uid", "name")
    return {uid: {"id": uid, "name": name} for uid, name in found}


def _moved(
    names: Mapping[str, dict[str, str]], before: Mapping[str, int], after: Mapping[str, int]
) -> list[dict[str, Any]]:
    return [
        {"player": names[player], "rank_before": before.get(player), "rank_after": after.get(player)}
        for player in {**after, **before}
        if before.get(player) != after.get(player)
    ]
