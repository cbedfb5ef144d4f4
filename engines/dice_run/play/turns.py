"""Moves of the players: the nine kinds of cards, objective plays, rerolls, discards, and the choice at a stage's end.

Each kind has its check, which raises RuleError, and its act, which returns the next state.
"""

from __future__ import annotations

from engines.base import RuleError
from engines.dice_run.pieces import ABOUT_FACE, ACCIDENT, COMEBACK, GAP, JOKER, SPRINT, SWAP, VALUES, Card
from engines.dice_run.play import race
from engines.dice_run.play.moves import (
    AboutFace,
    Accident,
    Advance,
    Choose,
    Comeback,
    Discard,
    Joker,
    LayGap,
    PlayObjective,
    Reroll,
    Sprint,
    Swap,
)
from engines.dice_run.play.race import DIE, MASK, NO_DICE, Groups
from engines.dice_run.play.state import DiceRunState, Phase, pass_turn, put, require, reveal, without

LEADERS = 3
"""How many dice break away in a Sprint; at least one more must stay behind."""


def is_applicable(groups: Groups, card: Card) -> bool:
    """Tell whether a movement card can be applied in a position; a card that changes nothing still can."""
    if card == SPRINT:
        return race.size(groups[0]) > LEADERS
    if card == SWAP:
        return bool(race.swappable(groups))
    return card != GAP or len(groups) > 1


def _check_card(state: DiceRunState, card: Card) -> None:
    require(state, Phase.TURN)
    if card not in state.hands[state.turn]:
        raise RuleError("card-not-held", card=card)


def _check_group(state: DiceRunState, number: int, behind: int = 0) -> None:
    """Raise unless a group has this number and at least `behind` groups come after it."""
    count = race.count_groups(state.groups)
    if not 1 <= number <= count - behind:
        raise RuleError("no-such-group", group=number, count=count)


def _hands_without(state: DiceRunState, card: Card) -> tuple[tuple[Card, ...], ...]:
    return put(state.hands, state.turn, without(state.hands[state.turn], card))


def _lost_gaps(state: DiceRunState, groups: Groups) -> tuple[Card, ...]:
    """Return the Gap cards that have been filled or have fallen out of the race."""
    return (GAP,) * (state.groups.count(NO_DICE) - groups.count(NO_DICE))


def _played(state: DiceRunState, card: Card, groups: Groups) -> DiceRunState:
    return state._replace(
        phase=Phase.DRAW,
        hands=_hands_without(state, card),
        groups=groups,
        discarded=(*state.discarded, card, *_lost_gaps(state, groups)),
    )


def check_advance(state: DiceRunState, move: Advance) -> None:
    """Raise unless the player holds this Colour or Value card."""
    _check_card(state, move.card)
    if move.card not in (*state.colours, *VALUES):
        raise RuleError("card-not-held", card=move.card)


def advance(state: DiceRunState, move: Advance) -> DiceRunState:
    """Advance all dice of a colour or a value."""
    check_advance(state, move)
    return _played(state, move.card, race.advance(state.groups, MASK[move.card]))


def check_joker(state: DiceRunState, move: Joker) -> None:
    """Raise unless the player holds a Joker and names a colour or a value of the box."""
    _check_card(state, JOKER)
    if move.feature not in (*state.colours, *VALUES):
        raise RuleError("no-such-dice", feature=move.feature)


def joker(state: DiceRunState, move: Joker) -> DiceRunState:
    """Advance all dice of a chosen colour or value."""
    check_joker(state, move)
    return _played(state, JOKER, race.advance(state.groups, MASK[move.feature]))


def check_swap(state: DiceRunState, move: Swap) -> None:
    """Raise unless the group is not in front and another one follows it directly."""
    _check_card(state, SWAP)
    _check_group(state, move.group, behind=1)
    if race.position(state.groups, move.group) not in race.swappable(state.groups):
        raise RuleError("no-swap", group=move.group)


def swap(state: DiceRunState, move: Swap) -> DiceRunState:
    """Exchange two groups that follow one another."""
    check_swap(state, move)
    return _played(state, SWAP, race.swap(state.groups, race.position(state.groups, move.group)))


def check_sprint(state: DiceRunState, move: Sprint) -> None:
    """Raise unless these are three dice of the front group and at least one die stays behind."""
    _check_card(state, SPRINT)
    if not is_applicable(state.groups, SPRINT):
        raise RuleError("front-too-small", count=race.size(state.groups[0]))
    if len(move.dice) != LEADERS:
        raise RuleError("wrong-sprint", count=len(move.dice))
    _check_front(state, move.dice)


def _check_front(state: DiceRunState, dice: tuple[str, ...]) -> None:
    if not race.has_dice(state.groups[0], dice):
        raise RuleError("not-in-front", dice=" ".join(dice))


def sprint(state: DiceRunState, move: Sprint) -> DiceRunState:
    """Let three dice of the front group form a new one."""
    check_sprint(state, move)
    return _played(state, SPRINT, race.break_away(state.groups, race.group_of(move.dice)))


def check_comeback(state: DiceRunState, _move: Comeback) -> None:
    """Raise unless the player holds a Comeback."""
    _check_card(state, COMEBACK)


