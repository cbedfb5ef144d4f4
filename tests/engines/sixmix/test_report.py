from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from engines.sixmix.report import check, minimal
from engines.sixmix.scoring import seat_tokens
from tests.engines.sixmix.examples import ABSENT, REPORTS, VECTORS, changed, errors, keys, warnings

DEEP = REPORTS["deep"]
MINIMAL = REPORTS["minimal"]
PAIR = REPORTS["two-player-dice"]
TIE = REPORTS["tie-with-lead"]
VALID = [vector["report"] for vector in VECTORS if vector["verdict"]["ok"]]

Path = tuple[str | int, ...]
Change = tuple[Path, object]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_public_vector(vector: dict[str, Any]) -> None:
    verdict, expected = check(vector["report"]), vector["verdict"]
    assert verdict.ok == expected["ok"]
    assert sorted({error.code for error in verdict.errors}) == expected["codes"]
    assert sorted({warning.code for warning in verdict.warnings}) == expected["warnings"]
    rows = None if verdict.standings is None else [row.as_json() for row in verdict.standings]
    assert rows == expected["standings"]


# The worked examples of the rules.


def test_rulebook_round_alone_is_not_a_finished_game() -> None:
    assert errors(REPORTS["rulebook-round"]) == [("not-finished", ("rounds",))]


def test_rulebook_round_as_the_start_of_a_game() -> None:
    assert keys(REPORTS["rulebook-round-in-game"]) == {
        "ben": (1, (10, 0)),
        "cleo": (2, (5, 0)),
        "dov": (3, (3, 0)),
        "ana": (4, (2, 0)),
        "eva": (5, (1, 0)),
    }


def test_five_yellow_tokens_are_usually_exchanged_for_a_blue_one() -> None:
    report = changed(REPORTS["rulebook-round-in-game"], (("held", "ben"), "1b5y"))
    assert errors(report) == []
    assert warnings(report) == [("held-exchange", ("held", "ben"))]


def test_two_players_level_on_points() -> None:
    assert keys(REPORTS["two-player"]) == {"ana": (1, (11, 6)), "ben": (2, (11, 5))}


def test_only_the_first_place_needs_digits() -> None:
    report = REPORTS["lead-of-the-leaders"]
    assert report["lead"] == {"ana": 5, "ben": 6}
    assert keys(report) == {"ben": (1, (10, 6)), "ana": (2, (10, 5)), "cleo": (3, (2, 0)), "dov": (3, (2, 0))}
    assert errors(changed(report, (("lead", "ana"), ABSENT))) == [("tiebreak-missing", ("lead", "ana"))]
    assert keys(changed(report, (("lead", "cleo"), 3))) == keys(report)
    assert errors(changed(report, (("lead", "cleo"), 6))) == [("lead-impossible", ("lead",))]


def test_equal_rows_may_take_both_places() -> None:
    rows = {"ana": "651344", "ben": "651344", "cleo": "555431"}
    ours = changed(
        REPORTS["equal-numbers"], (("rounds", 0), {"tokens": {"ana": 2, "ben": 2, "cleo": 2}, "rows": rows})
    )
    assert (errors(ours), warnings(ours)) == ([], [])
    other = changed(ours, (("rounds", 0, "tokens", "cleo"), 1))
    assert (errors(other), warnings(other)) == ([], [("equal-numbers", ("rounds", 0, "tokens"))])


# Sheets that the first edition of these rules refused.

