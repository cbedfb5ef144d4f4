"""The pages as a browser lays them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from pytest_django import Settings

from tests.web.test_design import TOKENS

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALLER_THAN_A_THUMB = """() => [...document.querySelectorAll("a, button")]
    .map(element => [element.innerText, element.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44)
    .map(([text]) => text)"""


@pytest.fixture(autouse=True)
def _with_style_guide(settings: Settings) -> None:
    settings.DEBUG = True


def ground(page: Page, selector: str) -> str:
    """Return the colour behind an element as the style sheet would write it."""
    colour = page.eval_on_selector(selector, "element => getComputedStyle(element).backgroundColor")
    return "#" + "".join(f"{int(part):02x}" for part in colour[4:-1].split(","))


def test_style_guide_does_not_slide_sideways(page: Page) -> None:
    page.goto("/styleguide/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_everything_to_tap_is_large_enough(phone: Page) -> None:
    phone.goto("/")
    assert phone.evaluate(SMALLER_THAN_A_THUMB) == []


def test_colours_follow_the_reader_and_the_theme(desktop: Page) -> None:
    desktop.goto("/styleguide/")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme, colour in zip(schemes, TOKENS["paper"], strict=True):
        desktop.emulate_media(color_scheme=scheme)
        assert ground(desktop, "body") == colour
        themed = [ground(desktop, f"[data-theme={theme}]") for theme in schemes]
        assert tuple(themed) == TOKENS["sheet"]


def test_keyboard_reaches_the_content_first(desktop: Page) -> None:
    desktop.goto("/")
    desktop.keyboard.press("Tab")
    desktop.keyboard.press("Enter")
    assert desktop.evaluate("document.activeElement.id") == "main"
