"""Whole games: recorded ones, simulated ones, and their reports."""

import json
import random
from pathlib import Path

import pytest

from engines import records
from engines.dice_run import ENGINE
from engines.dice_run.play.moves import Split
from engines.dice_run.play.notation import write
from engines.dice_run.play.rules import outcome
from engines.dice_run.play.state import Phase, start
from engines.play import replay, run
from tests.engines.dice_run.play.invariants import check_invariants
from tests.engines.dice_run.play.positions import PLAY, SEATS

GAMES = sorted((Path(__file__).parent / "games").glob("*.json"))
NO_TURN = {"roll", "objectives", "hand", "packs", "start", "draw", "choose"}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_game(path):
    record = json.loads(path.read_text())
    last = replay(PLAY, record["variant"], record["seats"], record["moves"], record.get("options", {}))
    assert PLAY.report(last) == record["report"]
    verdict = ENGINE.check(record["report"])
    assert verdict.ok
    assert not verdict.warnings
    assert verdict.standings == outcome(last)


def test_there_are_recorded_games():
    assert len(GAMES) == 3


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 63), (13, 13, 13, 14, 14), (40, 6, 9, 1, 11)])
def test_a_game_with_any_packs_is_played_recorded_and_reported(sizes):
    game, rng, moves = start("standard", SEATS, {}), random.Random(1), []
    while not PLAY.is_over(game):
        check_invariants(game)
        choose = PLAY.chance if PLAY.actor(game) is None else PLAY.players["decent"]
        move = Split(sizes) if game.phase is Phase.PACKS else choose(game, rng)
        moves.append(write(move))
        game = PLAY.apply(game, move)
    report = records.report_of({"game": "dice-run", "variant": "standard", "seats": list(SEATS), "moves": moves})
    assert report == PLAY.report(game)
    verdict = ENGINE.check(report)
    assert (verdict.errors, verdict.warnings) == ((), ())
    assert sum(move.startswith("draw ") for move in moves) == sum(sizes[:4]), "the last pack is left"


@pytest.mark.parametrize("player", ["random", "decent"])
@pytest.mark.parametrize("count", [3, 6])
def test_simulated_reports_carry_all_evidence_and_pass(player, count):
    seats = [f"seat-{number}" for number in range(count)]
    for seed in range(4):
        last, moves = run(PLAY, "standard", seats, player, random.Random(seed), {})
        report = PLAY.report(last)
        assert all(stage.keys() == {"podium", "revealer", "objectives", "groups"} for stage in report["stages"])
        verdict = ENGINE.check(report)
        assert verdict.ok
        assert not verdict.warnings
        assert verdict.standings == outcome(last)
        assert run(PLAY, "standard", seats, player, random.Random(seed), {}) == (last, moves)
        assert PLAY.turns(last) == sum(text.partition(" ")[0] not in NO_TURN for text in moves)
