"""The tie-breaks: by hand, and against the plain definition for any tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rankings.ratings.model import FAR, expectations
from scoring.rankings.standings.metrics import METRICS
from tests.scoring.rankings.standings.reference import Event
from tests.scoring.rankings.standings.tables import NAMES, Seat, ranked, standings, table, value
from tournaments.models import TieBreak

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "standings.md"
EXACT = ["wins", "opponents", "score_share", "head_to_head", "best_table"]


def test_every_tiebreak_is_computed_and_documented():
    assert set(METRICS) == set(TieBreak.values)
    documented = DOCUMENT.read_text()
    assert {key for key in METRICS if f"| `{key}` |" not in documented} == set()


def test_shared_wins_count_by_their_share():
    found = standings(4, table(1, "a1 b1 c1 d4"), table(2, "a1 b2 c3 d4"), tiebreaks=["wins"])
    assert [value(found, name, "wins") for name in "abcd"] == ["1.333", "0.333", "0.333", "0"]


def test_nobody_wins_a_table_by_forfeit():
    found = standings(3, table(1, "a1! b1 c2"), tiebreaks=["wins"])
    assert [value(found, name, "wins") for name in "abc"] == ["0", "1", "0"]


def test_opponents_count_with_their_tables_against_others():
    tables = [table(1, "a1 b2"), table(1, "c1 d2"), table(2, "a1 c2"), table(2, "b1 d2")]
    found = standings(4, *tables, tiebreaks=["opponents"])
    # a met b (1 against d) and c (1 against d); d met c (0 against a) and b (0 against a).
    assert [value(found, name, "opponents") for name in "abcd"] == ["1.000", "0.500", "0.500", "0.000"]


def test_every_meeting_counts():
    tables = [table(1, "a1 b2"), table(2, "a1 b2"), table(3, "a1 c2"), table(4, "b1 d2"), table(4, "e1 c2")]
    found = standings(5, *tables, tiebreaks=["opponents"])
    # Twice b with 1 of 1 elsewhere, once c with 0 of 1.
    assert value(found, "a", "opponents") == "0.667"


def test_opponents_who_played_nobody_else_are_left_out():
    found = standings(3, table(1, "a1 b2"), table(2, "a1 c2"), tiebreaks=["opponents"])
    assert [value(found, name, "opponents") for name in "abc"] == ["0.000", "1.000", "1.000"]
    found = standings(4, table(1, "a1 b2"), table(2, "a1 c2"), table(3, "c1 d2"), tiebreaks=["opponents"])
    assert value(found, "a", "opponents") == "1.000"  # c alone, who won elsewhere


def test_share_of_the_score_is_the_mean_over_tables_that_have_one():
    tables = [table(1, "a1:30 b2:10 c3:-5"), table(2, "a1:10 b2:10"), table(3, "a1 b2"), table(4, "a1:0 b1:0")]
    found = standings(3, *tables, tiebreaks=["score_share"])
    assert [value(found, name, "score_share") for name in "abc"] == ["0.625", "0.375", "0.000"]


def test_shares_that_add_up_to_the_same_are_level_whatever_they_are_rounded_to():
    tables = [table(1, "a1:1 c2:2"), table(2, "a1:2 c2:1"), table(3, "b1:1 d2:1"), table(4, "b1:1 d2:1")]
    assert ranked(standings(4, *tables, tiebreaks=["score_share"])) == "(ab)(cd)"
    tables[2] = table(3, "b1:500000000 d2:499999999")
    assert ranked(standings(4, *tables, tiebreaks=["score_share"])) == "bacd"


def test_head_to_head_counts_the_tables_of_those_who_are_level():
    tables = [table(1, "a1 b2 c3"), table(2, "b1 a2 d3"), table(3, "a1 b2")]
    found = standings(4, *tables, tiebreaks=["head_to_head"], points="podium", podium=[1, 1])
    assert [value(found, name, "head_to_head") for name in "abcd"] == ["2", "1", None, None]
    assert ranked(found) == "ab(cd)"


def test_head_to_head_decides_nothing_unless_all_who_are_level_have_met():
    tables = [table(1, "a1 b2"), table(1, "c1 d2"), table(2, "b1 c2")]
    found = standings(4, *tables, tiebreaks=["head_to_head"])
    assert ranked(found) == "(abc)d"
    assert value(found, "a", "head_to_head") is None


def test_head_to_head_says_nothing_of_those_who_are_level_with_nobody():
    found = standings(2, table(1, "a1 b2"), tiebreaks=["head_to_head"])
    assert [value(found, name, "head_to_head") for name in "ab"] == [None, None]


def test_best_table_is_the_best_score_and_nothing_where_there_is_none():
    found = standings(4, table(1, "a1:30 b2:20 c3 d4:90!"), table(2, "a2:-4 b1:25"), tiebreaks=["best_table"])
    assert [value(found, name, "best_table") for name in "abcd"] == ["30", "25", None, None]


def test_performance_is_the_rating_that_expects_the_result():
    tables = [table(1, "a1 b2 c3"), table(2, "a2 b1"), table(3, "a1 d2")]
    found = standings(4, *tables, ratings=[1_500_000, 1_400_000, 1_500_000, 1_650_000], tiebreaks=["performance"])
    rating = round(float(value(found, "a", "performance")) * 10)

    def expected(tenths):
        leads = [14_000 - tenths, 14_000 - tenths, 15_000 - tenths, 16_500 - tenths]
        return sum(int(expectations()[FAR + lead]) for lead in leads)

    assert expected(rating) >= 3_000_000 > expected(rating - 1)


def test_performance_ends_800_points_from_the_opponents():
    found = standings(4, table(1, "a1 b2 c3"), ratings=[1_500_000, 1_400_000, 1_600_000, 0], tiebreaks=["performance"])
    assert [value(found, name, "performance") for name in "abcd"] == ["2300.0", "1550.0", "650.0", None]


SCORES = st.none() | st.integers(-3, 8) | st.integers(0, 2**31 - 1)


@st.composite
def events(draw):
    """Draw tables of up to seven players, whoever met whom."""
    size = draw(st.integers(2, 7))
    tables = []
    for number in range(draw(st.integers(0, 6))):
        names = draw(st.lists(st.sampled_from(NAMES[:size]), min_size=1, max_size=5, unique=True))
        seats = [
            Seat(name, draw(st.integers(1, 3)), draw(SCORES), forfeit=draw(st.integers(0, 7)) == 0) for name in names
        ]
        tables.append((number + 1, seats, False))
    return size, tables


@given(events(), st.permutations(EXACT))
def test_any_event_is_ranked_as_the_definitions_say(event, tiebreaks):
    size, tables = event
    found = standings(size, *tables, tiebreaks=tiebreaks)
    assert ranked(found) == Event(tables).ranked(size, tiebreaks)


@given(events(), st.randoms(use_true_random=False))
def test_order_of_arrival_and_of_seats_is_ignored(event, rng):
    size, tables = event
    found = standings(size, *tables, tiebreaks=list(METRICS)).rows()
    shuffled = [(round_, rng.sample(seats, len(seats)), final) for round_, seats, final in tables]
    rng.shuffle(shuffled)
    assert standings(size, *shuffled, tiebreaks=list(METRICS)).rows() == found


def test_sums_too_long_for_a_machine_word_are_still_exact():
    """Opponents with 1 to 40 other tables: their means have no common denominator below 10**15."""
    tables, size = [], 26
    for index in range(20):
        name = NAMES[2 + index]
        tables.append(table(1, f"a1 {name}2"))
        tables.append(table(2, f"b1 {name}2"))
        tables += [table(3, f"{name}{1 + number % 2} z{2 - number % 2}") for number in range(2 * index + 1)]
    found = standings(size, *tables, tiebreaks=["opponents"])
    assert value(found, "a", "opponents") == value(found, "b", "opponents")
    assert ranked(found) == Event(tables).ranked(size, ["opponents"])


@pytest.mark.parametrize("key", METRICS)
def test_tiebreaks_of_nothing_are_nothing(key):
    assert standings(0, tiebreaks=[key]).rows() == []
    assert ranked(standings(2, tiebreaks=[key])) == "(ab)"
