"""What was played in the last months: every game in every format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.models import Confirmation, Format, Points, TieBreak


@dataclass(frozen=True, slots=True)
class Evening:
    """An event of a club (by its place in the list of clubs), so many weeks ago.

    `rounds` are the tables formed in open play.
    """

    weeks: int
    club: int
    name: str
    game: str
    format: Format
    players: int
    rounds: int
    fields: Mapping[str, Any] = field(default_factory=dict)


FINAL = {"cut_to": 4}
TRUST = {"confirmation": Confirmation.TRUST}
KNOCK_OUT = {"advance": 2}
SCORE = {"points": Points.SCORE, "tiebreaks": [TieBreak.BEST_TABLE, TieBreak.WINS]}
PODIUM = {"points": Points.PODIUM, "tiebreaks": [TieBreak.WINS, TieBreak.HEAD_TO_HEAD]}
PERFORMANCE = {"tiebreaks": [TieBreak.WINS, TieBreak.PERFORMANCE]}

OWN = 2  # the club that has a game of its own
HARBOUR: dict[str, Any] = {
    "slug": "harbour",
    "name": {"en": "Harbour", "fr": "Le port"},
    "seats": {"min": 2, "max": 5},
    "winner": "most",
    "sheet": {
        "kind": "categories",
        "lines": [
            {"key": "ships", "name": {"en": "Ships", "fr": "Navires"}, "min": 0, "max": 40, "step": 5},
            {"key": "cargo", "name": {"en": "Cargo", "fr": "Cargaison"}, "min": 0, "max": 30, "factor": 2},
            {"key": "flag", "name": {"en": "Flag", "fr": "Drapeau"}, "values": [0, 7], "given_to": 1},
            {"key": "storms", "name": {"en": "Storms", "fr": "Tempêtes"}, "min": 0, "max": 9, "factor": -1},
        ],
    },
    "tiebreaks": ["ships"],
    "minutes": 40,
    "remarks": {
        "en": "A game of the house, with its own score sheet.",
        "fr": "Un jeu de la maison, avec sa propre feuille.",
    },
}

PROGRAMME = (
    Evening(22, 0, "10 Phases: the opening night", "ten-phases", Format.SWISS, 20, 4, FINAL),
    Evening(21, 1, "Würfelrennen", "dice-run", Format.ROTATION, 16, 4, TRUST),
    Evening(20, 2, "DIX knock-out", "dix", Format.ELIMINATION, 16, 3, KNOCK_OUT),
    Evening(19, 0, "Sixmix Wednesday", "sixmix", Format.SWISS, 20, 3),
    Evening(18, 1, "10 Phasen im Garten", "ten-phases", Format.ROTATION, 12, 4, TRUST),
    Evening(17, 0, "Open tables: DIX", "dix", Format.OPEN, 14, 12, TRUST),
    Evening(16, 2, "Everybody meets everybody", "sixmix", Format.ROTATION, 16, 4, TRUST | SCORE),
    Evening(15, 0, "Dice Run knock-out", "dice-run", Format.ELIMINATION, 16, 3, KNOCK_OUT),
    Evening(14, 1, "DIX-Abend", "dix", Format.SWISS, 16, 4, PODIUM),
    Evening(13, 0, "Open tables: Sixmix", "sixmix", Format.OPEN, 14, 12, TRUST),
    Evening(12, 2, "Dice Run league", "dice-run", Format.OPEN, 12, 12, TRUST),
    Evening(11, 0, "DIX rotation", "dix", Format.ROTATION, 16, 4, TRUST),
    Evening(10, 1, "Sixmix-Pokal", "sixmix", Format.ELIMINATION, 16, 3, KNOCK_OUT),
    Evening(9, 0, "10 Phases knock-out", "ten-phases", Format.ELIMINATION, 16, 3, KNOCK_OUT),
    Evening(8, 2, "10 Phases on Sunday", "ten-phases", Format.SWISS, 20, 3, PERFORMANCE),
    Evening(7, 0, "The Dice Run cup", "dice-run", Format.SWISS, 20, 4, FINAL),
    Evening(6, 1, "10-Phasen-Liga", "ten-phases", Format.OPEN, 12, 12, TRUST),
    Evening(5, OWN, "An evening at the harbour", "custom:harbour", Format.SWISS, 16, 3, TRUST),
    Evening(4, 2, "DIX with bust buy", "dix", Format.SWISS, 16, 3, {"variant": "bust-buy"}),
    Evening(3, 0, "Sixmix: the long night", "sixmix", Format.SWISS, 20, 4, FINAL),
    Evening(2, 0, "DIX for the title", "dix", Format.SWISS, 24, 4),
)
