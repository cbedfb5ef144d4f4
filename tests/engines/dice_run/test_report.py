"""Reports of Dice Run: the public vectors, every code at its path, and the laws of scoring."""

import copy
import json
from itertools import pairwise, permutations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.base import Verdict
from engines.checking import MOST_KEYS
from engines.dice_run import ENGINE
from engines.dice_run.pieces import faces
from engines.dice_run.scoring import clockwise, stage_order, strength, strengths, tally
from engines.vectors import vectors
from engines.words import COMMON, LANGUAGES, explain, render
from tests.engines.games import plain

VECTORS = vectors("dice-run")
SEATS = ["ana", "bo", "cy"]
REST = "b2 b3 b4 b5 g1 g3 g4 g5 p1 p2 p3 p4 p6 r2 r3 r4 r5 r6 v1 v2 v3 v4 v5 v6"
EVERY_FACE = " ".join(sorted(faces("bgprv")))
DEEP = {
    "game": "dice-run",
    "variant": "standard",
    "seats": SEATS,
    "stages": [
        {"podium": ["ana", "bo", "cy"]},
        {
            "podium": ["bo", "cy", "ana"],
            "revealer": "cy",
            "objectives": {"ana": "r1", "bo": "b6", "cy": "g6"},
            "groups": ["b6 b1 g2", "g6 r1 p5", REST],
        },
        {"podium": ["cy", "ana", "bo"]},
        {"podium": ["ana", "bo", "cy"]},
    ],
    "points": {"ana": 12, "bo": 9, "cy": 9},
}
GONE = object()


def changed(*changes: tuple[tuple[str | int, ...], object]) -> dict:
    """Return the deep report with values put at paths, or taken away."""
    report = copy.deepcopy(DEEP)
    for path, value in changes:
        holder = report
        for step in path[:-1]:
            holder = holder[step]
        if value is GONE:
            del holder[path[-1]]
        else:
            holder[path[-1]] = value
    return report


