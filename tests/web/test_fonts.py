"""The fonts that pages are set in: ours where they have the letters, the system's for every other script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.template.loader import render_to_string

from tests.web.markup import tags
from tests.web.test_design import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHEET = (STATIC / "fonts.css").read_text()
FACES = re.findall(r"@font-face \{([^}]*)\}", SHEET)
FILES = re.findall(r'url\("([^"]+)"\)', SHEET)
FETCHED = "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => name.endsWith('.woff2'))"
LATIN = ["noto-sans-latin.woff2", "vollkorn-latin.woff2"]
WIDTHS = """() => [..."0123456789"].map(digit => {
    const one = document.createElement("h1");
    one.textContent = digit;
    one.className = "sr-only";
    document.body.append(one);
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().width;
})"""


def fonts_of(page: Page, selector: str) -> dict[str, bool]:
    """Return the fonts that an element's letters are really drawn in, and whether each came with the page."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"]: font["isCustomFont"] for font in used}


def fetched(page: Page) -> list[str]:
    """Return the font files that a page has fetched."""
    return sorted(address.rpartition("/")[2] for address in page.evaluate(FETCHED))


def with_heading(page: Page, text: str) -> Page:
    """Open the front page with another heading, in the fonts that this needs."""
    page.goto("/")
    page.locator("h1").evaluate("(heading, text) => { heading.textContent = text; }", text)
    return settled(page)


def settled(page: Page) -> Page:
    """Wait for the fonts that a page asks for."""
    page.evaluate("new Promise(requestAnimationFrame).then(() => document.fonts.ready).then(() => null)")
    return page


def test_every_font_file_is_one_of_the_style_sheets_and_there() -> None:
    assert {f"fonts/{path.name}" for path in (STATIC / "fonts").glob("*.woff2")} == set(FILES)
    assert len(FILES) == len(set(FILES))


def test_every_face_is_variable_swaps_and_names_its_letters() -> None:
    assert len(FACES) == len(FILES)
    for face in FACES:
        assert {"font-weight: 400 700", "font-display: swap"} <= {part.strip() for part in face.split(";")}
        assert "unicode-range: U+" in face


def test_every_family_has_its_licence() -> None:
    families = {
        re.sub(r"fonts/(.*?)-(cyrillic|greek|latin|latin-ext|vietnamese)\.woff2", r"\1", name) for name in FILES
    }
    assert {path.name for path in (STATIC / "fonts").glob("*.txt")} == {f"OFL-{family}.txt" for family in families}
    for family in families:
        licence = (STATIC / "fonts" / f"OFL-{family}.txt").read_text()
        assert licence.startswith("Copyright")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence
        assert "Reserved Font Name" not in licence.partition("PREAMBLE")[0]  # else a subset could not keep the name


def test_only_latin_is_preloaded() -> None:
    preloaded = [
        tag.attributes for tag in tags(render_to_string("404.html"), "link") if tag.attributes["rel"] == "preload"
    ]
    assert [link["href"].rpartition("/")[2] for link in preloaded] == LATIN
    assert all("crossorigin" in link for link in preloaded)  # else the browser fetches them twice


@pytest.mark.parametrize("language", ["en", "fr"])
def test_english_and_french_fetch_latin_once_and_nothing_else(phone: Page, language: str) -> None:
    phone.set_extra_http_headers({"Accept-Language": language})
    phone.goto("/")
    assert fetched(settled(phone)) == LATIN


@pytest.mark.parametrize(
    "name", ["Łukasz Wójcik", "Ştefan Çağla", "Nguyễn Thị Hạnh", "Αλέξανδρος Νικολάου", "Олександр Шевченко"]
)
def test_names_in_latin_greek_and_cyrillic_are_set_in_our_fonts(phone: Page, name: str) -> None:
    assert fonts_of(with_heading(phone, name), "h1") == {"Vollkorn": True}
    phone.locator("h1").evaluate("heading => { heading.style.fontFamily = 'var(--sans)'; }")
    assert fonts_of(settled(phone), "h1") == {"Noto Sans": True}


@pytest.mark.parametrize("name", ["田中 さくら", "김민준", "ليلى منصور", "יעל כהן", "प्रिया शर्मा", "Ana 🎲🦊"])
def test_names_in_other_scripts_and_emoji_are_left_to_the_system(phone: Page, name: str) -> None:
    shown = with_heading(phone, name)
    assert shown.get_by_role("heading", level=1, name=name).is_visible()
    assert fetched(shown) == LATIN  # whether a system has the letters is its own affair


def test_digits_are_as_wide_as_each_other_in_headings_and_in_text(desktop: Page) -> None:
    desktop.goto("/")
    settled(desktop)
    assert len(set(desktop.evaluate(WIDTHS))) == 1
    assert len(set(desktop.evaluate(WIDTHS.replace('"h1"', '"p"')))) == 1


def test_page_is_whole_where_the_fonts_do_not_arrive(phone: Page) -> None:
    phone.route("**/*.woff2", lambda route: route.abort())
    phone.goto("/")
    assert phone.get_by_role("heading", level=1).is_visible()
    assert not any(fonts_of(phone, "h1").values())
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
