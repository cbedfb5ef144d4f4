"""The page about the rules names every code, and its examples hold."""

from __future__ import annotations

from engines.dix import ENGINE
from engines.play import replay
from tests.documents import ROOT, json_blocks

PAGE = (ROOT / "docs/rules/dix.md").read_text()
EXAMPLES = json_blocks("docs/rules/dix.md")


def test_every_code_is_documented():
    assert [code for code in (*ENGINE.messages, *ENGINE.play.rules) if f"`{code}`" not in PAGE] == []


def test_examples_hold():
    report, deep, request, answer, record = EXAMPLES
    verdict = ENGINE.check(report)
    assert [row.score for row in verdict.standings or ()] == [24, 5]
    report["hands"]["bo"] = deep
    assert [finding.code for finding in ENGINE.check(report).warnings] == ["dix.below-optimum"]
    assert ENGINE.assist(ENGINE.assist_shape.model_validate(request)) == answer
    state = replay(ENGINE.play, record["variant"], record["seats"], record["moves"], record["options"])
    assert ENGINE.play.is_over(state)
