"""Write down who did what, in the transaction that does it."""

from __future__ import annotations

from typing import Any

from django.db import connection

from tournaments.actors import Actor
from tournaments.models import Action, Event, Table


def record(
    *, actor: Actor, event: Event, verb: str, reason: str = "", table: Table | None = None, **facts: Any
) -> Action:
    """Add an action to an event's history."""
    return Action.objects.create(
        event=event, table=table, verb=verb, actor=actor.label[:120], user=actor.user, reason=reason, facts=facts
    )


def allow_rewriting() -> None:
    """Let the current transaction rewrite the history, which PostgreSQL refuses otherwise: to forget a name."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('ludoscore.rewriting', 'on', true)")
