"""The organiser's whole job in the browser: from an empty service to the prizes, and a correction a week later.

No terminal but for the code of the first start, no admin, no API. Sheets of most tables are sent as phones send them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from scoring.models import StandingRow
from scoring.services.decisions import Choice, decide_table
from tests.browser import DESKTOP, PHONE, opened
from tests.web.accounts.test_first_start import shown_code
from tests.web.leagues import catch_up
from tests.web.phones import link_of
from tournaments.actors import Actor, Kind
from tournaments.models import Entry, Event, Membership, Round, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 30_000  # milliseconds on a machine busy with other tests
NAMES = [
    *("Ana", "Bo", "Célestine", "Dag", "Éva", "Finn", "Grace", "Hugo", "Ines", "Jonas"),
    *("Klara", "Liam", "Maja", "Nils", "Olive", "Pia", "Quentin", "Rosa", "Sven"),
]


@pytest.fixture(autouse=True)
def _worker_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)  # the test says when the worker computes


class Laptop:
    """The organiser's browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def fill(self, **answers: str) -> None:
        """Fill in fields by their names."""
        for name, answer in answers.items():
            field = self.page.locator(f"main [name={name}]").first
            kind = field.evaluate("field => field.type")
            if kind == "checkbox":
                field.check()
            elif kind == "select-one":
                field.select_option(answer)
            else:
                field.fill(answer)

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button that leads to another page."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=name, exact=isinstance(name, str)).first.click(timeout=PATIENCE)

    def go(self, name: str) -> None:
        """Follow a link."""
        with self.page.expect_navigation():
            self.page.get_by_role("link", name=name, exact=True).first.click(timeout=PATIENCE)

    def sees(self, text: str) -> None:
        """Wait for a text."""
        self.page.get_by_text(text).first.wait_for(timeout=PATIENCE)


def first_start(laptop: Laptop) -> None:
    """Answer what an empty service asks, by the code that the terminal shows."""
    laptop.page.goto(f"/start/?code={shown_code()}")
    laptop.fill(club="Café Meeple", language="en", time_zone="Europe/Paris", name="Olga", email="olga@example.org")
    laptop.fill(new_password1="battery staple", new_password2="battery staple")
    laptop.press("Begin")


def announce(laptop: Laptop) -> Event:
    """Make an event with sign-up ahead, a limit of sixteen, and semi-finals."""
    laptop.go("Play DIX")
    laptop.page.locator("#rest summary").click()
    laptop.fill(name="DIX Cup", rounds_planned="4", round_minutes="30", table_min="3", table_max="5")
    laptop.fill(table_preferred="4", confirmation="trust", stages="8 4", tie_rule="lots")
    # Not this evening: from three hours before the start on, phones would ask whether their player is here.
    tomorrow = f"{timezone.now() + dt.timedelta(days=1):%Y-%m-%d}T19:00"
    laptop.fill(starts_at=tomorrow, most_entries="16", sign_up_ahead="", check_in="")
    laptop.press("Create the event")
    laptop.press("Open registration")
    return Event.objects.get()


def sign_up(event: Event, guest: Page) -> None:
    """Let nineteen sign up on the public page, the first of them in a browser; three have to wait."""
    guest.goto(f"/e/{event.uid}/")
    guest.get_by_role("link", name="Sign up").first.click()
    guest.get_by_label("Your name").fill(NAMES[0])
    guest.get_by_role("button", name="Sign up").click()
    guest.get_by_text("You are signed up").wait_for(timeout=PATIENCE)
    for name in NAMES[1:]:
        assert Client().post(f"/e/{event.uid}/sign-up/", {"name": name, "key": name}).status_code == 302
    assert Entry.objects.filter(status="registered").count() == 16
    assert Entry.objects.filter(status="waiting").count() == 3


def check_in(laptop: Laptop, event: Event, guest: Page) -> None:
    """Check in fifteen, one by phone and the others by the list; take out who is not here, and let somebody in."""
    guest.goto(f"/join/{event.join_code}/")
    guest.get_by_role("button", name="I am here").click()
    guest.get_by_text("You’re in").wait_for(timeout=PATIENCE)
    laptop.page.goto(f"/e/{event.uid}/players/")
    for name in NAMES[1:15]:
        laptop.press(f"Check in {name}")
    laptop.press("Take out who is not here")
    laptop.page.get_by_label("Name", exact=True).fill("Zoë")
    laptop.page.get_by_role("checkbox", name="They are here", exact=True).check()
    laptop.press("Enter")
    laptop.sees("Zoë is in.")
    here = Entry.objects.filter(status="checked_in")
    assert here.count() == 16
    laptop.go("Console")


def start_round(laptop: Laptop, number: int) -> None:
    """Publish a round that is seated, and start it."""
    laptop.press(f"Publish round {number}")
    laptop.press(f"Start round {number}")


def end_round(laptop: Laptop, number: int, decide: Callable[[Table], None]) -> None:
    """Decide the tables of a round as they come in, and close it."""
    for table in Table.objects.filter(round__number=number).select_related("round__event__club"):
        decide(table)
    laptop.page.reload()
    laptop.press(f"Close round {number}")
    catch_up()
    laptop.page.reload()


