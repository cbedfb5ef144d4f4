"""What holds in every state of every game of 10 Phases."""

from __future__ import annotations

from engines.ten_phases import ENGINE
from engines.ten_phases.pieces import ALL_DICE, PHASES, THROWS
from engines.ten_phases.play.state import TenPhasesState
from engines.ten_phases.scoring import reachable


def check_invariants(state: TenPhasesState) -> None:
    """Fail if a state could not have come about by the rules."""
    block = state.block
    assert len(block.columns) == len(block.seats)
    assert block.turns == (block.round - 1) * len(block.seats) + block.seat
    _check_dice(state)
    _check_columns(state)
    assert block.is_over == (block.first == block.seat)
    assert (ENGINE.play.legal(state).count > 0) == (not block.is_over)
    assert (ENGINE.play.actor(state) is None) == (not state.is_thrown)


def _check_dice(state: TenPhasesState) -> None:
    assert len(state.dice) == ALL_DICE
    assert all(face is None or face in die for face, die in zip(state.dice, state.block.box, strict=True))
    assert state.is_thrown == (None not in state.dice)
    assert int(state.is_thrown) <= state.throws <= THROWS - (not state.is_thrown)
    if state.throws == 0:
        assert set(state.dice) == {None}


def _check_columns(state: TenPhasesState) -> None:
    block = state.block
    finished = {seat for seat, column in enumerate(block.columns) if column.is_finished}
    assert (block.first is None) == (not finished)
    for seat, column in enumerate(block.columns):
        rounds = [entry.round for entry in column.entries]
        assert rounds == sorted(rounds)
        assert not rounds or rounds[-1] <= block.round
        assert column.misses >= 0
        assert all(entry.points in reachable(PHASES[index]) for index, entry in enumerate(column.entries))
        if block.first in (None, seat):
            assert len(set(rounds)) == len(rounds)
