"""Whose login an attempt was, for the lock after too many wrong passwords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.http import HttpRequest


def attempted_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the e-mail address somebody tried to log in with; its case opens no second set of attempts."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return str(name).lower()
