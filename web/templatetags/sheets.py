"""Tags for the fields of score sheets."""

from __future__ import annotations

from typing import Any, TypeGuard

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web.phone.sheets.forms import SheetForm

register = template.Library()


def _said(context: dict[str, Any], kind: str, name: str) -> list[str]:
    return list(context.get(kind, {}).get(name, ()))


@register.simple_tag(takes_context=True)
def named(context: dict[str, Any], name: str, at: str = "") -> SafeString:
    """Return the attributes that name a field and tie it to the findings about it, or about the part `at`."""
    place = at or name
    invalid = SafeString(' aria-invalid="true"') if _said(context, "findings", place) else ""
    attributes = format_html('name="{0}" id="{0}" aria-describedby="finding-{1}"{2}', name, place, invalid)
    form = context.get("form")
    # Where several write, or a sheet is corrected, a script says in words which field it speaks of.
    return format_html('{} data-place="{}"', attributes, form.place(name)) if _is_shared(form) else attributes


def _is_shared(form: object) -> TypeGuard[SheetForm]:
    return isinstance(form, SheetForm) and bool(form.links.draft)


@register.simple_tag(takes_context=True)
def finding(context: dict[str, Any], name: str) -> SafeString:
    """Return the place beside a field, or a part of the sheet, where a finding or a question about it is said."""
    found, asked = _said(context, "findings", name), _said(context, "questions", name)
    kind = "finding is-warning" if asked and not found else "finding"
    tag = '<p class="{2}" id="finding-{0}" data-finding-for="{0}" role="status">{1}</p>'
    return format_html(tag, name, " ".join(found + asked), kind)
