"""A person has what games in play say of them, and has it forgotten."""

from __future__ import annotations

import pytest

from play.services import challenges, games
from play.services.games import Phone
from scoring.exports import everything_about
from tests.factories import PlayerFactory, UserFactory
from tests.play.people import ALONE, BO, play_on
from tournaments.actors import Actor, Kind
from tournaments.services.people import anonymise_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana():
    return PlayerFactory(name="Ana", user=UserFactory())


def test_export_holds_ones_games_and_no_seed_or_secret(ana):
    phone = Phone("ana’s own phone", ana.user)
    running = games.start_game(phone=phone, setup=ALONE)
    today = challenges.challenge_of(game="ten-phases")
    over = play_on(games.start_challenge(phone=phone, challenge=today, name="Ana"))
    games.start_challenge(phone=BO, challenge=today, name="Bo")
    found = everything_about(ana)["play"]
    assert [(each["id"], each["status"]) for each in found] == [(running.uid, "playing"), (over.uid, "over")]
    assert (found[0]["record"], found[1]["record"]["moves"]) == (None, over.moves)
    assert today.seed not in str(found)
    assert phone.holder not in str(found)


def test_somebody_who_is_forgotten_leaves_the_boards_without_a_name(ana):
    today = challenges.challenge_of(game="ten-phases")
    game = play_on(games.start_challenge(phone=Phone("ana’s own phone", ana.user), challenge=today, name="Ana"))
    other = play_on(games.start_challenge(phone=BO, challenge=today, name="Ana"))
    anonymise_player(actor=Actor(Kind.USER, user=ana.user), player=ana)
    game.refresh_from_db()
    other.refresh_from_db()
    assert (game.name, game.user, other.name) == ("", None, "Ana")
