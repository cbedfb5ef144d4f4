"""Leaderboards: pages that fit together, shared ranks, filters, movement."""

from __future__ import annotations

import datetime as dt
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.likeness import is_found, searchable
from scoring.models import Rating
from scoring.rankings import leaderboards
from scoring.rankings.leaderboards import Cursor, Filters, board
from scoring.rankings.profiles import ratings_of
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    MembershipFactory,
    PlacingFactory,
    PlayerFactory,
    RatingChangeFactory,
    RatingFactory,
    ResultFactory,
)
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Player, Role
from tournaments.services import imports, people

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


NAMES = st.sampled_from(["Zoé Müller", "Zoe Muller-Roux", "Ana Zoë", "Bo", "李小龍", "Đặng Łukasz", "O’Neil"])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    named=st.lists(st.tuples(NAMES, st.integers(1498, 1502)), max_size=12),
    typed=st.sampled_from(["zoe", "ZOÉ MÜ", "mu", "roux", "李", "dang lu", "oneil", "o nei", "%", "_", "-", "ue"]),
    size=st.integers(1, 5),
)
def test_a_search_finds_what_is_found_elsewhere_with_the_ranks_of_the_whole_list(named, typed, size):
    club = ClubFactory()
    for name, rating in named:
        RatingFactory(player=PlayerFactory(club=club, name=name), game=GAME, rating=rating * 1000)
    rows = [row for page in walk(Filters(club=club, search=typed), size) for row in page]
    whole = board(GAME, Filters(club=club), None, NOW, None).rows
    assert rows == [row for row in whole if is_found(row["player"]["name"], typed)]


def test_a_search_is_of_the_list_as_it_is_narrowed():
    club = ClubFactory()
    ana, zoe = rated(club, 1_700_000, tables=3), rated(club, 1_600_000)
    people.rename_player(actor=Actor(Kind.USER, user=owner_of(club)), player=zoe.player, name="Zoé")
    (row,) = board(GAME, Filters(club=club, search="zoe"), None, NOW).rows
    assert row["rank"] == 2
    (row,) = board(GAME, Filters(club=club, provisional=False, search="zoe"), None, NOW).rows
    assert row["rank"] == 1
    assert not board(GAME, Filters(club=club, search=ana.player.name, provisional=False), None, NOW).rows


def test_a_blank_search_is_none_and_one_without_letters_finds_nobody():
    club = ClubFactory()
    rated(club, 1_700_000)
    assert len(board(GAME, Filters(club=club, search="  "), None, NOW).rows) == 1
    assert not board(GAME, Filters(club=club, search="-"), None, NOW).rows


@pytest.mark.parametrize("few", [100, 3])
def test_a_search_takes_four_statements_whether_it_finds_few_or_many(few, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(leaderboards, "MOST_NAMED", few)
    club = ClubFactory()
    for rating in range(12):
        rated(club, 1_000_000 + rating)
    for search, found in (("100", 1), ("0", 11)):
        with django_assert_num_queries(4):
            assert len(board(GAME, Filters(club=club, search=search), None, NOW).rows) == found


def owner_of(club):
    return MembershipFactory(club=club, role=Role.OWNER).user


def test_every_name_is_searched_by_what_it_is_now():
    club = ClubFactory()
    actor = Actor(Kind.USER, user=owner_of(club))
    made = people.create_player(actor=actor, club=club, name="Zoé")
    imported = imports.import_players(actor=actor, club=club, text="name\nÉlodie\n", is_dry_run=False)
    assert [player.search for player in Player.objects.filter(name__in=["Zoé", "Élodie"])] == [" zoe", " elodie"]
    assert len(imported.new) == 1
    people.rename_player(actor=actor, player=made, name="Łukasz Đặng")
    people.anonymise_player(actor=actor, player=Player.objects.get(name="Élodie"))
    assert {player.search for player in Player.objects.all()} == {
        searchable(player.name) for player in Player.objects.all()
    }


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


@pytest.mark.parametrize("text", ["", "nonsense", "WzEsMl0=", "bnVsbA==", "WzEsMiwzLDQsImEiXQ==", "W1tb" * 1000])
def test_a_cursor_somebody_made_up_is_none(text):
    with pytest.raises(ValueError):  # noqa: PT011 -- whatever is wrong with it
        Cursor.read(text)
