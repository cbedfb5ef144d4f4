"""What a move of DIX does, in English and French, the table as JSON to be drawn, and which moves to show first.

Which moves there are is said in `rules`. What a card counter could know stays in the state; here the deck is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engines.base import Words
from engines.dix.arranging import best, stock
from engines.dix.pieces import COLOURS, LIMIT, SPECIAL, VALUE, Card
from engines.dix.play import moves
from engines.dix.play.alix import SEAT
from engines.dix.play.moves import Buy, Move, Pay, Payment, Reward
from engines.dix.play.payment import Payments, Purchases
from engines.dix.play.rules import legal
from engines.dix.play.state import IS_CURRENCY, DixState, Phase, Player
from engines.dix.words import COLOUR_WORDS

_BY_LETTER = {colour[0]: COLOUR_WORDS[colour] for colour in COLOURS}


def card_words(card: Card) -> Words:
    """Say a card: `b7` is "blue 7"."""
    if card == SPECIAL:
        return Words("special joker", "joker spécial")
    if card in IS_CURRENCY:
        return Words(f"currency {VALUE[card]}", f"monnaie {VALUE[card]}")
    if card[1] == "*":
        return Words(f"joker {card[0]}", f"joker {card[0]}")
    colour = _BY_LETTER[card[0]]
    if card[1] == "#":
        return Words(f"{colour.en} joker", f"joker {colour.fr}")
    return Words(f"{colour.en} {card[1]}", f"{card[1]} {colour.fr}")


def cards_words(cards: Iterable[Card]) -> Words:
    """Say several cards, one after the other."""
    every = [card_words(card) for card in cards]
    return Words(", ".join([each.en for each in every]), ", ".join([each.fr for each in every]))


def _count(number: int, one: Words, more: Words) -> list[Words]:
    return [(one if number == 1 else more).filled(number=number)] if number else []


def payment_words(payment: Payment) -> Words:
    """Say what is given."""
    parts = [
        *_count(
            payment.coins,
            Words("{number} coin", "{number} jeton de monnaie"),
            Words("{number} coins", "{number} jetons de monnaie"),
        ),
        *_count(
            payment.tokens,
            Words("{number} consolation token", "{number} jeton de consolation"),
            Words("{number} consolation tokens", "{number} jetons de consolation"),
        ),
        *([cards_words(payment.cards)] if payment.cards else []),
    ]
    return Words(" + ".join([part.en for part in parts]), " + ".join([part.fr for part in parts]))


def _is_bust(state: DixState, card: Card) -> bool:
    after = state._replace(tableau=(*state.tableau, card))
    return after.money > LIMIT or (after.total > LIMIT and not (state.is_solo and state.active == SEAT))


def _turn(state: DixState, move: moves.Turn) -> Words:
    if move.card in VALUE and _is_bust(state, move.card):
        return Words("The card turned up is {card}: bust.", "La carte retournée est : {card}. Grillé.").filled(
            card=card_words(move.card)
        )
    if move.card in VALUE:
        return Words("The card turned up is {card}.", "La carte retournée est : {card}.").filled(
            card=card_words(move.card)
        )
    return Words("A joker is auctioned: {card}.", "Un joker est aux enchères : {card}.").filled(
        card=card_words(move.card)
    )


def _take(state: DixState, move: moves.Take) -> Words:
    facts = {"cards": cards_words(state.revealed), "money": state.money}
    if move.reward is Reward.NUMBERS:
        text = Words("Stop and take the numbers ({cards})", "S’arrêter et prendre les nombres ({cards})")
        if not state.revealed:
            text = Words("Stop and take nothing", "S’arrêter sans rien prendre")
        end = Words("; every other player gains {money}.", " ; chaque autre joueur gagne {money}.")
    else:
        text = Words("Stop and take the money ({money})", "S’arrêter et prendre la monnaie ({money})")
        end = Words("; the numbers ({cards}) go to the market.", " ; les nombres ({cards}) vont au marché.")
    if not (state.money if move.reward is Reward.NUMBERS else state.revealed):
        end = Words(".", ".")
    return Words(text.en + end.en, text.fr + end.fr).filled(**facts)


def _pass(state: DixState, _move: moves.Pass) -> Words:
    if state.phase is Phase.BID:
        return Words("Do not bid.", "Ne pas enchérir.")
    return Words("Buy nothing.", "Ne rien acheter.")


_TELL: Mapping[type[Move], Callable[[DixState, Any], Words]] = {
    moves.First: lambda state, move: Words("{seat} begins.", "{seat} commence.").filled(seat=state.seats[move.seat]),
    moves.Turn: _turn,
    moves.Draw: lambda _state, _move: Words("Turn up another card.", "Retourner une autre carte."),
    moves.Take: _take,
    moves.Bid: lambda state, move: Words("Bid {amount} for the {joker}.", "Offrir {amount} pour le {joker}.").filled(
        amount=move.amount, joker=card_words(state.joker)
    ),
    moves.Pass: _pass,
    moves.Pay: lambda state, move: Words("Pay {payment} for the {joker}.", "Payer {payment} pour le {joker}.").filled(
        payment=payment_words(move.payment), joker=card_words(state.joker)
    ),
    moves.Buy: lambda _state, move: Words("Buy the {card} for {payment}.", "Acheter le {card} pour {payment}.").filled(
        card=card_words(move.card), payment=payment_words(move.payment)
    ),
    moves.Console: lambda _state, _move: Words("Take a consolation token.", "Prendre un jeton de consolation."),
}


def tell(state: DixState, move: Move, _is_open: bool) -> Words:
    """Say what a move does."""
    return _TELL[type(move)](state, move)


def offers(state: DixState) -> Iterator[Move]:
    """Return the legal moves; of the ways to pay, those that give up the fewest cards come first."""
    possible = legal(state)
    if isinstance(possible, Payments):
        yield from map(Pay, possible.purse.gentle(possible.price))
    elif isinstance(possible, Purchases):
        yield possible.otherwise
        ways = [(card, possible.purse.gentle(VALUE[card])) for card in possible.wares]
        while ways:  # each card once before any of them in a second way
            left = []
            for card, payments in ways:
                if payment := next(payments, None):
                    yield Buy(card, payment)
                    left.append((card, payments))
            ways = left
    else:
        yield from possible


def picture(state: DixState, _language: str) -> dict[str, Any]:
    """Return the table as JSON. The deck is how many cards it has."""
    return {
        "phase": state.phase.name.lower(),
        "active": state.seats[state.active],
        "difficulty": state.difficulty if state.is_solo else None,
        "deck": len(state.deck),
        "discarded": len(state.discard),
        "tableau": list(state.tableau),
        "total": state.total,
        "money": state.money,
        "market": list(state.market),
        "auction": {
            "joker": state.joker,
            "highest": state.highest,
            "bidder": None if state.bidder is None else state.seats[state.bidder],
        }
        if state.joker
        else None,
        "players": [_player(label, player) for label, player in zip(state.seats, state.players, strict=True)],
    }


def _player(label: str, player: Player) -> dict[str, Any]:
    arrangement = best(stock(player.cards))
    return {
        "seat": label,
        "points": arrangement.points,
        "coins": player.coins,
        "tokens": player.tokens,
        "cards": list(player.cards),
        "runs": {colour: str(run) for colour, run in zip(COLOURS, arrangement.runs, strict=True) if run},
    }


TABLE = Words(
    "Deck: {deck}. Market: {market}. Turned up: {tableau} (total {total}, money {money}).",
    "Pioche : {deck}. Marché : {market}. Cartes retournées : {tableau} (total {total}, monnaie {money}).",
)
AUCTION = Words("Auction of the {joker}; highest bid: {highest}.", "Enchère : {joker} ; plus haute offre : {highest}.")
HELD = Words(
    "{coins} coins, {tokens} tokens, {points} points", "{coins} monnaie, {tokens} consolation, {points} points"
)


def draw(state: DixState, language: str) -> list[str]:
    """Return the table as lines of text."""
    wide = max(map(len, state.seats))
    lines = []
    for label, player in zip(state.seats, state.players, strict=True):
        held = HELD.filled(coins=player.coins, tokens=player.tokens, points=best(stock(player.cards)).points)
        lines.append(f"{label:<{wide}}  {held.into(language)}: {' '.join(player.cards) or '–'}")
    market, tableau = (" ".join(cards) or "–" for cards in (state.market, state.tableau))
    table = TABLE.filled(deck=len(state.deck), market=market, tableau=tableau, total=state.total, money=state.money)
    lines += ["", table.into(language)]
    if state.joker:
        lines.append(AUCTION.filled(joker=card_words(state.joker), highest=state.highest).into(language))
    return lines
