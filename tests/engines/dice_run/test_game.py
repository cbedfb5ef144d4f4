"""Dice Run in play: preparation, turns, refusals, stage ends, notation, players, recorded games."""

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from engines.base import RuleError
from engines.dice_run import ENGINE, rules, setup, turns
from engines.dice_run.choices import Rolls, Selections, StarterRolls
from engines.dice_run.moves import (
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
from engines.dice_run.notation import read, write
from engines.dice_run.pieces import SPLIT, deck, faces
from engines.dice_run.race import dice_of, group_of
from engines.dice_run.state import Phase, State, outcome, start
from engines.play import replay, run
from tests.engines.dice_run.invariants import check_invariants

PLAY = ENGINE.play
SEATS = ("ana", "bo", "cy")
GAMES = sorted((Path(__file__).parent / "games").glob("*.json"))


def groups(text: str) -> tuple[int, ...]:
    """Read a race such as `b6 b1 / – / g6`."""
    return tuple(group_of(part.replace("–", "").split()) for part in text.split(" / "))


def state(race: str, *, hand: str = "", **changes: object) -> State:
    """Return a turn of ana in the first stage, with a race and a hand."""
    objectives = (("b6", "g1", "r2", "v5"), ("b1", "g2", "r3", "v4"), ("b2", "g3", "r4", "v6"))
    hands = (tuple(sorted(hand.split())), ("1", "2", "3"), ("4", "5", "6"))
    ready = start("standard", SEATS, {})._replace(
        phase=Phase.TURN, groups=groups(race), hands=hands, objectives=objectives, packs=(9, 8, 7, 6, 5)
    )
    return ready._replace(**changes)


def code_of(position: State, move: object) -> str:
    """Return the code with which a move is refused."""
    with pytest.raises(RuleError) as raised:
        PLAY.apply(position, move)
    assert raised.value.code in PLAY.rules
    words = PLAY.rules[raised.value.code]
    assert all(each.format(**raised.value.facts) for each in words)
    return raised.value.code


# Preparation


def prepared(seed: int = 1, until: Phase = Phase.TURN, seats: tuple[str, ...] = SEATS) -> State:
    """Play the chance moves of the preparation up to a phase."""
    game, rng = start("standard", seats, {}), random.Random(seed)
    while game.phase is not until:
        game = PLAY.apply(game, PLAY.chance(game, rng))
    return game


def test_box_has_76_movement_cards():
    assert len(deck("bgprv", SPLIT)) == sum(SPLIT.values()) == 76


def test_preparation_deals_four_objectives_and_three_cards_and_makes_five_packs():
    game = prepared()
    assert len(game.groups) == 1
    assert [len(hand) for hand in game.objectives] == [4, 4, 4]
    assert [len(hand) for hand in game.hands] == [3, 3, 3]
    assert sum(game.packs) == len(game.pile) == 76 - 9
    assert len(set(game.packs)) == 5


def test_highest_throw_begins_and_its_dice_go_back_as_they_fell():
    game = prepared(until=Phase.STARTER)._replace(groups=groups("b1 b1 g1 g1 r1 r1"))
    game = PLAY.apply(game, StarterRoll((("b1", "b2"), ("b1", "b3"))))
    game = PLAY.apply(game, StarterRoll((("g1", "g6"), ("g1", "g6"))))
    game = PLAY.apply(game, StarterRoll((("r1", "r6"), ("r1", "r5"))))
    assert (game.phase, game.turn, game.starter) == (Phase.TURN, 1, 1)
    assert game.groups == groups("b2 b3 g6 g6 r6 r5")


def test_only_those_who_tie_throw_again():
    game = prepared(until=Phase.STARTER)._replace(groups=groups("b1 b1 g1 g1 r1 r1"))
    for before, after in (("b1", "b5"), ("g1", "g2"), ("r1", "r5")):
        game = PLAY.apply(game, StarterRoll(((before, after),) * 2))
    assert (game.phase, game.turn) == (Phase.STARTER, 0)
    game = PLAY.apply(game, StarterRoll((("b5", "b1"), ("b5", "b1"))))
    assert game.turn == 2
    game = PLAY.apply(game, StarterRoll((("g2", "g1"), ("g2", "g2"))))
    assert (game.phase, game.starter) == (Phase.TURN, 2)


@pytest.mark.parametrize(
    ("phase", "move", "code"),
    [
        (Phase.DICE, Roll(("b1",)), "wrong-dice"),
        (Phase.DICE, Draw("b"), "dice-due"),
        (Phase.OBJECTIVES, DealObjectives(("b1", "b2", "b3")), "wrong-deal"),
        (Phase.OBJECTIVES, DealObjectives(("b1", "b2", "b3", "z1")), "card-gone"),
        (Phase.OBJECTIVES, Advance("b"), "objectives-due"),
        (Phase.HANDS, DealHand(("gap",) * 4), "wrong-deal"),
        (Phase.HANDS, DealHand(("b", "b", "y")), "card-gone"),
        (Phase.HANDS, Comeback(), "hands-due"),
        (Phase.PACKS, Split((13, 13, 13, 14, 14)), "wrong-packs"),
        (Phase.PACKS, Split((9, 12, 13, 14, 19)), "wrong-packs"),
        (Phase.PACKS, Split((11, 12, 13, 14, 16)), "wrong-packs"),
        (Phase.PACKS, Roll(()), "packs-due"),
        (Phase.STARTER, StarterRoll((("z1", "z2"), ("z1", "z2"))), "wrong-dice"),
        (Phase.STARTER, Choose("b1"), "starter-due"),
    ],
)
def test_preparation_refuses(phase, move, code):
    assert code_of(prepared(until=phase), move) == code


def test_a_thrown_die_keeps_its_colour():
    game = prepared(until=Phase.STARTER)
    die, other = dice_of(game.groups[0])[:2]
    assert code_of(game, StarterRoll(((die, "v1"), (other, other)))) == "wrong-dice"


@pytest.mark.parametrize(
    ("variant", "seats", "options", "code"),
    [
        ("long", SEATS, {}, "unknown-variant"),
        ("standard", ("ana", "bo"), {}, "seat-count"),
        ("standard", tuple("abcdefg"), {}, "seat-count"),
        ("standard", ("ana", "bo", "ana"), {}, "seat-count"),
        ("standard", SEATS, {"colour": "bgprv"}, "unknown-option"),
        ("standard", SEATS, {"colours": "bgpr"}, "bad-option"),
        ("standard", SEATS, {"cards": 76}, "bad-option"),
        ("standard", SEATS, {"cards": {"turbo": 0}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": 7}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": True, "gap": 8}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": 5, "colour": 21}}, "bad-option"),
        ("standard", SEATS, {"cards": {"joker": -1, "gap": 10}}, "bad-option"),
    ],
)
def test_start_refuses(variant, seats, options, code):
    with pytest.raises(RuleError) as raised:
        start(variant, seats, options)
    assert raised.value.code == code


def test_another_box_is_played_and_reported_with_its_colours():
    options = {"colours": "kwxyz", "cards": {"joker": 4, "gap": 5}}
    last, moves = run(PLAY, "standard", SEATS, "random", random.Random(5), options)
    report = PLAY.report(last)
    assert report["colours"] == "kwxyz"
    assert ENGINE.check(report).ok
    assert PLAY.report(replay(PLAY, "standard", SEATS, moves, options)) == report


# Turns


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
    assert turns.can_reroll(game._replace(turn=0), Reroll(2, "b"))


def test_a_card_is_discarded_only_if_none_can_be_applied():
    stuck = state("b1 b2 b3", hand="swap gap sprint")
    assert PLAY.apply(stuck, Discard("gap")).discarded == ("gap",)
    legal = list(PLAY.legal(stuck))
    assert {move.card for move in legal if isinstance(move, Discard)} == {"swap", "gap", "sprint"}
    assert {type(move) for move in legal} == {Discard, PlayObjective}
    assert code_of(state("b1 b2 b3 b4", hand="swap gap sprint"), Discard("gap")) == "card-applicable"


def test_cards_that_change_nothing_can_still_be_played():
    assert PLAY.apply(state("b1", hand="b comeback accident"), Comeback()).groups == groups("b1")
    assert PLAY.apply(state("b1", hand="b comeback accident"), Accident("b1")).groups == groups("b1")


@pytest.mark.parametrize("seed", range(4))
def test_check_can_and_act_agree(seed):
    kinds = {
        Advance: (turns.check_advance, turns.can_advance, turns.advance),
        Joker: (turns.check_joker, turns.can_joker, turns.joker),
        Swap: (turns.check_swap, turns.can_swap, turns.swap),
        Sprint: (turns.check_sprint, turns.can_sprint, turns.sprint),
        Comeback: (turns.check_comeback, turns.can_comeback, turns.comeback),
        AboutFace: (turns.check_about_face, turns.can_about_face, turns.about_face),
        LayGap: (turns.check_lay_gap, turns.can_lay_gap, turns.lay_gap),
        Accident: (turns.check_accident, turns.can_accident, turns.accident),
        PlayObjective: (turns.check_play_objective, turns.can_play_objective, turns.play_objective),
        Reroll: (turns.check_reroll, turns.can_reroll, turns.reroll),
        Discard: (turns.check_discard, turns.can_discard, turns.discard),
        Choose: (turns.check_choose, turns.can_choose, turns.choose),
        Roll: (setup.check_roll, setup.can_roll, setup.roll),
        DealObjectives: (setup.check_deal_objectives, setup.can_deal_objectives, setup.deal_objectives),
        DealHand: (setup.check_deal_hand, setup.can_deal_hand, setup.deal_hand),
        Split: (setup.check_split, setup.can_split, setup.split),
        StarterRoll: (setup.check_starter_roll, setup.can_starter_roll, setup.starter_roll),
        Draw: (setup.check_draw, setup.can_draw, setup.draw),
    }
    game, rng = start("standard", SEATS, {}), random.Random(seed)
    others = [move for position in walk(seed + 100) for move in islice(PLAY.legal(position), 3)][::9]
    while not PLAY.is_over(game):
        legal = PLAY.legal(game)
        for move in rng.sample(others, 5):
            _, can, act = kinds[type(move)]
            assert can(game, move) == (move in legal)
            if not can(game, move):
                with pytest.raises(RuleError):
                    act(game, move)
        move = PLAY.chance(game, rng) if PLAY.actor(game) is None else legal.sample(rng)
        check, can, act = kinds[type(move)]
        check(game, move)
        assert can(game, move)
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
    first_three = tuple(last_of(seed=3).stages[:3])
    over = PLAY.apply(end._replace(stages=first_three), Draw("joker"))
    assert PLAY.is_over(over)
    assert PLAY.actor(over) is None
    assert PLAY.legal(over).count == 0
    assert code_of(over, Advance("b")) == "game-over"


# Descriptions of many moves


@pytest.mark.parametrize(
    "moves",
    [
        Selections(Sprint, ("b1", "b1", "b1", "b1", "g2", "g2", "r3"), 3),
        Selections(DealHand, ("b", "b", "gap", "gap", "gap", "swap"), 3),
        Selections(DealObjectives, tuple(sorted(faces("bgprv")))[:7], 4),
        Rolls("bbgr"),
        StarterRolls(("b1", "b1", "g2", "r3")),
    ],
)
def test_described_moves_are_counted_listed_and_sampled_alike(moves):
    listed = list(moves)
    assert len(set(listed)) == len(listed) == moves.count
    assert all(move in moves for move in listed)
    rng = random.Random(1)
    drawn = [moves.sample(rng) for _ in range(30 * len(listed))]
    assert set(drawn) == set(listed)
    most = max(drawn.count(move) for move in listed[:50])
    assert most < 70, "each is as likely as the others"
    assert Draw("b") not in moves


def test_chance_throws_dice_as_they_fall():
    rng = random.Random(2)
    throws = [Rolls("bb").throw(rng).dice for _ in range(3600)]
    assert 60 < throws.count(("b1", "b1")) < 140
    assert 140 < throws.count(("b1", "b2")) < 260


def test_all_dice_can_fall_in_462_ways_per_colour():
    assert PLAY.legal(start("standard", SEATS, {})).count == 462**5


# Notation


def walk(seed: int, player: str = "random", seats: tuple[str, ...] = SEATS) -> list[State]:
    """Return every state of a game."""
    game, rng = start("standard", seats, {}), random.Random(seed)
    states = [game]
    while not PLAY.is_over(game):
        move = PLAY.chance(game, rng) if PLAY.actor(game) is None else PLAY.players[player](game, rng)
        game = PLAY.apply(game, move)
        states.append(game)
    return states


def last_of(seed: int) -> State:
    return walk(seed)[-1]


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (DealObjectives(("b6", "g1", "r2", "v5")), "objectives b6 g1 r2 v5"),
        (DealHand(("6", "b", "joker")), "hand 6 b joker"),
        (Split((13, 12, 15, 14, 11)), "packs 13 12 15 14 11"),
        (StarterRoll((("b3", "b6"), ("r5", "r1"))), "start b3>6 r5>1"),
        (Roll(("g1", "g6")), "roll g1 g6"),
        (Draw("about-face"), "draw about-face"),
        (Advance("b"), "advance b"),
        (Joker("6"), "joker 6"),
        (Swap(2), "swap 2 3"),
        (Sprint(("b1", "b2", "g6")), "sprint b1 b2 g6"),
        (Comeback(), "comeback"),
        (AboutFace(1, 6), "about-face 1 6"),
        (LayGap(1), "gap 1 2"),
        (Accident("b1"), "accident b1"),
        (PlayObjective("b6", colour_first=True), "objective b6 colour"),
        (PlayObjective("b6", colour_first=False), "objective b6 value"),
        (Reroll(3, "swap"), "reroll 3 swap"),
        (Discard("gap"), "discard gap"),
        (Choose("b6"), "choose b6"),
    ],
)
def test_notation(move, text):
    game = prepared()
    assert write(move) == text
    assert read(game, text) == move


