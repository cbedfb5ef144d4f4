"""Where people are logged in: written down at the login and while they use it, listed, and ended.

A session is Django's own row; what is known of it besides stands in `Login`. Whoever deletes the row ends the session
with the next request.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.utils import timezone

from core.models import Login, User

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponseBase

SEEN = "seen"  # in a session: its key and the second, when it was last written down as seen
SEEN_EVERY = 300  # seconds

# What a browser calls itself, in the order that tells them apart: most claim to be several others.
BROWSERS = {
    r"Edg(?:e|A|iOS)?/": "Edge",
    r"OPR/|Opera": "Opera",
    r"SamsungBrowser/": "Samsung Internet",
    r"Firefox/|FxiOS/": "Firefox",
    r"Chrome/|CriOS/|Chromium/": "Chrome",
    r"Safari/": "Safari",
}
SYSTEMS = {
    r"iPhone": "iPhone",
    r"iPad": "iPad",
    r"Android": "Android",
    r"Windows": "Windows",
    r"Macintosh|Mac OS X": "Mac",
    r"CrOS": "ChromeOS",
    r"Linux": "Linux",
}


def browser_words(user_agent: str) -> str:
    """Return what people call a browser and its device, such as `Firefox · Android`; empty where nobody can tell."""
    found = (_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent))
    return " · ".join(filter(None, found))


def _first(names: dict[str, str], user_agent: str) -> str:
    return next((name for pattern, name in names.items() if re.search(pattern, user_agent)), "")


def note(request: HttpRequest, user: User) -> None:
    """Write down that somebody uses this session now."""
    if request.session.session_key is None:  # of a session that was emptied, because it was another person's
        request.session.save()
    fields = {
        "user_id": user.pk,
        "browser": browser_words(request.META.get("HTTP_USER_AGENT", "")),
        "last_seen_at": timezone.now(),
    }
    Login.objects.update_or_create(session_id=request.session.session_key, defaults=fields)
    request.session[SEEN] = [request.session.session_key, int(time.time())]


def note_login(request: HttpRequest, user: User, **_: Any) -> None:
    """Write down a login; Django calls this after each."""
    note(request, user)


class PrintableCookiesMiddleware:
    """Forget cookies that are none of ours by their letters: a database may refuse to look for them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer without them."""
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value.isprintable()}
        return self.get_response(request)


class LastSeenMiddleware:
    """Write down every few minutes that a session is used; also of one from before this was written down."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, then look at the session if the answer did."""
        response = self.get_response(request)
        is_used = settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.accessed
        if is_used and SESSION_KEY in request.session and not _is_fresh(request) and request.user.is_authenticated:
            with suppress(DatabaseError):  # what was answered stands
                note(request, request.user)
        return response


def _is_fresh(request: HttpRequest) -> bool:
    key, second = request.session.get(SEEN) or ("", 0)
    return bool(key == request.session.session_key and 0 <= time.time() - second < SEEN_EVERY)


def logins_of(user: User) -> QuerySet[Login]:
    """Return where somebody is logged in, the last seen first."""
    return Login.objects.filter(user=user, session__expire_date__gt=timezone.now())


def end(logins: QuerySet[Login]) -> None:
    """End sessions at once."""
    Session.objects.filter(pk__in=logins.values("pk")).delete()


def end_with_password(user: User, **_: Any) -> None:
    """End every session of somebody whose password was replaced."""
    end(Login.objects.filter(user=user))
