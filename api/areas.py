"""Which part of the API a call belongs to: what a key of a club with that scope may do there as an organiser.

A call that is not listed belongs to none, so that only a key of the scope `write` does there what organisers do: a new
call is closed to all others until somebody says where it belongs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Scope

if TYPE_CHECKING:
    from rest_framework.request import Request

ROUTES = {
    Scope.RESULTS: (
        *("draft", "reports", "report", "attempts", "decision", "decisions", "confirm", "dispute", "withdraw"),
        "clear-flags",
        *("table-history", "table-record", "table-slip", "nudge-table", "calls", "call", "table-call", "event-calls"),
    ),
    Scope.EVENTS: (
        *("events", "event", "event-copy", "event-history", "event-file", "event-stream", "join-code", "join", "plan"),
        *("entries", "entry", "entry-link", "entry-vouch", "entry-reject", "entry-take-back", "entry-proof-code"),
        *("entry-substitute", "entries-check-in", "entries-no-shows", "entries-names", "entries-bulk"),
        *("entries-import", "entries-vouch", "rounds", "round", "draft-tables", "table", "leave-table", "form-table"),
        *("sit-down", "seasons", "season", "keep-apart", "pair", "club-length"),
    ),
    Scope.PEOPLE: (
        *("players", "players-import", "player", "player-note", "player-link", "player-merge", "player-unmerge"),
        *("player-merge-preview", "player-anonymise", "player-export", "player-events", "player-ratings"),
        *("player-statistics", "merge-requests", "merge-request", "merge-request-accept", "merge-request-decline"),
        "merge-request-withdraw",
    ),
}
AREAS = {route: scope for scope, routes in ROUTES.items() for route in routes}


def area_of(request: Request) -> Scope | None:
    """Return the area of the call that a request makes."""
    match = request.resolver_match
    return AREAS.get(match.url_name or "") if match else None
