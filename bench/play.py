"""Games and moves per second on one core, per game, with every player; and how much better the strong one plays.

Every deal is played once with the strong player in each seat and decent ones in the others, with the same dice and
cards, so that luck cancels out; alone, the strong player and the decent one play the same deal. What is compared is
the share of wins of both per deal, and its interval is over deals: the games of one deal count as one observation.
Where the dice leave little to decide more deals are played. Times are of the processor: a busy machine changes little.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from functools import partial
from math import sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple

import engines
from bench.tables import show
from engines.base import CompleteEngine, Standing, Variant
from engines.play import Player
from engines.play import run as play_one
from engines.simulation import Plan

AIM = 20_000
MORE_DEALS = {("ten-phases", "standard"): 5}
"""How many times as many deals are played where two players differ by less than the luck of 400."""
MOST_MS = 50
SURE = 1.96
"""Standard errors on either side of a mean that make an interval of 95 %."""


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench play", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per row")
    parser.add_argument("--deals", type=int, default=400, help="of the strong player against decent ones, per variant")
    parser.add_argument("--only", default="", help="the game and variant to compare, such as “dix solo”")
    options = parser.parse_args(arguments)
    every = [(engine, variant) for engine in engines.GAMES.values() for variant in engine.variants]
    every = [each for each in every if options.only in f"{each[0].slug} {each[1].slug}"]
    rows = [
        _speed(engine, variant, player, options.seconds)
        for engine, variant in every
        for player in ("random", "decent", "strong")
    ]
    head = ("Game, variant", "people", "player", "games/s", "moves a game", "moves/s", f"÷ {AIM:,}")
    show("Whole games on one core", head, rows)
    if options.deals:
        against = (
            "Game, variant",
            "people",
            "deals",
            "games",
            "strong",
            "decent",
            "more (95 %)",
            "ms a move",
            f"under {MOST_MS} ms",
        )
        show("Strong against decent", against, (_strength(*each, options.deals) for each in every))


def _speed(engine: CompleteEngine, variant: Variant, player: str, budget: float) -> tuple[object, ...]:
    people = variant.people[-1]
    plan = Plan(engine.slug, variant.slug, people, seed=1, player=player)
    play_one(engine.play, variant.slug, plan.seats, player, plan.rng(0), {})  # tables are built on first use
    games = moves = 0
    started = time.perf_counter()
    while (took := time.perf_counter() - started) < budget:
        games += 1
        moves += len(play_one(engine.play, variant.slug, plan.seats, player, plan.rng(games), {})[1])
    ratio = f"{moves / took / AIM:.2f}" if player == "random" else ""
    name = f"{engine.slug} {variant.slug}"
    return name, people, player, f"{games / took:.1f}", round(moves / games), f"{moves / took:,.0f}", ratio


class Timed:
    """A player, and the seconds of processor time each of its moves took."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.took: list[float] = []

    def __call__(self, view: Any, rng: random.Random) -> Any:
        """Choose as the player does."""
        started = time.process_time()
        move = self.player(view, rng)
        self.took.append(time.process_time() - started)
        return move


class Compared(NamedTuple):
    """What the strong and the decent player had of one deal: a share of wins, or alone the points or the win."""

    strong: float
    decent: float


def _strength(engine: CompleteEngine, variant: Variant, deals: int) -> tuple[object, ...]:
    people = variant.people[0]
    strong, decent = Timed(engine.play.players["strong"]), engine.play.players["decent"]
    compare = partial(_alone if people == 1 else _together, engine, variant, strong, decent)
    compared = [compare(f"deal {number}") for number in range(deals * MORE_DEALS.get((engine.slug, variant.slug), 1))]
    more = [each.strong - each.decent for each in compared]
    half = SURE * stdev(more) / sqrt(len(more))
    took = sorted(strong.took)
    return (
        f"{engine.slug} {variant.slug}",
        people,
        len(compared),
        len(compared) * max(2, people),  # alone, each of the two plays every deal
        _said(mean([each.strong for each in compared])),
        _said(mean([each.decent for each in compared])),
        f"{_said(mean(more) - half)} to {_said(mean(more) + half)}",
        f"{1000 * mean(took):.1f}",
        f"{100 * sum(each < MOST_MS / 1000 for each in took) / len(took):.1f} %",
    )


def _said(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 2 else f"{value:.1f}"


def _together(engine: CompleteEngine, variant: Variant, strong: Player, decent: Player, secret: str) -> Compared:
    """Return how often the strong player won a deal, and a decent one on average, over all seats."""
    people = variant.people[0]
    won = 0.0
    for seat in range(people):
        players = [strong if each == seat else decent for each in range(people)]
        rows = _deal(engine, variant, players, secret)
        first = [row.seat for row in rows if row.rank == 1]
        won += (f"seat-{seat + 1}" in first) / len(first)
    return Compared(won / people, (people - won) / people / (people - 1))


def _alone(engine: CompleteEngine, variant: Variant, strong: Player, decent: Player, secret: str) -> Compared:
    """Return what both had of a deal: whether they won, or the points where there is nobody to win against."""

    def result(player: Player) -> float:
        rows = _deal(engine, variant, [player] * (1 + len(variant.partners)), secret)
        own = next(row for row in rows if row.seat == "seat-1")
        return float(own.rank == 1) if variant.partners else own.score

    return Compared(result(strong), result(decent))


def _deal(engine: CompleteEngine, variant: Variant, players: Sequence[Player], secret: str) -> Sequence[Standing]:
    rules = engine.play
    seats = Plan(engine.slug, variant.slug, variant.people[0], 0).seats
    state, number = rules.start(variant.slug, seats, {}), 0
    while not rules.is_over(state):
        seat = rules.actor(state)
        if seat is None:
            move = rules.deal(state, secret, number)
        else:
            move = players[seat](rules.view(state, seat), random.Random(f"{secret} {number}"))
        state, number = rules.apply(state, move), number + 1
    return engine.check(rules.report(state)).standings or ()
