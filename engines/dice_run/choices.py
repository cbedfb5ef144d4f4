"""Legal moves that are too many to list: described so that they can be counted, recognised, listed and sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, product
from math import comb, prod

from engines.base import Rng
from engines.dice_run.moves import DealHand, DealObjectives, Move, Roll, Sprint, StarterRoll
from engines.dice_run.pieces import VALUES


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
