"""Markdown tables and timing, for all benches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence


def show(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table under a title."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---" if index == 0 else "---:" for index in range(len(head))) + " |")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def seconds_each(work: Callable[[], object], *, least: float = 0.2, rounds: int = 5) -> float:
    """Return the seconds one call takes: the best of several rounds, each long enough to be measured."""
    work()
    number, best = 1, 0.0
    while True:
        started = time.perf_counter()
        for _ in range(number):
            work()
        took = time.perf_counter() - started
        if took >= least / rounds:
            break
        number *= 2
    best = took / number
    for _ in range(rounds - 1):
        started = time.perf_counter()
        for _ in range(number):
            work()
        best = min(best, (time.perf_counter() - started) / number)
    return best
