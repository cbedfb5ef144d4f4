"""Sheets of clubs' own games: judged by the frame of all games, each limit with its code, places with reasons."""

from __future__ import annotations

import copy
import json
import random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import as_json, custom, words
from engines.custom import samples
from engines.custom.words import MESSAGES
from tests.engines.custom.strategies import DEFINITIONS, broken
from tests.engines.custom.test_definition import HARBOUR, changed, points, rounds
from tests.engines.test_every_game import JSON

SEATS = ["ana", "bo", "cy"]


def engine_of(value):
    checked = custom.read(value)
    assert checked.definition, checked.errors
    return custom.engine(checked.definition)


def sheet(people=2, **fields):
    return {"game": "custom:harbour", "variant": "standard", "seats": SEATS[:people], **fields}


def harbour(**columns):
    lines = {seat: {"ships": ships, "flag": flag} for seat, (ships, flag) in columns.items()}
    return sheet(len(columns), lines=lines)


def codes(engine, report):
    return [(each.code.partition(".")[2], each.path) for each in engine.check(report).errors]


def ranks(engine, report):
    verdict = engine.check(report)
    assert verdict.ok, verdict.errors
    return {row.seat: (row.rank, row.score) for row in verdict.standings}


def said(engine, report, language="en"):
    return words.explain(engine, report["variant"], engine.check(report).standings, {"ana": "Ana"}, language)


def test_categories_are_added_up_and_a_line_breaks_the_tie():
    engine = engine_of(HARBOUR)
    report = harbour(ana=(20, 7), bo=(25, 0))
    assert ranks(engine, report) == {"ana": (1, 27), "bo": (2, 25)}
    tied = engine_of(changed("sheet", "lines", 1, values=[0, 5]))
    report = harbour(ana=(20, 5), bo=(25, 0))
    assert ranks(tied, report) == {"ana": (2, 25), "bo": (1, 25)}
    assert said(tied, report) == [
        "bo: first with 25 points; level on points with Ana, Ships: 25 against 20",
        "Ana: second with 25 points; level on points with bo, Ships: 20 against 25",
    ]
    assert said(tied, report, "fr")[1] == (
        "Ana : 2e place avec 25 points\u202f; à égalité de points avec bo, Ships\u00a0: 20 contre 25"
    ).replace("Ana : ", "Ana\u00a0: ")


def test_factors_and_a_line_that_only_breaks_ties():
    lines = [
        {"key": "houses", "name": "Houses", "max": 9, "factor": 3},
        {"key": "debts", "name": "Debts", "max": 9, "factor": -2},
        {"key": "coins", "name": "Coins", "max": 99, "factor": 0},
    ]
    engine = engine_of(changed(sheet={"kind": "categories", "lines": lines}, tiebreaks=["coins"]))
    own = {"ana": {"houses": 4, "debts": 1, "coins": 3}, "bo": {"houses": 4, "debts": 1, "coins": 8}}
    assert ranks(engine, sheet(lines=own)) == {"ana": (2, 10), "bo": (1, 10)}


def test_fewest_points_win_and_ties_are_broken_that_way_too():
    engine = engine_of(rounds(max=60) | {"winner": "fewest", "tiebreaks": ["last"]})
    report = sheet(rounds=[{"ana": 10, "bo": 5}, {"ana": 2, "bo": 7}])
    assert ranks(engine, report) == {"ana": (1, 12), "bo": (2, 12)}
    assert said(engine, report)[0].endswith("last round: 2 against 7")
    assert engine.is_low


def test_without_a_tie_break_a_place_is_shared():
    engine = engine_of(points())
    report = sheet(3, points={"ana": 3, "bo": 5, "cy": 5})
    assert ranks(engine, report) == {"ana": (3, 3), "bo": (1, 5), "cy": (1, 5)}
    assert said(engine, report)[0] == "bo: first with 5 points; level with cy"


def test_places_are_their_own_result():
    engine = engine_of(changed(sheet={"kind": "places"}, tiebreaks=[]))
    report = sheet(3, places=[["ana"], ["cy", "bo"]])
    assert ranks(engine, report) == {"ana": (1, 2), "bo": (2, 0), "cy": (2, 0)}
    assert said(engine, report) == ["Ana: first", "bo: second; level with cy", "cy: second; level with bo"]


