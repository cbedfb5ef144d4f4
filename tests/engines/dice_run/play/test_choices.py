"""Legal moves that are too many to list: counted, recognised, listed and sampled."""

import random
from dataclasses import replace

import pytest

from engines.dice_run.pieces import faces
from engines.dice_run.play.choices import Packs, Rolls, Selections, StarterRolls, TurnMoves
from engines.dice_run.play.moves import (
    Comeback,
    DealHand,
    DealObjectives,
    Draw,
    Joker,
    Roll,
    Split,
    Sprint,
    StarterRoll,
)
from engines.dice_run.play.state import start
from tests.engines.dice_run.play.positions import PLAY, SEATS


@pytest.mark.parametrize(
    "moves",
    [
        Selections(Sprint, ("b1", "b1", "b1", "b1", "g2", "g2", "r3"), 3),
        Selections(DealHand, ("b", "b", "gap", "gap", "gap", "swap"), 3),
        Selections(DealObjectives, tuple(sorted(faces("bgprv")))[:7], 4),
        Rolls("bbgr"),
        StarterRolls(("b1", "b1", "g2", "r3")),
        Packs(8),
        Packs(11),
        TurnMoves((Comeback(), Joker("b")), Selections(Sprint, ("b1", "b1", "g2", "r3"), 3)),
    ],
)
def test_described_moves_are_counted_listed_and_sampled_alike(moves):
    listed = list(moves)
    assert len(set(listed)) == len(listed) == moves.count
    assert all(move in moves for move in listed)
    rng = random.Random(1)
    drawn = [moves.sample(rng) for _ in range(30 * len(listed))]
    assert set(drawn) == set(listed)
    most = max(drawn.count(move) for move in listed[:50])
    assert most < 70, "each is as likely as the others"
    assert Draw("b") not in moves
    assert hash(moves) == hash(replace(moves)), "a description is a value"


STARTER_ROLLS = StarterRolls(("b1", "b1", "g2", "r3"))


@pytest.mark.parametrize(
    ("moves", "move"),
    [
        (Selections(Sprint, ("b1", "b2", "g3", "g4"), 3), Sprint(("b1", "b2"))),
        (Selections(Sprint, ("b1", "b2", "g3", "g4"), 3), Sprint(("b1", "b2", "g3", "g4"))),
        (Selections(Sprint, ("b1", "b2", "g3", "g4"), 3), Sprint(("b2", "b1", "g3"))),
        (Selections(Sprint, ("b1", "b2", "g3", "g4"), 3), Sprint(("b1", "b1", "g3"))),
        (Selections(DealHand, ("b", "g", "r"), 1), DealObjectives(("b",))),
        (Rolls("bg"), Roll(("b1",))),
        (Rolls("bg"), Roll(("b1", "b1"))),
        (Rolls("bg"), Roll(("g1", "b1"))),
        (Rolls("bg"), Roll(("b1", "g7"))),
        (Rolls("bg"), Roll(("b1", "g12"))),
        (STARTER_ROLLS, StarterRoll((("b1", "b2"),))),
        (STARTER_ROLLS, StarterRoll((("b1", "b2"), ("b1", "b2"), ("g2", "g2")))),
        (STARTER_ROLLS, StarterRoll((("g2", "g2"), ("b1", "b2")))),
        (STARTER_ROLLS, StarterRoll((("b1", "b3"), ("b1", "b2")))),
        (STARTER_ROLLS, StarterRoll((("g2", "g1"), ("g2", "g1")))),
        (STARTER_ROLLS, StarterRoll((("b1", "g2"), ("g2", "g1")))),
        (STARTER_ROLLS, StarterRoll((("b1", "b2"), ("g2", "g7")))),
        (Packs(8), Split((1, 1, 1, 1, 3))),
        (Packs(8), Split((1, 1, 1, 5))),
        (Packs(8), Split((1, 1, 1, 1, 1, 3))),
        (Packs(8), Split((0, 2, 2, 2, 2))),
    ],
)
def test_what_cannot_happen_is_not_among_the_described_moves(moves, move):
    assert move not in moves


def test_chance_throws_dice_as_they_fall():
    rng = random.Random(2)
    throws = [Rolls("bb").throw(rng).dice for _ in range(3600)]
    assert 60 < throws.count(("b1", "b1")) < 140
    assert 140 < throws.count(("b1", "b2")) < 260


def test_all_dice_can_fall_in_462_ways_per_colour():
    assert PLAY.legal(start("standard", SEATS, {})).count == 462**5
