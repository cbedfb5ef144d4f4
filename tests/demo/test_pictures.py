"""The pictures that documents show, of the demo as it is now; `--screenshots` keeps them."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from core.models import User
from demo import story
from demo.people import names
from demo.programme import PROGRAMME
from tests.browser import DESKTOP, PHONE, PICTURES, opened
from tests.documents import ROOT
from tests.web.organisers import log_in
from tournaments import links
from tournaments.models import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IMAGES = ROOT / "docs/images"
EVENINGS = [evening for evening in PROGRAMME if evening.club == 0][-4:]  # enough of a season to be a race
DARK_AND_FRENCH = {"color_scheme": "dark", "locale": "fr"}

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Picture:
    """A file of the documents, and the page it shows to whom: nobody, the organiser, or who has a personal link."""

    file: str
    device: dict[str, Any]
    path: str
    is_organiser: bool = False
    link: str = ""
    is_whole_page: bool = False


def drawable(club: int) -> list[str]:
    """Return the people of a club whose names our fonts have the letters of, as a machine may have no others."""
    return [name for name in names(club) if re.fullmatch("[ -ӿḀ-ỿ’]+", name)]


def pictures(demo: story.Demo) -> Iterator[Picture]:
    """Yield every picture there is."""
    event = demo.tonight.event
    confirms, _differs, late = (entry for _shows, entry in demo.tonight.phones)
    table = Table.objects.get(round__event=event, round__number=2, seats__entry=late)
    home, sheet = reverse("web:phone-home", args=[event.uid]), reverse("web:table", args=[event.uid, table.uid])
    yield Picture("front-page.png", DESKTOP, "/", is_whole_page=True)
    yield Picture("tutorial/phone.png", PHONE, home, link=links.personal_link(confirms, ""))
    yield Picture("tutorial/sheet.png", PHONE, sheet, link=links.personal_link(late, ""))
    yield Picture("tutorial/projector.png", DESKTOP, links.projector_link(event, ""))
    yield Picture("tutorial/console.png", DESKTOP, reverse("web:console", args=[event.uid]), is_organiser=True)
    season = reverse("web:season", args=[demo.season.uid])
    yield Picture("standings/season.png", DESKTOP, season)
    yield Picture("standings/season-phone.png", PHONE | DARK_AND_FRENCH, season)
    yield Picture("standings/leaderboard.png", PHONE, reverse("web:leaderboard", args=["dix"]) + "?search=e")
    yield Picture("tutorial/standings.png", DESKTOP, reverse("web:event", args=[event.uid]), is_organiser=True)


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


def test_documents_show_the_demo(
    browser: Browser, live_server: Any, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "names", drawable)
    demo = story.fill(lambda done, steps, what: None, EVENINGS)
    taken = list(pictures(demo))
    assert {picture.file for picture in taken} == {str(path.relative_to(IMAGES)) for path in IMAGES.rglob("*.png")}
    for picture in taken:
        with ExitStack() as stack:
            page = stack.enter_context(opened(browser, live_server.url, picture.device))
            if picture.is_organiser:
                log_in(page, User.objects.get(email=demo.email))
            if picture.link:
                page.goto(picture.link)
            answer = page.goto(picture.path)
            assert answer is not None
            assert answer.status == 200
            page.wait_for_load_state("networkidle")  # fonts are there, and scripts have done their part
            page.mouse.move(-1, -1)  # what appears under a pointer stays away
            if pytestconfig.getoption("--screenshots"):
                kept = PICTURES / "documents" / picture.file
                page.screenshot(path=kept, full_page=picture.is_whole_page, animations="disabled")
        viewport = picture.device["viewport"]
        width, height = size_of(IMAGES / picture.file)
        assert width == viewport["width"]
        assert height == viewport["height"] or picture.is_whole_page
