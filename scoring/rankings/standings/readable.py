"""Points as people read them: as few decimals as tell them apart. What the API says stays exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

MOST_DECIMALS = 9
HUNDRED = 100  # points of a table, where they are the share of opponents beaten
SHARE = "placement"
IN_POINTS = {"points", "round-points"}  # reasons whose facts are points …
TIEBREAKS_IN_POINTS = {"opponents"}  # … and tie-breaks
PERCENT = {"score_share"}
SEASON = "season"  # whose events give up to a hundred points already
IN_SEASON_POINTS = {"best_event", "last_event"}


class Scale(NamedTuple):
    """By how much a value is multiplied for people, and how many decimals it has unless they are zeros."""

    factor: int = 1
    decimals: int = 1
    is_percent: bool = False

    def texts(self, values: Sequence[str | None]) -> list[str | None]:
        """Return exact values as people read them; with more decimals where two that differ would look alike."""
        known = {value: Decimal(value) * self.factor for value in values if value is not None}
        found = _apart(set(known.values()), self.decimals)
        pattern = _("{number}%") if self.is_percent else "{number}"
        return [None if value is None else pattern.format(number=found[known[value]]) for value in values]


def _apart(numbers: set[Decimal], decimals: int) -> dict[Decimal, str]:
    alike: dict[str, list[Decimal]] = defaultdict(list)
    for number in numbers:
        alike[_text(number, decimals)].append(number)
    texts: dict[Decimal, str] = {}
    for text, group in alike.items():
        is_apart = len(group) == 1 or decimals >= MOST_DECIMALS
        texts |= dict.fromkeys(group, text) if is_apart else _apart(set(group), decimals + 1)
    return texts


def _text(number: Decimal, decimals: int) -> str:
    rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return f"{rounded:f}".rstrip("0").rstrip(".") if decimals else f"{rounded:f}"


def scale_of(points: str) -> Scale:
    """Return how the points of an event are shown, by its scheme, or those of a `SEASON`."""
    if points == SEASON:
        return Scale(decimals=0)
    return Scale(HUNDRED, 0) if points == SHARE else Scale()


def taken_off(points: object, scheme: str) -> str:
    """Return the points of a penalty as people read them, and not rounded."""
    text = f"{Decimal(str(points)) * scale_of(scheme).factor:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def scale_of_tiebreak(key: str, points: str) -> Scale:
    """Return how the values of a tie-break are shown, in an event with this scheme of points."""
    if key in TIEBREAKS_IN_POINTS or (points == SEASON and key in IN_SEASON_POINTS):
        return scale_of(points)
    return Scale(HUNDRED, is_percent=True) if key in PERCENT else Scale()


def readable(reason: Mapping[str, Any], points: str) -> dict[str, Any]:
    """Return a reason with its two values as people read them."""
    if "own" not in reason:
        return dict(reason)
    scale = scale_of(points) if reason["code"] in IN_POINTS else scale_of_tiebreak(reason.get("key", ""), points)
    above, own = (str(each) if each is not None else None for each in (reason["above"], reason["own"]))
    above, own = scale.texts([above, own])
    return {**reason, "above": above, "own": own}
