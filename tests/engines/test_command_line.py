"""`python -m engines`: JSON lines in, JSON lines out, with nothing but the standard library and pydantic."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines import command

ROOT = Path(__file__).resolve().parents[2]
VALID = {
    "game": "dice-run",
    "variant": "standard",
    "seats": ["a", "b", "c"],
    "stages": [{"podium": ["a", "b", "c"]}] * 4,
}
HARBOUR = {"slug": "harbour", "name": "Harbour", "seats": {"min": 2, "max": 5}, "sheet": {"kind": "points"}}
# Everything the service is made of and the engines must not need.
FORBIDDEN = ("django", "rest_framework", "celery", "numpy", "psycopg", "redis")
WITHOUT = f"""
import sys
sys.modules.update(dict.fromkeys({FORBIDDEN!r}))
import runpy
sys.argv = ["engines", *sys.argv[1:]]
runpy.run_module("engines", run_name="__main__", alter_sys=True)
"""


def engines(*arguments, lines=(), code=None):
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    if code is None:
        done = command.run(*arguments, typed=text)
    else:
        words = [sys.executable, "-c", code, *arguments]
        process = subprocess.run(words, input=text, capture_output=True, cwd=ROOT, check=False)
        done = command.Done(process.returncode, process.stdout.decode(), process.stderr.decode())
    return done.status, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def codes(verdict):
    return [each["code"] for each in verdict["errors"]]


def test_a_verdict_per_line_in_order_and_bad_lines_do_not_stop_it():
    lines = [json.dumps(VALID), "{", "", "[" * 100_000, "\udcff", '{"game": NaN}', "9" * 5000, json.dumps(VALID)]
    status, verdicts, _ = engines("check", "dice-run", lines=lines)
    assert status == 0
    assert [verdict["ok"] for verdict in verdicts] == [True, *[False] * 6, True]
    assert all(codes(verdict) == ["dice-run.not-an-object"] for verdict in verdicts[1:-1])


def test_without_a_game_each_report_is_judged_as_its_own():
    lines = [json.dumps(VALID), "{}", '{"game": "chess"}', "no json", '{"game": "dix"}']
    _, verdicts, _ = engines("check", lines=lines)
    assert verdicts[0]["ok"]
    assert codes(verdicts[1]) == codes(verdicts[2]) == ["report.unknown-game"]
    assert codes(verdicts[3]) == ["report.not-an-object"]
    assert set(codes(verdicts[4])) == {"dix.missing-field"}


def test_with_a_game_every_line_is_judged_as_that_game():
    _, verdicts, _ = engines("check", "dix", lines=[json.dumps(VALID)])
    assert "dix.wrong-game" in codes(verdicts[0])


def test_messages_come_in_french():
    _, verdicts, _ = engines("check", "dix", "--language", "fr", lines=["3"])
    assert verdicts[0]["errors"][0]["message"].startswith("La feuille")


def test_the_engines_need_no_framework():
    status, verdicts, errors = engines("check", lines=[json.dumps(VALID)], code=WITHOUT)
    assert (status, errors) == (0, "")
    assert verdicts[0]["ok"]
    status, reports, errors = engines("simulate", "sixmix", "--players", "3", "--seed", "1", code=WITHOUT)
    assert (status, errors) == (0, "")
    assert reports[0]["game"] == "sixmix"


@pytest.mark.parametrize(
    ("game", "players", "variant", "seats"),
    [
        ("dix", 1, "solo", ["seat-1", "ALIX"]),
        ("ten-phases", 1, "solo", ["seat-1"]),
        ("sixmix", 2, "two-player", ["seat-1", "seat-2"]),
        ("dice-run", 3, "standard", ["seat-1", "seat-2", "seat-3"]),
    ],
)
def test_simulated_reports_pass_the_check_and_their_records_replay(game, players, variant, seats):
    arguments = ("simulate", game, "--players", str(players), "--games", "3", "--seed", "4")
    _, reports, _ = engines(*arguments)
    assert [(report["variant"], report["seats"]) for report in reports] == [(variant, seats)] * 3
    _, verdicts, _ = engines("check", game, lines=map(json.dumps, reports))
    assert all(verdict["ok"] for verdict in verdicts)
    _, games, _ = engines(*arguments, "--record")
    status, replayed, _ = engines("replay", lines=map(json.dumps, games))
    assert (status, replayed) == (0, reports)


def test_a_record_that_breaks_a_rule_is_told_and_the_others_go_on():
    _, (record,), _ = engines("simulate", "sixmix", "--players", "3", "--record")
    broken = record | {"moves": record["moves"][:5]}
    status, answers, _ = engines("replay", lines=[json.dumps(broken), "{", json.dumps(record)])
    assert status == 1
    assert codes(answers[0]) == ["record.unfinished"]
    assert codes(answers[1]) == ["record.bad-value"]
    assert answers[2]["game"] == "sixmix"


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "dice-run", "--players", "2"),
        ("simulate", "dix", "--players", "3", "--variant", "blitz"),
        ("simulate", "dix", "--players", "3", "--option", "nonsense=1"),
        ("simulate", "dix", "--players", "3", "--jobs", "0"),
    ],
)
def test_what_cannot_be_played_is_one_sentence_and_a_status(arguments):
    status, output, errors = engines(*arguments)
    assert status == 2
    assert output == []
    assert len(errors.splitlines()) == 1


def test_a_clubs_own_game_is_judged_by_its_definition(tmp_path):
    file = tmp_path / "harbour.json"
    file.write_text(json.dumps(HARBOUR))
    report = {"game": "custom:harbour", "variant": "standard", "seats": ["ana", "bo"], "points": {"ana": 3, "bo": 9}}
    lines = [json.dumps(report), json.dumps(report | {"points": {"ana": 3}}), "nonsense"]
    status, verdicts, _ = engines("check", "--definition", str(file), lines=lines, code=WITHOUT)
    assert status == 0
    assert [verdict["ok"] for verdict in verdicts] == [True, False, False]
    assert [row["seat"] for row in verdicts[0]["standings"]] == ["bo", "ana"]
    assert codes(verdicts[1]) == ["custom.missing-field"]


def test_what_is_wrong_with_a_definition_is_said(tmp_path):
    file = tmp_path / "harbour.json"
    file.write_text(json.dumps(HARBOUR | {"seats": {"min": 4, "max": 2}}))
    status, verdicts, said = engines("check", "--definition", str(file), "--language", "fr")
    assert (status, verdicts) == (2, [])
    assert said == "Le nombre de joueurs\u00a0: le minimum (4) dépasse le maximum (2).\n"
    assert engines("check", "--definition", str(tmp_path / "none.json"))[0] == 2
    assert engines("check", "dix", "--definition", str(file))[0] == 2
