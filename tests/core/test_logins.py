"""Logging in: nobody is locked out, and passwords are checked a few at a time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import pytest
from django.contrib.auth.hashers import check_password
from django.core import signing
from django.test import Client, RequestFactory
from rest_framework.settings import api_settings

from core import costly, logins
from ops.front import Limits
from tests.factories import MembershipFactory, UserFactory
from tournaments.access import phone_cookies
from tournaments.actors import Actor, Kind
from tournaments.models import Role
from tournaments.services import members

pytestmark = pytest.mark.django_db
RIGHT = "correct horse"
WORKS = {name: work for name, work in vars(costly).items() if isinstance(work, costly.Work)}
COMPUTED = ["EXPORT", "PAGE", "PICTURE", "SCHEMA"]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(logins, "PAUSE", 0)


@pytest.fixture
def turns(monkeypatch):
    """Whose turn each password was."""
    taken = []
    names = {work: name for name, work in WORKS.items()}
    bounded = costly.bounded
    monkeypatch.setattr(costly, "bounded", lambda work: taken.append(names.get(work)) or bounded(work))
    return taken


def log_in(client, password, name="ana@example.org", address="10.0.0.1"):
    return client.post("/login/", {"username": name, "password": password}, REMOTE_ADDR=address).status_code


def test_right_password_works_whatever_came_before(turns):
    UserFactory(email="ana@example.org")
    for number in range(3 * logins.MOST_WRONG):
        assert log_in(Client(), "wrong", address=f"10.0.0.{number % 10}") == 200
    assert log_in(Client(), RIGHT, "ANA@example.org") == 302
    assert turns[:10] == ["PASSWORD"] * 10
    assert set(turns[10:]) == {"SUSPECT_PASSWORD"}


def test_address_that_tries_many_accounts_is_slowed_too(turns):
    UserFactory(email="ana@example.org")
    for number in range(logins.MOST_WRONG):
        log_in(Client(), "wrong", f"nobody-{number}@example.org")
    assert log_in(Client(), RIGHT) == 302
    assert turns[-1] == "SUSPECT_PASSWORD"
    assert log_in(Client(), RIGHT, address="10.0.0.2") == 302
    assert turns[-1] == "PASSWORD"


def test_browser_that_logged_in_before_does_not_wait_with_those_who_guess(turns):
    UserFactory(email="ana@example.org")
    own = Client()
    log_in(own, RIGHT)
    assert own.cookies[logins.DEVICE]["httponly"]
    own.post("/logout/")
    for _ in range(logins.MOST_WRONG):
        log_in(Client(), "wrong")
    assert log_in(own, RIGHT) == 302
    assert turns[-1] == "KNOWN_PASSWORD"


def test_browser_is_known_to_its_own_account_and_until_it_guesses_itself(turns):
    UserFactory(email="ana@example.org")
    UserFactory(email="bob@example.org")
    own = Client()
    log_in(own, RIGHT)
    log_in(own, "wrong", "bob@example.org")
    assert turns[-1] == "PASSWORD"
    own.cookies[logins.DEVICE] = own.cookies[logins.DEVICE].value + "x"
    log_in(own, "wrong")
    assert turns[-1] == "PASSWORD"
    own = Client()
    log_in(own, RIGHT)
    for _ in range(logins.MOST_WRONG):
        log_in(own, "wrong")
    assert turns[-1] == "KNOWN_PASSWORD"
    log_in(own, "wrong")
    assert turns[-1] == "SUSPECT_PASSWORD"


def test_nobody_takes_the_turn_of_known_browsers_all_day_with_a_right_password(turns):
    """Whoever has any account could: each right one is as long in its turn as a wrong one, and none was counted."""
    eve = UserFactory(email="eve@example.org")
    UserFactory(email="ana@example.org")
    own = Client()
    log_in(own, RIGHT)
    for _ in range(logins.MOST_KNOWN + 2):
        eves = Client()
        eves.cookies[logins.DEVICE] = signing.dumps(eve.pk, salt=logins.DEVICE)
        assert log_in(eves, RIGHT, "eve@example.org") == 302
    assert turns[1:] == ["KNOWN_PASSWORD"] * logins.MOST_KNOWN + ["PASSWORD"] * 2
    assert log_in(own, RIGHT) == 302
    assert turns[-1] == "KNOWN_PASSWORD"


@pytest.mark.parametrize("like_i", ["ı", "İ"])
def test_an_account_has_its_turns_once_however_its_address_is_written(turns, like_i):
    """PostgreSQL gives ı the capital of i, and İ its small letter: each way to write an address had ten turns."""
    UserFactory(email="iris@example.org")
    own = Client()
    log_in(own, RIGHT, "iris@example.org")
    for written in ("iris@example.org", f"{like_i}ris@example.org", f"ir{like_i}s@example.org"):
        for _ in range(4):
            log_in(own, RIGHT, written)
    assert turns.count("KNOWN_PASSWORD") <= logins.MOST_KNOWN


def test_nobody_takes_the_turn_of_known_browsers_all_day_by_new_passwords(turns, monkeypatch):
    monkeypatch.setattr("web.forms.bounded", costly.bounded)
    UserFactory(email="eve@example.org")
    eves, new = Client(), {"new_password1": RIGHT, "new_password2": RIGHT}
    log_in(eves, RIGHT, "eve@example.org")
    for _ in range(logins.MOST_KNOWN):
        assert eves.post("/password/", {"old_password": RIGHT, **new}).status_code == 302
    assert turns[1:] == ["KNOWN_PASSWORD"] * logins.MOST_KNOWN + ["PASSWORD"] * logins.MOST_KNOWN


def test_nobody_takes_the_turn_of_known_browsers_all_day_by_invitations(turns, monkeypatch):
    monkeypatch.setattr("tournaments.services.members.bounded", costly.bounded)
    eve, new = MembershipFactory(role=Role.OWNER), {"name": "Eve", "new_password1": RIGHT, "new_password2": RIGHT}
    for number in range(logins.MOST_KNOWN + 2):
        email = f"eve{number}@example.org"
        actor = Actor(Kind.USER, user=eve.user)
        _made, secret = members.invite(actor=actor, club=eve.club, email=email, role=Role.SCOREKEEPER, page="x")
        assert Client().post(f"/invitations/?secret={secret}", new).status_code == 302
    assert turns == ["KNOWN_PASSWORD"] * logins.MOST_KNOWN + ["SUSPECT_PASSWORD"] * 2


def test_nobody_takes_the_turn_of_everybody_all_day_with_a_right_password(turns):
    UserFactory(email="eve@example.org")
    UserFactory(email="ana@example.org")
    for _ in range(logins.MOST_RIGHT + 2):
        assert log_in(Client(), RIGHT, "eve@example.org") == 302
    assert turns == ["PASSWORD"] * logins.MOST_RIGHT + ["SUSPECT_PASSWORD"] * 2
    assert log_in(Client(), RIGHT) == 302
    assert turns[-1] == "PASSWORD"


@pytest.mark.parametrize("is_wrong", [True, False])
def test_wrong_password_of_a_suspect_takes_its_time_and_a_right_one_does_not(monkeypatch, is_wrong):
    UserFactory(email="ana@example.org")
    for _ in range(logins.MOST_WRONG):
        log_in(Client(), "wrong")
    slept = []
    monkeypatch.setattr(logins.time, "sleep", slept.append)
    log_in(Client(), "wrong" if is_wrong else RIGHT)
    assert slept == [0] * is_wrong


def test_password_is_checked_once(monkeypatch):
    UserFactory(email="ana@example.org")
    checked = []
    monkeypatch.setattr(
        "django.contrib.auth.base_user.check_password",
        lambda *given, **more: checked.append(1) or check_password(*given, **more),
    )
    log_in(Client(), "wrong")
    assert len(checked) == 1


def test_without_a_turn_a_login_is_asked_to_come_back(client):
    with costly.bounded(costly.PASSWORD):
        taken = [costly.PASSWORD.places.acquire(blocking=False) for _ in range(2)]
        answer = client.post("/login/", {"username": "x", "password": "y"})
    for _ in taken:
        costly.PASSWORD.places.release()
    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
    assert "Too many ask for this at once" in answer.content.decode()


# --- Turns ------------------------------------------------------------------------------------------------------


def test_turns_are_taken_one_at_a_time_and_no_more_wait_than_may():
    most, inside, lock = [], [0], threading.Lock()
    start, refused = threading.Barrier(8), threading.Barrier(6)  # of those who come too late, and the first

    def work(_number):
        start.wait(10)
        try:
            with costly.bounded(costly.PASSWORD):
                with lock:
                    inside[0] += 1
                    most.append(inside[0])
                    is_first = len(most) == 1
                if is_first:
                    refused.wait(10)
                time.sleep(0.05)
                with lock:
                    inside[0] -= 1
        except costly.TooManyAtOnceError:
            refused.wait(10)
            return "later"
        return "done"

    with ThreadPoolExecutor(8) as threads:
        told = sorted(threads.map(work, range(8)))
    assert told == ["done"] * 3 + ["later"] * 5
    assert max(most) == 1
    with costly.bounded(costly.PASSWORD):
        pass  # whoever was refused took nobody's place


def test_all_costly_work_together_leaves_a_thread_free():
    """Nine could be taken of eight: strangers, people of a club and files were each counted for themselves."""
    assert all(not {costly._threads, costly._proved}.isdisjoint(work.threads) for work in WORKS.values())
    assert Limits().threads > costly.MOST + costly.MOST_PROVED


def test_nothing_that_strangers_ask_for_takes_a_place_of_those_who_proved_themselves():
    with ExitStack() as taken:
        for name in (*COMPUTED, "PLAY", "PASSWORD", "SUSPECT_PASSWORD"):
            taken.enter_context(take_all(WORKS[name]))
        with pytest.raises(costly.TooManyAtOnceError), costly.bounded(costly.PASSWORD):
            pass
        with costly.bounded(costly.SEATING), costly.bounded(costly.KNOWN_PASSWORD), costly.bounded(costly.OWN):
            pass


@pytest.mark.parametrize("other", COMPUTED)
@pytest.mark.parametrize("one", COMPUTED)
def test_one_thing_at_a_time_is_computed_for_strangers(monkeypatch, one, other):
    """Four at once beside three of eight threads made every phone wait for each of them: Python runs one at a time."""
    monkeypatch.setattr(costly, "PATIENCE", 0.01)
    with costly.bounded(WORKS[one]):
        with pytest.raises(costly.TooManyAtOnceError), costly.bounded(WORKS[other]):
            pass
        for free in (costly.PASSWORD, costly.PLAY, costly.OWN, costly.SEATING):
            with costly.bounded(free):
                pass
    with costly.bounded(WORKS[other]):
        pass


def test_one_more_waits_for_what_is_computed_and_others_are_asked_to_come_back():
    is_free, done = threading.Event(), []

    def wait():
        with costly.bounded(costly.PAGE):
            done.append(is_free.is_set())

    with ThreadPoolExecutor(1) as other:
        with costly.bounded(costly.EXPORT):
            waiting = other.submit(wait)
            while costly.PAGE.places._value == 2:  # until the other waits
                time.sleep(0.01)
            with pytest.raises(costly.TooManyAtOnceError), costly.bounded(costly.PICTURE):
                pass
            is_free.set()
        waiting.result(10)
    assert done == [True]


def take_all(work):
    """Take every place of a kind of work that is free: whoever is done, and whoever waits for them."""
    places = ExitStack()
    with suppress(costly.TooManyAtOnceError):
        while True:
            with ExitStack() as one:
                for each in (*work.threads, work.places):
                    one.enter_context(costly._place(each))
                places.push(one.pop_all())
    return places


@pytest.mark.parametrize("login", ["PASSWORD", "SUSPECT_PASSWORD"])
@pytest.mark.parametrize("first", [*COMPUTED, "PLAY"])
def test_login_enters_whatever_strangers_have_computed(first, login):
    """Those who only waited for their turn to compute took all three threads, and no new device could log in."""
    with ExitStack() as taken:
        for name in (first, *COMPUTED, "PLAY"):
            taken.enter_context(take_all(WORKS[name]))
        with costly.bounded(WORKS[login]):
            pass


@pytest.mark.parametrize("computed", COMPUTED)
def test_move_is_made_at_once_whatever_strangers_compute(monkeypatch, computed):
    """Moves shared one turn with exports, which hold it for seconds: one reader without a pause held up everybody."""
    monkeypatch.setattr(costly, "PATIENCE", 0.01)
    with costly.bounded(WORKS[computed]), ExitStack() as waiting:
        for name in COMPUTED:
            waiting.enter_context(take_all(WORKS[name]))
        with costly.bounded(costly.PLAY):
            pass


@pytest.mark.parametrize(
    ("first", "second", "free"),
    [
        ("SEATING", "FILE", "KNOWN_PASSWORD"),
        ("FILE", "SEATING", "KNOWN_PASSWORD"),
        ("KNOWN_PASSWORD", "FILE", "SEATING"),
        ("FILE", "KNOWN_PASSWORD", "SEATING"),
    ],
)
def test_known_logins_and_seating_have_a_thread_each_beside_the_other_and_files(first, second, free):
    with take_all(getattr(costly, first)), take_all(getattr(costly, second)), costly.bounded(getattr(costly, free)):
        pass


def test_proxy_that_is_trusted_names_the_address(monkeypatch, turns):
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    UserFactory(email="ana@example.org")
    for number in range(logins.MOST_WRONG):
        who = {"username": f"nobody-{number}@example.org", "password": "wrong"}
        Client().post("/login/", who, headers={"X-Forwarded-For": "6.6.6.6, 10.0.0.7"})
    right = {"username": "ana@example.org", "password": RIGHT}
    for forwarded, turn in (("10.0.0.7", "SUSPECT_PASSWORD"), ("6.6.6.6", "PASSWORD")):
        assert Client().post("/login/", right, headers={"X-Forwarded-For": forwarded}).status_code == 302
        assert turns[-1] == turn


def test_a_turn_that_does_not_come_is_given_up(monkeypatch):
    monkeypatch.setattr(costly, "PATIENCE", 0.05)
    with costly.bounded(costly.PASSWORD), pytest.raises(costly.TooManyAtOnceError), costly.bounded(costly.PASSWORD):
        pass


def test_text_that_is_no_address_is_nobodys_name(client):
    """SQLite refuses to look for one of 100 kB, which looked as if the database was away."""
    UserFactory(email="ana@example.org")
    assert log_in(client, RIGHT, name="a" * 100_000) == log_in(client, RIGHT, name="nobody@example.org")


def test_nobody_is_asked_without_a_password():
    assert logins.PasswordBackend().authenticate(RequestFactory().get("/")) is None


def test_logging_in_leaves_the_number_by_which_a_phone_is_one_voice(client):
    UserFactory(email="ana@example.org")
    client.cookies[phone_cookies.DEVICE] = "a number"
    log_in(client, RIGHT)
    assert client.cookies[logins.DEVICE].value
    assert client.cookies[phone_cookies.DEVICE].value == "a number"


def test_seatings_and_known_devices_wait_for_nobody_who_reads():
    with costly.bounded(costly.OWN), costly._place(costly.OWN.places):
        for work in (costly.SEATING, costly.KNOWN_PASSWORD):
            with costly.bounded(work):
                pass
