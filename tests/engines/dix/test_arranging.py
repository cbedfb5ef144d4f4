"""The optimum and the filling of runs, against slow and obvious ways to find them."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.dix import arranging
from engines.dix.arranging import best, better, can_fill, fill, stock
from engines.dix.pieces import BOX, COLOUR_JOKERS, COLOURS, FITTING, HELD, JOKERS, NUMBER_CARDS, RUNS

BLUE, GREEN, ORANGE, PINK = range(4)
HANDS = st.tuples(
    st.lists(st.sampled_from(NUMBER_CARDS), max_size=14),
    st.lists(st.sampled_from(JOKERS), max_size=4, unique=True),  # several special jokers make the slow way endless
    st.lists(st.sampled_from(COLOUR_JOKERS), max_size=2),
).map(lambda parts: [card for part in parts for card in part])
BEST_FIRST = (*sorted(RUNS, key=lambda run: -run.points), None)
CLAIMS = st.tuples(*[st.none() | st.sampled_from(RUNS)] * 4)


def matches(cards, places):
    """Match every place with a card of its own, trying and moving single cards (Kuhn's algorithm)."""
    place_of = {}

    def seat(place, tried):
        for index, card in enumerate(cards):
            if index not in tried and card in FITTING[place[0]][place[1] - 1]:
                tried.add(index)
                if index not in place_of or seat(place_of[index], tried):
                    place_of[index] = place
                    return True
        return False

    return all(seat(place, set()) for place in places)


def places_of(runs):
    return [(colour, n) for colour, run in enumerate(runs) if run for n in range(run.first, run.last + 1)]


def greatest_score(cards):
    """Try the runs of one colour after the other, and leave out only what could not win if jokers were endless."""
    alone = [[run for run in BEST_FIRST if matches(cards, places_of([None] * colour + [run]))] for colour in range(4)]
    most = 0

    def extend(runs, points):
        nonlocal most
        if len(runs) == len(alone):
            most = max(most, points)
            return
        hope = sum(each[0].points if each[0] else 0 for each in alone[len(runs) + 1 :])
        for run in alone[len(runs)]:
            total = points + (run.points if run else 0)
            if total + hope > most and matches(cards, places_of([*runs, run])):
                extend([*runs, run], total)

    extend([], 0)
    return most


@given(HANDS)
@settings(max_examples=120)
def test_optimum_equals_brute_force_on_small_hands(cards):
    assert best(stock(cards)).points == greatest_score(cards)


@given(HANDS, st.lists(st.sampled_from(JOKERS), max_size=9))
@settings(max_examples=120)
def test_prices_only_save_work(cards, jokers):
    hand = stock(cards + jokers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arranging, "MANY", 1)
        patch.setattr(arranging, "FAR", 1)
        priced = best(hand).points
        patch.setattr(arranging, "MANY", 99)
        assert best(hand).points == priced


@given(st.lists(st.sampled_from(HELD), max_size=60), CLAIMS)
@settings(max_examples=300)
def test_runs_can_be_filled_exactly_when_a_matching_exists(cards, runs):
    assert can_fill(stock(cards), runs) == matches(cards, places_of(runs))


@given(st.lists(st.sampled_from(HELD), max_size=90))
@settings(max_examples=150)
def test_best_arrangement_is_filled_with_cards_that_are_held_and_fit(cards):
    points, runs = best(stock(cards))
    fills = fill(cards, runs)
    assert sum(run.points for run in runs if run) == points
    assert not Counter(card for each in fills for card in each) - Counter(cards)
    for colour, run in enumerate(runs):
        assert len(fills[colour]) == (run.size if run else 0)
        assert all(card in FITTING[colour][run.first - 1 + i] for i, card in enumerate(fills[colour]))


@given(st.lists(st.sampled_from(HELD), max_size=40), st.sampled_from(HELD))
@settings(max_examples=150)
def test_one_more_card_never_lowers_the_optimum(cards, card):
    before, after = best(stock(cards)).points, best(stock([*cards, card])).points
    assert before <= after <= 40


@given(st.lists(st.sampled_from(HELD), max_size=40))
@settings(max_examples=100)
def test_better_answers_only_what_is_better(cards):
    hand = stock(cards)
    most = best(hand).points
    assert better(hand, most) is None
    found = better(hand, most - 1)
    assert found is not None
    assert found.points == most


@given(st.lists(st.sampled_from(HELD), max_size=25), st.permutations(range(4)))
@settings(max_examples=100)
def test_optimum_does_not_depend_on_names_of_colours(cards, order):
    letters = {"bgop"[i]: "bgop"[new] for i, new in enumerate(order)}
    other = [letters.get(card[0], card[0]) + card[1] for card in cards]
    assert best(stock(other)).points == best(stock(cards)).points


@given(st.lists(st.sampled_from(HELD), max_size=25))
@settings(max_examples=100)
def test_optimum_does_not_depend_on_the_direction_of_numbers(cards):
    turned = str.maketrans("123456789", "987654321")
    assert best(stock([card.translate(turned) for card in cards])).points == best(stock(cards)).points


def test_a_joker_wanted_twice():
    hand = stock(["b1", "b2", "b3", "b4", "b6", "b7", "b8", "b9", "g4", "g6", "5*"])
    blue, green = RUNS[8], next(run for run in RUNS if (run.first, run.last) == (4, 6))
    assert can_fill(hand, [blue, None, None, None])
    assert can_fill(hand, [None, green, None, None])
    assert not can_fill(hand, [blue, green, None, None])
    assert best(hand).points == 11


def test_two_gaps_closed_elsewhere_beat_a_longer_run():
    # Both special places in blue make 1-9 out of 1-7 (10 + 1 + 1); one each joins green 1-2-4-5 and pink 1-2-4-5.
    hand = stock(
        ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "g1", "g2", "g4", "g5", "p1", "p2", "p4", "p5", "*#", "*#"]
    )
    assert best(hand).points == 7 + 5 + 5


