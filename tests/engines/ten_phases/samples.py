"""Reports the tests start from, and the means to spoil them."""

from __future__ import annotations

import copy
from typing import Any

REMOVED = object()

RULEBOOK_DICE: dict[str, Any] = {
    "game": "ten-phases",
    "variant": "standard",
    "seats": ["ana", "ben"],
    "block": {
        "ana": {
            "phases": [40, 45, 47, 28, 44, 47, 48, 50, 49, 52],
            "bonus5": 0,
            "bonus10": 40,
            "total": 490,
            "dice": ["8 8 8 8 8 W", None, "9 9 9 9 5 4 W 2 9 W", "7 6 5 4 3 2 1", None, None, None, None, None, None],
        },
        "ben": {
            "phases": [54, 50, 48, 49, 47, 45, 40],
            "bonus5": 40,
            "bonus10": 0,
            "total": 373,
            "dice": [None, None, None, "10 9 8 7 6 5 4", None, None, None],
        },
    },
}

FIVE_PLAYERS: dict[str, Any] = {
    "game": "ten-phases",
    "variant": "standard",
    "seats": ["A", "B", "C", "D", "E"],
    "block": {
        "A": {
            "phases": [48, 45, 47, 42, 44, 47, 48, 50, 49, 52],
            "bonus5": 40,
            "bonus10": 0,
            "total": 512,
            "turns": [1, 2, 4, 5, 6, 8, 9, 12, 14, 15],
        },
        "B": {
            "phases": [54, 40, 44, 39, 43, 49, 52, 51, 50, 56],
            "bonus5": 0,
            "bonus10": 40,
            "total": 518,
            "turns": [1, 2, 3, 4, 6, 7, 9, 11, 13, 14],
        },
        "C": {
            "phases": [60, 51, 52, 45, 49, 54, 60, 56, 60, 62],
            "bonus5": 40,
            "bonus10": 0,
            "total": 589,
            "turns": [2, 3, 5, 6, 7, 9, 12, 14, 14, 14],
        },
        "D": {
            "phases": [45, 38, 40, 35, 41, 44],
            "bonus5": 0,
            "bonus10": 0,
            "total": 243,
            "turns": [1, 4, 5, 7, 9, 13],
        },
        "E": {
            "phases": [36, 41, 46, 49, 47, 50, 48, 44, 53, 58],
            "bonus5": 0,
            "bonus10": 40,
            "total": 512,
            "turns": [1, 3, 4, 5, 6, 7, 8, 10, 12, 14],
        },
    },
}

ALONE: dict[str, Any] = {
    "game": "ten-phases",
    "variant": "solo",
    "seats": ["ana"],
    "block": {
        "ana": {
            "phases": [48, 45, 47, 41, 44, 47, 48, 50, 49, 52],
            "bonus5": 40,
            "bonus10": 40,
            "total": 536,
            "misses": [0, 0, 1, 0, 0, 0, 0, 2, 0, 0],
        }
    },
}


def spoilt(report: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with values put at dotted paths; REMOVED takes one away."""
    result = copy.deepcopy(report)
    for path, value in changes.items():
        *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        place: Any = result
        for step in way:
            place = place[step]
        if value is REMOVED:
            del place[last]
        else:
            place[last] = value
    return result
