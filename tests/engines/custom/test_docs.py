"""The how-to of own games says what is so: its definition makes sense, its sheets are right, its codes exist."""

from __future__ import annotations

from pathlib import Path

from engines import custom
from engines.custom.words import MESSAGES
from tests.documents import json_blocks

PAGE = "docs/how-to/your-own-game.md"
ROOT = Path(__file__).parents[3]


def test_examples_are_judged_as_the_page_says():
    definition, sheets = json_blocks("docs/how-to/your-own-game.md")
    known = {"custom:harbour": definition} | {f"custom:{each['slug']}": each for each in custom.ready()}
    for sheet in sheets:
        value = known[sheet["game"]]
        if sheet["game"] == "custom:ten-hands":
            value = {**value, "seats": {"min": 2, "max": 6}, "sheet": {**value["sheet"], "rounds": 2}}
        checked = custom.read(value)
        assert checked.definition, checked.errors
        assert custom.engine(checked.definition).check(sheet).ok, sheet


def test_page_names_every_code():
    page = (ROOT / PAGE).read_text()
    assert [code for code in MESSAGES if f"`{code}`" not in page] == []
