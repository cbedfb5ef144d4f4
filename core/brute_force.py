"""Against guessing: wrong codes and secrets are counted per address, and a right one always works.

From an address that sent too many wrong ones, codes are looked up one at a time in each process, and every wrong one
keeps the next waiting. `docs/security.md` has the arithmetic.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from django.core.cache import cache
from django.utils.translation import gettext as _
from rest_framework.throttling import BaseThrottle

from core import costly
from core.errors import DomainError

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

A_MINUTE = 60  # failures; a full café behind one address mistypes less often than this
PAUSE = 0.1  # seconds that a wrong code takes once there were so many
Found = TypeVar("Found")


class TooManyWrongError(DomainError):
    """Too many wrong codes or secrets came from an address, and this is one more."""

    code = "throttled"
    status = 429
    retry_after = 60

    def __init__(self) -> None:
        super().__init__(_("This is not right, and too many wrong ones came from your network. Wait a minute."))


def address_of(request: HttpRequest | Request) -> str:
    """Return the address a request comes from: the one a trusted proxy names, where there is one."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]  # it reads what both have


def look_up(request: HttpRequest | Request, find: Callable[[], Found | None]) -> Found | None:
    """Return what a code stands for; None for a wrong one, which is counted.

    Raise TooManyWrongError for a wrong one after many, TooManyAtOnceError where others are being tried.
    """
    if not _is_suspect(request):
        found = find()
        if found is None:
            count_failure(request)
        return found
    with costly.bounded(costly.CODE):
        if (found := find()) is None:
            time.sleep(PAUSE)
            raise TooManyWrongError
        return found


def count_failure(request: HttpRequest | Request) -> None:
    """Count a secret that does not exist; raise TooManyWrongError after many. Nobody guesses those: none waits."""
    if _is_suspect(request):
        raise TooManyWrongError
    key = _key(request)
    cache.add(key, 0, 60)
    with suppress(ValueError):  # the minute ended between the two
        cache.incr(key)


def _is_suspect(request: HttpRequest | Request) -> bool:
    return bool(cache.get(_key(request), 0) >= A_MINUTE)


def _key(request: HttpRequest | Request) -> str:
    return f"guesses-{address_of(request)}"
