"""Ratings and points as people read them."""

from __future__ import annotations

from django import template

from scoring.standings.words import decimal

register = template.Library()
register.filter(decimal)

UNIT = 1000  # ratings are kept in thousandths of a point


@register.filter
def rating_change(thousandths: int) -> str:
    """Return a change in whole points, with its sign."""
    points = round(thousandths / UNIT)
    return f"{'−' if points < 0 else '+' if points else '±'}{abs(points)}"


@register.filter
def points_change(points: float) -> str:
    """Return a change that is already in points like `rating_change` does."""
    return rating_change(round(points * UNIT))
