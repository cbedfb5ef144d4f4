"""10 Phases and Sixmix in a browser: filled by taps, by keys, and without JavaScript."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.http import QueryDict
from playwright.sync_api import Browser, Locator, Page, expect

from engines import GAMES
from engines.sixmix.scoring import seat_tokens
from tests.browser import PHONE, opened
from tests.engines.games import played
from tests.engines.sixmix.examples import REPORTS
from tests.web.phone.sheets.filling import form_of
from web.phone.sheets.base import SeatName

TEN_PHASES, SIXMIX = GAMES["ten-phases"], GAMES["sixmix"]
SEATS = [f"seat-{number}" for number in range(1, 5)]
READ = """async () => {
    const form = document.querySelector("form[data-sheet]");
    return (await import(form.dataset.script)).default.read(form);
}"""
FILL = """(fields) => {
    const form = document.querySelector("form[data-sheet]");
    for (const [name, text] of Object.entries(fields)) form.elements[name].value = text;
}"""


class Thumb:
    """Somebody who fills a sheet on a phone, and counts."""

    def __init__(self, page: Page, slug: str, **choices: object) -> None:
        self.page, self.slug, self.taps = page, slug, 0
        page.goto(f"/games/{slug}/?" + "&".join(f"{name}={value}" for name, value in choices.items()))
        page.wait_for_selector("form[data-state]")

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def cell(self, name: str) -> Locator:
        return self.page.locator(f"[id='{name}']")

    def key(self, text: object) -> Locator:
        return self.page.locator("[data-keys]").get_by_role("button", name=str(text), exact=True)

    def press(self, *keys: object) -> None:
        for text in keys:
            self.tap(self.key(text))

    def action(self, name: str) -> None:
        self.tap(self.page.locator(f"[data-key={name}]"))

    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = self.page.evaluate(READ)
        return report

    def send(self) -> None:
        """Ask for the verdict, and expect it to be good."""
        self.tap(self.page.locator("form[data-sheet]").get_by_role("button", name="Check", exact=True))
        expect(self.page.locator("[data-review]")).to_be_visible()

    def standings(self) -> list[tuple[str, str]]:
        """Return total and rank of each seat as the strip on top shows them."""
        strip = self.page.locator(".sheet-places")
        totals, ranks = (strip.locator(f"[data-{name}]").all_text_contents() for name in ("total", "rank"))
        return list(zip(totals, ranks, strict=True))


def judged(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return total and rank of each seat as the engine says."""
    rows = {row.seat: row for row in GAMES[report["game"]].check(report).standings or ()}
    return [(str(rows[seat].score), str(rows[seat].rank)) for seat in report["seats"]]


