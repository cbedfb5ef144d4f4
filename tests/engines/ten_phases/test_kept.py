"""The dice to keep that are worked out ahead: they are what the expectations say, and all that players ask for."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from zipfile import ZipFile

import pytest

from engines.play import run
from engines.ten_phases import ENGINE, expectation, kept
from engines.ten_phases.keeping import best_keep
from engines.ten_phases.pieces import DEFAULT_LAYOUT, PHASES, box_of
from engines.ten_phases.play.aims import every_aim

BOX = box_of(DEFAULT_LAYOUT)
AIMS = every_aim()


def test_every_aim_of_the_players_is_worked_out_and_no_other():
    with ZipFile(str(kept.KEEPS)) as archive:
        assert sorted(archive.namelist()) == sorted(kept.name_of(*each) for each in AIMS)
        assert {archive.getinfo(name).file_size for name in archive.namelist()} == {2 * 2 * 462 * 70}


@pytest.mark.parametrize(("number", "aim"), AIMS[::7], ids=[kept.name_of(*each) for each in AIMS[::7]])
def test_what_is_looked_up_is_what_the_expectations_say(number, aim):
    """`./run bench keeps` works out all of it anew; here it is some throws for every seventh aim."""
    rng = random.Random(kept.name_of(number, aim))
    for _ in range(60):
        dice, throws = [rng.choice(die) for die in BOX], rng.choice((1, 2))
        exactly = best_keep(PHASES[number], aim.floor, dice, BOX, throws, aim.prize).places
        assert kept.places_to_keep(PHASES[number], aim, dice, BOX, throws) == exactly


@pytest.mark.parametrize("player", ["decent", "strong"])
@pytest.mark.parametrize("people", [1, 2, 5])
def test_no_expectation_is_worked_out_during_a_move(player, people, monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("a table was built during a move")

    monkeypatch.setattr(expectation, "_expected", refuse)
    expectation.keep_values.cache_clear()
    seats = [f"seat-{number}" for number in range(people)]
    for seed in range(5):
        run(ENGINE.play, "solo" if people == 1 else "standard", seats, player, random.Random(seed), {})


def test_what_stays_in_memory_is_bounded():
    assert expectation.keep_values.cache_info().maxsize == expectation.MOST_TABLES
    assert kept._table.cache_info().maxsize == kept.MOST_TABLES


FIRST_MOVES = """
import json, random, sys
from engines.simulation import Plan
from engines.ten_phases import ENGINE, expectation, pieces

people = int(sys.argv[1])
variant = "solo" if people == 1 else "standard"
calls = 0

def count(_frame, event, _argument):
    global calls
    calls += event in ("call", "c_call")

def counted(act, *arguments):
    global calls
    calls = 0
    sys.setprofile(count)
    result = act(*arguments)
    sys.setprofile(None)
    return result

made, rng = [], random.Random(1)
state = ENGINE.play.start(variant, Plan(ENGINE.slug, variant, people, 0).seats, {})
while not ENGINE.play.is_over(state):
    if ENGINE.play.actor(state) is None:
        move = ENGINE.play.chance(state, rng)
    else:
        move = counted(ENGINE.play.players["strong"], state, rng)
        made.append(calls)
    state = ENGINE.play.apply(state, move)
counted(expectation.keep_values, pieces.PHASES[0], 0)
print(json.dumps([max(made), calls]))
"""


@pytest.mark.parametrize("people", [1, 2])
def test_no_move_of_a_new_process_takes_a_tenth_of_what_a_table_takes(people):
    command = [sys.executable, "-c", FIRST_MOVES, str(people)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    most, table = json.loads(done.stdout)
    assert 10 * most < table
