"""What holds for every game in play: records replay, games end, nothing is lost on the way."""

from __future__ import annotations

import importlib
import json
import random

import pytest

from engines import GAMES, records
from engines.play import run
from engines.simulation import Plan, play_game, play_games, variant_for
from tests.engines.games import every_number_of_people, every_variant, played


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
@pytest.mark.parametrize("player", ["decent", "random"])
def test_replaying_a_record_gives_the_identical_report(engine, variant, people, player):
    game = played(engine, variant, people, player=player)
    record = json.loads(json.dumps(game.record))
    assert records.report_of(record) == game.report
    assert all(move == move.strip() and move for move in record["moves"])


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_every_state_of_random_games_keeps_the_invariants(engine, variant, people):
    package = engine.slug.replace("-", "_")
    invariants = importlib.import_module(f"tests.engines.{package}.play.invariants")
    play, rng = engine.play, random.Random(f"{engine.slug} {variant.slug} {people}")
    seats = Plan(engine.slug, variant.slug, people, 0).seats
    for _ in range(2):
        state = play.start(variant.slug, seats, {})
        while not play.is_over(state):
            invariants.check_invariants(state)
            legal = play.legal(state)
            assert legal.count > 0
            move = play.chance(state, rng) if play.actor(state) is None else legal.sample(rng)
            assert move in legal
            assert play.read(state, play.write(move)) == move
            state = play.apply(state, move)
        invariants.check_invariants(state)
        assert play.legal(state).count == 0


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_a_seed_gives_the_same_game_again(engine, variant):
    plan = Plan(engine.slug, variant.slug, variant.people[0], seed=3)
    game = play_game(plan, 5)
    assert game == play_game(plan, 5)
    assert game.record != play_game(plan, 6).record


def test_games_on_two_cores_are_those_of_one():
    plan = Plan("sixmix", "standard", 3, seed=1)
    assert list(play_games(plan, 6, jobs=2)) == list(play_games(plan, 6))


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_an_illegal_move_is_named_with_its_number_and_what_was_possible(engine, variant):
    record = dict(played(engine, variant, variant.people[0]).record)
    for number in (0, len(record["moves"]) // 2):
        broken = record | {"moves": [*record["moves"][:number], "sing a song", *record["moves"][number:]]}
        with pytest.raises(records.RecordError) as caught:
            records.report_of(broken)
        assert caught.value.path == ("moves", number)
        assert caught.value.code == f"{engine.slug}.unreadable-move"
        for language, word in (("en", f"Move {number + 1},"), ("fr", f"Coup {number + 1},")):
            assert caught.value.as_json(language)["errors"][0]["message"].startswith(word)


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_a_record_that_stops_early_or_goes_on_is_refused(engine, variant):
    record = played(engine, variant, variant.people[0]).record
    with pytest.raises(records.RecordError, match="unfinished"):
        records.report_of(record | {"moves": record["moves"][:-1]})
    with pytest.raises(records.RecordError, match="game-over"):
        records.report_of(record | {"moves": [*record["moves"], record["moves"][-1]]})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "record.unknown-game"),
        ({"variant": "blitz"}, "record.unknown-variant"),
        ({"seats": ["a", "a", "b"]}, "record.seats"),
        ({"seats": ["a"]}, "record.seats"),
        ({"moves": "roll"}, "record.bad-value"),
        ({"moves": [1]}, "record.bad-value"),
        ({"extra": 1}, "record.unknown-field"),
    ],
)
def test_a_malformed_record_is_refused_with_its_reason(change, code):
    record = played(GAMES["sixmix"], GAMES["sixmix"].variant("standard"), 3).record
    with pytest.raises(records.RecordError) as caught:
        records.report_of(record | change)
    assert caught.value.code == code
    assert all(caught.value.reason)


def test_the_number_of_people_says_the_variant():
    assert variant_for(GAMES["dix"], 1) == "solo"
    assert variant_for(GAMES["ten-phases"], 1) == "solo"
    assert variant_for(GAMES["sixmix"], 2) == "two-player"
    assert variant_for(GAMES["dix"], 2) == "standard"
    with pytest.raises(ValueError, match="no-variant"):
        variant_for(GAMES["dice-run"], 2)


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_unknown_option_is_refused(engine, variant):
    seats = Plan(engine.slug, variant.slug, variant.people[0], 0).seats
    with pytest.raises(ValueError, match="option"):
        run(engine.play, variant.slug, seats, "random", random.Random(1), {"nonsense": 1})
