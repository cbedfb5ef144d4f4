"""The rules of play of DIX: whose move it is, every kind of move, when it is legal and what it does, and the result.

Drawing, busts, rewards, auctions, purchases, the last round. Chance enters as moves (who begins, which card is turned
up), so nothing here draws cards but `chance`. What ALIX does is decided in `engines.dix.play.alix`, and how a price
can be paid in `engines.dix.play.payment`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engines.base import Rng, RuleError, Standing
from engines.dix.arranging import best, fill, stock
from engines.dix.pieces import COLOURS, JOKERS, LIMIT, TOKEN_WORTH, VALUE, Card
from engines.dix.play.alix import SEAT, alix_move
from engines.dix.play.moves import (
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
from engines.dix.play.notation import write
from engines.dix.play.payment import Payments, Purchases
from engines.dix.play.state import IS_CURRENCY, DixState, Phase, Player, least_bid, purse, wares
from engines.dix.report import SLUG
from engines.dix.scoring import rank, rank_solo
from engines.play import Listed, Moves

IS_JOKER = frozenset(JOKERS)

# What can be asked of a state

_NOBODY = (Phase.FIRST, Phase.TURN, Phase.OVER)


def actor(state: DixState) -> int | None:
    """Return whose move it is, None for chance. ALIX has moves too, but never a choice."""
    return None if state.phase in _NOBODY else state.speaker


def is_over(state: DixState) -> bool:
    """Say whether the last purchases have been made."""
    return state.phase is Phase.OVER


def turns(state: DixState) -> int:
    """Return how many turns people have finished; ALIX's are not counted."""
    return state.turns


def starter(state: DixState) -> int:
    """Return who had the first turn."""
    return state.starter


def is_alix(state: DixState) -> bool:
    """Say whether the next move is ALIX's."""
    return state.is_solo and actor(state) == SEAT


# What is legal


def legal(state: DixState) -> Moves[Move]:
    """Return every move possible now; for chance every outcome."""
    if is_alix(state):
        return Listed((alix_move(state),))
    return _LEGAL[state.phase](state)


def _legal_choices(state: DixState) -> Moves[Move]:
    return Listed((DRAW, TAKE_NUMBERS, TAKE_CURRENCY) if state.deck else (TAKE_NUMBERS, TAKE_CURRENCY))


def _legal_bids(state: DixState) -> Moves[Move]:
    return Listed((PASS, *BIDS[least_bid(state) : purse(state, state.speaker).means + 1]))


def _legal_purchases(state: DixState) -> Moves[Move]:
    otherwise = CONSOLE if state.phase is Phase.BUST else PASS
    return Purchases(purse(state, state.speaker), wares(state), otherwise)