ACCEPTED = {
    "lead-of-the-leaders": [],
    "lower-tie-no-digits": [],
    "held-blue-used-up": [],
    "starter-wrong": [("starter-wrong", ("rounds", 2, "starter"))],
    "starter-not-youngest": [("starter-wrong", ("rounds", 1, "starter"))],
    "starter-by-last-round": [("starter-wrong", ("rounds", 2, "starter"))],
    "starter-free": [("starter-wrong", ("rounds", index, "starter")) for index in (2, 3)],
    "two-player-green-twice": [("hundred-thousand-colours", ("rounds", 2, "dice"))],
    "two-player-each-one-colour": [("hundred-thousand-colours", ("rounds", 2, "dice"))],
    "held-exchange": [("held-exchange", ("held", "ben"))],
    "held-only-yellow": [("held-exchange", ("held", "ana")), ("held-exchange", ("held", "ben"))],
    "equal-numbers": [("equal-numbers", ("rounds", 0, "tokens"))],
    "equal-numbers-mixed": [("equal-numbers", ("rounds", 0, "tokens"))],
    "equal-numbers-440": [("equal-numbers", ("rounds", 0, "tokens"))],
    "two-player-equal-numbers": [("equal-numbers", ("rounds", 0, "tokens"))],
}


@pytest.mark.parametrize("vector", ACCEPTED)
def test_sheet_by_another_reading_is_accepted(vector: str) -> None:
    assert (errors(REPORTS[vector]), warnings(REPORTS[vector])) == ([], ACCEPTED[vector])
    assert keys(REPORTS[vector])


# Every code at its path.

