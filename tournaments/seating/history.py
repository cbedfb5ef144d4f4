"""What past rounds mean for the next: who met, who sat out, who sat where, counted over a fixed order of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tournaments.seating.bounds import RoundShape
from tournaments.seating.values import SeatedRound, SeatingError


class History:
    """Past rounds, seen by the players to be seated now; `players` fixes their indexes."""

    def __init__(
        self, players: Iterable[str], past: Sequence[SeatedRound], keep_apart: Iterable[tuple[str, str]] = ()
    ) -> None:
        self.players = sorted(players)
        self.index = {player: number for number, player in enumerate(self.players)}
        if len(self.index) != len(self.players):
            raise SeatingError("A player is entered twice.")
        self.past = [_checked(played) for played in past]
        self.apart = self._matrix(keep_apart)
        self.met = self._matrix(
            pair for played in self.past for table in played.tables for pair in combinations(table, 2)
        )

    def __len__(self) -> int:
        return len(self.players)

    @property
    def sat_out(self) -> Counter[str]:
        """How often each player sat out."""
        return Counter(player for played in self.past for player in played.sitting_out)

    @property
    def positions(self) -> dict[str, Counter[int]]:
        """How often each player sat in each position, counted from 0."""
        counts: dict[str, Counter[int]] = {player: Counter() for player in self.players}
        for played in self.past:
            for table in played.tables:
                for position, player in enumerate(table):
                    counts.setdefault(player, Counter())[position] += 1
        return counts

    @property
    def shapes(self) -> list[RoundShape]:
        """The past rounds as `repeats_bound` takes them."""
        return [self.shape(played) for played in self.past]

    def shape(self, played: SeatedRound) -> RoundShape:
        """Return a round's table sizes and those of the present players it seated."""
        seated = frozenset(self.index[player] for table in played.tables for player in table if player in self.index)
        return RoundShape(tuple(len(table) for table in played.tables), seated)

    def odd_tables(self, preferred: int) -> NDArray[np.float64]:
        """Count for each player the tables of another size than the preferred one."""
        count = np.zeros(len(self))
        for played in self.past:
            for table in played.tables:
                if len(table) != preferred:
                    count[[self.index[player] for player in table if player in self.index]] += 1
        return count

    def _matrix(self, pairs: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
        matrix = np.zeros((len(self), len(self)), dtype=np.int64)
        for left, right in pairs:
            if left in self.index and right in self.index and left != right:
                matrix[self.index[left], self.index[right]] += 1
                matrix[self.index[right], self.index[left]] += 1
        return matrix


def _checked(played: SeatedRound) -> SeatedRound:
    everyone = [player for table in (*played.tables, played.sitting_out) for player in table]
    if len(set(everyone)) != len(everyone):
        raise SeatingError("A player sits twice in one round.")
    return played
