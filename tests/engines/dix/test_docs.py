"""The page about the rules names every code, and its examples hold."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engines.dix import ENGINE
from engines.play import replay

PAGE = (Path(__file__).parents[3] / "docs/rules/dix.md").read_text()
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


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