FRAME: list[tuple[list[Change], list[tuple[str, Path]]]] = [
    ([(("game",), ABSENT)], [("missing-field", ("game",))]),
    ([(("variant",), ABSENT)], [("missing-field", ("variant",))]),
    ([(("seats",), ABSENT)], [("missing-field", ("seats",))]),
    ([(("rounds",), ABSENT)], [("missing-field", ("rounds",))]),
    ([(("winner",), "ana")], [("unknown-field", ("winner",))]),
    ([(("game",), "dix")], [("wrong-game", ("game",))]),
    ([(("game",), ["sixmix"])], [("wrong-game", ("game",))]),
    ([(("variant",), "solo")], [("unknown-variant", ("variant",))]),
    ([(("variant",), {})], [("unknown-variant", ("variant",))]),
    ([(("seats",), "ana")], [("bad-value", ("seats",))]),
    ([(("seats",), None)], [("bad-value", ("seats",))]),
    ([(("seats", 1), "")], [("bad-value", ("seats", 1))]),
    ([(("seats", 1), 7)], [("bad-value", ("seats", 1))]),
    ([(("seats", 2), "ana")], [("duplicate-seat", ("seats", 2))]),
    ([(("seats", 3), "ana")], [("duplicate-seat", ("seats", 3))]),
    ([(("seats",), ["ana", "ben"])], [("seat-count", ("seats",))]),
    ([(("seats",), [])], [("seat-count", ("seats",))]),
    ([(("variant",), "two-player")], [("seat-count", ("seats",))]),
    ([(("rounds",), [])], [("bad-value", ("rounds",))]),
    ([(("rounds",), {})], [("bad-value", ("rounds",))]),
    ([(("colours",), None)], [("bad-value", ("colours",))]),
    ([(("lead",), 6)], [("bad-value", ("lead",))]),
    ([(("held",), [])], [("bad-value", ("held",))]),
    ([(("youngest_first",), "ana")], [("bad-value", ("youngest_first",))]),
    ([(("game",), "dix"), (("held", "ben"), 3), (("rounds", 0), 4)], [("wrong-game", ("game",))]),
]
SHAPE: list[tuple[list[Change], list[tuple[str, Path]]]] = [
    ([(("rounds", 1, "tokens"), ABSENT)], [("missing-field", ("rounds", 1, "tokens"))]),
    ([(("rounds", 1, "rows"), ABSENT)], [("missing-field", ("rounds", 1, "rows"))]),
    ([(("rounds", 1, "rows"), None)], [("bad-value", ("rounds", 1, "rows"))]),
    ([(("rounds", 1, "dice"), None)], [("bad-value", ("rounds", 1, "dice"))]),
    ([(("colours",), ABSENT)], [("missing-field", ("colours",))]),
    ([(("rounds", 1, "tokens", "ben"), ABSENT)], [("missing-field", ("rounds", 1, "tokens", "ben"))]),
    ([(("rounds", 1, "rows", "ben"), ABSENT)], [("missing-field", ("rounds", 1, "rows", "ben"))]),
    ([(("rounds", 1, "dice", "ben"), ABSENT)], [("missing-field", ("rounds", 1, "dice", "ben"))]),
    ([(("colours", "ben"), ABSENT)], [("missing-field", ("colours", "ben"))]),
    ([(("held", "ben"), ABSENT)], [("missing-field", ("held", "ben"))]),
    ([(("lead",), {})], []),
    ([(("lead",), {"ben": 1})], []),
    ([(("lead",), {"ben": 1, "kim": "x"})], [("unknown-field", ("lead", "kim"))]),
    ([(("rounds", 2, "note"), {"x": 1})], [("unknown-field", ("rounds", 2, "note"))]),
    ([(("rounds", 2, "tokens", "kim"), "x")], [("unknown-field", ("rounds", 2, "tokens", "kim"))]),
    ([(("rounds", 2, "rows", "kim"), 7)], [("unknown-field", ("rounds", 2, "rows", "kim"))]),
    ([(("colours", "kim"), "gg")], [("unknown-field", ("colours", "kim"))]),
    ([(("lead", ""), 0)], [("unknown-field", ("lead", ""))]),
    ([(("rounds", 3), "2 2 0")], [("bad-value", ("rounds", 3))]),
    ([(("rounds", 3, "tokens"), [3, 0, 2])], [("bad-value", ("rounds", 3, "tokens"))]),
    ([(("rounds", 3, "tokens", "ana"), -1)], [("bad-value", ("rounds", 3, "tokens", "ana"))]),
    ([(("rounds", 3, "tokens", "ana"), 3.0)], [("bad-value", ("rounds", 3, "tokens", "ana"))]),
    ([(("rounds", 3, "tokens", "ana"), True)], [("bad-value", ("rounds", 3, "tokens", "ana"))]),
    ([(("rounds", 3, "tokens", "ana"), "3")], [("bad-value", ("rounds", 3, "tokens", "ana"))]),
    ([(("lead", "ana"), 7)], [("bad-value", ("lead", "ana"))]),
    ([(("lead", "ana"), 0)], [("bad-value", ("lead", "ana"))]),
    ([(("lead", "ana"), True)], [("bad-value", ("lead", "ana"))]),
    ([(("rounds", 0, "rows", "ana"), 654321)], [("bad-value", ("rounds", 0, "rows", "ana"))]),
    ([(("rounds", 0, "dice", "ana"), None)], [("bad-value", ("rounds", 0, "dice", "ana"))]),
    ([(("held", "ana"), 10)], [("bad-value", ("held", "ana"))]),
    ([(("colours", "ana"), "x")], [("bad-value", ("colours", "ana"))]),
    ([(("colours", "ana"), "gd")], [("bad-value", ("colours", "ana"))]),
    ([(("colours", "ana"), "")], [("bad-value", ("colours", "ana"))]),
    ([(("rounds", 1, "starter"), "kim")], [("bad-value", ("rounds", 1, "starter"))]),
    ([(("rounds", 1, "starter"), "")], [("bad-value", ("rounds", 1, "starter"))]),
    ([(("rounds", 1, "starter"), None)], [("bad-value", ("rounds", 1, "starter"))]),
    ([(("rounds", 1, "starter"), ["ana"])], [("bad-value", ("rounds", 1, "starter"))]),
    ([(("youngest_first",), [])], [("bad-value", ("youngest_first",))]),
    ([(("youngest_first",), ["ana", "ben", "ben"])], [("bad-value", ("youngest_first",))]),
    ([(("youngest_first",), ["ana", "ben", "cleo", "ana"])], [("bad-value", ("youngest_first",))]),
    ([(("youngest_first",), ["ana", {}, []])], [("bad-value", ("youngest_first",))]),
    ([(("rounds", 0, "rows", "ana"), "65432")], [("row-notation", ("rounds", 0, "rows", "ana"))]),
    ([(("rounds", 0, "rows", "ana"), "654321\n")], [("row-notation", ("rounds", 0, "rows", "ana"))]),
    ([(("rounds", 0, "rows", "ana"), "٦54321")], [("row-notation", ("rounds", 0, "rows", "ana"))]),
    ([(("rounds", 0, "rows", "ana"), "654321 654321")], [("row-notation", ("rounds", 0, "rows", "ana"))]),
    ([(("rounds", 0, "dice", "ana"), "gdrgdx")], [("dice-notation", ("rounds", 0, "dice", "ana"))]),
    ([(("rounds", 0, "dice", "ana"), "GDRGDR")], [("dice-notation", ("rounds", 0, "dice", "ana"))]),
    ([(("held", "ana"), "10y")], [("held-notation", ("held", "ana"))]),
    ([(("held", "ana"), "002b0y")], [("held-notation", ("held", "ana"))]),
    ([(("held", "ana"), "2b000y")], [("held-notation", ("held", "ana"))]),
    ([(("colours", "cleo"), "g")], [("colour-repeated", ("colours", "cleo"))]),
    (
        [(("colours", "cleo"), "g"), (("colours", "ben"), "g")],
        [("colour-repeated", ("colours", "ben")), ("colour-repeated", ("colours", "cleo"))],
    ),
    (
        [(("colours", "ana"), "x"), (("colours", "ben"), "x")],
        [("bad-value", ("colours", "ana")), ("bad-value", ("colours", "ben"))],
    ),
]
RULES: list[tuple[list[Change], list[tuple[str, Path]]]] = [
    ([(("held", "ana"), "02b00y")], []),
    ([(("rounds", 0, "starter"), "cleo")], []),
    (
        [(("rounds", 0, "dice", "ana"), "gdrgdo")],
        [("colour-count", ("rounds", 0, "dice")), ("foreign-die", ("rounds", 0, "dice", "ana"))],
    ),
    ([(("rounds", 0, "dice", "ana"), "gdrgdd")], [("colour-count", ("rounds", 0, "dice"))]),
    ([(("rounds", 0, "dice", "ana"), "dgrgdr")], [("hundred-thousand", ("rounds", 0, "dice"))]),
    (
        [(("rounds", 3, "rows", "ana"), "161616"), (("rounds", 3, "rows", "ben"), "112344")],
        [
            ("lead-mismatch", ("lead", "ana")),
            ("tokens-mismatch", ("rounds", 3, "tokens", "cleo")),
        ],
    ),
    ([(("held", "ben"), "1b1y")], [("held-value", ("held", "ben"))]),
    ([(("held", "ben"), "3b0y")], [("held-supply", ("held",)), ("held-value", ("held", "ben"))]),
    (
        [(("held", "ben"), "0b26y")],
        [("held-supply", ("held",)), ("held-value", ("held", "ben"))],
    ),
    ([(("lead",), {"ben": 2})], [("lead-mismatch", ("lead", "ben"))]),
    ([(("held", "ben"), "2b5y")], [("held-value", ("held", "ben"))]),
]


