"""Pictures to share, handed on by a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.public.test_pictures import league, size_of
from web.pictures.drawing import HEIGHT, WIDTH

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHARES = """() => {
    window.shared = [];
    navigator.canShare = () => true;
    navigator.share = async what => {
        window.shared.push([what.title, what.files[0].name, what.files[0].size]);
        document.title = "shared";
    };
}"""


@pytest.fixture(autouse=True)
def _without_a_worker(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)


@pytest.mark.django_db(transaction=True)
def test_the_picture_is_handed_to_the_phone_or_saved(phone: Page):
    event = league().evening(name="Thursday")
    phone.goto(f"/e/{event.uid}/")
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Share as a picture").click()
    assert saved.value.suggested_filename == "thursday.png"
    assert size_of(saved.value.path().read_bytes()) == (WIDTH, HEIGHT)
    phone.add_init_script(f"({SHARES})()")
    table = event.rounds.get(number=1).tables.first()
    phone.goto(f"/e/{event.uid}/table/{table.uid}/")
    phone.get_by_role("link", name="Share as a picture").click()
    expect(phone).to_have_title("shared")
    title, name, size = phone.evaluate("window.shared[0]")
    assert (title, name) == ("Thursday", f"thursday-{table.number}.png")
    assert size > 10_000
