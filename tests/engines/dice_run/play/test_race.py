"""Movement of the dice: the rulebook's examples, the worked transitions, and laws."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.dice_run.pieces import faces
from engines.dice_run.play import race
from engines.dice_run.play.race import DIE, MASK, dice_of, group_of
from engines.dice_run.play.turns import objective_moves
from tests.engines.dice_run.play.positions import groups

BLUE = "b1 b2 b3 b4 b5 b6"
SIXES = "g6 g6 p6 r6 v6"
OTHERS = "g1 g2 g3 g4 p1 p2 p3 p5 p5 r1 r2 r2 r4 r4 v1 v3 v3 v5 v5"


def advanced(text: str, feature: str) -> race.Groups:
    return race.advance(groups(text), MASK[feature])


def test_example_1_all_blue_dice_break_away():
    assert advanced(f"{BLUE} {SIXES} {OTHERS}", "b") == groups(f"{BLUE} / {SIXES} {OTHERS}")


def test_example_2_the_leading_six_breaks_away_and_the_others_follow():
    before = f"{BLUE} / {SIXES} {OTHERS}"
    assert advanced(before, "6") == groups(f"b6 / b1 b2 b3 b4 b5 {SIXES} / {OTHERS}")


def test_example_3_the_lone_leader_stays_and_the_sixes_join_it():
    before = f"b6 / b1 b2 b3 b4 b5 {SIXES} / {OTHERS}"
    assert advanced(before, "6") == groups(f"b6 {SIXES} / b1 b2 b3 b4 b5 / {OTHERS}")


def test_example_4_an_emptied_group_vanishes_at_once():
    last = "b4 b5 g1 g4 g5 p2 p4 p5 r1 r2 r3 v2 v3 v4 v5"
    before = f"b1 g2 p3 r4 / b6 g6 / p6 v6 b2 b3 g3 p1 r5 v1 / r6 {last}"
    assert advanced(before, "6") == groups(f"b1 g2 p3 r4 b6 g6 p6 v6 / b2 b3 g3 p1 r5 v1 r6 / {last}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b6 r6 / g6 g1", "b6 r6 g6 / g1"),
        ("b6 b1 / g6 r6 / p6 p2", "b6 / b1 g6 r6 p6 / p2"),
        ("b1 / – / g6 g2", "b1 / g6 / g2"),
        ("b1 / – / g6 / p6 p1", "b1 / g6 p6 / p1"),
        ("b1 / – / g2", "b1 / – / g2"),
        ("b1 / – / – / g6 g2", "b1 / – / g6 / g2"),
        ("b1 / – / – / g6", "b1 / – / g6"),
        ("b1 / – / g1 / – / p6", "b1 / – / g1 / p6"),
    ],
)
def test_all_sixes_advance(before, after):
    assert advanced(before, "6") == groups(after)


def test_objective_colour_first_and_value_first():
    before = groups("b6 b1 g1 / g6")
    assert objective_moves(before, "b6", colour_first=True) == groups("b6 / b1 / g1 g6")
    assert objective_moves(before, "b6", colour_first=False) == groups("b6 b1 / g1 g6")


def test_about_face_of_the_front_group():
    assert race.turn_over(groups("b6 g6 r2 / p6"), 0, 6) == groups("b1 g1 r2 / p6")
    assert race.turn_over(groups("b3 b3 b4 / p3"), 0, 3) == groups("b4 b4 b4 / p3")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b1 / – / g1 / p1", "g1 / p1 b1"),
        ("b1 b2 / g1", "b2 / g1 b1"),
        ("b1 b2", "b1 b2"),
        ("b1 / – / g1", "g1 b1"),
    ],
)
def test_accident(before, after):
    assert race.fall_back(groups(before), DIE["b1"]) == groups(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b1 / g1 / r1", "b1 / r1 / g1"),
        ("b1 / g1", "b1 / g1"),
        ("b1", "b1"),
        ("b1 / – / g1 / r1", "b1 / r1 / – / g1"),
        ("b1 / – / g1", "b1 / g1"),
        ("b1 / g1 / – / r1", "b1 / r1 / g1"),
    ],
)
def test_comeback(before, after):
    assert race.come_back(groups(before)) == groups(after)


def test_sprint_swap_and_gap():
    assert race.break_away(groups("b1 b2 b3 b3 / g1"), group_of(["b1", "b2", "b3"])) == groups("b1 b2 b3 / b3 / g1")
    assert race.swap(groups("b1 / g1 / r1"), 1) == groups("b1 / r1 / g1")
    assert race.open_gap(groups("b1 / g1 / r1"), 0) == groups("b1 / – / g1 / r1")


def test_neither_the_front_group_nor_groups_across_a_gap_can_be_swapped():
    assert race.swappable(groups("b1 / g1")) == []
    assert race.swappable(groups("b1 / g1 / – / r1 / p1")) == [3]
    assert race.swappable(groups("b1 / – / g1 / r1")) == [2]


FACES = sorted(faces("bgprv"))
DICE = st.lists(st.sampled_from(FACES), min_size=1, max_size=6).filter(
    lambda dice: max(Counter(die[0] for die in dice).values()) <= 6
)
RACES = st.lists(DICE, min_size=1, max_size=5)


@given(DICE)
def test_a_group_is_read_as_it_was_made(dice):
    assert dice_of(group_of(dice)) == sorted(dice)
    assert race.size(group_of(dice)) == len(dice)
    assert race.has_dice(group_of(dice), dice)
    assert not race.has_dice(group_of(dice), [*dice, dice[0]])


def slow_advance(race_of_dice: list[list[str]], feature: str) -> list[list[str]]:
    """Move as the rules tell it, die by die; an empty list is a Gap."""
    out: list[list[str]] = []
    for index, dice in enumerate(race_of_dice):
        movers = [die for die in dice if feature in die]
        rest = [die for die in dice if feature not in die]
        if index == 0:
            out = [movers, rest] if movers and rest else [dice]
        elif not dice:
            out.append([])
        else:
            out[-1] = out[-1] + movers
            if rest:
                out.append(rest)
    while not out[-1]:
        out.pop()
    return out


@given(st.permutations(FACES), st.lists(st.integers(1, 29), max_size=6), st.data())
def test_advance_agrees_with_the_rules_told_die_by_die(dice, cuts, data):
    edges = sorted({0, 30, *cuts})
    told = [list(dice[low:high]) for low, high in pairwise(edges)]
    for _ in range(data.draw(st.integers(0, 2)) if len(told) > 1 else 0):
        told.insert(data.draw(st.integers(1, len(told) - 1)), [])
    feature = data.draw(st.sampled_from("bgprv123456"))
    after = race.advance(tuple(group_of(part) for part in told), MASK[feature])
    assert [dice_of(group) for group in after] == [sorted(part) for part in slow_advance(told, feature)]
    assert sorted(die for group in after for die in dice_of(group)) == FACES


@given(RACES, st.integers(1, 6), st.data())
def test_about_face_turns_the_dice_of_one_value_in_one_group(dice, value, data):
    before = tuple(group_of(part) for part in dice)
    index = data.draw(st.integers(0, len(before) - 1))
    after = race.turn_over(before, index, value)
    turned = [die for die in dice[index] if die[1] == str(value)]
    kept = [die for die in dice[index] if die[1] != str(value)]
    assert dice_of(after[index]) == sorted([*kept, *(f"{die[0]}{7 - value}" for die in turned)])