def write_points(thumb: Thumb, points: int) -> None:
    thumb.press(points // 10, points)


def test_block_of_four_is_filled_by_two_taps_a_phase(phone: Page) -> None:
    played_out = played(TEN_PHASES, TEN_PHASES.variants[0], 4).report
    thumb = Thumb(phone, "ten-phases", people=4)
    thumb.tap(thumb.cell("block.seat-1.phases.0"))
    for column in played_out["block"].values():
        for points in column["phases"]:
            write_points(thumb, points)
        if len(column["phases"]) < 10:
            thumb.action("next")
    finishers = [seat for seat, column in played_out["block"].items() if len(column["phases"]) == 10]
    for seat in finishers:
        if len(finishers) > 1 and played_out["block"][seat]["bonus10"]:
            thumb.tap(thumb.cell(f"block.{seat}.bonus10"))
    assert thumb.report() == TEN_PHASES.minimal(played_out)
    assert thumb.standings() == judged(played_out)
    thumb.send()
    assert thumb.taps <= 90


def test_own_column_is_filled_by_a_tap_on_the_name_and_two_a_phase(phone: Page) -> None:
    played_out = played(TEN_PHASES, TEN_PHASES.variants[0], 4).report
    thumb = Thumb(phone, "ten-phases", people=4)
    phases = played_out["block"]["seat-3"]["phases"]
    thumb.tap(phone.locator("[data-jump=seat-3]"))
    for points in phases:
        write_points(thumb, points)
    assert thumb.report()["block"]["seat-3"]["phases"] == phases
    assert thumb.taps == 1 + 2 * len(phases) <= 21


def test_keypad_offers_only_points_ten_dice_can_make(phone: Page) -> None:
    thumb = Thumb(phone, "ten-phases", people=2)
    thumb.tap(thumb.cell("block.seat-1.phases.0"))
    expect(thumb.key(7)).to_be_disabled()
    thumb.press(4)
    expect(thumb.key(49)).to_be_disabled()
    thumb.press(48)
    expect(thumb.cell("block.seat-1.phases.1")).to_be_focused()
    thumb.action("next")
    expect(thumb.cell("block.seat-2.phases.0")).to_be_focused()


def test_keypad_leaves_with_the_last_cell(phone: Page) -> None:
    thumb = Thumb(phone, "ten-phases", variant="solo")
    thumb.tap(thumb.cell("block.seat-1.phases.9"))
    expect(phone.locator("[data-keypad]")).to_be_visible()
    write_points(thumb, 40)
    expect(phone.locator("[data-keypad]")).to_be_hidden()


def test_points_no_dice_make_are_named_beside_the_cell(phone: Page) -> None:
    thumb = Thumb(phone, "ten-phases", people=2)
    cell = thumb.cell("block.seat-1.phases.0")
    cell.press_sequentially("49")
    finding = phone.locator("[data-finding-for='block.seat-1.phases.0']")
    expect(finding).to_have_text(
        "Player 1: Phase 1: 49 cannot be made. With two groups of three 10 to 60 points are possible; "
        "nearest to yours: 48 and 50."
    )
    expect(cell).to_have_attribute("aria-invalid", "true")
    cell.fill("48")
    expect(finding).to_be_empty()
    expect(phone.locator(".finding:not(:empty)")).to_have_count(0)  # nobody is told that the game is not over


def test_half_a_number_is_named_once_it_is_left(phone: Page) -> None:
    thumb = Thumb(phone, "ten-phases", people=2)
    thumb.tap(thumb.cell("block.seat-1.phases.0"))
    thumb.press(4)
    expect(phone.locator("form[data-state=kept]")).to_be_visible()
    expect(phone.locator(".finding:not(:empty)")).to_have_count(0)
    thumb.action("done")
    expect(phone.locator("[data-finding-for='block.seat-1.phases.0']")).to_contain_text("4 cannot be made")


def test_dice_propose_their_points(phone: Page) -> None:
    thumb = Thumb(phone, "ten-phases", people=2)
    thumb.tap(thumb.cell("block.seat-1.phases.0"))
    write_points(thumb, 40)
    write_points(thumb, 45)
    thumb.action("dice")
    thumb.press(9, 9, 9, 9, 5, 4, "W", 2, 9, "W")
    expect(thumb.key(3)).to_be_disabled()  # all dice lie on the table
    thumb.press(47)
    expect(thumb.cell("block.seat-1.phases.3")).to_be_focused()
    assert thumb.report()["block"]["seat-1"] == {
        "phases": [40, 45, 47],
        "dice": [None, None, "9 9 9 9 5 4 W 2 9 W"],
        "bonus5": 0,
        "bonus10": 0,
        "total": 132,
    }


def test_playing_alone_counts_misses(phone: Page) -> None:
    played_out = played(TEN_PHASES, TEN_PHASES.variants[1], 1).report
    thumb = Thumb(phone, "ten-phases", variant="solo")
    column = played_out["block"]["seat-1"]
    thumb.tap(thumb.cell("block.seat-1.phases.0"))
    for points in column["phases"]:
        write_points(thumb, points)
    for index, misses in enumerate(column["misses"]):
        if misses:
            thumb.tap(thumb.cell(f"block.seat-1.misses.{index}"))
            thumb.press(misses)
    assert thumb.report() == TEN_PHASES.minimal(played_out)
    thumb.send()
    assert thumb.taps <= 42


def test_alone_it_is_asked_when_misses_come_off_only_where_it_matters(phone: Page) -> None:
    thumb = Thumb(phone, "ten-phases", variant="solo")
    choice = phone.get_by_label("The misses came off at once")
    phone.evaluate(FILL, {f"block.seat-1.phases.{index}": "45" for index in range(10)})
    thumb.cell("block.seat-1.misses.0").fill("0")
    expect(choice).to_be_hidden()
    expect(phone.locator("[data-bonus5]")).to_have_text("40")
    thumb.cell("block.seat-1.misses.0").fill("1")  # 225 - 5 = 220
    expect(choice).to_be_visible()
    expect(phone.locator("[data-bonus5]")).to_have_text("40")
    thumb.tap(choice)
    expect(phone.locator("[data-bonus5]")).to_have_text("0")
    thumb.send()
    expect(phone.locator("[data-doubts]")).to_contain_text("The bonus after phase 5 is 0")
    report = thumb.report()
    assert report["block"]["seat-1"]["total"] == 450 + 40 - 5
    assert [each.code for each in TEN_PHASES.check(report).warnings] == ["ten-phases.bonus5-misses"]


def take(thumb: Thumb, seat: int, number: int, tokens: int) -> None:
    thumb.press(f"Player {seat}, round {number}: {tokens}")


def write_rounds(thumb: Thumb, rounds: list[dict[str, Any]]) -> None:
    """Tap a key for each player with tokens. A round begins with a 2, which is put right where nobody has one."""
    thumb.tap(thumb.cell("rounds.0.tokens.seat-1"))
    for number, each in enumerate(rounds, 1):
        takers = [(int(uid[-1]), tokens) for uid, tokens in each["tokens"].items() if tokens]
        takers.sort(key=lambda taker: taker[1] != 2)
        if number > 1 and takers[0][1] != 2:
            take(thumb, takers[0][0], number, 2)
        for seat, tokens in takers:
            take(thumb, seat, number, tokens)


@pytest.mark.parametrize(("people", "number", "most"), [(3, 1, 25), (4, 18, 36), (5, 3, 45)])
def test_longest_game_is_filled_by_a_tap_for_each_player_with_tokens(
    phone: Page, people: int, number: int, most: int
) -> None:
    """The games are the longest of the first 25, so the ceilings hold for all of these."""
    played_out = SIXMIX.minimal(played(SIXMIX, SIXMIX.variants[0], people, number).report)
    thumb = Thumb(phone, "sixmix", people=people)
    write_rounds(thumb, played_out["rounds"])
    if "lead" in played_out:
        thumb.action("lead")
        thumb.press(*played_out["lead"].values())
    assert thumb.report() == played_out
    assert thumb.standings() == judged(played_out)
    thumb.send()
    assert thumb.taps <= most


def test_tie_for_the_first_place_asks_for_the_first_digits(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", variant="two-player")
    expect(phone.locator("[data-lead]")).to_be_hidden()
    write_rounds(thumb, [{"tokens": {"seat-1": 5, "seat-2": 5}}] * 2)
    assert [rank for _, rank in thumb.standings()] == ["1", "1"]
    expect(phone.get_by_text("Look at the board before it is cleared.")).to_be_visible()
    thumb.action("lead")
    thumb.press(4, 6)
    assert [rank for _, rank in thumb.standings()] == ["2", "1"]
    assert thumb.report()["lead"] == {"seat-1": 4, "seat-2": 6}
    thumb.tap(thumb.cell("rounds.1.tokens.seat-1"))
    take(thumb, 1, 2, 6)
    expect(phone.locator("[data-lead]")).to_be_hidden()
    assert "lead" not in thumb.report()


def test_only_those_who_share_the_highest_total_are_asked_for_a_digit(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", people=4)
    write_rounds(thumb, [{"tokens": dict(zip(SEATS, tokens, strict=True))} for tokens in ([4, 3, 1, 1], [3, 3, 1, 1])])
    take(thumb, 1, 3, 2)
    expect(phone.locator("[data-lead]")).to_be_hidden()
    take(thumb, 1, 3, 3)
    take(thumb, 2, 3, 4)
    shown = [thumb.cell(f"lead.{seat}").is_visible() for seat in SEATS]
    assert shown == [True, True, False, False]
    thumb.action("lead")
    thumb.press(5, 6)
    expect(phone.locator("[data-keypad]")).to_be_hidden()
    assert thumb.report()["lead"] == {"seat-1": 5, "seat-2": 6}
    assert [rank for _, rank in thumb.standings()] == ["2", "1", "3", "3"]
    thumb.send()


def test_next_round_begins_once_rows_can_give_the_tokens(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", people=3)
    thumb.tap(thumb.cell("rounds.0.tokens.seat-1"))
    take(thumb, 1, 1, 2)
    following = thumb.key("Player 3, round 2: 2")
    expect(following).to_be_disabled()
    expect(phone.locator("form[data-state=kept]")).to_be_visible()
    expect(phone.locator(".finding:not(:empty)")).to_have_count(0)  # the round is not over yet
    take(thumb, 2, 1, 1)
    expect(following).to_be_enabled()
    thumb.tap(following)
    assert [each["tokens"] for each in thumb.report()["rounds"]] == [
        {"seat-1": 2, "seat-2": 1, "seat-3": 0},
        {"seat-1": 0, "seat-2": 0, "seat-3": 2},
    ]


def test_round_that_was_begun_by_mistake_goes_with_its_last_token(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", people=3)
    thumb.tap(thumb.cell("rounds.0.tokens.seat-1"))
    take(thumb, 2, 1, 3)
    take(thumb, 2, 1, 3)
    assert thumb.report()["rounds"] == []


def test_other_reading_is_asked_and_can_be_sent(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", people=3)
    rounds = REPORTS["equal-numbers"]["rounds"]
    rows = "\n".join(rounds[0]["rows"].values())
    fields = {
        f"rounds.{index}.tokens.{seat}": str(tokens)
        for index, each in enumerate(rounds)
        for seat, tokens in zip(SEATS, each["tokens"].values(), strict=False)
    }
    phone.evaluate(FILL, {**fields, "rounds.0.rows": rows, "rounds.0.tokens.seat-1": ""})
    thumb.cell("rounds.0.tokens.seat-1").press_sequentially("2")
    question = phone.locator("[data-finding-for='rounds.0']")
    expect(question).to_contain_text("which makes 2, 2, 2. Is that what happened?")
    expect(question).to_have_class("finding is-warning")
    thumb.send()
    expect(phone.locator("[data-doubtful]")).to_contain_text("Is that what happened?")
    expect(phone.locator("[data-doubts] li")).to_have_count(1)


@pytest.mark.parametrize(
    ("variant", "rows", "tokens"),
    [("standard", "651344 651155 443554", "2 2 1"), ("two-player", "651344 651155 443554 113253", "4 1")],
)
def test_tokens_follow_from_rows(phone: Page, variant: str, rows: str, tokens: str) -> None:
    thumb = Thumb(phone, "sixmix", variant=variant, people=3)
    thumb.tap(thumb.cell("rounds.0.tokens.seat-1"))
    thumb.action("rows")
    thumb.press(*rows.replace(" ", ""))
    expect(thumb.cell("rounds.1.rows")).to_be_focused()  # who writes rows goes on writing rows
    (read,) = thumb.report()["rounds"]
    assert list(map(str, read["tokens"].values())) == tokens.split()
    assert " ".join(read["rows"].values()) == rows


def test_round_no_rows_give_is_named_below_it(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", people=3)
    for seat in (1, 2, 3):
        thumb.cell(f"rounds.0.tokens.seat-{seat}").press_sequentially("1")
    expect(phone.locator("[data-finding-for='rounds.0']")).to_contain_text("Round 1: no rows give 1, 1, 1.")


def test_tokens_are_worked_out_as_the_engine_does(phone: Page) -> None:
    thumb = Thumb(phone, "sixmix", people=4)
    rng = random.Random(6)
    for _ in range(30):
        rows = ["".join(rng.choice("1256") for _ in range(6)) for _ in range(4)]
        rows[rng.randrange(4)] = rows[0]
        phone.evaluate(FILL, {"rounds.0.rows": "\n".join(rows)})
        assert tuple(thumb.report()["rounds"][0]["tokens"].values()) == seat_tokens(rows)


FIELDS: list[tuple[str, str, int, dict[str, str]]] = [
    ("ten-phases", "standard", 2, {}),
    ("ten-phases", "standard", 2, {"block.seat-1.phases.0": " 40 ", "block.seat-1.phases.2": "4x"}),
    ("ten-phases", "standard", 2, {"block.seat-2.dice": " 8 8  w\n\n10R 9\n", "block.seat-2.phases.0": "9"}),
    ("ten-phases", "solo", 1, {"block.seat-1.phases.0": "50", "block.seat-1.misses.3": "x"}),
    ("ten-phases", "solo", 1, {f"block.seat-1.phases.{index}": "50" for index in range(10)}),
    ("ten-phases", "solo", 1, {"block.seat-1.misses.0": "1"} | {f"block.seat-1.phases.{n}": "45" for n in range(6)}),
    ("sixmix", "standard", 3, {"rounds.2.tokens.seat-1": "4", "rounds.2.tokens.seat-2": "-1"}),
    ("sixmix", "standard", 3, {"rounds.0.rows": "651344\n\n44 3554 1"}),
    ("sixmix", "standard", 3, {"rounds.0.rows": "111111\n222222\n333333\n4"}),
    ("sixmix", "two-player", 2, {"rounds.0.rows": "651344651155\n443554 113253", "rounds.0.tokens.seat-2": "3"}),
]


@pytest.mark.parametrize(("slug", "variant", "people", "fields"), FIELDS)
def test_browser_reads_a_form_as_the_server_does(
    phone: Page, slug: str, variant: str, people: int, fields: dict[str, str]
) -> None:
    thumb = Thumb(phone, slug, variant=variant, people=people)
    phone.evaluate(FILL, fields)
    data = QueryDict(mutable=True)
    data.update(fields)
    seats = [SeatName(f"seat-{number + 1}", "") for number in range(people)]
    assert thumb.report() == form_of({"game": slug, "variant": variant}, seats).read(data)


@pytest.mark.parametrize("slug", ["ten-phases", "sixmix"])
def test_sheet_fits_a_phone(phone: Page, slug: str) -> None:
    thumb = Thumb(phone, slug, people=8)
    thumb.tap(phone.locator(".block td > input").first)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    sizes = [key.bounding_box() for key in phone.locator(".keypad button:visible").all()]
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in sizes)


def test_block_is_filled_by_keyboard_alone(desktop: Page) -> None:
    desktop.goto("/games/ten-phases/?people=2")
    desktop.wait_for_selector("form[data-state]")
    desktop.locator("[id='block.seat-1.phases.0']").focus()
    keyboard = desktop.keyboard
    keyboard.type("4045")  # each number leads on to the next cell
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    keyboard.press("ArrowUp")
    keyboard.type("5450")
    assert desktop.evaluate(READ)["block"]["seat-1"]["phases"] == [40, 45]
    assert desktop.evaluate(READ)["block"]["seat-2"]["phases"] == [54, 50]
    assert desktop.locator("[data-title]").text_content() == "Player 2, phase 3"


@pytest.mark.parametrize("engine", [TEN_PHASES, SIXMIX])
def test_sheet_is_judged_without_javascript(browser: Browser, live_server: Any, engine: Any) -> None:
    report = engine.minimal(played(engine, engine.variants[0], 3).report)
    context = form_of(report).fields
    cells = context["rows"] if engine is TEN_PHASES else context["rounds"]
    with opened(browser, live_server.url, {**PHONE, "java_script_enabled": False}) as page:
        page.goto(f"/games/{engine.slug}/?people=3")
        for line in cells:
            entries = [cell["phases"] for cell in line["cells"]] if engine is TEN_PHASES else line["tokens"]
            for entry in entries:
                page.fill(f"[id='{entry['field']}']", entry["value"])
        for seat, column in report.get("block", {}).items():
            page.set_checked(f"[id='block.{seat}.bonus10']", bool(column["bonus10"]))
        for seat, lead in report.get("lead", {}).items():
            page.fill(f"[id='lead.{seat}']", str(lead))
        page.locator("form[data-sheet]").get_by_role("button", name="Check", exact=True).click()
        expect(page.locator(".notice.good")).to_contain_text("This sheet is right.")
