"""Legal moves that are too many to list, described so that they can be counted, recognised, listed and sampled.

When they are legal is left to `rules`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, permutations, product
from math import comb, prod

from engines.base import Rng
from engines.dice_run.pieces import PACKS, VALUES
from engines.dice_run.play.moves import DealHand, DealObjectives, Move, Roll, Split, Sprint, StarterRoll


@lru_cache(maxsize=4096)
def _ways(counts: tuple[int, ...], size: int) -> tuple[tuple[int, ...], ...]:
    """Return per kind how many selections of 0, 1, … `size` pieces the kinds from this one on allow."""
    table = [(1, *(0,) * size)]
    for count in reversed(counts):
        behind = table[-1]
        table.append(tuple([sum(behind[max(0, total - count) : total + 1]) for total in range(size + 1)]))
    return tuple(reversed(table))


@dataclass(frozen=True, slots=True)
class Selections:
    """Moves that take some pieces of a sorted pool, in which some may be alike."""

    kind: type[DealObjectives | DealHand | Sprint]
    pool: tuple[str, ...]
    size: int

    def _counts(self) -> dict[str, int]:
        return Counter(self.pool)

    @property
    def count(self) -> int:
        """How many there are."""
        return _ways(tuple(self._counts().values()), self.size)[0][self.size]

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, self.kind):
            return False
        pieces = move.dice if isinstance(move, Sprint) else move.cards
        return len(pieces) == self.size and Counter(pieces) <= Counter(self.pool) and list(pieces) == sorted(pieces)

    def __iter__(self) -> Iterator[Move]:
        return map(self.kind, sorted(set(combinations(self.pool, self.size))))

    def sample(self, rng: Rng) -> Move:
        """Return one of them, each as likely as the others."""
        counts = self._counts()
        ways = _ways(tuple(counts.values()), self.size)
        rank, left = int(rng.random() * ways[0][self.size]), self.size
        taken: list[str] = []
        for (piece, count), behind in zip(counts.items(), ways[1:], strict=True):
            number = min(count, left)
            while rank >= behind[left - number]:
                rank -= behind[left - number]
                number -= 1
            taken += [piece] * number
            left -= number
        return self.kind(tuple(taken))


SIMILAR = 6
"""Packs are similar if the largest has at most this many cards more than the smallest."""


@lru_cache(maxsize=16)
def _similar_packs(total: int) -> tuple[Split, ...]:
    """Return every split into packs of similar sizes, all different."""
    middle = total // PACKS
    sizes = range(max(1, middle - SIMILAR), middle + SIMILAR + 1)
    packs = [each for each in combinations(sizes, PACKS) if sum(each) == total and each[-1] - each[0] <= SIMILAR]
    return tuple([Split(order) for each in packs for order in permutations(each)])


@dataclass(frozen=True, slots=True)
class Packs:
    """How a pile of cards can be split into packs of which none is empty."""

    total: int

    @property
    def count(self) -> int:
        """How many there are."""
        return comb(self.total - 1, PACKS - 1)

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Split)
            and len(move.sizes) == PACKS
            and min(move.sizes) >= 1
            and sum(move.sizes) == self.total
        )

    def __iter__(self) -> Iterator[Split]:
        similar = dict.fromkeys(_similar_packs(self.total))  # these come first: the first ones are shown as examples
        every = map(self._cut, combinations(range(1, self.total), PACKS - 1))
        return chain(similar, (split for split in every if split not in similar))

    def _cut(self, places: Sequence[int]) -> Split:
        return Split(tuple([high - low for low, high in pairwise([0, *places, self.total])]))

    def sample(self, rng: Rng) -> Split:
        """Return one of them, each as likely as the others; `split` makes such packs as people do."""
        return self._cut(sorted(rng.sample(range(1, self.total), PACKS - 1)))

    def split(self, rng: Rng) -> Split:
        """Make packs of similar but different sizes, as the rulebook advises."""
        similar = _similar_packs(self.total)
        return similar[int(rng.random() * len(similar))]


@dataclass(frozen=True, slots=True)
class Rolls:
    """What dice of certain colours can show; `colours` has a letter per die."""

    colours: str

    def _counts(self) -> list[tuple[str, int]]:
        return sorted(Counter(self.colours).items())

    @property
    def count(self) -> int:
        """How many there are."""
        return prod(comb(count + len(VALUES) - 1, count) for _, count in self._counts())

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Roll) or list(move.dice) != sorted(move.dice):
            return False
        return sorted(die[0] for die in move.dice) == sorted(self.colours) and all(
            die[1:] in [*VALUES] for die in move.dice
        )

    def __iter__(self) -> Iterator[Roll]:
        throws = [combinations_with_replacement([c + v for v in VALUES], count) for c, count in self._counts()]
        return (Roll(tuple(chain.from_iterable(throw))) for throw in product(*throws))

    def sample(self, rng: Rng) -> Roll:
        """Return one of them, each as likely as the others; `throw` is as likely as with real dice."""
        dice: list[str] = []
        for colour, count in self._counts():
            # Six values in a row of dice and five bars between values: the places of the bars tell the throw.
            bars = sorted(rng.sample(range(count + len(VALUES) - 1), len(VALUES) - 1))
            edges = [-1, *bars, count + len(VALUES) - 1]
            for value, low, high in zip(VALUES, edges, edges[1:], strict=False):
                dice += [colour + value] * (high - low - 1)
        return Roll(tuple(dice))

    def throw(self, rng: Rng) -> Roll:
        """Throw the dice."""
        return Roll(tuple(sorted([colour + VALUES[int(rng.random() * 6)] for colour in self.colours])))


@dataclass(frozen=True, slots=True)
class StarterRolls:
    """What a player can throw for the first turn with any two dice of a sorted group."""

    dice: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        kinds = Counter(self.dice)
        alike = sum(count > 1 for count in kinds.values())
        return comb(len(kinds), 2) * len(VALUES) ** 2 + alike * comb(len(VALUES) + 1, 2)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, StarterRoll) or len(move.dice) != 2 or list(move.dice) != sorted(move.dice):
            return False
        return Counter(before for before, _ in move.dice) <= Counter(self.dice) and all(
            after[0] == before[0] and after[1:] in [*VALUES] for before, after in move.dice
        )

    def __iter__(self) -> Iterator[StarterRoll]:
        for first, second in sorted(set(combinations(self.dice, 2))):
            for values in product(VALUES, repeat=2) if first != second else combinations_with_replacement(VALUES, 2):
                yield StarterRoll(((first, first[0] + values[0]), (second, second[0] + values[1])))

    def sample(self, rng: Rng) -> StarterRoll:
        """Return one of them, each as likely as the others; `throw` is as likely as with real dice."""
        moves = list(self)
        return moves[int(rng.random() * len(moves))]

    def throw(self, rng: Rng) -> StarterRoll:
        """Take two dice and throw them."""
        taken = rng.sample(self.dice, 2)
        return StarterRoll(tuple(sorted([(die, die[0] + VALUES[int(rng.random() * 6)]) for die in taken])))


@dataclass(frozen=True, slots=True)
class TurnMoves:
    """What a player can do in a turn: a list, and Sprints."""

    listed: tuple[Move, ...]
    sprints: Selections

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.listed) + self.sprints.count

    def __contains__(self, move: object) -> bool:
        return move in self.listed or move in self.sprints

    def __iter__(self) -> Iterator[Move]:
        return chain(self.listed, self.sprints)

    def sample(self, rng: Rng) -> Move:
        """Return one of them, each as likely as the others."""
        index = int(rng.random() * self.count)
        return self.listed[index] if index < len(self.listed) else self.sprints.sample(rng)
