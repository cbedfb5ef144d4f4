"""The strong house players: what they know, and that they win more than the decent ones."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.play import Timed, _together
from engines import GAMES, game
from engines.dix.play import strong as dix_strong
from engines.dix.play.alix import SEAT
from engines.dix.play.state import Phase, purse
from engines.sixmix.play import strong as sixmix_strong
from engines.sixmix.play.state import Phase as SixmixPhase
from engines.ten_phases.pieces import DEFAULT_LAYOUT, PHASES, box_of
from engines.ten_phases.play import race
from engines.ten_phases.play import strong as ten_phases_strong
from engines.ten_phases.play.state import Block, Column, Entry
from tests.engines.games import every_variant, played


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_strong_plays_the_same_again_with_the_same_generator(engine, variant):
    record = played(engine, variant, variant.people[0]).record
    for before in list(game.steps(record))[: len(record["moves"]) // 2 : 15]:
        if before.actor is not None:
            once, again = (before.choose("strong", random.Random(5)) for _ in range(2))
            assert once.moves == again.moves


def test_reasons_have_a_point_in_english_and_a_comma_in_french():
    going = game.start("dix", "standard", ["ana", "ben"]).deal("s")
    reason = going.advise(random.Random(1)).reason
    assert re.search(r"\d\.\d", reason.en)
    assert re.search(r"\d,\d", reason.fr)
    assert not re.search(r"\d\.\d", reason.fr)


@pytest.mark.parametrize(("slug", "variant", "deals"), [("dix", "standard", 6), ("sixmix", "two-player", 5)])
def test_strong_wins_most_deals_against_decent(slug, variant, deals):
    """The deals are always the same ones; `./run bench play` plays enough of them to be sure."""
    engine = GAMES[slug]
    strong, decent = Timed(engine.play.players["strong"]), engine.play.players["decent"]
    compared = [_together(engine, engine.variant(variant), 2, strong, decent, f"test {each}") for each in range(deals)]
    assert sum(each.strong for each in compared) > sum(each.decent for each in compared)
    assert strong.took


@given(st.integers(0, 9), st.lists(st.integers(0, 90), min_size=1, max_size=16), st.integers(1, 60))
def test_what_attempts_exceed_a_floor_by_is_what_an_attempt_costs(number, worth, cost):
    floor = ten_phases_strong._floor(number, [float(each) for each in worth], cost)
    chance = ten_phases_strong.RESULTS[number][0] / len(worth)
    assert sum(chance * max(0.0, each - floor) for each in worth) == pytest.approx(cost)


@given(st.integers(0, 4), st.integers(-40, 260), st.sampled_from([5, 35]))
def test_a_sum_nearer_to_the_bonus_is_worth_more(number, need, cost):
    value = ten_phases_strong._value
    assert value(number, max(0, need - 5), cost) >= value(number, max(0, need), cost) - 1e-9


def test_strong_throws_for_the_points_the_bonus_needs():
    aim = ten_phases_strong._aim_before_bonus(4, 44, 5)
    assert aim.prize.least == 44
    assert ten_phases_strong._aim_before_bonus(4, 99, 5).prize == ten_phases_strong.NO_PRIZE
    assert ten_phases_strong._aim_before_bonus(4, 0, 5).prize == ten_phases_strong.NO_PRIZE


def closing(own: int, rival: int) -> Block:
    """Return a block on which the first has ten phases and the second, to move, nine."""
    first = Column(tuple(Entry(rival // 10, number, 0, "") for number in range(1, 11)))
    second = Column(tuple(Entry(own // 9, number, 0, "") for number in range(1, 10)))
    return Block(("ana", "ben"), False, box_of(DEFAULT_LAYOUT), (first, second), seat=1, round=10, first=0)


def test_in_the_closing_turn_strong_aims_at_the_points_that_are_missing():
    def aim(block: Block) -> ten_phases_strong.Aim:
        return ten_phases_strong._aim(block, race.outlook_of(block))

    assert aim(closing(own=360, rival=400)).prize.least == 44
    assert aim(closing(own=450, rival=400)) == ten_phases_strong.Aim(race.FLOORS[-1][0])
    assert aim(closing(own=270, rival=400)) == ten_phases_strong.Aim(race.FLOORS[-1][0])


def racing(*phases: int, points: Sequence[int] | int = 42, seat: int = 0) -> Block:
    """Return a block on which each has so many phases, all with the same points."""
    each = [points] * len(phases) if isinstance(points, int) else points
    columns = tuple(
        Column(tuple(Entry(own, number, 0, "") for number in range(1, count + 1)))
        for count, own in zip(phases, each, strict=True)
    )
    seats = tuple(f"seat-{number}" for number in range(len(phases)))
    return Block(seats, False, box_of(DEFAULT_LAYOUT), columns, seat=seat, round=12)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8), st.integers(20, 52), st.data())
def test_more_points_never_win_less_and_a_chance_is_one(phases, points, data):
    block = racing(*phases, points=points, seat=data.draw(st.integers(0, len(phases) - 1)))
    outlook = race.outlook_of(block)
    chances = [outlook(each) for each in range(15, 60)]
    assert all(0 <= chance <= 1 for chance in [outlook(None), *chances])
    assert all(less <= more + 1e-9 for less, more in pairwise(chances))


def test_phases_ahead_and_points_ahead_win_more():
    even = race.outlook_of(racing(6, 6))(None)
    assert race.outlook_of(racing(7, 6))(None) > even > race.outlook_of(racing(6, 7))(None)
    assert race.outlook_of(racing(6, 6, points=[47, 42]))(None) > even
    assert race.outlook_of(racing(6, 6, 6))(None) < even


def test_strong_hurries_where_one_phase_wins_and_is_choosy_where_only_points_help():
    def aim(block: Block) -> int:
        return ten_phases_strong._aim(block, race.outlook_of(block)).floor

    assert aim(racing(9, 7)) == race.FLOORS[9][0]  # three phases are seldom made in one closing turn
    assert aim(racing(6, 9)) == race.FLOORS[6][-1]


@pytest.mark.parametrize("number", range(10))
def test_the_choosier_the_aim_the_fewer_attempts_succeed_with_more_points(number):
    attempts = race.attempts(number)
    assert [each.floor for each in attempts] == list(race.FLOORS[number])
    played_out = 0.02 if PHASES[number].same_colour else 0  # others are exact
    for hasty, choosy in pairwise(attempts):
        assert hasty.chance > choosy.chance - played_out
        assert sum(hasty.results) <= sum(choosy.results) + len(choosy.results) * played_out
    assert attempts[0].chance > attempts[-1].chance
    assert sum(attempts[0].results) < sum(attempts[-1].results)
    assert all(min(each.results) > each.floor and len(each.results) == race.QUANTILES for each in attempts)


def test_against_alix_a_bid_wins_the_joker_or_takes_all_she_has():
    engine = GAMES["dix"]
    seen = set()
    for number in range(6):
        record = played(engine, engine.variant("solo"), 1, number).record
        for before in game.steps(record):
            state = before.state
            if before.actor == 0 and state.phase is Phase.BID and state.active == SEAT:
                advice = before.advise(random.Random(1))
                if advice.text == "pass":
                    continue
                bid, hers = int(advice.text.split()[1]), purse(state, SEAT).means
                after = before.move(advice.text).deal("s")
                if bid >= hers:
                    assert after.moves[len(before.moves) + 1] == "pass"
                else:
                    assert after.moves[len(before.moves) + 1] == f"bid {bid + 1}"
                seen.add(bid >= hers)
    assert seen == {True, False}


def test_a_run_promises_less_where_its_missing_number_is_gone():
    threes = (3,) * 9
    gone = (3, 3, 3, 0, 3, 3, 3, 3, 3)
    assert dix_strong._promise(0b110111, gone) < dix_strong._promise(0b110111, threes)


def test_the_head_of_a_row_is_expected_large_only_for_who_can_still_fill_it():
    engine = GAMES["sixmix"]
    record = played(engine, engine.variant("standard"), 3).record
    state = next(each.state for each in game.steps(record) if each.state.phase is SixmixPhase.PUT)
    rows = ("......",) * 3
    open_to_all = sixmix_strong._points(state, rows, rows)
    led = sixmix_strong._points(state, rows, ("......", f"{state.colours[0]}.....", "......"))
    assert open_to_all[0] == pytest.approx(open_to_all[1])
    assert led[0] < open_to_all[0]
    assert led[2] > led[0]
