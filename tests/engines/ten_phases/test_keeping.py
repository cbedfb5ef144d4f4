"""Which dice to keep in the phase of one colour, where it is an estimate: what can be worked out exactly."""

from __future__ import annotations

from itertools import product

import pytest

from engines.ten_phases.keeping import best_keep
from engines.ten_phases.pieces import DEFAULT_LAYOUT, PHASES, Die, box_of, read_dice

BOX = box_of(DEFAULT_LAYOUT)
ONE_COLOUR = PHASES[7]


def outcomes(die: Die, colour: str, throws: int) -> list[int | None]:
    """Return what equally likely throws of a die lead to, if it is thrown until it shows the colour."""
    shown = [[face.number if face.colour == colour else None for face in die]] * throws
    return [next((number for number in each if number is not None), None) for each in product(*shown)]


@pytest.mark.parametrize("throws", [1, 2])
def test_expectation_beside_seven_dice_is_the_mean_over_what_the_others_show(throws: int) -> None:
    dice = read_dice("8g 9b 8o 5b 8b 6o 2b 1b 4b Wb")
    advice = best_keep(ONE_COLOUR, 0, dice, BOX, throws)
    assert advice.places == (1, 3, 4, 6, 7, 8, 9)
    kept = [dice[place].number for place in advice.places]
    thrown = [outcomes(die, "b", throws) for place, die in enumerate(BOX) if place not in advice.places]
    sums = [
        sum(sorted([*kept, *[number for number in each if number is not None]], reverse=True)[:7])
        for each in product(*thrown)
    ]
    assert advice.expected == pytest.approx(sum(sums) / len(sums))


def test_expectation_with_one_die_short_counts_the_jokers_of_the_colour() -> None:
    dice = read_dice("10r 7r 7r 9o 7r 8r 1r 2b 1o 2o")
    advice = best_keep(ONE_COLOUR, 0, dice, BOX, 1)
    assert advice.places == (0, 1, 2, 4, 5, 6)
    thrown = [outcomes(die, "r", 1) for place, die in enumerate(BOX) if place not in advice.places]
    hits = [[number for number in each if number is not None] for each in product(*thrown)]
    made = [40 + each[0] for each in hits if each]  # six dice give 40, and the first that shows red is the seventh
    assert advice.expected == pytest.approx(sum(made) / len(hits))


def test_a_joker_is_thrown_again_where_seven_dice_hardly_pass_the_floor() -> None:
    dice = read_dice("7o 10o 6o 9o 6b 5o 2b 4o 3r Wo")
    assert best_keep(ONE_COLOUR, 0, dice, BOX, 2).places == (0, 1, 2, 3, 5, 7, 9)
    assert best_keep(ONE_COLOUR, 40, dice, BOX, 2).places == (0, 1, 2, 3, 5, 7)
