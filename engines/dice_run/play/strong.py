"""The strong player of Dice Run, and the reasons it gives as advice. It knows what its seat may see and no more.

The decent player asks who would win if the stage ended now. This one asks how the race will stand when the others have
moved: one of them is likely to advance a colour or a value, which may tear the front group apart or bring up dice from
behind, so it takes the mean over all of them. Only who moves last in a stage looks at the race as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.base import Rng, Words, tenths
from engines.dice_run.pieces import VALUES
from engines.dice_run.play.moves import Choose, Move, PlayObjective
from engines.dice_run.play.players import View, candidates, view_of
from engines.dice_run.play.race import MASK, advance
from engines.dice_run.play.rules import apply
from engines.dice_run.play.state import DiceRunState, Phase
from engines.dice_run.play.telling import die_words
from engines.dice_run.play.view import view
from engines.play import Thought

MOVED = 1.0
"""How much the race after another's move counts beside the race as it is."""


def think(state: DiceRunState, rng: Rng) -> Thought:
    """Choose a move, and say why; among equals chance decides."""
    seat = state.chooser if state.phase is Phase.CHOICE else state.turn
    seen = view(state, seat)
    known = view_of(seen, seat)
    if seen.phase is Phase.CHOICE:
        prospects = known.prospects(seen.groups, known.own)
        points, card = max(zip(prospects, known.own, strict=True))
        return Thought(Choose(card), REVEAL.filled(points=tenths(points)))
    best, chosen = float("-inf"), []
    for move in candidates(seen, known.own):
        worth = _worth(seen, known, move)
        if worth > best:
            best, chosen = worth, [move]
        elif worth == best:
            chosen.append(move)
    made = chosen[int(rng.random() * len(chosen))]
    own = _own(known, made)
    points, card = max(zip(known.prospects(apply(seen, made).groups, own), own, strict=True))
    return Thought(made, PROSPECT.filled(points=tenths(points), card=die_words(card)))


def strong(state: DiceRunState, rng: Rng) -> Move:
    """Choose as `think` does."""
    move: Move = think(state, rng).move
    return move


def _own(known: View, move: Move) -> Sequence[str]:
    return (move.card,) if isinstance(move, PlayObjective) else known.own


def _worth(state: DiceRunState, known: View, move: Move) -> float:
    """Return how good the race is after a move, and after what somebody else may do then."""
    own, groups = _own(known, move), apply(state, move).groups
    now = known.value(groups, own)
    if state.packs[0] == 1 and not isinstance(move, PlayObjective):  # the card that is drawn now ends the stage
        return now
    features = (*state.colours, *VALUES)
    return now + MOVED * (
        sum([known.value(advance(groups, MASK[each]), own) for each in features]) / len(features) - now
    )


PROSPECT = Words(
    "The objective {card} could then expect about {points} points, and it holds when others move.",
    "L’objectif {card} pourrait alors attendre environ {points} points, et cela tient quand les autres jouent.",
)
REVEAL = Words("It can expect about {points} points.", "Il peut attendre environ {points} points.")
