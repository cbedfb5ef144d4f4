"""The decent player: better than chance, and without knowledge of what is secret."""

import random
from itertools import product
from math import prod
from statistics import mean

import pytest

from engines.dice_run.play import players
from engines.dice_run.play.moves import Choose
from engines.dice_run.play.race import dice_of
from engines.dice_run.play.rules import outcome
from engines.dice_run.play.state import Phase, start
from engines.dice_run.scoring import strengths
from tests.engines.dice_run.play.positions import PLAY, SEATS, state, walk


def test_decent_player_beats_random_ones():
    wins, games = 0, 24
    for seed in range(games):
        game, rng, own = start("standard", SEATS, {}), random.Random(seed), seed % 3
        while not PLAY.is_over(game):
            seat = PLAY.actor(game)
            choose = PLAY.chance if seat is None else PLAY.players["decent" if seat == own else "random"]
            game = PLAY.apply(game, choose(game, rng))
        wins += outcome(game)[0].seat == SEATS[own]
    assert wins >= 16, "by chance it would win eight"


@pytest.mark.parametrize("second", ["g1 g2", "v6 v5"])
def test_decent_player_lets_the_second_group_decide_between_equals(second):
    race = f"b3 / {second} / r1 r2"
    choice = state(race, phase=Phase.CHOICE, objectives=(("g4", "v4"), ("b1",), ("b2",)))
    assert PLAY.players["decent"](choice, random.Random(1)) == Choose(second[0] + "4")


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_prospects_of_the_decent_player_count_all_who_may_be_ahead(stage):
    turns_of_stage = [game for game in walk(8) if PLAY.actor(game) is not None and len(game.stages) == stage]
    for game in turns_of_stage[::4]:
        view = players.view_of(game, PLAY.actor(game))
        front_two = [" ".join(dice_of(group)) for group in game.groups if group][:2]
        for card, prospect in zip(view.own, view.prospects(game.groups, view.own), strict=True):
            strong = {each: strengths(each, front_two) for each in (card, *view.pool, *view.shown)}
            leads = {each: (strong[card] > other) + (strong[card] == other) / 2 for each, other in strong.items()}
            hidden = mean(leads[each] for each in view.pool) ** view.held
            chances = [hidden] * view.hidden + [leads[each] for each in view.shown]
            expected = 0.0
            for ahead in product((False, True), repeat=len(chances)):
                chance = prod(1 - lead if is_ahead else lead for lead, is_ahead in zip(chances, ahead, strict=True))
                expected += chance * {0: stage + 3, 1: 2, 2: 1}.get(sum(ahead), 0)
            assert prospect == pytest.approx(expected)


def test_decent_player_does_not_look_at_what_is_secret():
    for game in walk(8, player="decent")[10::12]:
        if PLAY.actor(game) is None:
            continue
        own = PLAY.actor(game)
        hidden = game._replace(
            hands=tuple(hand if seat == own else () for seat, hand in enumerate(game.hands)),
            objectives=tuple(hand if seat == own else () for seat, hand in enumerate(game.objectives)),
            chosen=("",) * 3,
            pile=(),
        )
        decent = PLAY.players["decent"]
        assert decent(hidden, random.Random(1)) == decent(game, random.Random(1))
