"""Score sheets as forms, one per game."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sheets.base import SeatName, Sheet
from scoring.sheets.dice_run import DiceRun
from scoring.sheets.dix import Dix
from scoring.sheets.sixmix import Sixmix
from scoring.sheets.ten_phases import TenPhases

SHEETS: Mapping[str, Sheet] = {
    "ten-phases": TenPhases(),
    "sixmix": Sixmix(),
    "dix": Dix(),
    "dice-run": DiceRun(),
}

__all__ = ["SHEETS", "SeatName", "Sheet"]
