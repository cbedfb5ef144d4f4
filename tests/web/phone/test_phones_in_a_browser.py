"""Phones in a real browser: a whole evening of a table, without scripts, and without a connection."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from scoring.models import Draft, Report
from scoring.services.reports import submit_report
from tests.browser import PHONE, opened
from tests.factories import EntryFactory, EventFactory, PlayerFactory
from tests.scoring.evenings import Evening, evening, minimal
from tests.web.phones import link_of
from tournaments.models import Entry, Round, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 30_000  # milliseconds, with pages that look every five seconds on a busy machine
WITHOUT_SCRIPTS = PHONE | {"java_script_enabled": False}


def table_page(tonight: Evening) -> str:
    return f"/e/{tonight.event.uid}/table/{tonight.table.uid}/"


def fill_in(tonight: Evening) -> None:
    """Leave a whole sheet at the table, as if somebody had typed it."""
    Draft.objects.create(table=tonight.table, sheet=minimal(tonight.table, tonight.sheet()), author="table")


def send(page: Page) -> None:
    page.locator("form[data-state]").wait_for()  # the script is there
    page.get_by_role("button", name="Send").click()
    page.get_by_role("dialog").get_by_role("button", name="Send").click()


def test_from_the_code_to_the_evening_with_a_name_that_is_suggested(phone: Page) -> None:
    event = EventFactory()
    known = PlayerFactory(name="Ana Lindqvist", club=event.club)
    phone.goto("/join/")
    phone.get_by_label("Code").fill(event.join_code.lower())
    phone.keyboard.press("Enter")
    phone.get_by_label("Your name").press_sequentially("ana")
    phone.get_by_role("button", name="Ana Lindqvist").click()
    phone.get_by_role("heading", name="Ana Lindqvist").wait_for()
    assert Entry.objects.get().claims == known
    assert re.fullmatch(r".*/e/\w+/me/", phone.url)


def test_a_phone_that_played_before_comes_in_by_one_tap(phone: Page) -> None:
    before = EntryFactory(event__status="finished")
    event = EventFactory(club=before.event.club)
    phone.goto(f"/me/{link_of(before)}/")
    phone.goto(f"/join/{event.join_code}/")
    phone.get_by_role("button", name=before.name).click()
    phone.wait_for_url(f"**/e/{event.uid}/me/")
    assert event.entries.get().is_verified


def test_enter_joins_by_the_name_that_was_written_and_as_nobody_who_is_offered(phone: Page) -> None:
    before = EntryFactory(event__status="finished")
    event = EventFactory(club=before.event.club)
    PlayerFactory(name="Cleo Martin", club=event.club)
    phone.goto(f"/me/{link_of(before)}/")
    phone.goto(f"/join/{event.join_code}/")
    phone.get_by_label("Your name").press_sequentially("Cleo")
    phone.get_by_role("button", name="Cleo Martin").wait_for()
    phone.keyboard.press("Enter")
    phone.wait_for_url(f"**/e/{event.uid}/me/")
    entry = event.entries.get()
    assert (entry.name, entry.claims, entry.player.entries.count()) == ("Cleo", None, 1)


def test_who_presses_their_name_is_told_at_the_address_that_they_wrote(phone: Page, settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    before = EntryFactory(event__status="finished")
    event = EventFactory(club=before.event.club, sign_up_ahead=True)
    phone.goto(f"/me/{link_of(before)}/")
    phone.goto(f"/e/{event.uid}/sign-up/")
    phone.get_by_label("E-mail address").fill("ana@example.org")
    phone.get_by_role("button", name=before.name).click()
    phone.wait_for_url(f"**/e/{event.uid}/me/")
    assert event.entries.get().contact.email == "ana@example.org"


def test_one_phone_sends_and_another_confirms_and_both_see_it(browser: Browser, live_server: Any) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    fill_in(tonight)
    first, second, _third = tonight.entries
    with (
        opened(browser, live_server.url, PHONE) as mine,
        opened(browser, live_server.url, PHONE) as theirs,
    ):
        theirs.goto(f"/me/{link_of(second)}/")
        theirs.get_by_role("link", name="Fill in the score sheet").wait_for()
        mine.goto(f"/me/{link_of(first)}/")
        mine.get_by_role("link", name="Fill in the score sheet").click()
        send(mine)
        mine.get_by_text("Sent, waiting.").wait_for()
        theirs.get_by_role("link", name="Look at it and confirm").click(timeout=PATIENCE)  # it found out by itself
        theirs.get_by_role("button", name="Yes, confirm").click()
        theirs.get_by_text("This result counts.").wait_for()
        mine.get_by_text("This result counts.").wait_for(timeout=PATIENCE)
    assert Table.objects.get().status == Table.Status.FINAL
    assert Report.objects.get().entry == first


@pytest.mark.parametrize("can_buzz", [True, False], ids=["buzzes", "cannot"])
def test_a_phone_notifies_its_player(phone: Page, *, can_buzz: bool) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    buzz = "(pattern) => { window.buzzed = (window.buzzed ?? 0) + 1; }" if can_buzz else "undefined"
    phone.add_init_script(f"Object.defineProperty(Navigator.prototype, 'vibrate', {{ value: {buzz} }})")
    phone.goto(f"/me/{link_of(tonight.entries[1])}/")
    phone.get_by_role("link", name="Fill in the score sheet").wait_for()
    title = phone.title()
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    expect(phone).to_have_title(re.compile("^● Your confirmation is needed."), timeout=PATIENCE)
    assert phone.evaluate("window.buzzed ?? 0") == int(can_buzz)
    phone.get_by_role("heading").first.click()
    assert phone.title() == title


def test_sheet_sent_without_a_connection_arrives_once_when_it_returns(phone: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    fill_in(tonight)
    phone.goto(f"/me/{link_of(tonight.entries[0])}/")
    phone.goto(table_page(tonight))
    phone.get_by_text("Saved").wait_for()
    phone.context.set_offline(True)
    send(phone)
    phone.get_by_text("this sheet is sent as soon as it returns").wait_for()
    assert not Report.objects.exists()
    phone.context.set_offline(False)
    phone.get_by_text("Sent, waiting.").wait_for()
    assert Report.objects.count() == 1


def test_evening_says_when_it_lost_its_connection_and_goes_on(phone: Page) -> None:
    tonight = evening()
    phone.goto(f"/me/{link_of(tonight.entries[0])}/")
    phone.get_by_text("Up to date at").wait_for()
    phone.context.set_offline(True)
    phone.get_by_text("No connection since").wait_for()
    phone.context.set_offline(False)
    phone.get_by_text("Up to date at").wait_for()


def test_page_whose_turn_it_is_not_has_lost_no_connection(phone: Page) -> None:
    tonight = evening()
    phone.goto(f"/me/{link_of(tonight.entries[0])}/")
    phone.get_by_text("Up to date at").wait_for()
    part = phone.locator("[data-live]").first
    fetched = f"**{part.get_attribute('data-live')}*"
    phone.route(fetched, lambda route: route.fulfill(status=429, body=""))
    for _ in range(2):  # it asks again by itself
        with phone.expect_response(fetched):
            part.dispatch_event("stale")
    expect(phone.get_by_text("Up to date at")).to_be_visible()
    expect(phone.get_by_text("No connection since")).to_be_hidden()


def test_clock_counts_down_by_the_time_of_the_server(phone: Page) -> None:
    import datetime as dt

    from django.utils import timezone

    tonight = evening()
    Round.objects.update(started_at=timezone.now() - dt.timedelta(minutes=1), minutes=10)
    phone.clock.install(time=dt.datetime(2001, 1, 1, tzinfo=dt.UTC))  # a phone whose own clock is wrong
    phone.goto(f"/me/{link_of(tonight.entries[0])}/")
    assert re.fullmatch(r"(8:5\d|9:00)", phone.get_by_role("timer").inner_text())
    phone.clock.run_for(3000)
    assert re.fullmatch(r"8:5\d", phone.get_by_role("timer").inner_text())


def test_joining_works_without_scripts(browser: Browser, live_server: Any) -> None:
    event = EventFactory()
    with opened(browser, live_server.url, WITHOUT_SCRIPTS) as page:
        page.goto(f"/join/{event.join_code}/")
        page.get_by_label("Your name").fill("Ana")
        page.get_by_role("button", name="Join", exact=True).click()
        assert page.get_by_text("You’re in, Ana!").is_visible()


def test_reporting_and_confirming_work_without_scripts(browser: Browser, live_server: Any) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    fill_in(tonight)
    first, second, _third = tonight.entries
    with opened(browser, live_server.url, WITHOUT_SCRIPTS) as mine:
        mine.goto(f"/me/{link_of(first)}/")
        mine.get_by_role("link", name="Fill in the score sheet").click()
        mine.get_by_role("button", name="Send").click()
        assert mine.get_by_text("Sent, waiting.").is_visible()
    with opened(browser, live_server.url, WITHOUT_SCRIPTS) as theirs:
        theirs.goto(f"/me/{link_of(second)}/")
        theirs.get_by_role("link", name="Look at it and confirm").click()
        theirs.get_by_role("button", name="Yes, confirm").click()
        assert theirs.get_by_text("This result counts.").is_visible()


def test_another_site_does_not_change_who_a_phone_is(browser: Browser, live_server: Any) -> None:
    first, second, _third = evening().entries
    lure = f"<a href='{live_server.url}/me/{link_of(second)}/'>Cats</a>"
    with browser.new_context(base_url=live_server.url, **PHONE) as context:
        page = context.new_page()
        page.route("http://elsewhere.test/", lambda route: route.fulfill(content_type="text/html", body=lure))
        page.goto(f"/me/{link_of(first)}/")
        page.goto("http://elsewhere.test/")
        page.get_by_role("link", name="Cats").click()
        page.get_by_role("heading", name=f"You are {first.name} here. Become {second.name}?").wait_for()
        page.get_by_role("link", name="No, back to my evening").click()
        page.get_by_role("heading", name=first.name).wait_for()


def test_phone_is_handed_to_another_player_without_scripts(browser: Browser, live_server: Any) -> None:
    first, second, _third = evening().entries
    with opened(browser, live_server.url, WITHOUT_SCRIPTS) as page:
        page.goto(f"/me/{link_of(first)}/")
        page.goto(f"/me/{link_of(second)}/")
        page.get_by_role("button", name=f"Become {second.name}").click()
        assert page.get_by_role("heading", name=second.name).is_visible()


def test_keyboard_alone_confirms(desktop: Page) -> None:
    tonight = evening()
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    desktop.goto(f"/me/{link_of(tonight.entries[1])}/")
    desktop.goto(table_page(tonight))
    for _ in range(12):
        desktop.keyboard.press("Tab")
        if desktop.evaluate("document.activeElement.innerText") == "Yes, confirm":
            break
    desktop.keyboard.press("Enter")
    desktop.get_by_text("This result counts.").wait_for()


# --- The app, where the connection is secure ------------------------------------------------------------------


@pytest.fixture
def secure(settings: Settings, live_server: Any) -> None:
    """Let the service take its own address, which browsers trust as they trust HTTPS, for a secure one."""
    host = live_server.url.removeprefix("http://")
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_HOST", host)
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]


@pytest.mark.usefixtures("secure")
def test_app_shows_the_evening_without_a_connection(browser: Browser, live_server: Any) -> None:
    entry = EntryFactory()
    url = live_server.url
    with browser.new_context(base_url=url, **PHONE) as context:
        page = context.new_page()
        page.goto(f"/me/{link_of(entry)}/")
        page.evaluate("navigator.serviceWorker.ready")
        page.reload()  # now by way of the worker
        context.set_offline(True)
        page.reload()
        assert page.get_by_role("heading", name=entry.name).is_visible()
        page.goto("/games/")
        assert page.get_by_role("heading", name="No connection").is_visible()


KEPT = """async () => {
    const cache = await caches.open("ludoscore");
    const paths = (await cache.keys()).map((each) => new URL(each.url).pathname);
    return paths.filter((path) => path.startsWith("/e/")).sort();
}"""


def kept_by_the_app(page: Page, tonight: Evening) -> list[str]:
    """Open one's evening and one's table by way of the worker, and return the pages of which it holds copies."""
    page.evaluate("navigator.serviceWorker.ready")
    page.goto(f"/e/{tonight.event.uid}/me/")
    page.goto(table_page(tonight))
    kept: list[str] = page.evaluate(KEPT)
    return kept


@pytest.mark.usefixtures("secure")
def test_app_forgets_its_copies_once_the_link_is_no_longer_valid(browser: Browser, live_server: Any) -> None:
    tonight, elsewhere = evening(), EntryFactory()
    own = tonight.entries[0]
    with browser.new_context(base_url=live_server.url, **PHONE) as context:
        page = context.new_page()
        page.goto(f"/me/{link_of(elsewhere)}/")
        page.goto(f"/me/{link_of(own)}/")
        page.evaluate("navigator.serviceWorker.ready")
        page.goto(f"/e/{elsewhere.event.uid}/me/")
        pages = [f"/e/{tonight.event.uid}/me/", table_page(tonight), f"/e/{elsewhere.event.uid}/me/"]
        assert kept_by_the_app(page, tonight) == sorted(pages)
        Entry.objects.filter(pk=own.pk).update(generation=own.generation + 1)
        page.goto(f"/e/{tonight.event.uid}/me/")
        assert page.evaluate(KEPT) == [f"/e/{elsewhere.event.uid}/me/"]
        context.set_offline(True)
        page.goto(f"/e/{tonight.event.uid}/me/")
        assert page.get_by_role("heading", name="No connection").is_visible()


@pytest.mark.usefixtures("secure")
def test_app_keeps_its_copies_while_the_service_is_busy_or_broken(browser: Browser, live_server: Any) -> None:
    tonight = evening()
    with browser.new_context(base_url=live_server.url, **PHONE) as context:
        page = context.new_page()
        page.goto(f"/me/{link_of(tonight.entries[0])}/")
        kept = kept_by_the_app(page, tonight)
        context.route("**/me/", lambda route: route.fulfill(status=503, body="<h1>Busy</h1>"))
        page.goto(f"/e/{tonight.event.uid}/me/")
        assert page.evaluate(KEPT) == kept


@pytest.mark.usefixtures("secure")
def test_app_forgets_what_another_player_of_the_event_left(browser: Browser, live_server: Any) -> None:
    tonight = evening()
    first, second, _third = tonight.entries
    with browser.new_context(base_url=live_server.url, **PHONE) as context:
        page = context.new_page()
        page.goto(f"/me/{link_of(first)}/")
        assert table_page(tonight) in kept_by_the_app(page, tonight)
        page.goto(f"/me/{link_of(second)}/")
        page.get_by_role("button", name=f"Become {second.name}").click()
        page.get_by_role("heading", name=second.name).wait_for()
        assert page.evaluate(KEPT) == [f"/e/{tonight.event.uid}/me/"]
        context.set_offline(True)
        page.reload()
        assert page.get_by_role("heading", name=second.name).is_visible()


@pytest.mark.parametrize("address", ["/manifest.webmanifest", "/sw.js"])
def test_plain_http_has_no_app_and_needs_none(client: Any, address: str) -> None:
    assert client.get(address).status_code == 404
    assert client.get(address, secure=True).status_code == 200
    assert "manifest" not in client.get("/join/").content.decode()
    assert "manifest" in client.get("/join/", secure=True).content.decode()


def test_manifest_describes_the_app(client: Any) -> None:
    about = client.get("/manifest.webmanifest", secure=True)
    assert about["Content-Type"] == "application/manifest+json"
    assert (about.json()["display"], about.json()["start_url"]) == ("standalone", "/join/")
