from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engines.base import RuleError
from engines.play import IllegalMoveError, replay, run
from engines.sixmix import ENGINE
from engines.sixmix.play import rules as game
from engines.sixmix.play.moves import Ages, FirstThrow, Move, Pick, Put, Roll, Throws
from engines.sixmix.play.players import PLAYERS, _sensible, outlook
from engines.sixmix.play.state import Phase, SixmixState
from tests.engines.sixmix.play.invariants import check_invariants

PLAY = ENGINE.play
TABLES = [("two-player", 2), ("standard", 3), ("standard", 4), ("standard", 5)]
GAMES = sorted((Path(__file__).parent / "games").glob("*.json"))


def seats(count: int) -> list[str]:
    return [f"seat-{number}" for number in range(1, count + 1)]


def opened(variant: str = "standard", count: int = 3, starter: int = 0) -> SixmixState:
    """Return a game in which the first turn begins; seat 2 is the youngest, then seat 1."""
    state = game.start(variant, seats(count), {})
    state = game.order_by_age(state, (1, 0, *range(2, count)))
    return game.throw_first(state, tuple(6 if seat == starter else 1 for seat in range(count)))


def turn(state: SixmixState, colour: str, number: int, row: str, square: int) -> SixmixState:
    """Throw a die of the mover and place it."""
    if state.phase is Phase.PICK:
        state = game.pick(state, colour)
    assert state.die == colour
    return game.put(game.roll(state, number), row, square)


def fill(state: SixmixState, rows: Sequence[str], dice: Sequence[str]) -> SixmixState:
    """Play a round that ends with this board."""
    squares: dict[str, list[tuple[str, int, int]]] = {colour: [] for colour in state.colours}
    for row, numbers, colours in zip(state.colours, rows, dice, strict=True):
        for square, (number, colour) in enumerate(zip(numbers, colours, strict=True), 1):
            squares[colour].append((row, square, int(number)))
    for _ in range(6 * len(state.colours)):
        colour = max(state.colours_of(state.mover), key=lambda each: len(squares[each]))
        row, square, number = squares[colour].pop()
        state = turn(state, colour, number, row, square)
    return state


def rotated(colours: str) -> list[str]:
    """Return dice of the colours such that each has six of them and begins one row."""
    return [((colours[index:] + colours[:index]) * 3)[:6] for index in range(len(colours))]


# The rulebook.


def test_rulebook_round_is_scored() -> None:
    rows = ["365231", "651344", "651155", "443554", "113253"]
    state = fill(opened(count=5), rows, rotated("gdrol"))
    assert state.rounds[0].tokens == (0, 2, 2, 1, 0)
    assert state.totals == (0, 2, 2, 1, 0)


def test_highest_first_throw_starts() -> None:
    assert opened(starter=2).mover == 2


def test_equal_first_throws_are_repeated_by_those_who_threw_them() -> None:
    state = game.order_by_age(game.start("standard", seats(3), {}), (0, 1, 2))
    state = game.throw_first(state, (5, 2, 5))
    assert (state.phase, state.contenders) == (Phase.FIRST, (0, 2))
    state = game.throw_first(state, (1, 4))
    assert (state.phase, state.mover, game.first_starter(state)) == (Phase.ROLL, 2, 2)


def test_play_goes_clockwise() -> None:
    state = opened(starter=1)
    for mover, colour in [(1, "d"), (2, "r"), (0, "g"), (1, "d")]:
        assert state.mover == mover
        state = turn(state, colour, 3, colour, 6 - game.turns(state))


def test_player_with_fewest_points_starts_the_next_round() -> None:
    state = fill(opened(), ["651234", "512346", "123456"], rotated("gdr"))
    assert (state.totals, state.starter, state.mover) == ((2, 1, 0), 2, 2)


def test_youngest_of_those_with_fewest_points_starts() -> None:
    state = fill(opened(), ["122334", "112334", "651234"], rotated("gdr"))
    assert (state.totals, state.starter) == ((1, 0, 2), 1)
    state = fill(state, ["112334", "651234", "612345"], rotated("gdr"))
    assert (state.totals, state.starter) == ((1, 2, 3), 0)
    state = fill(state, ["512334", "451234", "641234"], rotated("gdr"))
    assert (state.totals, state.starter) == ((2, 2, 5), 1)