def comeback(state: DiceRunState, move: Comeback) -> DiceRunState:
    """Bring the last group into second place."""
    check_comeback(state, move)
    return _played(state, COMEBACK, race.come_back(state.groups))


def check_about_face(state: DiceRunState, move: AboutFace) -> None:
    """Raise unless there is such a group; it need not have dice of the value."""
    _check_card(state, ABOUT_FACE)
    _check_group(state, move.group)
    if str(move.value) not in (*VALUES,):
        raise RuleError("no-such-dice", feature=move.value)


def about_face(state: DiceRunState, move: AboutFace) -> DiceRunState:
    """Turn the dice of a value in a group to the opposite face."""
    check_about_face(state, move)
    index = race.position(state.groups, move.group)
    return _played(state, ABOUT_FACE, race.turn_over(state.groups, index, move.value))


def check_lay_gap(state: DiceRunState, move: LayGap) -> None:
    """Raise unless there is a group behind this one."""
    _check_card(state, GAP)
    _check_group(state, move.group, behind=1)


def lay_gap(state: DiceRunState, move: LayGap) -> DiceRunState:
    """Lay a Gap behind a group; the card stays in the race."""
    check_lay_gap(state, move)
    index = race.position(state.groups, move.group)
    groups = race.open_gap(state.groups, index)
    return state._replace(phase=Phase.DRAW, hands=_hands_without(state, GAP), groups=groups)


def check_accident(state: DiceRunState, move: Accident) -> None:
    """Raise unless the die is in the front group."""
    _check_card(state, ACCIDENT)
    _check_front(state, (move.die,))


def accident(state: DiceRunState, move: Accident) -> DiceRunState:
    """Send a die of the front group to the last group."""
    check_accident(state, move)
    return _played(state, ACCIDENT, race.fall_back(state.groups, DIE[move.die]))


def check_play_objective(state: DiceRunState, move: PlayObjective) -> None:
    """Raise unless the player holds the objective card and has not played one in this stage."""
    require(state, Phase.TURN)
    if state.shown[state.turn]:
        raise RuleError("objective-played", card=state.shown[state.turn])
    if move.card not in state.objectives[state.turn]:
        raise RuleError("objective-not-held", card=move.card)


def play_objective(state: DiceRunState, move: PlayObjective) -> DiceRunState:
    """Make the two movements of an objective card and leave it face up; no card is drawn."""
    check_play_objective(state, move)
    groups = objective_moves(state.groups, move.card, colour_first=move.colour_first)
    played = state._replace(
        groups=groups,
        objectives=_objectives_without(state, state.turn, move.card),
        shown=put(state.shown, state.turn, move.card),
        discarded=state.discarded + _lost_gaps(state, groups),
    )
    return pass_turn(played)


def _objectives_without(state: DiceRunState, seat: int, card: str) -> tuple[tuple[str, ...], ...]:
    return put(state.objectives, seat, without(state.objectives[seat], card))


def objective_moves(groups: Groups, card: str, *, colour_first: bool) -> Groups:
    """Advance the dice of a card's colour and value, in one order or the other."""
    for feature in card if colour_first else reversed(card):
        groups = race.advance(groups, MASK[feature])
    return groups


def check_reroll(state: DiceRunState, move: Reroll) -> None:
    """Raise if the player rerolled last, or the group is the front group."""
    _check_card(state, move.card)
    if has_rerolled_last(state):
        raise RuleError("rerolled-last")
    if move.group == 1:
        raise RuleError("front-group")
    _check_group(state, move.group)


def has_rerolled_last(state: DiceRunState) -> bool:
    """Tell whether nobody has rerolled since the player whose turn it is."""
    return state.face_down is not None and state.face_down[0] == state.turn


def reroll(state: DiceRunState, move: Reroll) -> DiceRunState:
    """Lay a card face down and take the dice of a group in hand; the card laid before is discarded."""
    check_reroll(state, move)
    before = (state.face_down[1],) if state.face_down else ()
    return state._replace(
        phase=Phase.REROLL,
        hands=_hands_without(state, move.card),
        rerolled=race.position(state.groups, move.group),
        face_down=(state.turn, move.card),
        discarded=state.discarded + before,
    )


def check_discard(state: DiceRunState, move: Discard) -> None:
    """Raise if the player has a movement card that can be applied."""
    _check_card(state, move.card)
    for card in state.hands[state.turn]:
        if is_applicable(state.groups, card):
            raise RuleError("card-applicable", card=card)


def discard(state: DiceRunState, move: Discard) -> DiceRunState:
    """Discard a card without effect."""
    check_discard(state, move)
    return _played(state, move.card, state.groups)


def check_choose(state: DiceRunState, move: Choose) -> None:
    """Raise unless the player who is to choose holds the objective card."""
    require(state, Phase.CHOICE)
    if move.card not in state.objectives[state.chooser]:
        raise RuleError("objective-not-held", card=move.card)


def choose(state: DiceRunState, move: Choose) -> DiceRunState:
    """Commit a player to an objective; after the last choice all are revealed and the stage is scored."""
    check_choose(state, move)
    seat = state.chooser
    held = _objectives_without(state, seat, move.card)
    return reveal(state._replace(objectives=held, chosen=put(state.chosen, seat, move.card)))
