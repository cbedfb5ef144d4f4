"""A player's turn and the end of a stage: every card, objectives, rerolls, discards, and what is refused."""

import random
from contextlib import nullcontext
from itertools import islice

import pytest

from engines.base import RuleError
from engines.dice_run.pieces import faces
from engines.dice_run.play import setup, turns
from engines.dice_run.play.moves import (
    AboutFace,
    Accident,
    Advance,
    Choose,
    Comeback,
    DealHand,
    DealObjectives,
    Discard,
    Draw,
    Joker,
    LayGap,
    PlayObjective,
    Reroll,
    Roll,
    Split,
    Sprint,
    StarterRoll,
    Swap,
)
from engines.dice_run.play.state import Phase, start
from tests.engines.dice_run.play.positions import PLAY, SEATS, code_of, groups, state, walk


@pytest.mark.parametrize(
    ("race", "card", "move", "after"),
    [
        ("b1 g1 / b2 g2", "b", Advance("b"), "b1 / g1 b2 / g2"),
        ("b1 g1 / b2 g2", "2", Advance("2"), "b1 g1 b2 g2"),
        ("b1 g1 / b2 g2", "joker", Joker("b"), "b1 / g1 b2 / g2"),
        ("b1 g1 / b2 g2", "joker", Joker("1"), "b1 g1 / b2 g2"),
        ("b1 / g1 / r1", "swap", Swap(2), "b1 / r1 / g1"),
        ("b1 b2 b3 b4 / g1", "sprint", Sprint(("b1", "b2", "b3")), "b1 b2 b3 / b4 / g1"),
        ("b1 / g1 / r1", "comeback", Comeback(), "b1 / r1 / g1"),
        ("b1 / – / g6 g1", "about-face", AboutFace(2, 6), "b1 / – / g1 g1"),
        ("b1 / – / g1 / r1", "gap", LayGap(1), "b1 / – / – / g1 / r1"),
        ("b1 / – / g1 / r1", "gap", LayGap(2), "b1 / – / g1 / – / r1"),
        ("b1 / – / g1 / p1", "accident", Accident("b1"), "g1 / p1 b1"),
    ],
)
def test_each_card_is_applied_and_one_is_drawn(race, card, move, after):
    before = state(race, hand=f"{card} 5 5")
    played = PLAY.apply(before, move)
    assert played.groups == groups(after)
    assert (played.phase, played.turn, played.hands[0]) == (Phase.DRAW, 0, ("5", "5"))
    drawn = PLAY.apply(played, Draw("joker"))
    assert (drawn.phase, drawn.turn, drawn.hands[0]) == (Phase.TURN, 1, ("5", "5", "joker"))
    assert drawn.packs[0] == before.packs[0] - 1
    assert len(drawn.discarded) == (card != "gap") + before.groups.count(0) * (card == "accident")


@pytest.mark.parametrize(
    ("race", "hand", "move", "code"),
    [
        ("b1 / g1", "b b b", Advance("g"), "card-not-held"),
        ("b1 / g1", "swap b b", Advance("swap"), "card-not-held"),
        ("b1 / g1", "b b b", Joker("g"), "card-not-held"),
        ("b1 / g1", "joker b b", Joker("y"), "no-such-dice"),
        ("b1 / g1 / r1", "swap b b", Swap(1), "no-swap"),
        ("b1 / g1 / – / r1", "swap b b", Swap(2), "no-swap"),
        ("b1 / g1 / r1", "swap b b", Swap(3), "no-such-group"),
        ("b1 b2 b3 / g1", "sprint b b", Sprint(("b1", "b2", "b3")), "front-too-small"),
        ("b1 b2 b3 b4 / g1", "sprint b b", Sprint(("b1", "b2")), "wrong-sprint"),
        ("b1 b2 b3 b4 / g1", "sprint b b", Sprint(("b1", "b1", "b2")), "not-in-front"),
        ("b1 b2 b3 b4 / g1", "sprint b b", Sprint(("b1", "b2", "g1")), "not-in-front"),
        ("b1 / g1", "b b b", Comeback(), "card-not-held"),
        ("b1 / g1", "about-face b b", AboutFace(3, 1), "no-such-group"),
        ("b1 / g1", "about-face b b", AboutFace(1, 12), "no-such-dice"),
        ("b1 / g1", "gap b b", LayGap(2), "no-such-group"),
        ("b1 / g1", "accident b b", Accident("g1"), "not-in-front"),
        ("b1 / g1", "b b b", PlayObjective("b1", colour_first=True), "objective-not-held"),
        ("b1 / g1", "b b b", Reroll(1, "b"), "front-group"),
        ("b1 / g1", "b b b", Reroll(3, "b"), "no-such-group"),
        ("b1 / g1", "b b b", Reroll(2, "g"), "card-not-held"),
        ("b1 / g1", "swap b b", Discard("swap"), "card-applicable"),
        ("b1 / g1", "b b b", Draw("b"), "turn-due"),
        ("b1 / g1", "b b b", Roll(("b1",)), "turn-due"),
        ("b1 / g1", "b b b", Choose("b6"), "turn-due"),
    ],
)
def test_turn_refuses(race, hand, move, code):
    position = state(race, hand=hand)
    assert code_of(position, move) == code
    assert move not in PLAY.legal(position)