def test_last_round_is_scored_for_everybody() -> None:
    state = opened()
    for _ in range(3):
        state = fill(state, ["666111", "551551", "123456"], rotated("gdr"))
    assert state.totals == (12, 6, 0)
    assert game.is_over(state)
    assert [(row.seat, row.rank, row.key) for row in game.outcome(state)] == [
        ("seat-1", 1, (12, 0)),
        ("seat-2", 2, (6, 0)),
        ("seat-3", 3, (0, 0)),
    ]


def test_level_players_are_ranked_by_lead_digit() -> None:
    state = opened()
    for rows in (["666555", "666555", "123456"],) * 2 + (["644123", "333444", "612345"],):
        state = fill(state, rows, rotated("gdr"))
    assert state.totals == (10, 10, 3)
    assert [(row.seat, row.rank, row.key) for row in game.outcome(state)] == [
        ("seat-1", 1, (10, 6)),
        ("seat-2", 2, (10, 3)),
        ("seat-3", 3, (3, 0)),
    ]


# The hundred-thousand column.


def test_second_die_of_a_colour_may_not_be_placed_there() -> None:
    state = opened()
    for colour, square in [("g", 1), ("d", 2), ("r", 2)]:
        state = turn(state, colour, 3, colour, square)
    state = game.roll(state, 4)
    with pytest.raises(RuleError, match="second-lead"):
        game.put(state, "d", 1)
    assert not any(move.square == 1 for move in game.legal(state))


def test_sixth_die_must_be_placed_there_if_none_was() -> None:
    state = opened()
    for square in range(2, 7):
        for colour in "gdr":
            state = turn(state, colour, 2, colour, square)
    state = game.roll(state, 6)
    assert list(game.legal(state)) == [Put("g", 1), Put("d", 1), Put("r", 1)]


def test_last_die_may_not_be_placed_elsewhere() -> None:
    state = opened()
    for index in range(5):
        state = turn(state, "g", 2, "g", index + 2)
        state = turn(state, "d", 2, "d", index + 2) if index else turn(state, "d", 2, "d", 1)
        state = turn(state, "r", 2, "r", index + 2)
    state = game.roll(state, 6)
    with pytest.raises(RuleError, match="lead-owed"):
        game.put(state, "d", 2)


# Two players.


def test_two_players_choose_the_colour_while_they_have_both() -> None:
    state = opened("two-player", 2)
    assert list(game.legal(state)) == [Pick("g"), Pick("d")]
    for square in range(1, 7):
        state = turn(state, "g", 3, "g", square)
        state = turn(state, "r", 3, "r", square)
    assert (state.phase, state.die) == (Phase.ROLL, "d")


def test_hundred_thousand_rule_holds_for_each_of_the_four_colours() -> None:
    state = opened("two-player", 2)
    state = turn(state, "g", 3, "g", 1)
    state = turn(state, "r", 3, "d", 1)
    green = game.roll(game.pick(state, "g"), 5)
    blue = game.roll(game.pick(state, "d"), 5)
    assert Put("r", 1) not in game.legal(green)
    assert Put("r", 1) in game.legal(blue)


def test_points_of_both_rows_count() -> None:
    state = fill(opened("two-player", 2), ["641662", "112233", "542163", "222431"], rotated("gdro"))
    assert state.totals == (3, 2)
    assert state.by_seat(state.rounds[0].rows) == ["641662 112233", "542163 222431"]


# Illegal moves.


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("roll 0", "no-such-number"),
        ("roll 7", "no-such-number"),
        ("put g1", "roll-due"),
        ("take g", "roll-due"),
        ("ages 1 2 3", "roll-due"),
        ("first 1 2 3", "roll-due"),
    ],
)
def test_illegal_before_the_throw(text: str, code: str) -> None:
    refuse(opened(), text, code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("put o1", "no-such-row"),
        ("put x1", "no-such-row"),
        ("put g0", "no-such-square"),
        ("put g7", "no-such-square"),
        ("put g3", "square-taken"),
        ("roll 3", "put-due"),
    ],
)
def test_illegal_after_the_throw(text: str, code: str) -> None:
    refuse(game.roll(turn(opened(), "g", 5, "g", 3), 2), text, code)


@pytest.mark.parametrize(
    ("text", "code"), [("ages 1 2", "wrong-ages"), ("ages 1 2 2", "wrong-ages"), ("roll 3", "ages-due")]
)
def test_illegal_before_the_ages_are_known(text: str, code: str) -> None:
    refuse(game.start("standard", seats(3), {}), text, code)


