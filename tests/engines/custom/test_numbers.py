"""What a table can have together: found without trying every number, and the same as by trying."""

from __future__ import annotations

import itertools
import random
import sys

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engines import custom
from engines.custom import definition as definitions
from engines.custom import samples
from tests.engines.custom.strategies import entries
from tests.engines.custom.test_definition import changed, found


def small(limits):
    """Return an entry with so few numbers that all of its tables can be tried."""
    entry = definitions.Entry.model_validate(limits)
    assume(0 < len(entry.possible) <= 30)
    return entry


def tables(entry, people):
    """Yield every table of an entry, the least numbers first."""
    for numbers in itertools.product(entry.possible, repeat=people):
        is_given = entry.given_to is None or sum(map(bool, numbers)) in entry.given_to
        if is_given and (entry.sum is None or sum(numbers) == entry.sum):
            yield numbers


def first_that_fit(parts, count, total):
    """Return numbers with a sum, each the first that leaves one which the others can have."""
    chosen = []
    for after in range(count - 1, -1, -1):
        tried = itertools.chain.from_iterable(parts)
        left = None if total is None else total - sum(chosen)
        chosen.append(next(each for each in tried if left is None or definitions.can_reach(parts, after, left - each)))
    return chosen


def searched(entry, people):
    """Return the numbers of a table at which the first has as much as one can, by trying from the most downwards."""
    for best in reversed(entry.possible):
        total = None if entry.sum is None else entry.sum - best
        for count in entry.given_to or [None]:
            some = definitions.choice(entry, people - 1, None if count is None else count - bool(best))
            if some and (total is None or definitions.can_reach(*some, total)):
                return [best, *first_that_fit(*some, total), *[0] * (people - 1 - some[1])]
    return None


@given(entries(), st.integers(1, 3))
@settings(max_examples=200)
def test_a_table_is_possible_and_the_most_for_one_is_found_as_by_trying_all(limits, people):
    entry = small(limits)
    known = list(tables(entry, people))
    is_given = entry.given_to is None or any(definitions.can_give(entry, people, count) for count in entry.given_to)
    assert (is_given and (entry.sum is None or definitions.can_sum(entry, people))) == bool(known)
    if known:
        best = definitions.most_for_one(entry, people)
        assert tuple(best) in known
        assert best[0] == max(first for first, *_ in known)


@given(entries(), st.integers(1, 8))
@settings(max_examples=200)
def test_the_most_for_one_is_found_as_by_trying_from_the_most_downwards(limits, people):
    entry = small(limits)
    expected = searched(entry, people)
    assume(expected)
    assert definitions.most_for_one(entry, people) == expected


@given(entries(), st.integers(1, 6), st.integers(-90, 150))
@settings(max_examples=200)
def test_numbers_fit_that_leave_a_sum_which_the_others_can_have(limits, count, total):
    entry = small(limits)
    for parts in ([entry.possible], definitions.having(entry)):
        tried = [
            each
            for each in itertools.chain.from_iterable(parts)
            if definitions.can_reach(parts, count - 1, total - each)
        ]
        fitting = definitions.fitting(parts, parts, count - 1, total)
        assert sorted(set(itertools.chain.from_iterable(fitting))) == tried
        if tried:
            assert definitions.spread(parts, count, total) == first_that_fit(parts, count, total)


# --- What it costs ----------------------------------------------------------------------------------------------

MOST = definitions.LARGEST
SHARED_OUT = {"given_to": list(range(9)), "sum": 1}
SHEETS = {
    "rounds": {"kind": "rounds", "target": 1},
    "rounds, shared out": {"kind": "rounds", "target": 1, **SHARED_OUT},
    "rounds, to one": {"kind": "rounds", "target": 1, "given_to": [1], "sum": 1},
    "a hundred rounds": {"kind": "rounds", "rounds": 100, **SHARED_OUT},
    "points": {"kind": "points", "sum": 0},
}


def calls(act):
    """Return how many calls something makes; every number that a generator yields is one."""
    count, before = 0, sys.getprofile()

    def counted(*_event):
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def game(sheet, least=1):
    return changed(sheet=sheet, tiebreaks=[]) | {"seats": {"min": least, "max": 8}}


def made_up(value):
    definition = custom.read(value).definition
    return lambda: samples.sheet(definition, "abcdefgh", random.Random(1))


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_wide_range_costs_no_more_than_a_narrow_one(sheet):
    narrow, wide = (game(sheet | {"min": -most, "max": most}) for most in (3, MOST))
    assert found(wide) == found(narrow) == []
    assert calls(lambda: found(wide)) < 1.5 * calls(lambda: found(narrow))
    longest = game(SHEETS["a hundred rounds"] | {"min": -3, "max": 3})  # chance says how many rounds another has
    assert calls(made_up(wide)) < 1.5 * calls(made_up(longest))


def test_a_sheet_is_made_up_where_hardly_any_numbers_fit():
    line = {"key": "k", "name": "x", "min": -MOST, "max": MOST}
    sheets = [{"kind": "categories", "lines": [line | {"sum": total}]} for total in (0, 8 * MOST - 8)]
    free, tight = (game(sheet, 8) for sheet in sheets)
    assert found(free) == found(tight) == []
    assert calls(made_up(tight)) < 1.5 * calls(made_up(free))


def test_the_sums_of_a_list_are_found_once():
    numbers = [0, *(each * each * 120 - MOST for each in range(1, 40))]
    sheet = {"kind": "rounds", "rounds": 100, "target": 1, "values": numbers, **SHARED_OUT, "sum": numbers[-1]}
    definitions._sums.cache_clear()
    made_up(game(sheet))()
    assert definitions._sums.cache_info().misses <= definitions.MOST_SEATS + 1
