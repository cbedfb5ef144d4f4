"""The state of a game in play, how it begins, and how turns and stages end.

Everything secret is visible here; a player looks only at what is theirs. The moves are in `setup` and `turns`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from engines.base import RuleError
from engines.dice_run.pieces import (
    COLOURS,
    PODIUM,
    SEATS_MAX,
    SEATS_MIN,
    SPLIT,
    STAGE_CARDS,
    VALUES,
    Card,
    deck,
    is_palette,
)
from engines.dice_run.play.race import Groups, dice_of
from engines.dice_run.scoring import clockwise, stage_order, strengths

M = TypeVar("M")


class Phase(StrEnum):
    """What happens next."""

    DICE = "dice"
    OBJECTIVES = "objectives"
    HANDS = "hands"
    PACKS = "packs"
    STARTER = "starter"
    TURN = "turn"
    REROLL = "reroll"
    DRAW = "draw"
    CHOICE = "choice"
    OVER = "over"


class StageEnd(NamedTuple):
    """How a stage of the race ended: the evidence and the podium. Objectives are in seating order."""

    revealer: str
    objectives: tuple[str, ...]
    groups: tuple[str, ...]
    podium: tuple[str, ...]


class DiceRunState(NamedTuple):
    """A moment of a game. Seats are indices, cards and dice are sorted."""

    seats: tuple[str, ...]
    colours: str
    phase: Phase
    turn: int
    """Whose turn it is; before the race, who is dealt to or throws next."""
    chooser: int
    """Who chooses an objective next, at the end of a stage."""
    groups: Groups
    hands: tuple[tuple[Card, ...], ...]
    objectives: tuple[tuple[str, ...], ...]
    """The objective cards each player still holds."""
    shown: tuple[str, ...]
    """The objective each player has played face up in this stage, else empty."""
    chosen: tuple[str, ...]
    """The objective each of the others has chosen at the end of the stage, not yet revealed, else empty."""
    pile: tuple[Card, ...]
    """The cards that are left in all packs; their order is not known."""
    packs: tuple[int, ...]
    """How many of them lie in each pack; a stage ends when the first is empty."""
    discarded: tuple[Card, ...]
    face_down: tuple[int, Card] | None
    """The player who rerolled last, and the card laid for it."""
    rerolled: int
    """The position of the group whose dice are in the air."""
    throws: tuple[int, ...]
    """What each player threw for the first turn: 0 if not yet, -1 if out of it."""
    stages: tuple[StageEnd, ...]
    starter: int
    turns: int


def start(variant: str, seats: Sequence[str], options: Mapping[str, Any]) -> DiceRunState:
    """Return a game about to begin. Options: `colours` and `cards`, how many movement cards there are by type."""
    if variant != "standard":
        raise RuleError("unknown-variant", variant=variant)
    if not SEATS_MIN <= len(seats) <= SEATS_MAX or len(set(seats)) < len(seats):
        raise RuleError("seat-count", count=len(seats), low=SEATS_MIN, high=SEATS_MAX)
    if unknown := options.keys() - {"colours", "cards"}:
        raise RuleError("unknown-option", option=min(unknown))
    colours = options.get("colours", COLOURS)
    if not is_palette(colours):
        raise RuleError("bad-option", option="colours")
    return DiceRunState(
        seats=tuple(seats),
        colours=colours,
        phase=Phase.DICE,
        turn=0,
        chooser=0,
        groups=(),
        hands=(),
        objectives=(),
        shown=("",) * len(seats),
        chosen=("",) * len(seats),
        pile=deck(colours, _split(options.get("cards", {}))),
        packs=(),
        discarded=(),
        face_down=None,
        rerolled=0,
        throws=(0,) * len(seats),
        stages=(),
        starter=0,
        turns=0,
    )


def _split(cards: object) -> dict[str, int]:
    if isinstance(cards, Mapping) and cards.keys() <= SPLIT.keys():
        split = {**SPLIT, **cards}
        are_counts = all(type(count) is int and count >= 0 for count in split.values())
        is_whole_box = are_counts and sum(split.values()) == sum(SPLIT.values())
        if is_whole_box and split["colour"] % len(COLOURS) == split["value"] % len(VALUES) == 0:
            return split
    raise RuleError("bad-option", option="cards")


def require(state: DiceRunState, phase: Phase) -> None:
    """Raise unless this is what happens next."""
    if state.phase is not phase:
        raise RuleError("game-over" if state.phase is Phase.OVER else f"{state.phase}-due")


def put(items: tuple[M, ...], index: int, item: M) -> tuple[M, ...]:
    """Return the items with another one at an index."""
    return (*items[:index], item, *items[index + 1 :])


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards with one of a kind taken out."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def pass_turn(state: DiceRunState) -> DiceRunState:
    """Let the next player begin a turn."""
    return state._replace(phase=Phase.TURN, turn=(state.turn + 1) % len(state.seats), turns=state.turns + 1)


def reveal(state: DiceRunState) -> DiceRunState:
    """Let the next player without an objective choose one; if there is none, score the stage and go on."""
    for seat, card in enumerate(stage_objectives(state)):
        if not card:
            return state._replace(phase=Phase.CHOICE, chooser=seat)
    nothing = ("",) * len(state.seats)
    stages = (*state.stages, _stage_end(state))
    scored = pass_turn(state._replace(shown=nothing, chosen=nothing, packs=state.packs[1:], stages=stages))
    return scored._replace(phase=Phase.OVER) if len(stages) == len(STAGE_CARDS) else scored


def stage_objectives(state: DiceRunState) -> tuple[str, ...]:
    """Return each player's objective of this stage, played or chosen, else empty."""
    return tuple([played or chosen for played, chosen in zip(state.shown, state.chosen, strict=True)])


def _stage_end(state: DiceRunState) -> StageEnd:
    objectives = stage_objectives(state)
    groups = tuple([" ".join(dice_of(group)) for group in state.groups if group])
    strong = {seat: strengths(card, groups) for seat, card in zip(state.seats, objectives, strict=True)}
    revealer = state.seats[state.turn]
    order = stage_order(clockwise(state.seats, revealer), strong)
    return StageEnd(revealer, objectives, groups, tuple(order[:PODIUM]))
