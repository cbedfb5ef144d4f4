"""What holds for the reports of every game."""

from __future__ import annotations

import copy
import json
import string

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engines
from engines import GAMES, likelihood, words
from engines.base import Finding, RuleError, standings
from engines.checking import MOST_FINDINGS, MOST_KEYS, shortened
from tests.engines.games import every_number_of_people, every_variant, played, renamed, vectors

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(("slug", "vector"), vectors())
def test_example_has_its_verdict(slug, vector):
    verdict = engines.as_json(GAMES[slug].check(vector["report"]))
    expected = vector["verdict"]
    assert verdict["ok"] == expected["ok"]
    assert sorted({each["code"] for each in verdict["errors"]}) == sorted(set(expected["codes"]))
    assert sorted({each["code"] for each in verdict["warnings"]}) == sorted(set(expected["warnings"]))
    assert verdict["standings"] == expected["standings"]


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_played_game_is_valid_with_the_deepest_evidence(engine, variant, people):
    for player in ("decent", "random"):
        report = played(engine, variant, people, player=player).report
        verdict = engine.check(json.loads(json.dumps(report)))
        assert verdict.ok, [engines.message(each) for each in verdict.errors]
        assert verdict.standings is not None
        assert [row.seat for row in verdict.standings] == sorted(
            report["seats"], key=lambda seat: next(r.rank for r in verdict.standings or () if r.seat == seat)
        )


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_evidence_never_changes_the_standings(engine, variant, people):
    report = played(engine, variant, people).report
    stripped = engine.minimal(report)
    verdict = engine.check(stripped)
    if verdict.errors:  # a shared first place needs what breaks the tie, and nothing else does
        assert {finding.code for finding in verdict.errors} == {f"{engine.slug}.tiebreak-missing"}
        first, second = (engine.check(report).standings or ())[:2]
        assert first.score == second.score
    else:
        assert verdict.standings == engine.check(report).standings
    assert engine.minimal(stripped) == stripped


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_valid_report_stays_valid_under_other_names(engine, variant):
    report = played(engine, variant, variant.people[-1]).report
    # Awkward on purpose: names of fields, cards, dice and numbers are names of people too.
    strange = ["phases", "total", "b1", "W", "1-9", "é", "0", "block rounds", "standard"]
    names = dict(zip([seat for seat in report["seats"] if seat not in variant.partners], strange, strict=False))
    before, after = engine.check(report), engine.check(renamed(report, names))
    assert after.ok
    assert [(names.get(row.seat, row.seat), row.rank, row.score, row.key) for row in before.standings or ()] == [
        (row.seat, row.rank, row.score, row.key) for row in after.standings or ()
    ]


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_report_is_not_changed_by_being_judged(engine, variant):
    report = played(engine, variant, variant.people[0]).report
    before = copy.deepcopy(report)
    engine.check(report)
    engine.minimal(report)
    assert report == before


@given(value=JSON, slug=st.sampled_from([*GAMES, None]))
@settings(max_examples=400)
def test_any_json_value_gets_a_verdict(value, slug):
    verdict = engines.as_json(engines.check(value, slug))
    assert verdict["ok"] is False
    assert verdict["errors"]
    assert verdict["standings"] is None


@pytest.mark.parametrize(("engine", "variant"), every_variant())
@given(data=st.data())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_part_may_be_anything(engine, variant, data):
    """Replace, remove or add at any place of a deep report: a verdict comes, and it can be said in both languages."""
    report = copy.deepcopy(played(engine, variant, variant.people[0]).report)
    for _ in range(data.draw(st.integers(1, 3))):
        corrupt(report, data)
    verdict = engine.check(report)
    assert verdict.ok == (verdict.standings is not None)
    assert not verdict.ok or admitted(engine, report)
    for language in words.LANGUAGES:
        said = engines.as_json(verdict, language=language)
        json.dumps(said)
        assert all(each["message"] for each in said["errors"] + said["warnings"])
    for finding in verdict.errors:
        assert finding.code.startswith(engine.slug + ".")


def admitted(engine, report):
    """Say whether the JSON Schema of the game has nothing against a report."""
    return jsonschema.Draft202012Validator(engines.schema(engine.slug)).is_valid(report)


@pytest.mark.parametrize(("slug", "vector"), [each for each in vectors() if each.values[1]["verdict"]["ok"]])
def test_schema_admits_every_accepted_example(slug, vector):
    assert admitted(GAMES[slug], vector["report"])
    assert admitted(GAMES[slug], GAMES[slug].minimal(vector["report"]))


def corrupt(report, data):
    """Change one place of a report to anything."""
    place = report
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.integers(0, 3)):
            place = place[key]
            continue
        break
    match data.draw(st.sampled_from(["replace", "remove", "add", "nudge"])):
        case "replace":
            place[key] = data.draw(JSON)
        case "remove":
            del place[key]
        case "nudge" if isinstance(place[key], int) and not isinstance(place[key], bool):
            place[key] += data.draw(st.sampled_from([-1, 1, 10**30]))
        case "add" if isinstance(place, dict):
            place[data.draw(st.text(string.ascii_lowercase, max_size=6))] = data.draw(JSON)
        case _ if isinstance(place, list):
            place.insert(0, data.draw(JSON))


