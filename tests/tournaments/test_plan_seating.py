"""`plan_seating`: one line of JSON, or tables to read; one sentence when the input is wrong."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.seatings import check_round, count_repeats
from tournaments.management.commands.plan_seating import Command
from tournaments.seating import SeatedRound


def plan(*arguments):
    out, err = StringIO(), StringIO()
    call_command(Command(stdout=out, stderr=err), *arguments)
    return out.getvalue()


def swiss_file(tmp_path, **facts):
    path = tmp_path / "swiss.json"
    path.write_text(json.dumps(facts), encoding="utf-8")
    return str(path)


def test_a_rotation_is_one_line_of_json():
    printed = plan("--players", "24", "--sizes", "4", "--rounds", "7", "--seed", "1", "--json")
    assert printed.count("\n") == 1
    facts = json.loads(printed)
    assert (facts["repeats"], facts["repeats_bound"], facts["seed"]) == (0, 0, 1)
    assert 0 <= facts["seconds"] < 60
    rounds = [SeatedRound(tuple(map(tuple, tables))) for tables in facts["rounds"]]
    for seated in rounds:
        check_round(seated, [str(number) for number in range(1, 25)], 4, 4)
    assert count_repeats(rounds) == 0


@pytest.mark.parametrize(
    ("players", "options", "sizes"),
    [
        ("13", ["--sizes", "4"], [4, 3, 3, 3]),
        ("13", ["--sizes", "4-4"], [4, 4, 4]),
        ("13", ["--sizes", "3-5", "--preferred", "4"], [5, 4, 4]),
        ("13", ["--sizes", "3-5"], [5, 4, 4]),
        ("6", ["--sizes", "2"], [2, 2, 2]),
    ],
)
def test_sizes_are_limits_or_one_number(players, options, sizes):
    facts = json.loads(plan("--players", players, "--rounds", "1", *options, "--json"))
    assert [len(table) for table in facts["rounds"][0]] == sizes
    assert len(facts["sitting_out"][0]) == int(players) - sum(sizes)


def test_without_json_the_tables_are_readable():
    printed = plan("--players", "7", "--sizes", "3-3", "--rounds", "2")
    assert printed.count("Table 1: ") == printed.count("Sitting out: ") == 2
    assert "Repeats: " in printed


def test_a_swiss_round_is_seated_from_a_file(tmp_path):
    entrants = [
        {"id": name, "points": points} for name, points in zip("abcdefgh", (3, 3, 2, 2, 1, 1, 0, 0), strict=True)
    ]
    played = [[["a", "c", "e", "g"], ["b", "d", "f", "h"]]]
    path = swiss_file(tmp_path, entrants=entrants, rounds=played, sitting_out=[[]], keep_apart=[["a", "b"]])
    facts = json.loads(plan("--swiss", path, "--sizes", "4", "--json"))
    assert sorted(player for table in facts["tables"] for player in table) == list("abcdefgh")
    assert (facts["quality"]["repeats"], facts["quality"]["repeats_bound"]) == (4, 4)
    assert facts["quality"]["apart_broken"] == 0
    assert "Table 2: " in plan("--swiss", path, "--sizes", "4")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--sizes", "4"],
        ["--players", "x", "--sizes", "4", "--rounds", "2"],
        ["--players", "8", "--sizes", "4", "--rounds", "0"],
        ["--players", "8", "--sizes", "5-3", "--rounds", "2"],
        ["--players", "8", "--sizes", "4-", "--rounds", "2"],
        ["--players", "8", "--sizes", "3-5", "--preferred", "6", "--rounds", "2"],
        ["--players", "2", "--sizes", "4", "--rounds", "2"],
        ["--players", "8", "--sizes", "4", "--rounds", "2", "--seed", "one"],
        ["--swiss", "no such file", "--sizes", "4"],
    ],
)
def test_bad_arguments_are_answered_with_a_sentence(arguments):
    with pytest.raises(CommandError, match=r"^[^\n]+\.$"):
        plan(*arguments)


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"entrants": [{"id": "a"}, {"id": "a"}, {"id": "b"}, {"id": "c"}]},
        {"entrants": [{"id": "a", "points": "many"}]},
        {"entrants": [{"id": name} for name in "abcd"], "rounds": [[["a", "a"]]]},
        {"entrants": [{"id": name} for name in "abcd"], "sitting_out": [["a"]]},
        {"entrants": [{"id": name} for name in "abcd"], "unknown": 1},
    ],
)
def test_bad_files_are_answered_with_a_sentence(tmp_path, facts):
    with pytest.raises(CommandError, match=r"^[^\n]+\.$"):
        plan("--swiss", swiss_file(tmp_path, **facts), "--sizes", "4")
