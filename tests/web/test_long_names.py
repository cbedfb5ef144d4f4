"""Long names on the smallest phone: they break where they must, and push nothing off the page or over anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.models import User
from tests.factories import ClubFactory, EntryFactory, MembershipFactory, PlayerFactory
from tests.web.console.test_console import report
from tests.web.leagues import League
from tests.web.organisers import event_with, log_in, running
from tests.web.phones import link_of
from tournaments.models import Club, Event, Role, Table
from tournaments.models.events import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)

LONG = (
    "Wolfeschlegelsteinhausenbergerdorff Hubert",
    "Alexandre-Maximilien de Montmorency-Laval",
    "Χριστόδουλος Παπαδημητρακόπουλος-Κωνσταντίνου",
    "Bartholomäus-Christian Freiherr von Münchhausen",
)
# Words that go beyond the page, or beyond what they stand in.
OUTSIDE = """() => [...document.querySelectorAll("main *")].filter(element => {
    const holds = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!holds || !element.checkVisibility() || element.closest(".sr-only, .scroll, .is-replaced")) return false;
    const words = document.createRange();
    words.selectNodeContents(element);
    const frame = element.closest("button, p, td, th, li, main").getBoundingClientRect();
    return words.getBoundingClientRect().right > Math.min(frame.right, innerWidth) + 1;
}).map(element => element.innerText)"""
# Dates that begin before the name above them ends.
OVERLAPPING = """() => [...document.querySelectorAll(".when")].filter(date => {
    const name = document.createRange();
    name.selectNodeContents(date.previousElementSibling);
    return date.getBoundingClientRect().top < name.getBoundingClientRect().bottom - 2;
}).map(date => date.parentElement.innerText)"""


@pytest.fixture
def club() -> Club:
    return ClubFactory()


@pytest.fixture
def olga(club: Club) -> User:
    return MembershipFactory(club=club, role=Role.OWNER).user


def evening(club: Club, **fields: str) -> Event:
    """Return an event of four players with long names."""
    event = event_with(club, 0, confirmation="confirm", **fields)
    for name in LONG:
        EntryFactory(event=event, player__name=name)
    return event


def fits(page: Page, path: str) -> bool:
    """Say whether every word of a page is on it, and in its place."""
    page.goto(path)
    assert page.evaluate(OUTSIDE) == []
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def first_at(table: Table) -> Seat:
    return table.seats.select_related("entry__event").order_by("position")[0]


def test_two_sheets_of_people_with_long_names_fit(phone: Page, club: Club, olga: User) -> None:
    event = evening(club)
    log_in(phone, olga)
    assert fits(phone, f"/e/{event.uid}/console/")
    running(olga, event)
    table = Table.objects.select_related("round__event__club").get()
    report(table, 1)
    report(table, 2, by=1)
    for path in ("", "players/", "console/", f"console/table/{table.uid}/"):
        assert fits(phone, f"/e/{event.uid}/{path}"), path
    phone.context.clear_cookies()
    phone.goto(f"/me/{link_of(first_at(table).entry)}/")
    for path in ("me/", f"table/{table.uid}/"):
        assert fits(phone, f"/e/{event.uid}/{path}"), path


@pytest.mark.parametrize("game", ["dix", "dice-run", "ten-phases", "sixmix"])
def test_a_sheet_of_people_with_long_names_fits(phone: Page, club: Club, olga: User, game: str) -> None:
    event = evening(club, game=game)
    running(olga, event)
    table = Table.objects.get()
    phone.goto(f"/me/{link_of(first_at(table).entry)}/")
    assert fits(phone, f"/e/{event.uid}/table/{table.uid}/")
    heights = phone.eval_on_selector_all(".sheet-places a", "all => all.map(each => each.offsetHeight)")
    assert len(set(heights)) == 1


def test_a_date_stands_below_a_name_of_two_lines(phone: Page, club: Club) -> None:
    league = League(club, [PlayerFactory(name=name) for name in LONG])
    league.evening(name="DIX on Wednesdays, the opening night of the autumn")
    for player in league.players[:2]:
        assert fits(phone, f"/players/{player.uid}/")
        assert phone.locator(".when").count()
        assert phone.evaluate(OVERLAPPING) == []


def test_a_long_name_of_a_club_leaves_room_for_what_one_is_there(phone: Page, olga: User) -> None:
    Club.objects.update(name="Le Grand Café des Joueurs Impénitents de Villeneuve-la-Garenne")
    log_in(phone, olga)
    assert fits(phone, "/account/")
    widths = phone.eval_on_selector_all("dl.facts dd", "all => all.map(each => each.offsetWidth)")
    assert min(widths) > 100


def test_a_long_name_on_paper_leaves_room_for_the_table(desktop: Page, club: Club, olga: User) -> None:
    running(olga, evening(club))
    log_in(desktop, olga)
    desktop.goto(f"/e/{Event.objects.get().uid}/print/1/seating/")
    outside = "rows => rows.filter(row => row.scrollWidth > row.clientWidth + 1).length"
    assert desktop.eval_on_selector_all(".find tbody tr", outside) == 0
    in_lines = "all => all.map(each => each.getClientRects().length)"
    assert set(desktop.eval_on_selector_all(".find strong", in_lines)) == {1}