@pytest.mark.parametrize(("changes", "expected"), FRAME + SHAPE + RULES)
def test_slip_in_a_deep_report(changes: list[Change], expected: list[tuple[str, Path]]) -> None:
    assert errors(changed(DEEP, *changes)) == sorted(expected)


TWO_PLAYER: list[tuple[list[Change], list[tuple[str, Path]]]] = [
    ([(("seats",), ["ana", "ben", "cleo"])], [("seat-count", ("seats",))]),
    ([(("colours", "ana"), "g")], [("bad-value", ("colours", "ana"))]),
    ([(("colours", "ana"), "gg")], [("colour-repeated", ("colours", "ana"))]),
    ([(("colours", "ben"), "rd")], [("colour-repeated", ("colours", "ben"))]),
    ([(("rounds", 2, "rows", "ana"), "641662")], [("row-notation", ("rounds", 2, "rows", "ana"))]),
    ([(("rounds", 2, "rows", "ana"), "641662  112233")], [("row-notation", ("rounds", 2, "rows", "ana"))]),
    ([(("rounds", 2, "dice", "ana"), "gdrogddrogdr")], [("dice-notation", ("rounds", 2, "dice", "ana"))]),
    ([(("rounds", 2, "dice", "ana"), "gdrogd rdogdr")], [("hundred-thousand", ("rounds", 2, "dice"))]),
    (
        [(("rounds", 2, "dice", "ana"), "gdrogd ldogdr")],
        [
            ("colour-count", ("rounds", 2, "dice")),
            ("foreign-die", ("rounds", 2, "dice", "ana")),
            ("hundred-thousand", ("rounds", 2, "dice")),
        ],
    ),
    (
        [(("rounds", 1, "tokens", "ana"), 8), (("rounds", 1, "tokens", "ben"), 0)],
        [("unreachable-tokens", ("rounds", 1, "tokens")), ("played-on", ("rounds", 2))],
    ),
    ([(("lead",), {"ana": 6, "ben": 2})], [("lead-mismatch", ("lead", "ben"))]),
    ([(("lead",), {"ben": 2})], [("lead-mismatch", ("lead", "ben"))]),
    ([(("lead",), {"ana": 6, "ben": 5})], []),
    ([(("lead",), {"ana": 6})], []),
    (
        [(("rounds", 2), {"tokens": {"ana": 3, "ben": 2}})],
        [("tiebreak-missing", ("lead", "ana")), ("tiebreak-missing", ("lead", "ben"))],
    ),
    (
        [(("rounds", 2), {"tokens": {"ana": 3, "ben": 2}}), (("lead",), {"ana": 1})],
        [("tiebreak-missing", ("lead", "ben"))],
    ),
]


