"""The game in play: turns, closing turns, bonuses, and what may not be done."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engines.base import RuleError
from engines.records import RULES
from engines.ten_phases import ENGINE
from engines.ten_phases.pieces import DEFAULT_LAYOUT, FACES
from engines.ten_phases.play import rules
from engines.ten_phases.play.moves import Choices, Keep, Pass, Roll, Score
from engines.ten_phases.play.state import Column, Entry, TenPhasesState
from tests.engines.ten_phases.samples import ALONE, FIVE_PLAYERS

PLAY = ENGINE.play
TWO_TRIPLES = (8, 8, 8, 8, 8, 5, 0, 1, 2, 3)
SEVEN_GREEN = (8, 6, 9, 10, 9, 10, 4, 0, 0, 0)
FIVE_AND_THREE = (10, 10, 10, 10, 10, 9, 4, 4, 4, 0)
NOTHING = (5, 6, 7, 8, 9, 9, 1, 2, 1, 2)


def begin(*seats: str, variant: str = "standard") -> TenPhasesState:
    state = PLAY.start(variant, seats, {})
    assert isinstance(state, TenPhasesState)
    return state


def fall(state: TenPhasesState, numbers: Sequence[int]) -> TenPhasesState:
    """Let all dice show these numbers, jokers as 0."""
    faces = [
        next(face for face in die if face.number == number)
        for die, number in zip(state.block.box, numbers, strict=True)
    ]
    return rules.roll(state, tuple(faces))


def write(state: TenPhasesState, numbers: Sequence[int], points: int) -> TenPhasesState:
    """Throw these numbers at once and write the points down."""
    return rules.score(fall(state, numbers), points)


def miss(state: TenPhasesState) -> TenPhasesState:
    return rules.pass_on(fall(state, NOTHING))


def columns_before_round_14() -> tuple[Column, ...]:
    """Return the columns of the rulebook's five players when A begins the last round of B."""
    columns = []
    for seat in FIVE_PLAYERS["seats"]:
        own = FIVE_PLAYERS["block"][seat]
        written = [each for each in zip(own["phases"], own["turns"], strict=True) if each[1] < 14]
        columns.append(Column(tuple(Entry(points, turn, 0, "") for points, turn in written)))
    return tuple(columns)


def test_end_of_a_game_with_five_players() -> None:
    block = replace(begin(*"ABCDE").block, columns=columns_before_round_14(), round=14, turns=65)
    state = write(TenPhasesState(block), (10, 10, 10, 10, 10, 9, 0, 1, 2, 3), 59)
    assert (state.block.seat, state.block.first) == (1, None)
    state = write(state, FIVE_AND_THREE, 62)
    assert state.block.first == 1
    state = write(state, SEVEN_GREEN, 56)
    assert (state.block.seat, len(state.block.columns[2].entries)) == (2, 8)
    state = write(state, FIVE_AND_THREE, 59)
    state = write(state, FIVE_AND_THREE, 62)
    assert state.block.seat == 3
    state = miss(state)
    state = write(state, FIVE_AND_THREE, 62)
    assert (state.block.seat, state.block.round, PLAY.is_over(state)) == (0, 15, False)
    state = write(state, FIVE_AND_THREE, 62)
    assert PLAY.is_over(state)
    assert PLAY.legal(state).count == 0
    report = PLAY.report(state)
    assert [report["block"][seat]["bonus10"] for seat in "ABCDE"] == [0, 40, 0, 0, 40]
    assert [report["block"][seat]["turns"][-3:] for seat in "AC"] == [[12, 14, 15], [14, 14, 14]]
    assert len(report["block"]["D"]["phases"]) == 6


def test_a_phase_is_tried_again_after_a_miss() -> None:
    state = write(miss(miss(begin("ana", "ben"))), TWO_TRIPLES, 40)
    assert state.block.columns == (Column((Entry(40, 2, 1, "8g 8r 8o 8r 8b 5o Wr 1b 2g 3b"),)), Column((), 1))


def test_points_that_were_made_may_be_declined() -> None:
    state = rules.pass_on(fall(begin("ana", "ben"), TWO_TRIPLES))
    assert state.block.seat == 1
    assert state.block.columns[0] == Column((), 1)


def test_only_one_phase_is_written_in_a_turn() -> None:
    state = write(begin("ana", "ben"), TWO_TRIPLES, 40)
    assert (state.block.seat, state.throws) == (1, 0)


def test_dice_set_aside_may_be_taken_back() -> None:
    state = fall(begin("ana", "ben"), NOTHING)
    kept = state.dice[:3] + (None,) * 7
    state = rules.keep(state, kept)
    assert PLAY.actor(state) is None
    again = (None, None, None, *fall(begin("ana", "ben"), TWO_TRIPLES).dice[3:])
    state = rules.roll(state, again)
    assert state.dice == kept[:3] + again[3:]
    state = rules.keep(state, (None, *state.dice[1:]))
    state = rules.roll(state, (FACES["10r"],) + (None,) * 9)
    assert state.throws == 3
    assert state.dice[0] == FACES["10r"]
    assert Keep((None, *state.dice[1:])) not in PLAY.legal(state)