def test_order_of_dice_does_not_matter_to_the_reader():
    assert read(prepared(), "sprint g6 b2 b1") == Sprint(("b1", "b2", "g6"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "sing",
        "advance",
        "advance bb",
        "advance b ",
        "advance  b",
        "swap 2 4",
        "swap 2",
        "swap 0 1",
        "gap 1 3",
    ],
)
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(RuleError) as raised:
        read(prepared(), text)
    assert raised.value.code == "unreadable-move"


@pytest.mark.parametrize(
    "text",
    ["sprint b7", "comeback ", "comeback now", "objective b6", "draw turbo", "packs 1,2", "start b3>7 r5>1", "roll ١"],
)
def test_what_is_almost_a_move_is_unreadable(text):
    with pytest.raises(RuleError) as raised:
        read(prepared(), text)
    assert raised.value.code == "unreadable-move"


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_every_legal_move_can_be_written_and_read(count):
    seats = tuple(f"seat-{number}" for number in range(count))
    for game in walk(count, seats=seats)[count:]:
        check_invariants(game)
        for move in islice(PLAY.legal(game), 0, 700, 7):
            assert read(game, write(move)) == move
        if PLAY.actor(game) is not None:
            for move in islice(PLAY.legal(game), 0, 700, 23):
                check_invariants(rules.apply(game, move))


