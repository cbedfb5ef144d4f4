"""The pages about the rules name every code and move, and their examples hold."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from engines.dice_run import ENGINE
from engines.dice_run.play import state
from engines.dice_run.play.moves import Move
from engines.words import COMMON
from tests.documents import ROOT, json_blocks

PAGES = {
    language: (ROOT / f"docs/rules/{folder}dice-run.md").read_text()
    for language, folder in (("en", ""), ("fr", "fr/"))
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_code_is_documented(page):
    common = COMMON.keys() - {"length-mismatch", "unknown-game"}
    assert [code for code in (*common, *ENGINE.messages, *ENGINE.play.rules) if f"`{code}`" not in page] == []


def test_examples_hold():
    [report], [french] = json_blocks("docs/rules/dice-run.md"), json_blocks("docs/rules/fr/dice-run.md")
    assert french == report
    verdict = ENGINE.check(report)
    assert (verdict.errors, verdict.warnings) == ((), ())
    assert [row.score for row in verdict.standings] == [12, 9, 9]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_kind_of_move_is_shown_as_it_is_written(page):
    start = state.start("standard", ["ana", "bo", "cy"], {})
    table = page[page.index("`roll b1") : page.rindex("`options`")]
    shown = [text for text in re.findall(r"`([a-z-]+(?: [^`]+)?)`", table) if "…" not in text]
    moves = [ENGINE.play.read(start, text) for text in shown]
    assert [ENGINE.play.write(move) for move in moves] == shown
    assert {type(move) for move in moves} == set(get_args(Move))


def test_both_languages_have_the_same_sections_and_tables():
    english, french = (
        [line.partition(" ")[0] for line in page.splitlines() if line.startswith(("## ", "|"))]
        for page in PAGES.values()
    )
    assert french == english
