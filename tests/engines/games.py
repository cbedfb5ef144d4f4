"""Reports and records of every game and variant, for tests that hold for all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engines import GAMES
from engines import vectors as published
from engines.base import Engine, Variant
from engines.simulation import Plan, Played, play_game


def every_variant() -> list[Any]:
    """Return every game and variant as parameters."""
    return [
        pytest.param(engine, variant, id=f"{engine.slug}-{variant.slug}")
        for engine in GAMES.values()
        for variant in engine.variants
    ]


def every_number_of_people() -> list[Any]:
    """Return every game, variant and number of people as parameters."""
    return [
        pytest.param(engine, variant, people, id=f"{engine.slug}-{variant.slug}-{people}")
        for engine in GAMES.values()
        for variant in engine.variants
        for people in variant.people
    ]


@cache
def played(engine: Engine, variant: Variant, people: int, number: int = 0, player: str = "decent") -> Played:
    """Return a simulated game."""
    return play_game(Plan(engine.slug, variant.slug, people, seed=7, player=player), number)


def vectors() -> list[Any]:
    """Return every example with its expected verdict as parameters."""
    return [
        pytest.param(slug, vector, id=f"{slug}-{vector['id']}") for slug in GAMES for vector in published.vectors(slug)
    ]


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Return a report with its seats called otherwise, wherever a label stands."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def plain(text: str) -> str:
    """Return a text with ordinary spaces where French typography keeps words together."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")
