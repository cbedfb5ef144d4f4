"""The JSON Schemas: each bound admits the last value that is allowed and refuses the next."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

import engines
from engines.ten_phases import ENGINE
from tests.engines.ten_phases.samples import ALONE, FIVE_PLAYERS, REMOVED, RULEBOOK_DICE, spoilt

REPORT = jsonschema.Draft202012Validator(engines.schema("ten-phases"))
THROW = jsonschema.Draft202012Validator(ENGINE.assist_shape.model_json_schema())
SEATS = [f"seat-{number}" for number in range(1, 10)]
COLUMN = FIVE_PLAYERS["block"]["D"]


def table_of(count: int) -> dict[str, Any]:
    seats = SEATS[:count]
    return {**FIVE_PLAYERS, "seats": seats, "block": dict.fromkeys(seats, COLUMN)}


@pytest.mark.parametrize("report", [ALONE, FIVE_PLAYERS, RULEBOOK_DICE, table_of(2), table_of(8)])
def test_schema_admits_reports(report: dict[str, Any]) -> None:
    assert REPORT.is_valid(report)


@pytest.mark.parametrize(
    "report",
    [table_of(1), table_of(9), ALONE | {"seats": []}, ALONE | {"seats": ["ana", "ben"]}, ALONE | {"seats": [""]}],
)
def test_schema_bounds_the_seats(report: dict[str, Any]) -> None:
    assert not REPORT.is_valid(report)


def test_schema_refuses_one_seat_twice() -> None:
    assert not REPORT.is_valid(spoilt(FIVE_PLAYERS, {"seats.4": "A"}))


TEN = list(range(1, 11))


@pytest.mark.parametrize(
    ("report", "path", "allowed", "refused"),
    [
        (FIVE_PLAYERS, "block.A.phases", [[], [10] * 10, [-1]], [[10] * 11, ["10"], [1.5], 10]),
        (FIVE_PLAYERS, "block.A.turns", [[], TEN], [[*TEN, 11], [0], [None], None]),
        (ALONE, "block.ana.misses", [[], [0] * 10], [[0] * 11, [-1], None]),
        (ALONE, "block.ana.dice", [[], [None] * 10, ["8 8r W"]], [[None] * 11, [""], ["8  8"], ["11"], [8], None]),
        (ALONE, "block.ana.bonus5", [0, 40], [1, 39, 41, "0", None]),
        (ALONE, "block.ana.bonus10", [0, 40], [-40, 80, True]),
        (ALONE, "block.ana.total", [-5, 0, 700], ["0", 0.5, None]),
        (ALONE, "game", ["ten-phases"], ["dix"]),
        (ALONE, "variant", ["solo"], ["standard", "duo"]),
    ],
)
def test_schema_bounds_a_field(report: dict[str, Any], path: str, allowed: list[Any], refused: list[Any]) -> None:
    assert [value for value in allowed if not REPORT.is_valid(spoilt(report, {path: value}))] == []
    assert [value for value in refused if REPORT.is_valid(spoilt(report, {path: value}))] == []


@pytest.mark.parametrize(
    ("report", "path", "is_needed"),
    [
        *[(ALONE, path, True) for path in ("game", "variant", "seats", "block")],
        *[(ALONE, f"block.ana.{name}", True) for name in ("phases", "bonus5", "bonus10", "total", "misses")],
        (FIVE_PLAYERS, "block.A.turns", False),
        (RULEBOOK_DICE, "block.ana.dice", False),
    ],
)
def test_schema_says_which_fields_are_needed(report: dict[str, Any], path: str, is_needed: bool) -> None:
    assert REPORT.is_valid(spoilt(report, {path: REMOVED})) != is_needed


@pytest.mark.parametrize(
    ("report", "path"),
    [(ALONE, "note"), (ALONE, "block.ana.note"), (ALONE, "block.ana.turns"), (FIVE_PLAYERS, "block.A.misses")],
)
def test_schema_knows_no_other_field(report: dict[str, Any], path: str) -> None:
    assert not REPORT.is_valid(spoilt(report, {path: []}))


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("phase", [1, 10], [0, 11, "1", None]),
        ("throws", [0, 2], [-1, 3, None]),
        ("dice", ["W", "10r 9 Wg"], ["", "11", "8 ", 8, None]),
    ],
)
def test_schema_bounds_a_throw(name: str, allowed: list[Any], refused: list[Any]) -> None:
    throw = {"phase": 1, "dice": "8 8", "throws": 1}
    for value in allowed:
        assert THROW.is_valid(throw | {name: value})
        ENGINE.assist_shape.model_validate(throw | {name: value})
    assert [value for value in refused if THROW.is_valid(throw | {name: value})] == []


def test_two_throws_follow_where_nothing_else_is_said() -> None:
    throw = {"phase": 1, "dice": "10 10 10 9 8 5"}
    assert ENGINE.assist_shape.model_validate(throw) == ENGINE.assist_shape.model_validate(throw | {"throws": 2})
    assert THROW.is_valid(throw)
