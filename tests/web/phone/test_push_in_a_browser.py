"""The button that lets a phone be told, in a real browser.

A browser subscribes at its maker's push service, which a test cannot reach: `PushManager.subscribe` and the permission
are stood in for. Everything of ours is real: the page, its script, the API, the worker and what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring import tasks
from tests.browser import PHONE
from tests.scoring.evenings import evening
from tests.tournaments.browsers import browser as push_service
from tests.web.phones import link_of, phone_of
from tournaments.models import Event, PushSubscription
from tournaments.push import delivery
from tournaments.push.keys import public_key
from tournaments.services import tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)

STAND_IN = """([endpoint, keys, permission]) => {
  let held = JSON.parse(sessionStorage.getItem("held"));
  const plain = text => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = text => Uint8Array.from(plain(text), each => each.charCodeAt(0)).buffer;
  const made = key => ({
    options: { applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint, keys, expirationTime: null }),
    unsubscribe: async () => { held = null; sessionStorage.removeItem("held"); },
  });
  PushManager.prototype.getSubscription = async () => held && made(held);
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || held) throw new Error("not as a browser wants it");
    sessionStorage.setItem("held", JSON.stringify(held = applicationServerKey));
    return made(held);
  };
  let granted = sessionStorage.getItem("permission") ?? "default";
  window.asked = 0;
  Object.defineProperty(Notification, "permission", { get: () => granted });
  Notification.requestPermission = async () => {
    window.asked += granted === "default";
    if (granted === "default") sessionStorage.setItem("permission", granted = permission);
    return granted;
  };
}"""


@pytest.fixture
def secure(settings: Settings, live_server: Any) -> None:
    """Let the service take its own address, which browsers trust as they trust HTTPS, for a secure one."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_HOST", live_server.url.removeprefix("http://"))
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]
    settings.WEBHOOKS_ALLOW_PRIVATE = True


@pytest.fixture
def page(browser: Browser, live_server: Any) -> Iterator[Page]:
    with browser.new_context(base_url=live_server.url, **PHONE) as context:
        yield context.new_page()


def stand_in(page: Page, *, endpoint: str, keys: dict[str, str], permission: str = "granted") -> None:
    values = f"[{endpoint!r}, {keys!r}, {permission!r}]"
    page.add_init_script(f"({STAND_IN})({values})")


