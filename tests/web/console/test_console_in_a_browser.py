"""The organiser's pages in a real browser: moving players, staying fresh, keyboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories import ClubFactory, MembershipFactory
from tests.web.console.test_console import desk, report
from tests.web.organisers import NAMES, actor, event_with, log_in, players_of, running, seated
from tournaments.models import Call, Event, Format, Role, Table
from tournaments.services import calls

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def olga():
    return MembershipFactory(club=ClubFactory(name="Café Meeple", slug="cafe-meeple"), role=Role.OWNER).user


def event_of(olga, players: int = 8, **fields) -> Event:
    return event_with(olga.clubs.get(), players, **fields)


def names_at(number: int) -> list[str]:
    table = Table.objects.get(number=number)
    return [seat.entry.name for seat in table.seats.select_related("entry").order_by("position")]


def seat_of(page: Page, name: str):
    return page.locator("button.seat", has_text=name)


def test_a_player_is_moved_by_keyboard_alone(desktop: Page, olga):
    event = event_of(olga)
    seated(olga, event)
    mover = names_at(1)[0]
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    desktop.get_by_label("Player", exact=True).focus()
    desktop.keyboard.type(mover)
    desktop.keyboard.press("Tab")
    desktop.keyboard.type("Table 2, a")
    desktop.keyboard.press("Tab")
    desktop.keyboard.press("Enter")
    desktop.wait_for_load_state()
    desktop.locator("[data-table]").nth(1).get_by_text(mover).wait_for()
    assert names_at(2)[-1] == mover


def test_a_player_is_moved_by_pressing_a_name_and_then_where(phone: Page, olga):
    event = event_of(olga)
    seated(olga, event)
    mover = names_at(1)[0]
    log_in(phone, olga).goto(f"/e/{event.uid}/console/")
    seat_of(phone, mover).click()
    assert seat_of(phone, mover).get_attribute("aria-pressed") == "true"
    phone.locator("[data-table]").nth(1).get_by_role("button", name="Move here").click()
    phone.locator("[data-table]").nth(1).get_by_text(mover).wait_for()
    assert names_at(2)[-1] == mover


def test_two_players_swap_by_drag_and_drop(desktop: Page, olga):
    event = event_of(olga)
    seated(olga, event)
    one, other = names_at(1)[0], names_at(2)[1]
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    with desktop.expect_navigation():
        seat_of(desktop, one).drag_to(seat_of(desktop, other))
    assert (names_at(1)[0], names_at(2)[1]) == (other, one)


def test_the_console_shows_what_happens_elsewhere_by_itself(desktop: Page, olga):
    event = event_of(olga, 4)
    running(olga, event)
    table = Table.objects.select_related("round__event__club").get()
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    desktop.evaluate("window.same = true")
    desktop.get_by_text("1 playing", exact=True).wait_for()
    report(table)
    desktop.get_by_text("1 reported", exact=True).wait_for()
    assert desktop.evaluate("window.same"), "without a reload"
    assert "Up to date at" in desktop.locator("[data-live-state]").inner_text()


def test_a_name_in_the_hand_is_not_taken_away_by_a_refresh(desktop: Page, olga):
    event = event_of(olga)
    seated(olga, event)
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    seat = seat_of(desktop, names_at(1)[0])
    seat.click()
    Event.objects.update(version=99)
    desktop.wait_for_timeout(5000)
    assert seat.get_attribute("aria-pressed") == "true"
    desktop.keyboard.press("Escape")
    assert seat.get_attribute("aria-pressed") == "false"


def refreshed(page: Page) -> None:
    """Let the console fetch its board anew, and wait until it shows it."""
    page.locator("#board").evaluate(
        """board => new Promise(resolve => {
            board.addEventListener("live", resolve, { once: true });
            board.dispatchEvent(new Event("stale"));
        })"""
    )


def test_a_refresh_leaves_what_was_ticked_and_written_and_where_the_keyboard_is(desktop: Page, olga):
    event = event_of(olga, 4, format=Format.OPEN, status="running")
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    for name in ("Ana", "Dag"):
        desktop.get_by_label(name, exact=True).check()
    desktop.get_by_text("Cancel the event", exact=True).click()
    desktop.get_by_label("Why?").fill("The power is out")
    desktop.get_by_role("button", name="Change the code").focus()
    refreshed(desktop)
    ticked = [name for name in NAMES[:4] if desktop.get_by_label(name, exact=True).is_checked()]
    assert ticked == ["Ana", "Dag"]
    assert desktop.get_by_label("Why?").input_value() == "The power is out"
    assert desktop.evaluate("document.activeElement.innerText") == "Change the code"


def test_a_refresh_leads_the_keyboard_to_no_other_sheet(desktop: Page, olga):
    event = event_of(olga, 8)
    running(olga, event)
    for number in (1, 2):
        table = Table.objects.select_related("round__event__club").get(number=number)
        calls.call_organiser(actor=players_of(table)[0], table=table, kind="question")
    log_in(desktop, olga).goto(f"/e/{event.uid}/console/")
    desktop.get_by_role("button", name="Done · 2").focus()
    refreshed(desktop)
    assert desktop.evaluate("document.activeElement.textContent") == "Done · 2"
    calls.answer(actor=actor(olga), call=Call.objects.get(table__number=2), status="done")
    refreshed(desktop)
    assert desktop.evaluate("document.activeElement.tagName") == "BODY"


def test_what_is_wrong_in_the_folded_part_of_an_event_is_shown(desktop: Page, olga):
    log_in(desktop, olga).goto("/organise/club/cafe-meeple/events/new/?game=dix")
    folded = desktop.get_by_text("Points, tie-breaks, final, season and more", exact=True)
    folded.click()
    desktop.get_by_label("Tables before somebody is ranked").fill("")
    folded.click()
    desktop.get_by_role("button", name="Create the event").click()
    desktop.get_by_text("This field is required.").wait_for()
    desktop.get_by_label("Tables before somebody is ranked").fill("2")
    desktop.get_by_role("button", name="Create the event").click()
    desktop.get_by_text("The event is ready.").wait_for()
    assert Event.objects.get().tables_least == 2


def test_a_sheet_is_given_on_the_desk(desktop: Page, olga):
    event = event_of(olga, 4)
    running(olga, event)
    table = Table.objects.select_related("round__event__club").get()
    report(table, 1)
    log_in(desktop, olga).goto(desk(table))
    desktop.get_by_role("button", name="Go on to the sheet").click()
    desktop.locator("form[data-state]").wait_for()  # before the script is there, a plain form asks nothing
    desktop.get_by_role("button", name="Send").click()
    desktop.get_by_role("dialog").get_by_role("button", name="Send").click()
    desktop.get_by_role("heading", name="What this changes").wait_for()
    desktop.get_by_label("Why?").fill("they asked me to")
    desktop.get_by_role("button", name="Make it count").click()
    desktop.get_by_text("Table 1 is decided.").wait_for()
    table.refresh_from_db()
    assert table.status == Table.Status.FINAL
