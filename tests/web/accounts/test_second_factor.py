"""Logging in in two steps, and switching a second factor on and off."""

from __future__ import annotations

import datetime as dt
import random
import re
import time
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.constants import INFO
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from core import passwords, second_factor
from core.models import User
from tests.factories import MembershipFactory, UserFactory
from tests.interleaving import meanwhile
from tournaments import links
from tournaments.models import Role
from web.notices import Notices

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
PAGE = "/account/second-factor/"
NEW = {"new_password1": "battery staple", "new_password2": "battery staple"}
WRONG = "000000"


@pytest.fixture
def ana():
    """Somebody with an account."""
    return UserFactory(email="ana@example.org", name="Ana")


def code_of(user, ahead=0):
    """Return what the app of somebody shows, now or some steps later."""
    device = TOTPDevice.objects.get(user=user)
    found = f"{totp(device.bin_key, drift=ahead):06}"
    assert found != WRONG
    return found


def protect(user):
    """Switch a second factor on, and return the recovery codes; the next code of the app works at once."""
    second_factor.prepare(user)
    codes = second_factor.switch_on(user, code_of(user))
    TOTPDevice.objects.update(last_t=-1)
    return codes


def first_step(client, user, **query):
    return client.post("/login/", {"username": user.email, "password": PASSWORD}, query_params=query)


def is_logged_in(client):
    return client.get("/account/").status_code == 200


def test_second_factor_is_switched_on_by_a_code_and_the_password(client, ana):
    client.force_login(ana)
    elsewhere = Client()
    elsewhere.force_login(ana, "django.contrib.auth.backends.ModelBackend")
    html = client.get(PAGE).content.decode()
    assert '<svg role="img"' in html
    assert re.search(r"<code>([A-Z2-7]{4} ){7}[A-Z2-7]{4}</code>", html)
    assert client.get(PAGE).content.decode().count("<code>") == 1
    for fields in ({"code": WRONG, "password": PASSWORD}, {"code": code_of(ana), "password": "wrong"}):
        assert "is not right" in client.post(PAGE, fields).content.decode()
        assert not second_factor.is_on(ana)
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    answer = client.post(PAGE, {"code": code_of(ana), "password": PASSWORD})
    codes = re.findall(r"<li><code>(\w{8})</code></li>", answer.content.decode())
    assert len(set(codes)) == second_factor.RECOVERY_CODES
    assert "no-store" in answer["Cache-Control"]
    assert codes[0] not in client.get(PAGE).content.decode()
    assert (is_logged_in(client), is_logged_in(elsewhere)) == (True, False)


def asked_again(client, times):
    """Ask for the page of the code so many times without having given a password."""
    for _ in range(times):
        assert client.get("/login/code/").status_code == 302


def notices(client):
    return client.get("/login/").content.decode().count("Please log in again")


def test_who_comes_too_late_with_the_code_is_told_once(client):
    asked_again(client, 1)
    assert [notices(client), notices(client)] == [1, 0]
    assert "messages" not in client.get("/login/").cookies, "a page that says nothing leaves the cookies alone"


def test_a_stranger_who_asks_for_the_code_without_end_stores_nothing(client):
    """After 3,476 times each made a row of a session, and the page to log in had 340 kB."""
    asked_again(client, 6)
    cookie = len(client.cookies["messages"].value)
    asked_again(client, 30)
    assert len(client.cookies["messages"].value) <= cookie
    assert notices(client) <= 5
    assert not Session.objects.exists()


def test_a_notice_that_is_too_long_for_a_cookie_is_kept_for_who_is_logged_in_alone(client, ana, monkeypatch):
    monkeypatch.setattr(CookieStorage, "max_cookie_size", 100)
    asked_again(client, 2)
    assert (notices(client), Session.objects.count()) == (0, 0)
    client.force_login(ana)
    asked_again(client, 1)
    assert [notices(client), notices(client)] == [1, 0]


