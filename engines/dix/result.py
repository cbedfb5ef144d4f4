"""A finished game: who came where, and its report with the deepest evidence."""

from __future__ import annotations

from typing import Any

from engines.base import Standing
from engines.dix.arranging import best, fill, stock
from engines.dix.pieces import COLOURS
from engines.dix.position import Player, State
from engines.dix.report import SLUG
from engines.dix.scoring import rank, rank_solo


def outcome(state: State) -> tuple[Standing, ...]:
    """Return the standings of a finished game, every hand arranged as well as possible."""
    scores = [best(stock(player.cards)).points for player in state.players]
    if state.is_solo:
        return rank_solo(state.seats, scores)
    purses = [(player.coins, player.tokens) for player in state.players]
    return rank(state.seats, scores, purses, [len(player.cards) for player in state.players])


def report(state: State) -> dict[str, Any]:
    """Return the report of a finished game, with cards, fills and points."""
    return {
        "game": SLUG,
        "variant": state.variant,
        "seats": list(state.seats),
        **({"difficulty": state.difficulty} if state.is_solo else {}),
        "hands": {seat: _hand(player) for seat, player in zip(state.seats, state.players, strict=True)},
    }


def _hand(player: Player) -> dict[str, Any]:
    arrangement = best(stock(player.cards))
    fills = fill(player.cards, arrangement.runs)
    named = [(c, run, cards) for c, run, cards in zip(COLOURS, arrangement.runs, fills, strict=True) if run]
    return {
        "runs": {colour: str(run) for colour, run, _ in named},
        "coins": player.coins,
        "consolation": player.tokens,
        "card_count": len(player.cards),
        "points": arrangement.points,
        "cards": " ".join(player.cards),
        "fills": {colour: " ".join(cards) for colour, _, cards in named},
    }