def test_a_tie_names_each_player_once_and_no_stranger():
    engine = engine_of(changed(sheet={"kind": "places", "ties": False}, tiebreaks=[]))
    alone = sheet(places=[["ana"] * 150 + ["z" * 400] * 50, ["bo"]])
    assert "tie-not-allowed" not in dict(codes(engine, alone)), "whoever shares a place with nobody"
    assert len(json.dumps(as_json(engine.check(alone), engine=engine))) < 64_000
    shared = engine.check(sheet(places=[["bo", "ana"] * 50 + ["z" * 400] * 50])).errors
    assert [each.facts for each in shared if each.code == "custom.tie-not-allowed"] == [{"others": ["bo", "ana"]}]


LINE = ("lines", "ana", "ships")
CASES = {
    "too low": (HARBOUR, harbour(ana=(-5, 7), bo=(0, 0)), [("value-too-low", LINE)]),
    "too high": (HARBOUR, harbour(ana=(45, 7), bo=(0, 0)), [("value-too-high", LINE)]),
    "off the step": (HARBOUR, harbour(ana=(7, 7), bo=(0, 0)), [("value-off-step", LINE)]),
    "not in the list": (HARBOUR, harbour(ana=(5, 3), bo=(0, 0)), [("value-not-listed", ("lines", "ana", "flag"))]),
    "nobody has it": (HARBOUR, harbour(ana=(5, 0), bo=(0, 0)), [("given-wrong", ("lines", "bo", "flag"))]),
    "two have it": (HARBOUR, harbour(ana=(5, 7), bo=(0, 7)), [("given-wrong", ("lines", "bo", "flag"))]),
    "sum": (points(max=12, sum=12), sheet(points={"ana": 5, "bo": 6}), [("sum-wrong", ("points", "bo"))]),
    "too few rounds": (rounds(rounds=3), sheet(rounds=[{"ana": 1, "bo": 2}] * 2), [("rounds-wrong", ("rounds",))]),
    "too many rounds": (rounds(rounds=3), sheet(rounds=[{"ana": 1, "bo": 2}] * 4), [("rounds-wrong", ("rounds",))]),
    "not there yet": (rounds(target=9), sheet(rounds=[{"ana": 1, "bo": 2}]), [("target-not-reached", ("rounds",))]),
    "played on": (rounds(target=3), sheet(rounds=[{"ana": 1, "bo": 2}] * 3), [("played-on", ("rounds", 2))]),
    "no rounds": (rounds(), sheet(rounds=[]), [("bad-value", ("rounds",))]),
    "a seat twice": (
        changed(sheet={"kind": "places"}, tiebreaks=[]),
        sheet(places=[["ana"], ["ana"]]),
        [("seat-twice", ("places", 1, 0)), ("seat-missing", ("places",))],
    ),
    "a stranger": (
        changed(sheet={"kind": "places"}, tiebreaks=[]),
        sheet(places=[["ana"], ["bo"], ["zed"]]),
        [("seat-unknown", ("places", 2, 0))],
    ),
    "a tie": (
        changed(sheet={"kind": "places", "ties": False}, tiebreaks=[]),
        sheet(places=[["ana", "bo"]]),
        [("tie-not-allowed", ("places", 0))],
    ),
    "everything at once": (
        HARBOUR,
        harbour(ana=(7, 7), bo=(99, 7)),
        [
            ("value-off-step", LINE),
            ("value-too-high", ("lines", "bo", "ships")),
            ("given-wrong", ("lines", "bo", "flag")),
        ],
    ),
    "a line is missing": (
        HARBOUR,
        sheet(lines={"ana": {"ships": 5}, "bo": {"ships": 5, "flag": 7, "boats": 1}}),
        [("missing-field", ("lines", "ana", "flag")), ("unknown-field", ("lines", "bo", "boats"))],
    ),
    "a stranger's column": (
        HARBOUR,
        sheet(lines={"ana": {"ships": 5, "flag": 7}, "zed": {"ships": 5, "flag": 0}}),
        [("missing-field", ("lines", "bo")), ("unknown-field", ("lines", "zed"))],
    ),
    "too many players": (HARBOUR, sheet(lines={}) | {"seats": list("abcdef")}, [("seat-count", ("seats",))]),
    "another game": (HARBOUR, harbour(ana=(5, 7), bo=(0, 0)) | {"game": "dix"}, [("wrong-game", ("game",))]),
}


