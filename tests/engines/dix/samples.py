"""Reports of DIX to start from."""

from __future__ import annotations

from typing import Any


def hand(claimed: dict[str, Any] | None = None, cards: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return a hand with money and a number of cards; with cards their number is counted."""
    count = len(cards.split()) if cards is not None else 20
    evidence = {} if cards is None else {"cards": cards}
    return {"runs": claimed or {}, "coins": 0, "consolation": 0, "card_count": count, **evidence, **fields}


def runs(**claimed: str) -> dict[str, Any]:
    """Return a hand of the minimal layer: `runs(blue="1-6")`."""
    return {"runs": claimed}


def table(*hands: dict[str, Any], variant: str = "standard", **fields: Any) -> dict[str, Any]:
    """Return a report of players `ana`, `bo`, ...; one hand is given an opponent with nothing."""
    every = list(hands) if len(hands) > 1 else [*hands, hand()]
    seats = ["ana", "bo", "cy", "dee", "eva"][: len(every)]
    return {"game": "dix", "variant": variant, "seats": seats, "hands": dict(zip(seats, every, strict=True)), **fields}


def solo(player: dict[str, Any], alix: dict[str, Any], difficulty: Any = 6) -> dict[str, Any]:
    """Return a report of `ana` against ALIX."""
    hands = {"ana": player, "ALIX": alix}
    return {"game": "dix", "variant": "solo", "seats": list(hands), "difficulty": difficulty, "hands": hands}
