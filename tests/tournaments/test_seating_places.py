"""Who always sits at one table sits there, and the spread of points has a floor that no seating is below."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.test_seating import quick
from tournaments.seating import Entrant, SeatedRound, assess, place
from tournaments.seating.spread import spread_bound

SIZES = st.lists(st.integers(2, 4), min_size=1, max_size=5)


def groups(sizes):
    ids = iter(f"p{number}" for number in range(sum(sizes)))
    return [tuple(next(ids) for _ in range(size)) for size in sizes]


@quick(150)
@given(SIZES, st.data())
def test_everybody_keeps_one_seat_and_fixed_tables_are_kept_where_there_is_room(sizes, data):
    tables = groups(sizes)
    players = [player for table in tables for player in table]
    chosen = data.draw(st.lists(st.sampled_from(players), unique=True, max_size=4))
    fixed = {player: data.draw(st.integers(1, 7)) for player in chosen}
    points = {player: data.draw(st.integers(0, 9)) for player in players}
    placed = place(tables, fixed, points)
    assert sorted(player for _number, table in placed for player in table) == sorted(players)
    assert sorted(len(table) for _number, table in placed) == sorted(sizes)
    numbers = [number for number, _table in placed]
    assert numbers == sorted(set(numbers))
    if len(set(fixed.values())) <= len(tables) and max([0, *(list(fixed.values()).count(n) for n in numbers)]) <= 2:
        assert all(player in dict(placed)[number] for player, number in fixed.items())


def test_two_who_need_the_same_table_sit_there_together():
    tables = [("a", "b", "c"), ("d", "e", "f")]
    points = {"a": 5, "b": 4, "c": 1, "d": 5, "e": 4, "f": 0}
    assert place(tables, {"a": 2, "d": 2}, points) == [(1, ("b", "e", "f")), (2, ("a", "d", "c"))]


def test_nobody_is_moved_where_nobody_needs_a_table():
    tables = [("a", "b"), ("c", "d")]
    assert place(tables, {}, {}) == [(1, ("a", "b")), (2, ("c", "d"))]


@quick(60)
@given(st.sampled_from([(2, 2), (3, 2), (3, 3), (2, 2, 2), (4, 2), (2, 3, 2)]), st.data())
def test_no_seating_has_less_spread_than_the_floor(sizes, data):
    points = data.draw(st.lists(st.integers(0, 6), min_size=sum(sizes), max_size=sum(sizes)))
    least = min(_spread(order, sizes) for order in set(permutations(points)))
    assert spread_bound(points, sizes) <= least


def _spread(order, sizes):
    total, start = 0, 0
    for size in sizes:
        table = order[start : start + size]
        total += sum(abs(one - other) for index, one in enumerate(table) for other in table[index + 1 :])
        start += size
    return total


def test_the_floor_is_reached_where_a_table_lies_between_the_others():
    points = [0, 10, 10, 10, 20]
    assert spread_bound(points, [3, 2]) == 20
    assert _spread((10, 10, 10, 0, 20), (3, 2)) == 20


def test_the_floor_stands_beside_the_spread_of_a_round():
    entrants = [Entrant("a", 840), Entrant("b", 840), Entrant("c"), Entrant("d")]
    assert assess(SeatedRound((("a", "c"), ("b", "d"))), entrants).spread == 1680
    assert assess(SeatedRound((("a", "c"), ("b", "d"))), entrants).spread_bound == 0
