"""When the scheduled jobs are sent: by a clock that nobody can set."""

from __future__ import annotations

import time
from typing import Any

from celery import beat


class Scheduler(beat.Scheduler):
    """Send each job at the start, then again whenever its interval has passed.

    Celery's own scheduler reckons with the time of day: set back by an hour, it sends nothing for an hour. It also
    keeps a file of when it last sent what, which a start with a wrong clock makes useless. All of our jobs may come
    early or twice, so neither is needed.
    """

    def setup_schedule(self) -> None:
        """Take the jobs of the settings; each is due at once."""
        super().setup_schedule()
        self.due = dict.fromkeys(self.schedule, time.monotonic())

    def tick(self, *_args: Any, **_given: Any) -> float:
        """Send the job that is due for longest, and return the seconds until the next one is."""
        name = min(self.due, key=self.due.__getitem__)
        now = time.monotonic()
        if self.due[name] > now:
            return self.due[name] - now
        entry = self.schedule[name]
        # From now and not from when it was due: after a pause, such as a laptop's sleep, nothing is caught up with.
        every: Any = entry.schedule  # each job of ours has an interval
        self.due[name] = now + every.run_every.total_seconds()
        self.apply_entry(entry, producer=self.producer)
        return 0.0