def test_objective_play_makes_two_moves_stays_open_and_draws_nothing():
    before = state("b6 b1 g1 / – / g6", hand="b b b")
    after = PLAY.apply(before, PlayObjective("b6", colour_first=True))
    assert after.groups == groups("b6 / b1 / g1 / g6")
    assert (after.phase, after.turn, after.hands, after.packs) == (Phase.TURN, 1, before.hands, before.packs)
    assert after.shown == ("b6", "", "")
    assert "b6" not in after.objectives[0]
    assert after.discarded == ("gap",)
    again = after._replace(turn=0)
    assert code_of(again, PlayObjective("g1", colour_first=True)) == "objective-played"
    assert not any(isinstance(move, PlayObjective) for move in PLAY.legal(again))


def test_reroll_changes_a_group_in_place_and_the_token_moves_on():
    game = state("b1 / – / g1 g2 / r1", hand="b b b")
    game = PLAY.apply(game, Reroll(2, "b"))
    assert (game.phase, game.face_down) == (Phase.REROLL, (0, "b"))
    assert code_of(game, Roll(("g1", "r2"))) == "wrong-dice"
    assert code_of(game, Draw("joker")) == "reroll-due"
    game = PLAY.apply(game, Roll(("g5", "g6")))
    assert game.groups == groups("b1 / – / g5 g6 / r1")
    game = PLAY.apply(game, Draw("joker"))
    assert game.turn == 1
    assert code_of(game._replace(turn=0), Reroll(2, "b")) == "rerolled-last"
    assert not any(isinstance(move, Reroll) for move in PLAY.legal(game._replace(turn=0)))
    game = PLAY.apply(game, Reroll(3, "1"))
    assert (game.face_down, game.discarded) == ((1, "1"), ("b",))
    game = PLAY.apply(PLAY.apply(game, Roll(("r3",))), Draw("joker"))
    assert Reroll(2, "b") in PLAY.legal(game._replace(turn=0))


def test_a_card_is_discarded_only_if_none_can_be_applied():
    stuck = state("b1 b2 b3", hand="swap gap sprint")
    assert PLAY.apply(stuck, Discard("gap")).discarded == ("gap",)
    legal = list(PLAY.legal(stuck))
    assert {move.card for move in legal if isinstance(move, Discard)} == {"swap", "gap", "sprint"}
    assert {type(move) for move in legal} == {Discard, PlayObjective}
    assert code_of(state("b1 b2 b3 b4", hand="swap gap sprint"), Discard("gap")) == "card-applicable"


@pytest.mark.parametrize(
    ("race", "hand", "is_stuck"),
    [
        ("b1 b2 b3", "gap gap gap", True),
        ("b1 b2 b3 / g1", "gap gap gap", False),
        ("b1 b2 b3 / – / g1", "gap gap gap", False),
        ("b1 b2 b3 / g1", "swap swap swap", True),
        ("b1 b2 b3 / g1 / r1", "swap swap swap", False),
        ("b1 b2 b3 / g1 / – / r1", "swap swap swap", True),
        ("b1 b2 b3", "sprint sprint sprint", True),
        ("b1 b2 b3 b4", "sprint sprint sprint", False),
    ],
)
def test_a_card_may_be_discarded_exactly_while_it_cannot_be_applied(race, hand, is_stuck):
    position = state(race, hand=hand)
    card = hand.partition(" ")[0]
    kinds = {type(move) for move in PLAY.legal(position)} - {PlayObjective, Reroll}
    assert kinds == {Discard if is_stuck else {"gap": LayGap, "swap": Swap, "sprint": Sprint}[card]}
    if is_stuck:
        assert PLAY.apply(position, Discard(card)).discarded == (card,)
    else:
        assert code_of(position, Discard(card)) == "card-applicable"


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("b", [Advance("b")]),
        ("4", [Advance("4")]),
        ("joker", [Joker(feature) for feature in "bgprv123456"]),
        ("sprint", [Sprint(("b1", "b2", "b3")), Sprint(("b1", "b2", "g4"))]),
        ("comeback", [Comeback()]),
        ("about-face", [AboutFace(1, value) for value in range(1, 7)]),
        ("accident", [Accident("b1"), Accident("g4")]),
    ],
)
def test_every_other_card_can_be_played_while_there_is_one_group(card, moves):
    position = state("b1 b2 b3 g4", hand=f"{card} gap swap")
    for move in moves:
        assert move in PLAY.legal(position)
        assert PLAY.apply(position, move).phase is Phase.DRAW
    for refused in (LayGap(1), Swap(1), Reroll(2, "gap"), Discard("gap")):
        assert refused not in PLAY.legal(position)
        code_of(position, refused)


