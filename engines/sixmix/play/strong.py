"""The strong player of Sixmix, and the reasons it gives as advice.

As the decent player it estimates what every row will earn, and it sees what that one does not: who will fill the head
of a row. A colour puts one die there in a round. Who still has theirs will keep it for a large number of their own;
when theirs is gone the others will put small ones there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from engines.base import Rng, Words, tenths
from engines.play import Thought
from engines.sixmix.pieces import SIDES
from engines.sixmix.play.moves import Move, Pick, Put
from engines.sixmix.play.players import DIE_VARIANCE, Outlook, Prospects, outlook
from engines.sixmix.play.rules import legal
from engines.sixmix.play.state import FREE, Phase, SixmixState

HEADS = ((2.4, 4.6), (3.0, 4.0))
"""The digits to expect at the head of a row, in games of up to four rows and of five.

The first where only others can still put a die there, the second where only its owner can.
"""
HEAD_VARIANCE = 2.6
MANY = 4


def think(state: SixmixState, rng: Rng) -> Thought:
    """Choose a move, and say why; among equals chance decides."""
    if state.phase is Phase.PICK:
        return _pick(state)
    caring = _caring(state)
    now = _points(state, state.rows, state.dice)
    best: tuple[float, float] = (float("-inf"), 0.0)
    chosen: Put | None = None
    expected: list[float] = []
    for move in legal(state):
        if isinstance(move, Put):
            then = _after(state, move)
            promise = _promise(then, caring), rng.random()
            if promise > best:
                best, chosen, expected = promise, move, then
    assert chosen is not None  # noqa: S101 -- somebody who places a die has a square for it
    return Thought(chosen, _reason(state, chosen, now, expected))


def strong(state: SixmixState, rng: Rng) -> Move:
    """Choose as `think` does."""
    move: Move = think(state, rng).move
    return move


def _pick(state: SixmixState) -> Thought:
    """Throw the die that promises most over all it may show; else keep both colours in hand as long as possible."""
    colours = [each for each in state.colours_of(state.mover) if state.left[state.colours.index(each)]]
    led = {dice[0] for dice in state.dice}
    fuller = max(colours, key=lambda each: state.left[state.colours.index(each)])
    if len({each in led for each in colours}) == 1:
        return Thought(Pick(fuller), FREEDOM)
    best = max(colours, key=lambda each: (_outcome(state, each), each == fuller))
    return Thought(Pick(best), CHANCES)


def _outcome(state: SixmixState, colour: str) -> float:
    """Return what throwing a die of a colour promises on average."""
    caring = _caring(state)
    summed = 0.0
    for number in range(1, SIDES + 1):
        thrown = replace(state, die=colour, number=number, phase=Phase.PUT)
        summed += max(_promise(_after(thrown, move), caring) for move in legal(thrown) if isinstance(move, Put))
    return summed


def _promise(points: Sequence[float], caring: Sequence[float]) -> float:
    return sum([care * each for care, each in zip(caring, points, strict=True)])


def _caring(state: SixmixState) -> list[float]:
    """Return how much the mover likes a point in each row: own ones fully, others' the less the more they have."""
    threats = [0 if seat == state.mover else 1 + total for seat, total in enumerate(state.totals)]
    by_seat = [1.0 if seat == state.mover else -threat / sum(threats) for seat, threat in enumerate(threats)]
    return [by_seat[row // state.rows_per_seat] for row in range(len(state.colours))]


def _after(state: SixmixState, move: Put) -> list[float]:
    index, column = state.colours.index(move.row), move.square - 1
    row, dice = state.rows[index], state.dice[index]
    rows = (*state.rows[:index], row[:column] + str(state.number) + row[column + 1 :], *state.rows[index + 1 :])
    placed = (*state.dice[:index], dice[:column] + state.die + dice[column + 1 :], *state.dice[index + 1 :])
    return _points(state, rows, placed)


def _points(state: SixmixState, rows: Sequence[str], dice: Sequence[str]) -> list[float]:
    """Return about how many points each row will earn."""
    led = {placed[0] for placed in dice}
    to_lead = sum([colour not in led for colour in state.colours])
    low, high = HEADS[len(rows) > MANY]
    outlooks = []
    for index, row in enumerate(rows):
        if row[0] == FREE:
            own = sum([colour not in led for colour in state.colours_of(index // state.rows_per_seat)])
            outlooks.append(_headed(row, low + (high - low) * own / to_lead))
        else:
            outlooks.append(outlook(row))
    return Prospects.among(outlooks).points()


@lru_cache(maxsize=1 << 15)
def _headed(row: str, head: float) -> Outlook:
    """Return what to expect of a row whose head is still free, and likely to be this digit."""
    usual = outlook(row)
    mean = usual.mean - (1 + SIDES) / 2 + head
    return Outlook(mean, usual.variance - DIE_VARIANCE + HEAD_VARIANCE, usual.triples)


def _reason(state: SixmixState, move: Put, now: list[float], then: list[float]) -> Words:
    mine = [row // state.rows_per_seat == state.mover for row in range(len(then))]
    own = sum(each for each, is_mine in zip(then, mine, strict=True) if is_mine)
    before = sum(each for each, is_mine in zip(now, mine, strict=True) if is_mine)
    if mine[state.colours.index(move.row)]:
        return OWN.filled(points=tenths(own))
    owner = state.seats[state.colours.index(move.row) // state.rows_per_seat]
    text = LOWERS if own >= before else HARMLESS
    return text.filled(points=tenths(own), owner=owner)


FREEDOM = Words("It leaves dice of both colours in hand.", "Il reste ainsi des dés des deux couleurs en main.")
CHANCES = Words("Over all it may show, this die promises most.", "Tout compte fait, c’est ce dé qui promet le plus.")
OWN = Words(
    "Your rows can then expect about {points} points in this round.",
    "Vos rangées peuvent alors attendre environ {points} points dans cette manche.",
)
LOWERS = Words(
    "It does {owner} more harm than any other square does you good; you can expect about {points} points.",
    "Cela gêne {owner} plus qu’une autre case ne vous aide ; vous pouvez attendre environ {points} points.",
)
HARMLESS = Words(
    "It hurts you less there than in your own row; you can expect about {points} points.",
    "Il vous coûte moins là que dans votre rangée ; vous pouvez attendre environ {points} points.",
)
