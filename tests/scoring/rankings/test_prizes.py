"""Who wins what, from standings and scores."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoring.rankings.prizes import Candidate, awards_of

FIRST, SECOND, THIRD = ({"kind": "place", "place": place, "name": "A game"} for place in (1, 2, 3))
SHEET, NEWCOMER = {"kind": "best_sheet", "name": "A pen"}, {"kind": "best_newcomer", "name": "A book"}


def hat(entry):
    return {"kind": "free", "name": "Nicest hat", "entry": entry}


@st.composite
def fields(draw):
    """Return candidates with ranks as standings have them: who shares one, shares it, and the next is skipped."""
    levels = draw(st.lists(st.none() | st.integers(0, 4), max_size=12))
    ranks = [None if own is None else 1 + sum(o is not None and o < own for o in levels) for own in levels]
    best, new = draw(st.randoms()), draw(st.integers(0, 2**12 - 1))
    return [
        Candidate(f"e{n}", f"p{n}", f"N{n}", rank, best.choice([None, 10, 20]), bool(new >> n & 1))
        for n, rank in enumerate(ranks)
    ]


def winners(prize, field):
    (award,) = awards_of([prize], field)
    return list(award.winners)


@given(fields(), st.integers(1, 14))
def test_a_place_is_won_by_whoever_holds_it_and_by_all_who_share_it(field, place):
    ranked = [each for each in field if each.rank is not None]
    found = winners({"kind": "place", "place": place, "name": "A game"}, field)
    assert bool(found) == (place <= len(ranked))
    for each in found:
        assert each.rank <= place < each.rank + len(found)
        assert set(found) == {other for other in ranked if other.rank == each.rank}


@given(fields())
def test_nobody_has_a_better_sheet_and_all_with_the_best_share(field):
    found = winners(SHEET, field)
    scores = [each.best for each in field if each.best is not None]
    assert {each.entry for each in found} == {each.entry for each in field if scores and each.best == max(scores)}


@given(fields())
def test_no_newcomer_is_before_the_best_one(field):
    found = winners(NEWCOMER, field)
    new = [each.rank for each in field if each.is_newcomer and each.rank is not None]
    assert bool(found) == bool(new)
    assert all(each.is_newcomer and each.rank == min(new) for each in found)
    assert len(found) == (new.count(min(new)) if new else 0)


@given(fields(), st.randoms())
def test_neither_the_order_of_candidates_nor_other_prizes_change_who_wins(field, random):
    prizes = [FIRST, SECOND, THIRD, SHEET, NEWCOMER, hat("e3"), hat(None)]
    shuffled = random.sample(field, len(field))
    found = awards_of(prizes, field)
    assert found == awards_of(prizes, shuffled)
    assert [award.winners for award in found] == [winners(prize, field) for prize in prizes]
    assert [award.name for award in found] == [prize["name"] for prize in prizes]


@given(fields())
def test_what_is_given_by_hand_goes_to_that_entry_alone(field):
    for each in field:
        assert winners(hat(each.entry), field) == [each]
    assert winners(hat(None), field) == winners(hat("gone"), field) == []


def test_two_first_share_the_second_prize_and_the_third_is_third():
    ranks = {"a": 1, "b": 1, "c": 3}
    field = [Candidate(each, each, each, rank, None, is_newcomer=False) for each, rank in ranks.items()]
    names = [[each.name for each in winners(prize, field)] for prize in (FIRST, SECOND, THIRD)]
    assert names == [["a", "b"], ["a", "b"], ["c"]]