_LEGAL: Mapping[Phase, Callable[[DixState], Moves[Move]]] = {
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


def chance(state: DixState, rng: Rng) -> Move:
    """Draw who begins, or a card of the deck."""
    if state.phase is Phase.FIRST:
        return First(int(rng.random() * len(state.seats)))
    return TURNS[state.deck[int(rng.random() * len(state.deck))]]


def deal(state: DixState, secret: str, _number: int) -> Move:
    """Draw as the secret says: the deck lies in one order, whoever draws."""
    return chance(state, Random(f"{secret} {state.phase.name} {len(state.deck)}"))


def apply(state: DixState, move: Move) -> DixState:
    """Return the next state; RuleError if the move is not legal."""
    return _APPLY[type(move)](state, move)


_APPLY: Mapping[type[Move], Callable[[DixState, Any], DixState]] = {
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


def _check_phase(state: DixState, move: Move, *phases: Phase) -> None:
    if state.phase not in phases:
        raise RuleError("game-over" if state.phase is Phase.OVER else "not-now")
    if is_alix(state) and move != (forced := alix_move(state)):
        raise RuleError("alix-decides", move=write(forced))


# Who begins


def check_begin(state: DixState, seat: int) -> None:
    """Raise RuleError unless chance can let this seat begin."""
    _check_phase(state, First(seat), Phase.FIRST)
    if not 0 <= seat < len(state.seats):
        raise RuleError("no-such-seat", seat=seat + 1, count=len(state.seats))


def begin(state: DixState, seat: int) -> DixState:
    """Give a seat the first turn."""
    check_begin(state, seat)
    return state._replace(phase=Phase.TURN, active=seat, speaker=seat, starter=seat)


# Drawing


def check_draw(state: DixState) -> None:
    """Raise RuleError unless the active player may ask for another card."""
    _check_phase(state, DRAW, Phase.CHOOSE)
    if not state.deck:
        raise RuleError("deck-empty")


def draw(state: DixState) -> DixState:
    """Ask for another card."""
    check_draw(state)
    return state._replace(phase=Phase.TURN)


def check_turn(state: DixState, card: Card) -> None:
    """Raise RuleError unless the card can be turned up now."""
    _check_phase(state, Turn(card), Phase.TURN)
    if card not in state.deck:
        raise RuleError("not-in-deck", card=card)


def turn(state: DixState, card: Card) -> DixState:
    """Turn up a card: a joker is auctioned, any other goes to the tableau and may bust the active player."""
    check_turn(state, card)
    index = state.deck.index(card)
    rest = state.deck[:index] + state.deck[index + 1 :]
    if card in IS_JOKER:
        speaker = (state.active + 1) % len(state.seats)
        return state._replace(deck=rest, phase=Phase.BID, joker=card, speaker=speaker, highest=0, bidder=None)
    state = state._replace(deck=rest, tableau=(*state.tableau, card), phase=Phase.CHOOSE)
    alix_draws = state.is_solo and state.active == SEAT
    if state.money > LIMIT:
        return _bust_alix(state) if alix_draws else _bust(state)
    if state.total > LIMIT and not alix_draws:
        return _bust(state)
    return state


def _bust(state: DixState) -> DixState:
    """Step 1 of a bust and, unless the player may buy instead, step 2."""
    state = _to_market(state)
    if state.can_buy_when_bust:
        return state._replace(phase=Phase.BUST)
    return _after_bust(_with_token(state))


def _bust_alix(state: DixState) -> DixState:
    """Give ALIX a token and the numbers; the player gains nothing."""
    state = _with_token(state)
    return _end_turn(_discard_tableau(_change(state, SEAT, state.players[SEAT].taking(state.revealed))))


def _after_bust(state: DixState) -> DixState:
    """Steps 3 to 5: the others gain the money if the total was the cause, and the turn ends."""
    money = state.money
    if money <= LIMIT:
        state = _pay_others(state, money)
    return _end_turn(_discard_tableau(state))


# Stopping


def check_take(state: DixState, reward: Reward) -> None:
    """Raise RuleError unless the active player may stop and take the reward."""
    _check_phase(state, Take(reward), Phase.CHOOSE)


def take(state: DixState, reward: Reward) -> DixState:
    """Stop: take the numbers and perhaps buy, or take the money and leave the numbers to the market."""
    check_take(state, reward)
    seat, money = state.active, state.money
    if reward is Reward.CURRENCY:
        state = _change(state, seat, state.players[seat].gaining(money))
        return _end_turn(_discard_tableau(_to_market(state)))
    state = _change(state, seat, state.players[seat].taking(state.revealed))
    state = _discard_tableau(_pay_others(state, money))
    return _end_turn(state) if state.is_solo and seat == SEAT else state._replace(phase=Phase.BUY)


# Auctions


def check_bid(state: DixState, amount: int) -> None:
    """Raise RuleError unless the speaker may bid so much."""
    _check_phase(state, Bid(amount), Phase.BID)
    if amount < least_bid(state):
        raise RuleError("bid-too-low", bid=amount, least=least_bid(state))
    means = purse(state, state.speaker).means
    if amount > means:
        raise RuleError("bid-too-high", bid=amount, means=means)


def bid(state: DixState, amount: int) -> DixState:
    """Bid for the joker."""
    check_bid(state, amount)
    return _next_bidder(state._replace(highest=amount, bidder=state.speaker))


def _next_bidder(state: DixState) -> DixState:
    if state.speaker != state.active:
        return state._replace(speaker=(state.speaker + 1) % len(state.seats))
    if state.bidder is not None:
        return state._replace(phase=Phase.PAY, speaker=state.bidder)
    return _resume(state._replace(discard=(*state.discard, state.joker)))


def _resume(state: DixState) -> DixState:
    """Go on with the turn that the auction interrupted."""
    return state._replace(phase=Phase.CHOOSE, speaker=state.active, joker="", highest=0, bidder=None)


def check_pay(state: DixState, payment: Payment) -> None:
    """Raise RuleError unless the winner of the auction may pay so."""
    _check_phase(state, Pay(payment), Phase.PAY)
    purse(state, state.speaker).check(state.highest, payment)


def pay(state: DixState, payment: Payment) -> DixState:
    """Pay for the joker and take it."""
    check_pay(state, payment)
    player = state.players[state.speaker].paying(payment)
    player = player._replace(jokers=tuple(sorted([*player.jokers, state.joker])))
    return _resume(_change(state, state.speaker, player)._replace(discard=state.discard + payment.cards))


# Purchases


def check_buy(state: DixState, card: Card, payment: Payment) -> None:
    """Raise RuleError unless the speaker may buy the card and pay so."""
    _check_phase(state, Buy(card, payment), Phase.BUY, Phase.BUST, Phase.LAST)
    if card not in state.market:
        raise RuleError("not-in-market", card=card)
    if card in state.players[state.speaker].numbers:
        raise RuleError("already-held", card=card)
    purse(state, state.speaker).check(VALUE[card], payment)


def buy(state: DixState, card: Card, payment: Payment) -> DixState:
    """Buy a card of the market."""
    check_buy(state, card, payment)
    market = list(state.market)
    market.remove(card)
    player = state.players[state.speaker].paying(payment).taking((card,))
    bought = _change(state, state.speaker, player)
    bought = bought._replace(market=tuple(market), discard=state.discard + payment.cards)
    return _after_purchase(bought)


def check_decline(state: DixState) -> None:
    """Raise RuleError unless the speaker is asked for a bid or a purchase."""
    _check_phase(state, PASS, Phase.BID, Phase.BUY, Phase.LAST)


def decline(state: DixState) -> DixState:
    """Bid or buy nothing."""
    check_decline(state)
    return _next_bidder(state) if state.phase is Phase.BID else _after_purchase(state)


def check_console(state: DixState) -> None:
    """Raise RuleError unless the speaker may choose between the consolation token and a purchase."""
    _check_phase(state, CONSOLE, Phase.BUST)


def console(state: DixState) -> DixState:
    """Take the consolation token."""
    check_console(state)
    return _after_bust(_with_token(state))


def _after_purchase(state: DixState) -> DixState:
    if state.phase is Phase.BUST:
        return _after_bust(state)
    if state.phase is Phase.BUY:
        return _end_turn(state)
    return state._replace(phase=Phase.OVER) if state.speaker == state.active else _ask_next(state)


def _ask_next(state: DixState) -> DixState:
    """Ask the player on the left for a last purchase; the active player is the last, and ALIX never buys."""
    speaker = (state.speaker + 1) % len(state.seats)
    asked = state._replace(phase=Phase.LAST, speaker=speaker)
    return _after_purchase(asked) if state.is_solo and speaker == SEAT else asked


# Steps that several moves share


def _change(state: DixState, seat: int, player: Player) -> DixState:
    return state._replace(players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def _with_token(state: DixState) -> DixState:
    player = state.players[state.active]
    return _change(state, state.active, player._replace(tokens=player.tokens + 1))


def _pay_others(state: DixState, coins: int) -> DixState:
    if not coins:
        return state
    return state._replace(
        players=tuple(
            [player if seat == state.active else player.gaining(coins) for seat, player in enumerate(state.players)]
        )
    )


def _to_market(state: DixState) -> DixState:
    """Move the number cards of the tableau to the market."""
    currency = tuple([card for card in state.tableau if card in IS_CURRENCY])
    return state._replace(market=tuple(sorted([*state.market, *state.revealed])), tableau=currency)


def _discard_tableau(state: DixState) -> DixState:
    """Discard the currency; the number cards have found their place."""
    currency = tuple([card for card in state.tableau if card in IS_CURRENCY])
    return state._replace(tableau=(), discard=state.discard + currency)


def _end_turn(state: DixState) -> DixState:
    count = state.turns + (not (state.is_solo and state.active == SEAT))
    if not state.deck:
        return _ask_next(state._replace(speaker=state.active, turns=count))
    following = (state.active + 1) % len(state.seats)
    return state._replace(phase=Phase.TURN, active=following, speaker=following, turns=count)


# The result


def outcome(state: DixState) -> tuple[Standing, ...]:
    """Return the standings of a finished game, every hand arranged as well as possible."""
    scores = [best(stock(player.cards)).points for player in state.players]
    if state.is_solo:
        return rank_solo(state.seats, scores)
    money = [player.coins + TOKEN_WORTH * player.tokens for player in state.players]
    return rank(state.seats, scores, money, [len(player.cards) for player in state.players])


def report(state: DixState) -> dict[str, Any]:
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
