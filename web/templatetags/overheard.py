"""Say on a page that what is typed there can be read by others."""

from __future__ import annotations

import ipaddress
from typing import Any

from django import template
from django.http.request import split_domain_port

register = template.Library()


@register.inclusion_tag("accounts/_overheard.html", takes_context=True)
def overheard_warning(context: dict[str, Any]) -> dict[str, Any]:
    """Warn where the page came without encryption, and not from the reader's own machine."""
    request = context["request"]
    host, _port = split_domain_port(request.get_host())
    return {"is_overheard": not request.is_secure() and not _is_own_machine(host)}


def _is_own_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
