"""Assistance at the end of a stage: the podium and what decided each place."""

import pytest

import engines
from engines.dice_run import ENGINE

POSITION = {
    "seats": ["ana", "bo", "cy"],
    "objectives": {"ana": "b6", "bo": "g6", "cy": "r1"},
    "groups": ["b6 g6", "b1 b2 b3 b4 b5 g1 g2 g3 g4 g5 p1 p2 p3 p4 p5 p6 r1 r2 r3 r4 r5 r6 v1 v2 v3 v4 v5 v6"],
}


def help_with(**changes: object) -> dict:
    return ENGINE.assist(ENGINE.assist_shape.model_validate(POSITION | changes))


def test_front_group_decides():
    answer = help_with(groups=["b6 b1", "g6"], objectives={"ana": "b6", "bo": "g6", "cy": "r1"})
    assert answer["podium"] == ["ana", "bo", "cy"]
    assert answer["order"][0]["decided_by"] == {"by": "strength", "group": 1, "strengths": [4, 1]}
    assert answer["order"][-1]["decided_by"] is None


def test_a_later_group_decides_and_says_which():
    answer = help_with(groups=["b6 g6", "b1", "p1"])
    assert answer["podium"] == ["ana", "bo", "cy"]
    assert answer["order"][0] == {
        "seat": "ana",
        "objective": "b6",
        "strengths": [4, 1, 0],
        "decided_by": {"by": "strength", "group": 2, "strengths": [1, 0]},
    }


@pytest.mark.parametrize(("revealer", "podium"), [("bo", ["bo", "ana", "cy"]), ("cy", ["ana", "bo", "cy"])])
def test_perfect_tie_goes_clockwise_from_the_revealer(revealer, podium):
    answer = help_with(revealer=revealer)
    assert answer["podium"] == podium
    assert answer["order"][0]["decided_by"] == {"by": "revealer", "revealer": revealer}
    assert not answer["miscounted"]


def test_perfect_tie_without_revealer_leaves_the_podium_open():
    answer = help_with()
    assert answer["podium"] is None
    assert answer["order"][0]["decided_by"] == {"by": "open"}


def test_miscounted_colours_are_named():
    assert help_with(groups=["b6 b5", "g1 g2 g3 g4 g5 g6 r1"])["miscounted"] == {"b": 2, "p": 0, "r": 1, "v": 0}


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"colours": "bgpr"}, "bad-value", ("colours",)),
        ({"seats": ["ana", "ana", "bo"]}, "duplicate-seat", ("seats",)),
        ({"objectives": {"ana": "b6", "bo": "g6"}}, "missing-field", ("objectives",)),
        ({"objectives": POSITION["objectives"] | {"kim": "v1"}}, "unknown-field", ("objectives",)),
        ({"objectives": POSITION["objectives"] | {"cy": "1r"}}, "objective-notation", ("objectives", "cy")),
        ({"groups": ["b6", "b6  b1"]}, "die-notation", ("groups", 1)),
        ({"groups": []}, "bad-value", ("groups",)),
        ({"groups": ["b1"] * 31}, "bad-value", ("groups",)),
        ({"seats": ["ana", "bo"]}, "bad-value", ("seats",)),
        ({"seats": list("abcdefg")}, "bad-value", ("seats",)),
        ({"seats": ["ana", "bo", ""]}, "bad-value", ("seats", 2)),
        ({"revealer": "kim"}, "bad-value", ("revealer",)),
    ],
)
def test_a_bad_request_is_refused_where_it_is_wrong(changes, code, path):
    with pytest.raises(engines.AssistError) as raised:
        engines.assist("dice-run", POSITION | changes)
    found = {(finding.code, finding.path) for finding in raised.value.findings}
    assert (f"dice-run.{code}", path) in found
    assert all(
        engines.message(finding, language=language) for finding in raised.value.findings for language in ("en", "fr")
    )


def test_thirty_groups_and_six_players_are_possible():
    seats = list("uvwxyz")
    dice = [colour + str(value) for colour in "bgprv" for value in range(1, 7)]
    answer = help_with(seats=seats, groups=dice, objectives=dict(zip(seats, dice, strict=False)))
    assert answer["podium"] == ["u", "v", "w"]