def test_lower_points_than_the_best_may_be_written() -> None:
    state = fall(begin("ana", "ben"), (8, 8, 8, 8, 8, 8, 0, 1, 2, 3))
    assert rules.possible_points(state) == {40, 48}
    assert rules.score(state, 40).block.columns[0].points == [40]


def test_a_joker_of_the_colour_is_one_of_the_seven() -> None:
    entries = tuple([Entry(20, number, 0, "") for number in range(1, 8)])
    block = replace(begin("ana", "ben").block, columns=(Column(entries), Column()))
    dice = "8g 6g 9g 10g 9g 10g Wr Wg Wr Wb"
    state = rules.roll(TenPhasesState(block), tuple([FACES[face] for face in dice.split()]))
    assert rules.possible_points(state) == {52}
    without = rules.roll(TenPhasesState(block), tuple([FACES[face] for face in dice.replace("Wg", "Wo").split()]))
    assert rules.possible_points(without) == set()


def test_alone_misses_do_not_cost_the_first_bonus() -> None:
    entries = [Entry(points, 1, 1, "") for points in ALONE["block"]["ana"]["phases"][:9]]
    block = replace(begin("ana", variant="solo").block, columns=(Column(tuple(entries)),))
    column = PLAY.report(write(TenPhasesState(block), FIVE_AND_THREE, 62))["block"]["ana"]
    assert sum(column["phases"][:5]) == 225
    assert (column["bonus5"], column["total"]) == (40, sum(column["phases"]) + 80 - 45)


def test_alone_misses_cost_points_and_the_last_bonus() -> None:
    entries = [Entry(points, 1, 0, "") for points in ALONE["block"]["ana"]["phases"][:9]]
    block = replace(begin("ana", variant="solo").block, columns=(Column(tuple(entries)),))
    at_once = write(TenPhasesState(block), FIVE_AND_THREE, 62)
    assert PLAY.is_over(at_once)
    assert PLAY.report(at_once)["block"]["ana"]["bonus10"] == 40
    declined = rules.pass_on(fall(TenPhasesState(block), FIVE_AND_THREE))
    later = PLAY.report(write(declined, FIVE_AND_THREE, 62))["block"]["ana"]
    assert later["bonus10"] == 0
    assert later["misses"] == [0] * 9 + [1]
    assert later["total"] == PLAY.report(at_once)["block"]["ana"]["total"] - 45


def test_moves_are_counted_and_found_without_listing_them() -> None:
    start = begin("ana", "ben")
    falls = PLAY.legal(start)
    assert falls.count == 6**10
    state = fall(start, TWO_TRIPLES)
    assert Roll(state.dice) in falls
    assert Roll(state.dice[:9]) not in falls
    assert Roll((None, *state.dice[1:])) not in falls
    choices = PLAY.legal(state)
    assert isinstance(choices, Choices)
    assert choices.count == len(set(choices)) == 1023 + 1 + 1
    assert all(move in choices for move in choices)
    for move in (Keep(state.dice), Keep((FACES["5o"], *state.dice[1:])), Keep(()), Score(41), "pass"):
        assert move not in choices
    kept = rules.keep(state, (None, None, *state.dice[2:]))
    assert PLAY.legal(kept).count == len(list(PLAY.legal(kept))) == 36


class Chance(random.Random):
    """A generator that always draws the same."""

    def __init__(self, drawn: float) -> None:
        super().__init__()
        self.drawn = drawn

    def random(self) -> float:
        return self.drawn


def test_every_choice_is_drawn_for_an_equal_share() -> None:
    choices = PLAY.legal(fall(begin("ana", "ben"), (8, 8, 8, 8, 8, 8, 0, 1, 2, 3)))
    drawn = [choices.sample(Chance((number + 0.5) / choices.count)) for number in range(choices.count)]
    assert len(set(drawn)) == choices.count
    assert set(drawn) == set(choices)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("roll 5o 5b 5g 5b 5r 5o 1r 1b 1o 1g", "cup-is-empty"),
        ("keep 8g 8r 8o 8r 8b 5o Wr 1b 2g 3b", "nothing-to-throw"),
        ("keep 9r - - - - - - - - -", "not-on-table"),
        ("keep 8r - - - - - - - - -", "not-on-table"),
        ("score 41", "points-not-made"),
        ("score 410000000", "points-not-made"),
    ],
)
def test_illegal_choices(text: str, code: str) -> None:
    state = fall(begin("ana", "ben"), TWO_TRIPLES)
    assert " ".join(face.text for face in state.dice if face) == "8g 8r 8o 8r 8b 5o Wr 1b 2g 3b"
    check_refused(state, text, code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("keep - - - - - - - - - -", "throw-first"),
        ("score 40", "throw-first"),
        ("pass", "throw-first"),
        ("roll - 5b 5g 5b 5r 5o 1r 1b 1o 1g", "other-dice"),
        ("roll 5r 5b 5g 5b 5r 5o 1r 1b 1o 1g", "no-such-face"),
        ("roll 5 5b 5g 5b 5r 5o 1r 1b 1o 1g", "no-such-face"),
        ("roll Wo 5b 5g 5b 5r 5o 1r 1b 1o 1g", "no-such-face"),
        ("roll 5o 5b 5g 5b 5r 5o W 1b 1o 1g", "no-such-face"),
        ("roll 5o 5b 5g 5b 5r 5o Wo 1b 1o 1g", "no-such-face"),
    ],
)
def test_illegal_before_the_throw(text: str, code: str) -> None:
    check_refused(begin("ana", "ben"), text, code)


