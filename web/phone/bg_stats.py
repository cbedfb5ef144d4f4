"""A result as the link by which the app BG Stats takes in a play: it opens on the phone, and nothing else is told.

The format is described at https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from core.language import reader_language
from scoring import rules
from tournaments.models import Table

ADDRESS = "bgstats://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Ludoscore"


def play_link(table: Table, rows: Sequence[Mapping[str, Any]], played_at: dt.datetime) -> str:
    """Return the link that copies a table's result; `rows` have a `name`, a `seat`, a `rank` and a `score` or none."""
    play = play_of(table, rows, played_at)
    return ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def play_of(table: Table, rows: Sequence[Mapping[str, Any]], played_at: dt.datetime) -> dict[str, Any]:
    """Return a play as BG Stats reads it. Ids stay the same, so that the app matches games and people only once."""
    event = table.round.event
    engine = rules.game_of(event)
    return {
        "sourceName": SOURCE,
        "sourcePlayId": table.uid,
        "playDate": f"{played_at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}",
        "location": event.club.name,
        "comments": event.name,
        "game": {
            "name": engine.name.into(reader_language()),
            "sourceGameId": engine.slug,
            "highestWins": not engine.is_low,
            "noPoints": all(row["score"] is None for row in rows),
        },
        "players": [_player(row) for row in rows],
    }


def _player(row: Mapping[str, Any]) -> dict[str, Any]:
    score = {} if row["score"] is None else {"score": row["score"]}
    return {
        "name": row["name"],
        "sourcePlayerId": row["seat"],
        "rank": row["rank"],
        "winner": row["rank"] == 1,  # always said: the app refuses players without it
        **score,
    }
