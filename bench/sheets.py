"""Sheets of games the engines really played, under any labels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from engines.simulation import Plan, play_game


def sheet_for(game: str, labels: Sequence[str], number: int) -> dict[str, Any]:
    """Return the sheet of a game by its number, played at a table of these people."""
    text = _played(game, len(labels), number)
    for place, label in enumerate(labels, 1):
        text = text.replace(f'"seat-{place}"', f'"{label}"')
    return dict(json.loads(text))


@cache
def _played(game: str, people: int, number: int) -> str:
    return json.dumps(play_game(Plan(game, "standard", people, seed=1), number).report)
