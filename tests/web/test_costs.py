"""What things cost in clicks and in screens to scroll, held to ceilings; `docs/experience.md` shows the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from core.models import User
from engines import GAMES
from tests.browser import opened as page_of
from tests.engines.games import played
from tests.factories import ClubFactory, EntryFactory, MembershipFactory
from tests.web.console.test_many_tables import evening
from tests.web.organisers import log_in
from tests.web.phone.sheets.test_taps import asked, entry_of, fill_hand, opened
from tournaments.models import Event, Role, Round

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
SCREENS = "document.documentElement.scrollHeight / innerHeight"
SHEET = "document.querySelector('form.sheet').getBoundingClientRect().height / innerHeight"
PASSWORD = "battery staple"
MOST_SCREENS = {("dix", 5): 5.0, ("dix", 4): 4.0, ("ten-phases", 4): 1.6, ("sixmix", 5): 0.8}


@pytest.mark.parametrize(("game", "people"), MOST_SCREENS)
def test_sheet_is_not_longer_than_so_many_screens_of_a_phone(phone: Page, game: str, people: int) -> None:
    opened(phone, f"/games/{game}/?people={people}")
    assert phone.evaluate(SHEET) <= MOST_SCREENS[game, people]


def test_dix_sheet_of_five_takes_at_most_44_taps(phone: Page) -> None:
    game = GAMES["dix"]
    report = played(game, game.variants[0], 5, 0).report
    thumb = opened(phone, "/games/dix/?people=5")
    for uid, hand in report["hands"].items():
        fill_hand(thumb, uid, hand["runs"])
    for each in sorted(asked(phone, 5)):
        seat, _dot, name = each.partition(".")
        thumb.key(entry_of(f"seat-{seat}", name), report["hands"][f"seat-{seat}"][name])
    assert thumb.taps <= 44


@pytest.mark.django_db(transaction=True)
def test_console_of_forty_tables_is_at_most_three_screens_of_a_laptop(browser: Browser, live_server: object) -> None:
    olga, event = evening(40)
    with page_of(browser, live_server.url, LAPTOP) as page:  # type: ignore[attr-defined]
        log_in(page, olga).goto(f"/e/{event.uid}/console/")
        expect(page.locator("[data-tile]")).to_have_count(40)
        assert page.evaluate(SCREENS) <= 3


class Mouse:
    """The organiser's mouse, and how often it was pressed."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def press(self, role: str, name: str) -> None:
        """Press what leads on."""
        with self.page.expect_navigation():
            self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]
        self.clicks += 1


@pytest.mark.django_db(transaction=True)
def test_from_the_login_to_a_running_round_of_nine_takes_at_most_eight_clicks(desktop: Page) -> None:
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    olga = User.objects.create_user("olga@example.org", PASSWORD, name="Olga")
    MembershipFactory(club=club, user=olga, role=Role.OWNER)
    desktop.goto("/login/")
    desktop.fill("[name=username]", "olga@example.org")
    desktop.fill("[name=password]", PASSWORD)
    mouse = Mouse(desktop)
    mouse.press("button", "Log in")
    for role, name in (("link", "New event · Café Meeple"), ("link", "Play DIX"), ("button", "Create the event")):
        mouse.press(role, name)
    mouse.press("button", "Open registration")
    event = Event.objects.get()
    for _ in range(9):  # who scan the code meanwhile
        EntryFactory(event=event)
    desktop.reload()
    for name in ("Seat round 1", "Publish round 1", "Start round 1"):
        mouse.press("button", name)
    assert Round.objects.get().status == Round.Status.RUNNING
    assert mouse.clicks <= 8