@pytest.mark.parametrize(("changes", "expected"), TWO_PLAYER)
def test_slip_in_a_report_of_two(changes: list[Change], expected: list[tuple[str, Path]]) -> None:
    assert errors(changed(PAIR, *changes)) == sorted(expected)


MINIMAL_SLIPS: list[tuple[list[Change], list[tuple[str, Path]]]] = [
    ([(("rounds", 0, "tokens", "ana"), 0)], [("unreachable-tokens", ("rounds", 0, "tokens"))]),
    (
        [(("rounds", 1, "tokens", "ana"), 10**400)],
        [("played-on", ("rounds", 2)), ("unreachable-tokens", ("rounds", 1, "tokens"))],
    ),
    ([(("rounds", 4), {"tokens": {"ana": 2, "ben": 1, "cleo": 0}})], [("played-on", ("rounds", 4))]),
    (
        [
            (("rounds", 4), {"tokens": {"ana": 2, "ben": 1, "cleo": 0}}),
            (("rounds", 5), {"tokens": {"ana": 2, "ben": 1, "cleo": 0}}),
        ],
        [("played-on", ("rounds", 4))],
    ),
    ([(("rounds", 3), ABSENT)], [("not-finished", ("rounds",))]),
    ([(("lead",), {"ana": 5, "ben": 6, "cleo": 1})], [("lead-impossible", ("lead",))]),
    ([(("lead",), {"ana": 6, "ben": 5, "cleo": 1})], []),
    ([(("lead",), {"ana": 5, "ben": 6})], [("lead-impossible", ("lead",))]),
    ([(("lead",), {"ben": 6})], []),
    ([(("lead",), {})], []),
    (
        [(("lead",), {"ana": 5, "ben": 6, "cleo": 1}), (("rounds", 3, "tokens", "cleo"), 9)],
        [("unreachable-tokens", ("rounds", 3, "tokens"))],
    ),
    (
        [(("rounds", 0, "dice"), {"ana": "gggggg", "ben": "dddddd", "cleo": "rrrrrr"})],
        [("missing-field", ("colours",)), ("missing-field", ("rounds", 0, "rows"))],
    ),
]


