"""Tell the receivers of a club's webhooks what happened to its results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.names import unlinked
from scoring.models import Report
from scoring.rankings.ratings.store import Summary
from scoring.rankings.standings.readable import scale_of
from scoring.rankings.standings.words import decimal
from scoring.selectors import standing_rows
from scoring.units import in_points
from tournaments import links
from tournaments.games import own_game
from tournaments.models import Action, Affiliation, Club, Delivery, Event, MessageType, Table, Webhook
from tournaments.notices import tell_places
from tournaments.services.webhooks import announce
from tournaments.webhooks.texts import composed

MOST_MOVES = 1000  # in one message; the leaderboard has all of them
MOST_PLACES = 100  # likewise of standings …
MOST_SAID = 10  # … and in words
NEWS = dt.timedelta(days=1)  # after which final standings that are computed anew are no news


def announce_result(report: Report, *, is_correction: bool) -> None:
    """Tell that a report became the result of its table, or corrects one."""
    event = report.table.round.event

    def told() -> dict[str, Any]:
        return _table(report.table) | {
            "game": event.game_slug,
            "report": report.uid,
            "standings": [{name: row[name] for name in ("seat", "rank", "score")} for row in report.standings],
            "url": links.api_url("report", uid=report.uid),
        }

    announce(event.club, MessageType.RESULT_CORRECTED if is_correction else MessageType.RESULT_FINAL, told)


def announce_report(report: Report) -> None:
    """Tell that a sheet came in that does not count yet."""
    data = _table(report.table) | {"report": report.uid, "status": report.status}
    announce(
        report.table.round.event.club,
        MessageType.REPORT_SUBMITTED,
        data | {"url": links.api_url("report", uid=report.uid)},
    )


def announce_dispute(table: Table, reports: Sequence[Report]) -> None:
    """Tell that the reports of a table are disputed; one that is final still counts."""
    is_final = any(report.status == Report.Status.FINAL for report in reports)
    data = _table(table) | {"reports": [report.uid for report in reports], "is_final": is_final}
    url = links.api_url("table", uid=table.uid)
    announce(table.round.event.club, MessageType.REPORT_DISPUTED, data | {"url": url})


def _table(table: Table) -> dict[str, Any]:
    return {"event": table.round.event.uid, "round": table.round.number, "table": table.uid}


@transaction.atomic
def announce_standings(uid: str) -> None:
    """Tell webhooks, and players their place, once an event has just finished, whatever is corrected later."""
    ended = Action.objects.filter(event__uid=uid, verb="event-finished", at__gt=timezone.now() - NEWS)
    event = Event.objects.select_related("club").filter(uid=uid, status=Event.Status.FINISHED).first()
    if event is None or not (_listens(event) or event.club.mails_players) or not ended.exists():
        return
    told = Delivery.objects.filter(webhook__club=event.club_id, type=MessageType.STANDINGS_FINAL)
    rows = [row for row in standing_rows(event, is_explained=False) if row["is_ranked"] and row["tables"]]
    if rows:
        ids = dict(event.entries.values_list("uid", "pk"))
        tell_places(event, {ids[row["entry"]]: row["rank"] for row in rows})
    if not rows or told.filter(payload__data__event=uid).exists():
        return
    points = scale_of(event.points).texts([row["points"] for row in rows])
    places = [{name: row[name] for name in ("rank", "player", "points")} for row in rows[:MOST_PLACES]]
    data = {"event": uid, "standings": places, "url": links.api_url("standings", uid=uid)}

    def say() -> str:
        head = _("{event} is over. The final standings:").format(event=unlinked(event.name))
        shown = zip(rows[:MOST_SAID], points, strict=False)
        lines = (f"{row['rank']}. {unlinked(row['player']['name'])} · {decimal(text)}" for row, text in shown)
        return composed(head, lines, event)

    announce(event.club, MessageType.STANDINGS_FINAL, data, subject=uid, say=say)


def _listens(event: Event) -> bool:
    """Say whether anybody wants to be told of final standings: most often nobody does, and that costs one query."""
    types = Webhook.objects.filter(is_active=True, club=event.club_id).values_list("types", flat=True)
    return any(MessageType.STANDINGS_FINAL in each for each in types)


def announce_ratings(summary: Summary) -> None:
    """Tell the clubs of those whose rating moved."""
    moves = {move.player: move for move in summary.moves[:MOST_MOVES]}
    listening = Webhook.objects.filter(is_active=True).values("club")
    known = Affiliation.objects.filter(player__in=moves, club__in=listening).select_related("club", "player")
    own = own_game(summary.game)
    if own is not None:
        known = known.filter(club=own.club_id)  # other clubs of its players have nothing to do with it
    game = own.name if own else summary.game
    by_club: dict[Club, list[dict[str, Any]]] = {}
    for each in known.order_by("club_id", "player_id"):
        move = moves[each.player_id]
        row = {"player": each.player.uid, "before": in_points(move.before), "after": in_points(move.after)}
        by_club.setdefault(each.club, []).append(row)
    for club, rows in by_club.items():
        url = links.api_url("club-leaderboard", slug=club.slug, game=game)
        announce(club, MessageType.RATINGS_CHANGED, {"game": game, "players": rows, "url": url})
