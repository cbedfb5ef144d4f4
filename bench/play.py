"""Games and moves per second on one core, per game, with both players."""

from __future__ import annotations

import argparse
import time

import engines
from bench.tables import show
from engines.play import run as play_one
from engines.simulation import Plan

AIM = 20_000


def run(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="./run bench play", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per row")
    options = parser.parse_args(arguments)
    rows = [
        (*_row(slug, variant.slug, variant.people[-1], player, options.seconds),)
        for slug, engine in engines.GAMES.items()
        for variant in engine.variants
        for player in ("random", "decent")
    ]
    head = ("Game, variant", "people", "player", "games/s", "moves a game", "moves/s", f"÷ {AIM:,}")
    show("Whole games on one core", head, rows)


def _row(slug: str, variant: str, people: int, player: str, budget: float) -> tuple[object, ...]:
    plan = Plan(slug, variant, people, seed=1, player=player)
    play_one(plan.engine.play, variant, plan.seats, player, plan.rng(0), {})  # tables are built on first use
    games = moves = 0
    started = time.perf_counter()
    while (took := time.perf_counter() - started) < budget:
        games += 1
        moves += len(play_one(plan.engine.play, variant, plan.seats, player, plan.rng(games), {})[1])
    ratio = f"{moves / took / AIM:.2f}" if player == "random" else ""
    name = f"{slug} {variant}"
    return name, people, player, f"{games / took:.1f}", round(moves / games), f"{moves / took:,.0f}", ratio
