"""Players for simulations: one at random, and one who looks a move ahead and knows only what a player may know.

What is legal is left to `rules`; neither of them remembers anything between two moves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engines.base import Rng
from engines.dice_run.pieces import OBJECTIVES, SECOND, STAGE_CARDS, THIRD, VALUES, faces
from engines.dice_run.play.choices import TurnMoves
from engines.dice_run.play.moves import Choose, Move, PlayObjective, Reroll, Sprint
from engines.dice_run.play.race import DIE, MASK, Group, Groups, count_groups, dice_of, size
from engines.dice_run.play.rules import apply, legal
from engines.dice_run.play.state import DiceRunState, Phase
from engines.dice_run.play.turns import LEADERS
from engines.dice_run.scoring import strength
from engines.play import Player

_LATER = 0.1  # what an objective for a later stage counts beside the one for this stage
_FRONT = 128  # strengths are at most 6 + 30 + 6: the front group decides, then the second


def play_random(state: DiceRunState, rng: Rng) -> Move:
    """Make any legal move, each as likely as the others."""
    return legal(state).sample(rng)


def play_decent(state: DiceRunState, rng: Rng) -> Move:
    """Make the move after which the race is best for one's own objectives, as far as one can know."""
    if state.phase is Phase.CHOICE:
        view = view_of(state, state.chooser)
        prospects = view.prospects(state.groups, view.own)
        return Choose(max(zip(prospects, view.own, strict=True))[1])
    view = view_of(state, state.turn)
    best, chosen = -1.0, []
    for move in candidates(state, view.own):
        own = (move.card,) if isinstance(move, PlayObjective) else view.own
        value = view.value(apply(state, move).groups, own)
        if value > best:
            best, chosen = value, [move]
        elif value == best:
            chosen.append(move)
    return chosen[int(rng.random() * len(chosen))]


def candidates(state: DiceRunState, own: Sequence[str]) -> Iterator[Move]:
    """Return the moves worth a look: of rerolls those of the last group, of Sprints the best for each objective.

    An objective is not played before the last round of a stage: it would only be given away.
    """
    moves = legal(state)
    last = count_groups(state.groups)
    is_last_round = state.packs[0] <= len(state.seats)
    for move in moves.listed if isinstance(moves, TurnMoves) else moves:
        is_early = isinstance(move, PlayObjective) and not is_last_round
        if not is_early and (not isinstance(move, Reroll) or move.group == last):
            yield move
    if isinstance(moves, TurnMoves):
        dice = dice_of(state.groups[0])
        for card in own:
            fit = sorted(dice, key=lambda die: strength(card, die), reverse=True)
            yield Sprint(tuple(sorted(fit[:LEADERS])))


@dataclass(frozen=True, slots=True)
class View:
    """What a player knows of the objectives in a stage."""

    colours: str
    trophy: int
    own: tuple[str, ...]
    shown: tuple[str, ...]
    """What others have played face up."""
    hidden: int
    """How many others have not."""
    held: int
    """How many cards each of those chooses from."""
    pool: tuple[str, ...]
    """The cards they may hold."""

    def value(self, groups: Groups, own: Sequence[str]) -> float:
        """Say how good a race is for objectives: the best counts for this stage, the others a little for later."""
        prospects = self.prospects(groups, own)
        best = max(prospects)
        return best + _LATER * (sum(prospects) - best)

    def prospects(self, groups: Groups, own: Sequence[str]) -> list[float]:
        """Return the points to be expected with each objective if the stage ended now."""
        front = strengths_in(groups[0], self.colours)
        second = strengths_in(next((group for group in groups[1:] if group), 0), self.colours)
        pool = sorted([_FRONT * front[card] + second[card] for card in self.pool])
        shown = [_FRONT * front[card] + second[card] for card in self.shown]
        return [self._points(_FRONT * front[card] + second[card], shown, pool) for card in own]

    def _points(self, own: int, shown: list[int], pool: list[int]) -> float:
        weaker = (bisect_left(pool, own) + bisect_right(pool, own)) / (2 * len(pool))
        beaten = [weaker**self.held] * self.hidden
        beaten += [(own > other) + 0.5 * (own == other) for other in shown]
        first, second, third = 1.0, 0.0, 0.0  # how likely it is that 0, 1, 2 of the others are ahead
        for chance in beaten:
            third = third * chance + second * (1 - chance)
            second = second * chance + first * (1 - chance)
            first *= chance
        return self.trophy * first + SECOND * second + THIRD * third


def view_of(state: DiceRunState, seat: int) -> View:
    """Return what a seat knows of the objectives."""
    mine, played = state.objectives[seat], state.shown[seat]
    others = tuple([card for other, card in enumerate(state.shown) if card and other != seat])
    known = {*mine, played, *others}.union(*[end.objectives for end in state.stages])
    return View(
        colours=state.colours,
        trophy=STAGE_CARDS[len(state.stages)],
        own=(played,) if played else mine,
        shown=others,
        hidden=len(state.seats) - 1 - len(others),
        held=OBJECTIVES - len(state.stages),
        pool=tuple([card for card in sorted(faces(state.colours)) if card not in known]),
    )


@lru_cache(maxsize=1 << 14)
def strengths_in(group: Group, colours: str) -> Mapping[str, int]:
    """Return the strength of every objective in a group."""
    values = [(value, size(group & MASK[value])) for value in VALUES]
    table = {}
    for colour in colours:
        same = size(group & MASK[colour])
        for value, count in values:
            face = colour + value
            table[face] = same + count + (group // DIE[face] & 7)
    return table


PLAYERS: dict[str, Player] = {"random": play_random, "decent": play_decent}
