"""Assistance: what a throw is worth and which dice to keep."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from engines.ten_phases import ENGINE, scoring
from engines.ten_phases.expectation import halves, keep_values
from engines.ten_phases.pieces import FACES, HIGH_NUMBERS, PHASES, Face, read_dice, write_dice
from tests.engines.ten_phases.test_scoring import throws

LOW_FACES = (0, 0, 1, 2, 3, 4)


def ask(phase: int, dice: str, throws: int = 2) -> dict[str, Any]:
    return ENGINE.assist(ENGINE.assist_shape.model_validate({"phase": phase, "dice": dice, "throws": throws}))


def test_throw_of_the_rulebook() -> None:
    answer = ask(3, "9 9 9 9 5 4 W 2 9 W", throws=0)
    assert answer["made"]
    assert answer["scores"][0] == {"points": 47, "dice": "9 9 9 9 5 4 W 2", "places": [0, 1, 2, 3, 4, 5, 6, 7]}
    assert [score["points"] for score in answer["scores"]] == [47, 45, 43, 42, 38]
    assert answer["keep"] is None


def test_a_complete_best_run_is_left_alone() -> None:
    assert ask(4, "10 9 8 7 6 5 4 1 1 W")["keep"] == {
        "dice": "10 9 8 7 6 5 4 1 1 W",
        "places": list(range(10)),
        "expected": 49.0,
    }


def test_dice_of_the_commonest_colour_are_kept() -> None:
    answer = ask(8, "10g 9g 8g 8g 7r 5o 4g 3r Wr Wb")
    assert not answer["made"]
    assert answer["keep"]["dice"] == "10g 9g 8g 8g 4g"


def test_a_joker_of_the_colour_makes_seven_and_is_kept() -> None:
    answer = ask(8, "10g 9g 8g 8g 7r 5o 4g 3g W Wg")
    best = answer["scores"][0]
    assert (best["points"], best["dice"]) == (42, "10g 9g 8g 8g 4g 3g W")
    assert answer["keep"]["dice"] == "10g 9g 8g 8g 4g 3g Wg"
    assert answer["keep"]["expected"] > 42


def test_points_of_one_colour_are_shown_with_as_few_jokers_as_can_be() -> None:
    answer = ask(8, "Wg 10g 9g 8g 7g 6g 5g 4g 1g Wr", throws=0)
    shown = {score["points"]: score["dice"] for score in answer["scores"]}
    assert shown[45] == "10g 9g 8g 7g 6g 4g 1g"
    assert shown[39] == "Wg 10g 9g 8g 7g 4g 1g"


@pytest.mark.parametrize("dice", ["10r 10r 10r 9r 8r 5r 4g", "Wr Wb Wo Wg", "5r 5b 5o 5g 1r 1b 1o 1g", "10g 10g 10g"])
def test_no_colour_is_refused_on_any_face(dice: str) -> None:
    for phase in (1, 8):
        ask(phase, dice)


def test_dice_not_thrown_yet_count_as_thrown_next() -> None:
    answer = ask(6, "10 10 9")
    assert answer["keep"]["dice"] == "10 9"
    assert answer["scores"] == []


@given(st.integers(1, 10), throws)
def test_every_score_is_shown_with_dice_that_give_it(phase: int, dice: tuple[Face, ...]) -> None:
    answer = ask(phase, write_dice(dice), throws=0)
    possible = scoring.scores(PHASES[phase - 1], dice) & scoring.reachable(PHASES[phase - 1])
    assert {score["points"] for score in answer["scores"]} == possible
    for score in answer["scores"]:
        chosen = read_dice(score["dice"])
        assert chosen == tuple(dice[place] for place in score["places"])
        assert len(set(score["places"])) == len(score["places"]) == PHASES[phase - 1].size
        assert sum(face.number for face in chosen) == score["points"]
        assert score["points"] in scoring.scores(PHASES[phase - 1], chosen)


@given(st.sampled_from([1, 4, 8]), throws, st.integers(1, 2))
def test_dice_to_keep_are_worth_at_least_what_they_give_at_once(phase: int, dice: tuple[Face, ...], left: int) -> None:
    answer = ask(phase, write_dice(dice), throws=left)
    kept = answer["keep"]
    assert kept["dice"] == " ".join(dice[place].text for place in kept["places"])
    assert kept["expected"] >= max((score["points"] for score in answer["scores"]), default=0)


@pytest.mark.parametrize("dice", ["8g 6g 9g 10g 9g 10g 4g", "8g 6g 9g 10g 9g 10g 4g 3r W W"])
def test_the_best_of_one_colour_is_left_alone(dice: str) -> None:
    assert ask(8, dice)["keep"] == {"dice": dice, "places": list(range(len(dice.split()))), "expected": 56.0}


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ({"phase": 0, "dice": "8"}, "greater_than_equal"),
        ({"phase": 11, "dice": "8"}, "less_than_equal"),
        ({"phase": 1, "dice": "8", "throws": 3}, "less_than_equal"),
        ({"phase": 1, "dice": ""}, "dice-notation"),
        ({"phase": 1, "dice": 8}, "string_type"),
        ({"phase": 1, "dice": "8 8 8 8 8 8 8"}, "dice-supply"),
        ({"phase": 1, "dice": " ".join("8" * 11)}, "dice-count"),
        ({"phase": 1}, "missing"),
    ],
)
def test_requests_that_make_no_sense_are_refused(request_: dict[str, Any], kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ENGINE.assist_shape.model_validate(request_)
    assert [error["type"] for error in caught.value.errors()] == [kind]


def best(phase: int, numbers: tuple[int, ...]) -> int:
    dice = [FACES[str(number or "W")] for number in numbers]
    return max(scoring.scores(PHASES[phase - 1], dice), default=0)


def indices(high: tuple[int, ...], low: tuple[int, ...]) -> tuple[int, int]:
    both = halves()
    return both[0].index[tuple(sorted(high))], both[1].index[tuple(sorted(low))]


high_hands = st.lists(st.sampled_from(HIGH_NUMBERS), min_size=5, max_size=6).map(tuple)
low_hands = st.lists(st.sampled_from(LOW_FACES), min_size=3, max_size=4).map(tuple)


@settings(max_examples=40)
@given(st.sampled_from([1, 4]), high_hands, low_hands)
def test_expectation_of_the_last_throw_is_the_mean_over_its_outcomes(
    phase: int, high: tuple[int, ...], low: tuple[int, ...]
) -> None:
    thrown_high = product(HIGH_NUMBERS, repeat=6 - len(high))
    thrown_low = product(LOW_FACES, repeat=4 - len(low))
    outcomes = [best(phase, (*high, *more, *low, *less)) for more, less in product(thrown_high, thrown_low)]
    first, second = indices(high, low)
    assert keep_values(PHASES[phase - 1], 0)[0][first][second] == pytest.approx(sum(outcomes) / len(outcomes))


@settings(max_examples=15)
@given(st.lists(st.sampled_from(HIGH_NUMBERS), min_size=5, max_size=5).map(tuple), low_hands)
def test_expectation_of_two_throws_uses_the_best_keep_in_between(high: tuple[int, ...], low: tuple[int, ...]) -> None:
    once, twice = keep_values(PHASES[3], 0)
    both = halves()
    lows = [(*low, *more) for more in product(LOW_FACES, repeat=4 - len(low))]
    values = [
        max(
            once[one][two]
            for one in both[0].parts(tuple(sorted((*high, face))))
            for two in both[1].parts(tuple(sorted(full)))
        )
        for face in HIGH_NUMBERS
        for full in lows
    ]
    first, second = indices(high, low)
    assert twice[first][second] == pytest.approx(sum(values) / len(values))
