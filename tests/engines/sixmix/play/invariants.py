"""What holds in every state of every game of Sixmix."""

from __future__ import annotations

from engines.sixmix.pieces import GOAL, SQUARES
from engines.sixmix.play.rules import actor, is_over, legal, outcome, report
from engines.sixmix.play.state import FREE, Phase, SixmixState
from engines.sixmix.report import check


def check_invariants(state: SixmixState) -> None:
    """Assert that dice are conserved, limits kept, and that the game goes on exactly until somebody has ten points."""
    assert (legal(state).count > 0) != is_over(state)
    assert is_over(state) == (max(state.totals) >= GOAL)
    assert all(sum(tokens) == total for tokens, total in zip(_tokens(state), state.totals, strict=True))
    assert (actor(state) is None) == (state.phase not in {Phase.PICK, Phase.PUT})
    for played in state.rounds:
        _check_full(state, played.dice)
        assert all(len(row) == SQUARES and set(row) <= set("123456") for row in played.rows)
    if is_over(state):
        verdict = check(report(state))
        assert verdict.ok
        assert not verdict.warnings, "play follows our readings"
        assert verdict.standings == outcome(state)
    elif state.phase not in {Phase.AGES, Phase.FIRST}:
        _check_board(state)


def _tokens(state: SixmixState) -> list[tuple[int, ...]]:
    return [tuple(played.tokens[seat] for played in state.rounds) for seat in range(len(state.seats))]


def _check_full(state: SixmixState, dice: tuple[str, ...]) -> None:
    text = "".join(dice)
    assert sorted(text) == sorted(state.colours * SQUARES)
    assert sorted(row[0] for row in dice) == sorted(state.colours)


def _check_board(state: SixmixState) -> None:
    text, column = "".join(state.dice), "".join(row[0] for row in state.dice)
    for row, dice in zip(state.rows, state.dice, strict=True):
        assert [digit == FREE for digit in row] == [colour == FREE for colour in dice]
    for colour, left in zip(state.colours, state.left, strict=True):
        assert text.count(colour) + left == SQUARES
        assert column.count(colour) <= 1
        assert column.count(colour) == 1 or left > 0
    placed = [sum(text.count(colour) for colour in state.colours_of(seat)) for seat in range(len(state.seats))]
    waiting = range(state.mover, state.mover + len(state.seats))
    order = [placed[seat % len(state.seats)] for seat in waiting]
    assert order == sorted(order), "nobody before the mover has placed fewer dice"
    assert order[-1] - order[0] <= 1
    assert bool(state.number) == (state.phase is Phase.PUT)
    assert bool(state.die) == (state.phase is not Phase.PICK)
