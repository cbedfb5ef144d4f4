"""The design holds what it promises: contrast, size, nothing from elsewhere, nothing inline."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import Settings

from engines import GAMES
from tests.web.markup import Tag, tags
from tests.web.test_errors import PAGES

STATIC = Path(__file__).parents[2] / "static"
CSS = (STATIC / "ludoscore.css").read_text()
TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
}
TONES = ("good", "warn", "bad", "info")

# Text on what it stands on where two rules meet; pairs within one rule are read from the style sheet.
TEXT = {
    *((text, ground) for text in ("ink", "soft", "felt", "felt-deep", "bad") for ground in ("paper", "sheet")),
    *((tone, f"{tone}-tint") for tone in TONES),
    *(("ink", f"{tone}-tint") for tone in TONES),
}
SHAPES = {(shape, ground) for shape in ("edge", "lamp") for ground in ("paper", "sheet")}


def declared_pairs() -> set[tuple[str, str]]:
    bodies = re.findall(r"\{([^{}]*)\}", CSS)
    found = [
        (re.search(r"(?<![-\w])color: var\(--([a-z-]+)\)", body), re.search(r"background: var\(--([a-z-]+)\)", body))
        for body in bodies
    ]
    return {(text[1], ground[1]) for text, ground in found if text and ground}


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_wcag_does() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_and_shapes_stand_out(scheme: int) -> None:
    wanted = dict.fromkeys(TEXT | declared_pairs(), 4.5) | dict.fromkeys(SHAPES, 3.0)
    ratios = {pair: contrast(TOKENS[pair[0]][scheme], TOKENS[pair[1]][scheme]) for pair in wanted}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < wanted[pair]} == {}


def test_style_sheet_is_small() -> None:
    assert len(CSS.encode()) < 14_000


def test_every_token_is_used() -> None:
    declared = set(re.findall(r"(--[a-z0-9-]+):", CSS))
    used = set(re.findall(r"var\((--[a-z0-9-]+)", CSS + (STATIC / "icons.svg").read_text()))
    assert declared == used


def test_browser_chrome_has_the_colour_of_the_page(client: Client, db: None) -> None:
    themes = [
        tag for tag in tags(client.get("/").content.decode(), "meta") if tag.attributes.get("name") == "theme-color"
    ]
    assert tuple(tag.attributes["content"] for tag in themes) == TOKENS["paper"]


def test_every_game_and_digit_has_its_icon() -> None:
    symbols = {element.get("id") for element in ET.parse(STATIC / "icons.svg").getroot()}
    assert symbols == {*GAMES, "custom", *(f"die-{digit}" for page in PAGES for digit in page[:3])}


def is_our_own(address: str) -> bool:
    return address.startswith("#") or (address.startswith("/") and not address.startswith("//"))


def is_inline(tag: Tag) -> bool:
    return (
        tag.name == "style"
        or (tag.name == "script" and "src" not in tag.attributes)
        or any(name == "style" or name.startswith("on") for name in tag.attributes)
    )


@pytest.fixture
def every_page(client: Client, settings: Settings, db: None) -> list[str]:
    settings.DEBUG = True
    visited = [client.get(address).content.decode() for address in ("/", "/styleguide/")]
    return visited + [render_to_string(f"{page}.html") for page in PAGES]


def test_pages_ask_nobody_else_for_anything(every_page: list[str]) -> None:
    found = [tag for page in every_page for tag in tags(page)]
    addresses = [tag.attributes[name] for tag in found for name in ("href", "src", "action") if name in tag.attributes]
    assert [address for address in addresses if not is_our_own(address)] == []
    assert "url(" not in CSS
    assert "@import" not in CSS


def test_pages_hold_no_inline_script_or_style(every_page: list[str]) -> None:
    assert [tag for page in every_page for tag in tags(page) if is_inline(tag)] == []


def test_every_page_has_one_main_heading(every_page: list[str]) -> None:
    assert {len(tags(page, "h1")) for page in every_page} == {1}
