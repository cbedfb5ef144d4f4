"""JSON that somebody sends, by a program or in a form: as RFC 8259 has it, and what every database can keep."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable
from typing import Any, NoReturn

MOST_LEVELS = 32  # the deepest sheet has four
UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of characters


def read(text: str) -> Any:
    """Return the value of a text without NaN, a key twice, deep nesting or unstorable characters; else ValueError."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
        _check(value, may_hide="\\u" in text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def can_keep(value: Any) -> bool:
    """Say whether every database can keep a value: whether it could have been sent."""
    try:
        read(json.dumps(value))
    except (ValueError, RecursionError):
        return False
    return True


def written_length(value: Any) -> int:
    """Return how many bytes a value takes when it is stored, which may be more than it had on its way."""
    return len(json.dumps(value))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has the same key twice")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _check(value: Any, *, may_hide: bool) -> None:
    """Refuse what is nested too deeply, and characters that no database keeps: level by level, without recursion.

    Such characters can only come as escapes (`may_hide`): neither UTF-8 nor JSON has another way to write them.
    """
    level, depth = [value], 0
    while level:
        if depth > MOST_LEVELS:
            raise RecursionError
        if may_hide and any(isinstance(each, str) and UNSTORABLE.search(each) for each in level):
            raise ValueError("text has a character that is none")
        inner = [_inside(each, with_names=may_hide) for each in level if isinstance(each, (dict, list))]
        level, depth = list(itertools.chain.from_iterable(inner)), depth + 1


def _inside(value: dict[str, Any] | list[Any], *, with_names: bool) -> Iterable[Any]:
    if isinstance(value, list):
        return value
    return [*value, *value.values()] if with_names else value.values()
