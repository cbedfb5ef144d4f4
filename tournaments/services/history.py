"""Write down who did what, in the transaction that does it."""

from __future__ import annotations

from typing import Any

from django.db import connection

from tournaments.actors import Actor
from tournaments.models import LONGEST_AUTHOR, Action, Event, Table


def record(**action: Any) -> None:
    """Add an action to an event's history; it takes what `action_of` takes."""
    action_of(**action).save(force_insert=True)


def action_of(
    *, actor: Actor, event: Event, verb: str, reason: str = "", table: Table | None = None, **facts: Any
) -> Action:
    """Return an unsaved action of an event's history, for callers that store several at once."""
    label = actor.label[:LONGEST_AUTHOR]
    return Action(event=event, table=table, verb=verb, actor=label, user=actor.user, reason=reason, facts=facts)


def allow_rewriting() -> None:
    """Let the current transaction rewrite the history, which PostgreSQL refuses otherwise: to forget a name."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('ludoscore.rewriting', 'on', true)")
