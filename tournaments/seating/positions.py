"""Who takes which seat of a table: every player's share of each position evens out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from itertools import permutations

Table = tuple[str, ...]
Counts = dict[str, Counter[int]]


def even_positions(rounds: Sequence[Sequence[Table]], before: Mapping[str, Counter[int]]) -> list[tuple[Table, ...]]:
    """Reorder the players of each table so that positions even out over the rounds and those before."""
    counts: Counts = {player: Counter(positions) for player, positions in before.items()}
    ordered = [[_taken(table, counts) for table in tables] for tables in rounds]
    if len(ordered) > 1:
        _exchange([table for tables in ordered for table in tables], counts)
    return [tuple(tuple(table) for table in tables) for tables in ordered]


def imbalance(rounds: Sequence[Sequence[Table]], before: Mapping[str, Counter[int]]) -> int:
    """Add up by how much more than one the most and the least used positions of each player differ.

    Only positions that every table of these rounds gave the player are compared.
    """
    counts: Counts = {player: Counter(positions) for player, positions in before.items()}
    smallest: dict[str, int] = {}
    for tables in rounds:
        for table in tables:
            for position, player in enumerate(table):
                counts.setdefault(player, Counter())[position] += 1
                smallest[player] = min(len(table), smallest.get(player, len(table)))
    return sum(_excess(counts[player], size) for player, size in smallest.items())


def _excess(counts: Counter[int], size: int) -> int:
    used = [counts[position] for position in range(size)]
    return max(0, max(used) - min(used) - 1)


def _taken(table: Table, counts: Counts) -> list[str]:
    seats = range(len(table))
    costs = [[2 * counts.setdefault(player, Counter())[seat] + 1 for seat in seats] for player in table]
    seated = [table[player] for player in _assignment(costs)]
    for position, player in enumerate(seated):
        counts[player][position] += 1
    return seated


def _exchange(tables: list[list[str]], counts: Counts) -> None:
    """Even out two positions at a time by chains of exchanges, until no chain helps.

    A player with two more of one position than of the other exchanges the two at one of their tables; the player who
    is worse off exchanges at another table, and so on to somebody who gains too.
    """
    largest = max(len(table) for table in tables)
    improved = True
    while improved:
        improved = False
        for much, little in permutations(range(largest), 2):
            both = [table for table in tables if len(table) > max(much, little)]
            holding: dict[str, list[list[str]]] = {}
            for table in both:
                holding.setdefault(table[much], []).append(table)
            for player in list(holding):
                while counts[player][much] - counts[player][little] > 1 and (
                    chain := _chain(player, holding, counts, much, little)
                ):
                    improved = True
                    for table in chain:
                        _turn(table, holding, counts, much, little)


def _chain(start: str, holding: dict[str, list[list[str]]], counts: Counts, much: int, little: int) -> list[list[str]]:
    """Return the tables of a shortest chain from a player to one who has more of `little`; none if there is none."""
    reached: dict[str, tuple[str, list[str]]] = {}
    queue = deque([start])
    while queue:
        player = queue.popleft()
        for table in holding.get(player, []):
            other = table[little]
            if other == start or other in reached:
                continue
            reached[other] = player, table
            if counts[other][little] > counts[other][much]:
                chain = []
                while other != start:
                    other, link = reached[other]
                    chain.append(link)
                return chain
            queue.append(other)
    return []


def _turn(table: list[str], holding: dict[str, list[list[str]]], counts: Counts, much: int, little: int) -> None:
    giver, taker = table[much], table[little]
    table[much], table[little] = taker, giver
    counts[giver].update({much: -1, little: 1})
    counts[taker].update({much: 1, little: -1})
    holding[giver] = [other for other in holding[giver] if other is not table]
    holding.setdefault(taker, []).append(table)


def _assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return which row takes each column so that the costs add up to the least; goes through the subsets of rows."""
    size = len(costs)
    best: dict[int, tuple[int, list[int]]] = {0: (0, [])}
    for column in range(size):
        grown: dict[int, tuple[int, list[int]]] = {}
        for taken, (total, order) in best.items():
            for row in range(size):
                if taken >> row & 1:
                    continue
                candidate = total + costs[row][column]
                key = taken | 1 << row
                if key not in grown or candidate < grown[key][0]:
                    grown[key] = (candidate, [*order, row])
        best = grown
    return best[(1 << size) - 1][1]
