"""Files of events as large as they come, made up without a service."""

from __future__ import annotations

import datetime as dt
from typing import Any

from core.ids import new_id
from scoring.services.files import FORMAT
from tests.scoring.evenings import sheet_with

START = dt.datetime(2026, 3, 4, 19, tzinfo=dt.UTC)
PLAYED = 12  # different sheets, which many tables share: games take longer to play than files to write
SETTINGS: dict[str, Any] = {
    "name": "Open",
    "game": "dix",
    "variant": "standard",
    "format": "swiss",
    "points": "placement",
    "podium_points": [5, 3, 2, 1],
    "tiebreaks": ["wins"],
    "confirmation": "confirm",
    "rated": True,
    "public": True,
    "cut_to": None,
    "advance": None,
    "tables_counted": None,
    "tables_least": 3,
    "round_minutes": None,
    "joining": "open",
    "most_entries": None,
    "ends_at": None,
    "season": None,
    "schedule": [],
    "table_labels": [],
    "sign_up_ahead": False,
    "sign_up_closes_at": None,
    "check_in": False,
    "table_size": {"min": 3, "max": 5, "preferred": 4},
}


def large_file(*, people: int, rounds: int = 0, seats: int = 4) -> dict[str, Any]:
    """Return the file of a finished event: everybody is seated in every round, and every table has a sheet."""
    known = [{"id": new_id(), "name": f"Person {number}"} for number in range(people)]
    entries = [_entry(each) for each in known]
    settings = SETTINGS | {"id": new_id(), "status": "finished", "rounds": max(rounds, 1)}
    settings |= {"starts_at": START.isoformat(), "created_at": START.isoformat()}
    played = [_round(number, entries, seats) for number in range(1, rounds + 1)]
    return {
        "format": FORMAT,
        "event": settings,
        "people": known,
        "entries": entries,
        "rounds": played,
        "history": [_action(table) for each in played for table in each["tables"]],
    }


def _at(minutes: int) -> str:
    return (START + dt.timedelta(minutes=minutes)).isoformat()


def _entry(person: dict[str, str]) -> dict[str, Any]:
    return {
        "id": new_id(),
        "player": person["id"],
        "name": person["name"],
        "status": "checked_in",
        "verified": True,
        "claims": None,
        "first_round": 1,
        "fixed_table": None,
        "waiting_since": None,
        "joined_at": _at(-30),
    }


def _round(number: int, entries: list[dict[str, Any]], seats: int) -> dict[str, Any]:
    # Everybody moves on by so many places, so that tables differ from round to round.
    turned = entries[number:] + entries[:number]
    tables = [turned[first : first + seats] for first in range(0, len(turned) - seats + 1, seats)]
    return {
        "number": number,
        "kind": "normal",
        "status": "closed",
        "seed": number,
        "steps": 0,
        "quality": {},
        "points": {},
        "minutes": None,
        "extra_minutes": 0,
        "started_at": _at(60 * number),
        "closed_at": _at(60 * number + 50),
        "seated_at": _at(60 * number - 5),
        "tables": [_table(60 * number, place, each) for place, each in enumerate(tables, 1)],
        "sitting_out": [each["id"] for each in turned[len(tables) * seats :]],
    }


def _table(minute: int, place: int, seated: list[dict[str, Any]]) -> dict[str, Any]:
    sheet = sheet_with([each["player"] for each in seated], place % PLAYED, game="dix")
    report = {
        "id": new_id(),
        "version": 1,
        "status": "final",
        "sheet": sheet,
        "standings": [],
        "forfeits": [],
        "played_at": None,
        "created_at": _at(minute + 40),
        "entry": seated[0]["id"],
        "author": "entry",
        "reason": "",
        "flags": [],
        "voices": [{"entry": seated[1]["id"], "says": "confirm", "reason": "", "at": _at(minute + 41)}],
    }
    return {
        "id": new_id(),
        "number": place,
        "status": "final",
        "variant": "standard",
        "label": "",
        "room": "",
        "seats": [each["id"] for each in seated],
        "final_at": _at(minute + 41),
        "reports": [report],
    }


def _action(table: dict[str, Any]) -> dict[str, Any]:
    said = {"verb": "reported", "actor": "entry", "reason": "", "facts": {}, "table": table["id"]}
    return said | {"at": table["final_at"]}
