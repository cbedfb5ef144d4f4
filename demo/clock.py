"""A clock that tells what time it is in the story."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone


class Clock:
    """The time of the story. While it runs, whatever asks Django for the time is told this one."""

    def __init__(self) -> None:
        self.real = timezone.now()
        self.now = self.real

    def __call__(self) -> dt.datetime:
        """Return the time in the story."""
        return self.now

    def set(self, moment: dt.datetime) -> None:
        """Make it another time."""
        self.now = moment

    def wait(self, minutes: float) -> None:
        """Let some time pass."""
        self.now += dt.timedelta(minutes=minutes)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Tell everybody in this process the time of the story, and the real one again afterwards."""
        true = timezone.now
        timezone.now = self
        try:
            yield
        finally:
            timezone.now = true
