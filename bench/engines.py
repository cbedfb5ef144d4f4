"""Reports judged per second, per game and layer, beside the cost of parsing the same text alone."""

from __future__ import annotations

import argparse
import json
from typing import Any

import engines
from bench.tables import seconds_each, show
from engines.base import Engine
from engines.dix.arranging import best, stock
from engines.simulation import Plan, play_game

HARDEST = "b1 b2 b4 b5 b7 b9 g1 g3 g4 g6 g8 o2 o3 o5 o6 o8 p1 p2 p4 p6 p7 p9 1* 3* 5* 7* b# g# o# *#"


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench engines", description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="reports per row")
    options = parser.parse_args(arguments)
    rows = [
        _row(engine, variant.slug, layer, options.games)
        for engine in engines.GAMES.values()
        for variant in engine.variants
        for layer in ("minimal", "deepest")
    ]
    head = ("Game, layer", "bytes", "json.loads µs", "pydantic µs", "check µs", "reports/s", "check ÷ parse", "aim")
    show("Judging a report (text to verdict; parse = json.loads + pydantic)", head, rows)
    cards = HARDEST.split()
    (took,) = seconds_each(lambda: best(stock(cards)))
    show("The hardest DIX hand", ("Hand", "jokers", "µs"), [(f"{len(cards)} cards", 8, f"{took * 1e6:.0f}")])


def _row(engine: Engine, variant: str, layer: str, games: int) -> tuple[object, ...]:
    shape = engine.variant(variant).shape
    plan = Plan(engine.slug, variant, engine.variant(variant).people[-1], seed=1)
    reports = [play_game(plan, number).report for number in range(games)]
    if layer == "minimal":
        reports = [engine.minimal(report) for report in reports]
    texts = [json.dumps(report) for report in reports]

    def parse() -> None:
        for text in texts:
            json.loads(text)

    def validate() -> None:
        for report in reports:
            shape.model_validate(report)

    def judge() -> None:
        for text in texts:
            engine.check(json.loads(text))

    loads, shapes, whole = (seconds / games for seconds in seconds_each(parse, validate, judge))
    size = sum(map(len, texts)) // games
    figures: list[Any] = [f"{each * 1e6:.1f}" for each in (loads, shapes, whole)]
    ratio = f"{whole / (loads + shapes):.2f}"
    aim = "≤ 3" if layer == "minimal" else "≤ 10"
    return (f"{engine.slug} {variant}, {layer}", size, *figures, f"{1 / whole:,.0f}", ratio, aim)