@pytest.mark.parametrize(
    ("text", "code"), [("first 1 2", "wrong-first"), ("first 1 2 7", "wrong-first"), ("ages 1 2 3", "first-due")]
)
def test_illegal_throw_for_the_start(text: str, code: str) -> None:
    refuse(game.order_by_age(game.start("standard", seats(3), {}), (0, 1, 2)), text, code)


@pytest.mark.parametrize(("text", "code"), [("take r", "no-such-die"), ("roll 3", "pick-due")])
def test_illegal_choice_of_a_die(text: str, code: str) -> None:
    refuse(opened("two-player", 2), text, code)


def refuse(state: SixmixState, text: str, code: str) -> None:
    move = PLAY.read(state, text)
    assert move not in game.legal(state)
    with pytest.raises(RuleError) as caught:
        game.apply(state, move)
    assert caught.value.code == code
    assert PLAY.rules[code].en.format(**caught.value.facts)
    assert PLAY.rules[code].fr.format(**caught.value.facts)


def test_nothing_is_legal_when_the_game_is_over() -> None:
    state, _ = run(PLAY, "standard", seats(3), "random", random.Random(1), {})
    assert game.legal(state).count == 0
    refuse(state, "roll 3", "game-over")


@pytest.mark.parametrize(
    ("variant", "count", "options", "code"),
    [
        ("solo", 1, {}, "unknown-variant"),
        ("standard", 2, {}, "seat-count"),
        ("two-player", 3, {}, "seat-count"),
        ("standard", 3, {"board": "large"}, "unknown-option"),
        ("standard", 3, {"colours": "gdr"}, "wrong-colours"),
        ("standard", 3, {"colours": {"seat-1": "g", "seat-2": "d"}}, "wrong-colours"),
        ("standard", 3, {"colours": {"seat-1": "g", "seat-2": "d", "seat-3": "g"}}, "wrong-colours"),
        ("standard", 3, {"colours": {"seat-1": "g", "seat-2": "d", "seat-3": "x"}}, "wrong-colours"),
        ("standard", 3, {"colours": {"seat-1": "g", "seat-2": "d", "seat-3": ["r"]}}, "wrong-colours"),
        ("two-player", 2, {"colours": {"seat-1": "g", "seat-2": "dr"}}, "wrong-colours"),
    ],
)
def test_wrong_start_is_refused(variant: str, count: int, options: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleError) as caught:
        game.start(variant, seats(count), options)
    assert caught.value.code == code
    assert PLAY.rules[code].fr.format(**caught.value.facts)


def test_players_choose_their_colours() -> None:
    state = game.start("two-player", seats(2), {"colours": {"seat-1": "lo", "seat-2": "gd"}})
    assert state.colours == "logd"


# Notation.


@pytest.mark.parametrize(
    "text",
    [
        "",
        "roll",
        "roll 10",
        "roll  3",
        "Roll 3",
        "roll 3 ",
        "put g",
        "put gg",
        "put g3\n",
        "ages 1",
        "take gd",
        "roll ٣",
    ],
)
def test_unreadable_text(text: str) -> None:
    with pytest.raises(RuleError) as caught:
        PLAY.read(opened(), text)
    assert (caught.value.code, caught.value.facts) == ("unreadable-move", {"text": text})


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Ages((1, 0, 2)), "ages 2 1 3"),
        (FirstThrow((4, 6, 2)), "first 4 6 2"),
        (Pick("g"), "take g"),
        (Roll(5), "roll 5"),
        (Put("r", 3), "put r3"),
    ],
)
def test_notation(move: object, text: str) -> None:
    assert PLAY.write(move) == text
    assert PLAY.read(opened(), text) == move


# Whole games.


@pytest.mark.parametrize(("variant", "count"), TABLES)
def test_random_games_keep_the_rules(variant: str, count: int) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        state = game.start(variant, seats(count), {})
        while not game.is_over(state):
            check_invariants(state)
            moves = game.legal(state)
            assert moves.count == len(list(moves))
            move = moves.sample(rng)
            assert move in moves
            assert PLAY.read(state, PLAY.write(move)) == move
            state = game.apply(state, move)
        check_invariants(state)


@pytest.mark.parametrize(("variant", "count"), TABLES)
def test_legal_moves_are_exactly_those_that_can_be_made(variant: str, count: int) -> None:
    rng = random.Random(9)
    state = game.start(variant, seats(count), {})
    for _ in range(12 * count):
        if state.phase is Phase.PUT:
            puts = [Put(row, square) for row in "gdrol" for square in range(8)]
            assert set(game.legal(state)) == {move for move in puts if is_accepted(state, move)}
        if state.phase is Phase.PICK:
            picks = [Pick(colour) for colour in "gdrol"]
            assert set(game.legal(state)) == {move for move in picks if is_accepted(state, move)}
        state = game.apply(state, game.legal(state).sample(rng))


