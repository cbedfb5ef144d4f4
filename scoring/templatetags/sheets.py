"""Tags for the fields of score sheets."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


def _found(context: dict[str, Any], name: str) -> str:
    return " ".join(context.get("findings", {}).get(name, ()))


@register.simple_tag(takes_context=True)
def named(context: dict[str, Any], name: str, at: str = "") -> SafeString:
    """Return the attributes that name a field and tie it to the findings about it, or about the part `at`."""
    place = at or name
    invalid = SafeString(' aria-invalid="true"') if _found(context, place) else ""
    return format_html('name="{0}" id="{0}" aria-describedby="finding-{1}"{2}', name, place, invalid)


@register.simple_tag(takes_context=True)
def finding(context: dict[str, Any], name: str) -> SafeString:
    """Return the place beside a field, or a part of the sheet, where a finding about it is said."""
    tag = '<p class="finding" id="finding-{0}" data-finding-for="{0}" role="status">{1}</p>'
    return format_html(tag, name, _found(context, name))
