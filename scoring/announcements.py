"""Tell the receivers of a club's webhooks what happened to its results."""

from __future__ import annotations

from scoring.models import Report
from tournaments.services.webhooks import announce


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
    }
    announce(event.club, "result.corrected" if is_correction else "result.final", data)
