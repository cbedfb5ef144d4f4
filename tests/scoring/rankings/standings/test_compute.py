"""Points, sit-outs, forfeits, finals, elimination, open play, and why everybody is where they are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rankings.standings.compute import Rules, advancing, compute
from tests.scoring.rankings.standings.tables import NAMES, Seat, played, points, ranked, standings, table
from tests.scoring.rankings.standings.test_metrics import events


def reasons(found):
    return [row.reason for row in found.rows()]


# --- Points -------------------------------------------------------------------------------------------------------


def test_placement_is_the_share_of_opponents_beaten():
    assert points(standings(4, table(1, "a1 b2 c2 d4"))) == {"a": 840, "b": 420, "c": 420, "d": 0}
    assert points(standings(2, table(1, "a1 b2"))) == {"a": 840, "b": 0}


@given(st.lists(st.integers(1, 8), min_size=1, max_size=8))
def test_placement_points_of_a_table_add_up_to_half_its_seats(ranks):
    seats = [Seat(name, rank) for name, rank in zip(NAMES, ranks, strict=False)]
    assert sum(points(standings(len(ranks), (1, seats, False))).values()) == 420 * len(ranks)


def test_podium_averages_the_places_of_those_who_are_level():
    found = standings(5, table(1, "a1 b2 c2 d4 e5"), points="podium", podium=[5, 3, 2, 1])
    assert points(found) == {"a": 5 * 840, "b": 2100, "c": 2100, "d": 840, "e": 0}


@given(st.lists(st.integers(1, 8), min_size=8, max_size=8), st.lists(st.integers(0, 1000), max_size=8))
def test_podium_gives_out_all_its_points(ranks, podium):
    seats = [Seat(name, rank) for name, rank in zip(NAMES, ranks, strict=False)]
    found = standings(8, (1, seats, False), points="podium", podium=podium)
    assert sum(points(found).values()) == 840 * sum(podium)


def test_score_counts_as_it_is():
    found = standings(3, table(1, "a1:30 b2:-4 c3"), points="score")
    assert points(found) == {"a": 30 * 840, "c": 0, "b": -4 * 840}


@pytest.mark.parametrize(("scheme", "own"), [("placement", 0), ("podium", 0), ("score", 0)])
def test_a_forfeited_seat_counts_nothing_and_is_behind_everybody(scheme, own):
    found = standings(4, table(1, "a1:9! b1:8 c2:7 d3:6!"), points=scheme, podium=[5, 3, 2, 1])
    assert points(found)["a"] == points(found)["d"] == own
    best = {"placement": (840, 560), "podium": (4200, 2520), "score": (6720, 5880)}[scheme]
    assert (points(found)["b"], points(found)["c"]) == best


# --- Sit-outs -----------------------------------------------------------------------------------------------------


def test_a_sit_out_counts_half():
    found = standings(4, table(1, "a1 b2 c3"), sit_outs=[(1, "d")])
    assert points(found) == {"a": 840, "b": 420, "d": 420, "c": 0}
    assert ranked(found) == "a(bd)c"


def test_points_are_rounded_to_the_nearest_840th():
    names = NAMES[:11]
    tables = [table(1, " ".join(f"{name}{1 + index}:{index // 9}" for index, name in enumerate(names)))]
    waited = standings(12, *tables, sit_outs=[(1, "l")], points="score")
    assert points(waited)["l"] == 153  # the mean of a round of 11 with 2 points in all is 152.7
    won = [table(number, "a1 b2" if number <= 2 else "b1 a2") for number in range(1, 12)]
    assert points(standings(2, *won, is_open=True))["a"] == 153  # 2 of 11 tables


@pytest.mark.parametrize(("scheme", "mean"), [("podium", 3 * 840), ("score", 17 * 840 // 2)])
def test_a_sit_out_counts_the_mean_of_its_round_in_other_schemes(scheme, mean):
    tables = [table(1, "a1:9 b2:8"), table(2, "a1:100 b1:100")]
    found = standings(3, *tables, sit_outs=[(1, "c")], points=scheme, podium=[5, 1])
    assert points(found)["c"] == mean


def test_a_sit_out_counts_nothing_before_its_round_has_a_result():
    found = standings(3, table(1, "a1 b2"), sit_outs=[(2, "c")])
    assert points(found)["c"] == 0
    assert reasons(found)[-1]["code"] == "not-played"


# --- Finals -------------------------------------------------------------------------------------------------------


def test_finalists_come_first_in_the_order_of_the_final_and_ties_by_what_was_before():
    tables = [table(1, "a1 b2 c3 d4 e5"), table(2, "c1 a2 b2", final=True)]
    found = standings(5, *tables)
    assert ranked(found) == "cabde"
    assert points(found)["c"] == 420
    assert [each["code"] for each in reasons(found)] == ["first", "final-place", "points", "final", "points"]
    assert [row.tables for row in found.rows()] == [2, 2, 2, 1, 1]


def test_of_several_finals_the_last_decides():
    tables = [table(1, "a1 b2 c3 d4"), table(2, "a1 b2 c3", final=True), table(3, "c1 b2", final=True)]
    assert ranked(standings(4, *tables)) == "cbad"


def test_whoever_forfeits_the_final_is_its_last():
    tables = [table(1, "a1 b2 c3"), table(2, "a1! b2", final=True)]
    assert ranked(standings(3, *tables)) == "bac"


# --- Elimination --------------------------------------------------------------------------------------------------

FIRST = [table(1, "a1 b2 c3 d4"), table(1, "e1 f2 g3 h4")]
ALL = [(1, name) for name in "abcdefgh"]


def test_elimination_ranks_by_round_reached_then_points_in_it_then_all_points():
    seated = [*ALL, *((2, name) for name in "abef")]
    found = standings(8, *FIRST, table(2, "b1 f1 a3 e4"), seated=seated, is_elimination=True)
    assert ranked(found) == "(bf)ae(cg)(dh)"
    assert [each["code"] for each in reasons(found)][2:5] == ["round-points", "round-points", "round"]
    found = standings(8, *FIRST, table(2, "b1 e1 a3 f4"), seated=seated, is_elimination=True)
    assert ranked(found) == "ebaf(cg)(dh)"
    assert reasons(found)[1] == {"code": "points", "above": "1.833", "own": "1.500"}


def test_a_round_without_any_result_is_not_reached_yet_and_one_with_a_dropped_table_is():
    seated = [*ALL, *((2, name) for name in "abef")]
    assert ranked(standings(8, *FIRST, seated=seated, is_elimination=True)) == "(ae)(bf)(cg)(dh)"
    found = standings(8, *FIRST, table(2, "b1 f2"), seated=seated, is_elimination=True)
    assert ranked(found) == "b(ae)f(cg)(dh)"


def test_half_of_each_table_advances_best_first():
    event = played(8, *FIRST, seated=ALL)
    found = compute(Rules(is_elimination=True), event)
    assert "".join(NAMES[each] for each in advancing(event, found, None)) == "aebf"
    assert "".join(NAMES[each] for each in advancing(event, found, 1)) == "ae"


def test_of_three_two_advance_ties_by_the_standings_forfeits_never_and_sit_outs_always():
    tables = [table(1, "a1 b2 c3"), table(1, "d1 e2! f3!"), table(2, "b1 c2 a2")]
    seated = [(1, name) for name in "abcdef"] + [(2, name) for name in "abc"]
    event = played(8, *tables[:2], sit_outs=[(1, "g")], seated=seated[:6])
    found = compute(Rules(is_elimination=True), event)
    assert "".join(NAMES[each] for each in advancing(event, found, None)) == "adbg"
    event = played(8, *tables, seated=seated)
    found = compute(Rules(is_elimination=True), event)
    assert "".join(NAMES[each] for each in advancing(event, found, None)) == "ba"


def test_nobody_advances_from_a_round_without_a_result():
    event = played(8, *FIRST, seated=[*ALL, (2, "a")])
    found = compute(Rules(is_elimination=True), event)
    assert advancing(event, found, None) == []
    assert advancing(played(2), compute(Rules(), played(2)), None) == []


# --- Open play ----------------------------------------------------------------------------------------------------

LEAGUE = [table(1, "a1 b2 c3"), table(2, "a1 b2"), table(3, "b1 a2"), table(4, "b1 c2"), table(5, "b1 d2")]


def test_open_play_ranks_by_the_mean_of_those_who_played_enough():
    found = standings(5, *LEAGUE, is_open=True, least=2)
    rows = found.rows()
    assert [(NAMES[row.entry], row.points, row.is_ranked) for row in rows] == [
        ("b", 588, True),
        ("a", 560, True),
        ("c", 0, True),
        ("d", 0, False),
        ("e", 0, False),
    ]
    assert rows[1].reason == {"code": "points", "above": "0.700", "own": "0.667"}
    assert rows[3].reason == {"code": "too-few-tables", "above": "2", "own": "1", "least": 2}


def test_means_are_compared_exactly_and_shown_with_as_many_decimals_as_it_takes():
    wins, losses = [table(n, "a1 z2") for n in range(1000)], [table(n, "b1 z2") for n in range(1000, 2001)]
    found = standings(26, *wins, table(3000, "z1 a2"), *losses, table(3001, "z1 b2"), is_open=True, least=100)
    assert ranked(found).startswith("baz")
    assert reasons(found)[1] == {"code": "points", "above": "0.999001996", "own": "0.999000999"}


def test_open_play_can_count_the_best_tables_alone():
    found = standings(5, *LEAGUE, is_open=True, counted=2, least=3)
    assert points(found) == {"a": 1680, "b": 1680, "c": 0, "d": 0, "e": 0}
    assert all(row.is_ranked for row in found.rows())


# --- Ranks and reasons --------------------------------------------------------------------------------------------


def test_who_has_not_played_comes_last_with_no_points():
    found = standings(3, table(1, "a1:-3 b2:-5"), points="score")
    assert ranked(found) == "abc"
    assert reasons(found)[2]["code"] == "not-played"


def test_each_row_says_what_put_it_behind_the_one_before():
    tables = [table(1, "a1 b2 c3 d4"), table(1, "e1 f2 g2 h4")]
    found = standings(8, *tables, tiebreaks=["wins"])
    assert ranked(found) == "(ae)b(fg)c(dh)"
    assert reasons(found)[:4] == [
        {"code": "first"},
        {"code": "shared"},
        {"code": "points", "above": "1.000", "own": "0.667"},
        {"code": "points", "above": "0.667", "own": "0.500"},
    ]
    tables = [table(1, "a1 b2"), table(1, "c1 d2"), table(2, "b1 d1"), table(2, "c2 e1"), table(3, "b1 d2")]
    found = standings(5, *tables, tiebreaks=["wins"], points="podium", podium=[1, 1])
    assert reasons(found)[1] == {"code": "tie-break", "key": "wins", "above": "1.5", "own": "0.5"}


@given(events())
def test_ranks_places_and_reasons_agree(event):
    size, tables = event
    rows = standings(size, *tables, tiebreaks=["wins", "opponents"]).rows()
    assert [row.place for row in rows] == list(range(1, size + 1))
    assert sorted(row.entry for row in rows) == list(range(size))
    for above, row in pairwise(rows):
        is_shared = row.reason == {"code": "shared"}
        assert row.rank == (above.rank if is_shared else row.place)
        assert not is_shared or (row.points, row.tiebreaks, row.entry > above.entry) == (
            above.points,
            above.tiebreaks,
            True,
        )
