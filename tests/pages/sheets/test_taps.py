"""DIX and Dice Run filled in on a phone: by taps, by keys, and with the rules helping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from engines import GAMES
from tests.engines.games import played

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

COLOURS = ("blue", "green", "orange", "pink")


@dataclass
class Thumb:
    """One thumb on a phone, and how often it came down."""

    page: Page
    taps: int = 0

    def tap(self, target: Locator) -> None:
        """Tap something."""
        target.tap()
        self.taps += 1

    def key(self, within: str, name: object) -> None:
        """Tap a key by what is on it."""
        self.tap(self.page.locator(within).get_by_role("button", name=str(name), exact=True))


def opened(page: Page, address: str) -> Thumb:
    page.goto(address)
    page.wait_for_selector("form.sheet[data-state]")
    return Thumb(page)


def totals(page: Page, count: int) -> list[str]:
    return [page.locator(f'output[data-total="seat-{seat}"]').inner_text() for seat in range(1, count + 1)]


def fill_hand(thumb: Thumb, uid: str, hand: dict[str, Any]) -> None:
    for colour, run in hand["runs"].items():
        keys = f'[data-hand="{uid}"] .run.{colour}'
        for number in dict.fromkeys(run.split("-")):
            thumb.key(keys, number)
    for name in ("coins", "consolation", "card_count"):
        thumb.key(f'[data-hand="{uid}"] .entry:has([id="hands.{uid}.{name}"])', hand[name])


def in_place_of(page: Page, name: str) -> Locator:
    return page.locator(f'[data-finding-for="{name}"]')


def read_over(page: Page) -> list[str]:
    page.get_by_role("button", name="Check").click()
    page.wait_for_selector("dialog[open]")
    return page.locator("[data-sentences] li").all_inner_texts()


def test_dix_sheet_of_four_takes_fewer_than_sixty_taps(phone: Page) -> None:
    game = GAMES["dix"]
    report = played(game, game.variants[0], 4).report
    thumb = opened(phone, "/games/dix/?people=4")
    for uid, hand in report["hands"].items():
        fill_hand(thumb, uid, hand)
    standings = game.check(report).standings
    by_seat = {row.seat: str(row.score) for row in standings}
    assert totals(phone, 4) == [by_seat[f"seat-{seat}"] for seat in range(1, 5)]
    assert read_over(phone)[0].startswith(f"Player {standings[0].seat[-1]}: first")
    assert thumb.taps < 60


def test_dice_run_sheet_takes_twelve_taps(phone: Page) -> None:
    thumb = opened(phone, "/games/dice-run/?people=4")
    for stage in range(4):
        for name in ("Player 2", "Player 1", "Player 4"):
            thumb.key(f'[data-stage="{stage}"] .podium-keys', name)
    assert totals(phone, 4) == ["8", "18", "0", "4"]
    assert read_over(phone)[0] == "Player 2: first with 18 points"
    assert thumb.taps <= 12


def test_of_three_players_two_taps_decide_a_podium(phone: Page) -> None:
    thumb = opened(phone, "/games/dice-run/?people=3")
    thumb.key('[data-stage="0"] .podium-keys', "Player 3")
    thumb.key('[data-stage="0"] .podium-keys', "Player 1")
    assert totals(phone, 3) == ["2", "1", "3"]


def test_tapping_again_takes_a_player_down(phone: Page) -> None:
    thumb = opened(phone, "/games/dice-run/?people=4")
    keys = phone.locator('[data-stage="0"] .podium-keys button')
    for place in (0, 1, 2, 0, 3):
        thumb.tap(keys.nth(place))
    assert totals(phone, 4) == ["0", "3", "2", "1"]


def test_impossible_entry_is_named_beside_its_field_while_typing(phone: Page) -> None:
    opened(phone, "/games/dix/?people=2")
    field = phone.locator('[id="hands.seat-1.coins"]')
    field.fill("11")
    phone.wait_for_selector('[data-finding-for="hands.seat-1.coins"]:not(:empty)')
    assert in_place_of(phone, "hands.seat-1.coins").inner_text().startswith("Player 1: 11 coins are too many")
    assert field.get_attribute("aria-invalid") == "true"
    assert in_place_of(phone, "hands.seat-2.coins").inner_text() == ""  # nobody has come to it yet
    field.fill("10")
    phone.wait_for_selector('[data-finding-for="hands.seat-1.coins"]:empty', state="attached")


def test_what_is_missing_is_named_when_the_sheet_is_checked(phone: Page) -> None:
    opened(phone, "/games/dix/?people=2")
    phone.get_by_role("button", name="Check").click()
    phone.wait_for_selector('[data-finding-for="hands.seat-2.coins"]:not(:empty)')
    assert phone.locator("[data-state=wrong]").count() == 1
    assert not phone.locator("dialog[open]").count()


def test_best_runs_are_found_from_the_cards(phone: Page) -> None:
    thumb = opened(phone, "/games/dix/?people=2")
    hand = phone.locator('[data-hand="seat-1"]')
    thumb.tap(hand.locator("summary"))
    for card in ("b1", "b2", "b3", "b4", "b6", "b7", "b8", "b9", "g4", "g6", "5*"):
        thumb.tap(hand.locator(f'[data-card="{card}"]'))
    phone.locator("[data-total=seat-1]", has_text="11").wait_for()
    runs = [phone.locator(f'[id="hands.seat-1.runs.{colour}"]').input_value() for colour in COLOURS]
    assert runs == ["1-9", "4", "", ""]
    assert phone.locator('[id="hands.seat-1.card_count"]').input_value() == "11"
    assert "Not needed: g6." in hand.inner_text()


def test_podium_is_worked_out_from_dice_and_objectives(phone: Page) -> None:
    thumb = opened(phone, "/games/dice-run/?people=3")
    stage = phone.locator('[data-stage="1"]')
    thumb.tap(stage.locator("summary"))
    for uid, card in {"seat-1": "r1", "seat-2": "b6", "seat-3": "g6"}.items():
        phone.locator(f'[id="stages.1.objectives.{uid}"]').fill(card)
    for die in ("b6", "b1", "g2"):
        thumb.tap(stage.locator(f'[data-die="{die}"]'))
    thumb.tap(stage.get_by_role("button", name="Next group"))
    thumb.tap(stage.locator('[data-die="g6"]'))
    thumb.tap(stage.get_by_role("button", name="Show the podium"))
    stage.get_by_text("The dice decide: Player 2, Player 3, Player 1.").wait_for()
    assert totals(phone, 3) == ["1", "4", "2"]


def test_run_can_be_drawn_with_the_mouse(desktop: Page) -> None:
    opened(desktop, "/games/dix/?people=2")
    keys = desktop.locator('[data-hand="seat-1"] .run.pink button')
    keys.nth(1).hover()
    desktop.mouse.down()
    keys.nth(7).hover()
    desktop.mouse.up()
    assert desktop.locator('[id="hands.seat-1.runs.pink"]').input_value() == "2-8"


def test_run_can_be_entered_with_arrow_keys(desktop: Page) -> None:
    opened(desktop, "/games/dix/?people=2")
    desktop.locator('[data-hand="seat-1"] .run.blue button').first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowDown", "Enter"):
        desktop.keyboard.press(key)
    assert desktop.locator('[id="hands.seat-1.runs.blue"]').input_value() == "3-8"
    desktop.keyboard.press("Tab")
    assert desktop.evaluate("document.activeElement.closest('.entry').className") == "entry run green"


@pytest.mark.parametrize("slug", ["dix", "dice-run"])
def test_sheet_fits_a_narrow_phone_and_its_targets_a_thumb(phone: Page, slug: str) -> None:
    opened(phone, f"/games/{slug}/")
    for summary in phone.locator("summary").all():
        summary.tap()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    small = (
        "[...document.querySelectorAll('.sheet button, .sheet summary, .sheet input, .sheet select')].filter(each =>"
    )
    small += " each.offsetParent && !each.matches('.is-replaced, .is-replaced *, [type=hidden]') &&"
    small += " (each.offsetWidth < 44 || each.offsetHeight < 44)).map(each => each.outerHTML)"
    assert phone.evaluate(small) == []


def test_page_comes_back_as_it_was_left(phone: Page) -> None:
    thumb = opened(phone, "/games/dice-run/?people=4")
    for name in ("Player 2", "Player 1", "Player 4"):
        thumb.key('[data-stage="0"] .podium-keys', name)
    phone.reload()
    phone.wait_for_selector("form.sheet[data-state=kept]")
    assert totals(phone, 4) == ["2", "3", "0", "1"]
    phone.get_by_role("button", name="Start again").click()
    phone.wait_for_selector("form.sheet[data-state=ready]")
    assert totals(phone, 4) == ["–", "–", "–", "–"]