@pytest.mark.parametrize(("changes", "expected"), MINIMAL_SLIPS)
def test_slip_in_a_minimal_report(changes: list[Change], expected: list[tuple[str, Path]]) -> None:
    assert errors(changed(MINIMAL, *changes)) == sorted(expected)


WARNED: list[tuple[dict[str, Any], list[Change], list[tuple[str, Path]]]] = [
    (DEEP, [], []),
    (DEEP, [(("rounds", 0, "starter"), "ana")], []),
    (DEEP, [(("rounds", 1, "starter"), "ana")], [("starter-wrong", ("rounds", 1, "starter"))]),
    (DEEP, [(("rounds", 2, "starter"), "ben")], [("starter-wrong", ("rounds", 2, "starter"))]),
    (DEEP, [(("youngest_first",), ABSENT), (("rounds", 1, "starter"), "ana")], []),
    (MINIMAL, [(("rounds", 2, "starter"), "ana")], [("starter-wrong", ("rounds", 2, "starter"))]),
    (DEEP, [(("held", "ben"), "0b4y")], []),
    (DEEP, [(("held", "ben"), "0b5y")], [("held-exchange", ("held", "ben"))]),
    (DEEP, [(("held", "ben"), "2b5y")], []),
    (DEEP, [(("held", "ben"), "1b5y")], [("held-exchange", ("held", "ben"))]),
    (DEEP, [(("rounds", 0, "dice", "ana"), "dgrgdr")], []),
    (PAIR, [(("rounds", 2, "dice", "ana"), "gdrogd grogdr")], [("hundred-thousand-colours", ("rounds", 2, "dice"))]),
    (PAIR, [(("rounds", 2, "dice", "ana"), "gdrogd rdogdr")], []),
    (REPORTS["equal-numbers"], [(("rounds", 0, "tokens", "cleo"), 2)], []),
    (REPORTS["equal-numbers"], [(("rounds", 0, "tokens", "ana"), 1)], []),
    (REPORTS["equal-numbers"], [(("rounds", 0, "rows", "ana"), "651345")], []),
]


@pytest.mark.parametrize(("report", "changes", "expected"), WARNED)
def test_warning(report: dict[str, Any], changes: list[Change], expected: list[tuple[str, Path]]) -> None:
    assert warnings(changed(report, *changes)) == sorted(expected)


@pytest.mark.parametrize("report", [None, True, 3, 1e300, "sixmix", [], [DEEP]])
def test_only_an_object_is_a_report(report: object) -> None:
    assert errors(report) == [("not-an-object", ())]


def test_missing_digits_are_not_asked_for_when_the_end_is_wrong() -> None:
    tied = changed(TIE, (("lead",), ABSENT))
    assert {code for code, _ in errors(tied)} == {"tiebreak-missing"}
    unfinished = changed(tied, (("rounds",), tied["rounds"][:1]))
    assert errors(unfinished) == [("not-finished", ("rounds",))]


def test_seat_may_be_called_like_a_field() -> None:
    names = {"ana": "tokens", "ben": "rounds", "cleo": "lead"}
    assert errors(renamed(DEEP, names)) == []


def test_seat_may_have_a_name_no_encoding_can_write() -> None:
    odd = renamed(DEEP, {"ana": "\ud800"})
    assert errors(odd) == []
    slip = ("rounds", 0, "tokens", "\ud800")
    assert errors(changed(odd, (slip, "x"))) == [("bad-value", slip)]


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): renamed(entry, names) for key, entry in value.items()}
    if isinstance(value, list):
        return [renamed(entry, names) for entry in value]
    return names.get(value, value) if isinstance(value, str) else value


