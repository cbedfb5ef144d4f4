"""What goes on paper."""

from __future__ import annotations

import re
from threading import Semaphore
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from core import costly
from demo.programme import HARBOUR
from engines import GAMES
from scoring.rankings.standings import store
from tests.factories import ClubFactory, MembershipFactory
from tests.web.console.test_console import report
from tests.web.markup import tags
from tests.web.organisers import event_with, links_of, log_in, running
from tests.web.test_design import is_inline
from tournaments import links
from tournaments.actors import Actor, Kind
from tournaments.models import Event, Format, Role, Table
from tournaments.services.games import define_game
from web.qr import qr_code

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return MembershipFactory(club=ClubFactory(name="Café Meeple"), role=Role.SCOREKEEPER).user


@pytest.fixture
def event(olga):
    """An event whose first round is being played; an organiser other than the one who prints has seated it."""
    club = olga.clubs.get()
    event = event_with(club, 12, confirmation="trust")
    running(MembershipFactory(club=club).user, event)
    return event


def pages_of(document: bytes) -> int:
    return sum(document.count(b"/Type /Page" + end) for end in (b"\n", b" ", b"/"))


def paper(client, event, path):
    response = client.get(f"/e/{event.uid}/print/{path}")
    assert response.status_code == 200
    html = response.content.decode()
    assert [tag for tag in tags(html) if is_inline(tag)] == []
    return html


@pytest.fixture(autouse=True)
def _logged_in(client, olga):
    client.force_login(olga)


@pytest.mark.parametrize("path", ["1/seating/", "1/slips/", "1/sheets/", "standings/", "plan/"])
def test_what_is_printed_of_many_people_waits_its_turn(client, event, monkeypatch, path):
    """Eighteen prints of 500 tables at once made a stranger's page of another club wait for five seconds."""
    if path == "plan/":
        Event.objects.update(format=Format.ROTATION)
    address = f"/e/{event.uid}/print/{path}"
    whole = client.get(address)
    monkeypatch.setattr(costly.OWN, "places", Semaphore(0))
    assert client.get(address).content == whole.content
    monkeypatch.setattr("web.print.MANY", 11)
    refused = client.get(address)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2")
    monkeypatch.setattr(costly.OWN, "places", Semaphore(1))
    assert client.get(address).content == whole.content


def test_the_menu_leads_to_everything_that_can_be_printed(client, event):
    wanted = {"poster/", "1/seating/", "1/slips/", "1/sheets/", "sheet/", "standings/"}
    found = links_of(paper(client, event, ""))
    assert {f"/e/{event.uid}/print/{path}" for path in wanted} <= found
    for path in wanted:
        assert len(tags(paper(client, event, path), "h1")) == 1


def test_everybody_finds_their_name_in_alphabetical_order(client, event):
    html = paper(client, event, "1/seating/")
    names = re.findall(r'<th scope="row">(.*?)</th>', html)
    assert names == sorted(names, key=str.casefold)
    assert len(names) == 12


def test_every_table_has_a_slip_that_opens_its_sheet(client, event):
    html = paper(client, event, "1/slips/")
    for table in Table.objects.all():
        address = links.slip_link(table, "http://testserver")
        assert qr_code(address, "Score sheet of this table") in html
    assert html.count('class="slip"') == 3


def test_the_poster_has_code_and_address(client, event):
    html = paper(client, event, "poster/")
    assert event.join_code in html
    assert qr_code(links.join_link(event, "http://testserver"), f"Join {event.name}") in html


def test_standings_have_every_tie_break(client, event):
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    store.refresh(event.uid)
    html = paper(client, event, "standings/")
    assert "Standings so far" in html
    assert html.count("<tr>") == 13
    assert all(name in html for name in ("Tables won", "Points of the opponents"))


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.django_db(transaction=True)
def test_slips_are_never_cut_by_the_edge_of_a_page(desktop: Page, olga, event, size):
    log_in(desktop, olga).goto(f"/e/{event.uid}/print/1/slips/")
    desktop.emulate_media(media="print")
    document = desktop.pdf(format=size)
    assert pages_of(document) == 1
    assert not desktop.get_by_role("button", name="Print").is_visible()


