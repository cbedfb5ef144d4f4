from __future__ import annotations

import pytest

from engines.play import replay
from engines.sixmix import ENGINE
from engines.sixmix.report import WARNINGS
from engines.words import COMMON
from tests.documents import ROOT, json_blocks

NAMES = {"en": "docs/rules/sixmix.md", "fr": "docs/rules/fr/sixmix.md"}
PAGES = {language: (ROOT / name).read_text() for language, name in NAMES.items()}
EXAMPLES = {"en": json_blocks("docs/rules/sixmix.md"), "fr": json_blocks("docs/rules/fr/sixmix.md")}


@pytest.mark.parametrize("language", PAGES)
def test_every_code_is_documented(language: str) -> None:
    starting = {"unknown-option", "wrong-colours"}
    asking = {"row-count"}
    common = set(COMMON) - {"length-mismatch", "unknown-game"}
    codes = common | set(ENGINE.messages) - asking | set(ENGINE.play.rules) - starting
    assert {code for code in codes if f"`{code}`" not in PAGES[language]} == set()


@pytest.mark.parametrize(("language", "heading"), [("en", "**Warnings**"), ("fr", "**Avertissements**")])
def test_warnings_are_listed_as_such(language: str, heading: str) -> None:
    errors, _, below = PAGES[language].partition(heading)
    table = below.partition("\n## ")[0]
    rows = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert {f"sixmix.{code}" for code in rows} == WARNINGS
    assert not any(f"\n| `{code.partition('.')[2]}` |" in errors for code in WARNINGS)


@pytest.mark.parametrize("language", PAGES)
def test_examples_hold(language: str) -> None:
    report, request, answer, record = EXAMPLES[language]
    verdict = ENGINE.check(report)
    assert (verdict.errors, verdict.warnings) == ((), ())
    assert ENGINE.assist(ENGINE.assist_shape.model_validate(request)) == answer
    state = replay(ENGINE.play, record["variant"], record["seats"], record["moves"], {})
    assert state.rows == ("......", "1.....", "6.....")


def test_both_languages_have_the_same_sections_and_tables() -> None:
    english, french = (
        [line.partition(" ")[0] for line in page.splitlines() if line.startswith(("#", "|", "```"))]
        for page in PAGES.values()
    )
    assert french == english
