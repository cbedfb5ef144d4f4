"""Whole games: random ones, recorded ones, and the players against each other."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from engines.dix import ENGINE
from engines.dix.play.rules import outcome
from engines.play import IllegalMoveError, replay, run
from tests.engines.dix.play.invariants import check_invariants

PLAY = ENGINE.play
RECORDS = sorted(Path(__file__).with_name("games").glob("*.json"))
TABLES = [
    (variant.slug, seats) for variant in ENGINE.variants for seats in range(variant.seats_min, variant.seats_max + 1)
]


def seats_of(variant: str, count: int) -> list[str]:
    return ["seat-1", "ALIX"] if variant == "solo" else [f"seat-{number}" for number in range(1, count + 1)]


@pytest.mark.parametrize(("variant", "count"), TABLES)
@pytest.mark.parametrize("player", ["random", "decent"])
def test_every_state_and_the_report_of_a_game_hold(variant, count, player):
    rng = random.Random(f"{variant} {count}")
    choose = PLAY.players[player]
    for _ in range(3):
        state = PLAY.start(variant, seats_of(variant, count), {})
        while not PLAY.is_over(state):
            check_invariants(state)
            move = PLAY.chance(state, rng) if PLAY.actor(state) is None else choose(state, rng)
            assert move in PLAY.legal(state)
            assert PLAY.read(state, PLAY.write(move)) == move
            state = PLAY.apply(state, move)
        check_invariants(state)
        verdict = ENGINE.check(PLAY.report(state))
        assert verdict.ok
        assert {finding.code for finding in verdict.warnings} <= {"dix.consolation-over-box"}
        assert verdict.standings == outcome(state)


def test_solo_game_with_purchases_when_bust_is_reported_as_solo():
    options = {"bust_buy": True}
    seen = Counter()
    for number in range(4):
        rng = random.Random(number)
        state, moves = run(PLAY, "solo", ["seat-1", "ALIX"], ("random", "decent")[number % 2], rng, options)
        verdict = ENGINE.check(PLAY.report(state))
        assert verdict.ok
        assert verdict.standings == outcome(state)
        assert PLAY.report(state)["variant"] == "solo"
        assert replay(PLAY, "solo", ["seat-1", "ALIX"], moves, options) == state
        seen.update(move.split()[0] for move in moves)
    assert seen["token"] > 0


def test_small_decks_are_played_to_the_end_by_every_kind_of_move():
    rng = random.Random(4)
    seen = Counter()
    for number in range(60):
        variant = ("standard", "bust-buy", "solo")[number % 3]
        cards = Counter({"b1": 2, "b9": 1, "g7": 1, "g5": 2, "5*": 1, "o#": 1, "*#": 1, "$5": 2, "$2": 1})
        state = PLAY.start(variant, seats_of(variant, 2), {"deck": cards})
        while not PLAY.is_over(state):
            check_invariants(state, cards)
            move = PLAY.chance(state, rng) if PLAY.actor(state) is None else PLAY.legal(state).sample(rng)
            seen[PLAY.write(move).split()[0]] += 1
            state = PLAY.apply(state, move)
        assert ENGINE.check(PLAY.report(state)).ok
    assert set(seen) == {"first", "turn", "draw", "take", "bid", "pay", "buy", "pass", "token"}


@pytest.mark.parametrize("difficulty", range(4, 11))
def test_alix_plays_at_every_difficulty(difficulty):
    state, moves = run(
        PLAY, "solo", ["seat-1", "ALIX"], "decent", random.Random(difficulty), {"difficulty": difficulty}
    )
    report = PLAY.report(state)
    assert report["difficulty"] == difficulty
    assert ENGINE.check(report).ok
    assert replay(PLAY, "solo", ["seat-1", "ALIX"], moves, {"difficulty": difficulty}) == state


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_recorded_game_gives_its_report(path):
    record = json.loads(path.read_text())
    state = replay(PLAY, record["variant"], record["seats"], record["moves"], record.get("options", {}))
    assert PLAY.is_over(state)
    assert PLAY.report(state) == record["report"]
    assert ENGINE.check(record["report"]).ok


def test_illegal_move_is_named_with_its_number():
    with pytest.raises(IllegalMoveError) as error:
        replay(PLAY, "standard", ["a", "b"], ["first 1", "turn b5", "bid 3"], {})
    assert (error.value.number, error.value.rule.code) == (3, "not-now")
    assert error.value.legal == ["draw", "take numbers", "take currency"]


def test_turns_of_people_are_counted():
    state, moves = run(PLAY, "solo", ["seat-1", "ALIX"], "random", random.Random(2), {})
    assert 0 < PLAY.turns(state) < len(moves)
    assert PLAY.starter(state) == 0


@pytest.mark.parametrize("count", [2, 4])
def test_one_decent_player_beats_random_ones(count):
    wins = 0
    for number in range(12):
        rng, own = random.Random(number), number % count
        state = PLAY.start("standard", seats_of("standard", count), {})
        while not PLAY.is_over(state):
            seat = PLAY.actor(state)
            player = "decent" if seat == own else "random"
            move = PLAY.chance(state, rng) if seat is None else PLAY.players[player](state, rng)
            state = PLAY.apply(state, move)
        wins += outcome(state)[0].seat == f"seat-{own + 1}"
    assert wins >= 11