def test_a_stranger_for_whose_notices_a_cookie_has_no_room_reads_the_latest(rf, monkeypatch):
    monkeypatch.setattr(CookieStorage, "max_cookie_size", 300)
    request, answer = rf.get("/"), HttpResponse()
    request.user, request.session = AnonymousUser(), {}
    waiting = Notices(request)
    for number in range(4):
        waiting.add(INFO, f"{number}: {random.Random(number).randbytes(40).hex()}")
    assert not waiting.update(answer), "what is left over is an error while the service is worked on"
    assert not request.session
    request.COOKIES["messages"] = answer.cookies["messages"].value
    assert [str(notice)[0] for notice in Notices(request)] == ["2", "3"]


def test_page_that_was_opened_twice_at_once_still_opens(client, ana):
    """There were two devices then, and the page failed from then on."""
    client.force_login(ana)
    with meanwhile(TOTPDevice, lambda: second_factor.prepare(ana), reads=2):
        assert client.get(PAGE).status_code == 200
    assert TOTPDevice.objects.count() == 1
    TOTPDevice.objects.create(user=ana, confirmed=False, name="of an earlier release")
    device = second_factor.prepare(ana)
    assert client.get(PAGE).context["device"] == device
    assert second_factor.switch_on(ana, f"{totp(device.bin_key):06}")


def test_login_asks_for_the_code_before_anybody_is_logged_in(client, ana):
    protect(ana)
    answer = first_step(client, ana, next="/password/")
    assert answer.url == "/login/code/?next=%2Fpassword%2F"
    assert not is_logged_in(client)
    assert client.get("/api/v1/me/").json()["kind"] == "nobody"
    assert "is not right" in client.post(answer.url, {"code": WRONG}).content.decode()
    assert not is_logged_in(client)
    second_factor.lift_wait(ana)
    assert client.post(answer.url, {"code": f" {code_of(ana)[:3]} {code_of(ana)[3:]} "}).url == "/password/"
    assert is_logged_in(client)


def test_code_works_once(client, ana):
    protect(ana)
    code = code_of(ana)
    for browser, status in ((client, 302), (Client(), 200)):
        first_step(browser, ana)
        assert browser.post("/login/code/", {"code": code}).status_code == status


def test_recovery_code_works_once_and_those_left_are_counted(client, ana):
    codes = protect(ana)
    first_step(client, ana)
    assert client.post("/login/code/", {"code": codes[0].upper()}).url == "/organise/"
    assert "You have 9 recovery codes left" in client.get("/account/").content.decode()
    again = Client()
    first_step(again, ana)
    assert again.post("/login/code/", {"code": codes[0]}).status_code == 200
    assert StaticToken.objects.count() == second_factor.RECOVERY_CODES - 1


def test_wrong_codes_wait_longer_and_never_for_ever(client, ana):
    protect(ana)
    first_step(client, ana)
    for _ in range(40):
        TOTPDevice.objects.update(throttling_failure_timestamp=timezone.now() - timezone.timedelta(days=1))
        answer = client.post("/login/code/", {"code": WRONG})
    assert re.search(r"Wait 51\d seconds", answer.content.decode())
    right = code_of(ana)
    assert client.post("/login/code/", {"code": right}).status_code == 200, "not read while one waits"
    assert not is_logged_in(client)
    TOTPDevice.objects.update(throttling_failure_timestamp=timezone.now() - timezone.timedelta(minutes=9))
    assert client.post("/login/code/", {"code": right}).status_code == 302


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), dt.timedelta(days=365)])
def test_code_refused_by_a_clock_that_was_ahead_keeps_nobody_out(client, ana, set_ahead, ahead):
    recovery_codes = protect(ana)
    shown = code_of(ana)
    set_ahead(ahead)
    for code in (shown, "not-one-of-them"):
        assert not second_factor.verify(ana, code)
    set_ahead(dt.timedelta())
    assert second_factor.seconds_to_wait(ana) == 0
    first_step(client, ana)
    assert client.post("/login/code/", {"code": code_of(ana)}).status_code == 302
    assert second_factor.verify(ana, recovery_codes[0])
    assert not second_factor.verify(ana, WRONG)
    assert second_factor.seconds_to_wait(ana) > 0, "a wrong code of now counts"


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), dt.timedelta(days=365)])
def test_code_taken_by_a_clock_that_was_ahead_keeps_nobody_out(ana, set_ahead, ahead):
    protect(ana)
    set_ahead(ahead)
    steps = ahead // dt.timedelta(seconds=30)
    assert second_factor.verify(ana, code_of(ana, steps)), "of an app on the same machine"
    set_ahead(dt.timedelta())
    shown = code_of(ana)
    assert second_factor.verify(ana, shown)
    assert not second_factor.verify(ana, shown), "once"


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), dt.timedelta(days=365)])
def test_wrong_codes_of_a_clock_that_was_ahead_still_count(ana, ahead):
    protect(ana)
    for model in (TOTPDevice, StaticDevice):
        model.objects.update(throttling_failure_count=5, throttling_failure_timestamp=timezone.now() + ahead)
    assert not second_factor.verify(ana, WRONG)
    assert 30 < second_factor.seconds_to_wait(ana) <= 32
    assert not second_factor.verify(ana, "not-one-of-them")
    assert StaticDevice.objects.get().throttling_failure_count == 6


