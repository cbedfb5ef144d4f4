"""Moves of chance: the preparation of a game, dice that are thrown, cards that are drawn.

Each kind has its check, which raises RuleError, and its act, which returns the next state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engines.base import RuleError
from engines.dice_run.pieces import DICE_PER_COLOUR, HAND, OBJECTIVES, Card, faces
from engines.dice_run.play.choices import Packs
from engines.dice_run.play.moves import DealHand, DealObjectives, Draw, Roll, Split, StarterRoll
from engines.dice_run.play.race import DIE, dice_of, group_of, has_dice, put_group
from engines.dice_run.play.state import DiceRunState, Phase, pass_turn, put, require, reveal, without


def thrown_colours(state: DiceRunState) -> str:
    """Return the colours of the dice in the air, one letter per die."""
    if state.phase is Phase.DICE:
        return state.colours * DICE_PER_COLOUR
    return "".join([die[0] for die in dice_of(state.groups[state.rerolled])])


def check_roll(state: DiceRunState, move: Roll) -> None:
    """Raise unless exactly the dice in the air have been thrown."""
    if state.phase is not Phase.REROLL:
        require(state, Phase.DICE)
    if sorted([die[0] for die in move.dice]) != sorted(thrown_colours(state)):
        raise RuleError("wrong-dice", dice=" ".join(move.dice))


def roll(state: DiceRunState, move: Roll) -> DiceRunState:
    """Put thrown dice where they belong."""
    check_roll(state, move)
    dice = group_of(move.dice)
    if state.phase is Phase.DICE:
        return state._replace(phase=Phase.OBJECTIVES, groups=(dice,))
    return state._replace(phase=Phase.DRAW, groups=put_group(state.groups, state.rerolled, dice))


def undealt(state: DiceRunState) -> tuple[str, ...]:
    """Return the objective cards nobody has, sorted."""
    dealt = {card for hand in state.objectives for card in hand}
    return tuple(sorted(faces(state.colours) - dealt))


def check_deal_objectives(state: DiceRunState, move: DealObjectives) -> None:
    """Raise unless these are four objective cards that nobody has."""
    require(state, Phase.OBJECTIVES)
    _check_deal(move.cards, undealt(state), OBJECTIVES)


def _check_deal(cards: Sequence[str], pool: Sequence[str], count: int) -> None:
    if len(cards) != count:
        raise RuleError("wrong-deal", count=count)
    available = Counter(pool)
    for card in cards:
        if available[card] < cards.count(card):
            raise RuleError("card-gone", card=card)


def deal_objectives(state: DiceRunState, move: DealObjectives) -> DiceRunState:
    """Give the next player four secret objectives."""
    check_deal_objectives(state, move)
    dealt = (*state.objectives, move.cards)
    phase = Phase.HANDS if len(dealt) == len(state.seats) else Phase.OBJECTIVES
    return state._replace(phase=phase, objectives=dealt, turn=len(dealt) % len(state.seats))


def check_deal_hand(state: DiceRunState, move: DealHand) -> None:
    """Raise unless these are three movement cards of the pile."""
    require(state, Phase.HANDS)
    _check_deal(move.cards, state.pile, HAND)


def deal_hand(state: DiceRunState, move: DealHand) -> DiceRunState:
    """Give the next player three movement cards."""
    check_deal_hand(state, move)
    pile = state.pile
    for card in move.cards:
        pile = without(pile, card)
    dealt = (*state.hands, move.cards)
    phase = Phase.PACKS if len(dealt) == len(state.seats) else Phase.HANDS
    return state._replace(phase=phase, hands=dealt, pile=pile, turn=len(dealt) % len(state.seats))


def check_split(state: DiceRunState, move: Split) -> None:
    """Raise unless five packs, none of them empty, use up the pile.

    The rulebook wants packs "of similar but not equal sizes". Equal ones cannot be made: 3 to 6 players leave 67, 64,
    61 or 58 cards. How similar is similar it does not say, so any sizes are legal.
    """
    require(state, Phase.PACKS)
    if move not in Packs(len(state.pile)):
        raise RuleError("wrong-packs", total=len(state.pile))


def split(state: DiceRunState, move: Split) -> DiceRunState:
    """Split the pile into packs, a stage card on each but the first."""
    check_split(state, move)
    return state._replace(phase=Phase.STARTER, packs=move.sizes)


def check_starter_roll(state: DiceRunState, move: StarterRoll) -> None:
    """Raise unless two dice of the group have been thrown."""
    require(state, Phase.STARTER)
    before = [die for die, _ in move.dice]
    if len(before) != 2 or not has_dice(state.groups[0], before):
        raise RuleError("wrong-dice", dice=" ".join(before))
    for die, after in move.dice:
        if die[0] != after[0]:
            raise RuleError("wrong-dice", dice=after)


def starter_roll(state: DiceRunState, move: StarterRoll) -> DiceRunState:
    """Count a throw for the first turn and put the two dice back; once all have thrown, the highest begins."""
    check_starter_roll(state, move)
    group = state.groups[0] + sum(DIE[after] - DIE[before] for before, after in move.dice)
    total = sum(int(after[1]) for _, after in move.dice)
    thrown = state._replace(groups=(group,), throws=put(state.throws, state.turn, total))
    return _next_throw(thrown)


def _next_throw(state: DiceRunState) -> DiceRunState:
    throws = state.throws
    if 0 in throws:
        return state._replace(turn=throws.index(0))
    best = max(throws)
    first = throws.index(best)
    if throws.count(best) == 1:
        return state._replace(phase=Phase.TURN, turn=first, starter=first)
    return state._replace(turn=first, throws=tuple(0 if total == best else -1 for total in throws))


def check_draw(state: DiceRunState, move: Draw) -> None:
    """Raise unless the card is among those left in the pile."""
    require(state, Phase.DRAW)
    if move.card not in state.pile:
        raise RuleError("card-gone", card=move.card)


def draw(state: DiceRunState, move: Draw) -> DiceRunState:
    """Give the player the top card; the stage ends if a stage card shows beneath it."""
    check_draw(state, move)
    hand: tuple[Card, ...] = tuple(sorted((*state.hands[state.turn], move.card)))
    drawn = state._replace(
        hands=put(state.hands, state.turn, hand),
        pile=without(state.pile, move.card),
        packs=(state.packs[0] - 1, *state.packs[1:]),
    )
    return pass_turn(drawn) if drawn.packs[0] else reveal(drawn)
