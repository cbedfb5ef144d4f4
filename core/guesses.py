"""Slow down whoever tries codes and secrets: counted per address, and only when they are wrong."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from django.core.cache import cache
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

A_MINUTE = 60  # a full café mistypes less than this


def _key(request: HttpRequest | Request) -> str:
    return f"guesses-{BaseThrottle().get_ident(request)}"  # type: ignore[arg-type]  # it reads what both have


def is_guessing(request: HttpRequest | Request) -> bool:
    """Say whether an address was wrong too often in the last minute."""
    return bool(cache.get(_key(request), 0) >= A_MINUTE)


def refuse_guesser(request: HttpRequest | Request) -> None:
    """Refuse a call to the API from an address that was wrong too often in the last minute."""
    if is_guessing(request):
        raise Throttled(wait=60)


def count_guess(request: HttpRequest | Request) -> None:
    """Count a code or a secret that does not exist."""
    cache.add(_key(request), 0, 60)
    with suppress(ValueError):  # the minute ended between the two
        cache.incr(_key(request))
