"""Pages of a club's own games: make one, change it, try it, share, copy and remove it; and a whole evening of one."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from threading import Semaphore
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import expect

from core import costly
from engines import custom
from tests.browser import DESKTOP, PHONE, opened
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import ClubFactory, MembershipFactory
from tests.web.leagues import catch_up
from tests.web.markup import tags
from tests.web.organisers import actor, log_in, running
from tournaments.models import Club, Event, GameVersion, OwnGame, Role
from tournaments.services.games import define_game
from web.clubs import game_forms

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.django_db
FIELDS = {
    "name": "Harbour",
    "seats.min": "2",
    "seats.max": "5",
    "winner": "most",
    "sheet.kind": "categories",
    "rated": "1",
    "sheet.lines.0.name": "Ships",
    "sheet.lines.0.max": "40",
    "sheet.lines.0.step": "5",
    "sheet.lines.0.break": "1",
    "sheet.lines.2.name": "Flag",
    "sheet.lines.2.values": "0 7",
    "sheet.lines.2.given_to": "1",
}


def member(role=Role.ORGANISER, **club):
    membership = MembershipFactory(role=role, club=ClubFactory(**club))
    client = Client()
    client.force_login(membership.user)
    return client, f"/organise/club/{membership.club.slug}/games/", membership.club, membership.user


@pytest.fixture
def organiser():
    return member()


def made(club, user, **fields):
    return define_game(actor=actor(user), club=club, definition=HARBOUR | fields)


@pytest.mark.parametrize("definition", custom.ready(), ids=lambda each: each["slug"])
def test_the_form_can_say_every_ready_definition(definition):
    assert game_forms.is_plain(definition)


def test_a_game_is_made_from_the_form(organiser):
    client, path, club, _user = organiser
    assert "Start from one that is ready" in client.get(path).content.decode()
    answer = client.post(f"{path}new/", FIELDS | {"action": "save"})
    assert answer["Location"] == f"/clubs/{club.slug}/games/harbour/"
    stored = GameVersion.objects.get().definition
    assert stored["sheet"]["lines"] == [
        {"key": "ships", "name": "Ships", "max": 40, "step": 5},
        {"key": "flag", "name": "Flag", "values": [0, 7], "given_to": 1},
    ]
    assert stored["tiebreaks"] == ["ships"]
    assert "Harbour" in client.get(answer["Location"]).content.decode()


def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_stored(organiser):
    client, path, _club, _user = organiser
    wrong = FIELDS | {"sheet.lines.2.given_to": "5", "sheet.lines.0.max": "many", "action": "save"}
    page = client.post(f"{path}new/", wrong).content.decode()
    found = {tag.attributes["id"] for tag in tags(page, "p") if "data-finding-for" in tag.attributes}
    assert "finding-sheet.lines.0.max" in found
    assert "this must be a whole number" in page
    page = client.post(f"{path}new/", wrong | {"sheet.lines.0.max": "40"}).content.decode()
    assert "Line 2, how many have it: with 2 players" in page
    assert not OwnGame.objects.exists()


def test_the_preview_is_the_sheet_of_the_phone_and_texts_are_escaped(organiser):
    client, path, _club, _user = organiser
    page = client.post(f"{path}preview/", FIELDS | {"sheet.lines.0.name": "<b>Ships</b>"}).content.decode()
    assert "&lt;b&gt;Ships&lt;/b&gt;" in page
    assert "<b>Ships" not in page
    assert 'name="lines.seat-1.flag"' in page
    assert "This cannot be played yet" in client.post(f"{path}preview/", FIELDS | {"seats.min": "9"}).content.decode()


@pytest.mark.parametrize("slug", [each["slug"] for each in custom.ready()])
def test_every_ready_definition_opens_saves_and_can_be_tried(organiser, slug):
    client, path, club, _user = organiser
    page = client.get(f"{path}new/?from={slug}").content.decode()
    data = {
        tag.attributes["name"]: tag.attributes.get("value", "")
        for tag in tags(page, "input")
        if "name" in tag.attributes
    }
    assert data["slug"] == slug
    define = next(each for each in custom.ready() if each["slug"] == slug)
    assert client.post(f"{path}new/", {"as": "text", "text": json.dumps(define), "action": "save"}).status_code == 302
    tried = f"/clubs/{club.slug}/games/{slug}/"
    page = client.get(f"{tried}?example=3").content.decode()
    assert 'id="sheet"' in page
    fields = {
        tag.attributes["name"]: tag.attributes.get("value", "")
        for tag in tags(page, "input")
        if tag.attributes.get("name", "").split(".")[0] in {"points", "rounds", "lines"}
    }
    if fields:
        judged = client.post(tried, fields | {"action": "check"}, query_params={"example": "3"}).content.decode()
        assert "This sheet is right." in judged


def test_sheets_are_made_up_a_few_at_a_time_and_others_asked_to_come_back(organiser, monkeypatch):
    client, _path, club, user = organiser
    page = f"/clubs/{club.slug}/games/{made(club, user).slug}/"
    monkeypatch.setattr(costly.OWN_GAME, "places", Semaphore(0))
    refused = client.get(f"{page}?example=1")
    assert (refused.status_code, refused["Retry-After"]) == (429, "2")
    assert client.get(page).status_code == 200


def test_a_change_is_a_new_version_and_what_the_form_cannot_say_is_text(organiser):
    client, path, club, user = organiser
    made(club, user)
    page = client.get(f"{path}of/harbour/").content.decode()
    assert "harbour, version 1" in page
    saved = client.post(f"{path}of/harbour/", FIELDS | {"slug": "harbour", "minutes": "30", "action": "save"})
    assert saved.status_code == 302
    assert OwnGame.objects.get().version == 2
    odd = HARBOUR | {"name": {"en": "Harbour", "de": "Hafen"}}
    client.post(f"{path}of/harbour/", {"as": "text", "text": json.dumps(odd), "action": "save"})
    assert GameVersion.objects.get(number=3).definition["name"] == {"en": "Harbour", "de": "Hafen"}
    assert "data-maker" not in client.get(f"{path}of/harbour/").content.decode()
    broken = client.post(f"{path}of/harbour/", {"as": "text", "text": "{", "action": "save"})
    assert "This cannot be played yet" in broken.content.decode()


def test_a_game_is_shared_copied_by_link_and_file_and_removed(organiser):
    client, path, club, user = organiser
    game = made(club, user)
    Club.objects.filter(pk=club.pk).update(is_public=False)
    other, theirs, _theirs, _ = member(name="Dice Inn", slug="dice-inn")
    assert other.get(f"/clubs/{club.slug}/games/harbour/").status_code == 404
    client.post(f"{path}of/harbour/share/")
    game.refresh_from_db()
    shared = f"/shared-games/{game.link}/"
    assert "Copy to Dice Inn" in other.get(shared).content.decode()
    assert "Copy to" not in Client().get(shared).content.decode()
    assert other.post(theirs, {"link": f"http://x{shared}"})["Location"] == f"{theirs}of/harbour/"
    file = client.get(f"/clubs/{club.slug}/games/harbour/file/")
    assert file["Content-Disposition"] == 'attachment; filename="harbour.json"'
    assert other.post(f"{theirs}of/harbour/remove/")["Location"] == theirs
    again = SimpleUploadedFile("harbour.json", file.content, "application/json")
    assert other.post(theirs, {"file": again})["Location"] == f"{theirs}of/harbour/"
    nonsense = SimpleUploadedFile("harbour.json", b"\xff{", "application/json")
    assert "the file is not a definition" in other.post(theirs, {"file": nonsense}).content.decode()
    client.post(f"{path}of/harbour/unshare/")
    assert other.get(shared).status_code == 404


def test_only_organisers_of_the_club_change_its_games(organiser):
    _client, path, club, user = organiser
    made(club, user)
    for client in (member(Role.SCOREKEEPER)[0], member(Role.OWNER)[0]):
        for address in (path, f"{path}new/", f"{path}of/harbour/"):
            assert client.get(address).status_code == 404
        assert client.post(f"{path}of/harbour/remove/").status_code == 404
    assert Client().get(path).status_code == 302


def test_an_event_of_the_game_stands_on_the_public_pages(organiser):
    client, _path, club, user = organiser
    game = made(club, user)
    event = Event.objects.create(
        club=club,
        name="Night",
        game=game.key,
        definition=game.versions.get(),
        variant="standard",
        table_min=2,
        table_max=5,
        table_preferred=4,
        starts_at="2026-11-18T19:00:00Z",
        status="registration",
    )
    page = Client().get(f"/e/{event.uid}/").content.decode()
    assert f"/clubs/{club.slug}/games/harbour/" in page
    assert "icons.svg#custom" in page
    assert "Harbour" in Client().get(f"/clubs/{club.slug}/").content.decode()
    assert Client().get(f"/clubs/{club.slug}/leaderboards/custom:harbour/").status_code == 200
    assert Client().get(f"/embed/clubs/{club.slug}/custom:harbour/").status_code == 200
    assert Client().get(f"/embed/clubs/{club.slug}/custom:harbour.svg").status_code == 200
    assert client.get(f"/organise/club/{club.slug}/events/new/").content.decode().count("custom:harbour") == 1
    assert (
        "An evening of Harbour"
        in client.get(f"/organise/club/{club.slug}/events/new/?game=custom:harbour").content.decode()
    )
    assert client.get(f"/e/{event.uid}/settings/").status_code == 200


PATIENCE = 30_000  # milliseconds, on a busy machine
LINES = (
    ("Ships", {"Most": "40", "In steps of": "5"}),
    ("Cargo", {"Most": "30", "One is worth": "2"}),
    ("Flag", {}),
    ("Storms", {"Most": "9", "One is worth": "-1"}),
)


def define_in(page: Page) -> None:
    """Describe a game with four lines and a tie-break, with a look at the sheet beside the form."""
    page.get_by_role("link", name="New game").click()
    page.get_by_label("Name", exact=True).fill("Harbour")
    for number, (name, limits) in enumerate(LINES):
        line = page.locator("[data-line]").nth(number)
        line.get_by_label("Name of the line").fill(name)
        for label, value in limits.items():
            line.get_by_label(label).fill(value)
    flag = page.locator("[data-line]").nth(2)
    flag.get_by_text("Only some numbers, or shared out").click()
    flag.get_by_label("Only these numbers").fill("0 7")
    flag.get_by_label("How many players have it").fill("1")
    page.locator("[data-line]").first.get_by_label("Breaks ties").select_option("1")
    expect(page.locator("[data-preview-here] tbody th")).to_have_count(4, timeout=PATIENCE)
    page.get_by_role("button", name="Create the game").click()
    page.get_by_role("heading", name="Harbour").wait_for()


def fill(phone: Page, column: int, *values: int) -> None:
    """Type the numbers of a player on the keypad; a number that can go on needs a tap to move."""
    for row, value in enumerate(values):
        cell = phone.locator("tr[data-rule]").nth(row).locator("input").nth(column)
        cell.tap()
        keys = phone.locator("[data-keys]")
        if phone.locator("[data-keys] .key").count() < 10:
            keys.get_by_role("button", name=str(value), exact=True).tap()
        else:
            for digit in str(value):
                keys.get_by_role("button", name=digit, exact=True).tap()
        expect(cell).to_have_value(str(value))


@pytest.mark.django_db(transaction=True)
def test_a_newcomer_defines_a_game_and_runs_an_evening_with_phones(browser: Browser, live_server) -> None:
    user = MembershipFactory(role=Role.OWNER, club=ClubFactory(name="Café Meeple", slug="cafe-meeple")).user
    with ExitStack() as stack:
        laptop, *phones = (
            stack.enter_context(opened(browser, live_server.url, device)) for device in (DESKTOP, PHONE, PHONE)
        )
        log_in(laptop, user).goto("/organise/club/cafe-meeple/games/")
        define_in(laptop)
        laptop.get_by_role("link", name="New event").click()
        laptop.get_by_label("Smallest table").fill("2")
        laptop.get_by_role("button", name="Create the event").click()
        laptop.get_by_role("button", name="Open registration").click()
        laptop.get_by_role("button", name="Close registration").or_(
            laptop.get_by_text("Seat round 1")
        ).first.wait_for()
        event = Event.objects.get()
        assert (event.game_slug, event.game_version, event.rated) == ("custom:harbour", 1, True)
        for phone, name in zip(phones, ("Ana", "Bo"), strict=True):
            phone.goto(f"/join/{event.join_code}/")
            phone.get_by_label("Your name").fill(name)
            phone.get_by_role("button", name="Join").tap()
            phone.get_by_role("heading", name=name).wait_for()
        round_ = running(user, event)
        table = round_.tables.get()
        first, second = ("Ana", "Bo") if table.seats.get(position=1).entry.name == "Ana" else ("Bo", "Ana")
        sender, other = phones if first == "Ana" else reversed(phones)
        sender.goto(f"/e/{event.uid}/table/{table.uid}/")
        sender.locator("form[data-state]").wait_for()
        fill(sender, 0, 20, 3, 7, 0)
        expect(sender.locator("tr[data-rule]").nth(2).locator("input").nth(1)).to_have_value("0")
        fill(sender, 1, 25, 4, 0, 0)
        expect(sender.locator(".sheet-total").first).to_have_text("33")
        sender.get_by_role("button", name="Send", exact=True).tap()
        dialog = sender.get_by_role("dialog")
        expect(dialog).to_contain_text(f"level on points with {first}, Ships: 25 against 20", timeout=PATIENCE)
        dialog.get_by_role("button", name="Send").tap()
        sender.get_by_text("Waiting").first.wait_for(timeout=PATIENCE)
        other.goto(f"/e/{event.uid}/table/{table.uid}/")
        other.get_by_role("button", name=re.compile("right|confirm", re.IGNORECASE)).first.tap()
        expect(other.locator("body")).to_contain_text("33", timeout=PATIENCE)
        catch_up()
        other.goto("/clubs/cafe-meeple/leaderboards/custom:harbour/")
        expect(other.locator(".places tbody tr").first).to_contain_text(second)
        other.goto("/clubs/cafe-meeple/")
        expect(other.locator("body")).to_contain_text("Harbour")


@pytest.mark.django_db(transaction=True)
def test_names_are_tapped_into_order_and_rounds_are_added_as_they_are_played(phone: Page) -> None:
    user = MembershipFactory(role=Role.OWNER, club=ClubFactory(slug="cafe-meeple")).user
    for slug in ("order", "to-the-target"):
        definition = next(each for each in custom.ready() if each["slug"] == slug)
        define_game(actor=actor(user), club=Club.objects.get(), definition=definition)
    phone.goto("/clubs/cafe-meeple/games/order/?people=3")
    phone.locator("form[data-state]").wait_for()
    keys = phone.locator(".podium-keys")
    keys.get_by_role("button", name="Bo").tap()
    keys.get_by_role("button", name="Ana").tap()
    phone.get_by_role("button", name="The next one shares this place").tap()
    keys.get_by_role("button", name="Cy").tap()
    assert [key.inner_text().split()[0] for key in keys.get_by_role("button").all()] == ["2", "1", "2"]
    phone.get_by_role("button", name="Check", exact=True).tap()
    expect(phone.get_by_role("dialog")).to_contain_text("Bo: first", timeout=PATIENCE)

    phone.goto("/clubs/cafe-meeple/games/to-the-target/?people=2")
    phone.locator("form[data-state]").wait_for()
    before = phone.locator("tr[data-rule]").count()
    phone.locator("tr[data-rule]").nth(before - 1).locator("input").first.fill("60")
    expect(phone.locator("tr[data-rule]")).to_have_count(before + 1)
    assert phone.locator("tr[data-rule] input").last.get_attribute("name") == f"rounds.{before}.seat-2"
    phone.locator("form[data-state=kept], form[data-state=saved]").wait_for(timeout=PATIENCE)
    phone.reload()
    phone.locator("form[data-state]").wait_for()
    expect(phone.locator("tr[data-rule]")).to_have_count(before + 1)
    assert phone.locator("tr[data-rule]").nth(before - 1).locator("input").first.input_value() == "60"
