"""Any game: a club describes its sheet as data, and the same frame judges it as the games that we know by heart."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any

from engines.base import Engine, Words
from engines.custom import report, words
from engines.custom.definition import Checked, Definition, PlacesSheet, read, schema, words_of
from engines.custom.report import CODES, PREFIX
from engines.custom.words import say

__all__ = [
    "CODES",
    "PREFIX",
    "Checked",
    "CustomEngine",
    "Definition",
    "engine",
    "read",
    "ready",
    "say",
    "schema",
    "stored",
]

_NO_SUMMARY = Words("A game of the club.", "Un jeu du club.")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CustomEngine(Engine):
    """A club's own game; `definition` is all there is to know of it."""

    definition: Definition
    version: int = 1
    """Which of the definitions that a club has given of this game."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its sheets."""
        return report.schema(self.definition, self.variants[0].shape)


def stored(value: dict[str, Any]) -> Definition:
    """Return a definition that was accepted once; what is found since then does not take it back."""
    return Definition.model_validate(value)


def engine(definition: Definition, *, stored: str = "", version: int = 1) -> CustomEngine:
    """Return what judges the sheets of a game, and says what it finds."""
    check = report.checker(definition)
    variants = tuple(check.variants.values())
    return CustomEngine(
        slug=check.slug,
        name=words_of(definition.name),
        summary=words_of(definition.remarks) if definition.remarks else _NO_SUMMARY,
        variants=variants,
        check=check,
        minimal=partial(report.minimal, definition),
        messages=words.MESSAGES,
        place=partial(words.place, definition),
        keys={variant.slug: words.keys(definition) for variant in variants},
        row=words.ROW_OF_PLACES if isinstance(definition.sheet, PlacesSheet) else None,
        is_one_value=lambda path: path == ("places",),
        is_low=definition.is_low,
        stored=stored,
        definition=definition,
        version=version,
    )


@cache
def ready() -> tuple[dict[str, Any], ...]:
    """Return definitions to start from, for families of games that everybody knows."""
    text = (resources.files("engines") / "data" / "ready.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))
