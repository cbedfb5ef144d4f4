"""DIX and Dice Run filled in on a phone: by taps, by keys, and with the rules helping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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


COUNTS = ("coins", "consolation", "card_count")


def fill_hand(thumb: Thumb, uid: str, runs: dict[str, str]) -> None:
    for colour, run in runs.items():
        keys = f'[data-hand="{uid}"] .run.{colour}'
        for number in dict.fromkeys(run.split("-")):
            thumb.key(keys, number)


def entry_of(uid: str, name: str) -> str:
    return f'[data-counts="{uid}"] .entry:has([id="hands.{uid}.{name}"])'


def asked(page: Page, seats: int) -> set[str]:
    """Return what the sheet asks for to break a tie, as `1.coins`."""
    return {
        f"{seat}.{name}"
        for seat in range(1, seats + 1)
        for name in COUNTS
        if page.locator(entry_of(f"seat-{seat}", name)).is_visible()
    }


def in_place_of(page: Page, name: str) -> Locator:
    return page.locator(f'[data-finding-for="{name}"]')


def read_over(page: Page) -> list[str]:
    page.get_by_role("button", name="Check").click()
    page.wait_for_selector("dialog[open]")
    return page.locator("[data-sentences] li").all_inner_texts()


@pytest.mark.parametrize("number", range(3))
def test_dix_sheet_of_four_takes_at_most_36_taps(phone: Page, number: int) -> None:
    game = GAMES["dix"]
    report = played(game, game.variants[0], 4, number).report
    thumb = opened(phone, "/games/dix/?people=4")
    for uid, hand in report["hands"].items():
        fill_hand(thumb, uid, hand["runs"])
    for name in COUNTS:
        for each in sorted(asked(phone, 4)):
            if each.endswith(name):
                uid = f"seat-{each[0]}"
                thumb.key(entry_of(uid, name), report["hands"][uid][name])
    standings = game.check(report).standings
    by_seat = {row.seat: str(row.score) for row in standings}
    assert totals(phone, 4) == [by_seat[f"seat-{seat}"] for seat in range(1, 5)]
    assert read_over(phone)[0].startswith(f"Player {standings[0].seat[-1]}: first")
    assert thumb.taps <= 36


def test_own_hand_of_dix_takes_at_most_nine_taps(phone: Page) -> None:
    game = GAMES["dix"]
    report = played(game, game.variants[0], 4, 0).report
    thumb = opened(phone, "/games/dix/?people=4")
    thumb.tap(phone.locator("[data-jump=seat-3]"))
    fill_hand(thumb, "seat-3", report["hands"]["seat-3"]["runs"])
    points = {row.seat: str(row.score) for row in game.check(report).standings}
    assert totals(phone, 4)[2] == points["seat-3"]
    assert thumb.taps <= 9


def test_dix_asks_for_money_and_then_cards_only_of_who_shares_the_first_place(phone: Page) -> None:
    thumb = opened(phone, "/games/dix/?people=3")
    assert asked(phone, 3) == set()
    fill_hand(thumb, "seat-1", {"blue": "1-6"})
    fill_hand(thumb, "seat-2", {"pink": "2-7"})
    assert asked(phone, 3) == set()  # the third may still have more
    fill_hand(thumb, "seat-3", {"green": "4"})
    assert asked(phone, 3) == {"1.coins", "1.consolation", "2.coins", "2.consolation"}
    for uid, coins, tokens in (("seat-1", 4, 1), ("seat-2", 7, 0)):
        thumb.key(entry_of(uid, "coins"), coins)
        thumb.key(entry_of(uid, "consolation"), tokens)
    assert asked(phone, 3) >= {"1.card_count", "2.card_count"}
    thumb.key(entry_of("seat-1", "card_count"), 8)
    thumb.key(entry_of("seat-2", "card_count"), 7)
    assert read_over(phone)[0].startswith("Player 2: first with 6 points; level on points, and on money with Player 1")


def test_dix_sheet_without_a_shared_first_place_asks_for_runs_alone(phone: Page) -> None:
    thumb = opened(phone, "/games/dix/?people=2")
    fill_hand(thumb, "seat-1", {"blue": "1-6"})
    fill_hand(thumb, "seat-2", {"pink": "2-3"})
    assert not phone.locator("[data-tiebreak]").is_visible()
    assert read_over(phone) == ["Player 1: first with 6 points", "Player 2: second with 2 points"]


def test_win_against_alix_is_called_as_the_rulebook_calls_it(phone: Page) -> None:
    thumb = opened(phone, "/games/dix/?variant=solo")
    phone.locator('[id="difficulty"]').select_option("6")
    fill_hand(thumb, "seat-1", {"blue": "1-6"})
    fill_hand(thumb, "ALIX", {"pink": "2-3"})
    assert read_over(phone) == ["Player 1: first with 6 points. Impressive!", "ALIX: second with 2 points"]


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
    thumb = opened(phone, "/games/dix/?people=2")
    fill_hand(thumb, "seat-1", {"blue": "1"})
    fill_hand(thumb, "seat-2", {"pink": "1"})
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


def test_run_grows_and_shrinks_tap_by_tap(desktop: Page) -> None:
    desktop.goto("/games/dix/?people=3")
    desktop.locator("form[data-state]").wait_for()
    keys, run = '[data-hand="seat-1"] .run.pink', desktop.locator('[name="hands.seat-1.runs.pink"]')
    for number, expected in [
        *((1, "1"), (2, "1-2"), (3, "1-3"), (4, "1-4"), (5, "1-5"), (6, "1-6")),  # every card of the run, one by one
        *((6, "1-5"), (4, "1-4"), (1, "2-4"), (1, "1-4")),  # shorter at either end, and longer again
        *((9, "9"), (7, "7-9"), (3, "3"), (3, "3"), (3, "")),  # begun anew; the only card leaves
    ]:
        desktop.locator(keys).get_by_role("button", name=str(number), exact=True).click()
        assert run.input_value() == expected, number


@pytest.mark.parametrize("slug", ["dix", "dice-run"])
def test_sheet_fits_a_narrow_phone_and_its_targets_a_thumb(phone: Page, slug: str) -> None:
    thumb = opened(phone, f"/games/{slug}/")
    for summary in phone.locator("summary").all():
        summary.tap()
    if slug == "dix":  # a shared first place brings up the rest
        for seat in range(1, 5):
            fill_hand(thumb, f"seat-{seat}", {"blue": "1"})
        assert phone.locator("[data-tiebreak] button").first.is_visible()
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