@pytest.mark.usefixtures("secure")
def test_phone_is_told_after_a_tap_on_the_button_and_no_more_after_another(page: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    with push_service() as phone:
        stand_in(page, endpoint=phone.service.url, keys=phone.keys)
        page.goto(f"/me/{link_of(tonight.entries[0])}/")
        button = page.get_by_role("button", name="Tell me on this phone")
        button.wait_for()
        assert page.evaluate("window.asked") == 0, "nobody is asked before they press the button"
        button.click()
        page.get_by_text("This phone tells you when something is asked of you").wait_for()
        assert PushSubscription.objects.get().entry == tonight.entries[0]
        tables.nudge(actor=tonight.organiser, table=tonight.table)
        tasks.notify()
        delivery.work()
        assert phone.titles == ["The organiser asks for your result."]
        page.reload()
        page.get_by_role("button", name="Stop telling me").click()
        page.get_by_role("button", name="Tell me on this phone").wait_for()
        assert not PushSubscription.objects.exists()
        assert page.evaluate("sessionStorage.getItem('held')") is None


@pytest.mark.usefixtures("secure")
def test_phone_that_the_service_forgot_subscribes_anew_when_its_page_is_opened(page: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    with push_service() as phone:
        stand_in(page, endpoint=phone.service.url, keys=phone.keys)
        page.goto(f"/me/{link_of(tonight.entries[0])}/")
        page.get_by_role("button", name="Tell me on this phone").click()
        page.get_by_role("button", name="Stop telling me").wait_for()
        PushSubscription.objects.all().delete()
        with page.expect_response(lambda answer: answer.request.method == "POST" and "/push/" in answer.url):
            page.reload()
        page.get_by_role("button", name="Stop telling me").wait_for()
    assert PushSubscription.objects.count() == 1


@pytest.mark.usefixtures("secure")
def test_phone_whose_page_is_opened_is_not_forgotten_for_its_age(page: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    with push_service() as phone:
        stand_in(page, endpoint=phone.service.url, keys=phone.keys)
        page.goto(f"/me/{link_of(tonight.entries[0])}/")
        page.get_by_role("button", name="Tell me on this phone").click()
        page.get_by_role("button", name="Stop telling me").wait_for()
        long_ago = timezone.now() - delivery.KEPT / 2
        PushSubscription.objects.update(renewed_at=long_ago)
        page.clock.install(time=timezone.now() + delivery.KEPT / 2)
        with page.expect_response(lambda answer: answer.request.method == "POST" and "/push/" in answer.url):
            page.reload()
        page.get_by_role("button", name="Stop telling me").wait_for()
    assert PushSubscription.objects.get().renewed_at > long_ago


@pytest.mark.usefixtures("secure")
def test_refusal_is_taken_as_one(page: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    stand_in(page, endpoint="https://push.example.org/x", keys={}, permission="denied")
    page.goto(f"/me/{link_of(tonight.entries[0])}/")
    page.get_by_role("button", name="Tell me on this phone").click()
    page.get_by_text("Your browser keeps this page from sending you messages.").wait_for()
    assert not page.get_by_role("button", name="Tell me on this phone").is_visible()


@pytest.mark.usefixtures("secure")
def test_browser_whose_maker_cannot_be_reached_is_told_that_it_did_not_work(page: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    stand_in(page, endpoint="https://push.example.org/x", keys={"p256dh": "AAAA", "auth": "AAAA"})
    page.goto(f"/me/{link_of(tonight.entries[0])}/")
    page.get_by_role("button", name="Tell me on this phone").click()
    page.get_by_text("That did not work.").wait_for()
    assert page.get_by_role("button", name="Tell me on this phone").is_visible()


@pytest.mark.usefixtures("secure")
def test_browser_that_knows_no_push_shows_nothing_of_it_and_an_iphone_says_how(page: Page) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    faults: list[Any] = []
    page.on("pageerror", lambda fault: faults.append(fault))  # noqa: PLW0108 -- a method of a list takes no mark
    page.add_init_script("delete window.PushManager")
    page.goto(f"/me/{link_of(tonight.entries[0])}/")
    page.evaluate("navigator.serviceWorker.ready")
    expect(page.locator("[data-push]")).to_be_hidden()
    page.add_init_script("Navigator.prototype.standalone = false")
    page.reload()
    page.get_by_text("Add to Home Screen").wait_for()
    expect(page.locator("[data-push] button:visible")).to_have_count(0)
    assert faults == []


@pytest.mark.usefixtures("secure")
def test_worker_shows_a_message_and_a_tap_on_it_opens_the_evening(page: Page) -> None:
    """What a push brings is handed to the worker itself, since no push service sends it one here."""
    tonight = evening(game="dice-run", seats=3, table_max=4)
    page.context.grant_permissions(["notifications"])
    page.goto(f"/me/{link_of(tonight.entries[0])}/")
    page.evaluate("navigator.serviceWorker.ready")
    worker = page.context.service_workers[0]
    text = {
        "title": "Table 1, seat 2",
        "body": "Friday",
        "lang": "en",
        "tag": "t",
        "url": f"/e/{tonight.event.uid}/me/",
    }
    shown = worker.evaluate(
        """async text => {
          const shown = [];
          const opened = [];
          registration.showNotification = async (title, options) => { shown.push([title, options]); };
          clients.openWindow = async path => { opened.push(path); };
          clients.matchAll = async () => [];
          const waited = [];
          const push = new Event("push");
          push.data = { json: () => text };
          push.waitUntil = each => waited.push(each);
          dispatchEvent(push);
          const tap = new Event("notificationclick");
          tap.notification = { close: () => {}, data: shown[0][1].data };
          tap.waitUntil = each => waited.push(each);
          dispatchEvent(tap);
          await Promise.all(waited);
          return { shown, opened };
        }""",
        text,
    )
    ((title, options),) = shown["shown"]
    assert (title, options["body"], options["lang"], options["tag"]) == ("Table 1, seat 2", "Friday", "en", "t")
    assert shown["opened"] == [text["url"]]


def test_plain_http_says_nothing_about_push() -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    held, page = phone_of(tonight.entries[0]), f"/e/{tonight.event.uid}/me/"
    assert "push" not in held.get(page).content.decode()
    assert public_key() in held.get(page, secure=True).content.decode()


def test_page_of_an_event_that_is_over_or_of_a_service_that_sends_none_offers_nothing(settings: Settings) -> None:
    tonight = evening(game="dice-run", seats=3, table_max=4)
    held, page = phone_of(tonight.entries[0]), f"/e/{tonight.event.uid}/me/"
    settings.WEB_PUSH = False
    assert "push.js" not in held.get(page, secure=True).content.decode()
    settings.WEB_PUSH = True
    Event.objects.update(status=Event.Status.FINISHED)
    assert "push.js" not in held.get(page, secure=True).content.decode()
