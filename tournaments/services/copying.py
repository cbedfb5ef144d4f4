"""The same evening again: last week's, or every week for a while."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction
from django.utils.formats import date_format

from core.zones import EARLIEST, LATEST
from tournaments.actors import Actor
from tournaments.models import Event, Role
from tournaments.services.events import create_event
from tournaments.services.permissions import require_role
from tournaments.services.prizes import without_winners

MOST_COPIES = 52
A_DAY = dt.timedelta(days=1)
KEPT = (
    *("game", "variant", "format", "rounds_planned", "table_min", "table_max", "table_preferred", "points"),
    *("podium_points", "tiebreaks", "confirmation", "rated", "is_public", "cut_to", "advance", "tables_counted"),
    *("tables_least", "round_minutes", "season", "most_entries", "sign_up_ahead", "check_in"),
    *("table_labels", "stages", "tie_rule", "standings_shown", "standings_number"),
)


def settings_of(event: Event) -> dict[str, Any]:
    """Return what a copy of an event has in common with it: everything but its name, its times and its people."""
    kept = {name: getattr(event, name) for name in KEPT}
    return kept | {"game": event.game_slug, "prizes": without_winners(event.prizes)}


def next_start(event: Event, now: dt.datetime) -> dt.datetime:
    """Return the first time after now that is whole weeks after an event's start, by the clocks of its club."""
    start = event.starts_at.astimezone(event.club.zone)
    weeks = max(0, (now - event.starts_at).days // 7)
    while (following := later(event, start, weeks)) <= now or following <= event.starts_at:
        weeks += 1
    return following


def later(event: Event, start: dt.datetime, weeks: int) -> dt.datetime:
    """Return a time so many weeks later: the same hour on the clocks of the club, summer or winter."""
    wall = start.astimezone(event.club.zone).replace(tzinfo=None) + dt.timedelta(weeks=weeks)
    return wall.replace(tzinfo=event.club.zone).astimezone(dt.UTC)


@transaction.atomic
def copy_event(
    *, actor: Actor, event: Event, starts_at: dt.datetime, name: str = "", times: int = 1, every: int = 1
) -> list[Event]:
    """Create an event again with the same settings and without its people, as drafts: so many, `every` weeks apart.

    Times that go with the start, its end and when sign-up closes, keep their distance to it by the clocks of the club.
    """
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    # Weeks can be added to a day too far off as well, so that it is refused like any other.
    starts_at = min(max(starts_at, EARLIEST - A_DAY), LATEST + A_DAY)
    made = []
    for number in range(times):
        start = later(event, starts_at, number * every)
        title = name or event.name
        fields = settings_of(event) | {"name": dated(title, start, event) if times > 1 else title, "starts_at": start}
        for moment in ("ends_at", "sign_up_closes_at"):
            if (value := getattr(event, moment)) is not None:
                fields[moment] = start + (value - event.starts_at)
        made.append(create_event(actor=actor, club=event.club, fields=fields))
    return made


def dated(name: str, start: dt.datetime, event: Event) -> str:
    """Return a name for one of several copies: with its day, so that a list of them can be read."""
    day = date_format(start.astimezone(event.club.zone), "j N")
    return f"{name[: Event.LONGEST_NAME - len(day) - 3]} · {day}"
