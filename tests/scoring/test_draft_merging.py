"""Three sheets become one: nothing is lost but what a clash says, whichever side comes first, and once."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.draft_merging import Clash, Habits, merge, values

LEAVES = st.one_of(st.integers(0, 3), st.booleans(), st.sampled_from(["", "a", "1-6"]))
PARTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3), st.lists(st.one_of(st.none(), inner), max_size=3)
    ),
    max_leaves=8,
)
SHEETS = st.dictionaries(st.sampled_from("abc"), PARTS, max_size=3)


def said(sheet: Any) -> dict[Any, tuple[type, Any]]:
    """Return every value that is written somewhere, told apart from others that are merely equal to it."""
    return {path: (type(value), value) for path, value in values(sheet)}


def is_told(path: Any, clashes: tuple[Clash, ...]) -> bool:
    return any(path[: len(clash.path)] == clash.path for clash in clashes)


@given(SHEETS, SHEETS, SHEETS)
def test_no_value_is_lost_unless_a_clash_says_so(base, theirs, yours):
    merged = merge(base=base, theirs=theirs, yours=yours)
    there, was = said(merged.sheet), said(base)
    for side in (theirs, yours):
        for path, value in said(side).items():
            if value != was.get(path) and not is_told(path, merged.clashes):
                assert there.get(path) == value


@given(SHEETS, SHEETS, SHEETS)
def test_what_nobody_changed_stays_and_nothing_is_made_up(base, theirs, yours):
    there, was = said(merge(base=base, theirs=theirs, yours=yours).sheet), said(base)
    own, other = said(yours), said(theirs)
    for path in was:
        if own.get(path) == other.get(path) == was[path]:
            assert there[path] == was[path]
    for path, value in there.items():
        assert value in (own.get(path), other.get(path))


@given(SHEETS, SHEETS, SHEETS)
def test_it_does_not_matter_who_is_first_where_nothing_clashes(base, theirs, yours):
    one, other = merge(base=base, theirs=theirs, yours=yours), merge(base=base, theirs=yours, yours=theirs)
    assert {clash.path for clash in one.clashes} == {clash.path for clash in other.clashes}
    if not one.clashes:
        assert said(one.sheet) == said(other.sheet)


@given(SHEETS, SHEETS, SHEETS)
def test_the_same_changes_again_change_nothing_and_ask_the_same(base, theirs, yours):
    once = merge(base=base, theirs=theirs, yours=yours)
    again = merge(base=base, theirs=once.sheet, yours=yours)
    assert said(again.sheet) == said(once.sheet)
    assert {clash.path for clash in again.clashes} == {clash.path for clash in once.clashes}


@given(SHEETS, SHEETS)
def test_without_a_base_a_phone_only_adds(theirs, yours):
    merged = merge(base={}, theirs=theirs, yours=yours)
    assert said(theirs).items() <= said(merged.sheet).items()


def test_everybody_fills_in_their_own_column():
    base = {"block": {"ana": {"phases": [20]}, "bo": {"phases": [21]}}}
    theirs = {"block": {"ana": {"phases": [20, 30, None, 12]}, "bo": {"phases": [21]}}}
    yours = {"block": {"ana": {"phases": [20]}, "bo": {"phases": [21, None, 33]}}}
    merged = merge(base=base, theirs=theirs, yours=yours)
    assert merged.sheet == {"block": {"ana": {"phases": [20, 30, None, 12]}, "bo": {"phases": [21, None, 33]}}}
    assert not merged.clashes


def test_one_field_written_twice_is_asked_about_and_the_rest_is_taken():
    merged = merge(base={"coins": 3}, theirs={"coins": 12, "a": 1}, yours={"coins": 21, "b": 2})
    assert merged.sheet == {"coins": 12, "a": 1, "b": 2}
    assert merged.clashes == (Clash(("coins",), 12, 21),)


def test_a_value_taken_away_and_changed_is_asked_about():
    assert merge(base={"coins": 3}, theirs={}, yours={"coins": 9}).clashes == (Clash(("coins",), None, 9),)
    assert merge(base={"coins": 3}, theirs={"coins": 9}, yours={}).clashes == (Clash(("coins",), 9, None),)
    assert merge(base={"coins": 3}, theirs={"coins": 3}, yours={}).sheet == {}
    assert merge(base={"held": {"a": 1}}, theirs={"held": {"a": 1}}, yours={}).sheet == {}


def test_what_is_worked_out_is_not_asked_about_and_what_is_assumed_gives_way():
    habits = Habits(
        is_worked_out=lambda path: path == ("total",),
        is_assumed=lambda path, value: path == ("tokens",) and value == 0,
    )
    worked_out = merge(base={}, theirs={"total": 4}, yours={"total": 7}, habits=habits)
    assert (worked_out.sheet, worked_out.clashes) == ({"total": 4}, ())
    for theirs, yours in ((0, 2), (2, 0)):
        merged = merge(base={}, theirs={"tokens": theirs}, yours={"tokens": yours}, habits=habits)
        assert (merged.sheet, merged.clashes) == ({"tokens": 2}, ())
    assert merge(base={"tokens": 1}, theirs={"tokens": 0}, yours={"tokens": 2}, habits=habits).clashes


def test_yes_is_not_one_inside_of_one_value_either():
    podium = Habits(is_one_value=lambda path: path == ("podium",))
    sheets = {"base": {"podium": [1]}, "theirs": {"podium": [1]}, "yours": {"podium": [True]}}
    assert said(merge(**sheets, habits=podium).sheet) == said({"podium": [True]})


def test_a_podium_is_one_value():
    habits = Habits(is_one_value=lambda path: path == ("podium",))
    merged = merge(base={}, theirs={"podium": ["ana", "bo"]}, yours={"podium": ["cy"]}, habits=habits)
    assert merged.sheet == {"podium": ["ana", "bo"]}
    assert merged.clashes == (Clash(("podium",), ["ana", "bo"], ["cy"]),)


def test_a_sheet_of_any_depth_is_merged():
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert merge(base={}, theirs={"a": deep}, yours={"a": deep, "b": 1}).sheet == {"a": deep, "b": 1}
