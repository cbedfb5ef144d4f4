"""Tables at which nobody knows yet whose a phone is wait for their ratings, and then take their place in the order."""

from __future__ import annotations

import copy
import datetime as dt

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import computations
from core.computations import Kind
from scoring import tasks
from scoring.models import RatingChange
from scoring.rankings.ratings import store
from tests.factories import EntryFactory, MembershipFactory, PlayerFactory
from tests.scoring.rankings.ratings.league import GAME, NOON, League, answer, right_answer
from tournaments.actors import Actor
from tournaments.actors import Kind as Caller
from tournaments.models import Entry, Player, Round
from tournaments.services import proof
from tournaments.services.merging import unmerge_player

PEOPLE, CLAIMS = 5, 3


class Unproven(League):
    """A league in which the first few phones say they are somebody who played before."""

    def __init__(self) -> None:
        super().__init__(PEOPLE + CLAIMS)
        club = self.event.club
        self.organiser = Actor(Caller.USER, user=MembershipFactory(club=club).user)
        Player.objects.update(home=club)
        self.known = [PlayerFactory(club=club) for _ in range(CLAIMS)]
        for entry, known in zip(self.entries, self.known, strict=False):
            Entry.objects.filter(pk=entry.pk).update(claims=known, is_verified=False)

    def play(self, seats, minutes=0):
        """Make a table final, in a round that was made before."""
        place = super().play(seats, minutes)
        Round.objects.update(created_at=NOON - dt.timedelta(days=365))
        computations.mark(Kind.RATINGS, GAME)
        return place

    def answer(self, who: int, what: proof.Answer) -> None:
        """Say of a phone whether it is whom it says, unless somebody said so before."""
        proof.answer_all(actor=self.organiser, event=self.event, answer=what, uids=[self.entries[who].uid])

    def part(self, who: int) -> None:
        """Take a vouching back."""
        gone = Player.objects.get(pk=self.players[who].pk)
        if gone.merged_into is not None:
            unmerge_player(actor=self.organiser, player=gone)


def refresh():
    """Do what the worker does with what is stale."""
    tasks.refresh(Kind.RATINGS, GAME)
    assert computations.is_up_to_date(Kind.RATINGS, GAME)


claims = st.integers(0, CLAIMS - 1)
seats = st.lists(
    st.tuples(st.integers(0, PEOPLE + CLAIMS - 1), st.integers(0, 3)),
    min_size=2,
    max_size=4,
    unique_by=lambda seat: seat[0],
)
steps = st.one_of(
    st.tuples(st.just("play"), seats),
    st.tuples(st.just("play"), seats),
    st.tuples(st.just("answer"), claims, st.sampled_from(list(proof.Answer))),
    st.tuples(st.just("part"), claims),
    st.tuples(st.just("refresh")),
)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(history=st.lists(steps, max_size=16))
def test_answered_in_any_order_ratings_are_those_of_a_full_rebuild(league, history):
    with transaction.atomic():
        league = copy.deepcopy(league)
        computations.mark(Kind.RATINGS, GAME)
        for number, step in enumerate(history):
            match step:
                case "play", seats:
                    league.play(seats, number)
                case "answer", who, what:
                    league.answer(who, what)
                case "part", who:
                    league.part(who)
                case _:
                    refresh()
                    assert answer() == right_answer()
        computations.mark(Kind.RATINGS, GAME)
        refresh()
        assert answer() == right_answer()
        rebuilt = store.refresh(GAME, store.BEGINNING)
        assert (rebuilt.changes, rebuilt.moves) == (0, [])
        transaction.set_rollback(True)


@pytest.fixture
def league(db):
    return Unproven()


def test_a_table_waits_as_a_whole_and_the_others_do_not(league):
    league.play([(0, 1), (3, 2)], 0)
    league.play([(3, 1), (4, 2)], 10)
    refresh()
    assert {change.placing.entry for change in RatingChange.objects.all()} == {league.entries[3], league.entries[4]}
    assert answer() == right_answer()


def test_vouched_for_it_is_rated_in_its_place_for_the_known_player(league):
    league.play([(0, 1), (3, 2)], 0)
    league.play([(3, 1), (4, 2)], 10)
    refresh()
    league.answer(0, proof.Answer.VOUCH)
    refresh()
    assert league.known[0].ratings.get().rating > 1_500_000
    assert not league.players[0].ratings.exists()
    third = RatingChange.objects.get(placing__entry=league.entries[3], placing__at=NOON + dt.timedelta(minutes=10))
    assert third.before < 1_500_000, "what they lost at the table that waited comes first"
    assert answer() == right_answer()


def test_who_is_unproven_again_waits_again(league):
    """Whoever vouched was vouched for by mistake."""
    known, club = league.known[0], league.event.club
    wrong = EntryFactory(event__club=club, player__home=club, claims=known, is_verified=False)
    proof.vouch(actor=league.organiser, entry=wrong)
    league.play([(0, 1), (3, 2)], 0)
    league.play([(3, 1), (4, 2)], 10)
    phone = Actor(Caller.ENTRY, entry=Entry.objects.get(pk=wrong.pk))
    proof.vouch(actor=phone, entry=league.entries[0])
    refresh()
    assert known.ratings.exists()
    unmerge_player(actor=league.organiser, player=wrong.player)
    refresh()
    assert not known.ratings.exists()
    assert answer() == right_answer()
    rebuilt = store.refresh(GAME, store.BEGINNING)
    assert (rebuilt.changes, rebuilt.moves) == (0, [])


def test_rejected_it_is_rated_for_somebody_new(league):
    league.play([(0, 1), (3, 2)], 0)
    league.answer(0, proof.Answer.REJECT)
    refresh()
    assert league.players[0].ratings.get().rating > 1_500_000
    assert not league.known[0].ratings.exists()


def test_a_table_with_two_such_phones_waits_for_both(league):
    league.play([(0, 1), (1, 2)], 0)
    league.answer(0, proof.Answer.VOUCH)
    refresh()
    assert not RatingChange.objects.exists()
    league.answer(1, proof.Answer.REJECT)
    refresh()
    assert RatingChange.objects.count() == 2
    assert answer() == right_answer()


def test_without_the_wait_a_stranger_moves_the_known_players_opponents(league, monkeypatch):
    league.play([(0, 1), (3, 2)], 0)
    monkeypatch.setattr(store, "_unproven", lambda: Entry.objects.none().values("pk"))
    refresh()
    assert RatingChange.objects.count() == 2
