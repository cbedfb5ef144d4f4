"""Short forms of names where space ends: as short as they can be while everybody can still be told apart."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from core.likeness import ACCENTS, folded


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return for each name its shortest form that no other name could mean: Ana, Ana P., Ana Pe., then the whole."""
    known = list(dict.fromkeys(names))
    forms = {name: list(_forms(name)) for name in known}
    # A form is free for a name only if no other name has it, at whatever length that other one ends up.
    meant = Counter(form for each in forms.values() for form in {_folded(form) for form in each})
    return {name: next((form for form in forms[name] if meant[_folded(form)] == 1), name) for name in known}


def sort_key(name: str) -> tuple[str, str]:
    """Return what sorts names as people do: é with e, ø with o, capitals with small letters, the rest as written."""
    return folded(name), name


def _forms(name: str) -> Iterator[str]:
    """Yield shorter forms of a name, shortest first."""
    first, *rest = name.split()
    if rest:
        yield first
        last = rest[-1]
        for length in range(1, len(last) - 1):
            if not unicodedata.combining(last[length]):  # a letter keeps its accent
                yield f"{first} {last[:length]}."
        if len(rest) > 1:
            yield f"{first} {last}"
    yield name


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKD", text).translate(ACCENTS).casefold()
