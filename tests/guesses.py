"""Wrong codes and secrets that came before."""

from __future__ import annotations

from core import brute_force, limits


def guess(times: int) -> None:
    """Count so many wrong ones from where the requests of tests come from."""
    for _ in range(times):
        assert limits.take(brute_force.GUESSES, "127.0.0.1", brute_force.A_MINUTE, 60).is_within
