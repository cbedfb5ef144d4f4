"""Moves as text: what is read was written so, and everything else is no move."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.base import RuleError
from engines.dix.play.notation import read, write

MOVES = """
first 2|turn b7|turn 7*|turn b#|turn *#|turn $3|draw|take numbers|take currency|pass|bid 4|bid 400
pay 2c 1t b3 b3|pay 12t|pay g1|buy p5 2c g1|token
""".strip().replace("\n", "|")
NO_MOVES = """
| |Draw|draw | draw|draw b7|turn|turn b0|turn $6|turn b7 b8|first|first 0|first x|bid|bid 0|bid 04|bid -1|bid 1.5|bid ٣
bid 5000|take|take all|pay|pay 0c|pay c|pay 2c  1t|pay 2c |pay 2c 2c|pay 1t 2c 1t|pay 1c  b3|pay b3 |pay 100c|pay 2C
pay 2cb3|pay b3b3|pay 3*|buy
buy p5|buy p5 |buy $5 5c|buy 5* 5c|buy p55c|token 1
""".strip("\n").replace("\n", "|")


@pytest.mark.parametrize("text", MOVES.split("|"))
def test_text_of_a_move_is_read_and_written_alike(text):
    assert write(read(None, text)) == text


@pytest.mark.parametrize("text", [*NO_MOVES.split("|"), "draw\n"])
def test_text_that_is_no_move(text):
    with pytest.raises(RuleError) as error:
        read(None, text)
    assert error.value.code == "unreadable-move"


@given(st.text(max_size=12) | st.text("buypa b1234ct ", max_size=12).map("pay ".__add__))
def test_what_is_read_was_written_so_but_for_the_order_of_a_payment(text):
    with contextlib.suppress(RuleError):
        assert sorted(write(read(None, text)).split(" ")) == sorted(text.split(" "))


@given(st.permutations(["2c", "1t", "b3", "b3", "g1"]))
def test_parts_of_a_payment_may_stand_in_any_order(parts):
    assert write(read(None, f"pay {' '.join(parts)}")) == "pay 2c 1t b3 b3 g1"
    assert write(read(None, f"buy p9 {' '.join(parts)}")) == "buy p9 2c 1t b3 b3 g1"
