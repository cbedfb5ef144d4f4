"""Games that players of unequal strength really play, on several cores. Knows the engines only, and no database."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from engines import GAMES, custom
from engines.base import Rng
from engines.custom import samples
from engines.play import Play, run

MOST_CORES = 4

# The share of moves the weakest players make at random, by game: enough to show in the ratings and too little for
# scores that nobody would believe.
SLIPS = {"ten-phases": 0.15, "sixmix": 0.5, "dix": 0.05, "dice-run": 0.45}


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table to be played: the labels of its sheet in order, and how weak each is, from 0 to 1."""

    game: str
    variant: str
    seats: Sequence[str]
    weakness: Sequence[float]
    seed: int
    definition: dict[str, Any] | None = None  # of a club's own game


def play(sitting: Sitting) -> dict[str, Any]:
    """Play a table to the end and return its sheet; of a club's own game, one that might have been."""
    if sitting.definition is not None:
        return samples.sheet(custom.stored(sitting.definition), sitting.seats, random.Random(sitting.seed))
    rules = GAMES[sitting.game].play
    slips = [SLIPS[sitting.game] * each for each in sitting.weakness]
    mixed = dataclasses.replace(rules, players={"mixed": partial(_move, rules, slips)})
    rng = random.Random(f"{sitting.game} {sitting.seed}")
    state, _moves = run(mixed, sitting.variant, sitting.seats, "mixed", rng, {})
    return rules.report(state)


def _move(rules: Play, slips: Sequence[float], state: Any, rng: Rng) -> Any:
    actor = rules.actor(state)
    slip = slips[actor] if actor is not None and actor < len(slips) else 0
    return rules.players["random" if rng.random() < slip else "decent"](state, rng)


class Hall:
    """Where tables are played at the same time."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def play(self, sittings: Iterable[Sitting]) -> Iterator[dict[str, Any]]:
        """Begin to play tables at once, and yield their sheets in order: one is sent while the next are played."""
        return self._pool.map(play, sittings)

    def warm_up(self, tables: int) -> None:
        """Have every process import the rules and build what its first game needs, while nobody waits for one."""
        for seed in range(tables):
            self._pool.submit(play, Sitting("ten-phases", "standard", ["1", "2"], [0, 0], seed))


@contextmanager
def open_hall() -> Iterator[Hall]:
    """Open a hall with a process per core; they start anew, so that none shares a database connection."""
    cores = min(MOST_CORES, os.cpu_count() or 1)
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        hall = Hall(pool)
        hall.warm_up(cores)
        yield hall
