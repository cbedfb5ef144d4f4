"""Against guessing: wrong codes and secrets are counted per address, and a right one always works.

What is sent is looked at first, and only its being wrong has a consequence. So that codes are not tried all day as
fast as they come, all addresses that sent too many wrong ones have a number of them a day together; beyond it they are
looked at a few a second. `docs/security.md` has the arithmetic.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from django.utils.translation import gettext as _
from rest_framework.throttling import BaseThrottle

from core import costly, limits
from core.errors import DomainError

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

A_MINUTE = 60  # failures; a full café behind one address mistypes less often than this
A_DAY = 1_000_000  # wrong codes, of everybody together …
PAUSE = 0.1  # … and the seconds between two of the same addresses after so many
GUESSES, CODES = "guesses", "codes"
Found = TypeVar("Found")


class TooManyWrongError(DomainError):
    """Too many wrong codes or secrets came from an address, and this is one more."""

    code = "throttled"
    status = 429
    retry_after = 60

    def __init__(self) -> None:
        super().__init__(_("This is not right, and too many wrong ones came from your network. Wait a minute."))


def address_of(request: HttpRequest | Request) -> str:
    """Return the address a request comes from, as it counts: the one a trusted proxy names, where there is one.

    One of IPv6 counts as its network of 64 bits, the least that anybody has: the addresses in it are without end.
    """
    named = str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]  # it reads what both have
    try:
        address = ipaddress.ip_address(named.strip("[]"))
    except ValueError:
        return named
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address), 64), strict=False))
    return str(address)


def look_up(request: HttpRequest | Request, find: Callable[[], Found | None]) -> Found | None:
    """Return what a code stands for; None for a wrong one, which is counted.

    Raise TooManyWrongError for a wrong one after many, TooManyAtOnceError where the day's are used up.
    """
    if _is_day_used_up() and _is_suspect(request) and limits.turn(CODES, PAUSE, 0) is None:
        raise costly.TooManyAtOnceError
    found = find()
    if found is None:
        limits.take(CODES, "", A_DAY, 86_400)
        count_failure(request)
    return found


def count_failure(request: HttpRequest | Request) -> None:
    """Count a secret that does not exist; raise TooManyWrongError after many. Nobody guesses those: none waits."""
    if not limits.take(GUESSES, address_of(request), A_MINUTE, 60).is_within:
        raise TooManyWrongError


def _is_day_used_up() -> bool:
    return limits.is_used_up(CODES, "", A_DAY, 86_400)


def _is_suspect(request: HttpRequest | Request) -> bool:
    return limits.is_used_up(GUESSES, address_of(request), A_MINUTE, 60)
