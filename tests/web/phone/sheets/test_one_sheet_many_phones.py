"""Several phones fill in one sheet at once: each sees what others wrote, and is asked where two wrote in one field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from scoring.models import Draft
from scoring.services.drafts import merge_draft
from tests.browser import PHONE, opened
from tests.scoring.evenings import Evening, evening
from tests.web.phone.sheets.test_lost_connection import fill, sheet_of, state

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 30_000  # milliseconds on a machine busy with other tests


@pytest.fixture
def phones(browser: Browser, live_server) -> Iterator[list[Page]]:
    """Two phones."""
    with ExitStack() as stack:
        yield [stack.enter_context(opened(browser, live_server.url, PHONE)) for _ in range(2)]


@pytest.fixture
def tonight(live_server) -> Evening:
    return evening(seats=4, game="dice-run", confirmation="confirm", table_max=6)


def block(live_server) -> Evening:
    return evening(seats=3, game="ten-phases", confirmation="confirm")


def cell(page: Page, tonight: Evening, seat: int, phase: int):
    return page.locator(f'[id="block.{tonight.entries[seat].player.uid}.phases.{phase}"]')


def write(page: Page, tonight: Evening, seat: int, *points: str) -> None:
    for phase, number in enumerate(points):
        cell(page, tonight, seat, phase).fill(number)


def badges(page: Page, stage: int) -> list[str]:
    return page.locator(f'[data-stage="{stage}"] [aria-pressed=true] .badge').all_inner_texts()


def podiums() -> list[int]:
    return [len(stage.get("podium", ())) for stage in Draft.objects.get().sheet["stages"]]


def test_everybody_enters_their_own_column_at_once(phones: list[Page], live_server) -> None:
    tonight = block(live_server)
    for seat, page in enumerate(phones):
        sheet_of(page, tonight, seat)
    for seat, page in enumerate(phones):
        write(page, tonight, seat, "40", "3")
    for page in phones:
        state(page, "saved")
        for seat in range(2):
            expect(cell(page, tonight, seat, 0)).to_have_value("40")
            expect(cell(page, tonight, seat, 1)).to_have_value("3")
        expect(page.locator("dialog[data-conflict]")).to_be_hidden()
    columns = Draft.objects.get().sheet["block"]
    assert [columns[tonight.entries[seat].player.uid]["phases"] for seat in range(3)] == [[40, 3], [40, 3], []]


def test_what_one_writes_comes_to_the_other_phone_by_its_stream(phones: list[Page], tonight: Evening) -> None:
    one, other = phones
    looks = re.compile("/draft/")  # which a phone without a stream would do every few seconds
    other.route(looks, lambda route: route.abort() if route.request.method == "GET" else route.continue_())
    for seat, page in enumerate(phones):
        sheet_of(page, tonight, seat)
        expect(page.locator("[data-live-state]")).to_have_attribute("data-live-state", "fresh")
    fill(one, range(1))
    state(one, "saved")
    expect(other.locator('[data-stage="0"] [aria-pressed=true]')).to_have_count(3, timeout=PATIENCE)
    state(other, "saved")
    assert other.locator("[data-total]").all_inner_texts() == one.locator("[data-total]").all_inner_texts()


def test_without_a_stream_a_phone_looks(phones: list[Page], tonight: Evening) -> None:
    one, other = phones
    other.route("**/news/**", lambda route: route.abort())
    for seat, page in enumerate(phones):
        sheet_of(page, tonight, seat)
    fill(one, range(1))
    state(one, "saved")
    expect(other.locator('[data-stage="0"] [aria-pressed=true]')).to_have_count(3, timeout=15_000)


def apart(phones: list[Page], tonight: Evening) -> tuple[Page, Page]:
    """Let both write the first podium while one of them has no connection; return that one last."""
    one, other = phones
    for seat, page in enumerate(phones):
        sheet_of(page, tonight, seat)
    other.context.set_offline(True)
    fill(other, range(2), (2,))
    state(other, "offline")
    fill(one, range(1))
    fill(one, range(3, 4))
    state(one, "saved")
    other.context.set_offline(False)
    expect(other.locator("dialog[data-conflict]")).to_be_visible()
    return one, other


def test_a_phone_that_was_away_brings_what_it_wrote_and_is_asked_about_one_podium(
    phones: list[Page], tonight: Evening
) -> None:
    one, other = apart(phones, tonight)
    names = [entry.name for entry in tonight.entries]
    first = " · ".join(names[player] for player in (1, 0, 3))
    expect(other.locator("[data-question]")).to_have_text(f"{names[0]} wrote {first}, you wrote {names[2]}: which?")
    expect(other.locator("dialog [data-where]")).to_contain_text("Stage 1")
    assert podiums() == [3, 1, 0, 3]
    other.locator("[data-take-theirs]").click()
    expect(other.locator("dialog[data-conflict]")).to_be_hidden()
    assert badges(other, 0) == ["2", "1", "3"]
    assert podiums() == [3, 1, 0, 3]
    expect(one.locator('[data-stage="1"] [aria-pressed=true]')).to_have_count(1)


def test_own_value_can_be_kept_and_the_other_phone_is_told(phones: list[Page], tonight: Evening) -> None:
    one, other = apart(phones, tonight)
    other.locator("[data-keep-mine]").click()
    state(other, "saved")
    expect(one.locator("[data-told]")).to_contain_text("→")
    assert podiums() == [1, 1, 0, 3]
    one.get_by_role("button", name="Fine").click()
    expect(one.locator("[data-told]")).to_be_hidden()


def test_a_question_outlives_its_page(phones: list[Page], tonight: Evening) -> None:
    other = apart(phones, tonight)[1]
    other.reload()
    expect(other.locator("dialog[data-conflict]")).to_be_visible()
    other.locator("[data-keep-mine]").click()
    state(other, "saved")
    assert podiums() == [1, 1, 0, 3]


def test_two_windows_of_one_phone_lose_nothing(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    second = phone.context.new_page()
    sheet_of(second, tonight)
    phone.context.set_offline(True)
    fill(phone, range(1))
    fill(second, range(1, 2))
    state(phone, "offline")
    state(second, "offline")
    phone.goto("about:blank")
    second.goto("about:blank")
    phone.context.set_offline(False)
    sheet_of(phone, tonight)
    state(phone, "saved")
    for stage in range(2):
        expect(phone.locator(f'[data-stage="{stage}"] [aria-pressed=true]')).to_have_count(3)
    assert podiums() == [3, 3, 0, 0]
    assert phone.evaluate("Object.keys(localStorage).filter((key) => key.includes('sheet')).length") == 0


def test_what_an_older_page_kept_only_adds(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    uid = tonight.entries[2].player.uid
    merge_draft(actor=tonight.players[1], table=tonight.table, sheet={"stages": [{}, {"podium": [uid]}]})
    kept = {"fields": [["stages.0.podium.0", uid]], "version": 0, "tried": "", "isSaved": False}
    phone.evaluate(
        "(kept) => localStorage.setItem(`ludoscore.sheet:${document.forms.sheet.dataset.draft}`, kept)",
        json.dumps(kept),
    )
    phone.reload()
    state(phone, "saved")
    assert podiums()[:2] == [1, 1]


def test_what_there_are_too_many_clashes_to_ask_about_is_said(
    phones: list[Page], tonight: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer lists the first of them: neither what the page had goes without a word, nor what another one left."""
    monkeypatch.setattr("api.reports.MOST_CLASHES", 0)
    one, other = phones
    second = other.context.new_page()
    for seat, page in enumerate((one, other, second)):
        sheet_of(page, tonight, min(seat, 1))
    other.context.set_offline(True)
    for stage, page in enumerate((other, second)):
        fill(page, range(stage, stage + 1), (2,))
        state(page, "offline")
        page.goto("about:blank")
    fill(one, range(2))
    state(one, "saved")
    other.context.set_offline(False)
    sheet_of(other, tonight, 1)
    for stage in ("Stage 1", "Stage 2"):
        expect(other.locator("[data-told]")).to_contain_text(stage)
    assert podiums() == [3, 3, 0, 0]
