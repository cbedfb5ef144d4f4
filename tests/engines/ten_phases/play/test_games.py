"""Whole games: random ones, recorded ones, and the players against each other."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.play import replay, run
from engines.ten_phases import ENGINE
from engines.ten_phases.expectation import _chosen, _expected, keep_values
from engines.ten_phases.pieces import PHASES
from engines.ten_phases.play.players import FLOORS, SOLO_FLOORS
from engines.ten_phases.play.rules import outcome
from engines.ten_phases.play.state import Column, Entry, TenPhasesState
from tests.engines.ten_phases.play.invariants import check_invariants

PLAY = ENGINE.play
RECORDS = sorted(Path(__file__).with_name("games").glob("*.json"))


def seats_of(count: int) -> list[str]:
    return [f"seat-{number}" for number in range(1, count + 1)]


def variant_of(count: int) -> str:
    return "solo" if count == 1 else "standard"


def play_watched(players: list[str], seed: int) -> tuple[Any, list[str]]:
    """Play a game with a player per seat and look at every state and move of it."""
    rng = random.Random(seed)
    state = PLAY.start(variant_of(len(players)), seats_of(len(players)), {})
    moves = []
    while not PLAY.is_over(state):
        check_invariants(state)
        seat = PLAY.actor(state)
        move = PLAY.chance(state, rng) if seat is None else PLAY.players[players[seat]](state, rng)
        assert move in PLAY.legal(state)
        text = PLAY.write(move)
        assert PLAY.read(state, text) == move
        moves.append(text)
        state = PLAY.apply(state, move)
    check_invariants(state)
    return state, moves


@pytest.mark.parametrize(("count", "games"), [(1, 2), (2, 3), (5, 2), (8, 1)])
def test_random_games_end_by_the_rules(count: int, games: int) -> None:
    for seed in range(games):
        state, moves = play_watched(["random"] * count, seed)
        check_report(state, moves)


@pytest.mark.parametrize("count", range(1, 9))
def test_decent_games_end_by_the_rules(count: int) -> None:
    for seed in range(4):
        state, moves = play_watched(["decent"] * count, seed)
        check_report(state, moves)


def check_report(state: Any, moves: list[str]) -> None:
    report = PLAY.report(state)
    verdict = ENGINE.check(report)
    assert (verdict.errors, verdict.warnings) == ((), ())
    assert verdict.standings == outcome(state)
    assert ENGINE.check(ENGINE.minimal(report)).standings == verdict.standings
    assert PLAY.report(replay(PLAY, report["variant"], report["seats"], moves, {})) == report
    assert PLAY.turns(state) >= len(report["seats"])
    assert PLAY.starter(state) == 0


@pytest.mark.parametrize("player", ["random", "decent"])
def test_a_seed_gives_one_game(player: str) -> None:
    games = [run(PLAY, "standard", seats_of(2), player, random.Random(seed), {})[1] for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_decent_beats_random() -> None:
    for seed in range(8):
        players = ["random"] * 4
        players[seed % 4] = "decent"
        state, _ = play_watched(players, seed)
        assert outcome(state)[0].seat == f"seat-{seed % 4 + 1}"


@pytest.mark.parametrize(("floors", "price"), [(FLOORS, 20), (SOLO_FLOORS, 5)])
@pytest.mark.parametrize("phase", [2, 6])
def test_a_fresh_attempt_just_pays_at_the_floor(floors: tuple[int, ...], price: int, phase: int) -> None:
    gains = [_expected(_chosen(keep_values(PHASES[phase - 1], floors[phase - 1] + more)[1]))[0][0] for more in (0, 1)]
    assert gains[0] > price >= gains[1]


@pytest.mark.parametrize(("variant", "floors", "price"), [("standard", FLOORS, 20), ("solo", SOLO_FLOORS, 5)])
def test_a_fresh_attempt_at_one_colour_pays_about_its_price(variant: str, floors: tuple[int, ...], price: int) -> None:
    rng = random.Random(8)
    written = Column(tuple([Entry(20, number, 0, "") for number in range(1, 8)]))
    block = PLAY.start(variant, seats_of(1 if variant == "solo" else 2), {}).block
    gains = []
    for _ in range(1500):
        state = TenPhasesState(replace(block, columns=(written, *block.columns[1:])))
        while state.block.turns == 0:
            move = PLAY.players["decent"](state, rng) if state.is_thrown else PLAY.chance(state, rng)
            state = PLAY.apply(state, move)
        gains += [entry.points - floors[7] for entry in state.block.columns[0].entries[7:]]
    assert sum(gains) / 1500 == pytest.approx(price, abs=1)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_recorded_game(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    state = replay(PLAY, record["variant"], record["seats"], record["moves"], record.get("options", {}))
    assert PLAY.is_over(state)
    assert PLAY.report(state) == record["report"]
    assert ENGINE.check(record["report"]).ok
