"""A circuit breaker: what is away is asked for once in a while, and not by every request."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

PAUSE = 5.0  # seconds without an attempt after a failed one, so that what hangs costs one request in many


class Breaker:
    """Says whether something may be asked for: not for a while after it failed, and then by one of those who come."""

    def __init__(self) -> None:
        self.silent_until = 0.0  # 0 while it answers

    def lets_through(self) -> bool:
        """Say whether to ask. While it is away one of us looks whether it is back, and the others do without."""
        if time.monotonic() < self.silent_until:
            return False
        if self.silent_until > 0:
            self.silent_until = time.monotonic() + PAUSE
        return True

    def note_failure(self) -> bool:
        """Note that it did not answer; return whether that is news."""
        is_news = not self.silent_until
        self.silent_until = max(self.silent_until, time.monotonic() + PAUSE)
        return is_news

    def note_answer(self) -> None:
        """Note that it answered."""
        if self.silent_until < math.inf:
            self.silent_until = 0.0

    @contextmanager
    def unasked(self) -> Iterator[None]:
        """Let nobody ask inside of this context: for bulk work, and before what is asked for runs at all."""
        before, self.silent_until = self.silent_until, math.inf
        try:
            yield
        finally:
            self.silent_until = before
