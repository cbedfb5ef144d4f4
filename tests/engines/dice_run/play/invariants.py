"""What is true in every state of a game of Dice Run."""

from __future__ import annotations

from collections import Counter

from engines.dice_run.pieces import DICE_PER_COLOUR, GAP, HAND, OBJECTIVES, SPLIT, STAGE_CARDS, faces
from engines.dice_run.play.race import dice_of, size
from engines.dice_run.play.state import DiceRunState, Phase, stage_objectives

SETUP = (Phase.DICE, Phase.OBJECTIVES, Phase.HANDS, Phase.PACKS, Phase.STARTER)


def check_invariants(state: DiceRunState) -> None:
    """Assert that pieces are conserved and limits kept."""
    _check_dice(state)
    _check_movement_cards(state)
    _check_objectives(state)
    _check_stages(state)


def _check_dice(state: DiceRunState) -> None:
    if state.phase is Phase.DICE:
        return
    dice = [die for group in state.groups for die in dice_of(group)]
    assert Counter(die[0] for die in dice) == Counter(state.colours * DICE_PER_COLOUR)
    assert sum(map(size, state.groups)) == len(dice)
    assert set(dice) <= faces(state.colours)
    assert state.groups[0], "no Gap in front"
    assert state.groups[-1], "no Gap at the end"


def _check_movement_cards(state: DiceRunState) -> None:
    on_table = [GAP] * state.groups.count(0) + ([state.face_down[1]] if state.face_down else [])
    in_hands = [card for hand in state.hands for card in hand]
    everything = Counter([*on_table, *in_hands, *state.pile, *state.discarded])
    assert everything.total() == sum(SPLIT.values())
    assert everything[GAP] == SPLIT[GAP]
    if state.phase in SETUP:
        return
    assert sum(state.packs) == len(state.pile)
    for seat, hand in enumerate(state.hands):
        must_draw = state.phase in (Phase.DRAW, Phase.REROLL) and seat == state.turn
        assert len(hand) == HAND - must_draw
        assert list(hand) == sorted(hand)


def _check_objectives(state: DiceRunState) -> None:
    used = [card for end in state.stages for card in end.objectives]
    current = [card for card in stage_objectives(state) if card]
    held = [card for hand in state.objectives for card in hand]
    everything = [*used, *current, *held]
    assert len(set(everything)) == len(everything)
    assert len(everything) == OBJECTIVES * len(state.objectives)


def _check_stages(state: DiceRunState) -> None:
    assert len(state.stages) <= len(STAGE_CARDS)
    assert (state.phase is Phase.OVER) == (len(state.stages) == len(STAGE_CARDS))
    assert 0 <= state.turn < len(state.seats)
