from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.sixmix.scoring import (
    Place,
    blue_tokens,
    can_lead,
    lead_digit,
    ranking_keys,
    reachable_tokens,
    score_rows,
    seat_tokens,
    seat_tokens_without_second,
    tied_leaders,
    triples,
)

ROW = st.text(alphabet="123456", min_size=6, max_size=6)


def test_rulebook_round() -> None:
    assert seat_tokens(["365231", "651344", "651155", "443554", "113253"]) == (0, 2, 2, 1, 0)


@pytest.mark.parametrize(
    ("row", "count"),
    [
        ("123456", 0),
        ("112233", 0),
        ("515352", 1),
        ("444412", 1),
        ("444422", 1),
        ("444441", 1),
        ("444444", 2),
        ("121212", 2),
    ],
)
def test_triples(row: str, count: int) -> None:
    assert triples(row) == count


def test_number_and_triples_add_up_to_four() -> None:
    assert seat_tokens(["666111", "665544", "123456"]) == (4, 1, 0)


def test_equal_highest_numbers_all_score_and_the_next_number_is_second() -> None:
    assert seat_tokens(["654321", "654321", "543216", "543216", "112233"]) == (2, 2, 1, 1, 0)


def test_nobody_is_second_when_all_rows_are_equal() -> None:
    assert seat_tokens(["654321"] * 3) == (2, 2, 2)


@pytest.mark.parametrize(
    ("rows", "tokens"),
    [
        (["651344", "651344", "555431"], (2, 2, 1)),
        (["651344", "651344", "543216", "543216"], (2, 2, 0, 0)),
        (["666666", "666666", "123456"], (4, 4, 0)),
        (["651344", "651344", "651344"], (2, 2, 2)),
        (["666666 666666", "123456 112345"], (8, 0)),
        (["651344 112345", "651344 222431"], (2, 3)),
        (["651344", "651343", "555431"], None),
        (["651344", "543216", "543216"], None),
    ],
)
def test_equal_highest_numbers_take_both_places_by_the_other_reading(
    rows: list[str], tokens: tuple[int, ...] | None
) -> None:
    assert seat_tokens_without_second(rows) == tokens


def test_both_numbers_may_belong_to_one_of_two_players() -> None:
    assert seat_tokens(["654321 645321", "122334 543211"]) == (3, 0)


def test_larger_of_two_lead_digits_counts() -> None:
    assert lead_digit("251344 511555") == 5


def test_digit_enters_the_key_only_where_it_decides() -> None:
    assert ranking_keys((11, 8, 11, 2), (3, 6, 5, 6)) == [(11, 3), (8, 0), (11, 5), (2, 0)]
    assert ranking_keys((11, 8, 8), (3, 6, 5)) == [(11, 0), (8, 0), (8, 0)]
    assert ranking_keys((10, 10, 8, 8), (4, 4, 6, None)) == [(10, 4), (10, 4), (8, 0), (8, 0)]


def test_one_seat_ahead_of_all_is_not_tied() -> None:
    assert tied_leaders((10, 9, 9)) == []
    assert tied_leaders((10, 9, 10)) == [0, 2]


def test_yellow_tokens_stay_when_all_blue_ones_are_in_use() -> None:
    assert blue_tokens([(3, 3, 3, 3, 3), (3, 3, 3, 3, 3), (4, 4, 3, 3, 2)], seats=5) == [1, 1, 1, 1, 1]
    assert blue_tokens([(4, 4, 0), (4, 4, 2), (3, 0, 4)], seats=3) == [2, 1, 1]


@pytest.mark.parametrize(
    ("seats", "rows_per_seat", "most", "reachable", "missing"),
    [
        (3, 1, 4, 105, "000 100 110 111 200 300 400 440"),
        (4, 1, 4, 587, "0000 1000 1100 1110 1111 2000 3000 4000 4400 4440"),
        (5, 1, 4, 3053, "00000 10000 11000 11100 11110 11111 20000 30000 40000 44000 44400 44440"),
        (2, 2, 8, 73, "00 10 11 20 80"),
    ],
)
def test_printed_facts_about_reachable_tokens(
    seats: int, rows_per_seat: int, most: int, reachable: int, missing: str
) -> None:
    found = reachable_tokens(seats, rows_per_seat)
    assert len(found) == reachable
    every = set(product(range(most + 1), repeat=seats))
    assert found <= every
    unreachable = {tuple(sorted(each, reverse=True)) for each in every - found}
    assert unreachable == {tuple(map(int, each)) for each in missing.split()}


@given(st.lists(ROW, min_size=3, max_size=5))
def test_what_rows_give_is_reachable_with_their_digits(rows: list[str]) -> None:
    leads = tuple(map(lead_digit, rows))
    assert seat_tokens(rows) in reachable_tokens(len(rows), 1)
    assert can_lead(seat_tokens(rows), 1, leads)


@given(st.lists(st.builds("{} {}".format, ROW, ROW), min_size=2, max_size=2))
def test_what_pairs_of_rows_give_is_reachable_with_their_digits(rows: list[str]) -> None:
    assert seat_tokens(rows) in reachable_tokens(2, 2)
    assert can_lead(seat_tokens(rows), 2, tuple(map(lead_digit, rows)))


