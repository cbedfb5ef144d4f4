"""What holds in every state of a game of DIX."""

from __future__ import annotations

from collections import Counter

from engines.dix.pieces import CURRENCY, JOKERS, LIMIT, MOST_COINS, NUMBER_CARDS, deck
from engines.dix.play.state import DixState, Phase, purse


def check_invariants(state: DixState, cards: Counter[str] | None = None) -> None:
    """Assert that no card is lost or made, that limits are kept, and that the parts of a state agree."""
    held = [card for player in state.players for card in player.cards]
    lying = [*state.deck, *state.tableau, *state.market, *state.discard, *held]
    assert Counter([*lying, *([state.joker] if state.joker else [])]) == (cards or deck(len(state.seats)))
    for player in state.players:
        assert 0 <= player.coins <= MOST_COINS
        assert player.tokens >= 0
        assert set(player.numbers) <= set(NUMBER_CARDS)
        assert set(player.jokers) <= set(JOKERS)
        assert list(player.numbers) == sorted(player.numbers)
    assert set(state.market) <= set(NUMBER_CARDS)
    assert set(state.tableau) <= {*NUMBER_CARDS, *CURRENCY}
    assert bool(state.joker) == (state.phase in (Phase.BID, Phase.PAY))
    assert (state.bidder is None) == (state.highest == 0)
    if state.bidder is not None:
        assert state.highest <= purse(state, state.bidder).means
    if state.phase in (Phase.CHOOSE, Phase.BID, Phase.PAY):
        assert state.money <= LIMIT
        assert state.total <= LIMIT or (state.is_solo and state.active == 1)
    if state.phase in (Phase.FIRST, Phase.BUY, Phase.LAST, Phase.OVER):
        assert not state.tableau
    if state.phase in (Phase.LAST, Phase.OVER):
        assert not state.deck
