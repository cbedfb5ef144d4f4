"""An evening from the first login to the final standings: a laptop, a wall, and phones of several kinds.

Joining and reporting without JavaScript, and with a connection that comes and goes: test_phones_in_a_browser.py.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import translation
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from scoring.models import Report
from tests.browser import DESKTOP, PHONE, opened
from tests.factories import ClubFactory, MembershipFactory
from tests.web.console.test_console import report
from tests.web.leagues import catch_up
from tests.web.organisers import event_with, log_in
from tests.web.phones import link_of
from tournaments.models import Entry, Event, Role, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 30_000  # milliseconds, with pages that look every five seconds on a busy machine
PASSWORD = "a long evening of dice"
GUESTS = ("Ana", "Bo", "Célestine", "Dag")  # who come with a phone
REGULARS = ("Eva", "Finn")  # whom the organiser enters
FRENCH = PHONE | {"locale": "fr-FR", "color_scheme": "dark"}


class Phone:
    """A player's phone, which counts what its owner does."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page, self.language, self.taps = page, language, 0

    def say(self, text: str) -> str:
        """Return a text as it stands on this phone."""
        with translation.override(self.language):
            return translation.gettext(text)

    def sees(self, text: str) -> None:
        """Wait for a text, which may come by itself."""
        self.page.get_by_text(self.say(text)).first.wait_for(timeout=PATIENCE)

    def tap(self, role: Any, text: str) -> None:
        """Tap something that is there, or comes by itself."""
        self.page.get_by_role(role, name=self.say(text), exact=True).tap(timeout=PATIENCE)
        self.taps += 1

    def join(self, code: str, name: str) -> None:
        """Open what the QR code says, and join."""
        self.page.goto(f"/join/{code}/")
        self.page.get_by_label(self.say("Your name")).fill(name)
        self.tap("button", "Join")
        self.page.get_by_role("heading", name=name).wait_for()

    def put(self, stage: int, *names: str) -> None:
        """Tap names on the podium of a stage: who is not there comes next, who is there leaves it."""
        for name in names:
            self.page.locator(f'[data-stage="{stage}"] .podium-keys').get_by_role("button", name=name).tap()
            self.taps += 1

    def fill(self, *podium: str) -> None:
        """Put the same players on the podium of every stage; of three, the third needs no tap."""
        self.page.locator("form[data-state]").wait_for()
        for stage in range(4):
            self.put(stage, *podium)

    def send(self) -> None:
        """Send the sheet, after a look at it in words."""
        self.tap("button", "Send")
        sure = self.page.get_by_role("dialog").get_by_role("button", name=self.say("Send"))
        try:
            sure.wait_for(timeout=5_000)
        except PlaywrightTimeoutError:  # the verdict came and moved the button from under the thumb
            self.tap("button", "Send")
        sure.tap()
        self.taps += 1


class Evening:
    """The organiser's laptop, the wall, and the phones by the names of their owners."""

    def __init__(self, stack: ExitStack, browser: Browser, url: str) -> None:
        self._open = lambda device: stack.enter_context(opened(browser, url, device))
        self.laptop, self.wall = self._open(DESKTOP), self._open(DESKTOP | {"color_scheme": "dark"})
        self.phones: dict[str, Phone] = {}

    def press(self, name: str) -> None:
        """Press a button on the laptop."""
        with self.laptop.expect_navigation():
            self.laptop.get_by_role("button", name=name, exact=True).click()

    def go(self, name: str) -> None:
        """Follow a link on the laptop."""
        self.laptop.get_by_role("link", name=name, exact=True).first.click()

    def announce(self, user: Any) -> Event:
        """Log in, create an event and open registration."""
        self.laptop.goto("/login/")
        self.laptop.get_by_label("E-mail address").fill(user.email)
        self.laptop.get_by_label("Password").fill(PASSWORD)
        self.press("Log in")
        for name in ("My clubs", "Café Meeple", "New event", "Play Dice Run"):
            self.go(name)
        self.laptop.get_by_label("Name of the event").fill("Dice Run Cup")
        self.laptop.get_by_label("Rounds").fill("2")
        self.laptop.get_by_label("Preferred table").fill("3")
        self.press("Create the event")
        self.press("Open registration")
        return Event.objects.get()

    def welcome(self, event: Event) -> None:
        """Let people in by the code on the wall, and enter those who have no phone."""
        self.laptop.get_by_text("Projector on another machine").click()
        self.wall.goto(self.laptop.locator("#wall-link code").inner_text())
        code = self.wall.locator(".slide.on .wall-big").inner_text()
        for name in GUESTS:
            is_french = name == "Célestine"
            phone = self.phones[name] = Phone(self._open(FRENCH if is_french else PHONE), "fr" if is_french else "en")
            phone.join(code, name)
        expect(self.wall.get_by_text("4 players are here").first).to_be_visible(timeout=PATIENCE)
        self.go("Players")
        for name in REGULARS:
            self.laptop.get_by_label("Name", exact=True).fill(name)
            self.laptop.keyboard.press("Enter")
            self.laptop.get_by_text(f"{name} is in.").wait_for()
        self.go("Console")

    def phone_of(self, entry: Entry) -> Phone:
        """Return the phone of a player; who had none opens the personal link on one."""
        if entry.name not in self.phones:
            self.phones[entry.name] = Phone(self._open(PHONE))
            self.phones[entry.name].page.goto(f"/me/{link_of(entry)}/")
        return self.phones[entry.name]


