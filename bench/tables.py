"""Tables as Markdown and as JSON, and timing, for all benches."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

_shown: list[dict[str, Any]] = []


def show(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table under a title."""
    table: dict[str, Any] = {"title": title, "rows": []}
    _shown.append(table)
    print(f"\n### {title}\n")
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---" if index == 0 else "---:" for index in range(len(head))) + " |")
    for row in rows:
        table["rows"].append(dict(zip(head, map(str, row), strict=True)))
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def write(file: Path) -> None:
    """Write every table shown so far as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(_shown, ensure_ascii=False, indent=1) + "\n")


def seconds_each(*works: Callable[[], object], least: float = 0.02, rounds: int = 25) -> list[float]:
    """Return the seconds one call of each work takes: the best of many rounds, in which all take turns.

    So a machine that is slower for a while is slower for all of them, and their ratios hold.
    """
    numbers = [_calls_for(work, least) for work in works]
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for index, (work, number) in enumerate(zip(works, numbers, strict=True)):
            best[index] = min(best[index], _time(work, number) / number)
    return best


def _calls_for(work: Callable[[], object], least: float) -> int:
    work()
    number = 1
    while _time(work, number) < least:
        number *= 2
    return number


def _time(work: Callable[[], object], number: int) -> float:
    started = time.perf_counter()
    for _ in range(number):
        work()
    return time.perf_counter() - started
