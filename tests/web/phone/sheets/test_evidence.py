"""Evidence that a form has no field for stays with the sheet, and warnings are questions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from engines import GAMES
from engines.base import Engine, Variant
from scoring.models import Draft
from tests.engines.games import every_number_of_people, played
from tests.engines.sixmix.examples import REPORTS
from tests.scoring.evenings import evening
from tests.web.phone.sheets.filling import form_of, rendered, submitted
from tests.web.phones import link_of
from web.phone.sheets import SHEETS
from web.phone.sheets.evidence import FRAME, merged, split
from web.phone.sheets.forms import SheetForm


def sent(form: SheetForm, **changes: str) -> dict[str, Any]:
    """Return what the server reads of a form that is sent with some fields changed."""
    data = submitted(rendered(form))
    data["kept"] = form.kept
    for name, value in changes.items():
        data[name.replace("__", ".")] = value
    return form.read(data)


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_sheet_that_nobody_changes_is_read_as_it_came(engine: Engine, variant: Variant, people: int) -> None:
    report = played(engine, variant, people).report
    assert sent(form_of(report)) == json.loads(json.dumps(report))


def test_evidence_without_a_field_stays_when_something_else_changes() -> None:
    deep = REPORTS["deep"]
    read = sent(form_of(deep), rounds__0__tokens__ana="3")
    assert read["rounds"][0]["tokens"]["ana"] == 3
    assert [read[name] for name in ("held", "colours", "youngest_first")] == [
        deep[name] for name in ("held", "colours", "youngest_first")
    ]
    assert read["rounds"][0]["dice"] == deep["rounds"][0]["dice"]


def test_evidence_goes_with_the_round_it_belongs_to() -> None:
    empty = {f"rounds__3__tokens__{seat}": "" for seat in REPORTS["deep"]["seats"]} | {"rounds__3__rows": ""}
    read = sent(form_of(REPORTS["deep"]), **empty)
    assert len(read["rounds"]) == 3
    assert "held" in read


def test_evidence_is_left_out_when_asked() -> None:
    read = sent(form_of(REPORTS["held"]), leave_out="1")
    assert "held" not in read


def test_contradiction_is_said_beside_the_evidence_that_has_no_field() -> None:
    report = REPORTS["held"]
    read = sent(form_of(report), rounds__0__tokens__cleo="0")
    form = form_of(read, judged=True)
    assert list(form.findings) == ["kept"]
    assert form.findings["kept"][0].endswith("0b2y is worth 2, but the rounds give 1 points.")


def test_error_of_the_fields_stays_beside_its_field() -> None:
    read = sent(form_of(REPORTS["held"]), rounds__0__tokens__ana="0")
    assert set(form_of(read, judged=True).findings) == {"kept", "rounds.0", "rounds"}


def test_evidence_of_other_seats_is_not_kept() -> None:
    form = form_of(REPORTS["held"], form_of(REPORTS["minimal"]).people[:2])
    assert form.kept == ""


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[" * 50_000, "3", '{"rounds": 7}', '{"rounds": [{"tokens": {"ana": 9}}]}']
)
def test_anything_may_be_carried(text: str) -> None:
    form = form_of(REPORTS["held"])
    data = QueryDict(mutable=True)
    data["kept"] = text
    assert form.read(data)["rounds"] == []


ROUND = st.fixed_dictionaries(
    {"tokens": st.integers()}, optional={"rows": st.text(), "dice": st.text(), "x": st.integers()}
)
REPORT = st.fixed_dictionaries(
    {"game": st.text(), "rounds": st.lists(ROUND, min_size=1)}, optional={"lead": st.integers(), "held": st.text()}
)


@given(REPORT)
def test_parts_of_a_report_make_it_whole_again(report: dict[str, Any]) -> None:
    fielded, kept = split(report, FRAME + SHEETS["sixmix"].fields)
    assert merged(fielded, kept) == report
    assert not {"held", "dice", "x"} & {name for part in (fielded, *fielded["rounds"]) for name in part}


def test_warning_is_a_question_and_no_error() -> None:
    form = form_of(REPORTS["equal-numbers"], judged=True)
    assert form.findings == {}
    assert list(form.questions) == ["rounds.0"]
    assert form.questions["rounds.0"][0].endswith("which makes 2, 2, 2. Is that what happened?")
    html = rendered(form)
    assert 'class="finding is-warning" id="finding-rounds.0"' in html
    assert 'aria-invalid="true"' not in html


@pytest.mark.parametrize("slug", GAMES)
def test_fields_cover_what_the_form_reads(slug: str) -> None:
    engine = GAMES[slug]
    for variant in engine.variants:
        read = form_of(played(engine, variant, variant.people[-1]).report)
        own = read.sheet.read(submitted(rendered(read)), variant.slug, read.seats)
        assert split(own, FRAME + read.sheet.fields) == (own, None)


def test_phone_keeps_evidence_and_says_what_contradicts_it(phone: Page) -> None:
    tonight = evening(seats=3, game="sixmix")
    sheet = {name: part for name, part in tonight.sheet().items() if name != "lead"}
    for each in sheet["rounds"]:
        del each["rows"], each["dice"]
    Draft.objects.create(table=tonight.table, sheet=sheet, author="table")
    phone.goto(f"/me/{link_of(tonight.entries[0])}/")
    phone.goto(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/")
    phone.wait_for_selector("form.sheet[data-state]")
    cell = phone.locator("form.sheet td > input:visible").first
    before, uid = int(cell.input_value()), sheet["seats"][0]
    cell.fill(str(before + 1 if before < 4 else before - 1))
    said = phone.locator("[data-finding-for=kept]")
    expect(said).to_contain_text("points.")
    expect(phone.locator("form.sheet[data-state=saved]")).to_be_visible()
    saved = Draft.objects.get().sheet
    assert saved["rounds"][0]["tokens"][uid] != before
    assert (saved["held"], saved["colours"], saved["rounds"][1]["starter"]) == (
        sheet["held"],
        sheet["colours"],
        sheet["rounds"][1]["starter"],
    )
    phone.get_by_label("Leave it out").check()
    expect(said).to_be_empty()
    expect(phone.locator("form.sheet[data-state=saved]")).to_be_visible()
    assert "held" not in Draft.objects.get().sheet
