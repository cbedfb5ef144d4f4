from __future__ import annotations

from engines.play import replay
from engines.sixmix import ENGINE
from tests.documents import ROOT, json_blocks

PAGE = (ROOT / "docs/rules/sixmix.md").read_text()
EXAMPLES = json_blocks("docs/rules/sixmix.md")


def test_every_code_is_documented() -> None:
    starting = {"unknown-variant", "seat-count", "unknown-option", "wrong-colours"}
    asking = {"row-count"}
    codes = set(ENGINE.messages) - asking | set(ENGINE.play.rules) - starting
    assert {code for code in codes if f"`{code}`" not in PAGE} == set()


def test_examples_hold() -> None:
    report, request, answer, record = EXAMPLES
    assert ENGINE.check(report).ok
    assert ENGINE.assist(ENGINE.assist_shape.model_validate(request)) == answer
    state = replay(ENGINE.play, record["variant"], record["seats"], record["moves"], {})
    assert state.rows == ("......", "1.....", "6.....")
