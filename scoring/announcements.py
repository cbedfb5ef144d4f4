"""Tell the receivers of a club's webhooks what happened to its results."""

from __future__ import annotations

from typing import Any

from scoring.models import Report
from scoring.ratings.store import Summary
from tournaments import links
from tournaments.models import Affiliation, Club, MessageType, Webhook
from tournaments.services.webhooks import announce

MOST_MOVES = 1000  # of one message; whoever wants all reads the leaderboard


def announce_result(report: Report, *, is_correction: bool) -> None:
    """Tell that a report became the result of its table, or corrects one."""
    table = report.table
    event = table.round.event
    data = {
        "event": event.uid,
        "game": event.game,
        "round": table.round.number,
        "table": table.uid,
        "report": report.uid,
        "standings": [{name: row[name] for name in ("seat", "rank", "score")} for row in report.standings],
        "url": links.api_url("report", uid=report.uid),
    }
    announce(event.club, MessageType.RESULT_CORRECTED if is_correction else MessageType.RESULT_FINAL, data)


def announce_ratings(summary: Summary) -> None:
    """Tell the clubs of those whose rating moved."""
    moves = {move.player: move for move in summary.moves[:MOST_MOVES]}
    listening = Webhook.objects.filter(is_active=True).values("club")
    known = Affiliation.objects.filter(player__in=moves, club__in=listening).select_related("club", "player")
    by_club: dict[Club, list[dict[str, Any]]] = {}
    for each in known.order_by("club_id", "player_id"):
        move = moves[each.player_id]
        row = {"player": each.player.uid, "before": in_points(move.before), "after": in_points(move.after)}
        by_club.setdefault(each.club, []).append(row)
    for club, rows in by_club.items():
        url = links.api_url("club-leaderboard", slug=club.slug, game=summary.game)
        announce(club, MessageType.RATINGS_CHANGED, {"game": summary.game, "players": rows, "url": url})


def in_points(rating: int | None) -> float | None:
    """Return a rating as people read it."""
    return None if rating is None else rating / 1000
