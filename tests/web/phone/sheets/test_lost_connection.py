"""A sheet on the phone of a player: kept, sent and counted once, whatever happens to the connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from scoring.models import Draft, Report
from tests.browser import PHONE, opened
from tests.scoring.evenings import Evening, evening
from tests.web.phones import link_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

REPORTS = "**/api/v1/tables/*/reports/*"


@pytest.fixture
def tonight(live_server) -> Evening:
    return evening(seats=4, game="dice-run", confirmation="confirm", table_max=6)


def sheet_of(page: Page, tonight: Evening, seat: int = 0) -> None:
    """Open the sheet of the table on a player's phone."""
    page.goto(f"/me/{link_of(tonight.entries[seat])}/")
    page.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/")
    page.wait_for_selector("form.sheet[data-state]")


def fill(page: Page, stages: range = range(4), players: tuple[int, ...] = (1, 0, 3)) -> None:
    for stage in stages:
        for player in players:
            page.locator(f'[data-stage="{stage}"] .podium-keys button').nth(player).tap()


def state(page: Page, wanted: str) -> None:
    page.wait_for_selector(f"form.sheet[data-state={wanted}]")


def send(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    page.wait_for_selector("dialog[open]")
    page.locator("[data-send-off]").click()


def wait_until_sent(page: Page) -> None:
    page.wait_for_selector("form.sheet", state="detached")  # the page of the table says what happens next


def test_sheet_is_sent_and_the_page_moves_on(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    fill(phone)
    state(phone, "saved")
    send(phone)
    wait_until_sent(phone)
    report = Report.objects.get()
    assert report.status == Report.Status.PENDING
    assert report.entry == tonight.entries[0]
    assert "waiting" in phone.locator("main").inner_text().lower()


def test_draft_is_saved_while_typing_and_shown_on_another_phone(
    phone: Page, browser: Browser, live_server, tonight: Evening
) -> None:
    sheet_of(phone, tonight)
    fill(phone, range(2))
    state(phone, "saved")
    assert len(Draft.objects.get().sheet["stages"][1]["podium"]) == 3
    with opened(browser, live_server.url, PHONE) as other:
        sheet_of(other, tonight, seat=1)
        state(other, "saved")
        assert other.locator('[data-stage="1"] [aria-pressed=true]').count() == 3


def test_typing_goes_on_offline_and_is_saved_afterwards(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    phone.context.set_offline(True)
    fill(phone, range(2))
    state(phone, "offline")
    assert phone.locator("[data-total]").all_inner_texts() == ["4", "7", "0", "2"]
    phone.context.set_offline(False)
    state(phone, "saved")
    assert len(Draft.objects.get().sheet["stages"][1]["podium"]) == 3


def test_sheet_sent_offline_is_queued_and_goes_when_the_connection_returns(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    fill(phone)
    state(phone, "saved")
    phone.context.set_offline(True)
    send(phone)
    state(phone, "queued")
    assert not Report.objects.exists()
    phone.context.set_offline(False)
    wait_until_sent(phone)
    assert Report.objects.count() == 1


def queue(phone: Page, tonight: Evening) -> None:
    """Fill a sheet in and send it while no report gets through."""
    sheet_of(phone, tonight)
    fill(phone)
    state(phone, "saved")
    phone.route(REPORTS, lambda route: route.abort())
    send(phone)
    state(phone, "queued")


def test_queued_sheet_goes_when_a_page_returns(phone: Page, tonight: Evening) -> None:
    queue(phone, tonight)
    phone.goto("about:blank")
    phone.unroute(REPORTS)
    phone.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/")
    wait_until_sent(phone)
    assert Report.objects.count() == 1


def hand_over(page: Page, tonight: Evening, seat: int) -> None:
    """Let the phone hold the link of another player at the table, and open the table's page as them."""
    url = page.evaluate("location.origin")
    page.context.add_cookies([
        {"name": f"phone-{tonight.event.uid}", "value": link_of(tonight.entries[seat]), "url": url}
    ])  # fmt: skip
    page.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/")


def test_queued_sheet_is_sent_by_the_player_who_wrote_it_and_not_by_the_next(phone: Page, tonight: Evening) -> None:
    author = tonight.entries[0]
    queue(phone, tonight)
    phone.unroute(REPORTS)
    phone.goto("/offline/")
    hand_over(phone, tonight, 1)
    said = f"{author.name} wrote this on this phone. It is sent once their personal link is opened here again."
    expect(phone.get_by_role("status").get_by_text(said)).to_be_visible()
    phone.goto(f"/e/{tonight.event.uid}/me/")
    expect(phone.get_by_text(said)).to_have_count(1)
    assert not Report.objects.exists()
    hand_over(phone, tonight, 0)
    wait_until_sent(phone)
    assert Report.objects.get().entry == author


def test_draft_that_waits_is_saved_by_the_player_who_wrote_it_and_not_by_the_next(
    phone: Page, tonight: Evening
) -> None:
    sheet_of(phone, tonight)
    phone.route("**/draft/*", lambda route: route.abort())
    fill(phone, range(2))
    state(phone, "offline")
    phone.unroute("**/draft/*")
    phone.goto("/offline/")
    hand_over(phone, tonight, 1)
    state(phone, "ready")
    fill(phone, range(2, 3))
    state(phone, "saved")
    assert "podium" not in Draft.objects.get().sheet["stages"][0]
    hand_over(phone, tonight, 0)
    state(phone, "saved")
    assert len(Draft.objects.get().sheet["stages"][1]["podium"]) == 3
    assert len(Draft.objects.get().sheet["stages"][2]["podium"]) == 3


def test_what_an_earlier_release_left_without_its_player_is_still_taken_up(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    phone.route("**/draft/*", lambda route: route.abort())
    fill(phone, range(2))
    state(phone, "offline")
    phone.unroute("**/draft/*")
    phone.goto("/offline/")
    phone.evaluate(
        """() => Object.keys(localStorage).forEach((key) => {
          localStorage.setItem(key.replace(/\\.\\w+#/, "#"), localStorage.getItem(key));
          localStorage.removeItem(key);
        })"""
    )
    phone.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/")
    state(phone, "saved")
    assert len(Draft.objects.get().sheet["stages"][1]["podium"]) == 3


def test_lost_answer_does_not_count_the_sheet_twice(phone: Page, tonight: Evening) -> None:
    lost: list[str] = []

    def swallow(route: Route) -> None:
        lost.append(route.request.headers["idempotency-key"])
        if len(lost) == 1:
            route.fetch()  # it arrives, and nobody hears of it
            route.abort()
        else:
            route.continue_()

    sheet_of(phone, tonight)
    fill(phone)
    state(phone, "saved")
    phone.route(REPORTS, swallow)
    send(phone)
    wait_until_sent(phone)
    assert len(lost) == 2
    assert len(set(lost)) == 1
    assert Report.objects.count() == 1


def test_queued_sheet_can_still_be_changed(phone: Page, tonight: Evening) -> None:
    sheet_of(phone, tonight)
    fill(phone)
    state(phone, "saved")
    phone.context.set_offline(True)
    send(phone)
    state(phone, "queued")
    phone.get_by_role("button", name="Change it").click()
    phone.context.set_offline(False)
    state(phone, "saved")
    assert not Report.objects.exists()


def test_sheet_is_reported_without_a_script(browser: Browser, live_server, tonight: Evening) -> None:
    with opened(browser, live_server.url, {**PHONE, "java_script_enabled": False}) as page:
        page.goto(f"/me/{link_of(tonight.entries[0])}/")
        page.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/")
        page.get_by_role("button", name="Send").click()
        assert page.locator(".finding", has_text="is missing").count() == 4
        for stage in range(4):
            for place, player in enumerate((1, 0, 3)):
                uid = tonight.entries[player].player.uid
                page.locator(f'[id="stages.{stage}.podium.{place}"]').select_option(uid)
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("This sheet is right.")).to_be_visible()
        page.get_by_role("button", name="Send").click()
        page.wait_for_load_state()
    assert Report.objects.get().entry == tonight.entries[0]
