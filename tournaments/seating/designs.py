"""The best known schedule without a repeat for a number of tables, fitted to the players there are."""

from __future__ import annotations

from random import Random

import numpy as np

from tournaments.seating.algebra import columns_design
from tournaments.seating.search import Flags, Ints, meetings
from tournaments.seating.starters import starter_design

ATTEMPTS = 20  # ways to leave players out, of which the fairest is taken
RENAMINGS = 2_000  # exchanges of two players tried to keep pairs apart


def clean_rounds(sizes: tuple[int, ...], rounds: int, rng: Random) -> Ints:
    """Return up to `rounds` rounds (round, player) in which nobody meets twice; possibly none.

    Sizes may differ by one: then the schedule is for full tables, and players who never meet in it are left out.
    """
    tables, size = len(sizes), max(sizes)
    missing = tables * size - sum(sizes)
    known = starter_design(tables, size)
    design = known[:rounds] if len(known) >= rounds else max(columns_design(tables, size, rounds), known, key=len)
    while design:
        full = np.array(design, dtype=np.int64)
        left_out = _strangers(full, missing, rng)
        if left_out is not None:
            return _numbered(np.delete(full, left_out, axis=1), sizes)
        design = design[:-1]
    return np.zeros((0, sum(sizes)), dtype=np.int64)


def rename(tables: Ints, apart: Flags, rng: Random) -> Ints:
    """Exchange players throughout a schedule until keep-apart pairs do not meet, or no exchange helps.

    Who meets whom in which number stays the same, so no repeat is added.
    """
    meet = meetings(tables) > 0
    names = np.arange(len(meet))
    lefts, rights = np.nonzero(np.triu(apart))
    for _ in range(RENAMINGS):
        broken = np.flatnonzero(meet[names[lefts], names[rights]])
        if not len(broken):
            break
        pair = rng.choice(broken)
        one, other = rng.choice((lefts[pair], rights[pair])), rng.randrange(len(names))
        swapped = names.copy()
        swapped[[one, other]] = names[[other, one]]
        if meet[swapped[lefts], swapped[rights]].sum() <= len(broken):
            names = swapped
    return tables[:, names]


def _strangers(full: Ints, count: int, rng: Random) -> list[int] | None:
    """Choose players who never meet, so that the gaps they leave fall on the others as evenly as possible."""
    if count == 0:
        return []
    meet = meetings(full)
    np.fill_diagonal(meet, 1)  # so that nobody is chosen twice
    best: tuple[int, list[int]] | None = None
    for _ in range(ATTEMPTS):
        chosen: list[int] = []
        free = np.arange(len(meet))
        while len(free) and len(chosen) < count:
            chosen.append(int(free[rng.randrange(len(free))]))
            free = free[meet[chosen[-1], free] == 0]
        if len(chosen) == count:
            gaps = np.delete(meet[chosen].sum(axis=0), chosen)
            unfairness = int((gaps**2).sum())
            if best is None or unfairness < best[0]:
                best = unfairness, chosen
    return best[1] if best else None


def _numbered(tables: Ints, sizes: tuple[int, ...]) -> Ints:
    """Number the tables of each round so that their sizes come in the order given."""
    numbered = np.empty_like(tables)
    for number, labels in enumerate(tables):
        counts = np.bincount(labels, minlength=len(sizes))
        place = np.empty(len(sizes), dtype=np.int64)
        place[np.argsort(-counts, kind="stable")] = np.argsort(-np.array(sizes), kind="stable")
        numbered[number] = place[labels]
    return numbered
