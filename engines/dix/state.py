"""A game of DIX in play: every kind of move, when it is legal, and what it does.

Drawing, busts, rewards, auctions, purchases, the last round. Chance enters as moves (who begins, which card is turned
up), so nothing here draws cards but `chance`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec

from engines.base import Rng, RuleError
from engines.dix.alix import alix_move, is_alix
from engines.dix.moves import (
    BIDS,
    CONSOLE,
    DRAW,
    PASS,
    TAKE_CURRENCY,
    TAKE_NUMBERS,
    TURNS,
    Bid,
    Buy,
    Console,
    Draw,
    First,
    Move,
    Pass,
    Pay,
    Payment,
    Reward,
    Take,
    Turn,
)
from engines.dix.notation import write
from engines.dix.payment import Payments, Purchases
from engines.dix.pieces import JOKERS, LIMIT, VALUE, Card
from engines.dix.position import IS_CURRENCY, Phase, Player, State, least_bid, purse, wares
from engines.play import Listed, Moves

IS_JOKER = frozenset(JOKERS)

# What is legal


def legal(state: State) -> Moves[Move]:
    """Return every move possible now; for chance every outcome."""
    if is_alix(state):
        return Listed((alix_move(state),))
    return _LEGAL[state.phase](state)


def _legal_choices(state: State) -> Moves[Move]:
    return Listed((DRAW, TAKE_NUMBERS, TAKE_CURRENCY) if state.deck else (TAKE_NUMBERS, TAKE_CURRENCY))


def _legal_bids(state: State) -> Moves[Move]:
    return Listed((PASS, *BIDS[least_bid(state) : purse(state, state.speaker).means + 1]))


def _legal_purchases(state: State) -> Moves[Move]:
    otherwise = CONSOLE if state.phase is Phase.BUST else PASS
    return Purchases(purse(state, state.speaker), wares(state), otherwise)


_LEGAL: Mapping[Phase, Callable[[State], Moves[Move]]] = {
    Phase.FIRST: lambda state: Listed(tuple([First(seat) for seat in range(len(state.seats))])),
    Phase.TURN: lambda state: Listed(tuple([TURNS[card] for card in dict.fromkeys(state.deck)])),
    Phase.CHOOSE: _legal_choices,
    Phase.BID: _legal_bids,
    Phase.PAY: lambda state: Payments(purse(state, state.speaker), state.highest),
    Phase.BUY: _legal_purchases,
    Phase.BUST: _legal_purchases,
    Phase.LAST: _legal_purchases,
    Phase.OVER: lambda _: Listed(()),
}


def chance(state: State, rng: Rng) -> Move:
    """Draw who begins, or a card of the deck."""
    if state.phase is Phase.FIRST:
        return First(int(rng.random() * len(state.seats)))
    return TURNS[state.deck[int(rng.random() * len(state.deck))]]


def apply(state: State, move: Move) -> State:
    """Return the next state; RuleError if the move is not legal."""
    return _APPLY[type(move)](state, move)


_APPLY: Mapping[type[Move], Callable[[State, Any], State]] = {
    First: lambda state, move: begin(state, move.seat),
    Turn: lambda state, move: turn(state, move.card),
    Draw: lambda state, _: draw(state),
    Take: lambda state, move: take(state, move.reward),
    Bid: lambda state, move: bid(state, move.amount),
    Pass: lambda state, _: decline(state),
    Pay: lambda state, move: pay(state, move.payment),
    Buy: lambda state, move: buy(state, move.card, move.payment),
    Console: lambda state, _: console(state),
}


def _check_phase(state: State, move: Move, *phases: Phase) -> None:
    if state.phase not in phases:
        raise RuleError("game-over" if state.phase is Phase.OVER else "not-now")
    if is_alix(state) and move != (forced := alix_move(state)):
        raise RuleError("alix-decides", move=write(forced))


P = ParamSpec("P")


def _can(check: Callable[P, None]) -> Callable[P, bool]:
    """Turn a check that raises into a question."""

    def can(*args: P.args, **kwargs: P.kwargs) -> bool:
        try:
            check(*args, **kwargs)
        except RuleError:
            return False
        return True

    can.__doc__ = f"Say whether `{check.__name__}` would pass."
    return can


# Who begins


def check_begin(state: State, seat: int) -> None:
    """Raise RuleError unless chance can let this seat begin."""
    _check_phase(state, First(seat), Phase.FIRST)
    if not 0 <= seat < len(state.seats):
        raise RuleError("no-such-seat", seat=seat + 1, count=len(state.seats))


can_begin = _can(check_begin)


def begin(state: State, seat: int) -> State:
    """Give a seat the first turn."""
    check_begin(state, seat)
    return state._replace(phase=Phase.TURN, active=seat, speaker=seat, starter=seat)


# Drawing


def check_draw(state: State) -> None:
    """Raise RuleError unless the active player may ask for another card."""
    _check_phase(state, DRAW, Phase.CHOOSE)
    if not state.deck:
        raise RuleError("deck-empty")


can_draw = _can(check_draw)


def draw(state: State) -> State:
    """Ask for another card."""
    check_draw(state)
    return state._replace(phase=Phase.TURN)


def check_turn(state: State, card: Card) -> None:
    """Raise RuleError unless the card can be turned up now."""
    _check_phase(state, Turn(card), Phase.TURN)
    if card not in state.deck:
        raise RuleError("not-in-deck", card=card)


can_turn = _can(check_turn)


def turn(state: State, card: Card) -> State:
    """Turn up a card: a joker is auctioned, any other goes to the tableau and may bust the active player."""
    check_turn(state, card)
    index = state.deck.index(card)
    rest = state.deck[:index] + state.deck[index + 1 :]
    if card in IS_JOKER:
        speaker = (state.active + 1) % len(state.seats)
        return state._replace(deck=rest, phase=Phase.BID, joker=card, speaker=speaker, highest=0, bidder=None)
    state = state._replace(deck=rest, tableau=(*state.tableau, card), phase=Phase.CHOOSE)
    alix_draws = state.is_solo and state.active == 1
    if state.money > LIMIT:
        return _bust_alix(state) if alix_draws else _bust(state)
    if state.total > LIMIT and not alix_draws:
        return _bust(state)
    return state


def _bust(state: State) -> State:
    """Step 1 of a bust and, unless the player may buy instead, step 2."""
    state = _to_market(state)
    if state.variant == "bust-buy":
        return state._replace(phase=Phase.BUST)
    return _after_bust(_with_token(state))


def _bust_alix(state: State) -> State:
    """Give ALIX a token and the numbers; the player gains nothing."""
    state = _with_token(state)
    return _end_turn(_discard_tableau(_change(state, 1, state.players[1].taking(state.revealed))))


def _after_bust(state: State) -> State:
    """Steps 3 to 5: the others gain the money if the total was the cause, and the turn ends."""
    money = state.money
    if money <= LIMIT:
        state = _pay_others(state, money)
    return _end_turn(_discard_tableau(state))


# Stopping


def check_take(state: State, reward: Reward) -> None:
    """Raise RuleError unless the active player may stop and take the reward."""
    _check_phase(state, Take(reward), Phase.CHOOSE)


can_take = _can(check_take)


def take(state: State, reward: Reward) -> State:
    """Stop: take the numbers and perhaps buy, or take the money and leave the numbers to the market."""
    check_take(state, reward)
    seat, money = state.active, state.money
    if reward is Reward.CURRENCY:
        state = _change(state, seat, state.players[seat].gaining(money))
        return _end_turn(_discard_tableau(_to_market(state)))
    state = _change(state, seat, state.players[seat].taking(state.revealed))
    state = _discard_tableau(_pay_others(state, money))
    return _end_turn(state) if state.is_solo and seat == 1 else state._replace(phase=Phase.BUY)


# Auctions


def check_bid(state: State, amount: int) -> None:
    """Raise RuleError unless the speaker may bid so much."""
    _check_phase(state, Bid(amount), Phase.BID)
    if amount < least_bid(state):
        raise RuleError("bid-too-low", bid=amount, least=least_bid(state))
    means = purse(state, state.speaker).means
    if amount > means:
        raise RuleError("bid-too-high", bid=amount, means=means)


can_bid = _can(check_bid)


def bid(state: State, amount: int) -> State:
    """Bid for the joker."""
    check_bid(state, amount)
    return _next_bidder(state._replace(highest=amount, bidder=state.speaker))


def _next_bidder(state: State) -> State:
    if state.speaker != state.active:
        return state._replace(speaker=(state.speaker + 1) % len(state.seats))
    if state.bidder is not None:
        return state._replace(phase=Phase.PAY, speaker=state.bidder)
    return _resume(state._replace(discard=(*state.discard, state.joker)))


def _resume(state: State) -> State:
    """Go on with the turn that the auction interrupted."""
    return state._replace(phase=Phase.CHOOSE, speaker=state.active, joker="", highest=0, bidder=None)


def check_pay(state: State, payment: Payment) -> None:
    """Raise RuleError unless the winner of the auction may pay so."""
    _check_phase(state, Pay(payment), Phase.PAY)
    purse(state, state.speaker).check(state.highest, payment)


can_pay = _can(check_pay)


def pay(state: State, payment: Payment) -> State:
    """Pay for the joker and take it."""
    check_pay(state, payment)
    player = state.players[state.speaker].paying(payment)
    player = player._replace(jokers=tuple(sorted([*player.jokers, state.joker])))
    return _resume(_change(state, state.speaker, player)._replace(discard=state.discard + payment.cards))


# Purchases


def check_buy(state: State, card: Card, payment: Payment) -> None:
    """Raise RuleError unless the speaker may buy the card and pay so."""
    _check_phase(state, Buy(card, payment), Phase.BUY, Phase.BUST, Phase.LAST)
    if card not in state.market:
        raise RuleError("not-in-market", card=card)
    if card in state.players[state.speaker].numbers:
        raise RuleError("already-held", card=card)
    purse(state, state.speaker).check(VALUE[card], payment)


can_buy = _can(check_buy)


def buy(state: State, card: Card, payment: Payment) -> State:
    """Buy a card of the market."""
    check_buy(state, card, payment)
    market = list(state.market)
    market.remove(card)
    player = state.players[state.speaker].paying(payment).taking((card,))
    bought = _change(state, state.speaker, player)
    bought = bought._replace(market=tuple(market), discard=state.discard + payment.cards)
    return _after_purchase(bought)


def check_decline(state: State) -> None:
    """Raise RuleError unless the speaker is asked for a bid or a purchase."""
    _check_phase(state, PASS, Phase.BID, Phase.BUY, Phase.LAST)


can_decline = _can(check_decline)


def decline(state: State) -> State:
    """Bid or buy nothing."""
    check_decline(state)
    return _next_bidder(state) if state.phase is Phase.BID else _after_purchase(state)


def check_console(state: State) -> None:
    """Raise RuleError unless the speaker may choose between the consolation token and a purchase."""
    _check_phase(state, CONSOLE, Phase.BUST)


can_console = _can(check_console)


def console(state: State) -> State:
    """Take the consolation token."""
    check_console(state)
    return _after_bust(_with_token(state))


def _after_purchase(state: State) -> State:
    if state.phase is Phase.BUST:
        return _after_bust(state)
    if state.phase is Phase.BUY:
        return _end_turn(state)
    return state._replace(phase=Phase.OVER) if state.speaker == state.active else _ask_next(state)


def _ask_next(state: State) -> State:
    """Ask the player on the left for a last purchase; the active player is the last, and ALIX never buys."""
    speaker = (state.speaker + 1) % len(state.seats)
    asked = state._replace(phase=Phase.LAST, speaker=speaker)
    return _after_purchase(asked) if state.is_solo and speaker == 1 else asked


# Steps that several moves share


def _change(state: State, seat: int, player: Player) -> State:
    return state._replace(players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def _with_token(state: State) -> State:
    player = state.players[state.active]
    return _change(state, state.active, player._replace(tokens=player.tokens + 1))


def _pay_others(state: State, coins: int) -> State:
    if not coins:
        return state
    return state._replace(
        players=tuple(
            [player if seat == state.active else player.gaining(coins) for seat, player in enumerate(state.players)]
        )
    )


def _to_market(state: State) -> State:
    """Move the number cards of the tableau to the market."""
    currency = tuple([card for card in state.tableau if card in IS_CURRENCY])
    return state._replace(market=tuple(sorted([*state.market, *state.revealed])), tableau=currency)


def _discard_tableau(state: State) -> State:
    """Discard the currency; the number cards have found their place."""
    currency = tuple([card for card in state.tableau if card in IS_CURRENCY])
    return state._replace(tableau=(), discard=state.discard + currency)


def _end_turn(state: State) -> State:
    count = state.turns + (not (state.is_solo and state.active == 1))
    if not state.deck:
        return _ask_next(state._replace(speaker=state.active, turns=count))
    following = (state.active + 1) % len(state.seats)
    return state._replace(phase=Phase.TURN, active=following, speaker=following, turns=count)
