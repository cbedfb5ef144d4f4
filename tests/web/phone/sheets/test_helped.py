"""What helps on a sheet: what a correction changes, the strip of totals, and what is still to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from scoring.services.reports import dispute_report, submit_report
from tests.scoring.evenings import Evening, evening, minimal
from tests.web.phones import link_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = ["Nathanaël Ferrand", "Nathanaël Fournier", "Nathalie de Montmorency", "Bo"]


@pytest.fixture
def tonight(live_server) -> Evening:
    return evening(seats=4, game="ten-phases", confirmation="confirm")


def sheet_of(page: Page, tonight: Evening, seat: int = 0, query: str = "") -> None:
    page.goto(f"/me/{link_of(tonight.entries[seat])}/")
    page.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/{query}")
    page.wait_for_selector("form.sheet[data-state]")


def cell(page: Page, tonight: Evening, seat: int, phase: int):
    return page.locator(f'[id="block.{tonight.entries[seat].player.uid}.phases.{phase}"]')


def disputed(tonight: Evening) -> None:
    sheet = minimal(tonight.table, tonight.sheet())
    report = submit_report(actor=tonight.players[0], table=tonight.table, sheet=sheet)
    dispute_report(actor=tonight.players[1], report=report, reason="")


def another(page: Page, tonight: Evening) -> tuple[str, str]:
    """Write another number than was sent into the first cell of the second player; return both."""
    field = cell(page, tonight, 1, 0)
    before = field.input_value()
    possible = page.locator('[data-phase="1"]').get_attribute("data-points").split()
    after = next(points for points in possible if points != before)
    field.fill(after)
    return before, after


@pytest.mark.parametrize("is_offline", [False, True], ids=["online", "offline"])
def test_the_review_says_what_a_correction_changes(phone: Page, tonight: Evening, *, is_offline: bool) -> None:
    disputed(tonight)
    sheet_of(phone, tonight, 1, "?sheet")
    phone.context.set_offline(is_offline)
    before, after = another(phone, tonight)
    phone.get_by_role("button", name="Send").click()
    said = phone.locator("[data-corrections] li")
    expect(said).to_have_count(1)
    expect(said).to_have_text(f"{tonight.entries[1].name} · Phase 1: {before} → {after}")
    phone.locator("[data-back]").click()
    cell(phone, tonight, 1, 0).fill(before)
    phone.get_by_role("button", name="Send").click()
    expect(said).to_have_text("Nothing: this is the sheet that was sent.")


def test_a_first_sheet_changes_nothing(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    expect(phone.locator("[data-corrections]")).to_have_count(0)


def named(tonight: Evening) -> Evening:
    for entry, name in zip(tonight.entries, LONG, strict=True):
        entry.name = name
        entry.save()
    return tonight


def test_the_strip_has_short_names_and_leads_to_a_player(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, named(tonight))
    strip = phone.locator(".sheet-places .sheet-name")
    assert strip.all_inner_texts() == ["Nathanaël Fe.", "Nathanaël Fo.", "Nathalie", "Bo"]
    phone.locator("[data-jump]").nth(2).tap()
    expect(cell(phone, tonight, 2, 0)).to_be_focused()
    expect(phone.locator("[data-jump]").nth(2)).to_have_attribute("aria-current", "true")
    phone.locator("[data-key=done]").tap()
    cell(phone, tonight, 0, 3).tap()
    expect(phone.locator("[data-jump][aria-current]")).to_have_count(1)
    expect(phone.locator("[data-jump]").nth(0)).to_have_attribute("aria-current", "true")


def test_what_is_wrong_is_counted_and_looked_at_one_after_the_other(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    expect(phone.locator("[data-next]")).to_be_hidden()
    for seat in range(2):
        cell(phone, tonight, seat, 0).fill("99")
    expect(phone.locator("[data-next]")).to_have_text("2 things to look at: next")
    phone.wait_for_selector("form.sheet[data-state=saved]")
    state = phone.locator(".sheet-state").evaluate("(each) => getComputedStyle(each).color")
    good = phone.evaluate(
        "() => { const probe = document.body.appendChild(document.createElement('i'));"
        " probe.style.color = 'var(--good)'; return getComputedStyle(probe).color; }"
    )
    assert state != good, "nothing is green beside an error"
    for seat in (0, 1, 0):
        phone.locator("[data-next]").tap()
        expect(cell(phone, tonight, seat, 0)).to_be_focused()
        phone.locator("[data-key=done]").tap()


def test_the_name_of_a_hand_stays_in_view(phone: Page, live_server) -> None:
    tonight = named(evening(seats=4, game="dix", confirmation="confirm"))
    sheet_of(phone, tonight)
    hand = phone.locator("fieldset.hand").nth(1)
    hand.locator(".run").last.scroll_into_view_if_needed()
    phone.evaluate("scrollBy(0, 300)")
    strip, legend = phone.locator(".sheet-places").bounding_box(), hand.locator(".sheet-legend").bounding_box()
    assert strip is not None
    assert legend is not None
    assert abs(legend["y"] - (strip["y"] + strip["height"])) < 2


def test_the_strip_ranks_hands_as_the_rules_do(phone: Page, live_server) -> None:
    tonight = evening(seats=3, game="dix", confirmation="confirm")
    sheet_of(phone, tonight)
    phone.context.set_offline(True)  # nobody judges it
    fields = {"runs.blue": ["1-6", "1-6", "1-4"], "coins": ["3", "9", "9"], "consolation": ["0", "0", "0"]}
    for name, values in fields.items():
        for entry, value in zip(tonight.entries, values, strict=True):
            field = phone.locator(f'[id="hands.{entry.player.uid}.{name}"]')
            field.evaluate(
                "(field, value) => { field.value = value;"
                " field.dispatchEvent(new Event('input', { bubbles: true })); }",
                value,
            )
    assert phone.locator(".sheet-rank").all_inner_texts() == ["2", "1", "3"]