@pytest.mark.parametrize("engine", list(GAMES.values()), ids=list(GAMES))
@pytest.mark.parametrize("value", [None, True, 0, 1.5, "report", [], [{}]])
def test_what_is_no_object_is_told_so(engine, value):
    assert [each.code for each in engine.check(value).errors] == [f"{engine.slug}.not-an-object"]


@pytest.mark.parametrize("engine", list(GAMES.values()), ids=list(GAMES))
def test_empty_object_misses_every_required_field_at_once(engine):
    found = engine.check({}).errors
    assert {each.code for each in found} == {f"{engine.slug}.missing-field"}
    assert {"game", "variant", "seats"} < {each.path[0] for each in found}


WRONG = 300_000


@pytest.mark.parametrize(("engine", "variant"), every_variant())
@pytest.mark.parametrize("wrong", [["x"] * WRONG, dict.fromkeys(map(str, range(WRONG)), -1), "x " * WRONG], ids=type)
def test_sheet_of_wrong_entries_gets_a_short_answer(engine, variant, wrong):
    """Wherever the entries stand in a sheet, they are not judged one by one."""
    report = played(engine, variant, variant.people[-1]).report
    for path in places(report):
        verdict = engine.check(replaced(report, path, wrong))
        assert 1 <= len(verdict.errors) <= MOST_FINDINGS
        assert [each.path for each in verdict.errors] == [path]
        assert len(json.dumps(engines.as_json(verdict))) < 64_000