def test_cards_that_change_nothing_can_still_be_played():
    assert PLAY.apply(state("b1", hand="b comeback accident"), Comeback()).groups == groups("b1")
    assert PLAY.apply(state("b1", hand="b comeback accident"), Accident("b1")).groups == groups("b1")


@pytest.mark.parametrize("seed", range(4))
def test_legal_moves_checks_and_acts_agree(seed):
    kinds = {
        Advance: (turns.check_advance, turns.advance),
        Joker: (turns.check_joker, turns.joker),
        Swap: (turns.check_swap, turns.swap),
        Sprint: (turns.check_sprint, turns.sprint),
        Comeback: (turns.check_comeback, turns.comeback),
        AboutFace: (turns.check_about_face, turns.about_face),
        LayGap: (turns.check_lay_gap, turns.lay_gap),
        Accident: (turns.check_accident, turns.accident),
        PlayObjective: (turns.check_play_objective, turns.play_objective),
        Reroll: (turns.check_reroll, turns.reroll),
        Discard: (turns.check_discard, turns.discard),
        Choose: (turns.check_choose, turns.choose),
        Roll: (setup.check_roll, setup.roll),
        DealObjectives: (setup.check_deal_objectives, setup.deal_objectives),
        DealHand: (setup.check_deal_hand, setup.deal_hand),
        Split: (setup.check_split, setup.split),
        StarterRoll: (setup.check_starter_roll, setup.starter_roll),
        Draw: (setup.check_draw, setup.draw),
    }
    game, rng = start("standard", SEATS, {}), random.Random(seed)
    others = [move for position in walk(seed + 100) for move in islice(PLAY.legal(position), 3)][::9]
    while not PLAY.is_over(game):
        legal = PLAY.legal(game)
        for move in rng.sample(others, 5):
            for check_or_act in kinds[type(move)]:
                with nullcontext() if move in legal else pytest.raises(RuleError):
                    check_or_act(game, move)
        move = PLAY.chance(game, rng) if PLAY.actor(game) is None else legal.sample(rng)
        check, act = kinds[type(move)]
        check(game, move)
        game = act(game, move)


# Stage ends


def test_last_card_of_a_pack_ends_the_stage_and_everyone_chooses():
    game = state("b6 b1 g2 / g6 r1", hand="b b b", packs=(1, 8, 7, 6, 5), shown=("", "b1", ""))
    game = PLAY.apply(PLAY.apply(game, Advance("b")), Draw("joker"))
    assert (game.phase, PLAY.actor(game)) == (Phase.CHOICE, 0)
    assert code_of(game, Choose("v4")) == "objective-not-held"
    assert code_of(game, Advance("b")) == "choice-due"
    game = PLAY.apply(game, Choose("b6"))
    assert PLAY.actor(game) == 2, "bo has played an objective and must use it"
    game = PLAY.apply(game, Choose("g3"))
    [end] = game.stages
    assert end.revealer == "ana"
    assert end.objectives == ("b6", "b1", "g3")
    assert end.groups == ("b1 b6", "g2", "g6 r1")
    assert end.podium == ("ana", "bo", "cy")
    assert (game.phase, game.turn, game.packs) == (Phase.TURN, 1, (8, 7, 6, 5))
    assert game.groups == groups("b6 b1 / g2 / g6 r1"), "the race goes on from the same position"
    assert game.shown == game.chosen == ("", "", "")


@pytest.mark.parametrize(("revealer", "podium"), [(0, "ana bo cy"), (1, "bo cy ana"), (2, "cy ana bo")])
def test_perfect_tie_is_settled_from_the_revealer(revealer, podium):
    every_face = " ".join(sorted(faces("bgprv")))
    game = state(every_face, hand="b", phase=Phase.DRAW, turn=revealer, packs=(1, 8, 7, 6, 5))
    game = PLAY.apply(game._replace(shown=("b6", "b1", "b2")), Draw("joker"))
    assert game.stages[0].podium == tuple(podium.split())


def test_game_is_over_after_the_fourth_stage():
    end = state("b1", phase=Phase.DRAW, hand="b b", packs=(1, 5), shown=("b6", "b1", "b2"))
    first_three = tuple(walk(3)[-1].stages[:3])
    over = PLAY.apply(end._replace(stages=first_three), Draw("joker"))
    assert PLAY.is_over(over)
    assert PLAY.actor(over) is None
    assert PLAY.legal(over).count == 0
    assert code_of(over, Advance("b")) == "game-over"
