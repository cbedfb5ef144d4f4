"""Reports: the worked examples, and every code at its place."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.base import Finding
from engines.ten_phases import ENGINE, scoring
from engines.vectors import vectors
from tests.engines.ten_phases.samples import ALONE, FIVE_PLAYERS, REMOVED, RULEBOOK_DICE, spoilt

VECTORS = vectors("ten-phases")


def found(report: object) -> set[tuple[str, str]]:
    """Return code and dotted path of every error, each of them once."""
    verdict = ENGINE.check(report)
    assert (verdict.standings is None) == bool(verdict.errors)
    return places_of(verdict.errors)


def warned(report: object) -> set[tuple[str, str]]:
    """Return code and dotted path of every warning, each of them once."""
    return places_of(ENGINE.check(report).warnings)


def places_of(findings: Sequence[Finding]) -> set[tuple[str, str]]:
    said = [(each.code.removeprefix("ten-phases."), ".".join(map(str, each.path))) for each in findings]
    assert len(set(said)) == len(said)
    return set(said)


def placed(report: dict[str, Any]) -> list[tuple[str, int, int, tuple[int, ...]]]:
    rows = ENGINE.check(report).standings
    assert rows is not None
    return [(row.seat, row.rank, row.score, row.key) for row in rows]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    verdict = ENGINE.check(vector["report"])
    rows = verdict.standings
    assert {
        "ok": verdict.ok,
        "codes": sorted({each.code for each in verdict.errors}),
        "warnings": sorted({each.code for each in verdict.warnings}),
        "standings": None if rows is None else [row.as_json() for row in rows],
    } == vector["verdict"]


REFUSED_BEFORE = [
    "dice-joker-in-phase-8",
    "phase-8-joker-without-colour",
    "phase-8-jokers-among-ten",
    "phase-8-fifteen",
    "solo",
    "no-phase-no-turns",
]


@pytest.mark.parametrize("name", REFUSED_BEFORE)
def test_sheet_that_one_reading_allows_is_accepted(name: str) -> None:
    (vector,) = [vector for vector in VECTORS if vector["id"] == name]
    assert found(vector["report"]) == warned(vector["report"]) == set()


def test_dice_of_the_rulebook() -> None:
    assert placed(RULEBOOK_DICE) == [("ana", 1, 490, (1, 490, 52)), ("ben", 2, 373, (0, 373, 54))]


def test_fifth_nine_of_the_rulebook_does_not_count() -> None:
    report = spoilt(RULEBOOK_DICE, {"block.ana.phases.2": 48, "block.ana.total": 491})
    assert found(report) == {("dice-points", "block.ana.dice.2")}


def test_end_of_a_game_with_five_players() -> None:
    assert placed(FIVE_PLAYERS) == [
        ("C", 1, 589, (1, 589, 62)),
        ("B", 2, 518, (1, 518, 56)),
        ("E", 3, 512, (1, 512, 58)),
        ("A", 4, 512, (1, 512, 52)),
        ("D", 5, 243, (0, 243, 45)),
    ]


@pytest.mark.parametrize(("seat", "total"), [("C", 629), ("A", 552)])
def test_last_bonus_is_not_for_a_second_phase_or_a_later_round(seat: str, total: int) -> None:
    report = spoilt(FIVE_PLAYERS, {f"block.{seat}.bonus10": 40, f"block.{seat}.total": total})
    assert found(report) == {("bonus10-order", f"block.{seat}.bonus10")}
    assert found(without(report, "turns")) == set()


def test_alone_a_miss_does_not_cost_the_first_bonus() -> None:
    assert placed(ALONE) == [("ana", 1, 536, (1, 536, 52))]
    assert warned(ALONE) == set()


AT_ONCE = {"block.ana.bonus5": 0, "block.ana.total": 496}
ONE_MORE = {"block.ana.phases.3": 42, "block.ana.total": 497}


def test_alone_misses_may_come_off_at_once() -> None:
    report = spoilt(ALONE, AT_ONCE)
    assert warned(report) == {("bonus5-misses", "block.ana.bonus5")}
    assert placed(report) == [("ana", 1, 496, (1, 496, 52))]


@pytest.mark.parametrize(
    "changes",
    [
        AT_ONCE | ONE_MORE,
        AT_ONCE | {"block.ana.misses": [0, 0, 0, 0, 0, 1, 0, 2, 0, 0]},
        {"block.ana.phases.3": 36, "block.ana.total": 531},
    ],
    ids=["enough-either-way", "misses-after-phase-5", "too-little-either-way"],
)
def test_alone_first_bonus_that_no_reading_gives(changes: dict[str, Any]) -> None:
    report = spoilt(ALONE, changes)
    assert found(report) == {("bonus5-wrong", "block.ana.bonus5")}
    assert warned(report) == set()


def test_a_warning_stands_beside_errors() -> None:
    report = spoilt(ALONE, {"block.ana.bonus5": 0})
    assert found(report) == {("total-mismatch", "block.ana.total")}
    assert warned(report) == {("bonus5-misses", "block.ana.bonus5")}


def test_nobody_takes_misses_off_at_once_in_company() -> None:
    report = spoilt(FIVE_PLAYERS, {"block.A.bonus5": 0, "block.A.total": 472})
    assert found(report) == {("bonus5-wrong", "block.A.bonus5")}
    assert warned(report) == set()


def test_a_player_without_a_phase_needs_no_turns() -> None:
    nothing = {"phases": [], "bonus5": 0, "bonus10": 0, "total": 0}
    report = spoilt(FIVE_PLAYERS, {"block.D": nothing})
    assert found(report) == set()
    assert found(spoilt(report, {"block.D.turns": []})) == set()
    late = spoilt(report, {"block.C.bonus10": 40, "block.C.total": 629})
    assert found(late) == {("bonus10-order", "block.C.bonus10")}
    assert found(spoilt(report, {"block.A.turns": REMOVED})) == {("turns-partial", "block.A")}
    only_empty = spoilt(without(FIVE_PLAYERS, "turns"), {"block.D": nothing | {"turns": []}})
    assert found(only_empty) == {("turns-partial", f"block.{seat}") for seat in "ABCE"}


def without(report: dict[str, Any], field: str) -> dict[str, Any]:
    result = copy.deepcopy(report)
    for column in result["block"].values():
        column.pop(field, None)
    return result


def test_minimal_layer_has_no_evidence() -> None:
    assert ENGINE.minimal(FIVE_PLAYERS) == without(FIVE_PLAYERS, "turns")
    assert ENGINE.minimal(RULEBOOK_DICE) == without(RULEBOOK_DICE, "dice")
    assert ENGINE.minimal(ALONE) == ALONE


FRAME_AND_SHAPE: list[tuple[dict[str, Any], dict[str, Any], set[tuple[str, str]]]] = [
    (ALONE, {"game": REMOVED}, {("missing-field", "game")}),
    (ALONE, {"variant": REMOVED}, {("missing-field", "variant")}),
    (ALONE, {"seats": REMOVED, "block": REMOVED}, {("missing-field", "seats"), ("missing-field", "block")}),
    (ALONE, {"block.ana.total": REMOVED, "note": None}, {("unknown-field", "note")}),
    (ALONE, {"game": "dix"}, {("wrong-game", "game")}),
    (ALONE, {"game": None}, {("wrong-game", "game")}),
    (ALONE, {"variant": "Solo"}, {("unknown-variant", "variant")}),
    (ALONE, {"variant": ["solo"]}, {("unknown-variant", "variant")}),
    (ALONE, {"seats": "ana"}, {("bad-value", "seats")}),
    (ALONE, {"seats": None, "block": []}, {("bad-value", "seats"), ("bad-value", "block")}),
    (ALONE, {"seats": [""]}, {("bad-value", "seats.0")}),
    (ALONE, {"seats": []}, {("seat-count", "seats")}),
    (ALONE, {"seats": ["ana", 1]}, {("bad-value", "seats.1"), ("seat-count", "seats")}),
    (ALONE, {"variant": "standard"}, {("seat-count", "seats")}),
    (FIVE_PLAYERS, {"seats.4": "A"}, {("duplicate-seat", "seats.4")}),
    (FIVE_PLAYERS, {"seats": list("ABCDEFGHI")}, {("seat-count", "seats")}),
    (FIVE_PLAYERS, {"block.D": REMOVED}, {("missing-field", "block.D")}),
    (FIVE_PLAYERS, {"block.F": {"turns": 1}}, {("unknown-field", "block.F")}),
    (FIVE_PLAYERS, {"block.A.note": "x"}, {("unknown-field", "block.A.note")}),
    (FIVE_PLAYERS, {"block.A.misses": 1}, {("unknown-field", "block.A.misses")}),
    (ALONE, {"block.ana.turns": [1]}, {("unknown-field", "block.ana.turns")}),
    (ALONE, {"block.ana.misses": REMOVED}, {("missing-field", "block.ana.misses")}),
    (
        ALONE,
        {f"block.ana.{name}": REMOVED for name in ("phases", "bonus5", "bonus10", "total")},
        {("missing-field", f"block.ana.{name}") for name in ("phases", "bonus5", "bonus10", "total")},
    ),
    (ALONE, {"block.ana": [1]}, {("bad-value", "block.ana")}),
    (ALONE, {"block.ana.phases": "40"}, {("bad-value", "block.ana.phases")}),
    (ALONE, {"block.ana.phases.3": 41.0}, {("bad-value", "block.ana.phases.3")}),
    (ALONE, {"block.ana.phases.3": True}, {("bad-value", "block.ana.phases.3")}),
    (ALONE, {"block.ana.phases.3": None}, {("bad-value", "block.ana.phases.3")}),
    (ALONE, {"block.ana.bonus5": False}, {("bad-value", "block.ana.bonus5")}),
    (ALONE, {"block.ana.bonus5": 0.0}, {("bad-value", "block.ana.bonus5")}),
    (ALONE, {"block.ana.bonus10": 20}, {("bad-value", "block.ana.bonus10")}),
    (ALONE, {"block.ana.bonus10": 10**30}, {("bad-value", "block.ana.bonus10")}),
    (ALONE, {"block.ana.total": "496"}, {("bad-value", "block.ana.total")}),
    (ALONE, {"block.ana.misses": None}, {("bad-value", "block.ana.misses")}),
    (ALONE, {"block.ana.misses.2": -1}, {("bad-value", "block.ana.misses.2")}),
    (FIVE_PLAYERS, {"block.A.turns": None}, {("bad-value", "block.A.turns")}),
    (FIVE_PLAYERS, {"block.A.turns.0": 0}, {("bad-value", "block.A.turns.0")}),
    (RULEBOOK_DICE, {"block.ana.dice": {}}, {("bad-value", "block.ana.dice")}),
    (RULEBOOK_DICE, {"block.ana.dice.1": 8}, {("bad-value", "block.ana.dice.1")}),
    (RULEBOOK_DICE, {"block.ana.dice.1": ["8"]}, {("bad-value", "block.ana.dice.1")}),
    (
        ALONE,
        {"block.ana.phases": ["x"] * 11},
        {("too-many-phases", "block.ana.phases"), ("length-mismatch", "block.ana.misses")}
        | {("bad-value", f"block.ana.phases.{index}") for index in range(11)},
    ),
    (ALONE, {"block.ana.misses.9": REMOVED}, {("length-mismatch", "block.ana.misses")}),
    (ALONE, {"block.ana.dice": []}, {("length-mismatch", "block.ana.dice")}),
    (FIVE_PLAYERS, {"block.D.turns": [0]}, {("length-mismatch", "block.D.turns"), ("bad-value", "block.D.turns.0")}),
    (
        FIVE_PLAYERS,
        {"block.A.turns": REMOVED, "block.B.turns": REMOVED, "block.C": 3, "block.D": REMOVED},
        {
            ("turns-partial", "block.A"),
            ("turns-partial", "block.B"),
            ("bad-value", "block.C"),
            ("missing-field", "block.D"),
        },
    ),
    (RULEBOOK_DICE, {"block.ana.turns": None}, {("bad-value", "block.ana.turns"), ("turns-partial", "block.ben")}),
    (RULEBOOK_DICE, {"block.F": {"turns": []}}, {("unknown-field", "block.F")}),
]
NOT_DICE = [
    "",
    " ",
    "8 ",
    " 8",
    "8  8",
    "8,8",
    "11",
    "0",
    "08",
    "w",
    "8R",
    "8rb",
    "r8",
    "8\n",
    "8\u00a08",
    "٣",
    "\ud800",
]
RULES: list[tuple[dict[str, Any], dict[str, Any], set[tuple[str, str]]]] = [
    (
        FIVE_PLAYERS,
        {"block.A.phases.3": 46, "block.A.total": 516},
        {("unreachable-points", "block.A.phases.3")},
    ),
    (
        FIVE_PLAYERS,
        {"block.A.phases.7": 10**30, "block.A.total": 462 + 10**30},
        {("unreachable-points", "block.A.phases.7")},
    ),
    (RULEBOOK_DICE, {"block.ana.dice.0": "8 8 8 8 W"}, {("dice-count", "block.ana.dice.0")}),
    (RULEBOOK_DICE, {"block.ana.dice.0": " ".join("88888" * 3)}, {("dice-count", "block.ana.dice.0")}),
    (RULEBOOK_DICE, {"block.ana.dice.0": "8 8 8 8 8 8 8 W"}, {("dice-supply", "block.ana.dice.0")}),
    (RULEBOOK_DICE, {"block.ana.dice.0": "8 8 8 8 8 W W 1 2 3"}, {("dice-supply", "block.ana.dice.0")}),
    (RULEBOOK_DICE, {"block.ana.dice.3": "7 6 5 4 3 2 2"}, {("dice-incomplete", "block.ana.dice.3")}),
    (RULEBOOK_DICE, {"block.ana.dice.3": "10 9 8 7 6 5 4"}, {("dice-points", "block.ana.dice.3")}),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 9g 8g 8g 8g 4g 3"}, set()),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 9g 8g 8g 8g 4g 3r"}, {("dice-incomplete", "block.ana.dice.7")}),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 10g 10g 8g 8g 4g Wg"}, set()),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 10g 10g 8g 8g 4g W"}, set()),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 10g 10g 8g 8g 4g Wr"}, {("dice-incomplete", "block.ana.dice.7")}),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 10g 10g 8g 8g 3g Wg"}, {("dice-points", "block.ana.dice.7")}),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 10g 10g 10g 10g 10g 4g"}, {("dice-points", "block.ana.dice.7")}),
    (
        RULEBOOK_DICE,
        {"block.ana.phases.7": 57, "block.ana.total": 497, "block.ana.dice.7": "10g 10g 10g 10g 10g 5g 2g"},
        {("unreachable-points", "block.ana.phases.7")},
    ),
    (
        RULEBOOK_DICE,
        {"block.ana.phases.7": 14, "block.ana.total": 454},
        {("unreachable-points", "block.ana.phases.7")},
    ),
    (RULEBOOK_DICE, {"block.ana.phases.7": 15, "block.ana.total": 455}, set()),
    (RULEBOOK_DICE, {"block.ana.phases.7": 56, "block.ana.total": 496}, set()),
    (RULEBOOK_DICE, {"block.ana.dice.7": "10g 9g 8g 8g 8g 3g 3g"}, {("dice-points", "block.ana.dice.7")}),
    (FIVE_PLAYERS, {"block.A.bonus5": 0, "block.A.total": 472}, {("bonus5-wrong", "block.A.bonus5")}),
    (ALONE, {"block.ana.total": 551}, {("total-mismatch", "block.ana.total")}),
    (
        ALONE,
        {"block.ana.phases.3": 42, "block.ana.bonus5": 0},
        {("bonus5-wrong", "block.ana.bonus5"), ("total-mismatch", "block.ana.total")},
    ),
    (
        ALONE,
        {"block.ana.phases.9": REMOVED, "block.ana.misses.9": REMOVED, "block.ana.total": 484},
        {("no-finisher", "block"), ("bonus10-unfinished", "block.ana.bonus10")},
    ),
    (
        FIVE_PLAYERS,
        {"block.D.bonus10": 40, "block.D.total": 283},
        {("bonus10-unfinished", "block.D.bonus10")},
    ),
    (
        RULEBOOK_DICE,
        {"block.ana.bonus10": 0, "block.ana.total": 450},
        {("bonus10-nobody", "block")},
    ),
    (
        FIVE_PLAYERS,
        {"block.B.bonus10": 0, "block.B.total": 478, "block.E.bonus10": 0, "block.E.total": 472},
        {("bonus10-nobody", "block"), ("bonus10-order", "block.B.bonus10"), ("bonus10-order", "block.E.bonus10")},
    ),
    (ALONE, {"block.ana.misses.9": 1, "block.ana.total": 531}, {("bonus10-solo", "block.ana.bonus10")}),
    (ALONE, {"block.ana.bonus10": 0, "block.ana.total": 496}, {("bonus10-solo", "block.ana.bonus10")}),
    (
        FIVE_PLAYERS,
        {
            "block.A.turns.5": 5,
            "block.B.turns.4": 4,
            "block.D.turns.5": 99,
            "block.C.bonus10": 40,
            "block.C.total": 629,
        },
        {("turns-order", "block.A.turns.5")},
    ),
    (FIVE_PLAYERS, {"block.D.turns.5": 15}, {("turn-after-end", "block.D.turns.5")}),
    (FIVE_PLAYERS, {"block.A.turns.9": 16}, {("turn-after-end", "block.A.turns.9")}),
    (
        FIVE_PLAYERS,
        {"block.C.turns": [2, 3, 5, 6, 7, 9, 12, 15, 15, 15], "block.C.bonus10": 40, "block.C.total": 629},
        {(code, f"block.C.turns.{index}") for code, index in (("turn-after-end", 7), ("turn-after-end", 8))}
        | {("turn-after-end", "block.C.turns.9")}
        | {("two-phases-in-turn", f"block.C.turns.{index}") for index in (8, 9)},
    ),
    (FIVE_PLAYERS, {"block.B.turns.8": 14}, {("two-phases-in-turn", "block.B.turns.9")}),
    (FIVE_PLAYERS, {"block.A.turns.8": 12}, {("two-phases-in-turn", "block.A.turns.8")}),
    (FIVE_PLAYERS, {"block.A.turns.8": 15}, set()),
    (FIVE_PLAYERS, {"block.E.bonus10": 0, "block.E.total": 472}, {("bonus10-order", "block.E.bonus10")}),
    (FIVE_PLAYERS, {"block.E.turns.8": 14}, {("bonus10-order", "block.E.bonus10")}),
    (FIVE_PLAYERS, {"block.B.bonus10": 0, "block.B.total": 478}, {("bonus10-order", "block.B.bonus10")}),
]


@pytest.mark.parametrize(("report", "changes", "expected"), FRAME_AND_SHAPE + RULES)
def test_findings_at_their_places(report: dict[str, Any], changes: dict[str, Any], expected: Any) -> None:
    assert found(spoilt(report, changes)) == expected


@pytest.mark.parametrize("report", [None, True, 3, "x", [], [{}]])
def test_only_an_object_is_a_report(report: object) -> None:
    assert found(report) == {("not-an-object", "")}


@pytest.mark.parametrize("text", NOT_DICE)
def test_text_that_is_no_dice(text: str) -> None:
    assert found(spoilt(RULEBOOK_DICE, {"block.ana.dice.1": text})) == {("dice-notation", "block.ana.dice.1")}


def test_seat_may_be_called_like_a_field() -> None:
    report = spoilt(ALONE, {"seats": ["phases"], "block": {"phases": ALONE["block"]["ana"]}})
    assert found(report) == set()
    assert found(spoilt(report, {"block.phases.phases.5": 5})) == {
        ("unreachable-points", "block.phases.phases.5"),
        ("total-mismatch", "block.phases.total"),
    }


def test_a_key_no_encoding_can_write_is_named_as_it_is() -> None:
    column = ALONE["block"]["ana"]
    odd = "\ud800"
    assert found(spoilt(ALONE, {f"block.ana.{odd}": 1, "block.ana.total": "x"})) == {
        ("unknown-field", f"block.ana.{odd}"),
        ("bad-value", "block.ana.total"),
    }
    assert found(ALONE | {"block": {"ana": column, odd: {}}}) == {("unknown-field", f"block.{odd}")}
    assert found(ALONE | {"seats": [odd], "block": {odd: column}}) == set()
    assert found(ALONE | {"seats": [odd], "block": {odd: column | {"total": "x"}}}) == {
        ("bad-value", f"block.{odd}.total")
    }


@pytest.mark.parametrize("name", ["\U0010d800", "back\\slash", "\\ud800", "é\n"])
def test_names_beside_a_key_no_encoding_can_write_stay_as_they_are(name: str) -> None:
    block = {name: ALONE["block"]["ana"] | {"total": "x"}, "\ud800": {}}
    assert found(ALONE | {"seats": [name], "block": block}) == {
        ("bad-value", f"block.{name}.total"),
        ("unknown-field", "block.\ud800"),
    }


def test_later_stages_wait_for_earlier_ones() -> None:
    rule = {"block.ana.total": 0}
    shape = {"block.ana.bonus5": 1}
    assert found(spoilt(ALONE, rule | shape)) == {("bad-value", "block.ana.bonus5")}
    assert found(spoilt(ALONE, rule | shape | {"game": "x"})) == {("wrong-game", "game")}


def test_a_huge_report_is_still_answered() -> None:
    report = spoilt(ALONE, {"block.ana.dice": ["8 " * 100 + "8"] + [None] * 9})
    assert found(report) == {("dice-count", "block.ana.dice.0")}
    report = spoilt(ALONE, {"block.ana.dice": ["8 " * 50_000 + "8"] + [None] * 9})
    assert found(report) == {("bad-value", "block.ana.dice.0")}


@given(st.sampled_from([RULEBOOK_DICE, FIVE_PLAYERS, ALONE]), st.data())
def test_every_change_of_a_single_number_is_caught(report: dict[str, Any], data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(report["seats"]))
    column = report["block"][seat]
    field = data.draw(
        st.sampled_from([name for name in ("phases", "bonus5", "bonus10", "total", "misses") if name in column])
    )
    path, old = (f"block.{seat}.{field}", column[field])
    if isinstance(old, list):
        index = data.draw(st.integers(0, len(old) - 1))
        path, old = f"{path}.{index}", old[index]
    new = data.draw(st.integers(-100, 1000).filter(lambda value: value != old))
    assert found(spoilt(report, {path: new}))


alone_columns = st.lists(st.tuples(st.integers(35, 49), st.integers(0, 4)), min_size=10, max_size=10)


@given(alone_columns, st.sampled_from([0, scoring.BONUS]))
def test_alone_first_bonus_is_judged_by_both_readings(column: list[tuple[int, int]], bonus5: int) -> None:
    """Compare with the rule as it stands in words: 221 points, or 221 after 5 points for every miss so far."""
    phases, misses = ([each[index] for each in column] for index in (0, 1))
    count = sum(phases[:5])
    ours, theirs = count >= 221, count - 5 * sum(misses[:5]) >= 221
    bonus10 = 0 if misses[9] else 40
    total = sum(phases) + bonus5 + bonus10 - 5 * sum(misses)
    own = {"phases": phases, "bonus5": bonus5, "bonus10": bonus10, "total": total, "misses": misses}
    report = ALONE | {"block": {"ana": own}}
    is_wrong = ("bonus5-wrong", "block.ana.bonus5") in found(report)
    is_other_reading = ("bonus5-misses", "block.ana.bonus5") in warned(report)
    assert is_wrong == (bool(bonus5) not in (ours, theirs))
    assert is_other_reading == (bool(bonus5) != ours and bool(bonus5) == theirs)
