"""Pages of webhooks: an owner makes them, an organiser reads the log and sends a message again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.factories import DeliveryFactory, MembershipFactory, WebhookFactory
from tests.tournaments.receivers import receiver
from tests.web.markup import tags
from tests.web.test_design import is_inline, is_our_own
from tests.web.test_layout import SMALLER_THAN_A_THUMB
from tournaments.models import Delivery, Role, Webhook
from tournaments.services import webhooks
from tournaments.webhooks import delivery

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db
NEW = {"url": "https://receiver.example.org/hook", "types": ["result.final", "round.seated"]}


def member(role, club=None):
    """Return the browser of somebody with a role, and the path of the club's webhooks."""
    fields = {"club": club} if club else {}
    membership = MembershipFactory(role=role, **fields)
    client = Client()
    client.force_login(membership.user)
    return client, f"/organise/club/{membership.club.slug}/webhooks/", membership.club


@pytest.fixture
def owner():
    return member(Role.OWNER)


def test_secret_of_a_new_webhook_is_shown_once(owner):
    client, path, club = owner
    assert "There is no webhook yet" in client.get(path).content.decode()
    page = client.post(path, NEW)
    secret = re.search(r"<code>(whsec_[\w+/=]{44})</code>", page.content.decode())[1]
    assert "no-store" in page["Cache-Control"]
    webhook = Webhook.objects.get(club=club)
    assert (webhook.url, webhook.types, webhook.secret) == (NEW["url"], NEW["types"], secret)
    assert secret not in client.get(path).content.decode()


def test_private_target_is_refused_beside_its_field(owner):
    client, path, _club = owner
    page = client.post(path, NEW | {"url": "https://10.0.0.1/"}).content.decode()
    assert "public addresses only" in page
    assert 'aria-invalid="true"' in page
    assert not Webhook.objects.exists()


def test_webhook_is_changed_given_a_new_secret_switched_and_deleted(owner):
    client, path, club = owner
    webhook = WebhookFactory(club=club, switched_off="failing", is_active=False)
    page = f"{path}{webhook.uid}/"
    assert "nothing could be delivered for days" in client.get(page).content.decode()
    assert client.post(f"{page}on/").url == page
    assert client.post(page, NEW | {"types": ["event.finished"]}).url == page
    html = client.post(f"{page}secret/").content.decode()
    changed = Webhook.objects.get()
    assert (changed.is_active, changed.url, changed.types) == (True, NEW["url"], ["event.finished"])
    assert changed.secret != webhook.secret
    assert changed.secret in html
    forms = [tag.attributes for tag in tags(html, "form") if "action" not in tag.attributes]
    assert forms == [], "none goes to where the page came from, which would make yet another secret"
    assert page in [tag.attributes["action"] for tag in tags(html, "form")]
    client.post(f"{page}off/")
    assert not Webhook.objects.get().is_active
    assert client.post(f"{page}delete/").url == path
    assert not Webhook.objects.exists()


def test_organiser_tests_reads_the_log_and_sends_again(owner, settings):
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    client, path, club = member(Role.ORGANISER, owner[2])
    with receiver() as there:
        there.status = 500
        page = f"{path}{WebhookFactory(club=club, url=there.url).uid}/"
        assert client.post(f"{page}test/").url == page
        delivery.work()
        html = client.get(page).content.decode()
        assert "It answered with an error" in html
        assert "· 500" in html
        there.status = 200
        sent = Delivery.objects.get()
        assert client.post(f"{page}messages/{sent.uid}/").url == page
        delivery.work()
        assert there.ids == [sent.uid] * 2
    assert "Delivered" in client.get(page).content.decode()


def test_message_to_a_webhook_that_is_off_is_refused_in_words(owner):
    client, path, club = owner
    sent = DeliveryFactory(webhook=WebhookFactory(club=club, is_active=False))
    answer = client.post(f"{path}{sent.webhook.uid}/messages/{sent.uid}/", follow=True)
    assert "switched off. Switch it on first" in answer.content.decode()


def test_organiser_does_not_change_webhooks(owner):
    client, path, club = member(Role.ORGANISER, owner[2])
    page = f"{path}{WebhookFactory(club=club).uid}/"
    for address in (path, page, f"{page}secret/", f"{page}on/", f"{page}off/", f"{page}delete/"):
        assert client.post(address, NEW).status_code == 403
    html = client.get(path).content.decode() + client.get(page).content.decode()
    assert "New webhook" not in html
    assert "Delete" not in html


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, None])
def test_others_do_not_find_the_pages(owner, role):
    client, path, club = member(role, owner[2]) if role else (member(Role.OWNER)[0], *owner[1:])
    sent = DeliveryFactory(webhook=WebhookFactory(club=club))
    page = f"{path}{sent.webhook.uid}/"
    assert [client.get(address).status_code for address in (path, page)] == [404, 404]
    assert client.post(f"{page}messages/{sent.uid}/").status_code == 404
    assert Client().get(path).url.startswith("/login/")


def test_pages_hold_nothing_foreign_and_nothing_inline(owner):
    client, path, club = owner
    sent = DeliveryFactory(webhook=WebhookFactory(club=club))
    for address in (path, f"{path}{sent.webhook.uid}/"):
        html = client.get(address).content.decode()
        assert not any(is_inline(tag) for tag in tags(html))
        assert all(is_our_own(tag.attributes["href"]) for tag in tags(html, "link"))
        assert len(tags(html, "h1")) == 1


@pytest.mark.django_db(transaction=True)
def test_webhook_is_made_and_read_in_a_browser(page: Page) -> None:
    membership = MembershipFactory(role=Role.OWNER, club__name="Café Meeple")
    page.goto("/login/")
    page.get_by_label("E-mail address").fill(membership.user.email)
    page.get_by_label("Password").fill("correct horse")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Log out").wait_for()
    page.goto(f"/organise/club/{membership.club.slug}/webhooks/")
    page.get_by_label("Address of the receiver").fill("https://receiver.example.org/hooks")
    page.get_by_label("Ratings have changed").uncheck()
    page.get_by_role("button", name="Create the webhook").click()
    page.get_by_text("it is shown this once").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(SMALLER_THAN_A_THUMB) == []
    page.get_by_role("link", name="Messages").click()
    page.get_by_role("button", name="Send a test").click()
    page.get_by_role("button", name="Send again").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(SMALLER_THAN_A_THUMB) == []
    assert Webhook.objects.get().types == sorted(set(webhooks.SUBSCRIBABLE) - {"ratings.changed"})
