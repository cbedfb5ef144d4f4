"""The page about the rules names every code, and its example holds."""

from __future__ import annotations

from engines.dice_run import ENGINE
from tests.documents import ROOT, json_blocks

PAGE = (ROOT / "docs/rules/dice-run.md").read_text()


def test_every_code_is_documented():
    assert [code for code in (*ENGINE.messages, *ENGINE.play.rules) if f"`{code}`" not in PAGE] == []


def test_example_holds():
    [report] = json_blocks("docs/rules/dice-run.md")
    verdict = ENGINE.check(report)
    assert (verdict.errors, verdict.warnings) == ((), ())
    assert [row.score for row in verdict.standings] == [12, 9, 9]
