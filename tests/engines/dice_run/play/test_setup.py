"""Preparing a game: the box, the deals, the packs, the first player, and what is refused."""

import random
from math import comb

import pytest

from engines.base import RuleError
from engines.dice_run import ENGINE
from engines.dice_run.pieces import SPLIT, deck
from engines.dice_run.play.moves import (
    Advance,
    Choose,
    Comeback,
    DealHand,
    DealObjectives,
    Draw,
    Roll,
    Split,
    StarterRoll,
)
from engines.dice_run.play.race import dice_of
from engines.dice_run.play.state import Phase, start
from engines.play import replay, run
from tests.engines.dice_run.play.positions import PLAY, SEATS, code_of, groups, prepared


def test_box_has_76_movement_cards():
    assert len(deck("bgprv", SPLIT)) == sum(SPLIT.values()) == 76


def test_preparation_deals_four_objectives_and_three_cards_and_makes_five_packs():
    game = prepared()
    assert len(game.groups) == 1
    assert [len(hand) for hand in game.objectives] == [4, 4, 4]
    assert [len(hand) for hand in game.hands] == [3, 3, 3]
    assert sum(game.packs) == len(game.pile) == 76 - 9
    assert len(set(game.packs)) == 5


def test_highest_throw_begins_and_its_dice_go_back_as_they_fell():
    game = prepared(until=Phase.STARTER)._replace(groups=groups("b1 b1 g1 g1 r1 r1"))
    game = PLAY.apply(game, StarterRoll((("b1", "b2"), ("b1", "b3"))))
    game = PLAY.apply(game, StarterRoll((("g1", "g6"), ("g1", "g6"))))
    game = PLAY.apply(game, StarterRoll((("r1", "r6"), ("r1", "r5"))))
    assert (game.phase, game.turn, game.starter) == (Phase.TURN, 1, 1)
    assert game.groups == groups("b2 b3 g6 g6 r6 r5")


def test_only_those_who_tie_throw_again():
    game = prepared(until=Phase.STARTER)._replace(groups=groups("b1 b1 g1 g1 r1 r1"))
    for before, after in (("b1", "b5"), ("g1", "g2"), ("r1", "r5")):
        game = PLAY.apply(game, StarterRoll(((before, after),) * 2))
    assert (game.phase, game.turn) == (Phase.STARTER, 0)
    game = PLAY.apply(game, StarterRoll((("b5", "b1"), ("b5", "b1"))))
    assert game.turn == 2
    game = PLAY.apply(game, StarterRoll((("g2", "g1"), ("g2", "g2"))))
    assert (game.phase, game.starter) == (Phase.TURN, 2)


@pytest.mark.parametrize(
    ("phase", "move", "code"),
    [
        (Phase.DICE, Roll(("b1",)), "wrong-dice"),
        (Phase.DICE, Draw("b"), "dice-due"),
        (Phase.OBJECTIVES, DealObjectives(("b1", "b2", "b3")), "wrong-deal"),
        (Phase.OBJECTIVES, DealObjectives(("b1", "b2", "b3", "z1")), "card-gone"),
        (Phase.OBJECTIVES, Advance("b"), "objectives-due"),
        (Phase.HANDS, DealHand(("gap",) * 4), "wrong-deal"),
        (Phase.HANDS, DealHand(("b", "b", "y")), "card-gone"),
        (Phase.HANDS, Comeback(), "hands-due"),
        (Phase.PACKS, Split((16, 17, 17, 17)), "wrong-packs"),
        (Phase.PACKS, Split((11, 11, 11, 11, 11, 12)), "wrong-packs"),
        (Phase.PACKS, Split((0, 16, 17, 17, 17)), "wrong-packs"),
        (Phase.PACKS, Split((-1, 17, 17, 17, 17)), "wrong-packs"),
        (Phase.PACKS, Split((11, 12, 13, 14, 16)), "wrong-packs"),
        (Phase.PACKS, Split((11, 12, 13, 14, 18)), "wrong-packs"),
        (Phase.PACKS, Roll(()), "packs-due"),
        (Phase.STARTER, StarterRoll((("z1", "z2"), ("z1", "z2"))), "wrong-dice"),
        (Phase.STARTER, Choose("b1"), "starter-due"),
    ],
)
def test_preparation_refuses(phase, move, code):
    position = prepared(until=phase)
    assert code_of(position, move) == code
    assert move not in PLAY.legal(position)


@pytest.mark.parametrize(
    "sizes",
    [(13, 13, 13, 14, 14), (9, 12, 13, 14, 19), (1, 1, 1, 1, 63), (63, 1, 1, 1, 1), (1, 16, 16, 17, 17)],
)
def test_packs_may_have_any_sizes_but_none_is_empty(sizes):
    game = prepared(until=Phase.PACKS)
    assert Split(sizes) in PLAY.legal(game)
    assert PLAY.apply(game, Split(sizes)).packs == sizes


@pytest.mark.parametrize("people", [3, 4, 5, 6])
def test_packs_cannot_all_have_the_same_size(people):
    game = prepared(until=Phase.PACKS, seats=tuple("abcdef"[:people]))
    assert len(game.pile) % 5 != 0
    assert PLAY.legal(game).count == comb(len(game.pile) - 1, 4)


@pytest.mark.parametrize("people", [3, 4, 5, 6])
def test_chance_makes_packs_of_similar_but_different_sizes(people):
    game, rng = prepared(until=Phase.PACKS, seats=tuple("abcdef"[:people])), random.Random(1)
    packs = {PLAY.chance(game, rng).sizes for _ in range(200)}
    assert len(packs) > 100
    assert all(len(set(sizes)) == 5 and max(sizes) - min(sizes) <= 6 for sizes in packs)
    assert all(Split(sizes) in PLAY.legal(game) for sizes in packs)


def test_a_refused_split_is_answered_with_packs_people_would_make():
    first = next(iter(PLAY.legal(prepared(until=Phase.PACKS)))).sizes
    assert max(first) - min(first) <= 6


def test_a_thrown_die_keeps_its_colour():
    game = prepared(until=Phase.STARTER)
    die, other = dice_of(game.groups[0])[:2]
    assert code_of(game, StarterRoll(((die, "v1"), (other, other)))) == "wrong-dice"


@pytest.mark.parametrize(
    ("variant", "seats", "options", "code"),
    [
        ("long", SEATS, {}, "unknown-variant"),
        ("standard", ("ana", "bo"), {}, "seat-count"),
        ("standard", tuple("abcdefg"), {}, "seat-count"),
        ("standard", ("ana", "bo", "ana"), {}, "seat-count"),
        ("standard", SEATS, {"colour": "bgprv"}, "unknown-option"),
        ("standard", SEATS, {"colours": "bgpr"}, "bad-option"),
        ("standard", SEATS, {"cards": 76}, "bad-option"),
        ("standard", SEATS, {"cards": {"turbo": 0}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": 7}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": True, "gap": 8}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": 5, "colour": 21}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": -1, "gap": 10}}, "bad-option"),
    ],
)
def test_start_refuses(variant, seats, options, code):
    with pytest.raises(RuleError) as raised:
        start(variant, seats, options)
    assert raised.value.code == code


def test_another_box_is_played_and_reported_with_its_colours():
    options = {"colours": "kwxyz", "cards": {"joker": 4, "gap": 5}}
    last, moves = run(PLAY, "standard", SEATS, "random", random.Random(5), options)
    report = PLAY.report(last)
    assert report["colours"] == "kwxyz"
    assert ENGINE.check(report).ok
    assert PLAY.report(replay(PLAY, "standard", SEATS, moves, options)) == report
