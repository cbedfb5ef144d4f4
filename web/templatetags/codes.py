"""QR codes of addresses that a part of a page shows."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.links import origin_of, sit_down_link
from tournaments.models import Event, Table
from web.qr import qr_code

register = template.Library()


@register.simple_tag(takes_context=True)
def sit_down_code(context: dict[str, Any], event: Event, table: Table) -> SafeString:
    """Show what the others scan to sit down at a table that is being formed."""
    link = sit_down_link(event, table, origin_of(context["request"]))
    return qr_code(link, _("Sit down at table {number}").format(number=table.number))
