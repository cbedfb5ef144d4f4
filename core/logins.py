"""Logging in: passwords are checked a few at a time, and nobody is ever locked out.

Checking a password is slow on purpose. After many wrong ones for an account, or from an address, those who try again
share one slower turn; a browser that logged into the account before does not, whatever others do. An account has that
turn a few times, and that of everybody too: its owner could take them all day, with a password that is right, and keep
the others out. So could the owner of a club, whose invitations make accounts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver

from core import costly, limits
from core.brute_force import address_of
from core.models import User

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

MOST_WRONG = 10  # passwords for an account, or from an address, in KEPT_FOR seconds
KEPT_FOR = 900
MOST_KNOWN = 10  # passwords for an account, right or wrong, in the turn of known browsers, in KEPT_FOR seconds
MOST_RIGHT = 10  # right passwords for an account, in the turn of everybody, in KEPT_FOR seconds
PAUSE = 2.0  # seconds between two wrong passwords once there were so many, in all processes together
LONGEST_PAUSE = 60.0
WRONG, KNOWN, RIGHT = "passwords", "known-passwords", "right-passwords"
DEVICE = "known-device"  # the cookie of browsers that have logged in
DEVICE_AGE = 365 * 86_400


class PasswordBackend(ModelBackend):
    """Check passwords in turn, for every door."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **more: Any
    ) -> User | None:
        """Return whose password it is; raise TooManyAtOnceError where too many are being checked."""
        if request is None or username is None or password is None:
            return None
        if len(username) > User.LONGEST_EMAIL:
            raise PermissionDenied
        keys = _keys(request, username)
        turn = _turn(keys)
        with costly.bounded(turn):
            user = super().authenticate(request, username, password, **more)
            if user is None:
                for key in keys:
                    limits.take(WRONG, key, MOST_WRONG, KEPT_FOR)
                if turn is costly.SUSPECT_PASSWORD:
                    _pause()
                raise PermissionDenied  # so that nobody checks it again
            if turn is costly.PASSWORD:
                limits.take(RIGHT, keys[0], MOST_RIGHT, KEPT_FOR)
        return user


def is_password_of(request: HttpRequest, user: User, password: str) -> bool:
    """Say whether a password is that of who is logged in, in the same turns: their browser may be in other hands."""
    return authenticate(request, username=user.email, password=password) == user


def turn_of(request: HttpRequest, user: User) -> costly.Work:
    """Return the turn in which a password of who is logged in is hashed; it counts as one that is checked."""
    return _turn(_keys(request, user.email))


def _keys(request: HttpRequest, username: str) -> list[str]:
    """Return what wrong passwords are counted under: account, address, and the browser if it knows the account."""
    user = User.objects.at(username).first()
    # By the account, where there is one: some addresses can be written in many ways.
    keys = [f"user {user.pk}" if user else f"account {username.lower()}", f"address {address_of(request)}"]
    return [*keys, f"device {request.COOKIES[DEVICE]}"] if user and _knows(request, user) else keys


def _turn(keys: list[str]) -> costly.Work:
    account, address, *device = (limits.is_used_up(WRONG, key, MOST_WRONG, KEPT_FOR) for key in keys)
    if device == [False] and limits.take(KNOWN, keys[0], MOST_KNOWN, KEPT_FOR).is_within:
        return costly.KNOWN_PASSWORD
    is_often = limits.is_used_up(RIGHT, keys[0], MOST_RIGHT, KEPT_FOR)
    return costly.SUSPECT_PASSWORD if account or address or is_often else costly.PASSWORD


def turn_of_invitation(club: int) -> costly.Work:
    """Return the turn in which the password of somebody whom a club invited is hashed."""
    is_within = limits.take(KNOWN, f"club {club}", MOST_KNOWN, KEPT_FOR).is_within
    return costly.KNOWN_PASSWORD if is_within else costly.SUSPECT_PASSWORD


def _pause() -> None:
    """Let a wrong password hold its turn until those of all processes are far enough from each other."""
    wait = limits.turn(WRONG, PAUSE, LONGEST_PAUSE)
    time.sleep(LONGEST_PAUSE if wait is None else wait)


def _knows(request: HttpRequest, user: User) -> bool:
    """Tell whether the browser has logged into the account before."""
    try:
        return bool(signing.loads(request.COOKIES.get(DEVICE, ""), salt=DEVICE, max_age=DEVICE_AGE) == user.pk)
    except signing.BadSignature:
        return False


@receiver(user_logged_in)
def _note(request: HttpRequest | None, user: User, **_more: Any) -> None:
    if request is not None:
        request.device_of = user.pk  # type: ignore[attr-defined]


class DeviceMiddleware:
    """Let a browser remember that it logged in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the cookie where somebody logged in."""
        response = self.get_response(request)
        if (pk := getattr(request, "device_of", None)) is not None:
            response.set_cookie(
                DEVICE,
                signing.dumps(pk, salt=DEVICE),
                max_age=DEVICE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
