"""Points: what dice give, against a plain enumeration of everything ten dice can show."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.ten_phases import scoring
from engines.ten_phases.pieces import (
    COLOURS,
    DEFAULT_LAYOUT,
    FACES,
    HIGH_NUMBERS,
    LOW_NUMBERS,
    NUMBERS,
    PHASES,
    Face,
    box_of,
    read_dice,
    write_dice,
)

RUNS = {size: [list(range(first, first + size)) for first in range(1, 12 - size)] for size in (4, 7, 8, 9)}
COMBINATIONS: dict[int, list[list[int]]] = {
    1: [[a] * 3 + [b] * 3 for a, b in product(NUMBERS, repeat=2)],
    2: [[a] * 3 + run for a, run in product(NUMBERS, RUNS[4])],
    3: [[a] * 4 + run for a, run in product(NUMBERS, RUNS[4])],
    4: RUNS[7],
    5: RUNS[8],
    6: RUNS[9],
    7: [[a] * 4 + [b] * 4 for a, b in product(NUMBERS, repeat=2)],
    9: [[a] * 5 + [b] * 2 for a, b in product(NUMBERS, repeat=2)],
    10: [[a] * 5 + [b] * 3 for a, b in product(NUMBERS, repeat=2)],
}
PRINTED = {1: 60, 2: 57, 3: 59, 4: 49, 5: 52, 6: 54, 7: 60, 8: 56, 9: 60, 10: 62}
LEAST = {1: 10, 2: 15, 3: 20, 4: 18, 5: 26, 6: 35, 7: 20, 8: 15, 9: 15, 10: 20}
IMPOSSIBLE: dict[int, set[int]] = {
    1: {49, 52, 53, 55, 56, 58, 59},
    4: {46, 47, 48},
    5: {50, 51},
    6: {53},
    7: {53, 55, 59},
    10: {61},
}


def with_jokers(numbers: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers with any of them turned into jokers."""
    return (tuple(sorted(kept)) for kept in product(*((number, 0) for number in numbers)))


@cache
def selections(phase: int) -> set[tuple[int, ...]]:
    """Return every choice of dice, jokers as 0, that is exactly a phase of numbers."""
    return {each for numbers in COMBINATIONS[phase] for each in with_jokers(numbers)}


def is_supplied(numbers: tuple[int, ...]) -> bool:
    high = sum(number >= 5 for number in numbers)
    return high <= 6 and len(numbers) - high <= 4


@pytest.mark.parametrize("phase", COMBINATIONS)
def test_reachable_points_are_those_of_every_choice_of_dice(phase: int) -> None:
    expected = {sum(numbers) for numbers in selections(phase) if is_supplied(numbers)}
    assert scoring.reachable(PHASES[phase - 1]) == expected


@pytest.mark.parametrize("phase", PRINTED)
def test_reachable_points_agree_with_the_block(phase: int) -> None:
    expected = set(range(LEAST[phase], PRINTED[phase] + 1)) - IMPOSSIBLE.get(phase, set())
    assert scoring.reachable(PHASES[phase - 1]) == expected


def test_seven_dice_of_the_default_colours_give_what_is_printed() -> None:
    assert scoring.best_of_one_colour(box_of(DEFAULT_LAYOUT)) == 56


def test_a_joker_can_be_the_seventh_die_of_one_colour() -> None:
    high = ["bbbbbg"] * 6
    assert scoring.best_of_one_colour(box_of(" ".join([*high, *["oooooo"] * 3, "oooogo"]))) == 60
    assert scoring.best_of_one_colour(box_of(" ".join([*high, *["oooooo"] * 4]))) == 0


@pytest.mark.parametrize(
    ("phases", "misses", "due"),
    [
        ([48, 45, 47, 41, 40], (), 40),
        ([48, 45, 47, 41, 39], (), 0),
        ([48, 45, 47, 41, 40, 60], (), 40),
        ([60, 57, 59, 49], (), 0),
        ([48, 45, 47, 41, 45], (0, 0, 1, 0, 0, 9), 40),
        ([48, 45, 47, 41, 44], (0, 0, 1, 0, 0, 0), 0),
    ],
)
def test_first_bonus_takes_five_phases_and_221_points(phases: list[int], misses: tuple[int, ...], due: int) -> None:
    assert scoring.bonus5_due(phases, misses) == due


faces = st.tuples(st.sampled_from([*LOW_NUMBERS, *HIGH_NUMBERS, "W"]), st.sampled_from(["", *COLOURS])).map(
    lambda each: FACES[f"{each[0]}{each[1]}"]
)
high_faces = faces.filter(lambda face: face.number > 4)
low_faces = faces.filter(lambda face: face.number < 5)
throws = st.tuples(st.lists(high_faces, min_size=4, max_size=6), st.lists(low_faces, min_size=2, max_size=4)).map(
    lambda halves: tuple(halves[0] + halves[1])
)


@given(st.sampled_from(sorted(COMBINATIONS)), throws)
def test_scores_are_those_of_every_selection(phase: int, dice: tuple[Face, ...]) -> None:
    numbers = sorted(face.number for face in dice)
    chosen = set(combinations(numbers, PHASES[phase - 1].size))
    expected = {sum(each) for each in chosen & selections(phase)}
    assert scoring.scores(PHASES[phase - 1], dice) == expected
    assert {points for points in range(-1, 70) if scoring.can_give(PHASES[phase - 1], dice, points)} == expected


@given(throws)
def test_scores_of_one_colour_are_those_of_every_selection(dice: tuple[Face, ...]) -> None:
    expected = {
        sum(face.number for face in chosen)
        for chosen in combinations(dice, 7)
        if len({face.colour for face in chosen} - {""}) <= 1
    }
    assert scoring.scores(PHASES[7], dice) == expected


@pytest.mark.parametrize(
    ("phase", "dice", "points"),
    [
        (1, "8 8 8 8 8 W", {40}),
        (3, "9 9 9 9 5 4 W 2 9 W", {38, 42, 43, 45, 47}),
        (4, "7 6 5 4 3 2 1", {28}),
        (4, "10 9 8 7 6 5 4", {49}),
        (2, "10 10 10 10 9 8 W", {57}),
        (10, "10 10 10 10 10 4 4 4", {62}),
        (10, "10 10 10 10 10 10 W W", {60}),
        (4, "10 9 8 W W W 1", set()),
        (8, "10g 9g 8g 7g 6g 5g Wg", {45}),
        (8, "10g 9g 8g 7g 6g 5g W", {45}),
        (8, "10g 9g 8g 7g 6g 5g Wr", set()),
        (8, "10 9 8 7 6 5g Wr", set()),
        (8, "5o 5o 5o Wo Wo Wo Wo", {15}),
    ],
)
def test_dice_of_the_rulebook_and_of_the_block(phase: int, dice: str, points: set[int]) -> None:
    assert scoring.scores(PHASES[phase - 1], read_dice(dice)) == points


@given(throws)
def test_dice_texts_can_be_read_back(dice: tuple[Face, ...]) -> None:
    assert read_dice(write_dice(dice)) == dice
