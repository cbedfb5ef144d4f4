"""Every game as a form: what is shown of a report is what is read of it, and every finding has its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from engines import GAMES
from engines.base import Engine, Variant
from engines.vectors import vectors
from tests.engines.games import every_number_of_people, played
from tests.web.markup import tags
from tests.web.phone.sheets.filling import form_of, read_back, rendered
from web.phone.sheets import SHEETS
from web.phone.sheets.base import SeatName

STATIC = Path(__file__).parents[4] / "static"
TABLES = every_number_of_people()
NONSENSE: list[dict[str, Any]] = [
    {},
    {"stages": 3, "hands": [], "difficulty": {}, "block": [], "rounds": {}, "lead": 3},
    {"stages": [None, {"podium": {}, "groups": [1, None], "objectives": 7}], "hands": {"seat-0": {"runs": "1-6"}}},
    {"rounds": [None, {"tokens": []}], "block": {"seat-0": {"phases": [None, "x"]}}},
    {"block": [], "rounds": {}, "lead": 3},
    {"block": {"seat-0": {"phases": 3, "dice": [1, None]}}, "rounds": [None, {"tokens": [], "rows": "1"}]},
]


def test_every_game_has_its_sheet() -> None:
    assert SHEETS.keys() == GAMES.keys()
    assert all((STATIC / sheet.script).is_file() for sheet in SHEETS.values())


@pytest.mark.parametrize(("engine", "variant", "people"), TABLES)
def test_form_says_what_the_report_says(engine: Engine, variant: Variant, people: int) -> None:
    for number in range(3):
        report = played(engine, variant, people, number).report
        read = read_back(report)
        assert engine.minimal(read) == engine.minimal(report)
        assert engine.check(read)[1:] == engine.check(report)[1:]


@pytest.mark.parametrize(("engine", "variant", "people"), TABLES)
def test_form_is_enough_without_evidence(engine: Engine, variant: Variant, people: int) -> None:
    minimal = engine.minimal(played(engine, variant, people).report)
    assert engine.minimal(read_back(minimal)) == minimal


@pytest.mark.parametrize(("engine", "variant", "people"), TABLES)
@pytest.mark.parametrize("draft", NONSENSE)
def test_any_draft_is_shown(engine: Engine, variant: Variant, people: int, draft: dict[str, Any]) -> None:
    seats = [SeatName(f"seat-{number}", "Ana") for number in range(people)]
    form = form_of({"game": engine.slug, "variant": variant.slug, **draft}, seats)
    assert rendered(form)
    assert not engine.check(form.read(QueryDict())).ok


@pytest.mark.parametrize(("engine", "variant", "people"), TABLES)
def test_every_field_has_a_label_and_a_place_for_findings(engine: Engine, variant: Variant, people: int) -> None:
    html = rendered(form_of(played(engine, variant, people).report))
    found = [tag for name in ("input", "select", "textarea") for tag in tags(html, name)]
    fields = [tag for tag in found if tag.attributes.get("type") != "hidden"]
    ids = [tag.attributes["id"] for tag in tags(html) if "id" in tag.attributes]
    labelled = {tag.attributes["for"] for tag in tags(html, "label") if "for" in tag.attributes}
    assert len(ids) == len(set(ids))
    assert {tag.attributes["id"] for tag in fields if "aria-label" not in tag.attributes} <= labelled
    assert {tag.attributes["aria-describedby"] for tag in fields} <= set(ids)


@pytest.mark.parametrize("slug", GAMES)
def test_every_finding_has_a_place(slug: str) -> None:
    reports = [vector["report"] for vector in vectors(slug) if is_of_a_table(slug, vector["report"])]
    assert len(reports) > 20
    for report in reports:
        form = form_of(read_back(report), judged=True)
        places = {tag.attributes.get("data-finding-for") for tag in tags(rendered(form), "p")}
        assert {*form.findings, *form.questions} <= {*places, ""}  # the page itself has the place for the whole sheet


def is_of_a_table(slug: str, report: object) -> bool:
    """Tell whether the frame of a report is that of a table, which is all a form can say of it."""
    if not isinstance(report, dict):
        return False
    framed = {finding.path[:1] for finding in GAMES[slug].check(report).errors}
    return not framed & {(), ("game",), ("variant",), ("seats",)}
