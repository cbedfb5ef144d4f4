"""What a decision would change: do it, compute what follows by the functions that will, and take it all back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core import computations
from core.computations import Kind, Since
from core.statements import parts
from core.transactions import rehearsal
from scoring.models import Result, SeasonRow, StandingRow
from scoring.rankings.ratings import store as ratings
from scoring.rankings.seasons import store as seasons
from scoring.rankings.standings import store as standings
from scoring.services.decisions import Choice, decide, later_rounds, propose
from scoring.units import in_points
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.models import Event, Player, Table
from tournaments.services.tables import lock_table


class Picture(NamedTuple):
    """Who is where: ranks by player id, in the event and its season, and who is in the final."""

    standings: Mapping[str, int]
    season: Mapping[str, int]
    finalists: list[str]


class RankMove(NamedTuple):
    """Somebody whose rank would change; None where they are not ranked."""

    player: Player
    rank_before: int | None
    rank_after: int | None


class RatingMove(NamedTuple):
    """Somebody whose rating would change, in points; None where they have none."""

    player: Player
    before: float | None
    after: float | None


class Cut(NamedTuple):
    """The entries in the final."""

    before: list[str]
    after: list[str]


class Preview(NamedTuple):
    """What a decision would change."""

    standings: list[RankMove]
    season: list[RankMove]
    cut: Cut
    ratings: list[RatingMove]
    rounds_seated_after: Sequence[int]


def preview_decision(*, actor: Actor, table: Table, choice: Choice, reason: str = "") -> Preview:
    """Say who would move from where to where; nothing is stored."""
    proposal = propose(actor=actor, table=table, choice=choice, reason=reason or "-")
    with rehearsal():
        event = lock_table(table).round.event
        before = _picture(event)
        decide(proposal)
        after = _picture(event)
        moves = _rating_moves(actor, table)
    uids = {*before.standings, *before.season, *after.standings, *after.season, *moves}
    players = {player.uid: player for player in Player.objects.filter(uid__in=uids)}
    return Preview(
        standings=_moved(players, before.standings, after.standings),
        season=_moved(players, before.season, after.season),
        cut=Cut(before.finalists, after.finalists),
        ratings=[RatingMove(players[uid], in_points(old), in_points(new)) for uid, (old, new) in moves.items()],
        rounds_seated_after=later_rounds(table),
    )


def _picture(event: Event) -> Picture:
    """Return the standings as they are in this transaction, and the season's where they count there.

    What is up to date is not computed again: on SQLite nobody else writes meanwhile, and a long season takes a while.
    """
    if not computations.is_up_to_date(Kind.STANDINGS, event.uid):
        standings.refresh(event.uid)
    rows = StandingRow.objects.filter(event=event).order_by("place")
    ranks = dict(rows.values_list("entry__player__uid", "rank"))
    season: dict[str, int] = {}
    if event.season is not None and event.status == Event.Status.FINISHED:
        computations.pretend_done(Kind.STANDINGS, event.uid)
        if not computations.is_up_to_date(Kind.SEASON, event.season.uid):
            seasons.refresh(event.season.uid)
        places = SeasonRow.objects.filter(season=event.season).order_by("place")
        season = dict(places.values_list("player__uid", "rank"))
    return Picture(ranks, season, standings.finalists(event) if event.cuts else [])


def _rating_moves(actor: Actor, table: Table) -> dict[str, tuple[int | None, int | None]]:
    """Return whose ratings move: of those at the table, and of others whom the caller may know of.

    Ratings are of all clubs together, so somebody's later opponents move too, also those in a private club.
    """
    result = Result.objects.filter(table=table, is_rated=True, event__club__is_rated_openly=True).first()
    if result is None:
        return {}
    since = Since(result.first_final_at, result.table_id)
    moves = ratings.refresh(result.game, since, dry_run=True).moves
    uids: dict[int, str] = {}
    at_table = Player.objects.filter(entries__seats__table=table)
    for part in parts([move.player for move in moves]):
        for known in (at_table, selectors.visible_players(actor)):
            uids |= known.filter(pk__in=part).values_list("pk", "uid")
    return {uids[move.player]: (move.before, move.after) for move in moves if move.player in uids}


def _moved(players: Mapping[str, Player], before: Mapping[str, int], after: Mapping[str, int]) -> list[RankMove]:
    return [
        RankMove(players[uid], before.get(uid), after.get(uid))
        for uid in {**after, **before}
        if before.get(uid) != after.get(uid)
    ]
