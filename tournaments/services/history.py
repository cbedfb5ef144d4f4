"""Write down who did what, in the transaction that does it."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from core import limits
from tournaments.actors import Actor
from tournaments.errors import TooManyActionsError
from tournaments.models import LONGEST_AUTHOR, Action, Event, Table

MOST_DONE, DONE_WITHIN = 100, 600  # by one phone, in so many seconds


def record(*, actor: Actor, **action: Any) -> None:
    """Add an action to an event's history; it takes what `action_of` takes."""
    refuse_too_many(actor)
    action_of(actor=actor, **action).save(force_insert=True)


def refuse_too_many(actor: Actor, counted: str = "actions") -> None:
    """Refuse a phone that does things without end: all of it stays in the event, its file and its history.

    Answers that are kept for retries are counted apart: what changes nothing leaves one too, and nothing else.
    """
    phone = actor.entry or actor.table
    if phone is not None and not limits.take(counted, phone.uid, MOST_DONE, DONE_WITHIN).is_within:
        raise TooManyActionsError(_("This phone has done very much in a short time. Wait a while."))


def action_of(
    *, actor: Actor, event: Event, verb: str, reason: str = "", table: Table | None = None, **facts: Any
) -> Action:
    """Return an unsaved action of an event's history, for callers that store several at once."""
    label = actor.label[:LONGEST_AUTHOR]
    if actor.entry is not None and actor.entry.event_id != event.pk:
        facts["by"] = actor.entry.uid  # a phone of another event: here nobody else knows whose name this is
    return Action(event=event, table=table, verb=verb, actor=label, user=actor.user, reason=reason, facts=facts)


def allow_rewriting() -> None:
    """Let the current transaction rewrite the history, which PostgreSQL refuses otherwise: to forget a name."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('ludoscore.rewriting', 'on', true)")
