"""Leaderboards: pages that fit together, shared ranks, filters, movement."""

from __future__ import annotations

import datetime as dt
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.models import Rating
from scoring.rankings.leaderboards import Cursor, Filters, board
from scoring.rankings.profiles import ratings_of
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    PlacingFactory,
    PlayerFactory,
    RatingChangeFactory,
    RatingFactory,
    ResultFactory,
)
from tournaments.actors import NOBODY

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
GAME = "ten-phases"


def rated(club, rating: int, **fields) -> Rating:
    name = f"{100 - Rating.objects.count():03}"  # the later, the earlier in the alphabet
    return RatingFactory(player=PlayerFactory(club=club, name=name), game=GAME, rating=rating, **fields)


def walk(filters: Filters, size: int) -> list[list[dict]]:
    """Return all pages forward, and see that the way back is the same."""
    page, pages = board(GAME, filters, None, NOW, size), []
    while True:
        pages.append(page)
        if page.next is None:
            break
        page = board(GAME, filters, page.next, NOW, size)
    for before, after in itertools.pairwise(pages):
        assert after.previous is not None
        assert board(GAME, filters, after.previous, NOW, size).rows == before.rows
    assert pages[0].previous is None
    return [each.rows for each in pages]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ratings=st.lists(st.integers(1498, 1502), max_size=12), size=st.integers(1, 5))
def test_pages_fit_together_and_equals_share_a_rank_across_them(ratings, size):
    club = ClubFactory()
    for rating in ratings:
        rated(club, rating * 1000)
    rows = [row for page in walk(Filters(club=club), size) for row in page]
    ordered = sorted(ratings, reverse=True)
    assert [row["rating"] for row in rows] == ordered
    assert [row["rank"] for row in rows] == [1 + sum(other > own for other in ratings) for own in ordered]


def test_a_board_is_narrowed_by_club_activity_and_tables():
    club, other = ClubFactory(), ClubFactory()
    old = rated(club, 1_700_000, last_played=NOW - dt.timedelta(days=400))
    new = rated(club, 1_600_000, tables=3)
    rated(other, 1_800_000)
    narrow = [
        (Filters(club=club), [old, new]),
        (Filters(club=club, active_since=NOW - dt.timedelta(days=100)), [new]),
        (Filters(club=club, provisional=False), [old]),
        (Filters(club=club, provisional=True), [new]),
        (Filters(club=club, least_tables=4), [old]),
    ]
    for filters, wanted in narrow:
        rows = board(GAME, filters, None, NOW).rows
        assert [row["player"]["id"] for row in rows] == [rating.player.uid for rating in wanted]
    assert len(board(GAME, Filters(), None, NOW).rows) == 3


def test_a_rating_is_provisional_until_ten_tables():
    club = ClubFactory()
    settled, provisional = rated(club, 1_700_000, tables=10), rated(club, 1_600_000, tables=9)
    for rating, is_provisional in ((settled, False), (provisional, True)):
        (row,) = board(GAME, Filters(club=club, provisional=is_provisional), None, NOW).rows
        assert (row["player"]["id"], row["provisional"]) == (rating.player.uid, is_provisional)
        assert [each.provisional for each in ratings_of(NOBODY, rating.player)] == [is_provisional]


def test_people_whom_only_private_clubs_know_stand_on_no_public_list():
    private = ClubFactory(is_public=False)
    hidden = rated(private, 1_900_000)
    assert board(GAME, Filters(), None, NOW).rows == []
    assert len(board(GAME, Filters(club=private), None, NOW).rows) == 1
    AffiliationFactory(player=hidden.player)
    assert len(board(GAME, Filters(), None, NOW).rows) == 1


def test_movement_counts_thirty_days_over_all_records_of_a_person():
    club = ClubFactory()
    kept = rated(club, 1_650_000)
    gone = PlayerFactory(merged_into=kept.player)
    for days, player, after in [(90, kept.player, 1_510_000), (40, gone, 1_600_000), (3, kept.player, 1_650_000)]:
        placing = PlacingFactory(
            result=ResultFactory(first_final_at=NOW - dt.timedelta(days=days)), player=player, game=GAME
        )
        RatingChangeFactory(placing=placing, before=1_500_000, after=after)
    (row,) = board(GAME, Filters(club=club), None, NOW).rows
    assert row["change_30_days"] == 50.0
    assert not row["provisional"]


@pytest.mark.parametrize("text", ["", "nonsense", "WzEsMl0=", "bnVsbA==", "WzEsMiwzLDQsImEiXQ=="])
def test_a_cursor_somebody_made_up_is_none(text):
    with pytest.raises(ValueError):  # noqa: PT011 -- whatever is wrong with it
        Cursor.read(text)
