"""What a process remembers for a while: who asked how often, who guessed wrong; `core.limits` shares it."""

from __future__ import annotations

import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache


class ProcessCache(LocMemCache):
    """Django's cache in memory, by a clock that nobody can set: set back, it would block for long."""

    def get_backend_timeout(self, timeout: Any = DEFAULT_TIMEOUT) -> float | None:
        """Return when something that is kept for so many seconds ends; None where it does not."""
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if seconds is None else time.monotonic() + seconds

    def _has_expired(self, key: str) -> bool:
        end = self._expire_info.get(key, 0.0)  # type: ignore[attr-defined]
        return end is not None and end <= time.monotonic()
