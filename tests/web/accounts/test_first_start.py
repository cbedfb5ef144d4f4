"""The first start: from an empty service to the first event, by the code that the terminal shows."""

from __future__ import annotations

import re
import threading
from functools import partial

import pytest
from django.db import connection
from django.test import Client

from core.brute_force import A_MINUTE
from core.models import StartCode, User
from ops.management.commands.serve import Command as Serve
from tests.factories import UserFactory
from tests.guesses import guess
from tests.web.test_every_page import Visit, faults, go
from tournaments.errors import StartCodeError
from tournaments.models import Club, Membership
from tournaments.services import first_start

pytestmark = pytest.mark.django_db

ANSWERS = {
    "club": "Café Meeple",
    "language": "fr",
    "time_zone": "Europe/Paris",
    "name": "Olga",
    "email": "olga@Example.org",
    "new_password1": "battery staple",
    "new_password2": "battery staple",
}


def greeting() -> str:
    return Serve().greeting("http://testserver", port=8000, qr=False, certificate=None)


def shown_code() -> str:
    return re.search(r"/start/\?code=(\S+)", greeting())[1]


def test_an_empty_service_asks_and_ends_on_the_first_event(client, settings):
    settings.EMAIL_HOST = ""
    code = shown_code()
    assert client.get("/").url == "/start/"
    html = client.get(f"/start/?code={code}").content.decode()
    assert f'value="{code}"' in html
    assert "No mail is set up" in html
    answer = client.post("/start/", ANSWERS | {"code": code.lower().replace("-", " ")})
    assert answer.url == "/organise/club/cafe-meeple/events/new/"
    first = client.get(answer.url)
    assert "À quoi jouez-vous" in first.content.decode()  # in French, and logged in
    owner, club = User.objects.get(), Club.objects.get()
    assert (owner.email, owner.name, owner.is_superuser) == ("olga@example.org", "Olga", True)
    assert (club.name, club.time_zone) == ("Café Meeple", "Europe/Paris")
    assert Membership.objects.get().role == "owner"
    assert Client().login(username="olga@example.org", password="battery staple")


def test_the_code_dies_with_its_use_and_the_page_with_the_first_account(client):
    code = shown_code()
    client.post("/start/", ANSWERS | {"code": code})
    assert not StartCode.objects.exists()
    again = Client().post("/start/", ANSWERS | {"code": code, "email": "eve@example.org"})
    assert again.url == "/login/"
    assert User.objects.count() == 1
    assert "start/?code" not in greeting()
    assert Client().get("/").status_code == 200


def test_only_the_code_shown_last_works():
    old, new = shown_code(), shown_code()
    assert first_start.find_code(old) is None
    assert first_start.find_code(new) is not None


def test_a_wrong_code_makes_nothing_and_what_was_typed_stays(client):
    shown_code()
    answer = client.post("/start/", ANSWERS | {"code": "AAAAAA-BBBBBB"})
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "Café Meeple" in html
    assert "battery staple" not in html
    assert not User.objects.exists()


def test_guessing_is_slowed_and_the_right_code_still_works(client):
    code = shown_code()
    guess(A_MINUTE - 1)
    assert [client.post("/start/", {"code": f"WRONG{number}"}).status_code for number in range(2)] == [403, 429]
    assert client.post("/start/", ANSWERS | {"code": code}).status_code == 302


@pytest.mark.parametrize(
    "wrong",
    [
        {"club": ""},
        {"time_zone": "Mars/Olympus"},
        {"language": "xx"},
        {"email": "nobody"},
        {"email": f"{'o' * 243}@example.org"},  # longer than any that logs in, or that PostgreSQL keeps
        {"new_password2": "other"},
        {"new_password1": "12345678", "new_password2": "12345678"},
        {"new_password1": "olga@example.org", "new_password2": "olga@example.org"},
    ],
)
def test_a_wrong_answer_is_said_and_the_code_stays_good(client, wrong):
    code = shown_code()
    answer = client.post("/start/", ANSWERS | {"code": code} | wrong)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not User.objects.exists()
    assert client.post("/start/", ANSWERS | {"code": code}).status_code == 302


def test_a_service_that_has_an_account_has_no_first_start(client):
    UserFactory()
    assert first_start.show_code() == ""
    assert client.get("/start/").url == "/login/"
    assert client.get("/").status_code == 200


def test_without_a_code_in_a_terminal_there_is_no_page(client):
    assert client.get("/start/").status_code == 404
    assert client.get("/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_two_who_begin_at_once_one_is_the_owner():
    code = first_start.show_code()
    both, done = threading.Barrier(2), []

    def begin(number: int) -> None:
        both.wait()
        try:
            first_start.begin(
                code=code,
                club=f"Club {number}",
                email=f"{number}@example.org",
                name="Olga",
                password="battery staple",
                time_zone="UTC",
            )
            done.append("owner")
        except StartCodeError:
            done.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=partial(begin, number)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == ["owner", "refused"]
    assert (User.objects.count(), Club.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_on_a_phone_the_page_is_light_fits_and_leads_to_the_first_event(phone, camera):
    code = first_start.show_code()
    visit = Visit("web:start", "/start/")
    assert list(faults(phone, go(phone, visit), visit)) == []
    camera(phone, "start")
    phone.get_by_label("The code from the terminal").fill(code)
    phone.get_by_label("Name of the club").fill("Café Meeple")
    phone.get_by_label("Time zone").select_option("Europe/Paris")
    phone.get_by_label("Your name").fill("Olga")
    phone.get_by_label("Your e-mail address").fill("olga@example.org")
    phone.get_by_label("New password", exact=True).fill("battery staple")
    phone.get_by_label("New password confirmation").fill("battery staple")
    phone.get_by_role("button", name="Begin").click()
    phone.get_by_role("heading", name="What do you play?").wait_for()