def test_new_password_lifts_the_wait_of_somebody_elses_guesses(client, ana):
    protect(ana)
    second_factor.verify(ana, WRONG)
    assert second_factor.seconds_to_wait(ana) > 0
    ana.set_password("battery staple")
    ana.save()
    assert second_factor.seconds_to_wait(ana) == 0


def test_new_password_ends_the_key_that_somebody_else_may_have_read(ana):
    """Who had the former password could open the page, and would know every code of an app that is paired later."""
    read_before = second_factor.prepare(ana).key
    ana.set_password("battery staple")
    ana.save()
    assert second_factor.prepare(ana).key != read_before


def test_guesses_at_once_count_one_by_one(ana):
    protect(ana)
    assert not second_factor.verify(ana, WRONG)
    assert not second_factor.verify(ana, code_of(ana)), "the second is not even read"
    assert TOTPDevice.objects.get().throttling_failure_count == 1


@pytest.mark.parametrize("query", ["", "?next=https://evil.example/"])
def test_second_step_needs_the_first_and_leads_nowhere_else(client, ana, query):
    protect(ana)
    assert client.get(f"/login/code/{query}").url == "/login/?next=%2Forganise%2F"
    first_step(client, ana)
    assert client.post(f"/login/code/{query}", {"code": code_of(ana)}).url == "/organise/"


def test_second_step_ends_after_ten_minutes_and_with_the_password(client, ana, monkeypatch):
    protect(ana)
    first_step(client, ana)
    ana.set_password("battery staple")
    ana.save()
    assert client.post("/login/code/", {"code": code_of(ana)}).url.startswith("/login/")
    ana.set_password(PASSWORD)
    ana.save()
    first_step(client, ana)
    code, late = code_of(ana), time.time() + 601
    monkeypatch.setattr("web.accounts.second_factor.time.time", lambda: late)
    assert client.post("/login/code/", {"code": code}).url.startswith("/login/")


def test_admin_asks_for_it_too(client, ana):
    User.objects.update(is_staff=True, is_superuser=True)
    protect(ana)
    login = client.get("/admin/", follow=True).request
    assert login["PATH_INFO"] == "/login/"
    client.post("/admin/login/", {"username": ana.email, "password": PASSWORD})
    assert first_step(client, ana, next="/admin/").url == "/login/code/?next=%2Fadmin%2F"
    assert client.get("/admin/").status_code == 302
    page = f"/admin/otp_totp/totpdevice/{TOTPDevice.objects.get().pk}/"
    client.post("/login/code/", {"code": code_of(ana)})
    assert TOTPDevice.objects.get().key not in client.get(page + "change/").content.decode()
    assert client.get(page + "qrcode/").status_code == 403


def test_reset_does_not_go_around_it(client, ana, settings):
    settings.EMAIL_HOST = "mail.example.org"
    User.objects.update(email_proved_at=timezone.now())
    protect(ana)
    for is_mailed in (True, False):
        ana.refresh_from_db()
        browser = Client()
        browser.get(passwords.link(ana, "", is_mailed=is_mailed), follow=True)
        answer = browser.post("/password/set/", NEW)
        assert answer.url == "/login/code/?next=%2Faccount%2F"
        assert not is_logged_in(browser)
    assert browser.post(answer.url, {"code": code_of(ana)}).url == "/account/"