# --- Score sheets -----------------------------------------------------------------------------------------------


def rows_of(html: str) -> list[str]:
    return [row.strip() for row in re.findall(r'<th scope="row">(.*?)(?: <span class="hint">.*?)?</th>', html)]


def test_every_table_has_a_sheet_with_its_names_and_a_code(client, event):
    html = paper(client, event, "1/sheets/")
    assert html.count('class="sheet-page"') == 3
    for table in Table.objects.prefetch_related("seats__entry"):
        assert qr_code(links.slip_link(table, "http://testserver"), "Score sheet of this table") in html
        assert all(f'<th scope="col">{seat.entry.name}</th>' in html for seat in table.seats.all())
    one = Table.objects.first()
    assert paper(client, event, f"1/sheets/?table={one.uid}").count('class="sheet-page"') == 1


def test_the_empty_sheet_of_an_event_is_that_of_its_game(client, event):
    html = paper(client, event, "sheet/")
    assert rows_of(html) == ["Blue", "Green", "Orange", "Pink", "Total", "Coins", "Consolation tokens", "Cards in all"]
    assert "<svg" not in html.partition("<main")[2]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_anybody_prints_an_empty_sheet_of_every_game_and_variant(game, language):
    for variant in GAMES[game].variants:
        response = Client().get(f"/games/{game}/sheet/?variant={variant.slug}", headers={"accept-language": language})
        html = response.content.decode()
        assert "Total" in rows_of(html)
        columns = 2 if (game, variant.slug) == ("ten-phases", "solo") else variant.seats_max
        assert html.count('<th scope="col">') == columns
        assert html.count("<td></td>") == 1 + columns * len(rows_of(html))  # the corner, and a cell for everything


def test_there_is_no_sheet_of_a_game_that_there_is_not():
    assert Client().get("/games/chess/sheet/").status_code == 404
    assert Client().get("/games/dix/sheet/?variant=nonsense").status_code == 200


@pytest.mark.parametrize(
    ("sheet", "rows"),
    [
        ({"kind": "places"}, ["Place"]),
        ({"kind": "points"}, ["Points"]),
        ({"kind": "rounds", "rounds": 3}, ["Round 1", "Round 2", "Round 3", "Total"]),
        (HARBOUR["sheet"], None),
    ],
    ids=["places", "points", "rounds", "lines"],
)
def test_a_clubs_own_game_has_a_sheet_made_from_its_definition(sheet, rows):
    member = MembershipFactory(role=Role.ORGANISER)
    definition = {"slug": "ours", "name": "Ours <and> only", "seats": {"min": 2, "max": 6}, "sheet": sheet}
    own = define_game(
        actor=Actor(Kind.USER, user=member.user), club=member.club, definition=definition if rows else HARBOUR
    )
    address = f"/clubs/{member.club.slug}/games/{own.slug}/sheet/"
    html = Client().get(address).content.decode()
    assert rows_of(html) == (rows or [*(line["name"]["en"] for line in HARBOUR["sheet"]["lines"]), "Total"])
    assert "<and>" not in html
    member.club.is_public = False
    member.club.save()
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("path", ["1/sheets/", "sheet/"])
def test_sheets_of_an_event_are_for_its_club(event, path):
    assert Client().get(f"/e/{event.uid}/print/{path}").status_code == 302
    stranger = Client()
    stranger.force_login(MembershipFactory().user, "django.contrib.auth.backends.ModelBackend")
    assert stranger.get(f"/e/{event.uid}/print/{path}").status_code == 404


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.django_db(transaction=True)
def test_every_empty_sheet_is_a_page_of_paper(desktop: Page, size):
    for game in GAMES:
        desktop.goto(f"/games/{game}/sheet/")
        desktop.emulate_media(media="print")
        assert pages_of(desktop.pdf(format=size)) == 1


@pytest.mark.django_db(transaction=True)
def test_every_table_has_a_page_of_its_own(desktop: Page, olga, event):
    log_in(desktop, olga).goto(f"/e/{event.uid}/print/1/sheets/")
    desktop.emulate_media(media="print")
    assert pages_of(desktop.pdf(format="A4")) == 3
