"""Whether a definition makes sense: everything wrong at once, as codes with paths, in words of two languages."""

from __future__ import annotations

import copy
import json
import time

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import custom
from engines.custom import definition as definitions
from engines.custom import words
from tests.engines.custom.strategies import values
from tests.engines.test_every_game import JSON

SCHEMA = jsonschema.Draft202012Validator(custom.schema())
HARBOUR = {
    "slug": "harbour",
    "name": "Harbour",
    "seats": {"min": 2, "max": 5},
    "winner": "most",
    "sheet": {
        "kind": "categories",
        "lines": [
            {"key": "ships", "name": "Ships", "min": 0, "max": 40, "step": 5},
            {"key": "flag", "name": "Flag", "values": [0, 7], "given_to": 1},
        ],
    },
    "tiebreaks": ["ships"],
}


def changed(*path, **values):
    """Return the definition with other values at a path; None takes one away."""
    made = copy.deepcopy(HARBOUR)
    spot = made
    for step in path:
        spot = spot[step]
    spot.update(values)
    for name in [name for name, value in values.items() if value is None]:
        del spot[name]
    return made


def found(value):
    return [(each.code.partition(".")[2], each.path) for each in custom.read(value).errors]


def points(**limits):
    return changed(sheet={"kind": "points", **limits}, tiebreaks="shared")


def rounds(**limits):
    return changed(sheet={"kind": "rounds", **limits}, tiebreaks=[])


LINE = ("sheet", "lines", 0)
CASES = {
    "nothing": ({}, [("missing-field", (name,)) for name in ("slug", "name", "seats", "sheet")]),
    "no object": ([], [("not-an-object", ())]),
    "unknown field": (changed(colour="red"), [("unknown-field", ("colour",))]),
    "slug": (changed(slug="Har bour"), [("bad-value", ("slug",))]),
    "long slug": (changed(slug="a" * 31), [("bad-value", ("slug",))]),
    "empty name": (changed(name="  "), [("bad-value", ("name",))]),
    "long name": (changed(name="a" * 61), [("bad-value", ("name",))]),
    "name without a language": (changed(name={"English": "Harbour"}), [("bad-value", ("name",))]),
    "many languages": (changed(name={f"a{c}": "x" for c in "abcdefghi"}), [("bad-value", ("name",))]),
    "too many seats": (changed(seats={"min": 2, "max": 9}), [("bad-value", ("seats", "max"))]),
    "seats in disorder": (changed(seats={"min": 5, "max": 2}), [("seats-order", ("seats",))]),
    "no kind": (changed(sheet={}), [("missing-field", ("sheet", "kind"))]),
    "another kind": (changed(sheet={"kind": "cards"}), [("bad-value", ("sheet", "kind"))]),
    "sheet in a list": (changed(sheet=[]), [("bad-value", ("sheet",))]),
    "no lines": (changed("sheet", lines=[]), [("bad-value", ("sheet", "lines"))]),
    "too many lines": (
        changed("sheet", lines=[{"key": f"k{n}", "name": "x"} for n in range(31)]),
        [("bad-value", ("sheet", "lines"))],
    ),
    "key": (changed(*LINE, key="my ships"), [("bad-value", (*LINE, "key"))]),
    "key of ours": (changed(*LINE, key="shared"), [("key-taken", (*LINE, "key")), ("unknown-line", ("tiebreaks", 0))]),
    "key twice": (changed("sheet", "lines", 1, key="ships"), [("key-taken", ("sheet", "lines", 1, "key"))]),
    "factor": (changed(*LINE, factor=101), [("bad-value", (*LINE, "factor"))]),
    "step": (changed(*LINE, step=0), [("bad-value", (*LINE, "step"))]),
    "limits in disorder": (changed(*LINE, min=50), [("limits-order", (*LINE, "max"))]),
    "number too large": (changed(*LINE, max=100_000), [("bad-value", (*LINE, "max"))]),
    "values and a range": (points(values=[1, 2], min=0), [("values-and-range", ("sheet", "min"))]),
    "values twice": (points(values=[1, 1]), [("values-repeated", ("sheet", "values"))]),
    "given to too many": (points(given_to=3), [("given-impossible", ("sheet", "given_to"))]),
    "given, and nobody without": (points(min=1, given_to=1), [("given-impossible", ("sheet", "given_to"))]),
    "given to as many twice": (points(given_to=[1, 0, 1]), [("given-repeated", ("sheet", "given_to"))]),
    "given nothing": (points(values=[0], given_to=1), [("given-impossible", ("sheet", "given_to"))]),
    "sum too large": (points(max=5, sum=12), [("sum-impossible", ("sheet", "sum"))]),
    "sum between": (points(values=[0, 5], sum=12), [("sum-impossible", ("sheet", "sum"))]),
    "sum against the step": (points(max=50, step=5, sum=12), [("sum-impossible", ("sheet", "sum"))]),
    "sum of one": (points(min=-5, max=5, given_to=1, sum=0), [("sum-impossible", ("sheet", "sum"))]),
    "target out of reach": (rounds(max=0, target=5), [("target-impossible", ("sheet", "target"))]),
    "target after too many rounds": (rounds(max=1, target=101), [("target-impossible", ("sheet", "target"))]),
    "won by places": (changed(winner="places"), [("winner-needs-places", ("winner",))]),
    "tie-break": (changed(tiebreaks=["boats"]), [("unknown-line", ("tiebreaks", 0))]),
    "tie-break twice": (changed(tiebreaks=["ships", "ships"]), [("tiebreak-repeated", ("tiebreaks", 1))]),
    "shared too soon": (changed(tiebreaks=["shared", "ships"]), [("shared-not-last", ("tiebreaks", 0))]),
    "rounds break no ties of lines": (changed(tiebreaks=["best"]), [("unknown-line", ("tiebreaks", 0))]),
    "half a character": (changed(name="\ud800"), [("bad-value", ())]),
    "far too much": (changed("sheet", lines=[{}] * 201), [("bad-value", ("sheet", "lines"))]),
    "all at once": (
        changed(slug="", minutes=0, rated="yes"),
        [("bad-value", ("slug",)), ("bad-value", ("minutes",)), ("bad-value", ("rated",))],
    ),
}


