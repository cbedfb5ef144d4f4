"""ALIX, the opponent of a solo game: what she does follows from the state, so each of her moves is forced.

Whether a move is hers, and what it does, is said in `engines.dix.play.rules`.
"""

from __future__ import annotations

from engines.dix.pieces import TOKEN_WORTH
from engines.dix.play.moves import BIDS, DRAW, PASS, TAKE_NUMBERS, Move, Pay, Payment
from engines.dix.play.state import LEAST_BID, DixState, Phase, least_bid, purse

SEAT = 1


def alix_move(state: DixState) -> Move:
    """Return the move ALIX makes where it is hers."""
    if state.phase is Phase.BID:
        return _bid(state)
    if state.phase is Phase.PAY:
        return Pay(_payment(state))
    return DRAW if state.deck and state.total < state.difficulty else TAKE_NUMBERS


def _bid(state: DixState) -> Move:
    """Bid what the player could bid if she is first, and just enough if she is last."""
    means, amount = purse(state, SEAT).means, least_bid(state)
    if state.active != SEAT:
        amount = max(LEAST_BID[state.variant], min(means, purse(state, 0).means))
    return BIDS[amount] if amount <= means else PASS


def _payment(state: DixState) -> Payment:
    """Pay with coins, then spare cards, and with no more tokens than these leave to pay."""
    own, price = purse(state, SEAT), state.highest
    tokens = max(0, -(-(price - own.coins - len(own.cards)) // TOKEN_WORTH))
    rest = max(0, price - TOKEN_WORTH * tokens)
    coins = min(own.coins, rest)
    return Payment(coins, tokens, own.cards[: rest - coins])
