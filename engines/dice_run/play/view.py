"""A race as one seat may see it, and as JSON to be drawn.

Hands, objectives and the card a player laid face down are secret. What a seat has not seen it can count: the cards in
the pile and in the others' hands are together the rest of the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.base import Words
from engines.dice_run.pieces import STAGE_CARDS
from engines.dice_run.play.moves import Choose, DealHand, DealObjectives, Draw, Move, Reroll
from engines.dice_run.play.race import dice_of
from engines.dice_run.play.rules import outcome
from engines.dice_run.play.state import DiceRunState
from engines.play import UNKNOWN


def view(state: DiceRunState, seat: int | None) -> DiceRunState:
    """Return the state as a seat may see it, or for None as everybody may.

    The `pile` of a view holds every movement card its seat has not seen, so more than lie in the packs.
    """
    unseen = list(state.pile)
    hands, objectives = list(state.hands), list(state.objectives)
    for other in range(len(state.seats)):
        if other != seat:
            if other < len(hands):
                unseen += hands[other]
                hands[other] = (UNKNOWN,) * len(hands[other])
            if other < len(objectives):
                objectives[other] = (UNKNOWN,) * len(objectives[other])
    face_down = state.face_down
    if face_down is not None and face_down[0] != seat:
        unseen.append(face_down[1])
        face_down = (face_down[0], UNKNOWN)
    chosen = tuple(["" if not card else card if other == seat else UNKNOWN for other, card in enumerate(state.chosen)])
    return state._replace(
        hands=tuple(hands),
        objectives=tuple(objectives),
        chosen=chosen,
        face_down=face_down,
        pile=tuple(sorted([card for card in unseen if card != UNKNOWN])),
    )


def owner(state: DiceRunState, move: Move) -> int | None:
    """Return the seat that alone may know what a move was, None where everybody may."""
    if isinstance(move, DealObjectives | DealHand | Draw | Reroll):
        return state.turn
    return state.chooser if isinstance(move, Choose) else None


def picture(state: DiceRunState, _language: str) -> dict[str, Any]:
    """Return the race and the cards as JSON; a Gap is a group without dice, and null a card that is not known."""
    points = {row.seat: row.score for row in outcome(state)}
    return {
        "phase": str(state.phase),
        "stage": min(len(state.stages) + 1, len(STAGE_CARDS)),
        "trophy": STAGE_CARDS[min(len(state.stages), len(STAGE_CARDS) - 1)],
        "colours": state.colours,
        "groups": [dice_of(group) for group in state.groups],
        "packs": list(state.packs),
        "discarded": list(state.discarded),
        "rerolled": None if state.face_down is None else state.seats[state.face_down[0]],
        "players": [
            {
                "seat": label,
                "points": points[label],
                "hand": _known(state.hands, seat),
                "objectives": _known(state.objectives, seat),
                "shown": state.shown[seat] or None,
                "has_chosen": bool(state.chosen[seat]),
            }
            for seat, label in enumerate(state.seats)
        ],
        "stages": [
            {
                "podium": list(end.podium),
                "objectives": dict(zip(state.seats, end.objectives, strict=True)),
                "groups": [group.split() for group in end.groups],
            }
            for end in state.stages
        ],
    }


def _known(held: Sequence[Sequence[str]], seat: int) -> list[str | None]:
    return [None if card == UNKNOWN else card for card in held[seat]] if seat < len(held) else []


STAGE = Words(
    "Stage {stage}, worth {trophy}. Cards until it ends: {left}.",
    "Étape {stage}, qui vaut {trophy}. Cartes avant sa fin : {left}.",
)
HELD = Words(
    "{points} points, cards {hand}, objectives {objectives}", "{points} points, cartes {hand}, objectifs {objectives}"
)


def draw(state: DiceRunState, language: str) -> list[str]:
    """Return the race and the cards as lines of text; a question mark is a card that is not known."""
    wide = max(map(len, state.seats))
    points = {row.seat: row.score for row in outcome(state)}
    lines = []
    for seat, label in enumerate(state.seats):
        hand = " ".join(state.hands[seat]) if seat < len(state.hands) else "–"
        objectives = " ".join(state.objectives[seat]) if seat < len(state.objectives) else "–"
        if state.shown[seat]:
            objectives = f"[{state.shown[seat]}] {objectives}"
        held = HELD.filled(points=points[label], hand=hand, objectives=objectives)
        lines.append(f"{label:<{wide}}  {held.into(language)}")
    if state.packs and len(state.stages) < len(STAGE_CARDS):
        number = len(state.stages)
        said = STAGE.filled(stage=number + 1, trophy=STAGE_CARDS[number], left=state.packs[0])
        lines += ["", said.into(language)]
    numbers = iter(range(1, len(state.groups) + 1))
    return lines + [f"{next(numbers)}  {' '.join(dice_of(group))}" if group else "–" for group in state.groups]