@pytest.mark.parametrize(("value", "expected"), CASES.values(), ids=CASES)
def test_what_makes_no_sense_is_found(value, expected):
    assert found(value) == expected
    for each in custom.read(value).errors:
        for language in ("en", "fr"):
            assert "{" not in custom.say(each, language)


RIGHT = {
    "as it stands": HARBOUR,
    "in two languages": changed(name={"en": "Harbour", "fr": "Le port"}, remarks={"fr": "Un jeu."}),
    "shared by a word": changed(tiebreaks="shared"),
    "fewest of a line": changed(tiebreaks=[{"line": "ships", "winner": "fewest"}, "shared"]),
    "nobody or one has it": changed("sheet", "lines", 1, given_to=[0, 1]),
    "places": changed(sheet={"kind": "places"}, winner=None, tiebreaks=[]),
    "places, with a word about points": changed(sheet={"kind": "places"}, tiebreaks=None),
    "no limits": points(),
    "alone": points(max=10) | {"seats": {"min": 1, "max": 1}},
    "alone or together": points(max=10) | {"seats": {"min": 1, "max": 4}},
    "sums both ways": points(min=-50, max=50, sum=0),
    "as many rounds as one likes": rounds(),
    "rounds at most": rounds(rounds=5, target=500, max=10),
}


@pytest.mark.parametrize("value", RIGHT.values(), ids=RIGHT)
def test_what_makes_sense_is_accepted(value):
    assert found(value) == []
    SCHEMA.validate(value)


@given(JSON)
@settings(max_examples=60)
def test_any_json_value_gets_an_answer(value):
    checked = custom.read(value)
    assert bool(checked.errors) == (checked.definition is None)


@given(values(), st.data())
@settings(max_examples=60)
def test_a_definition_with_something_odd_in_it_gets_an_answer(value, data):
    names = data.draw(st.sampled_from(["slug", "name", "seats", "sheet", "tiebreaks", "winner"]))
    value[names] = data.draw(JSON)
    for each in custom.read(value).errors:
        assert custom.say(each, "en")
        assert custom.say(each, "fr")


@given(values())
@settings(max_examples=60)
def test_what_is_accepted_is_of_the_schema(value):
    if custom.read(value).definition:
        SCHEMA.validate(value)


def test_the_largest_definition_is_judged_quickly():
    hard = {"values": [n * 2_499 for n in range(39)] + [1], "sum": 2_499 * 7 + 1, "given_to": list(range(9))}
    lines = [{"key": f"k{n}", "name": "x", **hard} for n in range(30)]
    begun = time.process_time()
    assert found(changed("sheet", lines=lines) | {"seats": {"min": 2, "max": 8}, "tiebreaks": []}) == []
    assert time.process_time() - begun < 2  # of CPU; a thirtieth of it is usual


def test_every_code_has_words_and_every_words_a_case():
    said = {code for _, expected in CASES.values() for code, _ in expected}
    assert set(words.DEFINITION) - said == {"slug-fixed", "name-invalid"}  # said by the service


def test_ready_definitions_are_right_and_of_every_kind():
    ready = [custom.read(each).definition for each in custom.ready()]
    assert len(ready) >= 12
    assert all(ready)
    assert {each.sheet.kind for each in ready} == set(definitions.KINDS)
    assert len({each.slug for each in ready}) == len(ready)
    assert all({"en", "fr"} == set(each["name"]) == set(each["remarks"]) for each in custom.ready())
    json.dumps(custom.ready())
