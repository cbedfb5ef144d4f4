"""The pages about the game say what the engine does, in both languages."""

from __future__ import annotations

import pytest

from engines.play import replay
from engines.ten_phases import ENGINE
from engines.ten_phases.pieces import DEFAULT_LAYOUT, PHASES
from engines.ten_phases.scoring import reachable
from engines.words import COMMON
from tests.documents import ROOT, blocks, json_blocks

NAMES = {"en": "docs/rules/ten-phases.md", "fr": "docs/rules/fr/ten-phases.md"}
EXAMPLES = {"en": json_blocks("docs/rules/ten-phases.md"), "fr": json_blocks("docs/rules/fr/ten-phases.md")}
LAYOUTS = {"en": blocks("docs/rules/ten-phases.md", "text"), "fr": blocks("docs/rules/fr/ten-phases.md", "text")}
PAGES = {language: (ROOT / name).read_text("utf-8") for language, name in NAMES.items()}


@pytest.mark.parametrize("language", PAGES)
def test_every_code_is_documented(language: str) -> None:
    codes = [*COMMON.keys() - {"unknown-game"}, *ENGINE.messages, *ENGINE.play.rules]
    assert [code for code in codes if f"`{code}`" not in PAGES[language]] == []


@pytest.mark.parametrize("language", PAGES)
def test_points_of_the_phases_are_those_that_can_be_made(language: str) -> None:
    rows = [row.strip("|").split("|") for row in PAGES[language].splitlines() if row[:2] == "| " and row[2].isdigit()]
    assert [int(row[0]) for row in rows] == list(range(1, len(PHASES) + 1))
    for phase, (_, _, size, least, most, missing) in zip(PHASES, rows, strict=True):
        assert int(size) == phase.size
        gaps = {int(number) for number in missing.split(",") if number.strip()}
        assert reachable(phase) == set(range(int(least), int(most) + 1)) - gaps


@pytest.mark.parametrize("language", PAGES)
def test_examples_hold(language: str) -> None:
    report, request, answer, record = EXAMPLES[language]
    verdict = ENGINE.check(report)
    assert (verdict.errors, verdict.warnings) == ((), ())
    assert ENGINE.assist(ENGINE.assist_shape.model_validate(request)) == answer
    state = replay(ENGINE.play, record["variant"], record["seats"], record["moves"], {"layout": DEFAULT_LAYOUT})
    assert [column.points for column in state.block.columns] == [[40], []]
    assert state.block.round == 2
    assert LAYOUTS[language] == [f"{DEFAULT_LAYOUT}\n"]


def test_both_languages_have_the_same_sections_and_tables() -> None:
    english, french = (
        [line.partition(" ")[0] for line in page.splitlines() if line.startswith(("#", "|", "```"))]
        for page in PAGES.values()
    )
    assert french == english
