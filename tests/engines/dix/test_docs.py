"""The pages about the rules name every code and title in both languages, and their examples hold."""

from __future__ import annotations

import pytest

from engines.dix import ENGINE
from engines.dix.words import LEVEL_TITLES
from engines.play import replay
from tests.documents import ROOT, json_blocks

PAGES = {
    language: (ROOT / name).read_text()
    for language, name in (("en", "docs/rules/dix.md"), ("fr", "docs/rules/fr/dix.md"))
}
EXAMPLES = json_blocks("docs/rules/dix.md")


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_code_is_documented(page):
    assert [code for code in (*ENGINE.messages, *ENGINE.play.rules) if f"`{code}`" not in page] == []


@pytest.mark.parametrize("language", PAGES)
def test_every_level_has_its_title(language):
    rows = [f"| {level} | {title.into(language)} |" for level, title in LEVEL_TITLES.items()]
    assert [row for row in rows if row not in PAGES[language]] == []


def test_both_languages_have_the_same_sections_tables_and_examples():
    english, french = (
        [line.partition(" ")[0] for line in page.splitlines() if line.startswith(("#", "|", "```", "- ["))]
        for page in PAGES.values()
    )
    assert french == english
    assert json_blocks("docs/rules/fr/dix.md") == EXAMPLES


def test_examples_hold():
    report, tied, deep, request, answer, record = EXAMPLES
    verdict = ENGINE.check(report)
    assert [row.score for row in verdict.standings or ()] == [24, 5]
    places = [(row.seat, row.rank) for row in ENGINE.check(tied).standings or ()]
    assert places == [("bo", 1), ("ana", 2), ("cy", 3), ("dee", 3)]
    report = report | {"hands": report["hands"] | {"bo": deep}}
    assert [finding.code for finding in ENGINE.check(report).warnings] == ["dix.below-optimum"]
    assert ENGINE.assist(ENGINE.assist_shape.model_validate(request)) == answer
    state = replay(ENGINE.play, record["variant"], record["seats"], record["moves"], record["options"])
    assert ENGINE.play.is_over(state)