def test_point_for_a_full_run_tips_the_balance():
    # The joker gains four cards in blue (1-8 for 4-8: three) or, with the extra point, three in green (1-9 for 3-9).
    hand = stock(["b1", "b2", "b4", "b5", "b6", "b7", "b8", "g1", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "*#"])
    points, runs = best(hand)
    assert points == 5 + 10
    assert [str(run) for run in runs if run] == ["4-8", "1-9"]


def test_all_cards_of_the_box_score_forty():
    cards = [card for card in BOX.elements() if not card.startswith("$")]
    assert best(stock(cards)).points == 40


def test_no_cards_score_nothing():
    assert best(stock([])) == (0, (None, None, None, None))


# Found by climbing towards hands that take the search longest: equal patterns in all colours want the same jokers.
HARDEST = (
    "b1 b5 b9 g3 g5 g7 o4 p1 p4 p9 *# 1* 7* 3* 5* 9* 6* 2*",
    "b3 b8 g3 g7 o1 o3 p5 p6 p8 8* *# 1* p# 9* 4* 5* 7*",
    "b1 b6 g4 g8 o1 o4 o6 p4 p6 2* 8* 4* 3* 5* *# 7* 1*",
    "b2 b4 b6 g2 g4 g7 o1 o9 p2 p3 p6 1* 2* p# 7* 8* *# o# 6*",
    "b3 b4 b8 b9 g3 g8 o3 o8 p3 p4 o# 1* *# 2* g# 8* b# p#",
    "b4 b5 b6 g2 o3 o6 o7 p6 6* 4* *# 3* o# 5* 8* p#",
    "b3 b6 g3 g7 o3 o5 o8 p1 p3 p6 p9 1* 2* 9* 7* 8* *# 3* 4*",
)


@pytest.mark.parametrize("cards", HARDEST)
def test_hardest_hands_with_eight_jokers_take_about_a_millisecond(cards):
    hand = stock(cards.split())
    times = []
    for _ in range(9):
        start = time.perf_counter()
        best(hand)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.003  # 0.4 to 0.8 ms measured; room for a busy machine


@pytest.mark.parametrize("joker", JOKERS)
def test_a_thousand_jokers_are_answered(joker):
    points, runs = best(stock([joker] * 1000))
    assert points == {"*": 4, "#": 10}[joker[1]] if joker != "*#" else points == 40
    assert len(runs) == len(COLOURS)
