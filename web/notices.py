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


class OwnSession(SessionStorage):
    """The session of who is logged in: a stranger would begin one with each request."""

    def _store(self, messages: Sequence[Message], response: HttpResponseBase, *args: Any, **options: Any) -> Any:
        if messages and not self.request.user.is_authenticated:
            return messages
        return super()._store(messages, response, *args, **options)  # type: ignore[misc]  # the stubs leave it out


class Notices(FallbackStorage):
    """The latest few, in a cookie; in the session what has no room there."""

    storage_classes = (CookieStorage, OwnSession)

    def _store(self, messages: Sequence[Message], response: HttpResponseBase, *args: Any, **options: Any) -> Any:
        return super()._store(messages[-MOST:], response, *args, **options)  # type: ignore[misc]  # as above
