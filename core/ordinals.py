"""Places as people write them: 3rd, 3e."""

from __future__ import annotations

from core.language import reader_language

ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number: int) -> str:
    """Return a place in the reader's language: 1st, 2nd, 11th, 21st; 1er, 2e."""
    if reader_language().startswith("fr"):
        return f"{number}er" if number == 1 else f"{number}e"
    is_teen = number % 100 in range(11, 14)
    return f"{number}{'th' if is_teen else ENDINGS.get(number % 10, 'th')}"
