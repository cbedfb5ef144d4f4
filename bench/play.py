"""Games and moves per second on one core, per game, with every player; and how much better the strong one plays.

Every deal is played once with the strong player in each seat and decent ones in the others, with common dice and
cards: what falls follows from the deal and the place in the game, as far as possible not from what anybody decides.
In 10 Phases each die falls alike at the same throw of the same attempt of a seat. So players that decide alike have
the same game, and luck cancels out. Alone, both play the same deal. What is compared is the share of wins of both per
deal, and its interval is over deals: the games of one deal count as one observation. Where the dice leave little to
decide more deals are played, and with more people.

Each row of the comparison has a process of its own, so that the first moves of a process are in it. Times are of the
processor: a busy machine changes little.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from multiprocessing import get_context
from statistics import mean, stdev
from typing import Any, NamedTuple

import engines
from bench.tables import show
from engines.base import CompleteEngine, Standing, Variant
from engines.play import Player
from engines.play import run as play_one
from engines.simulation import Plan

AIM = 20_000
MORE_DEALS = {("ten-phases", "standard", 2): 5}
"""How many times as many deals are played where two players differ by less than the luck of 400."""
MORE_PEOPLE = {("ten-phases", "standard"): (2, 4, 8)}
"""Numbers of people to compare with where the fewest do not say enough."""
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
            "99 % below",
            "most",
            f"under {MOST_MS} ms",
        )
        show("Strong against decent", against, _strengths(every, options.deals))


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


def _strengths(every: Sequence[tuple[CompleteEngine, Variant]], deals: int) -> Iterator[tuple[object, ...]]:
    for engine, variant in every:
        key = engine.slug, variant.slug
        for people in MORE_PEOPLE.get(key, (variant.people[0],)):
            with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
                yield fresh.submit(_strength, *key, people, deals * MORE_DEALS.get((*key, people), 1)).result()


def _strength(slug: str, kind: str, people: int, deals: int) -> tuple[object, ...]:
    engine = engines.GAMES[slug]
    variant = engine.variant(kind)
    strong, decent = Timed(engine.play.players["strong"]), engine.play.players["decent"]
    compare = partial(_alone, engine, variant) if people == 1 else partial(_together, engine, variant, people)
    compared = [compare(strong, decent, f"deal {number}") for number in range(deals)]
    more = [each.strong - each.decent for each in compared]
    half = SURE * stdev(more) / sqrt(len(more))
    took = sorted(1000 * each for each in strong.took)
    return (
        f"{slug} {kind}",
        people,
        deals,
        deals * max(2, people),  # alone, each of the two plays every deal
        _said(mean([each.strong for each in compared])),
        _said(mean([each.decent for each in compared])),
        f"{_said(mean(more) - half)} to {_said(mean(more) + half)}",
        f"{mean(took):.2f}",
        f"{took[int(0.99 * len(took))]:.1f}",
        f"{took[-1]:.1f}",
        f"{100 * sum(each < MOST_MS for each in took) / len(took):.2f} %",
    )


def _said(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 2 else f"{value:.1f}"


def _together(
    engine: CompleteEngine, variant: Variant, people: int, strong: Player, decent: Player, secret: str
) -> Compared:
    """Return how often the strong player won a deal, and a decent one on average, over all seats."""
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
    seats = Plan(engine.slug, variant.slug, len(players) - len(variant.partners), 0).seats
    state, number = rules.start(variant.slug, seats, {}), 0
    while not rules.is_over(state):
        seat = rules.actor(state)
        if seat is None:
            move = rules.deal(state, secret, number)
        else:
            move = players[seat](rules.view(state, seat), random.Random(f"{secret} {number}"))
        state, number = rules.apply(state, move), number + 1
    return engine.check(rules.report(state)).standings or ()
