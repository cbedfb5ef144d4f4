"""Where somebody is logged in: listed, and ended at once."""

from __future__ import annotations

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from core import sessions
from core.models import Login
from tests.api.callers import bearer
from tests.factories import CredentialFactory, UserFactory

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
API = "/api/v1/me/sessions/"
PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
AGENTS = {
    PHONE: "Firefox · Android",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
    "Mobile/15E148 Safari/604.1": "Safari · iPhone",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 "
    "Edg/140.0.0.0": "Edge · Windows",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36": (
        "Chrome · ChromeOS"
    ),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
    "Safari/605.1.15": "Safari · Mac",
    "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 "
    "Chrome/121.0.0.0 Mobile Safari/537.36": "Samsung Internet · Android",
    "curl/8.5": "",
    "<script>" * 1000: "",
}


@pytest.fixture
def ana():
    """Somebody with an account."""
    return UserFactory(email="ana@example.org")


def browser(user, agent=PHONE):
    """Return a browser that logs in by its form."""
    client = Client(headers={"user-agent": agent})
    assert client.post("/login/", {"username": user.email, "password": "correct horse"}).status_code == 302
    return client


def is_logged_in(client):
    return client.get("/account/").status_code == 200


@pytest.mark.parametrize(("agent", "words"), AGENTS.items(), ids=range(len(AGENTS)))
def test_browser_is_named_as_people_call_it(agent, words):
    assert sessions.browser_words(agent) == words


def test_sessions_are_listed_with_browser_and_this_one(ana):
    one, _two = browser(ana), browser(ana, "curl/8.5")
    browser(UserFactory(), "Windows")
    html = one.get("/account/").content.decode()
    assert html.count("Firefox · Android</strong>") == 1
    assert html.count("Unknown browser</strong>") == 1
    assert html.count("This browser") == 1
    assert "Windows" not in html


def test_session_is_ended_at_once_by_its_owner_alone(ana):
    one, two = browser(ana), browser(ana)
    stranger = browser(UserFactory())
    uid = Login.objects.get(session_id=two.session.session_key).uid
    assert stranger.post(f"/account/sessions/{uid}/end/").status_code == 404
    assert is_logged_in(two)
    assert one.post(f"/account/sessions/{uid}/end/").url == "/account/"
    assert "“Firefox · Android” is logged out" in one.get("/account/").content.decode()
    assert (is_logged_in(one), is_logged_in(two), is_logged_in(stranger)) == (True, False, True)


def test_all_others_are_ended(ana):
    one, two, three = browser(ana), browser(ana), browser(ana)
    stranger = browser(UserFactory())
    assert one.post("/account/sessions/end-others/").url == "/account/"
    assert [is_logged_in(each) for each in (one, two, three, stranger)] == [True, False, False, True]
    assert "Log out everywhere else" not in one.get("/account/").content.decode()


def test_request_under_way_does_not_revive_an_ended_session(ana):
    one, two = browser(ana), browser(ana)
    held = two.session
    assert held[sessions.SEEN]  # read, as by a request that has begun
    one.post("/account/sessions/end-others/")
    held["late"] = True
    with pytest.raises(UpdateError):
        held.save()
    assert not is_logged_in(two)


def test_logging_out_leaves_nothing(ana):
    one = browser(ana)
    one.post("/logout/")
    assert Login.objects.count() == 0


def test_changing_the_password_keeps_this_session_in_the_list(ana):
    one = browser(ana)
    before = one.session.session_key
    new = {"old_password": "correct horse", "new_password1": "battery staple", "new_password2": "battery staple"}
    one.post("/password/", new)
    assert one.session.session_key != before
    assert "This browser" in one.get("/account/").content.decode()
    assert Login.objects.count() == 1


def test_logging_in_as_somebody_else_moves_the_session(ana):
    one = browser(ana)
    other = UserFactory()
    one.post("/login/", {"username": other.email, "password": "correct horse"})
    assert [login.user for login in Login.objects.all()] == [other]


def test_session_from_before_is_noted_when_it_is_used(ana):
    one = browser(ana)
    Login.objects.all().delete()
    held = one.session
    del held[sessions.SEEN]
    held.save()
    one.get("/account/")
    assert Login.objects.get().browser == "Firefox · Android"


def test_use_is_written_down_every_few_minutes(ana, monkeypatch, django_assert_num_queries):
    one = browser(ana)
    Login.objects.update(last_seen_at=timezone.now() - timezone.timedelta(hours=1))
    one.get("/account/")
    assert Login.objects.get().last_seen_at < timezone.now() - timezone.timedelta(minutes=50)
    later = sessions.time.time() + 400
    monkeypatch.setattr("core.sessions.time.time", lambda: later)
    one.get("/account/")
    assert Login.objects.get().last_seen_at > timezone.now() - timezone.timedelta(minutes=1)


def test_nobody_gets_a_session_or_a_cookie_by_reading(client):
    answer = client.get("/")
    assert answer.cookies.keys() & {"sessionid"} == set()
    assert Session.objects.count() == 0


def test_sessions_in_the_api(ana):
    one, two = browser(ana), browser(ana)
    key = one.session.session_key
    CredentialFactory(user=ana, secret="lsu_ana")
    page = APIClient()
    page.cookies = one.cookies
    listed = page.get(API).json()["results"]
    assert sorted(each["is_this_one"] for each in listed) == [False, True]
    assert {each["browser"] for each in listed} == {"Firefox · Android"}
    (other,) = [each["id"] for each in listed if not each["is_this_one"]]
    program = bearer("lsu_ana")
    assert program.delete(f"{API}{other}/").status_code == 204
    assert (is_logged_in(one), is_logged_in(two)) == (True, False)
    assert program.delete(f"{API}{other}/").status_code == 404
    assert program.delete(API).status_code == 204
    assert not is_logged_in(one)
    assert program.get(API).json()["results"] == []
    assert key not in str(listed), "a list is no key"


def test_nobody_reads_or_ends_the_sessions_of_another(ana):
    one = browser(ana)
    CredentialFactory(user=UserFactory(), secret="lsu_other")
    other = bearer("lsu_other")
    assert other.get(API).json()["results"] == []
    assert other.delete(f"{API}{Login.objects.get().uid}/").status_code == 404
    assert other.delete(API).status_code == 204
    assert is_logged_in(one)
    assert APIClient().get(API).status_code == 403
