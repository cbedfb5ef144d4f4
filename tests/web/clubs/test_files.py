"""Files come in by a page, which says what was taken and what not; lists of players come from CSV files."""

from __future__ import annotations

import json
import tempfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.services.files import club_file, event_file
from tests.api.files import organiser_of, played, played_own
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import ClubFactory, EventFactory, MembershipFactory
from tournaments.models import Club, Event, Role
from tournaments.services.games import define_game

pytestmark = pytest.mark.django_db


def written(file: Any) -> bytes:
    """Return a file as its reader keeps it."""
    return json.dumps(file, default=lambda value: value.isoformat()).encode()


def browser_of(club: Club, role: str = Role.ORGANISER) -> Client:
    client = Client()
    client.force_login(MembershipFactory(club=club, role=role).user)
    return client


def send(client: Client, club: Club, body: bytes) -> str:
    """Send a file by the form, and return the page."""
    upload = SimpleUploadedFile("event.json", body)
    return client.post(f"/organise/club/{club.slug}/files/", {"file": upload}).content.decode()


def test_an_event_comes_in_by_the_page_once():
    here, there = ClubFactory(slug="here"), ClubFactory(slug="there")
    actor, _ = organiser_of(here)
    body = written(event_file(played(here, actor, people=4, number=1), is_whole=True))
    browser = browser_of(there)
    assert "Taken: people 4, tables 1, sheets 1." in send(browser, there, body)
    assert "nothing was done" in send(browser, there, body)
    assert there.events.count() == 1


def test_the_page_says_what_was_not_taken_and_why():
    here, there = ClubFactory(slug="here"), ClubFactory(slug="there")
    actor, _ = organiser_of(here)
    file = json.loads(written(event_file(played(here, actor, people=4, number=1), is_whole=True)))
    sheet = file["rounds"][0]["tables"][0]["reports"][0]["sheet"]
    sheet["seats"] = sheet["seats"][::-1]
    html = send(browser_of(there), there, written(file))
    assert "sheets 0." in html
    assert "Not taken" in html
    assert "rounds.0.tables.0.reports.0" in html


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"no json", "it is no JSON"),
        (b"\xff\xfe", "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b"[]", "not a file of this service"),
        (b'{"format": "ludoscore.event/1"}', "event: "),
        (b'{"format": "ludoscore.event/9"}', "format: "),
    ],
)
def test_what_is_no_file_is_refused_with_the_reason(body, said):
    club = ClubFactory()
    assert said in send(browser_of(club), club, body)
    assert not Event.objects.exists()


def test_a_large_file_needs_no_room_in_the_temporary_folder(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    club = ClubFactory()
    assert "not a file of this service" in send(browser_of(club), club, b"[" + b" " * 3_000_000 + b"]")


def test_an_empty_form_or_file_is_asked_for_a_file():
    club = ClubFactory()
    browser = browser_of(club)
    assert "errorlist" in browser.post(f"/organise/club/{club.slug}/files/").content.decode()
    assert "errorlist" in send(browser, club, b"")


def test_a_whole_club_comes_in_with_its_games_and_a_taken_name_is_said():
    here, there = ClubFactory(slug="here"), ClubFactory(slug="there")
    actor, _ = organiser_of(here)
    define_game(actor=actor, club=here, definition=HARBOUR)
    played_own(here, actor, HARBOUR)
    define_game(actor=organiser_of(there)[0], club=there, definition={**HARBOUR, "winner": "fewest"})
    html = send(browser_of(there), there, written(club_file(here)))
    assert "custom:harbour-2" in html
    assert there.events.get().game_slug == "custom:harbour-2"


def test_only_organisers_take_files_in_and_only_owners_are_shown_all_of_the_club():
    club = ClubFactory()
    path = f"/organise/club/{club.slug}/files/"
    assert browser_of(club, Role.SCOREKEEPER).get(path).status_code in {403, 404}
    assert Client().get(path).status_code == 302
    everything = f"/api/v1/clubs/{club.slug}/file/"
    assert everything not in browser_of(club).get(path).content.decode()
    assert everything in browser_of(club, Role.OWNER).get(path).content.decode()


# --- A list of players --------------------------------------------------------------------------------------------


def test_players_come_from_a_csv_file_on_the_page():
    event = EventFactory(status="registration")
    browser, path = browser_of(event.club), f"/e/{event.uid}/players/"
    upload = SimpleUploadedFile("people.csv", "town,name\nLyon,Éva\nNantes,Bo\n".encode())
    page = browser.post(f"{path}act/", {"do": "names", "file": upload}, follow=True).content.decode()
    assert "2 players are in." in page
    assert set(event.entries.values_list("name", flat=True)) == {"Éva", "Bo"}
    assert f"/api/v1/events/{event.uid}/file/" in page
    again = SimpleUploadedFile("people.csv", "Éva\nBo\n".encode())
    assert "In the event already" in browser.post(f"{path}act/", {"do": "names", "file": again}, follow=True).text
    for wrong in (SimpleUploadedFile("x.csv", b"\xff\xfe\x00"), SimpleUploadedFile("x.csv", b"")):
        assert "errorlist" in browser.post(f"{path}act/", {"do": "names", "file": wrong}).content.decode()
    assert "errorlist" in browser.post(f"{path}act/", {"do": "names"}).content.decode()
    lines_in_a_cell = SimpleUploadedFile("names.csv", b'name\n"Eve\nFay"\n')
    assert "errorlist" in browser.post(f"{path}act/", {"do": "names", "file": lines_in_a_cell}).content.decode()
    assert event.entries.count() == 2
