"""A person has what games in play say of them, and has it forgotten."""

from __future__ import annotations

import pytest

from play.models import SoloGame
from play.services import challenges, games
from play.services.games import Phone
from scoring.exports import everything_about
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.play.people import ALONE, BO, play_on
from tests.tournaments.events import event_of
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Role
from tournaments.services import joining, proof
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


def test_somebody_whom_one_was_mistaken_for_keeps_their_games(ana):
    """Who was named Ana by mistake loses the name with her, and neither their games nor what they call themselves."""
    club = ClubFactory()
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)
    ana.home, event = club, event_of(club)
    ana.save(update_fields=["home"])
    entry = joining.join(event=event, code=event.join_code, actor=NOBODY, player=ana)
    other = proof.reject(actor=owner, entry=entry).player
    other.user = UserFactory()
    other.save(update_fields=["user"])
    phone, today = Phone("the other’s own phone", other.user), challenges.challenge_of(game="ten-phases")
    named = play_on(games.start_challenge(phone=phone, challenge=today, name="Ana"))
    own = play_on(games.start_game(phone=phone, setup=ALONE))
    SoloGame.objects.filter(pk=own.pk).update(name="The other")
    anonymise_player(actor=owner, player=ana)
    for game in (named, own, other):
        game.refresh_from_db()
    assert (named.user, own.user) == (other.user, other.user)
    assert (named.name, own.name) == (other.name, "The other")
    assert other.name.startswith("Player ")
