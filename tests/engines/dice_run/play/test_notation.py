"""Moves as texts and back."""

from itertools import islice

import pytest

from engines.base import RuleError
from engines.dice_run.play import rules
from engines.dice_run.play.moves import (
    AboutFace,
    Accident,
    Advance,
    Choose,
    Comeback,
    DealHand,
    DealObjectives,
    Discard,
    Draw,
    Joker,
    LayGap,
    PlayObjective,
    Reroll,
    Roll,
    Split,
    Sprint,
    StarterRoll,
    Swap,
)
from engines.dice_run.play.notation import read, write
from tests.engines.dice_run.play.invariants import check_invariants
from tests.engines.dice_run.play.positions import PLAY, prepared, walk


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (DealObjectives(("b6", "g1", "r2", "v5")), "objectives b6 g1 r2 v5"),
        (DealHand(("6", "b", "joker")), "hand 6 b joker"),
        (Split((13, 12, 15, 14, 11)), "packs 13 12 15 14 11"),
        (StarterRoll((("b3", "b6"), ("r5", "r1"))), "start b3>6 r5>1"),
        (Roll(("g1", "g6")), "roll g1 g6"),
        (Draw("about-face"), "draw about-face"),
        (Advance("b"), "advance b"),
        (Joker("6"), "joker 6"),
        (Swap(2), "swap 2 3"),
        (Sprint(("b1", "b2", "g6")), "sprint b1 b2 g6"),
        (Comeback(), "comeback"),
        (AboutFace(1, 6), "about-face 1 6"),
        (LayGap(1), "gap 1 2"),
        (Accident("b1"), "accident b1"),
        (PlayObjective("b6", colour_first=True), "objective b6 colour"),
        (PlayObjective("b6", colour_first=False), "objective b6 value"),
        (Reroll(3, "swap"), "reroll 3 swap"),
        (Discard("gap"), "discard gap"),
        (Choose("b6"), "choose b6"),
    ],
)
def test_notation(move, text):
    game = prepared()
    assert write(move) == text
    assert read(game, text) == move


def test_order_of_dice_does_not_matter_to_the_reader():
    assert read(prepared(), "sprint g6 b2 b1") == Sprint(("b1", "b2", "g6"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "sing",
        "advance",
        "advance bb",
        "advance b ",
        "advance  b",
        "swap 2 4",
        "swap 2",
        "swap 0 1",
        "gap 1 3",
    ],
)
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(RuleError) as raised:
        read(prepared(), text)
    assert raised.value.code == "unreadable-move"


@pytest.mark.parametrize(
    "text",
    ["sprint b7", "comeback ", "comeback now", "objective b6", "draw turbo", "packs 1,2", "start b3>7 r5>1", "roll ١"],
)
def test_what_is_almost_a_move_is_unreadable(text):
    with pytest.raises(RuleError) as raised:
        read(prepared(), text)
    assert raised.value.code == "unreadable-move"


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_every_legal_move_can_be_written_and_read(count):
    seats = tuple(f"seat-{number}" for number in range(count))
    for game in walk(count, seats=seats)[count:]:
        check_invariants(game)
        for move in islice(PLAY.legal(game), 0, 700, 7):
            assert read(game, write(move)) == move
        if PLAY.actor(game) is not None:
            for move in islice(PLAY.legal(game), 0, 700, 23):
                check_invariants(rules.apply(game, move))
