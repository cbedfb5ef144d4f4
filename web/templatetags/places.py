"""Filters for places, and for the tables where they are won."""

from __future__ import annotations

from django import template

from core.ordinals import ordinal
from tournaments.models import Event

register = template.Library()
register.filter(ordinal)


@register.filter
def table_title(event: Event, number: int) -> str:
    """Return what people call a table of an event."""
    return event.table_title(number)
