"""Score sheets as forms, one per game."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sheets.base import SeatName, Sheet

SHEETS: Mapping[str, Sheet] = {}

__all__ = ["SHEETS", "SeatName", "Sheet"]