def places(value, path=()):
    """Return the path to everything in a report, the report itself apart; of a list, to the first entry."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    return [deeper for step, each in inner for deeper in [(*path, step), *places(each, (*path, step))]]


def replaced(value, path, new):
    """Return a report with another value at a path."""
    if not path:
        return new
    copied = copy.copy(value)
    copied[path[0]] = replaced(value[path[0]], path[1:], new)
    return copied


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_many_small_faults_get_a_short_answer(engine, variant):
    """A sheet within the bounds of every list can be wrong in more places than a verdict names."""
    report = played(engine, variant, variant.people[-1]).report
    verdict = engine.check(report | {f"field-{number}": number for number in range(MOST_KEYS - len(report))})
    assert len(verdict.errors) == MOST_FINDINGS
    assert verdict.errors[-1] == Finding(f"{engine.slug}.too-many-findings", (), {"shown": MOST_FINDINGS - 1})
    assert all("49" in words.render(engine, verdict.errors[-1], language=each) for each in words.LANGUAGES)


@pytest.mark.parametrize("engine", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("large", ["k" * 500, [1] * 300, {"k" * 500: 1}])
def test_what_is_too_large_is_named_wherever_it_stands(engine, large):
    """It is refused before anybody looks whether the game has such a place."""
    frame = {"game": engine.slug, "variant": engine.variants[0].slug, "seats": ["ana", "bo"]}
    fields = played(engine, engine.variants[0], engine.variants[0].people[-1]).report
    for field in ("x", "rows", *(field for field in fields if field not in frame)):
        for inner in ([large], [[large]], {"ana": large}, {"ana": [large]}, [{"ana": large}], {"ana": {"bo": large}}):
            verdict = engine.check(frame | {field: inner})
            for language in words.LANGUAGES:
                assert all(words.render(engine, finding, language=language) for finding in verdict.errors)


@pytest.mark.parametrize("engine", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("letter", ["k", "\x01", "é", "🎲"])
def test_a_verdict_is_short_however_long_the_way_to_its_faults(engine, letter):
    frame = {"game": engine.slug, "variant": engine.variants[0].slug, "seats": ["ana", "bo"]}
    deep: object = [letter * 401] * 60
    for _level in range(26):
        deep = {letter * 399: deep}
    wide = {letter * 390 + str(number): {letter * 399: "x" * 401} for number in range(60)}
    twice = [letter * 400] * 60  # the way to each is short, and the words name the player
    for report in ({"x": deep}, wide, {"x": wide}, {"x": [[wide]]}, {"seats": twice}):
        verdict = engines.as_json(engine.check(frame | report))
        assert verdict["errors"]
        assert len(json.dumps(verdict, ensure_ascii=False).encode()) < 64_000


def test_no_kind_of_fault_is_left_out_because_of_another():
    """One slip can be found in a hundred places, and hide what else is wrong."""
    many = [Finding("dix.bad-value", (index,), {}) for index in range(200)]
    findings = [*many[:100], Finding("dix.card-count", (), {}), *many[100:], Finding("dix.no-such-card", (), {})]
    kept = shortened("dix", findings)
    assert len(kept) == MOST_FINDINGS
    assert [finding.code for finding in kept[-3:]] == ["dix.card-count", "dix.no-such-card", "dix.too-many-findings"]
    assert list(kept[:-3]) == many[: MOST_FINDINGS - 3]


@given(st.integers(0, 120))
def test_findings_are_left_out_only_where_there_are_too_many(count):
    findings = [Finding("dix.bad-value", (index,)) for index in range(count)]
    kept = shortened("dix", findings)
    if count <= MOST_FINDINGS:
        assert list(kept) == findings
    else:
        assert len(kept) == MOST_FINDINGS
        assert list(kept[:-1]) == findings[: MOST_FINDINGS - 1]


@pytest.mark.parametrize("engine", list(GAMES.values()), ids=list(GAMES))
def test_assistance_for_too_much_is_refused_in_short(engine):
    for request in ({"cards": "x " * WRONG}, {"groups": ["x"] * WRONG}, dict.fromkeys(map(str, range(WRONG)), 1)):
        with pytest.raises(engines.AssistError) as caught:
            engines.assist(engine.slug, request)
        assert [each.code for each in caught.value.findings] == [f"{engine.slug}.bad-value"]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8))
def test_ranks_depend_on_keys_alone(keys):
    seats = [f"seat-{number}" for number in range(len(keys))]
    rows = standings(seats, [0] * len(keys), keys)
    assert {row.seat: row.rank for row in rows} == {
        seat: 1 + sum(other > own for other in keys) for seat, own in zip(seats, keys, strict=True)
    }
    assert list(rows) == sorted(rows, key=lambda row: (row.rank, seats.index(row.seat)))


@pytest.mark.parametrize(("engine", "variant"), every_variant())
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_place_is_explained(engine, variant, language):
    report = played(engine, variant, variant.people[-1]).report
    rows = engine.check(report).standings or ()
    names = {seat: f"Player {seat[-1]}" for seat in report["seats"]}
    sentences = words.explain(engine, variant.slug, rows, names, language)
    assert len(sentences) == len(rows)
    for sentence, row in zip(sentences, rows, strict=True):
        assert sentence.startswith(names[row.seat])
        assert str(row.score) in sentence


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_schema_describes_what_is_accepted(engine, variant):
    schema = engines.schema(engine.slug)
    jsonschema.Draft202012Validator.check_schema(schema)
    report = played(engine, variant, variant.people[-1]).report
    jsonschema.validate(report, schema)
    jsonschema.validate(engine.minimal(report), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report | {"seats": 3}, schema)
    jsonschema.Draft202012Validator.check_schema(engine.assist_shape.model_json_schema())


@pytest.mark.parametrize("engine", list(GAMES.values()), ids=list(GAMES))
def test_assistance_names_what_it_cannot_read(engine):
    with pytest.raises(engines.AssistError) as caught:
        engines.assist(engine.slug, {"nonsense": 1})
    assert all(engines.message(each) for each in caught.value.findings)


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_likelihood_knows_every_size_of_every_game(engine, variant, people):
    report = played(engine, variant, people).report
    rows = likelihood.tails(report, engine.check(report))
    assert [row.seat for row in rows] == [row.seat for row in engine.check(report).standings or ()]
    assert all(0 < row.share <= 1 for row in rows)
    assert all(row.at_most + row.at_least > 1 for row in rows)


def test_likelihood_of_an_impossible_score_is_small():
    engine = GAMES["dix"]
    runs = dict.fromkeys(("blue", "green", "orange", "pink"), "1-9")
    hand = {"runs": runs, "coins": 10, "consolation": 15, "card_count": 36}
    other = {"runs": {}, "coins": 0, "consolation": 0, "card_count": 0}
    report = {"game": "dix", "variant": "standard", "seats": ["a", "b"], "hands": {"a": hand, "b": other}}
    assert all(row.share < 0.001 for row in likelihood.tails(report, engine.check(report)))


def test_registry_names_every_game_in_both_languages():
    assert list(GAMES) == ["ten-phases", "sixmix", "dix", "dice-run"]
    for slug, engine in GAMES.items():
        assert engine.slug == slug
        assert all((*engine.name, *engine.summary))
        assert set(engine.keys) == {variant.slug for variant in engine.variants}
    with pytest.raises(KeyError):
        GAMES["dix"].variant("chess")


def test_unknown_game_is_told_which_there_are():
    (finding,) = engines.check({"game": "chess"}).errors
    assert finding.code == "report.unknown-game"
    assert "dice-run" in engines.message(finding)
    assert engines.check({"game": ["dix"]}).errors[0].code == "report.unknown-game"


def test_rule_error_keeps_code_and_facts():
    error = RuleError("bid-too-low", least=5)
    assert (error.code, error.facts) == ("bid-too-low", {"least": 5})
    assert isinstance(error, ValueError)


def test_a_number_no_sentence_can_hold_is_not_printed():
    finding = Finding("ten-phases.total-mismatch", ("block", "ana", "total"), {"seat": "ana", "total": 10**5000})
    text = words.COMMON["bad-value"]
    assert text
    assert "far too large" in str(words._say(finding.facts["total"], "en"))
