"""The score sheet of DIX: per player the runs by colour or all cards, and what breaks a tie for the first place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from core.language import reader_language
from engines.base import Path
from engines.dix.pieces import BOX, COLOURS, DIFFICULTIES, LETTERS, MOST_COINS, NUMBERED_JOKERS, NUMBERS, SPECIAL
from engines.dix.report import SLUG
from engines.dix.words import COLOUR_WORDS
from web.phone.sheets.base import SeatName, dotted, frame, given, shown, whole, word
from web.phone.sheets.evidence import Pattern

SOLO = "solo"
COUNTS = ("coins", "consolation", "card_count")
DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", " ": ""})


class Dix:
    """A hand per player."""

    template = "phone/sheets/_dix.html"
    script = "phone/sheets/dix.js"
    fields: tuple[Pattern, ...] = (("difficulty",), *(("hands", None, name) for name in ("runs", *COUNTS, "cards")))

    def context(self, variant: str, seats: Sequence[SeatName], sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return the hands, and what lies in the box to tap at."""
        return {
            "difficulties": DIFFICULTIES if variant == SOLO else (),
            "difficulty": shown(sheet, "difficulty"),
            "hands": [_hand(seat, sheet) for seat in seats],
            "counts": [{"seat": seat, **{name: _entry(sheet, seat.uid, name) for name in COUNTS}} for seat in seats],
            "numbers": NUMBERS,
            "most_coins": MOST_COINS,
            "box": _box(),
        }

    def read(self, data: QueryDict, variant: str, seats: Sequence[SeatName]) -> dict[str, Any]:
        """Return the hands. A colour without an entry has no run, and what nobody counted is left out."""
        report = frame(SLUG, variant, seats) | {"hands": {seat.uid: _read_hand(data, seat.uid) for seat in seats}}
        if variant == SOLO:
            report |= given(difficulty=whole(data, "difficulty"))
        return report

    def field_of(self, path: Path) -> str:
        """Return the entry of a hand a finding belongs to."""
        match path:
            case ("hands", uid, "runs", colour):
                return dotted("hands", uid, "runs", colour)
            case ("hands", uid, "runs" | "coins" | "consolation" | "card_count" | "cards" as name, *_):
                return dotted("hands", uid, name)
            case ("hands", uid, *_):
                return dotted("hands", uid, "runs")
            case ("difficulty",):
                return "difficulty"
        return ""


def _hand(seat: SeatName, sheet: Mapping[str, Any]) -> dict[str, Any]:
    language = reader_language()
    return {
        "seat": seat,
        "field": dotted("hands", seat.uid, "runs"),
        "runs": [
            {
                "name": dotted("hands", seat.uid, "runs", colour),
                "colour": colour,
                "label": COLOUR_WORDS[colour].into(language),
                "value": shown(sheet, "hands", seat.uid, "runs", colour),
            }
            for colour in COLOURS
        ],
        "cards": _entry(sheet, seat.uid, "cards"),
    }


def _entry(sheet: Mapping[str, Any], uid: str, name: str) -> dict[str, str]:
    return {"name": dotted("hands", uid, name), "value": shown(sheet, "hands", uid, name)}


def _box() -> list[dict[str, Any]]:
    """Return the cards a hand can have, row by row, each with the copies in the box."""
    language = reader_language()
    rows = [
        {
            "colour": colour,
            "label": COLOUR_WORDS[colour].into(language),
            "cards": [_card(f"{letter}{sign}", sign.replace("#", "★")) for sign in "123456789#"],
        }
        for colour, letter in zip(COLOURS, LETTERS, strict=True)
    ]
    jokers = [*(_card(card, f"{card[0]}★") for card in NUMBERED_JOKERS), _card(SPECIAL, "★★")]
    return [*rows, {"colour": "joker", "label": _("jokers"), "cards": jokers}]


def _card(card: str, sign: str) -> dict[str, Any]:
    return {"card": card, "sign": sign, "label": sign.replace("★", " " + _("joker")).strip(), "copies": BOX[card]}


def _read_hand(data: QueryDict, uid: str) -> dict[str, Any]:
    runs = {colour: word(data, dotted("hands", uid, "runs", colour)) for colour in COLOURS}
    counts = {name: whole(data, dotted("hands", uid, name)) for name in COUNTS}
    cards = word(data, dotted("hands", uid, "cards"))
    return {
        "runs": {colour: run.translate(DASHES) for colour, run in runs.items() if run},
        **given(**counts, cards=cards and cards.lower()),
    }
