"""The arithmetic of ratings: by hand, by its laws, and the same in every way to compute it."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rankings.ratings import model
from scoring.rankings.ratings.model import MILLION, START, Path, Tables, replay
from tests.scoring.rankings.ratings.reference import rated


def tables_of(*tables):
    """Return tables, each a list of pairs of player and rank."""
    seats = np.array([seat for table in tables for seat in table], np.int64).reshape(-1, 2)
    return Tables(np.cumsum([0, *map(len, tables)]), seats[:, 0].copy(), seats[:, 1].copy())


def fresh(people):
    return np.full(people, START), np.zeros(people, np.int64)


@st.composite
def histories(draw, people=8):
    """Draw ratings, counts, and tables of two to eight of them."""
    seats = st.lists(st.integers(0, people - 1), min_size=2, max_size=8, unique=True)
    table = seats.flatmap(
        lambda who: st.lists(st.integers(1, 4), min_size=len(who), max_size=len(who)).map(
            lambda ranks: list(zip(who, ranks, strict=True))
        )
    )
    ratings = draw(st.lists(st.integers(-100_000, 4_000_000), min_size=people, max_size=people))
    counts = draw(st.lists(st.integers(0, 500), min_size=people, max_size=people))
    return np.array(ratings), np.array(counts), draw(st.lists(table, max_size=12))


def test_two_newcomers_move_by_half_of_what_a_newcomers_table_counts():
    ratings, counts = fresh(2)
    before, after = replay(ratings, counts, tables_of([(0, 1), (1, 2)]))
    assert before.tolist() == [1_500_000, 1_500_000]
    assert after.tolist() == ratings.tolist() == [1_586_000, 1_414_000]  # K = 12 + 800/5 = 172, and half of it
    assert counts.tolist() == [1, 1]


def test_a_table_of_four_rewards_by_opponents_beaten():
    ratings, counts = fresh(4)
    _, after = replay(ratings, counts, tables_of([(0, 1), (1, 2), (2, 2), (3, 4)]))
    # Of three opponents: 3, 1½, 1½ and 0 beaten, 1½ expected; 172 · 6/12 = 86 apiece.
    assert after.tolist() == [1_629_000, 1_500_000, 1_500_000, 1_371_000]


@pytest.mark.parametrize("path", Path)
@pytest.mark.parametrize(
    ("size", "gain"),
    [(2, 86_000), (3, 107_500), (4, 129_000), (5, 150_500), (6, 172_000), (7, 193_500), (8, 215_000)],
)
def test_a_larger_table_counts_more_but_not_as_much_as_that_many_games(path, size, gain):
    ratings, counts = fresh(size)
    replay(ratings, counts, tables_of([(seat, seat + 1) for seat in range(size)]), path=path)
    # The winner beats n − 1 where half of that was expected: 172 · (n + 2)/4(n − 1) · (n − 1)/2 = 21.5 · (n + 2).
    assert ratings.tolist()[0] == START + gain
    assert ratings.tolist()[-1] == START - gain


def test_a_favourite_gains_little_and_an_upset_much():
    ratings, counts = np.array([1_900_000, 1_500_000]), np.array([90, 90])
    _, expected = replay(ratings.copy(), counts.copy(), tables_of([(0, 1), (1, 2)]))
    _, upset = replay(ratings.copy(), counts.copy(), tables_of([(0, 2), (1, 1)]))
    # 400 points are ten to one; K = 12 + 800/95 = 20.421.
    assert expected.tolist() == [1_901_856, 1_498_144]
    assert upset.tolist() == [1_881_435, 1_518_565]


def test_expectations_are_those_of_the_formula_and_add_up():
    table = model.expectations().tolist()
    assert len(table) == 2 * model.FAR + 1
    for tenths in range(-model.FAR, model.FAR + 1):
        exact = MILLION / (1 + 10 ** (tenths / 4000))
        assert math.isclose(table[model.FAR + tenths], exact, abs_tol=0.501)
        assert table[model.FAR + tenths] + table[model.FAR - tenths] == MILLION


def test_beyond_twelve_hundred_points_a_longer_lead_changes_nothing():
    counts = np.array([0, 0])
    results = [
        replay(np.array([0, lead]), counts.copy(), tables_of([(0, 1), (1, 2)])) for lead in (1_200_000, 3_000_000)
    ]
    assert len({after[0] for _, after in results}) == 1


@pytest.mark.parametrize("path", Path)
def test_halves_of_a_thousandth_are_rounded_up_whether_won_or_lost(path):
    ratings, counts = fresh(2)
    replay(ratings, counts + 1, tables_of([(0, 1), (1, 2)]), path=path)
    # K = 12 + 800/6 = 145.333, so 72.6665 each way.
    assert ratings.tolist() == [1_572_667, 1_427_334]


@pytest.mark.parametrize("path", Path)
@settings(deadline=None)  # the first call may compile
@given(histories())
def test_every_way_gives_what_the_definition_gives(path, history):
    ratings, counts, tables = history
    known, met = dict(enumerate(ratings.tolist())), dict(enumerate(counts.tolist()))
    wanted = []
    for table in tables:
        after = rated(known, met, dict(table))
        wanted += [(known[player], after[player]) for player, _ in table]
        known |= after
        met |= {player: met[player] + 1 for player, _ in table}
    before, after = replay(ratings, counts, tables_of(*tables), path=path)
    assert list(zip(before.tolist(), after.tolist(), strict=True)) == wanted
    assert ratings.tolist() == list(known.values())
    assert counts.tolist() == list(met.values())


@settings(max_examples=20)
@given(st.integers(2, 200), st.integers(0, 2**32), st.sampled_from([1, 7, 1 << 17]))
def test_the_ways_agree_on_many_tables(people, seed, waves_at_once):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, min(people, 8) + 1, 300)
    who = np.concatenate([rng.permutation(people)[:size] for size in sizes])
    tables = Tables(np.append(0, np.cumsum(sizes)), who, rng.integers(1, 9, sizes.sum()))
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "WAVES_AT_ONCE", waves_at_once)
        for path in Path:
            ratings, counts = fresh(people)
            before, after = replay(ratings, counts, tables, path=path)
            found.append([column.tolist() for column in (ratings, counts, before, after)])
    assert found[0] == found[1] == found[2]


@given(histories(), st.data())
def test_tables_in_parts_are_rated_as_all_at_once(history, data):
    ratings, counts, tables = history
    cut = data.draw(st.integers(0, len(tables)))
    again, more = ratings.copy(), counts.copy()
    _, whole = replay(ratings, counts, tables_of(*tables))
    parts = [replay(again, more, tables_of(*part))[1] for part in (tables[:cut], tables[cut:])]
    assert np.concatenate(parts).tolist() == whole.tolist()
    assert again.tolist() == ratings.tolist()


@given(histories())
def test_where_all_weigh_the_same_a_table_moves_the_sum_by_rounding_only(history):
    ratings, _, tables = history
    for table in tables:
        total = ratings.sum()
        replay(ratings, np.full(len(ratings), 30), tables_of(table))
        assert abs(ratings.sum() - total) <= len(table) / 2


@given(histories())
def test_the_order_of_seats_changes_nothing(history):
    ratings, counts, tables = history
    again, more = ratings.copy(), counts.copy()
    replay(ratings, counts, tables_of(*tables))
    replay(again, more, tables_of(*(table[::-1] for table in tables)))
    assert ratings.tolist() == again.tolist()


@pytest.mark.parametrize("constant", ["START", "WEIGHT", "NEWCOMER", "PATIENCE", "FAR", "MILLION"])
def test_a_model_with_another_constant_has_another_fingerprint(constant):
    known = model.fingerprint()
    cached = (model.expectations, model.fingerprint)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, constant, getattr(model, constant) - 2)
        for each in cached:
            each.cache_clear()
        changed = model.fingerprint()
    for each in cached:
        each.cache_clear()
    assert changed != known == model.fingerprint()


@pytest.mark.parametrize("size", range(2, 9))
def test_a_model_that_rates_tables_of_one_size_otherwise_has_another_fingerprint(size, monkeypatch):
    known, rate = model.fingerprint(), model._rate_in_order

    def rate_otherwise(ratings, counts, offsets, *columns):
        rate(ratings, counts, offsets, *columns)
        for first, end in pairwise(offsets):
            columns[-1][first] += end - first == size

    monkeypatch.setattr(model, "_rate_in_order", rate_otherwise)
    model.fingerprint.cache_clear()
    changed = model.fingerprint()
    model.fingerprint.cache_clear()
    assert changed != known


def test_a_player_who_sits_twice_at_a_table_is_an_error_and_not_an_endless_loop():
    ratings, counts = fresh(1)
    with pytest.raises(ValueError, match="twice"):
        replay(ratings, counts, tables_of([(0, 1), (0, 2)]), path=Path.WAVES)


@pytest.mark.parametrize(
    ("tables", "people", "of", "path"),
    [
        (10, 50, 0, Path.PLAIN),
        (2000, 2000, 0, Path.WAVES),
        (2000, 4, 0, Path.PLAIN),
        (10, 50, model.COMPILED_FROM, Path.COMPILED),
        (10, 50, model.COMPILED_FROM - 1, Path.PLAIN),
    ],
)
def test_the_way_follows_the_number_of_tables_and_how_many_can_be_rated_at_once(tables, people, of, path):
    rng = np.random.default_rng(1)
    who = np.concatenate([rng.permutation(people)[:2] for _ in range(tables)])
    assert model._best_path(Tables(np.arange(0, 2 * tables + 1, 2), who, who), of) == path


def test_without_a_compiler_numpy_does_it(monkeypatch):
    monkeypatch.setattr(model, "_compiled", lambda: None)
    rng = np.random.default_rng(1)
    who = np.concatenate([rng.permutation(2000)[:2] for _ in range(2000)])
    tables = Tables(np.arange(0, 4001, 2), who, who)
    assert model._best_path(tables, of=1_000_000) == Path.WAVES
    with pytest.raises(ModuleNotFoundError, match="numba"):
        replay(*fresh(2000), tables, path=Path.COMPILED)