def is_accepted(state: SixmixState, move: Move) -> bool:
    try:
        game.apply(state, move)
    except RuleError:
        return False
    return True


@pytest.mark.parametrize(("variant", "count"), TABLES)
@pytest.mark.parametrize("player", PLAYERS)
def test_same_seed_gives_the_same_game_and_replays(variant: str, count: int, player: str) -> None:
    state, moves = run(PLAY, variant, seats(count), player, random.Random(7), {})
    assert run(PLAY, variant, seats(count), player, random.Random(7), {}) == (state, moves)
    assert replay(PLAY, variant, seats(count), moves, {}) == state
    check_invariants(state)


def test_throws_for_the_start_are_described() -> None:
    throws = Throws(3)
    assert throws.count == len(set(throws)) == 216
    assert FirstThrow((1, 6, 3)) in throws
    assert FirstThrow((1, 6)) not in throws
    assert FirstThrow((1, 6, 0)) not in throws
    assert Roll(3) not in throws
    rng = random.Random(1)
    drawn = [throws.sample(rng) for _ in range(40)]
    assert all(throw in throws for throw in drawn)
    assert {number for throw in drawn for number in throw.numbers} == set(range(1, 7))


def test_report_leaves_out_tokens_the_box_does_not_have() -> None:
    state = opened(count=5)
    for _ in range(3):
        state = fill(state, ["666666"] * 5, rotated("gdrol"))
    assert state.totals == (12,) * 5
    assert "held" not in game.report(state)
    check_invariants(state)


def test_report_shows_the_very_last_token_of_the_box() -> None:
    state = opened(count=5)
    for rows in (["666666"] * 5, ["666666"] * 5, ["654321"] * 5):
        state = fill(state, rows, rotated("gdrol"))
    assert state.totals == (10,) * 5
    held = [game.report(state)["held"][seat] for seat in state.seats]
    assert held == ["1b5y"] * 5
    check_invariants(state)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_game(path: Path) -> None:
    record = json.loads(path.read_text())
    state = replay(PLAY, record["variant"], record["seats"], record["moves"], record.get("options", {}))
    assert game.is_over(state)
    assert game.report(state) == record["report"]


def test_illegal_move_in_a_record_is_named() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        replay(PLAY, "standard", seats(3), ["ages 1 2 3", "first 1 2 6", "roll 3", "put o3"], {})
    assert (caught.value.number, caught.value.rule.code) == (4, "no-such-row")
    assert list(islice(caught.value.legal, 2)) == ["put g1", "put g2"]
    assert caught.value.count == 18


# Players.


def wins(variant: str, count: int, games: int) -> float:
    """Return the share of games a decent player wins against random ones; a shared win counts in part."""
    won = 0.0
    for seed in range(games):
        rng, own = random.Random(seed), seed % count
        state = game.start(variant, seats(count), {})
        while not game.is_over(state):
            seat = game.actor(state)
            player = PLAYERS["decent" if seat == own else "random"]
            state = game.apply(state, game.chance(state, rng) if seat is None else player(state, rng))
        best = [row.seat for row in game.outcome(state) if row.rank == 1]
        won += (f"seat-{own + 1}" in best) / len(best)
    return won / games


@pytest.mark.parametrize(("variant", "count"), TABLES)
def test_decent_player_beats_random_ones(variant: str, count: int) -> None:
    assert wins(variant, count, 20) >= 0.75


def test_decent_player_leads_with_a_six_of_its_own() -> None:
    state = game.roll(opened(), 6)
    assert PLAYERS["decent"](state, random.Random(1)) == Put("g", 1)


def test_decent_player_gives_a_one_away() -> None:
    state = game.roll(opened(), 1)
    move = PLAYERS["decent"](state, random.Random(1))
    assert isinstance(move, Put)
    assert (move.row != "g", move.square) == (True, 1)


def test_decent_player_looks_at_the_ends_of_a_row() -> None:
    state = game.roll(opened(), 3)
    assert {move.square for move in _sensible(game.legal(state))} == {1, 2, 6}


def test_outlook_of_a_row() -> None:
    assert outlook("666111").triples == 2
    assert outlook("666111").variance == 0
    assert outlook("66....").triples > outlook("65....").triples
    assert outlook("6.....").mean > outlook("5.....").mean
