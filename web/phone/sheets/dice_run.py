"""The score sheet of Dice Run: four podiums and, for those who noted them, the dice and objectives behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from engines.base import Path
from engines.dice_run.pieces import COLOURS, PODIUM, SECOND, SLUG, STAGE_CARDS, THIRD, VALUES
from web.phone.sheets.base import SeatName, dig, dotted, frame, given, shown, word
from web.phone.sheets.evidence import Pattern


class DiceRun:
    """A podium per stage."""

    template = "phone/sheets/_dice_run.html"
    script = "phone/sheets/dice-run.js"
    fields: tuple[Pattern, ...] = (
        ("colours",),
        *(("stages", None, name) for name in ("podium", "revealer", "objectives", "groups")),
    )

    def context(self, variant: str, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return the four stages, each with its places and its evidence."""
        colours = shown(sheet, "colours")
        return {
            "stages": [_stage(index, prize, seats, sheet) for index, prize in enumerate(STAGE_CARDS)],
            "seats": seats,
            "colours": colours,
            "dice": [[colour + value for value in VALUES] for colour in colours or COLOURS],
        }

    def read(self, data: QueryDict, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
        """Return the four stages; a place left open before a taken one is null, so that the others keep theirs."""
        stages = [_read_stage(data, index, seats) for index in range(len(STAGE_CARDS))]
        return frame(SLUG, variant, seats) | {"stages": stages} | given(colours=word(data, "colours"))

    def field_of(self, path: Path) -> str:
        """Return the part of a stage a finding belongs to."""
        match path:
            case ("stages", int(index), "podium" | "revealer" | "objectives" | "groups" as name, *_):
                return dotted("stages", index, name)
            case ("stages", int(index), *_):
                return dotted("stages", index, "podium")
        return ""


def _stage(index: int, prize: int, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
    groups = dig(sheet, "stages", index, "groups")
    objectives = [
        {
            "seat": seat,
            "name": dotted("stages", index, "objectives", seat.uid),
            "value": _objective(sheet, index, seat),
        }
        for seat in seats
    ]
    lines = "\n".join(group for group in groups if isinstance(group, str)) if isinstance(groups, list) else ""
    revealer = shown(sheet, "stages", index, "revealer")
    return {
        "number": index + 1,
        "prize": prize,
        "field": dotted("stages", index, "podium"),
        "places": [
            {
                "name": dotted("stages", index, "podium", place),
                "label": label,
                "points": points,
                "chosen": shown(sheet, "stages", index, "podium", place),
            }
            for place, (label, points) in enumerate(((_("First"), prize), (_("Second"), SECOND), (_("Third"), THIRD)))
        ],
        "revealer": {"name": dotted("stages", index, "revealer"), "value": revealer},
        "objectives": {"field": dotted("stages", index, "objectives"), "each": objectives},
        "groups": {"name": dotted("stages", index, "groups"), "value": lines},
        "has_evidence": bool(lines or revealer or any(each["value"] for each in objectives)),
    }


def _objective(sheet: Mapping[str, Any], index: int, seat: SeatName) -> str:
    return shown(sheet, "stages", index, "objectives", seat.uid)


def _read_stage(data: QueryDict, index: int, seats: Sequence[SeatName]) -> dict[str, Any]:
    podium = [word(data, dotted("stages", index, "podium", place)) for place in range(PODIUM)]
    while podium and podium[-1] is None:
        podium.pop()
    objectives = {seat.uid: word(data, dotted("stages", index, "objectives", seat.uid)) for seat in seats}
    lines = data.get(dotted("stages", index, "groups"), "").lower().splitlines()
    groups = [" ".join(line.split()) for line in lines]
    return given(
        podium=podium or None,
        revealer=word(data, dotted("stages", index, "revealer")),
        objectives={uid: card.lower() for uid, card in objectives.items() if card} or None,
        groups=[group for group in groups if group] or None,
    )