def test_mailed_reset_of_an_account_nobody_proved_takes_what_somebody_else_set_up(client, ana):
    protect(ana)
    client.get(links.password_link(ana, ""), follow=True)
    assert client.post("/password/set/", NEW).url.startswith("/login/code/"), "one that was handed over leaves it"
    ana.refresh_from_db()
    client.get(passwords.link(ana, "", is_mailed=True), follow=True)
    assert client.post("/password/set/", NEW).url == "/account/"
    assert not second_factor.is_on(ana)


def test_second_factor_is_switched_off_by_a_code_alone(client, ana):
    client.force_login(ana)
    protect(ana)
    assert "is not right" in client.post(PAGE, {"code": WRONG, "off": "1"}).content.decode()
    assert second_factor.is_on(ana)
    second_factor.lift_wait(ana)
    assert client.post(PAGE, {"code": code_of(ana), "off": "1"}).url == "/account/"
    assert not second_factor.is_on(ana)
    assert first_step(Client(), ana).url == "/organise/"


def test_recovery_codes_are_renewed_by_a_code(client, ana):
    client.force_login(ana)
    old = protect(ana)
    page = client.post(PAGE, {"code": old[0], "renew": "1"}).content.decode()
    new = re.findall(r"<li><code>(\w{8})</code></li>", page)
    assert len(new) == second_factor.RECOVERY_CODES
    assert not second_factor.verify(ana, old[1])
    second_factor.lift_wait(ana)
    assert second_factor.verify(ana, new[0])


def test_device_that_was_never_confirmed_opens_and_asks_nothing(client, ana):
    second_factor.prepare(ana)
    assert not second_factor.verify(ana, code_of(ana))
    assert first_step(client, ana).url == "/organise/"


def test_owners_are_offered_one(client, ana):
    MembershipFactory(user=ana, role=Role.OWNER)
    client.force_login(ana)
    assert "You own a club" in client.get("/account/").content.decode()
    protect(ana)
    assert "You own a club" not in client.get("/account/").content.decode()


def test_operator_switches_it_off(client, ana, capsys):
    protect(ana)
    call_command("remove_second_factor", "ANA@example.org")
    assert "password alone" in capsys.readouterr().out
    assert first_step(client, ana).url == "/organise/"
    for address, sentence in ((ana.email, "has no second factor"), ("bo@example.org", "no account")):
        with pytest.raises(CommandError, match=sentence):
            call_command("remove_second_factor", address)


def test_no_code_and_no_key_is_logged(client, ana, caplog):
    caplog.set_level("DEBUG")
    codes = protect(ana)
    first_step(client, ana)
    client.post("/login/code/", {"code": codes[0]})
    client.get(PAGE)
    for text in (*codes, TOTPDevice.objects.get().key):
        assert text not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_second_factor_is_set_up_and_used_on_a_phone(ana: User, phone: Page) -> None:
    phone.goto("/login/")
    phone.get_by_label("E-mail address").fill(ana.email)
    phone.get_by_label("Password").fill(PASSWORD)
    phone.keyboard.press("Enter")
    phone.get_by_role("link", name="Ana").click()
    phone.get_by_role("link", name="Set up a second factor").click()
    phone.get_by_label("Code", exact=True).fill(code_of(ana))
    phone.get_by_label("Your password").fill(PASSWORD)
    phone.get_by_role("button", name="Switch it on").click()
    recovery = phone.locator("li code").first.inner_text()
    phone.get_by_role("button", name="Log out").click()
    phone.goto("/login/")
    phone.get_by_label("E-mail address").fill(ana.email)
    phone.get_by_label("Password").fill(PASSWORD)
    phone.keyboard.press("Enter")
    phone.get_by_label("Code", exact=True).fill(recovery)
    phone.keyboard.press("Enter")
    phone.get_by_text("You have 9 recovery codes left").wait_for()
