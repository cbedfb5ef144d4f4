"""The page about the game says what the engine does."""

from __future__ import annotations

from engines.play import replay
from engines.ten_phases import ENGINE
from engines.ten_phases.pieces import DEFAULT_LAYOUT
from tests.documents import ROOT, blocks, json_blocks

PAGE = (ROOT / "docs/rules/ten-phases.md").read_text("utf-8")
REPORT, REQUEST, ANSWER, RECORD = json_blocks("docs/rules/ten-phases.md")


def test_every_code_is_documented() -> None:
    codes = [*ENGINE.messages, *ENGINE.play.rules]
    assert [code for code in codes if f"`{code}`" not in PAGE] == []


def test_examples_hold() -> None:
    assert ENGINE.check(REPORT).ok
    assert ENGINE.assist(ENGINE.assist_shape.model_validate(REQUEST)) == ANSWER


def test_record_can_be_replayed() -> None:
    state = replay(ENGINE.play, RECORD["variant"], RECORD["seats"], RECORD["moves"], {"layout": DEFAULT_LAYOUT})
    assert [column.points for column in state.block.columns] == [[40], []]
    assert state.block.round == 2
    assert blocks("docs/rules/ten-phases.md", "text") == [f"{DEFAULT_LAYOUT}\n"]
