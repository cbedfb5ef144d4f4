"""Score sheets as forms, one per game."""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import Engine
from engines.custom import CustomEngine
from web.phone.sheets.base import SeatName, Sheet
from web.phone.sheets.custom import CustomSheet
from web.phone.sheets.dice_run import DiceRun
from web.phone.sheets.dix import Dix
from web.phone.sheets.sixmix import Sixmix
from web.phone.sheets.ten_phases import TenPhases

SHEETS: Mapping[str, Sheet] = {
    "ten-phases": TenPhases(),
    "sixmix": Sixmix(),
    "dix": Dix(),
    "dice-run": DiceRun(),
}


def sheet_of(engine: Engine) -> Sheet:
    """Return the sheet of a game: ours, or made from what a club says of its own."""
    return CustomSheet(engine) if isinstance(engine, CustomEngine) else SHEETS[engine.slug]


__all__ = ["SHEETS", "SeatName", "Sheet", "sheet_of"]