def check_refused(state: TenPhasesState, text: str, code: str) -> None:
    move = PLAY.read(state, text)
    with pytest.raises(RuleError) as caught:
        PLAY.apply(state, move)
    assert caught.value.code == code
    for rule in PLAY.rules.get(code) or RULES[code]:
        assert rule.format(**caught.value.facts)
    assert move not in PLAY.legal(state)


def test_not_made_after_three_throws() -> None:
    state = fall(begin("ana", "ben"), NOTHING)
    for _ in range(2):
        state = rules.roll(rules.keep(state, (None, *state.dice[1:])), (FACES["5o"],) + (None,) * 9)
    check_refused(state, "score 40", "not-made")
    check_refused(state, "keep - - - - - - - - - -", "no-throw-left")
    assert set(PLAY.legal(state)) == {Pass()}


def test_checks_agree_with_the_legal_moves() -> None:
    start = begin("ana", "ben")
    thrown = fall(start, TWO_TRIPLES)
    assert Roll(thrown.dice) in PLAY.legal(start)
    rules.check_roll(start, thrown.dice)
    for move in (Keep((None, *thrown.dice[1:])), Score(40), Pass()):
        assert move in PLAY.legal(thrown)
        assert move not in PLAY.legal(start)
    rules.check_keep(thrown, (None, *thrown.dice[1:]))
    rules.check_score(thrown, 40)
    rules.check_pass(thrown)
    with pytest.raises(RuleError):
        rules.check_roll(thrown, thrown.dice)
    with pytest.raises(RuleError):
        rules.check_score(thrown, 39)
    with pytest.raises(RuleError):
        rules.check_pass(start)


def test_nothing_moves_when_the_game_is_over() -> None:
    state = begin("ana", "ben")
    over = TenPhasesState(replace(state.block, is_over=True))
    for text in ("roll 5o 5b 5g 5b 5r 5o 1r 1b 1o 1g", "pass", "score 40", "keep - - - - - - - - - -"):
        check_refused(over, text, "game-over")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass ",
        "Pass",
        "score",
        "score 4 0",
        "score -1",
        "score ٤",
        "score 040",
        "score 1000000000",
        "score 40\n",
        "roll",
        "roll 5o",
        "roll 5o 5b 5g 5b 5r 5o 1r 1b 1o 1x",
        "keep 5o  5b 5g 5b 5r 5o 1r 1b 1o 1g",
        "throw 5o 5b 5g 5b 5r 5o 1r 1b 1o 1g",
    ],
)
def test_unreadable_moves(text: str) -> None:
    with pytest.raises(RuleError) as caught:
        PLAY.read(begin("ana", "ben"), text)
    assert caught.value.code == "unreadable-move"


def test_layout_of_the_dice_is_an_option() -> None:
    turned = DEFAULT_LAYOUT.translate(str.maketrans("rg", "gr"))
    state = PLAY.start("standard", ["ana", "ben"], {"layout": turned})
    assert state.block.box[0][-1].text == "10g"
    assert state.block.box[-1][-1].text == "Wo"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"colour": "r"}, "unknown-option"),
        ({"layout": None}, "bad-option"),
        ({"layout": ["obogrr"]}, "bad-option"),
        ({"layout": DEFAULT_LAYOUT.upper()}, "bad-option"),
        ({"layout": DEFAULT_LAYOUT + " rbogrb"}, "bad-option"),
        ({"layout": DEFAULT_LAYOUT.removesuffix("bo")}, "bad-option"),
        ({"layout": " ".join(["rrrrrr"] * 10)}, "layout-unlike-block"),
        ({"layout": " ".join(["rrrrrr"] * 6 + ["gggggg"] * 4)}, "layout-unlike-block"),
    ],
)
def test_options_that_do_not_exist(options: dict[str, object], code: str) -> None:
    with pytest.raises(RuleError) as caught:
        PLAY.start("standard", ["ana", "ben"], options)
    assert caught.value.code == code
