"""What an event must know of its game: which variants there are and how many people they seat."""

from __future__ import annotations

import engines
from engines.base import Engine, Variant


def engine_of(game: str) -> Engine | None:
    """Return a game's engine, if there is such a game."""
    return engines.GAMES.get(game)


def variant_for(engine: Engine, wanted: Variant, size: int) -> Variant | None:
    """Return the variant a table of some size plays: the event's own, or another for a size that it does not seat.

    So a two-seat table in a Sixmix event plays the two-player form. Nobody is made to play alone.
    """
    if size in wanted.people:
        return wanted
    if wanted.is_solo:
        return None
    return next((each for each in engine.variants if size in each.people and not each.is_solo), None)


def sizes(engine: Engine, wanted: Variant) -> list[int]:
    """Return every table size an event of a variant can have."""
    return [size for size in range(1, 9) if variant_for(engine, wanted, size)]
