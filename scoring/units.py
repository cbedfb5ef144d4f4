"""The units in which points and ratings are kept as whole numbers, and how people read them."""

from __future__ import annotations

from typing import overload

UNIT = 840  # of a point in an event: 2 × lcm(1…7), so every share of a table of up to eight is a whole number of these
MILLI = 1000  # of a point of a rating, or of a season


def as_text(value: int, unit: int, decimals: int = 3) -> str:
    """Return a whole number of units as people read it."""
    return f"{value / unit:.{decimals}f}"


@overload
def in_points(rating: int) -> float: ...
@overload
def in_points(rating: int | None) -> float | None: ...
def in_points(rating: int | None) -> float | None:
    """Return a rating, or a change of one, in points; None where there is none."""
    return None if rating is None else rating / MILLI
