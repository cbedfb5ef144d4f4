"""The look of the sheets: small, of the same tokens as every page, and readable in both schemes."""

from __future__ import annotations

import re

import pytest

from tests.web.test_design import CSS as MAIN
from tests.web.test_design import STATIC, TOKENS, contrast

CSS = (STATIC / "phone/sheets/sheets.css").read_text()
HUES = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
}


def test_style_sheet_is_small() -> None:
    assert len(CSS.encode()) < 10_000


def test_colours_are_tokens() -> None:
    rules = CSS.partition("}")[2]
    assert re.findall(r"#[0-9a-f]{3,8}\b", rules) == ["#000a"]  # what lies under a dialog
    assert "url(" not in CSS


def test_every_token_exists() -> None:
    declared = set(re.findall(r"(--[a-z0-9-]+):", MAIN + CSS))
    assert set(re.findall(r"var\((--[a-z0-9-]+)", CSS)) <= declared


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_of_the_games_can_be_read_and_written_on(scheme: int) -> None:
    assert len(HUES) == 6
    for hue in HUES.values():
        assert contrast(hue[scheme], TOKENS["sheet"][scheme]) >= 4.5
        assert contrast(hue[scheme], TOKENS["on-felt"][scheme]) >= 4.5
