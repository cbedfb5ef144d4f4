"""A time of day that a test sets: imported before everything of ours, it moves the clock of a stand's process."""

from __future__ import annotations

import datetime as dt
import os
import sys
import time
from pathlib import Path

from django.utils import timezone

from tests.faults.rig_names import CLOCK

FILE = Path(os.environ["FAULTS_FOLDER"]) / CLOCK
LOOK_AGAIN = 0.1  # seconds

_time, _now = time.time, timezone.now
_known: list[float] = [0.0, 0.0]  # when the file was looked at, and what it said


def _ahead() -> float:
    if time.monotonic() - _known[0] > LOOK_AGAIN:
        try:
            _known[:] = time.monotonic(), float(FILE.read_text() or 0)
        except FileNotFoundError:
            _known[:] = time.monotonic(), 0.0
    return _known[1]


def _moved_time() -> float:
    return _time() + _ahead()


def _moved_now() -> dt.datetime:
    return _now() + dt.timedelta(seconds=_ahead())


for module in list(sys.modules.values()):  # what is loaded already may have taken hold of the right clock
    for name, value in list(vars(module).items()) if module is not sys.modules[__name__] else ():
        if value is _time or value is _now:
            setattr(module, name, _moved_time if value is _time else _moved_now)
