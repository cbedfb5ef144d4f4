"""Notices for the next page: what was done, or why it was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage

if TYPE_CHECKING:
    from django.contrib.messages.storage.base import Message
    from django.http import HttpResponseBase

MOST = 5  # that wait for one page


class OwnCookie(CookieStorage):
    """A cookie. What has no room in a stranger's is left out, the oldest first: each request would begin a session."""

    def _store(self, messages: Sequence[Message], response: HttpResponseBase, remove_oldest: bool = True) -> Any:
        is_strangers = bool(messages) and not self.request.user.is_authenticated
        remove_oldest = remove_oldest or is_strangers
        left = super()._store(messages, response, remove_oldest)  # type: ignore[misc]  # the stubs leave it out
        return [] if is_strangers else left


class Notices(FallbackStorage):
    """The latest few, in a cookie; in the session what has no room there."""

    storage_classes = (OwnCookie, SessionStorage)

    def _store(self, messages: Sequence[Message], response: HttpResponseBase, *args: Any, **options: Any) -> Any:
        return super()._store(messages[-MOST:], response, *args, **options)  # type: ignore[misc]  # as above