@pytest.mark.parametrize(("value", "report", "expected"), CASES.values(), ids=CASES)
def test_what_breaks_a_limit_is_found(value, report, expected):
    engine = engine_of(value)
    assert codes(engine, report) == expected
    for language in ("en", "fr"):
        for each in as_json(engine.check(report), {"ana": "Ana"}, language, engine)["errors"]:
            assert each["code"].startswith("custom.")
            assert "{" not in each["message"]


def test_every_code_has_a_case():
    assert set(MESSAGES) <= {code for _, _, expected in CASES.values() for code, _ in expected}


def test_games_that_end_early_may_where_rounds_are_only_a_limit():
    engine = engine_of(rounds(rounds=5, target=10))
    assert engine.check(sheet(rounds=[{"ana": 10, "bo": 2}])).ok
    assert engine.check(sheet(rounds=[{"ana": 1, "bo": 1}] * 5)).ok
    assert codes(engine, sheet(rounds=[{"ana": 1, "bo": 1}] * 4)) == [("target-not-reached", ("rounds",))]


def test_a_game_for_one_or_more_is_also_played_alone():
    engine = engine_of(points(max=10) | {"seats": {"min": 1, "max": 4}})
    assert [(each.slug, each.people, each.is_solo) for each in engine.variants] == [
        ("standard", range(2, 5), False),
        ("solo", range(1, 2), True),
    ]
    assert engine.check(sheet(1, points={"ana": 3}) | {"variant": "solo"}).ok


def test_sheets_that_say_the_same_are_equal():
    engine = engine_of(changed(sheet={"kind": "places"}, tiebreaks=[]))
    one, other = (engine.minimal(sheet(3, places=[["ana"], tied])) for tied in (["bo", "cy"], ["cy", "bo"]))
    assert one == other


def test_names_of_a_club_never_fill_a_template():
    engine = engine_of(changed("sheet", "lines", 0, name="{own} {0} {place}"))
    tied = harbour(ana=(20, 7), bo=(25, 0))
    tied["lines"]["ana"]["ships"] = 15
    assert engine.check(tied).ok
    assert as_json(engine.check(harbour(ana=(7, 7), bo=(0, 0))), engine=engine)["errors"][0]["message"].startswith(
        "ana: {own} {0} {place}: 7"
    )
    level = engine_of(changed("sheet", "lines", 0, name="{own} {0}") | {"winner": "most"})
    report = harbour(ana=(20, 7), bo=(25, 0))
    level_report = copy.deepcopy(report)
    level_report["lines"]["ana"]["ships"], level_report["lines"]["bo"]["ships"] = 5, 10
    assert said(level, level_report)


@given(DEFINITIONS, st.integers(0, 2**32))
@settings(max_examples=50)
def test_every_valid_sheet_is_accepted_and_every_broken_limit_caught(definition, seed):
    rng = random.Random(seed)
    engine = custom.engine(definition)
    people = rng.choice(definition.people)
    report = samples.sheet(definition, [f"seat-{number}" for number in range(people)], rng)
    before = json.dumps(report)
    verdict = engine.check(report)
    assert verdict.ok, verdict.errors
    assert json.dumps(report) == before
    jsonschema.Draft202012Validator(engine.schema).validate(report)
    assert engine.check(engine.minimal(report)).standings == verdict.standings
    assert len(words.explain(engine, report["variant"], verdict.standings)) == people
    for other, code in broken(definition, report):
        found = engine.check(other)
        assert f"custom.{code}" in {each.code for each in found.errors}, (code, other)
        as_json(found, language="fr", engine=engine)


@given(DEFINITIONS, JSON, st.data())
@settings(max_examples=50)
def test_any_json_value_gets_a_verdict(definition, value, data):
    engine = custom.engine(definition)
    assert not engine.check(value).ok
    report = samples.sheet(definition, ["a", "b", "c", "d", "e", "f"][: definition.people[0]], random.Random(1))
    name = data.draw(st.sampled_from(sorted(report)))
    report[name] = value
    as_json(engine.check(report), engine=engine)
