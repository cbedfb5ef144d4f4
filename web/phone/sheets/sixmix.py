"""The score sheet of Sixmix: round by round the tokens, or the rows they are worked out from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from django.http import QueryDict

from engines.base import Path
from engines.sixmix.pieces import GOAL, ROWS_PER_SEAT, SQUARES
from engines.sixmix.report import ROW, SLUG
from engines.sixmix.scoring import MOST_PER_ROW, Place, reachable_tokens, seat_tokens
from web.phone.sheets.base import SeatName, dig, dotted, frame, given, shown, whole
from web.phone.sheets.evidence import Pattern


class Sixmix:
    """A line per round, a cell per player, and the rows for those who noted them."""

    template = "phone/sheets/_sixmix.html"
    script = "phone/sheets/sixmix.js"
    fields: tuple[Pattern, ...] = (("rounds", None, "tokens"), ("rounds", None, "rows"), ("lead",))

    def context(self, variant: str, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return as many rounds as a game can have; what is not played stays empty."""
        rows_per_seat = ROWS_PER_SEAT[variant]
        return {
            "rounds": [_round(index, seats, sheet) for index in range(_most_rounds(seats))],
            "lead": [_entry(seat, sheet, "lead", seat.uid) for seat in seats],
            "totals": [{"seat": seat, "total": _total(seat, sheet)} for seat in seats],
            "goal": GOAL,
            "rows_per_seat": rows_per_seat,
            "most": MOST_PER_ROW * rows_per_seat,
            "impossible": _impossible(len(seats), rows_per_seat),
        }

    def read(self, data: QueryDict, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
        """Return the rounds up to the last one with an entry; tokens that are not written come from the rows."""
        rounds = [_read_round(data, index, variant, seats) for index in range(_most_rounds(seats))]
        while rounds and rounds[-1] == {"tokens": {}}:
            rounds.pop()
        lead = given(**{seat.uid: whole(data, dotted("lead", seat.uid)) for seat in seats})
        return frame(SLUG, variant, seats) | {"rounds": rounds} | ({"lead": lead} if lead else {})

    def field_of(self, path: Path) -> str:
        """Return the part a finding belongs to: a round, its rows, a first digit, else the whole sheet."""
        match path:
            case ("lead", *_):
                return dotted(*path)
            case ("rounds", int(index), "rows", *_):
                return dotted("rounds", index, "rows")
            case ("rounds", int(index), *_):
                return dotted("rounds", index)
        return "rounds"


def _most_rounds(seats: Sequence[SeatName]) -> int:
    """Return how many rounds a game can have: nobody has ten points before the last, and each brings three or more."""
    return (GOAL - 1) * len(seats) // (Place.HIGHEST + Place.SECOND) + 1


def _round(index: int, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": index + 1,
        "field": dotted("rounds", index),
        "tokens": [_entry(seat, sheet, "rounds", index, "tokens", seat.uid) for seat in seats],
        "rows": {"field": dotted("rounds", index, "rows"), "value": _lines(index, seats, sheet)},
        "has_rows": bool(dig(sheet, "rounds", index, "rows")),
    }


def _entry(seat: SeatName, sheet: Mapping[str, Any], *path: str | int) -> dict[str, Any]:
    return {"seat": seat, "field": dotted(*path), "value": shown(sheet, *path)}


def _lines(index: int, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> str:
    return "\n".join(shown(sheet, "rounds", index, "rows", seat.uid) for seat in seats).rstrip()


def _total(seat: SeatName, sheet: Mapping[str, Any]) -> int:
    rounds = dig(sheet, "rounds")
    taken = [dig(each, "tokens", seat.uid) for each in rounds] if isinstance(rounds, list) else []
    return sum(each for each in taken if isinstance(each, int))


def _impossible(seats: int, rows_per_seat: int) -> list[str]:
    """Return the tokens of a round that no rows give, smallest first, each list as a text of digits."""
    lists = combinations_with_replacement(range(MOST_PER_ROW * rows_per_seat + 1), seats)
    return ["".join(map(str, tokens)) for tokens in lists if tokens not in reachable_tokens(seats, rows_per_seat)]


def _read_round(data: QueryDict, index: int, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
    tokens = given(**{seat.uid: whole(data, dotted("rounds", index, "tokens", seat.uid)) for seat in seats})
    rows = _rows(data.get(dotted("rounds", index, "rows"), ""), seats)
    if not rows:
        return {"tokens": tokens}
    return {"tokens": _earned(rows, variant, seats) | tokens, "rows": rows}


def _rows(text: str, seats: Sequence[SeatName]) -> dict[str, str]:
    """Return the rows by seat, a line each, in groups of six; what is too much is left in the last line."""
    lines = text.rstrip().replace("\r", "").split("\n", len(seats) - 1)
    rows = [" ".join(re.findall(f".{{1,{SQUARES}}}", "".join(line.split()))) for line in lines]
    return {seat.uid: row for seat, row in zip(seats, rows, strict=False) if row}


def _earned(rows: Mapping[str, str], variant: str, seats: Sequence[SeatName]) -> dict[str, int]:
    """Return the tokens by seat if the rows of all seats are there."""
    notation = re.compile(" ".join([ROW] * ROWS_PER_SEAT[variant]))
    if len(rows) < len(seats) or not all(map(notation.fullmatch, rows.values())):
        return {}
    return dict(zip(rows, seat_tokens(list(rows.values())), strict=True))
