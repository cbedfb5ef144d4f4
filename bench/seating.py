"""Repeated opponents and time: the known optima, the floor, CP-SAT on the same cases, and whole Swiss events."""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, ParamSpec, TypeVar

from bench.tables import show
from tournaments.seating import Entrant, SeatedRound, SizeLimits, plan_rotation, seat_swiss, table_sizes

Given = ParamSpec("Given")
Result = TypeVar("Result")

FOURS = SizeLimits(3, 4, 4)
PLAYERS = (9, 12, 13, 16, 17, 20, 24, 25, 32, 50, 64, 100, 200, 500)
ROUNDS = (3, 4, 5, 7)
# Players, table size, most rounds known without a repeat (OEIS A107431 and the affine geometries).
MOST_ROUNDS = (
    *((9, 3, 4), (12, 3, 4), (15, 3, 7), (18, 3, 8), (21, 3, 10), (27, 3, 13)),
    *((16, 4, 5), (20, 4, 5), (24, 4, 7), (28, 4, 9), (32, 4, 10), (64, 4, 21)),
    *((25, 5, 6), (30, 5, 6), (36, 6, 3)),
)
# Players, rounds at tables of 4, and the repeats of a first prototype in plain Python where it had any.
AGAINST_SOLVER = {
    (12, 3): 9,
    (12, 4): 17,
    (12, 5): 27,
    (13, 5): 3,
    (16, 5): 0,
    (17, 7): 14,
    (20, 5): 0,
    (20, 7): 26,
    (24, 7): 0,
    (32, 5): 0,
    (100, 7): 0,
}
# Mean repeats over five Swiss rounds: the prototype's, and those of MahjongPantheon.
SWISS = {
    16: ("5–8", "8.6"),
    20: ("", ""),
    24: ("0.6", "5.2"),
    32: ("0", "4.2"),
    64: ("0", ""),
    200: ("0", ""),
    500: ("0", ""),
}


def run(arguments: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench seating", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, default=10, help="Swiss events played for each number of players")
    parser.add_argument("--solver-seconds", type=int, default=10, help="for each case of CP-SAT; 0 leaves it out")
    options = parser.parse_args(arguments)
    show(
        "Most rounds known without a repeat",
        ("Players × size", "rounds", "repeats", "ms"),
        _most_rounds(options.seed),
    )
    show(
        "Tables of 4, and 3 where 4 does not divide: repeats (floor), ms",
        ("Players", *(f"{rounds} rounds" for rounds in ROUNDS)),
        _grid(options.seed),
    )
    if options.solver_seconds:
        show(
            "Beside CP-SAT (plain model, 2 workers)",
            ("Players, rounds", "floor", "repeats", "s", "prototype", "CP-SAT", "s"),
            _against_solver(options.seed, options.solver_seconds),
        )
    show(
        "Swiss, five rounds",
        ("Players", "mean repeats", "mean floor", "slowest round ms", "prototype", "MahjongPantheon"),
        _swiss(options.seed, options.events),
    )


def _timed(work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> tuple[Result, float]:
    started = time.perf_counter()
    result = work(*args, **kwargs)
    return result, time.perf_counter() - started


def _names(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def _most_rounds(seed: int) -> Iterator[tuple[object, ...]]:
    for players, size, rounds in MOST_ROUNDS:
        limits = SizeLimits(size, size, size)
        schedule, took = _timed(plan_rotation, _names(players), rounds, limits, seed=seed)
        yield f"{players} × {size}", rounds, schedule.repeats, f"{took * 1000:.0f}"


def _grid(seed: int) -> Iterator[tuple[object, ...]]:
    for players in PLAYERS:
        cells = []
        for rounds in ROUNDS:
            schedule, took = _timed(plan_rotation, _names(players), rounds, FOURS, seed=seed)
            cells.append(f"{schedule.repeats} ({schedule.repeats_bound}), {took * 1000:.0f}")
        yield players, *cells


def _against_solver(seed: int, seconds: int) -> Iterator[tuple[object, ...]]:
    for (players, rounds), prototype in AGAINST_SOLVER.items():
        schedule, took = _timed(plan_rotation, _names(players), rounds, FOURS, seed=seed)
        solved, solver_took = _timed(_solve, players, rounds, seconds)
        ours = schedule.repeats_bound, schedule.repeats, f"{took:.2f}"
        yield (
            f"{players}, {rounds}",
            *ours,
            prototype,
            "none found" if solved is None else solved,
            f"{solver_took:.1f}",
        )


def _solve(players: int, rounds: int, seconds: int) -> int | None:
    """Return the repeats of the best schedule CP-SAT finds; None if it finds none in time."""
    try:
        cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        raise SystemExit("CP-SAT is not installed: pip install ortools, or run with --solver-seconds 0.") from None
    model = cp_model.CpModel()
    sizes = table_sizes(players, FOURS)
    everyone, tables = range(players), range(len(sizes))
    sits = {(p, t, r): model.new_bool_var("") for p in everyone for t in tables for r in range(rounds)}
    for r in range(rounds):
        for p in everyone:
            model.add_exactly_one(sits[p, t, r] for t in tables)
        for t in tables:
            model.add(sum(sits[p, t, r] for p in everyone) == sizes[t])
    repeats = []
    for p, q in combinations(everyone, 2):
        meets = [model.new_bool_var("") for _ in range(rounds)]
        for r in range(rounds):
            for t in tables:
                model.add_bool_or(sits[p, t, r].negated(), sits[q, t, r].negated(), meets[r])
        repeats.append(model.new_int_var(0, rounds, ""))
        model.add(repeats[-1] >= sum(meets) - 1)
    model.minimize(sum(repeats))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    return round(solver.objective_value) if status in {cp_model.OPTIMAL, cp_model.FEASIBLE} else None


def _swiss(seed: int, events: int) -> Iterator[tuple[object, ...]]:
    for players, others in SWISS.items():
        played = [_play(players, 5, seed + event) for event in range(events if players < 100 else 2)]
        repeats, floors, slowest = zip(*played, strict=True)
        means = (f"{sum(figures) / len(played):.1f}" for figures in (repeats, floors))
        yield players, *means, f"{max(slowest) * 1000:.0f}", *others


def _play(players: int, rounds: int, seed: int) -> tuple[int, int, float]:
    """Play a Swiss event with hidden skill; return its repeats, the sum of the floors, and the slowest round."""
    rng = random.Random(seed)
    skill = {name: rng.gauss(0, 1) for name in _names(players)}
    points = dict.fromkeys(skill, 0)
    past: list[SeatedRound] = []
    repeats, floors, slowest = 0, 0, 0.0
    for number in range(rounds):
        entrants = [Entrant(name, total) for name, total in points.items()]
        seating, took = _timed(seat_swiss, entrants, FOURS, past=past, rounds_left=rounds - number, seed=seed)
        past.append(SeatedRound(seating.tables, seating.sitting_out))
        repeats, floors = repeats + seating.quality.repeats, floors + seating.quality.repeats_bound
        slowest = max(slowest, took)
        for table in seating.tables:
            for beaten, name in enumerate(sorted(table, key=lambda name: skill[name] + rng.gauss(0, 1))):
                points[name] += 840 * beaten // (len(table) - 1)
    return repeats, floors, slowest
