"""The page about the game says what the engine does."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engines.play import replay
from engines.ten_phases import ENGINE
from engines.ten_phases.pieces import DEFAULT_LAYOUT

PAGE = (Path(__file__).parents[3] / "docs/rules/ten-phases.md").read_text("utf-8")
REPORT, REQUEST, ANSWER, RECORD = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


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
    assert DEFAULT_LAYOUT in PAGE
