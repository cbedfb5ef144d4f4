"""Whole games played by the engines' own players, one by one or on several cores."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engines import GAMES, records
from engines.base import CompleteEngine, Engine, RuleError
from engines.play import run


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate. Every game has its own generator, so any of them can be played alone and in any order."""

    game: str
    variant: str
    people: int
    seed: int
    player: str = "decent"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def engine(self) -> CompleteEngine:
        """The engine of the game."""
        return GAMES[self.game]

    @property
    def seats(self) -> list[str]:
        """The labels: seat-1, seat-2, … and the partners no person plays."""
        partners = self.engine.variant(self.variant).partners
        return [f"seat-{number}" for number in range(1, self.people + 1)] + list(partners)

    def rng(self, number: int) -> random.Random:
        """Return the generator of a game by its number."""
        return random.Random(f"{self.game} {self.variant} {self.people} {self.player} {self.seed} {number}")


@dataclass(frozen=True, slots=True)
class Played:
    """A simulated game: its record, its report with the deepest evidence, and what the documents count."""

    record: dict[str, Any]
    report: dict[str, Any]
    turns: int
    starter: int


def variant_for(engine: Engine, people: int) -> str:
    """Return the variant a number of people would play; RuleError where there is none."""
    for variant in engine.variants:
        if people in variant.people:
            return variant.slug
    raise RuleError("no-variant", people=people)


def play_game(plan: Plan, number: int) -> Played:
    """Play one game of a plan."""
    engine, seats = plan.engine, plan.seats
    state, moves = run(engine.play, plan.variant, seats, plan.player, plan.rng(number), plan.options)
    return Played(
        record=records.write(engine, plan.variant, seats, moves, plan.options),
        report=engine.play.report(state),
        turns=engine.play.turns(state),
        starter=engine.play.starter(state),
    )


def play_games(plan: Plan, games: int, jobs: int = 1) -> Iterator[Played]:
    """Play games number 0 to games - 1 of a plan, in order, on as many cores as asked for."""
    play = partial(play_game, plan)
    if jobs == 1:
        yield from map(play, range(games))
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(play, range(games), chunksize=max(1, min(50, games // (4 * jobs))))