def people_at(number: int) -> list[Entry]:
    """Return who sits at a table of the first round."""
    table = Table.objects.get(number=number, round__number=1)
    return [seat.entry for seat in table.seats.select_related("entry__event").order_by("position")]


def agree(evening: Evening) -> None:
    """One phone of the first table sends its sheet, and another confirms it."""
    first, second, _third = people_at(1)
    mine, theirs = evening.phone_of(first), evening.phone_of(second)
    mine.taps = theirs.taps = 0
    mine.tap("link", "Fill in the score sheet")
    mine.fill(second.name, first.name)
    mine.send()
    mine.sees("Sent, waiting.")
    theirs.tap("link", "Look at it and confirm")
    theirs.tap("button", "Yes, confirm")
    for phone in (theirs, mine):
        phone.sees("This result counts.")
    assert (mine.taps, theirs.taps) == (11, 2), "what docs/experience.md says"


def differ(evening: Evening) -> None:
    """Two phones of the second table send sheets that differ, and the organiser decides."""
    first, second, _third = people_at(2)
    one, other = evening.phone_of(first), evening.phone_of(second)
    one.tap("link", "Fill in the score sheet")
    one.fill(first.name, second.name)
    one.send()
    one.sees("Sent, waiting.")
    other.tap("link", "Look at it and confirm")
    other.tap("link", "Send a sheet of my own")
    other.page.locator("form[data-state]").wait_for()
    other.put(0, first.name, first.name)  # the sheet starts as it was sent: the winner leaves, and comes in last
    other.send()
    for phone in (other, one):
        phone.sees("You do not agree.")
    evening.laptop.get_by_text("1 disputed", exact=True).wait_for(timeout=PATIENCE)
    evening.laptop.get_by_role("link", name="Decide").click()
    evening.laptop.get_by_role("heading", name="Where the sheets differ").wait_for()
    evening.laptop.get_by_role("button", name="Choose this sheet").first.click()
    evening.laptop.get_by_role("heading", name="What this changes").wait_for()
    evening.laptop.get_by_label("Why?").fill("Everybody else remembers it so")
    evening.press("Make it count")
    evening.laptop.get_by_text("Table 2 is decided.").wait_for()
    one.sees("This result counts.")


def play_on(evening: Evening) -> None:
    """Play the second round, accept its sheets and finish."""
    evening.press("Close round 1")
    evening.press("Seat round 2")
    evening.press("Publish round 2")
    evening.press("Start round 2")
    for table in Table.objects.filter(round__number=2).select_related("round__event__club"):
        report(table)
    evening.press("Accept 2 waiting sheets")
    evening.press("Close round 2")
    evening.press("Finish the event")


@pytest.fixture
def olga(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Somebody who runs a club, and a worker who computes when the test says so."""
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    user = MembershipFactory(club=ClubFactory(name="Café Meeple", slug="cafe-meeple"), role=Role.OWNER).user
    user.set_password(PASSWORD)
    user.save()
    return user


def test_an_evening_from_the_first_login_to_the_final_standings(browser: Browser, live_server: Any, olga: Any) -> None:
    with ExitStack() as stack:
        evening = Evening(stack, browser, live_server.url)
        event = evening.announce(olga)
        evening.welcome(event)
        evening.press("Seat round 1")
        evening.press("Publish round 1")
        evening.press("Start round 1")
        expect(evening.wall.locator(".slide.seating")).to_contain_text("Célestine", timeout=PATIENCE)
        for name in GUESTS:
            evening.phones[name].sees("Fill in the score sheet")

        agree(evening)
        differ(evening)
        catch_up()
        evening.go("Console")
        evening.laptop.get_by_text("2 of 2 tables done").wait_for()
        winner = people_at(1)[1].name
        expect(evening.wall.locator(".slide.standings")).to_contain_text(winner, timeout=PATIENCE)
        french = evening.phones["Célestine"]
        french.page.goto(f"/e/{event.uid}/me/")
        french.page.locator(".tally .figure").first.wait_for(timeout=PATIENCE)
        assert french.page.evaluate("document.documentElement.lang") == "fr"

        play_on(evening)
        catch_up()
        guest = evening.phones["Ana"].page
        guest.goto(f"/e/{event.uid}/")
        guest.get_by_role("heading", name="Final standings").wait_for()
        first = guest.locator(".places tbody th .who > span").first.inner_text().strip()
        guest.goto("/clubs/cafe-meeple/")
        expect(guest.locator(".finished .ranking li").first).to_contain_text(first)
        guest.goto("/leaderboards/dice-run/")
        assert guest.locator(".places tbody tr").count() == len(GUESTS + REGULARS)
    assert Report.objects.filter(status=Report.Status.FINAL).count() == 4


def press_by_keyboard(page: Page, name: str) -> None:
    """Walk to a button with the tab key alone, and press it."""
    page.get_by_role("button", name=name, exact=True).wait_for(timeout=PATIENCE)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == name:
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    pytest.fail(f"the tab key does not come to {name}")


def test_a_round_is_seated_started_and_closed_with_the_keyboard_alone(desktop: Page, olga: Any) -> None:
    event = event_with(olga.clubs.get(), 8)
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    press_by_keyboard(desktop, "Seat round 1")
    press_by_keyboard(desktop, "Publish round 1")
    press_by_keyboard(desktop, "Start round 1")
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    press_by_keyboard(desktop, "Accept 2 waiting sheets")
    press_by_keyboard(desktop, "Close round 1")
    assert event.rounds.get().status == "closed"
    expect(desktop.get_by_role("button", name=re.compile("Seat round 2"))).to_be_visible()