def call_and_pause(laptop: Laptop, event: Event, phone: Page) -> None:
    """A phone calls the organiser, who stops the clock, comes, and lets it go on."""
    table = Table.objects.filter(round__number=1).first()
    assert table
    caller = table.seats.select_related("entry__event")[0].entry
    phone.goto(f"/me/{link_of(caller)}/")
    if (become := phone.get_by_role("button", name=f"Become {caller.name}")).is_visible():
        become.click()
    phone.get_by_role("link", name="Call the organiser").click()
    phone.get_by_role("button", name="Call", exact=True).click()
    phone.get_by_text("The organiser was called.").first.wait_for(timeout=PATIENCE)
    phone.goto(f"/e/{event.uid}/me/")
    laptop.page.get_by_role("button", name="Stop the clock").wait_for()
    laptop.press("Stop the clock")
    laptop.press(re.compile("I am coming"))
    coming = phone.locator("strong").filter(has_text="The organiser is coming.")
    expect(coming).to_be_visible(timeout=PATIENCE)
    laptop.press(re.compile("^Done"))
    laptop.press("Let the clock go on")
    current = Round.objects.get(number=1)
    assert current.paused_at is None


def level(table: Table) -> None:
    """Everybody at a table shares the first place."""
    decide_ranks(table, lambda _position: 1)


def in_order(table: Table) -> None:
    """The first seat wins, and so on."""
    decide_ranks(table, lambda position: position)


def decide_ranks(table: Table, rank: Callable[[int], int]) -> None:
    """Rank a table by hand, as the organiser's page does."""
    seats = table.seats.select_related("entry__player")
    ranking = {seat.entry.player.uid: (rank(seat.position), 100 - seat.position) for seat in seats}
    olga = Actor(Kind.USER, user=Membership.objects.get().user)
    decide_table(actor=olga, table=table, choice=Choice(ranking=ranking), reason="Seen at the table")


def set_prizes(laptop: Laptop, event: Event) -> None:
    """Write down what there is to win."""
    laptop.page.goto(f"/e/{event.uid}/settings/")
    laptop.page.locator("#rest summary").click()
    laptop.fill(prizes="1: A box of dice\nbest sheet: A golden pen\nnewcomer: A book\nother: Nicest hat = Zoë")
    laptop.press("Save")
    laptop.sees("The event is changed.")


def give_prizes(laptop: Laptop, event: Event) -> None:
    """The wall closes with the podium and the winners, and their certificates are on paper."""
    winner = StandingRow.objects.get(rank=1).entry.name
    page = laptop.page
    page.goto(f"/e/{event.uid}/projector/")
    podium = page.locator(".podium li").first
    expect(podium).to_contain_text(winner)
    expect(podium).to_contain_text("won the final")
    expect(page.locator(".prizes div").filter(has_text="A box of dice")).to_contain_text(winner)
    expect(page.locator(".prizes div").filter(has_text="Nicest hat")).to_contain_text("Zoë")
    page.goto(f"/e/{event.uid}/console/")
    laptop.go("Print")
    laptop.go("Open · Certificates")
    first = page.locator(".certificate").first
    expect(first.get_by_role("heading")).to_have_text(winner)
    expect(first).to_contain_text("A box of dice")
    expect(first).to_contain_text("DIX Cup")
    expect(first).to_contain_text("Café Meeple")


def correct_a_week_later(laptop: Laptop, event: Event) -> None:
    """Choose another winner of the final, see first who moves, and make it count."""
    week = dt.timedelta(days=7)
    Event.objects.update(starts_at=timezone.now() - week)
    final = Table.objects.get(round=Round.objects.latest("number"))
    laptop.page.goto(f"/e/{event.uid}/console/table/{final.uid}/")
    before = StandingRow.objects.get(rank=1).entry.name
    page = laptop.page
    for number in range(4):
        page.locator("[name^=rank_]").nth(number).select_option(str(4 - number))
    laptop.press("Use this ranking")
    page.get_by_role("heading", name="What this changes").wait_for()
    page.get_by_label("Why?").fill("The cards were counted again")
    laptop.press("Make it count")
    catch_up()
    after = StandingRow.objects.get(rank=1).entry.name
    assert before != after
    page.goto(f"/e/{event.uid}/")
    expect(page.locator(".places tbody tr").first).to_contain_text(after)


def test_whole_job_is_done_in_the_browser(browser: Browser, live_server: Any) -> None:
    with opened(browser, live_server.url, DESKTOP) as desk, opened(browser, live_server.url, PHONE) as guest:
        laptop = Laptop(desk)
        first_start(laptop)
        event = announce(laptop)
        sign_up(event, guest)
        check_in(laptop, event, guest)
        for number in (1, 2, 3, 4):
            laptop.press(f"Seat round {number}")
            start_round(laptop, number)
            if number == 1:
                call_and_pause(laptop, event, guest)
            end_round(laptop, number, level)
        laptop.press("Seat the semi-finals")
        laptop.sees("A tie at the line")
        laptop.sees("Lots were drawn in this order")
        start_round(laptop, 5)
        end_round(laptop, 5, in_order)
        laptop.press("Seat the final")
        start_round(laptop, 6)
        end_round(laptop, 6, in_order)
        set_prizes(laptop, event)
        laptop.press("Finish the event")
        catch_up()
        desk.goto(f"/e/{event.uid}/")
        desk.get_by_role("heading", name="Final standings").wait_for()
        assert StandingRow.objects.filter(rank=1).count() == 1
        give_prizes(laptop, event)
        correct_a_week_later(laptop, event)
