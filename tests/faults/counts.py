"""How much a run tries."""

from __future__ import annotations

import os

IS_FULL = os.environ.get("LUDOSCORE_FAULTS") == "full"


def count(few: int, many: int) -> int:
    """Return how often to try: few times with the other tests, many times in a full run."""
    return many if IS_FULL else few
