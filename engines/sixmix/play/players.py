"""Who plays: a uniform random player and a decent one. They choose moves; what is legal is left to `rules`.

The decent player supposes that free squares fill up by chance. It estimates what every row will then earn, and puts
its die where that gains it most compared with the others, above all with those who lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from math import comb, erf, sqrt
from typing import NamedTuple

from engines.base import Rng
from engines.play import Player
from engines.sixmix.pieces import SIDES, SQUARES
from engines.sixmix.play.moves import Move, Pick, Put
from engines.sixmix.play.rules import legal
from engines.sixmix.play.state import FREE, Phase, SixmixState
from engines.sixmix.scoring import Place

DIE_MEAN = (1 + SIDES) / 2
DIE_VARIANCE = (SIDES**2 - 1) / 12
WEIGHTS = tuple(0.1**square for square in range(SQUARES))


def play_random(state: SixmixState, rng: Rng) -> Move:
    """Choose any legal move."""
    return legal(state).sample(rng)


def play_decent(state: SixmixState, rng: Rng) -> Move:
    """Choose the move that promises most; among equals chance decides."""
    if state.phase is Phase.PICK:
        return _fuller_colour(state)
    caring, now = _caring(state), Prospects.of(state.rows)
    scored = [(_promise(state, move, caring, now), rng.random(), move) for move in _sensible(legal(state))]
    return max(scored, key=lambda each: each[:2])[2]


def _sensible(moves: Iterable[Move]) -> Iterator[Put]:
    """Leave out squares between others of a row: a number does most on the left or does least on the right."""
    puts = (move for move in moves if isinstance(move, Put))
    for _, group in groupby(puts, key=lambda move: move.row):
        squares = list(group)
        yield from squares[:2]  # the hundred-thousand square and the next one
        yield from squares[2:][-1:]


def _fuller_colour(state: SixmixState) -> Pick:
    """Keep both colours in hand as long as possible, which leaves most freedom in the hundred-thousand column."""
    return Pick(max(state.colours_of(state.mover), key=lambda colour: state.left[state.colours.index(colour)]))


def _caring(state: SixmixState) -> list[float]:
    """Return how much the mover likes a point in each row: own ones fully, others' the less the more they have."""
    threats = [0 if seat == state.mover else 1 + total for seat, total in enumerate(state.totals)]
    by_seat = [1.0 if seat == state.mover else -threat / sum(threats) for seat, threat in enumerate(threats)]
    return [by_seat[row // state.rows_per_seat] for row in range(len(state.colours))]


def _promise(state: SixmixState, move: Put, caring: Sequence[float], now: Prospects) -> float:
    changed = state.colours.index(move.row)
    row = state.rows[changed]
    then = now.changed(changed, row[: move.square - 1] + str(state.number) + row[move.square :])
    return sum(care * points for care, points in zip(caring, then.points(), strict=True))


class Outlook(NamedTuple):
    """What a row will be when its free squares are filled by chance; the lead digit is the unit of the number."""

    mean: float
    variance: float
    triples: float


@lru_cache(maxsize=1 << 15)
def outlook(row: str) -> Outlook:
    """Return what to expect of a row; free squares are dots."""
    mean = variance = 0.0
    for weight, digit in zip(WEIGHTS, row, strict=True):
        if digit == FREE:
            mean += weight * DIE_MEAN
            variance += weight**2 * DIE_VARIANCE
        else:
            mean += weight * int(digit)
    free = row.count(FREE)
    triples = sum(_expected_triples(row.count(str(number)), free) for number in range(1, SIDES + 1))
    return Outlook(mean, variance, triples)


@cache
def _expected_triples(have: int, free: int) -> float:
    """Return the triples of one number to expect when there are some dice with it and some squares still free."""
    hit = 1 / SIDES
    chances = [comb(free, more) * hit**more * (1 - hit) ** (free - more) for more in range(free + 1)]
    return sum(chance * ((have + more) // 3) for more, chance in enumerate(chances))


class Prospects(NamedTuple):
    """What to expect of all rows, and for every two of them how likely the one beats the other."""

    outlooks: list[Outlook]
    ahead: list[list[float]]

    @classmethod
    def of(cls, rows: Sequence[str]) -> Prospects:
        """Return the prospects of these rows."""
        return cls.among([outlook(row) for row in rows])

    @classmethod
    def among(cls, outlooks: list[Outlook]) -> Prospects:
        """Return the prospects of rows of which this is expected."""
        return cls(outlooks, [_against(own, index, outlooks) for index, own in enumerate(outlooks)])

    def changed(self, index: int, row: str) -> Prospects:
        """Return the prospects with one row changed."""
        outlooks = self.outlooks.copy()
        outlooks[index] = outlook(row)
        own = _against(outlooks[index], index, outlooks)
        ahead = [[*chances[:index], 1 - own[other], *chances[index + 1 :]] for other, chances in enumerate(self.ahead)]
        ahead[index] = own
        return Prospects(outlooks, ahead)

    def points(self) -> list[float]:
        """Return about how many points each row will earn, as if numbers were normal and independent."""
        return [
            _points_for_number(chances) + row.triples for row, chances in zip(self.outlooks, self.ahead, strict=True)
        ]


def _against(own: Outlook, index: int, outlooks: Sequence[Outlook]) -> list[float]:
    """Return how likely a row beats each of the others; 1 in its own place, where it changes nothing."""
    return [1.0 if place == index else _ahead(own, other) for place, other in enumerate(outlooks)]


def _points_for_number(ahead: Sequence[float]) -> float:
    """Return two points times the chance to beat all others, and one times that to beat all but one."""
    highest, second = 1.0, 0.0
    for chance in ahead:
        highest, second = highest * chance, second * chance + highest * (1 - chance)
    return Place.HIGHEST * highest + Place.SECOND * second


def _ahead(own: Outlook, other: Outlook) -> float:
    """Return the probability that a row beats another; the smallest step keeps full rows comparable."""
    spread = sqrt(2 * (own.variance + other.variance)) + WEIGHTS[-1] / 10
    return (1 + erf((own.mean - other.mean) / spread)) / 2


PLAYERS: dict[str, Player] = {"random": play_random, "decent": play_decent}
