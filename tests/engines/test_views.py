"""What a seat sees of a game, and what can be done with a game in progress: for every game and variant."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import GAMES, game, records
from engines.dice_run.play.state import DiceRunState
from engines.dice_run.play.view import view as dice_run_view
from engines.play import UNKNOWN
from engines.simulation import Plan
from tests.engines.games import every_number_of_people, every_variant, played


def in_the_middle(engine, variant, people, seed, share):
    """Return a game that stopped somewhere, at a choice of somebody."""
    record = played(engine, variant, people, seed % 3).record
    stopped = game.open_record(record | {"moves": record["moves"][: int(share * len(record["moves"]))]})
    while stopped.actor is None and not stopped.is_over:
        stopped = stopped.move(record["moves"][len(stopped.moves)])
    return stopped


@pytest.mark.parametrize(("engine", "variant"), every_variant())
@given(seed=st.integers(0, 2), share=st.floats(0, 0.99), data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_player_given_only_the_view_plays_the_same(engine, variant, seed, share, data):
    people = data.draw(st.sampled_from(list(variant.people)))
    stopped = in_the_middle(engine, variant, people, seed, share)
    if stopped.is_over:
        return
    seat = stopped.actor
    for name, choose in engine.play.players.items():
        knowing = choose(stopped.state, random.Random(f"{name} {share}"))
        assert choose(engine.play.view(stopped.state, seat), random.Random(f"{name} {share}")) == knowing


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_the_view_of_a_view_is_the_same(engine, variant, people):
    for share in (0, 0.3, 0.7, 1):
        stopped = in_the_middle(engine, variant, people, 1, share)
        for seat in (None, *range(people)):
            seen = stopped.view(seat)
            assert engine.play.view(seen, seat) == seen
            assert engine.play.picture(seen, "en") == stopped.seen_by(seat)["table"]


@given(people=st.integers(3, 6), share=st.floats(0.1, 0.99), rng=st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_two_races_that_differ_in_secrets_look_the_same_to_a_seat(people, share, rng):
    engine = GAMES["dice-run"]
    state = in_the_middle(engine, engine.variant("standard"), people, 0, share).state
    for seat in (None, *range(people)):
        other = dealt_again(state, seat, rng)
        assert dice_run_view(other, seat) == dice_run_view(state, seat)


def dealt_again(state: DiceRunState, seat, rng) -> DiceRunState:
    """Return a race in which everything a seat cannot know is otherwise."""
    others = [other for other in range(len(state.seats)) if other != seat]
    cards = [*state.pile, *(card for other in others for card in state.hands[other])]
    secret_face_down = state.face_down is not None and state.face_down[0] != seat
    if secret_face_down:
        cards.append(state.face_down[1])
    rng.shuffle(cards)
    goals = [card for other in others for card in (*state.objectives[other], state.chosen[other]) if card]
    rng.shuffle(goals)
    hands, objectives, chosen = list(state.hands), list(state.objectives), list(state.chosen)
    for other in others:
        hands[other] = tuple(sorted(cards.pop() for _ in hands[other]))
        objectives[other] = tuple(sorted(goals.pop() for _ in objectives[other]))
        chosen[other] = goals.pop() if chosen[other] else ""
    return state._replace(
        hands=tuple(hands),
        objectives=tuple(objectives),
        chosen=tuple(chosen),
        face_down=(state.face_down[0], cards.pop()) if secret_face_down else state.face_down,
        pile=tuple(sorted(cards)),
    )


def test_a_seat_sees_its_own_cards_and_nobody_elses():
    engine = GAMES["dice-run"]
    stopped = in_the_middle(engine, engine.variant("standard"), 3, 0, 0.5)
    players = stopped.seen_by(1)["table"]["players"]
    assert None not in players[1]["hand"] + players[1]["objectives"]
    assert {*players[0]["hand"], *players[2]["hand"], *players[0]["objectives"]} == {None}
    assert {card for each in stopped.seen_by(None)["table"]["players"] for card in each["hand"]} == {None}
    assert None not in [card for each in stopped.position()["table"]["players"] for card in each["hand"]]
    assert UNKNOWN not in json.dumps(stopped.position())


def test_what_is_drawn_face_down_is_told_to_its_owner_only():
    record = played(GAMES["dice-run"], GAMES["dice-run"].variant("standard"), 3).record
    secret = 0
    for before, text in zip(game.steps(record), record["moves"], strict=False):
        owner = before.engine.play.owner(before.state, before.engine.play.read(before.state, text))
        if owner is not None:
            secret += 1
            assert game.told(before, text, owner) == game.told(before, text, is_open=True)
            for other in (None, (owner + 1) % 3):
                hidden = game.told(before, text, other)
                assert hidden != game.told(before, text, owner)
                assert before.seats[owner] in hidden.en
    assert secret > 20


def test_the_deck_of_dix_is_only_counted_in_its_picture():
    stopped = in_the_middle(GAMES["dix"], GAMES["dix"].variant("standard"), 3, 0, 0.4)
    assert stopped.position()["table"]["deck"] == len(stopped.state.deck)


@pytest.mark.parametrize(("engine", "variant", "people"), every_number_of_people())
def test_every_position_can_be_drawn_and_every_move_told_in_both_languages(engine, variant, people):
    record = played(engine, variant, people).record
    told = {}
    for before, text in zip(game.steps(record), record["moves"], strict=False):
        json.dumps(before.position("fr"))
        words = game.told(before, text, is_open=True)
        assert "{" not in words.en + words.fr
        assert words.en[0].isupper() or words.en.startswith(tuple(before.seats))
        assert words.en.endswith(".")
        assert words.fr.endswith(".")
        told.setdefault(text.split(" ")[0], words)
    assert all(words.en != words.fr for words in told.values())


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_moves_that_are_offered_are_legal_and_none_twice(engine, variant):
    for share in (0.1, 0.4, 0.8, 0.95):
        stopped = in_the_middle(engine, variant, variant.people[-1], 0, share)
        offered = stopped.legal_moves("fr", most=200)
        texts = [each["move"] for each in offered["moves"]]
        assert len(set(texts)) == len(texts) == min(200, offered["count"])
        for text in texts[:40]:
            assert stopped.move(text).moves == (*stopped.moves, text)


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_undo_goes_back_to_the_last_choice_of_a_seat(engine, variant):
    stopped = in_the_middle(engine, variant, variant.people[0], 0, 0.6)
    undone = stopped.undo(0)
    assert undone.actor == 0
    assert undone.moves == stopped.moves[: len(undone.moves)]
    assert len(undone.moves) < len(stopped.moves)
    assert stopped.undo(0).undo(0).moves == undone.undo(0).moves
    while (earlier := undone.undo(0)) is not undone:
        undone = earlier
    assert undone.actor == 0


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_a_secret_deals_the_same_again_and_after_an_undo(engine, variant):
    seats = Plan(engine.slug, variant.slug, variant.people[0], 0).seats

    def whole(secret):
        going = game.start(engine.slug, variant.slug, seats).deal(secret)
        while not going.is_over:
            going = going.choose("decent", random.Random(len(going.moves))).deal(secret)
        return going

    once = whole("a")
    assert whole("a").record == once.record != whole("b").record
    assert records.report_of(once.record) == once.report
    undone = once.undo(0)
    again = undone.move(once.moves[len(undone.moves)]).deal("a").moves
    assert again == once.moves[: len(again)]


def test_alone_everybody_gets_the_same_cards_and_dice_whatever_they_do():
    cards = []
    for player in ("random", "decent"):
        going = game.start("dix", "solo", ["ana", "ALIX"]).deal("s")
        while not going.is_over:
            going = going.choose(player, random.Random(len(going.moves))).deal("s")
        cards.append([move for move in going.moves if move.startswith("turn")])
    assert cards[0] == cards[1]
    dice = []
    for keep in ("keep - - - - - - - - - -", None):
        going = game.start("ten-phases", "solo", ["ana"]).deal("s")
        first = going.moves[0].split()[1:]
        going = going.move(keep or f"keep {first[0]} - - - - - - - - -").deal("s")
        dice.append([going.moves[-1].split()[2:], going.move("pass").deal("s").moves[-1]])
    assert dice[0] == dice[1]


def test_a_forged_move_is_refused_with_code_facts_and_words():
    going = game.start("sixmix", "standard", ["ana", "ben", "cleo"]).deal("s")
    with pytest.raises(records.RecordError) as caught:
        going.move("put z1")
    assert caught.value.code == "sixmix.no-such-row"
    assert caught.value.path == ("moves", len(going.moves))
    assert caught.value.facts["number"] == len(going.moves) + 1
    assert all(caught.value.reason)
    with pytest.raises(records.RecordError) as caught:
        going.move("x" * 100_000)
    assert len(caught.value.reason.en) < 1000


def test_a_game_that_does_not_exist_cannot_be_started():
    for arguments, code in (
        (("chess", "standard", ["a"]), "record.unknown-game"),
        (("dix", "blitz", ["a", "b"]), "record.unknown-variant"),
        (("dix", "standard", ["a"]), "record.seats"),
        (("dix", "solo", ["a", "ALIX"], {"difficulty": 99}), "dix.bad-option"),
        (("dix", "solo", ["a", "ALIX"], {"difficulty": ["x"] * 10_000}), "dix.bad-option"),
    ):
        with pytest.raises(records.RecordError) as caught:
            game.start(*arguments)
        assert caught.value.code == code
        assert len(caught.value.reason.en) < 1000


def test_nobody_moves_in_a_game_that_is_over():
    over = game.open_record(played(GAMES["ten-phases"], GAMES["ten-phases"].variant("solo"), 1).record)
    assert over.is_over
    assert over.legal_moves() == {"count": 0, "moves": []}
    assert over.deal("s") is over
    with pytest.raises(ValueError, match="nobody"):
        over.choose("decent", random.Random(1))
    with pytest.raises(records.RecordError, match="game-over"):
        over.move("pass")


def test_a_move_is_kept_as_it_is_written_in_records():
    going = game.open_record(
        {"game": "dix", "variant": "standard", "seats": ["a", "b"], "moves": ["first 1", "turn 7*", "pass", "bid 4"]}
    )
    assert going.move("pay 4c").moves[-1] == "pay 4c"
