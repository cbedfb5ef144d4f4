"""The public pages as a browser shows them: still, and readable without scripts."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser import PHONE, opened
from tests.factories import ClubFactory, PlayerFactory, SeasonFactory
from tests.web.leagues import League, catch_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)

WATCH_SHIFTS = """() => {
    window.shifts = 0;
    new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifts += entry.value }))
        .observe({ type: "layout-shift", buffered: false });
}"""


@pytest.fixture
def league(monkeypatch) -> League:
    """A club with an evening behind it."""
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    players = [PlayerFactory(name=f"Somebody with a rather long name {number}") for number in range(8)]
    return League(ClubFactory(slug="cafe-meeple"), players)


def test_standings_refresh_without_anything_moving(phone: Page, league: League):
    event = league.evening(is_over=False)
    phone.goto(f"/e/{event.uid}/")
    phone.locator(".why summary").nth(2).click()
    opened_one = phone.locator(".why[open]").get_attribute("id")
    phone.evaluate(WATCH_SHIFTS)
    before = phone.locator(".places").inner_text()
    table = event.rounds.get(number=2).tables.first()
    league.report(table)
    catch_up()
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator(".places")).not_to_have_text(before, use_inner_text=True)
    phone.wait_for_timeout(200)
    assert phone.locator(".why[open]").get_attribute("id") == opened_one
    assert phone.locator(f"a[href='/e/{event.uid}/table/{table.uid}/']").count() == 2
    assert phone.evaluate("window.shifts") < 0.02


def test_a_tie_break_is_explained_without_a_script(browser, live_server, league: League):
    event = league.evening()
    with opened(browser, live_server.url, PHONE | {"java_script_enabled": False}) as page:
        page.goto(f"/e/{event.uid}/")
        page.locator(".why summary").first.click()
        assert page.get_by_text("Nobody is ahead.").is_visible()
        page.get_by_text("How the places are decided").click()
        assert page.get_by_text("The number of tables won").is_visible()


def test_the_race_of_a_season_and_its_table_fit_a_phone(phone: Page, league: League):
    season = SeasonFactory(club=league.club)
    for number in range(8):
        at = timezone.now() - dt.timedelta(days=30 - number)
        league.evening(season=season, seed=number, starts_at=at)
    phone.goto(f"/seasons/{season.uid}/")
    expect(phone.locator(".race-line")).to_have_count(8)
    phone.locator(".race-table summary").click()
    expect(phone.locator(".race-table tbody tr")).to_have_count(8)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = "[...document.querySelectorAll('.race-names li')].map(each => each.getBoundingClientRect())"
    lanes = phone.evaluate(boxes)
    drawn = phone.locator(".race > svg").bounding_box()
    assert drawn is not None
    for number, lane in enumerate(lanes):
        end = drawn["y"] + drawn["height"] * (number + 0.5) / len(lanes)
        assert lane["top"] <= end <= lane["bottom"], "a line ends at its name"
