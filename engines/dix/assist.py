"""Help at the table: the best arrangement of a hand, found in `engines.dix.arranging`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import Field

from engines.base import Shape
from engines.dix.arranging import best, fill, stock
from engines.dix.pieces import COLOURS, HELD
from engines.dix.report import Cards


class HandToArrange(Shape):
    """The cards of one player."""

    cards: Cards = Field(
        title="Cards", description="Every card held: b7 a blue 7; 7*, b# and *# the three kinds of joker"
    )


def assist(hand: HandToArrange) -> dict[str, Any]:
    """Return runs with the most points, the cards that fill them, the points per colour, and the cards left over."""
    held = Counter(hand.cards)
    arrangement = best(stock(held))
    fills = fill(held, arrangement.runs)
    spare = held - Counter([card for cards in fills for card in cards])
    named = [(colour, run, cards) for colour, run, cards in zip(COLOURS, arrangement.runs, fills, strict=True) if run]
    return {
        "points": arrangement.points,
        "runs": {colour: str(run) for colour, run, _ in named},
        "fills": {colour: " ".join(cards) for colour, _, cards in named},
        "by_colour": {colour: run.points for colour, run, _ in named},
        "unused": " ".join(sorted(spare.elements(), key=HELD.index)),
    }
