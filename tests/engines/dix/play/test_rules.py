"""The rules of play: each example of the rulebook by name, each illegal move by its code."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable

import pytest

from engines.base import RuleError
from engines.dix.play import rules
from engines.dix.play.moves import (
    CONSOLE,
    DRAW,
    PASS,
    TAKE_CURRENCY,
    TAKE_NUMBERS,
    Bid,
    Buy,
    First,
    Move,
    Pay,
    Payment,
    Reward,
    Turn,
)
from engines.dix.play.notation import read, write
from engines.dix.play.rules import actor, is_over, outcome
from engines.dix.play.state import DixState, Phase, Player, start

SEATS = ("ana", "bo", "cy", "dee")


def at_table(*seats: str, variant: str = "standard", **fields: object) -> DixState:
    """Return a state in which the first seat is about to turn up a card."""
    state = start(variant, seats or SEATS, {})
    return state._replace(**{"phase": Phase.TURN, **fields})  # type: ignore[arg-type]


def against_alix(difficulty: int = 6, **fields: object) -> DixState:
    return start("solo", ("ana", "ALIX"), {"difficulty": difficulty})._replace(**fields)  # type: ignore[arg-type]


def turned(state: DixState, text: str) -> DixState:
    """Turn up numbers (+n) and currency (-n) one after the other, drawing in between."""
    for value in text.split():
        if state.phase is Phase.CHOOSE:
            state = rules.draw(state)
        number = value[1:]
        card = next(
            c for c in state.deck if (c[0] == "$") == (value[0] == "-") and c[1] == number and c[0] not in "123456789*"
        )
        state = rules.turn(state, card)
    return state


def played(state: DixState, *texts: str) -> DixState:
    for text in texts:
        state = rules.apply(state, read(state, text))
    return state


def refused(state: DixState, text: str) -> str:
    with pytest.raises(RuleError) as error:
        played(state, text)
    return error.value.code


def coins(state: DixState) -> list[int]:
    return [player.coins for player in state.players]


# Totals


@pytest.mark.parametrize(
    ("tableau", "total", "money"),
    [("+2 +1", 3, 0), ("+2 +1 -4", -1, 4), ("+2 +1 -4 +7 -2", 4, 6)],
)
def test_total_is_numbers_less_currency(tableau, total, money):
    state = turned(at_table(), tableau)
    assert (state.total, state.money, state.phase) == (total, money, Phase.CHOOSE)


@pytest.mark.parametrize(
    ("card", "is_bust"), [("+6", False), ("+7", True), ("+8", True), ("+9", True), ("-4", False), ("-5", True)]
)
def test_next_card_after_four_and_six(card, is_bust):
    state = turned(at_table(), f"+2 +1 -4 +7 -2 {card}")
    assert (state.active == 1) == is_bust


def test_bust_by_the_total_gives_the_money_to_the_others():
    state = turned(at_table(), "+4 -3 +5 +9")
    assert sorted(card[1] for card in state.market) == ["4", "5", "9"]
    assert state.players[0].tokens == 1
    assert coins(state) == [5, 8, 8, 8]
    assert state.discard == ("$3",)
    assert (state.phase, state.active) == (Phase.TURN, 1)


def test_bust_by_the_money_gives_the_others_nothing():
    state = turned(at_table(), "-3 +7 -4 -5")
    assert [card[1] for card in state.market] == ["7"]
    assert state.players[0].tokens == 1
    assert coins(state) == [5, 5, 5, 5]
    assert Counter(state.discard) == Counter(["$3", "$4", "$5"])


def test_totals_of_ten_are_no_bust():
    assert turned(at_table(), "+4 +6").phase is Phase.CHOOSE
    assert turned(at_table(), "-5 -5").phase is Phase.CHOOSE


# Rewards


def test_numbers_give_every_other_player_the_money_and_allow_a_purchase():
    state = played(turned(at_table(), "+4 -3"), "take numbers")
    assert state.players[0].numbers == ("b4",)
    assert coins(state) == [5, 8, 8, 8]
    assert state.phase is Phase.BUY
    assert played(state, "pass").active == 1


def test_currency_leaves_the_numbers_to_the_market_and_allows_no_purchase():
    state = played(turned(at_table(), "+4 -3"), "take currency")
    assert coins(state) == [8, 5, 5, 5]
    assert state.market == ("b4",)
    assert (state.phase, state.active) == (Phase.TURN, 1)


def test_coins_beyond_ten_are_lost():
    assert Player(coins=8).gaining(5).coins == 10


def test_stopping_with_an_empty_tableau_allows_a_purchase():
    state = at_table(market=("b2",))
    state = played(state, "turn 5*", "pass", "pass", "pass", "pass", "take numbers", "buy b2 2c", "turn b1")
    assert state.players[0].numbers == ("b2",)
    assert "5*" in state.discard


# Prices and payment


def test_leo_buys_a_pink_five_with_three_cards_and_two_coins():
    leo = Player(coins=2, tokens=2, numbers=("b1", "b1", "g2"))
    state = at_table(players=(leo, *[Player()] * 3), market=("p5",), phase=Phase.BUY)
    bought = played(state, "buy p5 2c b1 b1 g2")
    assert bought.players[0] == Player(coins=0, tokens=2, numbers=("p5",))
    assert played(state, "buy p5 2t").players[0] == leo._replace(tokens=0, numbers=("b1", "b1", "g2", "p5"))


def test_a_card_just_taken_may_pay():
    state = played(turned(at_table(market=("p1",)), "+4"), "take numbers", "buy p1 b4")
    assert state.players[0].numbers == ("p1",)


def test_equal_cards_may_be_taken_but_not_bought():
    state = at_table(market=("b4",), players=(Player(numbers=("b4",)), *[Player()] * 3))
    state = played(state, "turn b4", "take numbers")
    assert state.players[0].numbers == ("b4", "b4")
    assert refused(state, "buy b4 4c") == "already-held"
    assert refused(state, "buy b4 2c b4 b4") == "already-held"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("buy g5 5c", "not-in-market"),
        ("buy p5 6c", "not-enough-coins"),
        ("buy p5 3t", "not-enough-tokens"),
        ("buy p5 b7 b7 b7 2c", "card-not-spendable"),
        ("buy p5 2c b7 b7 b7", "card-not-spendable"),
        ("buy p5 2c g7", "card-not-spendable"),
        ("buy p5 4c", "underpaid"),
        ("buy p5 1t", "underpaid"),
        ("buy p5 3c 1t", "overpaid"),
        ("buy p5 1c 2t", "overpaid"),
        ("buy b2 2t", "overpaid"),
        ("draw", "not-now"),
        ("bid 3", "not-now"),
        ("token", "not-now"),
        ("turn b1", "not-now"),
    ],
)
def test_purchase_that_is_not_possible(text, code):
    player = Player(coins=5, tokens=2, numbers=("b7", "b7"))
    state = at_table(market=("b2", "p5"), players=(player, *[Player()] * 3), phase=Phase.BUY)
    assert refused(state, text) == code


# Auctions


def test_auction_of_four_players():
    state = played(at_table(), "turn 5*")
    assert actor(state) == 1
    state = played(state, "bid 2", "pass", "bid 4", "pass")
    assert (actor(state), state.phase) == (3, Phase.PAY)
    state = played(state, "pay 4c")
    assert state.players[3] == Player(coins=1, jokers=("5*",))
    assert (actor(state), state.phase) == (0, Phase.CHOOSE)


@pytest.mark.parametrize(
    ("text", "code"), [("bid 2", "bid-too-low"), ("bid 6", "bid-too-high"), ("draw", "not-now"), ("pay 3c", "not-now")]
)
def test_bid_that_is_not_possible(text, code):
    assert refused(played(at_table(), "turn 5*", "bid 2"), text) == code


def test_passing_does_not_reopen_the_auction():
    state = played(at_table(), "turn 5*", "bid 3", "pass")
    assert refused(state, "bid 3") == "bid-too-low"


def test_jokers_cannot_pay():
    state = at_table(players=(Player(coins=0, jokers=("1*", "2*")), *[Player(coins=0)] * 3))
    state = played(state, "turn 5*", "pass", "pass", "pass")
    assert list(rules.legal(state)) == [PASS]
    assert refused(state, "pay 1*") == "unreadable-move"


def test_the_turn_goes_on_after_an_auction():
    state = played(turned(at_table(), "+4 -3"), "draw", "turn 5*", "bid 1", "pass", "pass", "pass", "pay 1c", "draw")
    assert [card[1] for card in state.tableau] == ["4", "3"]


# The end


def small(*cards: str, seats: tuple[str, ...] = ("ana", "bo"), variant: str = "standard") -> DixState:
    return rules.apply(start(variant, seats, {"deck": Counter(cards)}), First(0))


def test_last_card_ends_drawing_and_everyone_may_buy_once_more():
    state = played(small("b1", "g2", "$3"), "turn g2", "take currency", "turn $3", "draw", "turn b1")
    assert rules.legal(state).count == 2
    assert refused(state, "draw") == "deck-empty"
    state = played(state, "take numbers", "pass")
    assert (state.phase, actor(state)) == (Phase.LAST, 0)
    state = played(state, "buy g2 2c")
    assert actor(state) == 1
    state = played(state, "pass")
    assert is_over(state)
    assert [row.key for row in outcome(state)] == [(1, 6, 0), (1, 5, 0)]
    assert refused(state, "pass") == "game-over"


def test_active_player_has_a_last_purchase_even_after_buying():
    state = small("b1", "b2", "g1", "p1")._replace(market=("o1", "o2"))
    state = played(state, "turn b1", "draw", "turn b2", "draw", "turn g1", "draw", "turn p1", "take numbers")
    state = played(state, "buy o1 1c", "pass", "buy o2 2c")
    assert is_over(state)
    assert state.players[0].numbers == ("b1", "b2", "g1", "o1", "o2", "p1")


def test_deck_may_have_a_single_card():
    state = played(small("b1"), "turn b1", "take numbers", "pass", "pass", "pass")
    assert is_over(state)


def test_deck_may_leave_out_a_card_by_name():
    assert start("standard", ("ana", "bo"), {"deck": {"b1": 1, "b2": 0}}).deck == ("b1",)


def test_last_card_may_be_a_joker():
    state = played(small("b1", "5*"), "turn b1", "draw", "turn 5*", "pass", "bid 1", "pay 1c")
    assert list(rules.legal(state)) == [TAKE_NUMBERS, TAKE_CURRENCY]


def test_last_card_may_bust():
    state = played(small("b9", "g9"), "turn b9", "draw", "turn g9")
    assert (state.phase, actor(state)) == (Phase.LAST, 1)
    assert state.market == ("b9", "g9")


# Buying when bust


def test_bust_player_may_buy_instead_of_the_token():
    state = turned(at_table(variant="bust-buy"), "+4 -3 +5 +9")
    assert (state.phase, actor(state), coins(state)) == (Phase.BUST, 0, [5, 5, 5, 5])
    bought = played(state, "buy b5 5c")
    assert bought.players[0] == Player(coins=0, numbers=("b5",))
    assert (coins(bought), bought.discard, bought.active) == ([0, 8, 8, 8], ("$3",), 1)
    consoled = played(state, "token")
    assert consoled.players[0] == Player(tokens=1)
    assert coins(consoled) == [5, 8, 8, 8]
    assert refused(state, "pass") == "not-now"


def test_bust_by_money_with_a_purchase_gives_nothing():
    state = played(turned(at_table(variant="bust-buy"), "-3 +5 -4 -5"), "buy b5 5c")
    assert coins(state) == [0, 5, 5, 5]


# Buying when bust against ALIX


def test_bust_player_may_buy_against_alix_if_that_was_chosen():
    state = start("solo", ("ana", "ALIX"), {"bust_buy": True})
    bust = turned(state, "+4 -3 +5 +9")
    assert (bust.phase, actor(bust), bust.players[0].tokens) == (Phase.BUST, 0, 0)
    assert played(bust, "buy b5 5c").players == (Player(coins=0, numbers=("b5",)), Player(coins=8))
    assert played(bust, "token").players == (Player(tokens=1), Player(coins=8))
    for options in ({}, {"bust_buy": False}):
        plain = turned(start("solo", ("ana", "ALIX"), options), "+4 -3 +5 +9")
        assert (plain.phase, plain.active, plain.players[0].tokens) == (Phase.TURN, 1, 1)


def test_all_cards_pay_a_purchase_when_bust_against_alix():
    state = start("solo", ("ana", "ALIX"), {"bust_buy": True})
    state = state._replace(players=(Player(coins=0, numbers=("o1", "o2", "o3", "o4", "o5")), Player()))
    assert played(turned(state, "+4 -3 +5 +9"), "buy b5 o1 o2 o3 o4 o5").players[0] == Player(0, 0, ("b5",))


def test_alix_never_buys_when_bust():
    state = start("solo", ("ana", "ALIX"), {"bust_buy": True})._replace(active=1, speaker=1)
    state = turned(state, "-5 -4 +3 -3")
    assert state.players == (Player(), Player(tokens=1, numbers=("b3",)))
    assert state.active == 0


# ALIX


def with_means(alix: int, player: int) -> tuple[Player, Player]:
    """Return ana and ALIX with these means: coins up to ten, the rest in spare cards."""
    hands = [Player(coins=min(10, n), numbers=("b1",) * (n - 9) if n > 10 else ()) for n in (player, alix)]
    return hands[0], hands[1]


def test_alix_stops_at_her_difficulty():
    state = against_alix(6, active=1, speaker=1)
    state = played(turned(state, "+5 -2"), "draw")
    state = rules.turn(state, "b4")
    assert state.total == 7
    assert list(rules.legal(state)) == [TAKE_NUMBERS]
    assert refused(state, "draw") == "alix-decides"
    state = played(state, "take numbers")
    assert state.players[1].numbers == ("b4", "b5")
    assert coins(state) == [7, 5]
    assert (state.active, state.phase) == (0, Phase.TURN)


def test_alix_busts_through_money_alone_and_keeps_the_numbers():
    state = turned(against_alix(6, active=1, speaker=1), "-5 -4 +3 -3")
    assert state.players == (Player(), Player(tokens=1, numbers=("b3",)))
    assert state.active == 0


def test_alix_may_pass_ten():
    state = turned(against_alix(10, active=1, speaker=1), "+9 +9")
    assert (state.total, actor(state)) == (18, 1)
    assert played(state, "take numbers").players[1].numbers == ("b9", "g9")


@pytest.mark.parametrize(
    ("alix", "player", "bid"), [(9, 7, "bid 7"), (9, 3, "bid 5"), (4, 9, "pass"), (6, 9, "bid 6")]
)
def test_alix_bids_first_on_the_turn_of_the_player(alix, player, bid):
    state = played(against_alix(players=with_means(alix, player)), "turn 5*")
    assert actor(state) == 1
    assert [write(move) for move in rules.legal(state)] == [bid]


@pytest.mark.parametrize(
    ("alix", "player", "bid"), [(9, "bid 6", "bid 7"), (6, "bid 6", "pass"), (9, "pass", "bid 5"), (4, "pass", "pass")]
)
def test_alix_bids_last_on_her_own_turn(alix, player, bid):
    state = against_alix(active=1, speaker=1, players=with_means(alix, 10))
    state = played(state, "turn 5*", player)
    assert [write(move) for move in rules.legal(state)] == [bid]


def test_solo_bids_begin_at_five_and_are_paid_with_spare_cards_only():
    player = Player(coins=3, tokens=1, numbers=("b1", "b1", "g2"))
    state = against_alix(active=1, speaker=1, players=(player, Player(coins=4)))
    state = played(state, "turn 5*")
    assert refused(state, "bid 4") == "bid-too-low"
    assert refused(state, "bid 8") == "bid-too-high"
    state = played(state, "bid 7", "pass")
    assert refused(state, "pay 3c 1t g2") == "card-not-spendable"
    assert played(state, "pay 3c 1t b1").players[0] == Player(0, 0, ("b1", "g2"), ("5*",))


def test_solo_joker_without_a_bid_of_five_is_discarded():
    state = against_alix(players=(Player(coins=4), Player(coins=4)))
    state = played(state, "turn 5*", "pass", "pass")
    assert "5*" in state.discard


@pytest.mark.parametrize(
    ("alix", "payment"),
    [
        (Player(coins=6, tokens=2, numbers=("b1", "b1")), "pay 5c"),
        (Player(coins=4, tokens=2, numbers=("b1", "b1")), "pay 4c b1"),
        (Player(coins=3, tokens=2, numbers=("b1", "b1")), "pay 2c 1t"),
        (Player(coins=0, tokens=2, numbers=("b1",)), "pay 2t"),
    ],
)
def test_alix_pays_with_coins_then_spares_then_tokens(alix, payment):
    state = against_alix(active=1, speaker=1, players=(Player(), alix))
    state = played(state, "turn 5*", "pass", "bid 5")
    assert [write(move) for move in rules.legal(state)] == [payment]


def test_alix_never_buys():
    state = start("solo", ("ana", "ALIX"), {"deck": {"b1": 1, "b7": 1}})._replace(market=("g1",))
    state = played(state, "turn b1", "take numbers", "pass", "turn b7", "take numbers")
    assert (state.phase, actor(state)) == (Phase.LAST, 0)
    state = played(state, "buy g1 1c")
    assert is_over(state)
    assert [row.seat for row in outcome(state)] == ["ana", "ALIX"]


# Starting


@pytest.mark.parametrize(
    ("variant", "seats", "options", "code"),
    [
        ("duel", ("a", "b"), {}, "unknown-variant"),
        ("standard", ("a",), {}, "seat-count"),
        ("standard", tuple("abcdef"), {}, "seat-count"),
        ("solo", ("a", "b"), {}, "alix-seat"),
        ("standard", ("a", "b"), {"difficulty": 6}, "unknown-option"),
        ("standard", ("a", "b"), {"colour": 6}, "unknown-option"),
        ("solo", ("a", "ALIX"), {"difficulty": 11}, "bad-option"),
        ("solo", ("a", "ALIX"), {"difficulty": True}, "bad-option"),
        ("solo", ("a", "ALIX"), {"difficulty": 3}, "bad-option"),
        ("solo", ("a", "ALIX"), {"bust_buy": 1}, "bad-option"),
        ("standard", ("a", "b"), {"bust_buy": True}, "unknown-option"),
        ("bust-buy", ("a", "b"), {"bust_buy": False}, "unknown-option"),
        ("standard", ("a", "b"), {"deck": "b1"}, "bad-deck"),
        ("standard", ("a", "b"), {"deck": {}}, "bad-deck"),
        ("standard", ("a", "b"), {"deck": {"b0": 1}}, "bad-deck"),
        ("standard", ("a", "b"), {"deck": {"b1": -1}}, "bad-deck"),
        ("standard", ("a", "b"), {"deck": {"b1": 92}}, "bad-deck"),
        ("standard", ("a", "b"), {"deck": {"*#": 2}}, "bad-deck"),
    ],
)
def test_game_that_cannot_start(variant, seats, options, code):
    with pytest.raises(RuleError) as error:
        start(variant, seats, options)
    assert error.value.code == code


def test_chance_decides_who_begins_and_what_is_turned_up():
    state = start("standard", SEATS, {})
    assert actor(state) is None
    assert [write(move) for move in rules.legal(state)] == ["first 1", "first 2", "first 3", "first 4"]
    assert refused(state, "first 5") == "no-such-seat"
    state = played(state, "first 3")
    assert (actor(state), state.active, state.starter) == (None, 2, 2)
    assert rules.legal(state).count == len(set(state.deck)) == 36 + 14 + 5
    assert refused(state._replace(deck=("b1",)), "turn b2") == "not-in-deck"


def test_drawing_follows_the_copies_in_the_deck():
    state = at_table("ana", "bo", deck=("b1",) * 9 + ("b2",))
    rng = random.Random(1)
    drawn = Counter(write(rules.chance(state, rng)) for _ in range(1000))
    assert 850 < drawn["turn b1"] < 950


def test_every_kind_of_move_is_checked_as_it_is_listed():
    state = at_table("ana", "bo", market=("b2",))
    bidding = rules.turn(state, "5*")
    chosen = rules.turn(state, "b1")
    buying = rules.take(chosen, Reward.NUMBERS)
    won = played(bidding, "bid 5", "pass")
    questions: list[tuple[bool, DixState, Move, Callable[[], None]]] = [
        (True, state, Turn("b1"), lambda: rules.check_turn(state, "b1")),
        (False, state, Turn("b0"), lambda: rules.check_turn(state, "b0")),
        (False, state, First(0), lambda: rules.check_begin(state, 0)),
        (True, chosen, DRAW, lambda: rules.check_draw(chosen)),
        (True, chosen, TAKE_NUMBERS, lambda: rules.check_take(chosen, Reward.NUMBERS)),
        (False, chosen, PASS, lambda: rules.check_decline(chosen)),
        (True, buying, Buy("b2", Payment(2, 0)), lambda: rules.check_buy(buying, "b2", Payment(2, 0))),
        (False, buying, Buy("b2", Payment(3, 0)), lambda: rules.check_buy(buying, "b2", Payment(3, 0))),
        (False, buying, CONSOLE, lambda: rules.check_console(buying)),
        (True, bidding, Bid(5), lambda: rules.check_bid(bidding, 5)),
        (False, bidding, Bid(6), lambda: rules.check_bid(bidding, 6)),
        (True, won, Pay(Payment(5, 0)), lambda: rules.check_pay(won, Payment(5, 0))),
        (False, won, Pay(Payment(4, 0)), lambda: rules.check_pay(won, Payment(4, 0))),
    ]
    for is_legal, now, move, check in questions:
        assert (move in rules.legal(now)) == is_legal
        with contextlib.nullcontext() if is_legal else pytest.raises(RuleError):
            check()


def test_bid_beyond_all_means_is_illegal_not_unreadable():
    assert refused(played(at_table(), "turn 5*"), "bid 999") == "bid-too-high"
    assert Bid(999) == read(None, "bid 999")