# Whole games


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_game(path):
    record = json.loads(path.read_text())
    last = replay(PLAY, record["variant"], record["seats"], record["moves"], record.get("options", {}))
    assert PLAY.report(last) == record["report"]
    verdict = ENGINE.check(record["report"])
    assert verdict.ok
    assert not verdict.warnings
    assert verdict.standings == outcome(last)


def test_there_are_recorded_games():
    assert len(GAMES) == 3


@pytest.mark.parametrize("player", ["random", "decent"])
@pytest.mark.parametrize("count", [3, 6])
def test_simulated_reports_carry_all_evidence_and_pass(player, count):
    seats = [f"seat-{number}" for number in range(count)]
    for seed in range(4):
        last, moves = run(PLAY, "standard", seats, player, random.Random(seed), {})
        report = PLAY.report(last)
        assert all(stage.keys() == {"podium", "revealer", "objectives", "groups"} for stage in report["stages"])
        verdict = ENGINE.check(report)
        assert verdict.ok
        assert not verdict.warnings
        assert verdict.standings == outcome(last)
        assert run(PLAY, "standard", seats, player, random.Random(seed), {}) == (last, moves)


def test_decent_player_beats_random_ones():
    wins, games = 0, 24
    for seed in range(games):
        game, rng, own = start("standard", SEATS, {}), random.Random(seed), seed % 3
        while not PLAY.is_over(game):
            seat = PLAY.actor(game)
            choose = PLAY.chance if seat is None else PLAY.players["decent" if seat == own else "random"]
            game = PLAY.apply(game, choose(game, rng))
        wins += outcome(game)[0].seat == SEATS[own]
    assert wins >= 16, "by chance it would win eight"


def test_decent_player_does_not_look_at_what_is_secret():
    for game in walk(8, player="decent")[10::12]:
        if PLAY.actor(game) is None:
            continue
        own = PLAY.actor(game)
        hidden = game._replace(
            hands=tuple(hand if seat == own else () for seat, hand in enumerate(game.hands)),
            objectives=tuple(hand if seat == own else () for seat, hand in enumerate(game.objectives)),
            chosen=("",) * 3,
            pile=(),
        )
        decent = PLAY.players["decent"]
        assert decent(hidden, random.Random(1)) == decent(game, random.Random(1))
