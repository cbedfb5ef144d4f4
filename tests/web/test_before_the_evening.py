"""Sign-up ahead on the public page, the list at the door, and the same evening again: by page and by API."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from rest_framework.test import APIClient

from core.models import OutgoingMail
from tests.api.callers import bearer
from tests.factories import (
    ClubFactory,
    CredentialFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
)
from tests.web.organisers import links_of
from tournaments.models import Contact, Entry, Event, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    membership = MembershipFactory(role=Role.ORGANISER, club=ClubFactory(slug="meeple"))
    client = Client()
    client.force_login(membership.user, "django.contrib.auth.backends.ModelBackend")
    secret = "lsu_" + "a" * 43
    CredentialFactory(user=membership.user, secret=secret)
    client.club, client.api = membership.club, bearer(secret)
    return client


@pytest.fixture
def event(organiser):
    soon = timezone.now() + dt.timedelta(days=2)
    fields = {"sign_up_ahead": True, "most_entries": 2, "starts_at": soon, "status": Event.Status.REGISTRATION}
    return EventFactory(club=organiser.club, name="DIX on Wednesday", **fields)


def status_of(name):
    return Entry.objects.get(name=name).status


def test_a_player_signs_up_waits_moves_up_withdraws_and_comes_in_at_the_door(event):
    page = f"/e/{event.uid}/sign-up/"
    ana, bo, cy = Client(), Client(), Client()
    assert page in links_of(ana.get(f"/e/{event.uid}/").content.decode())
    assert event.join_code not in ana.get(page).content.decode()  # the code is for those who are there
    for phone, name in ((ana, "Ana"), (bo, "Bo"), (cy, "Cy")):
        assert (
            phone.post(page, {"name": name, "key": name}, follow=True).redirect_chain[-1][0] == f"/e/{event.uid}/me/"
        )
    assert [status_of(name) for name in ("Ana", "Bo", "Cy")] == ["registered", "registered", "waiting"]
    assert "Wait for a place" in Client().get(f"/e/{event.uid}/").content.decode()
    assert "Number 1 on the waiting list" in cy.get(f"/e/{event.uid}/me/").content.decode()
    before = cy.get(f"/e/{event.uid}/me/live/")
    bo.post(f"/e/{event.uid}/me/leave/")
    assert status_of("Cy") == "registered"
    left = bo.get(f"/e/{event.uid}/me/").content.decode()
    assert "You withdrew" in left
    assert "What you played counts" not in left
    bo.post(f"/e/{event.uid}/me/return/")
    assert status_of("Bo") == "waiting"
    after = cy.get(f"/e/{event.uid}/me/live/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "You are signed up" in after.content.decode()
    door = f"/join/{event.join_code}/"
    assert "I am here" in cy.get(door).content.decode()
    assert cy.post(door).url == f"/e/{event.uid}/me/"
    assert status_of("Cy") == "checked_in"
    assert cy.get(door).status_code == 302


@pytest.mark.parametrize("door", ["sign-up", "code"])
def test_a_phone_that_is_in_is_told_what_to_do_for_somebody_without_one(event, door):
    phone = Client()
    page = f"/e/{event.uid}/sign-up/" if door == "sign-up" else f"/join/{event.join_code}/"
    phone.post(page, {"name": "Ana", "key": "Ana", "new": "1"}, follow=True)
    again = phone.get(page, follow=True).content.decode()
    assert "You are in as Ana. Who has no phone of their own is entered by the organiser." in again


@pytest.mark.parametrize("door", ["sign-up", "code"])
def test_a_phone_that_withdrew_is_not_told_that_it_is_in(event, door):
    phone = Client()
    page = f"/e/{event.uid}/sign-up/" if door == "sign-up" else f"/join/{event.join_code}/"
    phone.post(page, {"name": "Ana", "key": "Ana", "new": "1"}, follow=True)
    phone.post(f"/e/{event.uid}/me/leave/", follow=True)
    again = phone.get(page, follow=True).content.decode()
    assert "You are in as Ana" not in again
    assert f'action="/e/{event.uid}/me/return/"' in again


def test_a_full_event_counts_who_waits_only_where_somebody_does(event):
    page = f"/e/{event.uid}/sign-up/"
    for name in ("Ana", "Bo"):
        EntryFactory(event=event, player__name=name, status="registered")
    assert "Every place is taken. You move up as soon as one is free." in Client().get(page).content.decode()
    EntryFactory(event=event, player__name="Cy", status="waiting", waiting_since=timezone.now())
    assert "and 1 player waits." in Client().get(page).content.decode()


def test_the_form_sent_twice_signs_up_once_and_a_bad_address_stops_nobody_else(event):
    phone = Client()
    for _ in range(2):
        phone.post(f"/e/{event.uid}/sign-up/", {"name": "Ana", "key": "one", "email": ""})
    assert Entry.objects.count() == 1
    refused = Client().post(f"/e/{event.uid}/sign-up/", {"name": "Bo", "email": "not an address"})
    assert refused.status_code == 400
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("door", ["page", "api"])
def test_one_network_has_few_strangers_mailed_and_those_in_the_room_are_not_counted(event, door, settings):
    settings.EMAIL_HOST = "mail.example.org"
    Event.objects.update(most_entries=None)

    def come(number, **more):
        told = {"name": f"Player {number:02}", "email": f"player{number}@example.org"}
        if door == "api":
            return APIClient().post(f"/api/v1/events/{event.uid}/entries/", told | {"confirm_alike": True} | more)
        page = f"/join/{event.join_code}/" if more else f"/e/{event.uid}/sign-up/"
        return Client().post(page, told | {"new": "1", "key": f"{number}"})

    assert {come(number).status_code for number in range(40)} <= {201, 302}
    assert OutgoingMail.objects.count() == 30
    assert come(50, join_code=event.join_code).status_code in {201, 302}
    assert OutgoingMail.objects.count() == 31
    assert Entry.objects.count() == 41


def test_what_is_mailed_leads_to_the_port_that_is_served(event, settings):
    settings.EMAIL_HOST = "mail.example.org"
    answers = [
        Client().post(
            f"/e/{event.uid}/sign-up/",
            {"name": "Ana", "email": "ana@example.org", "key": "one"},
            headers={"host": "testserver:6666"},
            SERVER_PORT="8000",
        ),
        APIClient().post(
            f"/api/v1/events/{event.uid}/entries/",
            {"name": "Bo", "email": "bo@example.org"},
            headers={"host": "[::1]:6666"},
            SERVER_PORT="8000",
        ),
    ]
    assert [answer.status_code for answer in answers] == [302, 201]
    assert [each.origin for each in Contact.objects.order_by("pk")] == ["http://testserver:8000", "http://[::1]:8000"]


def test_penelope_is_asked_whether_she_is_the_one_the_club_knows(event):
    known = PlayerFactory(name="Pénélope", club=event.club)
    page = f"/e/{event.uid}/sign-up/"
    asked = Client().post(page, {"name": "Penelope"}).content.decode()
    assert "Have you played here before" in asked
    assert known.uid in asked
    proposed = Client().get(f"{page}people/?name=penel").content.decode()
    assert known.uid in proposed
    assert known.uid in Client().get(f"/join/{event.join_code}/people/?name=PENE").content.decode()


def test_the_organiser_enters_penelope_as_the_one_whom_the_club_knows(organiser, event):
    known = PlayerFactory(name="Pénélope", club=event.club)
    organiser.post(f"/e/{event.uid}/players/", {"name": "penelope"})
    assert Entry.objects.get().player == known


@pytest.mark.parametrize("status", [Event.Status.DRAFT, Event.Status.RUNNING, Event.Status.FINISHED])
def test_an_event_that_takes_nobody_offers_no_form(event, status):
    Event.objects.update(status=status)
    answer = Client().post(f"/e/{event.uid}/sign-up/", {"name": "Ana", "key": "one"})
    assert answer.status_code in {404, 409}
    assert not Entry.objects.exists()


def test_a_private_event_is_not_there_for_strangers(event):
    Event.objects.update(is_public=False)
    for address in ("sign-up/", "sign-up/people/?name=pene"):
        assert Client().get(f"/e/{event.uid}/{address}").status_code == 404
    answer = APIClient().post(f"/api/v1/events/{event.uid}/entries/", {"name": "Ana"})
    assert answer.status_code == 404


def test_the_list_at_the_door_searches_checks_in_one_or_all_and_takes_out_the_rest(organiser, event):
    Event.objects.update(most_entries=30)
    players = f"/e/{event.uid}/players/"
    organiser.post(f"{players}act/", {"do": "names", "names": "Ana\nBo\nCy\nDag\nÉva\nFay\nGil\nHal\nIda\nJo"})
    assert Entry.objects.filter(status="registered").count() == 10
    shown = organiser.get(f"{players}?q=eva").content.decode()
    assert "Éva" in shown
    assert "Bo" not in strip_tags(shown.partition("<ul")[2])  # a random token in an attribute may well spell a name
    eva = Entry.objects.get(name="Éva")
    back = organiser.post(f"{players}{eva.uid}/change/", {"do": "checked_in", "q": "eva"})
    assert back.url == f"{players}?q=eva"
    assert status_of("Éva") == "checked_in"
    assert "9 players signed up and are not here yet" in organiser.get(f"/e/{event.uid}/console/").content.decode()
    organiser.post(f"{players}act/", {"do": "absent"})
    assert Entry.objects.filter(status="dropped").count() == 9
    organiser.post(f"{players}act/", {"do": "names", "names": "Kim\nLea"})
    organiser.post(f"{players}act/", {"do": "here"})
    assert [status_of("Kim"), status_of("Lea")] == ["checked_in", "checked_in"]


def test_a_list_with_a_bad_name_comes_back_as_it_was_pasted(organiser, event):
    page = organiser.post(f"/e/{event.uid}/players/act/", {"do": "names", "names": "Ana\n" + "x" * 70})
    html = page.content.decode()
    assert page.status_code == 200
    assert "Line 2" in html
    assert "x" * 70 in html
    assert not Entry.objects.exists()


def test_a_late_comer_is_entered_as_being_here(organiser, event):
    organiser.post(f"/e/{event.uid}/players/", {"name": "Zoe", "is_here": "on"})
    assert status_of("Zoe") == "checked_in"


def test_what_the_pages_do_the_api_does(organiser, event):
    url, api = f"/api/v1/events/{event.uid}/", organiser.api
    ana = APIClient().post(f"{url}entries/", {"name": "Ana", "email": "ana@example.org"}).json()
    assert (ana["status"], "email" in ana) == ("registered", False)
    names = api.post(f"{url}entries/names/", {"names": ["Bo", "Cy"]}).json()
    assert [entry["status"] for entry in names["entries"]] == ["registered", "registered"]
    assert APIClient().post(f"{url}entries/", {"name": "Dag"}).json()["status"] == "waiting"
    phone = bearer(ana["token"])
    refused = phone.patch(f"/api/v1/entries/{ana['id']}/", {"status": "checked_in"})
    assert (refused.status_code, refused.json()["code"]) == (409, "entry-status")
    wrong = phone.patch(f"/api/v1/entries/{ana['id']}/", {"status": "checked_in", "join_code": "WRONG1"})
    assert wrong.status_code == 409
    here = phone.patch(f"/api/v1/entries/{ana['id']}/", {"status": "checked_in", "join_code": event.join_code})
    assert here.json()["status"] == "checked_in"
    bo = names["entries"][0]["id"]
    assert api.patch(f"/api/v1/entries/{bo}/", {"status": "checked_in"}).json()["status"] == "checked_in"
    assert [each["player"]["name"] for each in api.post(f"{url}entries/no-shows/").json()] == ["Cy"]
    assert api.post(f"{url}entries/check-in/").json() == []
    assert {each["player"]["name"] for each in api.get(f"{url}entries/?status=waiting").json()["results"]} == {"Dag"}
    shown = APIClient().get(url).json()
    assert (shown["sign_up_ahead"], shown["check_in"], shown["sign_up_closes_at"]) == (True, True, None)
    changed = api.patch(url, {"sign_up_ahead": False}).json()
    assert (changed["sign_up_ahead"], changed["check_in"]) == (False, False)
    closes = api.patch(url, {"sign_up_closes_at": (event.starts_at + dt.timedelta(hours=1)).isoformat()})
    assert closes.json()["errors"][0]["path"] == ["sign_up_closes_at"]


def test_sign_up_needs_a_new_name_as_joining_does(event):
    url = f"/api/v1/events/{event.uid}/entries/"
    APIClient().post(url, {"name": "Ana"})
    assert APIClient().post(url, {"name": "ana"}).json()["code"] == "name-taken"
    known = PlayerFactory(name="Pénélope", club=event.club)
    assert APIClient().post(url, {"name": "Penelope"}).json()["code"] == "name-alike"
    claimed = APIClient().post(url, {"player": known.uid}).json()
    assert (claimed["verified"], claimed["claims"]) == (False, known.uid)


def test_last_weeks_evening_is_copied_by_page_and_api(organiser, event):
    Event.objects.update(starts_at=timezone.now() - dt.timedelta(days=1))
    new = organiser.get(f"/organise/club/{organiser.club.slug}/events/new/").content.decode()
    page = f"/e/{event.uid}/copy/"
    assert page in links_of(new)
    assert page in links_of(organiser.get(f"/e/{event.uid}/settings/").content.decode())
    form = organiser.get(page).context["form"]
    sent = {"name": event.name, "starts_at": f"{form['starts_at'].value():%Y-%m-%dT%H:%M}", "times": 4, "every": 2}
    assert organiser.post(page, sent).url == "/organise/club/meeple/"
    copies = Event.objects.exclude(pk=event.pk).order_by("starts_at")
    assert [copy.status for copy in copies] == ["draft"] * 4
    assert copies[1].starts_at - copies[0].starts_at == dt.timedelta(weeks=2)
    made = organiser.api.post(f"/api/v1/events/{event.uid}/copy/", {"times": 2})
    assert [each["sign_up_ahead"] for each in made.json()] == [True, True]
    assert organiser.post(page, sent | {"times": 1000}).status_code == 200
    assert organiser.api.post(f"/api/v1/events/{event.uid}/copy/", {"times": 1000}).status_code == 400


def test_saving_the_settings_keeps_all_six_tie_breaks(organiser, event):
    six = ["performance", "best_table", "head_to_head", "score_share", "opponents", "wins"]
    Event.objects.update(tiebreaks=six)
    page = f"/e/{event.uid}/settings/"
    form = organiser.get(page).context["form"]
    sent = {name: value for name in form.fields if (value := form[name].value()) not in (None, False)}
    sent |= {"starts_at": f"{event.starts_at:%Y-%m-%dT%H:%M}", "podium_points": "5 3 2 1", "name": "Renamed"}
    sent = {name: value for name, value in sent.items() if not isinstance(value, list)}
    assert organiser.post(page, sent).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.tiebreaks) == ("Renamed", six)
