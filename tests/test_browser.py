"""A page of the running service, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_front_page_shows_its_heading(page: Page) -> None:
    page.goto("/")
    assert page.get_by_role("heading", level=1).is_visible()


def test_front_page_fits_a_phone(phone: Page) -> None:
    phone.goto("/")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