# The JSON Schema.


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ([(("seats",), ["a", "b"])], True),
        ([(("seats",), ["a", "b", "c"])], False),
        ([(("seats",), ["a", "b", "c", "d", "e"])], False),
        ([(("seats",), ["a", "b", "c", "d", "e", "f"])], True),
        ([(("seats", 0), "")], True),
        ([(("rounds",), [])], True),
        ([(("rounds", 0, "tokens", "ana"), -1)], True),
        ([(("rounds", 0, "tokens", "ana"), 0)], False),
        ([(("lead", "ana"), 0)], True),
        ([(("lead", "ana"), 1)], False),
        ([(("lead", "ana"), 6)], False),
        ([(("lead", "ana"), 7)], True),
        ([(("lead",), {})], False),
        ([(("rounds", 0, "rows", "ana"), "111111")], False),
        ([(("rounds", 0, "rows", "ana"), "666666")], False),
        ([(("rounds", 0, "rows", "ana"), "666667")], True),
        ([(("rounds", 0, "rows", "ana"), "066666")], True),
        ([(("rounds", 0, "rows", "ana"), "6666666")], True),
        ([(("rounds", 0, "dice", "ana"), "gdrolg")], False),
        ([(("rounds", 0, "dice", "ana"), "gdrol")], True),
        ([(("held", "ana"), "12b12y")], False),
        ([(("held", "ana"), "112b1y")], True),
        ([(("held", "ana"), "1b112y")], True),
        ([(("held", "ana"), "b1y")], True),
        ([(("youngest_first",), [1])], True),
        ([(("colours", "ana"), "l")], False),
        ([(("colours", "ana"), "x")], True),
        ([(("colours", "ana"), "gd")], True),
    ],
)
def test_bounds_of_the_schema(changes: list[Change], refused: bool) -> None:
    assert schema_refuses(changed(DEEP, *changes)) == refused


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ([(("seats",), ["a"])], True),
        ([(("seats",), ["a", "b"])], False),
        ([(("seats",), ["a", "b", "c"])], True),
        ([(("rounds",), [])], True),
        ([(("rounds", 2, "rows", "ana"), "666666 111111")], False),
        ([(("rounds", 2, "rows", "ana"), "666666")], True),
        ([(("rounds", 2, "dice", "ana"), "gdrolg gdrolg")], False),
        ([(("rounds", 2, "dice", "ana"), "gdrolg gdrol")], True),
        ([(("colours", "ana"), "gl")], False),
        ([(("colours", "ana"), "g")], True),
        ([(("colours", "ana"), "gdr")], True),
    ],
)
def test_bounds_of_the_schema_for_two(changes: list[Change], refused: bool) -> None:
    assert schema_refuses(changed(PAIR, *changes)) == refused


def schema_refuses(report: object) -> bool:
    return not jsonschema.Draft202012Validator(engines.schema("sixmix")).is_valid(report)


# The minimal layer.


@pytest.mark.parametrize("report", VALID)
def test_minimal_layer_has_the_same_standings(report: dict[str, Any]) -> None:
    assert check(minimal(report)).standings == check(report).standings
    assert minimal(minimal(report)) == minimal(report)


def test_digits_from_rows_and_digits_as_reported_are_the_same_sheet() -> None:
    with_lead = changed(PAIR, (("rounds", 2), {"tokens": {"ana": 3, "ben": 2}}), (("lead",), {"ben": 5, "ana": 6}))
    assert minimal(PAIR) == minimal(with_lead)
    assert minimal(PAIR)["lead"] == {"ana": 6, "ben": 5}


def test_digits_that_decide_nothing_are_evidence() -> None:
    assert set(minimal(DEEP)) == {"game", "variant", "seats", "rounds"}
    assert "lead" not in minimal(REPORTS["lower-tie-rows-known"])
    assert minimal(REPORTS["lead-of-others-too"])["lead"] == REPORTS["lead-of-the-leaders"]["lead"]


