"""The state machine: which moves a state allows, what a move leads to, and what chance brings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

from engines.base import Rng
from engines.dice_run import moves, setup, turns
from engines.dice_run.choices import Rolls, Selections, StarterRolls, TurnMoves
from engines.dice_run.moves import Move
from engines.dice_run.pieces import (
    ABOUT_FACE,
    ACCIDENT,
    COMEBACK,
    GAP,
    HAND,
    JOKER,
    OBJECTIVES,
    SPRINT,
    SWAP,
    VALUES,
    Card,
)
from engines.dice_run.race import count_groups, dice_of, swappable
from engines.dice_run.state import Phase, State
from engines.play import Listed, Moves

_ACTS: Mapping[type, Callable[[State, Any], State]] = {
    moves.Roll: setup.roll,
    moves.DealObjectives: setup.deal_objectives,
    moves.DealHand: setup.deal_hand,
    moves.Split: setup.split,
    moves.StarterRoll: setup.starter_roll,
    moves.Draw: setup.draw,
    moves.Advance: turns.advance,
    moves.Joker: turns.joker,
    moves.Swap: turns.swap,
    moves.Sprint: turns.sprint,
    moves.Comeback: turns.comeback,
    moves.AboutFace: turns.about_face,
    moves.LayGap: turns.lay_gap,
    moves.Accident: turns.accident,
    moves.PlayObjective: turns.play_objective,
    moves.Reroll: turns.reroll,
    moves.Discard: turns.discard,
    moves.Choose: turns.choose,
}


def apply(state: State, move: Move) -> State:
    """Return the state a move leads to; RuleError if it is not legal."""
    return _ACTS[type(move)](state, move)


def legal(state: State) -> Moves[Move]:
    """Return every move possible now; at a state of chance every outcome."""
    return _LEGAL[state.phase](state)


def chance(state: State, rng: Rng) -> Move:
    """Draw what chance brings, with the probabilities of real dice and shuffled cards."""
    if state.phase is Phase.DRAW:
        return _draw(state.pile[int(rng.random() * len(state.pile))])
    if state.phase is Phase.OBJECTIVES:
        return moves.DealObjectives(tuple(sorted(rng.sample(setup.undealt(state), OBJECTIVES))))
    if state.phase is Phase.HANDS:
        return moves.DealHand(tuple(sorted(rng.sample(state.pile, HAND))))
    if state.phase is Phase.PACKS:
        return _splits(len(state.pile)).sample(rng)
    if state.phase is Phase.STARTER:
        return StarterRolls(tuple(dice_of(state.groups[0]))).throw(rng)
    return Rolls(setup.thrown_colours(state)).throw(rng)


# The moves of a turn hardly depend on the position, so that they are made once and put together by the turn.

_draw = lru_cache(maxsize=64)(moves.Draw)


@lru_cache(maxsize=16)
def _splits(total: int) -> Listed[moves.Split]:
    middle = total // setup.PACKS
    sizes = range(max(1, middle - setup.SIMILAR), middle + setup.SIMILAR + 1)
    alike = [
        pack for pack in combinations(sizes, setup.PACKS) if sum(pack) == total and pack[-1] - pack[0] <= setup.SIMILAR
    ]
    return Listed(tuple([moves.Split(order) for pack in alike for order in permutations(pack)]))


@lru_cache(maxsize=512)
def _fixed(card: Card, groups: int, colours: str) -> tuple[Move, ...]:
    """Return the moves of a card that depend on the number of groups at most."""
    if card == JOKER:
        return tuple([moves.Joker(feature) for feature in colours + VALUES])
    if card == COMEBACK:
        return (moves.Comeback(),)
    if card == ABOUT_FACE:
        return tuple([moves.AboutFace(group, value) for group in range(1, groups + 1) for value in range(1, 7)])
    if card == GAP:
        return tuple([moves.LayGap(group) for group in range(1, groups)])
    return (moves.Advance(card),)


@lru_cache(maxsize=512)
def _rerolls(card: Card, groups: int) -> tuple[Move, ...]:
    return tuple([moves.Reroll(group, card) for group in range(2, groups + 1)])


@lru_cache(maxsize=256)
def _objective_plays(card: str) -> tuple[Move, ...]:
    return tuple([moves.PlayObjective(card, colour_first) for colour_first in (True, False)])


_accident = lru_cache(maxsize=256)(moves.Accident)


def _swaps(state: State) -> list[Move]:
    indices = [index for index, group in enumerate(state.groups) if group]
    return [moves.Swap(indices.index(index) + 1) for index in swappable(state.groups)]


def _turn_moves(state: State) -> Moves[Move]:
    hand = dict.fromkeys(state.hands[state.turn])
    count = count_groups(state.groups)
    listed: list[Move] = []
    for card in hand:
        if card == ACCIDENT:
            listed += [_accident(die) for die in dict.fromkeys(dice_of(state.groups[0]))]
        elif card == SWAP:
            listed += _swaps(state)
        elif card != SPRINT:
            listed += _fixed(card, count, state.colours)
    can_sprint = SPRINT in hand and turns.is_applicable(state.groups, SPRINT)
    if not listed and not can_sprint:
        listed += [moves.Discard(card) for card in hand]
    if not state.shown[state.turn]:
        for card in state.objectives[state.turn]:
            listed += _objective_plays(card)
    if turns.may_reroll(state):
        for card in hand:
            listed += _rerolls(card, count)
    if can_sprint:
        return TurnMoves(tuple(listed), Selections(moves.Sprint, tuple(dice_of(state.groups[0])), turns.LEADERS))
    return Listed(tuple(listed))


_LEGAL: Mapping[Phase, Callable[[State], Moves[Move]]] = {
    Phase.DICE: lambda state: Rolls(setup.thrown_colours(state)),
    Phase.OBJECTIVES: lambda state: Selections(moves.DealObjectives, setup.undealt(state), OBJECTIVES),
    Phase.HANDS: lambda state: Selections(moves.DealHand, state.pile, HAND),
    Phase.PACKS: lambda state: _splits(len(state.pile)),
    Phase.STARTER: lambda state: StarterRolls(tuple(dice_of(state.groups[0]))),
    Phase.TURN: _turn_moves,
    Phase.REROLL: lambda state: Rolls(setup.thrown_colours(state)),
    Phase.DRAW: lambda state: Listed(tuple([_draw(card) for card in dict.fromkeys(state.pile)])),
    Phase.CHOICE: lambda state: Listed(tuple([moves.Choose(card) for card in state.objectives[state.chooser]])),
    Phase.OVER: lambda _state: Listed(()),
}
