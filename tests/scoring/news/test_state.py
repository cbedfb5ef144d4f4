"""What differs between two states of an event: named, and told to those whom it concerns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.news.state import Difference, EventState, Head, Place, What

HEAD = Head(version=5, is_over=False, is_open_to_all=True, done=3, wanted=3, rated=1)
SEATS = {1: frozenset({11, 12}), 2: frozenset({13, 14})}
PLACES = {11: Place(1, 840, 1), 12: Place(2, 0, 1), 13: Place(2, 0, 1)}
STATE = EventState(
    uid="x",
    head=HEAD,
    fields=("Wednesday", "running"),
    entries={number: ("checked_in", f"Player {number}") for number in range(11, 15)},
    rounds={7: (1, "running")},
    tables={1: 1, 2: 1},
    seats=SEATS,
    places=PLACES,
    ranked=3,
    ratings={11: (1, 1500, 1510)},
)


def later(*, version: int = 1, done: int = 0, **changes: object) -> Difference:
    head = HEAD._replace(version=HEAD.version + version, done=HEAD.done + done)
    return Difference(STATE, replace(STATE, head=head, **changes))


@pytest.mark.parametrize(
    ("happened", "what"),
    [
        (later(fields=("Thursday", "running")), [What.EVENT]),
        (later(entries={**STATE.entries, 15: ("checked_in", "Late")}), [What.ENTRIES]),
        (later(rounds={7: (2, "running")}), [What.ROUND]),
        (later(tables={1: 2, 2: 1}), [What.TABLES]),
        (later(version=0, done=1, places={**PLACES, 13: Place(3, 0, 1)}), [What.STANDINGS]),
        (later(done=1, rounds={}, tables={}, seats={}), [What.ROUND, What.TABLES, What.STANDINGS]),
        (later(), [What.EVENT]),
        (Difference(STATE, STATE), []),
    ],
    ids=["fields", "entry", "round", "table", "standings", "several", "something else", "nothing"],
)
def test_what_changed_is_named(happened, what):
    assert list(happened.what) == what


def test_a_table_is_news_for_those_who_sit_or_sat_there():
    moved = later(tables={1: 2, 2: 1}, seats={**SEATS, 1: frozenset({11, 14})})
    assert (moved.entries, moved.tables, moved.is_for_all) == ({11, 12, 14}, {1}, False)


def test_what_the_round_and_the_event_say_is_news_for_all():
    assert later(rounds={7: (2, "closed")}).is_for_all
    assert later(fields=("Wednesday", "finished")).is_for_all
    assert not later(tables={1: 2, 2: 1}).is_for_all


def test_a_rank_that_others_moved_is_a_place_and_no_news():
    happened = later(done=1, places={**PLACES, 13: Place(3, 0, 1)})
    assert happened.entries == set()
    assert [entry for entry in PLACES if happened.moves(entry)] == [13]
    assert all(later(done=1, ranked=4).moves(entry) for entry in PLACES)


def test_points_and_ratings_of_ones_own_are_news():
    assert later(done=1, places={**PLACES, 13: Place(1, 900, 2)}).entries == {13}
    assert later(ratings={11: (1, 1500, 1510), 12: (1, 1500, 1490)}).entries == {12}


tables = st.dictionaries(st.integers(1, 4), st.integers(1, 3))
states = st.builds(
    lambda version, done, tables, rounds: replace(
        STATE, head=HEAD._replace(version=version, done=done), tables=tables, rounds=rounds
    ),
    st.integers(1, 5),
    st.integers(0, 5),
    tables,
    tables,
)


@given(states, states, states)
def test_nothing_is_lost_between_two_looks(first, second, third):
    """Whoever misses a state in between is told no less than whoever saw it."""
    told = [Difference(first, second), Difference(second, third)]
    at_once = Difference(first, third)
    assert at_once.tables <= told[0].tables | told[1].tables
    assert at_once.entries <= told[0].entries | told[1].entries
    assert at_once.is_for_all <= (told[0].is_for_all or told[1].is_for_all)
    if first.version < second.version < third.version:
        named = {*told[0].what, *told[1].what}
        assert set(at_once.what) <= named | {What.EVENT}