def test_rows_stay_where_only_they_explain_the_tokens() -> None:
    assert minimal(REPORTS["equal-numbers-440"])["rounds"][0] == REPORTS["equal-numbers-440"]["rounds"][0]
    assert [set(each) for each in minimal(REPORTS["equal-numbers"])["rounds"]] == [{"tokens"}] * 4


# Laws.

ROW = st.text(alphabet="123456", min_size=6, max_size=6)


@given(seat=st.sampled_from(DEEP["seats"]), index=st.integers(0, 3), row=ROW)
def test_rows_decide_tokens(seat: str, index: int, row: str) -> None:
    """Whatever row is put in, the report holds exactly if it earns everybody the same and has the same digit."""
    report = changed(DEEP, (("rounds", index, "rows", seat), row))
    entry = report["rounds"][index]
    same = seat_tokens([entry["rows"][each] for each in report["seats"]]) == tuple(
        entry["tokens"][each] for each in report["seats"]
    )
    digit = index < 3 or row[0] == str(DEEP["lead"][seat])
    assert check(report).ok == ((same or bool(warnings(report))) and digit)
    assert warnings(report) in ([], [("equal-numbers", ("rounds", index, "tokens"))])


@given(seat=st.sampled_from(DEEP["seats"]), index=st.integers(0, 3), tokens=st.integers(0, 6))
def test_wrong_tokens_are_caught_by_the_rows(seat: str, index: int, tokens: int) -> None:
    report = changed(DEEP, (("rounds", index, "tokens", seat), tokens))
    assert check(report).ok == (tokens == DEEP["rounds"][index]["tokens"][seat])


@given(
    rows=st.lists(st.sampled_from(["654321", "661616", "555431", "123456"]), min_size=3, max_size=5), data=st.data()
)
def test_tokens_hold_by_exactly_two_readings(rows: list[str], data: st.DataObject) -> None:
    """Whatever is taken, the report holds without a warning by our reading and with one by the other."""
    seats = list("abcde")[: len(rows)]
    ours = seat_tokens(rows)
    highest, triples = max(rows), [sum(row.count(digit) // 3 for digit in "123456") for row in rows]
    other = tuple(2 * (row == highest) + more for row, more in zip(rows, triples, strict=True))
    tokens = data.draw(st.sampled_from([ours, other]) | st.tuples(*[st.integers(0, 4)] * len(rows)))
    last = {"tokens": dict(zip(seats, tokens, strict=True)), "rows": dict(zip(seats, rows, strict=True))}
    before = {"tokens": dict(zip(seats, [4, 2, 0, 0, 0], strict=False))}
    report = {"game": "sixmix", "variant": "standard", "seats": seats, "rounds": [before, before, last]}
    found = {code for code, _ in errors(report)} - {"not-finished"}
    if tokens == ours:
        assert (found, warnings(report)) == (set(), [])
    elif tokens == other and rows.count(highest) > 1:
        assert (found, warnings(report)) == (set(), [("equal-numbers", ("rounds", 2, "tokens"))])
    else:
        assert (found - {"unreachable-tokens"}, warnings(report)) == ({"tokens-mismatch"}, [])


@given(st.permutations(["ana", "ben", "cleo"]), st.permutations([10, 10, 4]))
def test_ranks_do_not_depend_on_the_seat(seats: list[str], totals: list[int]) -> None:
    tokens = {10: (2, 4, 4), 4: (2, 1, 1)}
    rounds = [{"tokens": {s: tokens[t][r] for s, t in zip(seats, totals, strict=True)}} for r in range(3)]
    report = {"game": "sixmix", "variant": "standard", "seats": seats, "rounds": rounds}
    report["lead"] = {s: 6 if t == 10 else 2 for s, t in zip(seats, totals, strict=True)}
    expected = {s: (1, (10, 6)) if t == 10 else (3, (4, 0)) for s, t in zip(seats, totals, strict=True)}
    assert keys(report) == expected
