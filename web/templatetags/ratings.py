"""Ratings and points as people read them."""

from __future__ import annotations

from django import template

from scoring.rankings.standings.readable import taken_off
from scoring.rankings.standings.words import decimal
from scoring.units import in_points

register = template.Library()
register.filter(decimal)
register.filter(taken_off)


@register.filter
def rating_change(thousandths: int) -> str:
    """Return a change in whole points, with its sign."""
    return points_change(in_points(thousandths))


@register.filter
def points_change(points: float) -> str:
    """Return a change that is already in points like `rating_change` does."""
    whole = round(points)
    return f"{'−' if whole < 0 else '+' if whole else '±'}{abs(whole)}"
