"""How much longer something takes when there is more of it, also on a machine that does much else."""

from __future__ import annotations

import time
from collections.abc import Callable

LEAST_TRIES, MOST_TRIES = 5, 25
SHORTEST = 1e-4  # seconds; below that a clock tells nothing


def takes_as_long_as_it_is(act: Callable[[str], object], write: Callable[[int], str], length: int) -> bool:
    """Say whether ten times as much takes about ten times as long; its square would take a hundred times.

    The quickest try of each counts, and they take turns: whatever else a machine does only adds to them.
    """
    short, long = [], []
    for number in range(MOST_TRIES):
        short.append(_seconds(act, write(length)))
        long.append(_seconds(act, write(10 * length)))
        if number + 1 >= LEAST_TRIES and min(long) < 30 * max(min(short), SHORTEST):
            return True
    return False


def _seconds(act: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    act(text)
    return time.thread_time() - began
