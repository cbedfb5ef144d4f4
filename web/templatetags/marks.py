"""The mark of a player, beside their name."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web.marks import PATTERN, SIZE, mark_of

register = template.Library()


@register.simple_tag
def mark(uid: str) -> SafeString:
    """Return the mark of a player as a small picture; the name stands beside it, so it is silent."""
    shown = mark_of(uid)
    edge = SIZE + 2
    path = "".join(f"M{column + 1} {row + 1}h{width}v1h-{width}z" for column, row, width in shown.runs)
    return format_html(
        '<svg class="mark" viewBox="0 0 {0} {0}" aria-hidden="true"><path fill="{1}" d="M0 0h{0}v{0}H0z"/>'
        '<path fill="{2}" d="{3}"/></svg>',
        edge,
        shown.colour,
        PATTERN,
        path,
    )
