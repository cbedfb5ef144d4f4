"""10 Phases and Sixmix as forms: what is worked out, and how typing is understood."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from engines import GAMES
from engines.base import Engine
from tests.engines.games import played, renamed
from tests.web.markup import tags
from tests.web.phone.sheets.filling import form_of, read_back, rendered, submitted
from web.phone.sheets.base import SeatName

TEN_PHASES, SIXMIX = GAMES["ten-phases"], GAMES["sixmix"]


@pytest.mark.parametrize(("engine", "people", "limit"), [(TEN_PHASES, 8, 48_000), (SIXMIX, 5, 40_000)])
def test_form_of_a_full_table_is_light(engine: Engine, people: int, limit: int) -> None:
    report = played(engine, engine.variants[0], people).report
    ids = {uid: uid.ljust(16, "x") for uid in report["seats"]}
    assert len(rendered(form_of(renamed(report, ids))).encode()) < limit


def form_data(**fields: str) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({name.replace("__", "."): text for name, text in fields.items()})
    return data


def ten_phases(variant: str, data: QueryDict, *uids: str) -> dict[str, Any]:
    return form_of({"game": "ten-phases", "variant": variant}, [SeatName(uid, uid) for uid in uids]).read(data)


def sixmix(variant: str, data: QueryDict, *uids: str) -> dict[str, Any]:
    return form_of({"game": "sixmix", "variant": variant}, [SeatName(uid, uid) for uid in uids]).read(data)


def column_of(uid: str, points: list[int]) -> dict[str, str]:
    return {f"block.{uid}.phases.{index}": str(each) for index, each in enumerate(points)}


FIRST_FIVE = [50, 50, 48, 40, 44]
ALL_TEN = [*FIRST_FIVE, 47, 48, 50, 49, 52]


def test_bonuses_and_total_are_worked_out() -> None:
    data = form_data(**column_of("a", ALL_TEN), **column_of("b", FIRST_FIVE[:4]))
    block = ten_phases("standard", data, "a", "b")["block"]
    assert block["a"] == {"phases": ALL_TEN, "bonus5": 40, "bonus10": 40, "total": sum(ALL_TEN) + 80}
    assert block["b"] == {"phases": FIRST_FIVE[:4], "bonus5": 0, "bonus10": 0, "total": sum(FIRST_FIVE[:4])}


def test_last_bonus_is_for_those_marked_when_several_are_through() -> None:
    both = {**column_of("a", ALL_TEN), **column_of("b", ALL_TEN)}
    unmarked = ten_phases("standard", form_data(**both), "a", "b")
    assert [each.code for each in TEN_PHASES.check(unmarked).errors] == ["ten-phases.bonus10-nobody"]
    marked = ten_phases("standard", form_data(**both, block__b__bonus10="40"), "a", "b")
    assert [marked["block"][uid]["bonus10"] for uid in "ab"] == [0, 40]
    assert TEN_PHASES.check(marked).ok


def test_misses_alone_cost_points_and_the_last_bonus() -> None:
    fields = column_of("a", ALL_TEN) | {"block.a.misses.0": "3", "block.a.misses.9": "1"}
    report = ten_phases("solo", form_data(**fields), "a")
    assert report["block"]["a"]["misses"] == [3, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert report["block"]["a"]["total"] == sum(ALL_TEN) + 40 - 20
    assert TEN_PHASES.check(report).ok


def test_alone_misses_that_came_off_at_once_are_kept_so() -> None:
    data = form_data(**column_of("a", ALL_TEN) | {"block.a.misses.0": "3", "block.a.bonus5": "0"})
    report = ten_phases("solo", data, "a")
    assert (report["block"]["a"]["bonus5"], report["block"]["a"]["total"]) == (0, sum(ALL_TEN) + 40 - 15)
    assert [each.code for each in TEN_PHASES.check(report).warnings] == ["ten-phases.bonus5-misses"]
    assert read_back(report) == report
    assert "The bonus after phase 5 is 0, although" in rendered(form_of(report, judged=True))


def test_alone_the_first_bonus_is_not_lost_where_both_readings_give_it() -> None:
    data = form_data(**column_of("a", ALL_TEN) | {"block.a.misses.0": "2", "block.a.bonus5": "0"})
    report = ten_phases("solo", data, "a")
    assert report["block"]["a"]["bonus5"] == 40
    assert read_back(report) == report


def test_rounds_that_came_with_a_block_stay_and_contradict_a_phase_taken_away() -> None:
    report = played(TEN_PHASES, TEN_PHASES.variants[0], 2).report
    form = form_of(report)
    data = submitted(rendered(form))
    data["kept"] = form.kept
    assert form.read(data) == report
    first, second = report["seats"]
    shorter = min((first, second), key=lambda uid: len(report["block"][uid]["phases"]))
    data[f"block.{shorter}.phases.{len(report['block'][shorter]['phases']) - 1}"] = ""
    data[f"block.{shorter}.dice"] = ""
    found = form_of(form.read(data), judged=True).findings
    assert [sentence for sentence in found["kept"] if "The list of turns" in sentence]


@pytest.mark.parametrize("text", ["", "4x", "-5", "٣"])
def test_cell_that_says_no_number_is_named(text: str) -> None:
    report = ten_phases("standard", form_data(**column_of("a", ALL_TEN) | {"block.a.phases.2": text}), "a", "b")
    assert [each.path for each in TEN_PHASES.check(report).errors] == [("block", "a", "phases", 2)]


def test_dice_are_read_however_they_are_typed() -> None:
    fields = column_of("a", [40, 45]) | {"block.a.dice": " 8 8 8  8 8 w \r\n\r\n10R 9\r\n"}
    assert ten_phases("standard", form_data(**fields), "a", "b")["block"]["a"]["dice"] == [
        "8 8 8 8 8 W",
        None,
        "10r 9",
    ]


def test_tokens_come_from_the_rows() -> None:
    data = form_data(rounds__0__rows="651344\r\n 651 155\r\n443554\r\n")
    (read,) = sixmix("standard", data, "a", "b", "c")["rounds"]
    assert read == {"tokens": {"a": 2, "b": 2, "c": 1}, "rows": {"a": "651344", "b": "651155", "c": "443554"}}


def test_two_players_write_both_rows_in_one_line() -> None:
    (read,) = sixmix("two-player", form_data(rounds__0__rows="651344651155\n443554 113253"), "a", "b")["rounds"]
    assert read == {"tokens": {"a": 4, "b": 1}, "rows": {"a": "651344 651155", "b": "443554 113253"}}


def test_line_without_a_row_is_named() -> None:
    report = sixmix("standard", form_data(rounds__0__rows="651344\n\n443554"), "a", "b", "c")
    assert ("rounds", 0, "rows", "b") in [each.path for each in SIXMIX.check(report).errors]


def test_line_too_many_is_named() -> None:
    report = sixmix("two-player", form_data(rounds__0__rows="651344651155\n443554113253\n111111"), "a", "b")
    assert ("rounds", 0, "rows", "b") in [each.path for each in SIXMIX.check(report).errors]


def test_tokens_beside_rows_are_taken_as_written() -> None:
    data = form_data(rounds__0__rows="651344\n651155\n443554", rounds__0__tokens__a="4")
    report = sixmix("standard", data, "a", "b", "c")
    assert report["rounds"][0]["tokens"] == {"a": 4, "b": 2, "c": 1}
    assert ("rounds", 0, "tokens", "a") in [each.path for each in SIXMIX.check(report).errors]


def test_round_left_out_in_the_middle_is_named() -> None:
    report = sixmix("two-player", form_data(rounds__1__tokens__a="8", rounds__1__tokens__b="1"), "a", "b")
    assert [each.path[:2] for each in SIXMIX.check(report).errors] == [("rounds", 0)] * 2


def test_finding_stands_beside_its_cell() -> None:
    report = ten_phases("standard", form_data(**column_of("a", [49])), "a", "b")
    form = form_of(report, [SeatName("a", "Ana"), SeatName("b", "Bo")], judged=True)
    html = rendered(form)
    (cell,) = [tag for tag in tags(html, "input") if tag.attributes.get("id") == "block.a.phases.0"]
    assert cell.attributes["aria-invalid"] == "true"
    assert "Ana: Phase 1: 49 cannot be made" in html
