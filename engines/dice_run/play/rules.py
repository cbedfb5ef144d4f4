"""The rules of a game in play: whose move it is, which moves are legal, what they lead to, and the result.

The check and the act of each kind of move are in `setup` (chance) and `turns` (players).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from engines.base import Rng, Standing, standings
from engines.dice_run.pieces import (
    ABOUT_FACE,
    ACCIDENT,
    COLOURS,
    COMEBACK,
    GAP,
    HAND,
    JOKER,
    OBJECTIVES,
    SLUG,
    SPRINT,
    SWAP,
    VALUES,
    Card,
)
from engines.dice_run.play import moves, setup, turns
from engines.dice_run.play.choices import Packs, Rolls, Selections, StarterRolls, TurnMoves
from engines.dice_run.play.moves import Move
from engines.dice_run.play.race import count_groups, dice_of, swappable
from engines.dice_run.play.state import DiceRunState, Phase
from engines.dice_run.scoring import tally
from engines.play import Listed, Moves

_ACTS: Mapping[type, Callable[[DiceRunState, Any], DiceRunState]] = {
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


def actor(state: DiceRunState) -> int | None:
    """Return whose move it is; None for chance, and when the game is over."""
    if state.phase is Phase.TURN:
        return state.turn
    return state.chooser if state.phase is Phase.CHOICE else None


def is_over(state: DiceRunState) -> bool:
    """Tell whether the fourth stage has been scored."""
    return state.phase is Phase.OVER


def apply(state: DiceRunState, move: Move) -> DiceRunState:
    """Return the state a move leads to; RuleError if it is not legal."""
    return _ACTS[type(move)](state, move)


def legal(state: DiceRunState) -> Moves[Move]:
    """Return every move possible now; at a state of chance every outcome."""
    return _LEGAL[state.phase](state)


def chance(state: DiceRunState, rng: Rng) -> Move:
    """Draw what chance brings, with the probabilities of real dice and shuffled cards."""
    if state.phase is Phase.DRAW:
        return _draw(state.pile[int(rng.random() * len(state.pile))])
    if state.phase is Phase.OBJECTIVES:
        return moves.DealObjectives(tuple(sorted(rng.sample(setup.undealt(state), OBJECTIVES))))
    if state.phase is Phase.HANDS:
        return moves.DealHand(tuple(sorted(rng.sample(state.pile, HAND))))
    if state.phase is Phase.PACKS:
        return Packs(len(state.pile)).split(rng)
    if state.phase is Phase.STARTER:
        return StarterRolls(tuple(dice_of(state.groups[0]))).throw(rng)
    return Rolls(setup.thrown_colours(state)).throw(rng)


def deal(state: DiceRunState, secret: str, number: int) -> Move:
    """Draw as the secret says: by the count of the turns, or of the moves while the game is prepared."""
    moment = f"turn {state.turns}" if state.phase in (Phase.DRAW, Phase.REROLL) else number
    return chance(state, Random(f"{secret} {state.phase} {moment}"))


# The moves of a turn depend on little of the position, so each is made once, cached, and put into the turn's list.

_draw = lru_cache(maxsize=64)(moves.Draw)


@lru_cache(maxsize=512)
def _fixed(card: Card, groups: int, colours: str) -> tuple[Move, ...]:
    """Return the moves of a card that depend on nothing but the number of groups."""
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


def _swaps(state: DiceRunState) -> list[Move]:
    indices = [index for index, group in enumerate(state.groups) if group]
    return [moves.Swap(indices.index(index) + 1) for index in swappable(state.groups)]


def _turn_moves(state: DiceRunState) -> Moves[Move]:
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
    if not turns.has_rerolled_last(state):
        for card in hand:
            listed += _rerolls(card, count)
    if can_sprint:
        return TurnMoves(tuple(listed), Selections(moves.Sprint, tuple(dice_of(state.groups[0])), turns.LEADERS))
    return Listed(tuple(listed))


_LEGAL: Mapping[Phase, Callable[[DiceRunState], Moves[Move]]] = {
    Phase.DICE: lambda state: Rolls(setup.thrown_colours(state)),
    Phase.OBJECTIVES: lambda state: Selections(moves.DealObjectives, setup.undealt(state), OBJECTIVES),
    Phase.HANDS: lambda state: Selections(moves.DealHand, state.pile, HAND),
    Phase.PACKS: lambda state: Packs(len(state.pile)),
    Phase.STARTER: lambda state: StarterRolls(tuple(dice_of(state.groups[0]))),
    Phase.TURN: _turn_moves,
    Phase.REROLL: lambda state: Rolls(setup.thrown_colours(state)),
    Phase.DRAW: lambda state: Listed(tuple([_draw(card) for card in dict.fromkeys(state.pile)])),
    Phase.CHOICE: lambda state: Listed(tuple([moves.Choose(card) for card in state.objectives[state.chooser]])),
    Phase.OVER: lambda _state: Listed(()),
}


def outcome(state: DiceRunState) -> tuple[Standing, ...]:
    """Return the standings after the stages scored so far."""
    keys = tally(state.seats, [stage.podium for stage in state.stages])
    return standings(state.seats, [points for points, _ in keys], keys)


def report(state: DiceRunState) -> dict[str, Any]:
    """Return the report of a finished game with all evidence."""
    totals = {row.seat: row.score for row in outcome(state)}
    sheet: dict[str, Any] = {
        "game": SLUG,
        "variant": "standard",
        "seats": list(state.seats),
        "stages": [
            {
                "podium": list(end.podium),
                "revealer": end.revealer,
                "objectives": dict(zip(state.seats, end.objectives, strict=True)),
                "groups": list(end.groups),
            }
            for end in state.stages
        ],
        "points": {seat: totals[seat] for seat in state.seats},
    }
    return sheet if state.colours == COLOURS else sheet | {"colours": state.colours}
