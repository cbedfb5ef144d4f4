"""Schedules that are known to exist: every one the algebra and the starters promise is clean."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.tournaments.seatings import check_round, count_repeats, names
from tournaments.seating import SizeLimits, plan_rotation
from tournaments.seating.algebra import columns_design
from tournaments.seating.starters import STARTERS, starter_design

# Players, table size, most rounds known without a repeat (OEIS A107431 and the affine geometries).
MOST_ROUNDS = [
    (9, 3, 4),
    (12, 3, 4),
    (15, 3, 7),
    (18, 3, 8),
    (21, 3, 10),
    (27, 3, 13),
    (16, 4, 5),
    (20, 4, 5),
    (24, 4, 7),
    (28, 4, 9),
    (32, 4, 10),
    (64, 4, 21),
    (25, 5, 6),
    (30, 5, 6),
    (36, 6, 3),
]


def assert_clean(design, tables, size):
    pairs = Counter()
    for seated in design:
        members = [[player for player, table in enumerate(seated) if table == number] for number in range(tables)]
        assert [len(table) for table in members] == [size] * tables
        pairs.update(pair for table in members for pair in combinations(table, 2))
    assert max(pairs.values(), default=1) == 1


@pytest.mark.parametrize(("players", "size", "rounds"), MOST_ROUNDS)
def test_most_rounds_known_are_reached_without_a_repeat(players, size, rounds):
    ids = names(players)
    schedule = plan_rotation(ids, rounds, SizeLimits(size, size, size), seed=3)
    assert (len(schedule.rounds), schedule.repeats, schedule.repeats_bound) == (rounds, 0, 0)
    assert count_repeats(schedule.rounds) == 0
    for seated in schedule.rounds:
        check_round(seated, ids, size, size)


@pytest.mark.parametrize(("players", "size"), STARTERS)
def test_starters_are_clean_and_as_long_as_they_say(players, size):
    starter = STARTERS[players, size]
    design = starter_design(players // size, size)
    assert len(design) == starter.turns * len(starter.bases)
    assert_clean(design, players // size, size)


@pytest.mark.parametrize("players", [2, 4, 6, 10, 20])
def test_pairs_meet_everybody_in_a_round_robin(players):
    design = starter_design(players // 2, 2)
    assert len(design) == players - 1
    assert_clean(design, players // 2, 2)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 8])
def test_columns_are_clean_for_any_number_of_tables(size):
    for tables in range(1, 17):
        assert_clean(columns_design(tables, size, 7), tables, size)


@pytest.mark.parametrize(("order", "rounds"), [(4, 5), (5, 6), (7, 8), (8, 9), (9, 10)])
def test_prime_powers_give_whole_affine_planes(order, rounds):
    design = columns_design(order, order, 99)
    assert len(design) == rounds
    assert_clean(design, order, order)


@pytest.mark.parametrize(
    ("players", "rounds"), [(13, 4), (17, 5), (25, 7), (23, 7), (31, 10), (37, 7), (50, 7), (99, 7)]
)
def test_uneven_numbers_are_clean_by_leaving_players_out(players, rounds):
    ids = names(players)
    schedule = plan_rotation(ids, rounds, SizeLimits(3, 4, 4), seed=5, budget=0)
    assert schedule.repeats == count_repeats(schedule.rounds) == 0
    for seated in schedule.rounds:
        check_round(seated, ids, 3, 4)
