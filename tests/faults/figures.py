"""What a run measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.faults.audit import audit, settle
from tests.faults.crowds import Meanwhile
from tests.faults.phones import Ledger

PROPERTY = "fault"  # the name a test's figures are reported under
HEAD = """\
| # | Injection | L | D | Δ | R (s) | Seen |
| ---: | --- | ---: | ---: | ---: | ---: | --- |"""


@dataclass
class Figures:
    """What a fault did: L, D and Δ by the audit, R by the clock."""

    number: int
    injection: str
    ledger: Ledger
    record: Callable[[str, object], None]
    others: Meanwhile | None = None  # phones that go on while it strikes
    recovery: float = 0.0

    def recovered(self, since: float, *, within: float) -> None:
        """Take the seconds since a moment as a recovery, and hold the longest one to a promise."""
        self.recovery = max(self.recovery, time.monotonic() - since)
        assert self.recovery <= within

    def clean(self, seen: str = "") -> None:
        """Wait until all is computed, then audit it: nothing lost, nothing twice, nothing different."""
        if self.others is not None:
            seen = f"{seen}; in a full room {self.others.are_served()}"
        settle()
        found = audit(self.ledger)
        self.note(seen, *found)
        assert found.is_clean, found

    def note(self, seen: str, *found: int) -> None:
        """Keep what was seen, for the table."""
        self.record(PROPERTY, [self.number, self.injection, list(found), self.recovery, seen])


def as_markdown(figures: Iterable[Any]) -> str:
    """Return figures as the table of `docs/reliability.md`."""
    lines = [HEAD]
    for number, injection, found, recovery, seen in sorted(figures):
        lost, doubled, different = found or ("–", "–", "–")
        lines.append(f"| {number} | {injection} | {lost} | {doubled} | {different} | {_seconds(recovery)} | {seen} |")
    return "\n".join(lines)


def _seconds(recovery: float) -> str:
    return f"{recovery:.1f}" if recovery else "–"