@cache
def classes() -> dict[tuple[int, int], tuple[str, ...]]:
    """All 46,656 rows by lead digit and triples, ascending."""
    found: dict[tuple[int, int], list[str]] = {}
    for digits in product("123456", repeat=6):
        row = "".join(digits)
        found.setdefault((int(row[0]), triples(row)), []).append(row)
    return {key: tuple(rows) for key, rows in found.items()}


@cache
def chain_exists(highest: tuple[int, int], second: tuple[int, int], others: frozenset[tuple[int, int]]) -> bool:
    """Whether real rows of these classes stand in this order."""
    floor = max((classes()[other][0] for other in others), default="")
    return any(floor < row < classes()[highest][-1] for row in classes()[second])


@cache
def outcomes(rows: int, leads: tuple[int, ...]) -> set[tuple[tuple[int, int], ...]]:
    """Brute force: every way that real rows can score, as a sorted list of (lead digit, points) per row."""
    kinds = [kind for kind in classes() if kind[0] in leads]
    found = set()
    for highest, second in product(kinds, kinds):
        top, next_best = (highest[0], 2 + highest[1]), (second[0], 1 + second[1])
        found.add((top,) * rows)
        for tops in range(1, rows):
            for seconds in range(1, rows - tops + 1):
                for others in combinations_with_replacement(kinds, rows - tops - seconds):
                    if chain_exists(highest, second, frozenset(others)):
                        found.add(tuple(sorted([top] * tops + [next_best] * seconds + list(others))))
    return found


def test_reachable_tokens_and_digits_equal_brute_force_for_three() -> None:
    possible = outcomes(3, (1, 2, 3, 4, 5, 6))
    for tokens, leads in product(product(range(5), repeat=3), product(range(1, 7), repeat=3)):
        rows = tuple(sorted(zip(leads, tokens, strict=True)))
        assert can_lead(tokens, 1, leads) == (rows in possible), (tokens, leads)


def test_reachable_tokens_and_digits_equal_brute_force_for_four() -> None:
    possible = outcomes(4, (1, 5, 6))
    for rows in combinations_with_replacement(sorted(product((1, 5, 6), range(5))), 4):
        leads, tokens = zip(*rows, strict=True)
        assert can_lead(tokens, 1, leads) == (rows in possible), rows


def test_reachable_tokens_and_digits_equal_brute_force_for_two() -> None:
    digits = (1, 2, 3)
    possible = set()
    for rows in outcomes(4, digits):
        for mine in {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}:
            pairs = [[rows[index] for index in range(4) if (index in mine) == own] for own in (True, False)]
            possible.add(tuple((max(lead for lead, _ in pair), sum(points for _, points in pair)) for pair in pairs))
    for one, two in product(product(digits, range(9)), repeat=2):
        expected = (one, two) in possible
        assert can_lead((one[1], two[1]), 2, (one[0], two[0])) == expected, (one, two)


def any_filling(tokens: tuple[int, ...], rows_per_seat: int, leads: tuple[int | None, ...]) -> bool:
    digits = product(*([lead] if lead else range(1, 7) for lead in leads))
    return any(can_lead(tokens, rows_per_seat, filled) for filled in digits)


def test_digit_that_is_not_known_may_be_any_of_the_six() -> None:
    digits = (None, 1, 3, 4, 6)
    for tokens, leads in product(product(range(5), repeat=3), product(digits, repeat=3)):
        assert can_lead(tokens, 1, leads) == any_filling(tokens, 1, leads), (tokens, leads)


@given(
    tokens=st.lists(st.integers(0, 4), min_size=4, max_size=5),
    leads=st.lists(st.none() | st.integers(1, 6), min_size=5, max_size=5),
)
def test_digits_that_are_not_known_among_four_and_five(tokens: list[int], leads: list[int | None]) -> None:
    given_leads = tuple(leads[: len(tokens)])
    assert can_lead(tuple(tokens), 1, given_leads) == any_filling(tuple(tokens), 1, given_leads)


def test_one_digit_of_two_players_rules_nothing_out() -> None:
    for tokens, lead in product(product(range(9), repeat=2), (1, 2, 6)):
        for leads in ((lead, None), (None, lead)):
            assert can_lead(tokens, 2, leads) == (tokens in reachable_tokens(2, 2)), (tokens, leads)
            assert can_lead(tokens, 2, leads) == any_filling(tokens, 2, leads), (tokens, leads)


def test_example_of_the_rules_with_a_digit_that_is_not_known() -> None:
    assert not can_lead((0, 2, 1), 1, (6, None, 4))
    assert can_lead((1, 2, 0), 1, (6, None, 4))


@given(st.lists(ROW, min_size=2, max_size=5))
def test_places_follow_the_definition(rows: list[str]) -> None:
    scores = score_rows(rows)
    for row, score in zip(rows, scores, strict=True):
        larger = {other for other in rows if int(other) > int(row)}
        assert score.place == {0: Place.HIGHEST, 1: Place.SECOND}.get(len(larger), Place.OTHER)
        counts = Counter(row).values()
        assert score.triples == (2 if 6 in counts else sum(count >= 3 for count in counts))
