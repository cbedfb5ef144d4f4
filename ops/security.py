"""What browsers are told that our pages may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

OWN = "'self'"
NONE = "'none'"
POLICY = "; ".join(
    f"{directive} {sources}"
    for directive, sources in {
        "default-src": NONE,
        "base-uri": NONE,
        "connect-src": OWN,
        "font-src": OWN,
        "form-action": OWN,
        "frame-ancestors": NONE,
        "img-src": f"{OWN} data:",
        "manifest-src": OWN,
        "script-src": OWN,
        "style-src": OWN,
        "worker-src": OWN,
    }.items()
)


class ContentSecurityPolicyMiddleware:
    """Let every answer run our own files only: nothing inline, nothing from elsewhere, in nobody's frame."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Add the policy to an answer."""
        response = self.get_response(request)
        response["Content-Security-Policy"] = POLICY
        return response
