"""Penalties in the standings: exact, in any order, and gone without a trace when they are taken back."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scoring.rankings.standings.metrics import METRICS
from tests.scoring.rankings.standings.tables import NAMES, points, ranked, standings, table
from tests.scoring.rankings.standings.test_metrics import events

SCHEMES = st.sampled_from(["placement", "podium", "score"])
SOME = st.lists(st.tuples(st.integers(0, 6), st.sampled_from(NAMES[:2]), st.integers(1, 40).map(lambda n: 21 * n)))


@given(events(), SCHEMES, st.booleans(), SOME, st.randoms(use_true_random=False))
def test_the_order_in_which_penalties_are_given_is_ignored(event, scheme, is_open, some, rng):
    size, tables = event
    rules = {"points": scheme, "podium": [5, 3, 1], "is_open": is_open, "tiebreaks": list(METRICS)}
    found = standings(size, *tables, penalties=some, **rules).rows()
    assert standings(size, *tables, penalties=rng.sample(some, len(some)), **rules).rows() == found


@given(events(), SCHEMES, SOME)
def test_a_penalty_takes_off_what_it_says_and_nothing_of_anybody_else(event, scheme, some):
    size, tables = event
    rules = {"points": scheme, "podium": [5, 3, 1], "tiebreaks": list(METRICS)}
    before, after = (
        points(standings(size, *tables, **rules)),
        points(standings(size, *tables, penalties=some, **rules)),
    )
    lost = {name: sum(each for _round, other, each in some if other == name) for name in NAMES[:size]}
    assert after == {name: before[name] - lost[name] for name in NAMES[:size]}


@given(events(), SOME)
def test_of_a_mean_it_is_taken_off_exactly(event, some):
    size, tables = event
    found = standings(size, *tables, penalties=some, is_open=True)
    column = next(level for level in found.levels if level.code == "points").column
    exact = [
        Fraction(int(numerator), int(denominator))
        for numerator, denominator in zip(column.numerator, column.denominator, strict=True)
    ]
    plain = standings(size, *tables, is_open=True)
    before = next(level for level in plain.levels if level.code == "points").column
    for entry, name in enumerate(NAMES[:size]):
        lost = Fraction(sum(each for _round, other, each in some if other == name), 840)
        assert exact[entry] == Fraction(int(before.numerator[entry]), int(before.denominator[entry])) - lost
    order = sorted(range(size), key=lambda entry: -exact[entry])
    keys = column.keys.tolist()
    assert [keys[entry] for entry in order] == sorted(keys, reverse=True)
    assert len(set(keys)) == len(set(exact))


def test_who_has_a_penalty_can_fall_below_nought_and_still_stands_before_those_who_did_not_play():
    found = standings(3, table(1, "a1 b2"), penalties=[(0, "b", 840)])
    assert ranked(found) == "abc"
    assert points(found) == {"a": 840, "b": -840, "c": 0}
    assert [row.reason["code"] for row in found.rows()] == ["first", "points", "not-played"]


def test_tie_breaks_do_not_look_at_penalties():
    tables = [table(1, "a1 b2"), table(1, "c1 d2")]
    found = standings(4, *tables, penalties=[(0, "b", 420)], tiebreaks=["opponents"])
    plain = standings(4, *tables, tiebreaks=["opponents"])
    assert {row.entry: row.tiebreaks for row in found.rows()} == {row.entry: row.tiebreaks for row in plain.rows()}


def test_in_elimination_a_penalty_counts_in_the_round_it_names():
    tables = [table(1, "a1 b2 c3 d4"), table(2, "a1 b2")]
    seated = [(1, name) for name in "abcd"] + [(2, name) for name in "ab"]
    rules = {"seated": seated, "is_elimination": True}
    assert ranked(standings(4, *tables, penalties=[(1, "a", 1680)], **rules)) == "abcd"
    assert ranked(standings(4, *tables, penalties=[(2, "a", 1680)], **rules)) == "bacd"
    assert ranked(standings(4, *tables, penalties=[(1, "b", 1680)], **rules)) == "abcd"  # nobody is put out by one


def test_a_final_is_decided_at_its_table():
    tables = [table(1, "a1 b2 c3 d4"), table(2, "b1 a2", final=True)]
    assert ranked(standings(4, *tables, penalties=[(2, "b", 8400)])) == "bacd"