def found(verdict: Verdict) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return the codes and paths of the errors in a fixed order."""
    return sorted(((each.code.partition(".")[2], each.path) for each in verdict.errors), key=repr)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vector(vector):
    verdict, expected = ENGINE.check(vector["report"]), vector["verdict"]
    assert verdict.ok == expected["ok"]
    assert {each.code for each in verdict.errors} == set(expected["codes"])
    assert {each.code for each in verdict.warnings} == set(expected["warnings"])
    rows = None if verdict.standings is None else [row.as_json() for row in verdict.standings]
    assert rows == expected["standings"]


STAGE = ("stages", 1)
FAULTS = [
    # frame
    (changed((("game",), GONE)), [("missing-field", ("game",))]),
    (changed((("variant",), GONE)), [("missing-field", ("variant",))]),
    (changed((("seats",), GONE)), [("missing-field", ("seats",))]),
    (changed((("stages",), GONE)), [("missing-field", ("stages",))]),
    (changed((("podium",), [])), [("unknown-field", ("podium",))]),
    (changed((("game",), "dix")), [("wrong-game", ("game",))]),
    (changed((("game",), None)), [("wrong-game", ("game",))]),
    (changed((("variant",), ["standard"])), [("unknown-variant", ("variant",))]),
    (changed((("seats",), "ana bo cy")), [("bad-value", ("seats",))]),
    (changed((("seats", 1), "")), [("bad-value", ("seats", 1))]),
    (changed((("seats", 2), 3)), [("bad-value", ("seats", 2))]),
    (changed((("seats", 2), "ana")), [("duplicate-seat", ("seats", 2))]),
    (changed((("seats",), ["ana", "bo"])), [("seat-count", ("seats",))]),
    (changed((("seats",), list("abcdefg"))), [("seat-count", ("seats",))]),
    (changed((("stages",), {})), [("bad-value", ("stages",))]),
    (changed((("points",), None)), [("bad-value", ("points",))]),
    (changed((("points",), [12, 9, 9])), [("bad-value", ("points",))]),
    # shape
    (changed(((*STAGE, "podium"), GONE)), [("missing-field", (*STAGE, "podium"))]),
    (changed(((*STAGE, "objectives", "cy"), GONE)), [("missing-field", (*STAGE, "objectives", "cy"))]),
    (changed(((*STAGE, "objectives"), {})), [("missing-field", (*STAGE, "objectives", seat)) for seat in SEATS]),
    (changed((("points", "cy"), GONE)), [("missing-field", ("points", "cy"))]),
    (changed((("points",), {})), [("missing-field", ("points", seat)) for seat in SEATS]),
    (changed(((*STAGE, "gaps"), 1)), [("unknown-field", (*STAGE, "gaps"))]),
    (changed(((*STAGE, "objectives", "kim"), 7)), [("unknown-field", (*STAGE, "objectives", "kim"))]),
    (changed((("points", "kim"), "many")), [("unknown-field", ("points", "kim"))]),
    (changed((STAGE, "bo cy ana")), [("bad-value", STAGE)]),
    (changed((STAGE, None)), [("bad-value", STAGE)]),
    (
        changed((STAGE, {"revealer": "kim"})),
        [("missing-field", (*STAGE, "podium")), ("bad-value", (*STAGE, "revealer"))],
    ),
    (changed(((*STAGE, "podium"), "bo cy ana")), [("bad-value", (*STAGE, "podium"))]),
    (changed(((*STAGE, "groups"), None)), [("bad-value", (*STAGE, "groups"))]),
    (changed(((*STAGE, "objectives"), None)), [("bad-value", (*STAGE, "objectives"))]),
    (changed(((*STAGE, "objectives"), ["r1", "b6", "g6"])), [("bad-value", (*STAGE, "objectives"))]),
    (changed(((*STAGE, "podium", 2), "kim")), [("bad-value", (*STAGE, "podium", 2))]),
    (changed(((*STAGE, "podium", 2), ["ana"])), [("bad-value", (*STAGE, "podium", 2))]),
    (changed(((*STAGE, "revealer"), None)), [("bad-value", (*STAGE, "revealer"))]),
    (changed(((*STAGE, "revealer"), "")), [("bad-value", (*STAGE, "revealer"))]),
    (changed(((*STAGE, "revealer"), {})), [("bad-value", (*STAGE, "revealer"))]),
    (changed(((*STAGE, "objectives", "bo"), 6)), [("bad-value", (*STAGE, "objectives", "bo"))]),
    (changed(((*STAGE, "groups", 1), ["g6"])), [("bad-value", (*STAGE, "groups", 1))]),
    (changed((("points", "bo"), 9.0)), [("bad-value", ("points", "bo"))]),
    (changed((("points", "bo"), True)), [("bad-value", ("points", "bo"))]),
    (changed((("points", "bo"), -1)), [("bad-value", ("points", "bo"))]),
    (changed((("points", "bo"), None)), [("bad-value", ("points", "bo"))]),
    (changed((("colours",), "bgpr")), [("bad-value", ("colours",))]),
    (changed((("colours",), "bgprb")), [("bad-value", ("colours",))]),
    (changed((("colours",), "BGPRV")), [("bad-value", ("colours",))]),
    (changed((("colours",), "bgprv\n")), [("bad-value", ("colours",))]),
    (changed((("colours",), None)), [("bad-value", ("colours",))]),
    (changed((("colours",), list("bgprv"))), [("bad-value", ("colours",))]),
    (changed((("stages", 3), GONE)), [("stage-count", ("stages",))]),
    (changed((("stages",), [])), [("stage-count", ("stages",))]),
    (changed(((*STAGE, "podium"), ["bo", "cy"])), [("podium-size", (*STAGE, "podium"))]),
    (changed(((*STAGE, "podium"), [])), [("podium-size", (*STAGE, "podium"))]),
    (
        changed(((*STAGE, "podium"), ["bo", "cy", "bo", "bo"])),
        [
            ("podium-repeat", (*STAGE, "podium", 2)),
            ("podium-repeat", (*STAGE, "podium", 3)),
            ("podium-size", (*STAGE, "podium")),
        ],
    ),
    (changed(((*STAGE, "objectives", "bo"), "6b")), [("objective-notation", (*STAGE, "objectives", "bo"))]),
    (changed(((*STAGE, "objectives", "bo"), "b6 ")), [("objective-notation", (*STAGE, "objectives", "bo"))]),
    (changed(((*STAGE, "objectives", "bo"), "b٣")), [("objective-notation", (*STAGE, "objectives", "bo"))]),
    (changed(((*STAGE, "objectives", "bo"), "")), [("objective-notation", (*STAGE, "objectives", "bo"))]),
    (changed(((*STAGE, "groups", 0), "b6 b0 g2")), [("die-notation", (*STAGE, "groups", 0, 1))]),
    (changed(((*STAGE, "groups", 0), "b6  b1")), [("die-notation", (*STAGE, "groups", 0, 1))]),
    (changed(((*STAGE, "groups", 0), " b6")), [("die-notation", (*STAGE, "groups", 0, 0))]),
    (changed(((*STAGE, "groups", 0), "b6 ")), [("die-notation", (*STAGE, "groups", 0, 1))]),
    (changed(((*STAGE, "groups", 0), "b6\n")), [("die-notation", (*STAGE, "groups", 0, 0))]),
    (changed(((*STAGE, "groups", 0), "b6b1")), [("die-notation", (*STAGE, "groups", 0, 0))]),
    (changed(((*STAGE, "groups", 0), " ")), [("die-notation", (*STAGE, "groups", 0, k)) for k in (0, 1)]),
    # with bad colours, notation is not looked at but types are
    (
        changed((("colours",), 5), ((*STAGE, "groups", 0), "zz"), ((*STAGE, "objectives", "bo"), 6)),
        [("bad-value", ("colours",)), ("bad-value", (*STAGE, "objectives", "bo"))],
    ),
    # rules
    (
        changed((("stages", 3), DEEP["stages"][1])),
        [("objective-reused", ("stages", 3, "objectives", s)) for s in SEATS]
        + [("points-mismatch", ("points", "ana")), ("points-mismatch", ("points", "bo"))]
        + [("points-mismatch", ("points", "cy"))],
    ),
    (changed(((*STAGE, "groups", 2), REST + " r1")), [("dice-set", (*STAGE, "groups"))]),
    (changed(((*STAGE, "groups", 2), REST[:-2] + "p1")), [("dice-set", (*STAGE, "groups"))]),
    (changed(((*STAGE, "objectives"), GONE), ((*STAGE, "groups"), [])), [("dice-set", (*STAGE, "groups"))]),
    (changed(((*STAGE, "groups"), ["b6 b1 g2", "", "g6 r1 p5", REST])), [("empty-group", (*STAGE, "groups", 1))]),
    (changed((("points", "bo"), 10**30)), [("points-mismatch", ("points", "bo"))]),
    (
        changed(((*STAGE, "podium"), ["cy", "bo", "ana"])),
        [
            ("podium-mismatch", (*STAGE, "podium")),
            ("points-mismatch", ("points", "bo")),
            ("points-mismatch", ("points", "cy")),
        ],
    ),
    (
        changed(((*STAGE, "podium"), ["cy", "bo", "ana"]), ((*STAGE, "revealer"), GONE), (("points",), GONE)),
        [("podium-mismatch", (*STAGE, "podium"))],
    ),
]


@pytest.mark.parametrize(("report", "expected"), FAULTS)
def test_each_fault_is_found_at_its_path_and_nothing_else(report, expected):
    verdict = ENGINE.check(report)
    assert found(verdict) == sorted(expected, key=repr)
    assert verdict.standings is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_message_that_says_something(language):
    sample = [each for report, _ in FAULTS for each in ENGINE.check(report).errors]
    sample += ENGINE.check(["no object"]).errors
    sample += ENGINE.check({f"field-{number}": None for number in range(MOST_KEYS)}).errors
    sample += ENGINE.check(tied(None)).warnings
    for finding in sample:
        assert render(ENGINE, finding, {"ana": "Ana"}, language).strip()
    seen = {finding.code.partition(".")[2] for finding in sample}
    assert seen >= set(ENGINE.messages)
    assert seen == set(ENGINE.messages) | set(COMMON) - {"length-mismatch", "unknown-game"}


def test_messages_name_the_player_the_place_and_what_would_be_right():
    verdict = ENGINE.check(changed(((*STAGE, "podium"), ["cy", "bo", "ana"]), (("points", "ana"), 13)))
    texts = {render(ENGINE, each, {"ana": "Ana", "cy": "Cy"}) for each in verdict.errors}
    assert "Stage 2, podium: dice and objectives give bo, Cy, Ana." in texts
    assert "Ana: Total: 13 is written, but the podiums give 12." in texts
    [finding] = ENGINE.check(changed(((*STAGE, "groups", 0), "b6 b0 g2"))).errors
    assert render(ENGINE, finding).startswith("Stage 2, group 1, die 2: “b0” is not a die.")
    assert plain(render(ENGINE, finding, language="fr")).startswith(
        "Étape 2, groupe 1, dé 2 : « b0 » n’est pas un dé."
    )


def test_explanation_names_the_stage_card_that_broke_the_tie():
    rows = ENGINE.check(DEEP).standings
    assert explain(ENGINE, "standard", rows)[1] == (
        "cy: second with 9 points; level on points with bo, strongest stage card won 5 against 4"
    )


# The worked examples of the rules


def test_strength_of_b6():
    assert strength("b6", "b1 b2 g6 p3 b6") == 6


def test_a_stage():
    groups = DEEP["stages"][1]["groups"]
    assert [strength(card, groups[0]) for card in ("b6", "g6", "r1")] == [4, 2, 1]


def test_totals_of_the_report():
    rows = ENGINE.check(DEEP).standings
    assert [(row.seat, row.rank, row.score, row.key) for row in rows] == [
        ("ana", 1, 12, (12, 6)),
        ("cy", 2, 9, (9, 5)),
        ("bo", 3, 9, (9, 4)),
    ]


def tied(revealer: str | None, podium: tuple[str, ...] = ("bo", "cy", "ana")) -> dict:
    """Return a report whose second stage is a perfect tie of all."""
    stage = {"podium": list(podium), "objectives": dict(zip(SEATS, ("b6", "g3", "v1"), strict=True))}
    stage["groups"] = [EVERY_FACE]
    if revealer:
        stage["revealer"] = revealer
    return changed((STAGE, stage), (("points",), GONE))


def test_perfect_tie_of_every_die_once():
    assert {strength(card, EVERY_FACE) for card in faces("bgprv")} == {12}
    assert ENGINE.check(tied("bo")).ok
    assert found(ENGINE.check(tied("ana"))) == [("podium-mismatch", (*STAGE, "podium"))]


@pytest.mark.parametrize("podium", list(permutations(SEATS)))
def test_perfect_tie_without_a_revealer_accepts_any_podium_with_a_warning(podium):
    verdict = ENGINE.check(tied(None, podium))
    assert verdict.ok
    assert [(each.code, each.path) for each in verdict.warnings] == [("dice-run.tie-unresolved", STAGE)]


def test_warning_is_given_beside_errors():
    report = tied(None)
    report["points"] = {"ana": 0, "bo": 0, "cy": 0}
    verdict = ENGINE.check(report)
    assert not verdict.ok
    assert [each.code for each in verdict.warnings] == ["dice-run.tie-unresolved"]


def test_no_warning_for_a_tie_behind_the_podium():
    seats = ["ana", "bo", "cy", "dee", "eva"]
    stage = {"podium": ["ana", "bo", "cy"], "groups": ["b6 b6 b6 b5 b5 b4"]}
    stage["objectives"] = dict(zip(seats, ("b6", "b5", "b4", "p1", "p2"), strict=True))
    report = {"game": "dice-run", "variant": "standard", "seats": seats}
    report["stages"] = [{"podium": ["ana", "bo", "cy"]}, stage, *[{"podium": ["ana", "bo", "cy"]}] * 2]
    assert not ENGINE.check(report).warnings
    stage["objectives"]["cy"] = "p3"  # now the third is level with the fourth: nothing at all
    assert [each.code for each in ENGINE.check(report).warnings] == ["dice-run.tie-unresolved"]


def test_a_seat_may_be_called_like_a_field_or_a_die():
    names = {"ana": "podium", "bo": "b6", "cy": "\ud800"}
    report = json.loads(json.dumps(DEEP))
    for stage in report["stages"]:
        stage["podium"] = [names[seat] for seat in stage["podium"]]
    stage = report["stages"][1]
    stage["revealer"] = names[stage["revealer"]]
    stage["objectives"] = {names[seat]: card for seat, card in stage["objectives"].items()}
    report["points"] = {names[seat]: points for seat, points in report["points"].items()}
    report["seats"] = [names[seat] for seat in SEATS]
    assert ENGINE.check(report).ok


def test_minimal_keeps_the_podiums_only():
    stripped = ENGINE.minimal(DEEP)
    assert stripped["stages"] == [{"podium": stage["podium"]} for stage in DEEP["stages"]]
    assert set(stripped) == {"game", "variant", "seats", "stages"}
    assert ENGINE.check(stripped).standings == ENGINE.check(DEEP).standings


SCHEMA = jsonschema.Draft202012Validator(ENGINE.variants[0].shape.model_json_schema())
PODIUM = {"podium": ["ana", "bo", "cy"]}


@pytest.mark.parametrize(
    "change",
    [
        (("seats",), list("abcdef")),
        (("points", "ana"), 0),
        ((*STAGE, "groups"), []),
        ((*STAGE, "groups"), ["a1", "z6 a1 z6"]),
        ((*STAGE, "objectives", "ana"), "z1"),
        (("colours",), "aqxyz"),
    ],
)
def test_schema_accepts_what_lies_on_a_bound(change):
    assert SCHEMA.is_valid(changed(change))


@pytest.mark.parametrize(
    "change",
    [
        (("seats",), ["ana", "bo"]),
        (("seats",), list("abcdefg")),
        (("seats",), ["ana", "bo", "ana"]),
        (("seats", 0), ""),
        (("seats", 0), 1),
        (("stages",), [PODIUM] * 3),
        (("stages",), [PODIUM] * 5),
        (("stages",), GONE),
        ((*STAGE, "podium"), ["ana", "bo"]),
        ((*STAGE, "podium"), ["ana", "bo", "cy", "dee"]),
        ((*STAGE, "podium"), ["ana", "bo", "bo"]),
        ((*STAGE, "podium", 0), ""),
        ((*STAGE, "podium"), GONE),
        ((*STAGE, "revealer"), ""),
        ((*STAGE, "objectives", "ana"), "b7"),
        ((*STAGE, "objectives", "ana"), "b0"),
        ((*STAGE, "objectives", "ana"), "B1"),
        ((*STAGE, "objectives", "ana"), "b11"),
        ((*STAGE, "groups", 0), ""),
        ((*STAGE, "groups", 0), "b7"),
        ((*STAGE, "groups", 0), "b1 b0"),
        ((*STAGE, "groups", 0), "b1  b2"),
        ((*STAGE, "gaps"), 1),
        (("points", "ana"), -1),
        (("points", "ana"), 1.5),
        (("colours",), "bgpr"),
        (("colours",), "bgprvx"),
        (("variant",), "long"),
        (("podium",), []),
    ],
)
def test_schema_refuses_what_lies_beyond_a_bound(change):
    assert not SCHEMA.is_valid(changed(change))
    assert not ENGINE.check(changed(change)).ok


# Laws

DICE = st.lists(st.sampled_from(sorted(faces("bgprv"))), min_size=1, max_size=8)
RACE = st.lists(DICE, min_size=1, max_size=5)


def slow_strength(objective: str, dice: list[str]) -> int:
    """Count die by die as the rulebook tells it."""
    total = 0
    for die in dice:
        same_colour, same_value = die[0] == objective[0], die[1] == objective[1]
        total += same_colour + same_value + (same_colour and same_value)
    return total


@given(RACE, st.permutations(sorted(faces("bgprv"))), st.integers(3, 6), st.data())
def test_stage_order_compares_group_by_group_then_clockwise(race, cards, count, data):
    seats = [f"seat-{number}" for number in range(count)]
    revealer = data.draw(st.integers(0, count - 1))
    strong = {
        seat: strengths(card, [" ".join(dice) for dice in race]) for seat, card in zip(seats, cards, strict=False)
    }
    order = stage_order(clockwise(seats, seats[revealer]), strong)
    places = [seats.index(seat) for seat in order]
    assert sorted(places) == list(range(count))
    for ahead, behind in pairwise(places):
        own = [slow_strength(cards[ahead], dice) for dice in race]
        other = [slow_strength(cards[behind], dice) for dice in race]
        assert own > other or (own == other and (ahead - revealer) % count < (behind - revealer) % count)


@given(st.integers(3, 6), st.data())
def test_thirty_points_are_handed_out_and_only_seats_without_a_trophy_tie(count, data):
    seats = [f"seat-{number}" for number in range(count)]
    podiums = [data.draw(st.permutations(seats))[:3] for _ in range(4)]
    keys = tally(seats, podiums)
    assert sum(points for points, _ in keys) == 30
    tied_keys = [key for key in keys if keys.count(key) > 1]
    assert all(strongest == 0 for _, strongest in tied_keys)


@given(st.permutations(SEATS))
def test_a_podium_the_dice_do_not_give_is_caught(podium):
    verdict = ENGINE.check(changed(((*STAGE, "podium"), list(podium)), (("points",), GONE)))
    assert verdict.ok == (list(podium) == ["bo", "cy", "ana"])


@given(st.sampled_from(SEATS), st.integers(0, 40))
def test_a_wrong_total_is_caught(seat, points):
    verdict = ENGINE.check(changed((("points", seat), points)))
    assert verdict.ok == (points == DEEP["points"][seat])


@given(st.integers(0, 2), st.sampled_from(sorted(faces("bgprv"))))
def test_a_die_in_another_colour_is_caught(group, die):
    groups = list(DEEP["stages"][1]["groups"])
    first = groups[group][:2]
    groups[group] = die + groups[group][2:]
    codes = {code for code, _ in found(ENGINE.check(changed(((*STAGE, "groups"), groups))))}
    assert ("dice-set" in codes) == (die[0] != first[0])
