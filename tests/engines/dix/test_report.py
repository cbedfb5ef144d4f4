"""Every code of a DIX report: its condition, its path, its words."""

from __future__ import annotations

import copy
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import message
from engines.base import Finding
from engines.dix import words
from engines.dix.arranging import best, fill, stock
from engines.dix.assist import HandToArrange, assist
from engines.dix.pieces import BOX, COLOURS, DECK_SIZE, HELD, NUMBER_CARDS, deck
from engines.dix.report import SoloReport, TableReport, check, minimal
from engines.vectors import vectors
from engines.words import COMMON
from tests.engines.dix.samples import hand, runs, solo, table

VECTORS = vectors("dix")


def errors(report):
    return {(finding.code.removeprefix("dix."), finding.path) for finding in check(report).errors}


def warnings(report):
    return {(finding.code.removeprefix("dix."), finding.path) for finding in check(report).warnings}


def of_ana(code, *path):
    return {(code, ("hands", "ana", *path))}


FRAME = {
    "seats no list": (table(hand()) | {"seats": "ana"}, {("bad-value", ("seats",))}),
    "seat no text": (table(hand()) | {"seats": ["ana", 2]}, {("bad-value", ("seats", 1))}),
    "seat empty": (table(hand()) | {"seats": ["ana", ""]}, {("bad-value", ("seats", 1))}),
    "seat twice": (table(hand()) | {"seats": ["bo", "bo"]}, {("duplicate-seat", ("seats", 1))}),
    "six seats": (table(hand()) | {"seats": list("abcdef")}, {("seat-count", ("seats",))}),
    "three in solo": (solo(hand(), hand()) | {"seats": ["ana", "ALIX", "bo"]}, {("seat-count", ("seats",))}),
    "no hands": ({k: v for k, v in table(hand()).items() if k != "hands"}, {("missing-field", ("hands",))}),
    "hands no object": (table(hand()) | {"hands": []}, {("bad-value", ("hands",))}),
    "unknown field": (table(hand(), winner="ana"), {("unknown-field", ("winner",))}),
    "difficulty outside solo": (table(hand(), difficulty=6), {("unknown-field", ("difficulty",))}),
    "no difficulty in solo": (
        {k: v for k, v in solo(hand(), hand()).items() if k != "difficulty"},
        {("missing-field", ("difficulty",))},
    ),
    "difficulty, variant unknown": (table(hand(), variant="duel", difficulty=6), {("unknown-variant", ("variant",))}),
    "variant no text": (table(hand(), variant=["solo"]), {("unknown-variant", ("variant",))}),
    "another game": (table(hand(), game="sixmix"), {("wrong-game", ("game",))}),
}

SHAPE = {
    "seat without a hand": (
        table(hand()) | {"hands": {"ana": hand()}},
        {("missing-field", ("hands", "bo"))},
    ),
    "hand without a seat": (
        table(hand()) | {"hands": {"ana": hand(), "bo": hand(), "cy": {"coins": "x", "fills": 3}}},
        {("unknown-field", ("hands", "cy"))},
    ),
    "hand no object": (table([]), of_ana("bad-value")),
    "hand empty": (table({}), of_ana("missing-field", "runs")),
    "hand without runs": (table({"coins": 3, "consolation": 0, "card_count": 9}), of_ana("missing-field", "runs")),
    "coins null": (table(hand(coins=None)), of_ana("bad-value", "coins")),
    "tokens null": (table(hand(consolation=None)), of_ana("bad-value", "consolation")),
    "count null": (table(hand(card_count=None)), of_ana("bad-value", "card_count")),
    "coins negative": (table(hand(coins=-1)), of_ana("bad-value", "coins")),
    "count negative": (table(hand(card_count=-1)), of_ana("bad-value", "card_count")),
    "points negative": (table(hand(points=-1)), of_ana("bad-value", "points")),
    "field of a hand": (table(hand(note=1)), of_ana("unknown-field", "note")),
    "runs no object": (table(hand() | {"runs": []}), of_ana("bad-value", "runs")),
    "fifth colour": (table(hand({"red": 7})), of_ana("unknown-field", "runs", "red")),
    "run no text": (table(hand({"blue": 7})), of_ana("bad-value", "runs", "blue")),
    "run false": (table(hand({"blue": False})), of_ana("bad-value", "runs", "blue")),
    "coins true": (table(hand(coins=True)), of_ana("bad-value", "coins")),
    "coins with a fraction": (table(hand(coins=1.0)), of_ana("bad-value", "coins")),
    "tokens negative": (table(hand(consolation=-1)), of_ana("bad-value", "consolation")),
    "count as text": (table(hand(card_count="9")), of_ana("bad-value", "card_count")),
    "points null": (table(hand(points=None)), of_ana("bad-value", "points")),
    "cards null": (table(hand(cards=None) | {"cards": None}), of_ana("bad-value", "cards")),
    "cards a list": (table(hand() | {"cards": ["b1"]}), of_ana("bad-value", "cards")),
    "fills null": (table(hand(cards="") | {"fills": None}), of_ana("bad-value", "fills")),
    "fill null": (table(hand(cards="", fills={"blue": None})), of_ana("bad-value", "fills", "blue")),
    "fill of a fifth colour": (table(hand(cards="", fills={"red": None})), of_ana("unknown-field", "fills", "red")),
    "fills without cards": (table(hand(fills={})), of_ana("fills-without-cards", "fills")),
    "fills without cards, also wrong": (
        table(hand(fills=7, coins="x")),
        of_ana("fills-without-cards", "fills") | of_ana("bad-value", "fills") | of_ana("bad-value", "coins"),
    ),
    "two tokens that are no cards": (
        table(hand() | {"cards": "b1 B2 b3 b0"}),
        of_ana("card-notation", "cards", 1) | of_ana("card-notation", "cards", 3),
    ),
    "a space too many": (table(hand() | {"cards": "b1  b2"}), of_ana("card-notation", "cards", 1)),
    "a space before": (table(hand() | {"cards": " b1"}), of_ana("card-notation", "cards", 0)),
    "only a space": (
        table(hand() | {"cards": " "}),
        of_ana("card-notation", "cards", 0) | of_ana("card-notation", "cards", 1),
    ),
    "no card in a fill": (
        table(hand({"blue": "1-2"}, "b1 b2", fills={"blue": "b1 $2"})),
        of_ana("card-notation", "fills", "blue", 1),
    ),
    "difficulty as text": (solo(hand(), hand(), "6"), {("bad-value", ("difficulty",))}),
    "difficulty true": (solo(hand(), hand(), True), {("bad-value", ("difficulty",))}),
}

RULES = {
    "alix elsewhere": (
        solo(hand(), hand()) | {"seats": ["ALIX", "ana"]},
        {("alix-seat", ("seats", 1))},
    ),
    "difficulty too low": (solo(hand(), hand(), 3), {("difficulty", ("difficulty",))}),
    "eleven coins": (table(hand(coins=11)), of_ana("coins-over-limit", "coins")),
    "more places than cards": (table(hand({"blue": "1-9"}, card_count=8)), of_ana("runs-exceed-cards", "runs")),
    "full run added up as nine": (table(hand({"blue": "1-9"}, points=9)), of_ana("points-mismatch", "points")),
    "zero points claimed": (table(hand({"blue": "3"}, points=0)), of_ana("points-mismatch", "points")),
    "cards miscounted": (table(hand({"blue": "1"}, "b1") | {"card_count": 2}), of_ana("card-count", "card_count")),
    "no card for a number": (table(hand({"blue": "1-3"}, "b1 b3 g2")), of_ana("run-gap", "runs", "blue")),
    "one joker for two gaps": (table(hand({"blue": "1-3"}, "b1 b# p1")), of_ana("run-gap", "runs", "blue")),
    "two runs with gaps": (
        table(hand({"blue": "1-2", "pink": "8-9"}, "b1 p9 o1 o2")),
        of_ana("run-gap", "runs", "blue") | of_ana("run-gap", "runs", "pink"),
    ),
    "jokers wanted twice": (
        table(hand({"blue": "1-9", "green": "4-6"}, "b1 b2 b3 b4 b6 b7 b8 b9 g4 g6 5* o1")),
        of_ana("jokers-overused", "runs"),
    ),
    "run without a fill": (
        table(hand({"blue": "1"}, "b1", fills={})),
        of_ana("fill-colours", "fills", "blue"),
    ),
    "fill without a run": (
        table(hand({"blue": None, "pink": "1"}, "p1 b1", fills={"blue": "b1", "pink": "p1"})),
        of_ana("fill-colours", "fills", "blue"),
    ),
    "empty fill without a run": (
        table(hand({"pink": "1"}, "p1", fills={"blue": "", "pink": "p1"})),
        of_ana("fill-colours", "fills", "blue"),
    ),
    "empty fill of a run": (
        table(hand({"pink": "1"}, "p1", fills={"pink": ""})),
        of_ana("fill-length", "fills", "pink"),
    ),
    "fill too long": (
        table(hand({"blue": "1"}, "b1 b2", fills={"blue": "b1 b2"})),
        of_ana("fill-length", "fills", "blue"),
    ),
    "two cards in each other's place": (
        table(hand({"blue": "1-2"}, "b1 b2", fills={"blue": "b2 b1"})),
        of_ana("fill-misfit", "fills", "blue", 0) | of_ana("fill-misfit", "fills", "blue", 1),
    ),
    "card of another hand": (
        table(hand({"blue": "1"}, "b1", fills={"blue": "b#"})),
        of_ana("fill-not-held", "fills"),
    ),
    "more cards than the deck": (
        table(*[hand(card_count=33)] * 3, hand(card_count=31)),
        {("cards-over-deck", ("hands",))},
    ),
    "more tokens than busts": (table(hand(consolation=46)), {("consolation-impossible", ("hands",))}),
    "two special jokers in one hand": (
        table(hand({"blue": "1-2"}, "*# *#")),
        {("special-joker-copies", ("hands",))},
    ),
    "difficulty too high": (solo(hand(), hand(), 11), {("difficulty", ("difficulty",))}),
    "no money of two leaders": (
        table(runs(blue="1-6"), runs(green="2-7"), runs(pink="1-4")),
        {("tiebreak-missing", ("hands", seat, name)) for seat in ("ana", "bo") for name in ("coins", "consolation")},
    ),
    "no coins of one leader, counts not asked for yet": (
        table({"runs": {}, "consolation": 2}, {"runs": {}, "coins": 6, "consolation": 0}),
        of_ana("tiebreak-missing", "coins"),
    ),
    "no tokens of one leader": (
        table({"runs": {}, "coins": 2}, {"runs": {}, "coins": 6, "consolation": 0}),
        of_ana("tiebreak-missing", "consolation"),
    ),
    "no count of the two richest of three leaders": (
        table(
            {"runs": {}, "coins": 3, "consolation": 1},
            {"runs": {}, "coins": 6, "consolation": 0},
            {"runs": {}, "coins": 5, "consolation": 0},
        ),
        {("tiebreak-missing", ("hands", seat, "card_count")) for seat in ("ana", "bo")},
    ),
    "no tie-break beside another error": (
        table({"runs": {}, "coins": 11}, {"runs": {}, "coins": 6, "consolation": 0}),
        of_ana("coins-over-limit", "coins") | of_ana("tiebreak-missing", "consolation"),
    ),
    "no tie-break when bust players bought": (
        table(runs(blue="1"), runs(pink="1"), variant="bust-buy"),
        {("tiebreak-missing", ("hands", seat, name)) for seat in ("ana", "bo") for name in ("coins", "consolation")},
    ),
    "coins alone": (table(runs(blue="1") | {"coins": 11}), of_ana("coins-over-limit", "coins")),
    "tokens alone": (table(runs(blue="1") | {"consolation": 46}), {("consolation-impossible", ("hands",))}),
    "count alone": (table(runs(blue="1-4") | {"card_count": 3}), of_ana("runs-exceed-cards", "runs")),
    "counted and listed cards over the deck": (
        table(runs(blue="1") | {"card_count": 90}, {"runs": {"pink": "1-2"}, "cards": "p1 p2"}),
        {("cards-over-deck", ("hands",))},
    ),
}

ACCEPTED_NOW = [
    "rulebook-scoring",
    "lower-tie-shared",
    "solo-equal-runs-only",
    "money-decides-without-counts",
    "listed-cards-are-the-count",
    "alix-arranged-badly",
    "alix-and-player-overlook",
    "alix-human-below-optimum",
]
"""Examples that the first edition of the rules refused."""


@pytest.mark.parametrize("name", ACCEPTED_NOW)
def test_sheet_that_was_refused_is_accepted(name):
    (vector,) = [vector for vector in VECTORS if vector["id"] == name]
    assert check(vector["report"]).ok


@pytest.mark.parametrize(("report", "expected"), [*FRAME.values(), *SHAPE.values()], ids=[*FRAME, *SHAPE])
def test_malformed_report_has_exactly_these_errors(report, expected):
    assert errors(report) == expected
    assert warnings(report) == set()


@pytest.mark.parametrize(("report", "expected"), RULES.values(), ids=list(RULES))
def test_broken_rule_has_exactly_this_error(report, expected):
    assert errors(report) == expected
    assert check(report).standings is None


@pytest.mark.parametrize(
    "text", ["", "0", "10", "1-", "-3", "1-10", "1 - 3", "1-3 ", "1-3\n", "1–3", "٣", "³", "a", "1-2-3", "\ud800"]
)
def test_text_that_is_no_run(text):
    assert errors(table(hand({"blue": text}))) == of_ana("run-notation", "runs", "blue")


@pytest.mark.parametrize("text", ["2-1", "9-1", "9-8"])
def test_run_the_wrong_way_round(text):
    assert errors(table(hand({"blue": text}))) == of_ana("run-order", "runs", "blue")


def test_single_number_may_be_written_as_a_run():
    assert check(table(hand({"blue": "3-3"}, points=1))).ok


@pytest.mark.parametrize(("seats", "size"), [(2, 91), (3, 108), (4, 129), (5, 129)])
def test_deck_and_tokens_are_bounded_by_the_seats(seats, size):
    rest = [hand(card_count=0)] * (seats - 1)
    assert DECK_SIZE[seats] == size
    assert check(table(hand(card_count=size), *rest)).ok
    assert errors(table(hand(card_count=size + 1), *rest)) == {("cards-over-deck", ("hands",))}
    assert check(table(hand(consolation=size // 2), *rest)).ok
    assert errors(table(hand(consolation=size // 2 + 1), *rest)) == {("consolation-impossible", ("hands",))}


@pytest.mark.parametrize(("seats", "size"), [(2, 91), (3, 108), (4, 129), (5, 129)])
def test_one_hand_may_list_the_whole_deck(seats, size):
    """No card is left to the others then; how the deck is made up is not certain, so nothing says it cannot be."""
    rest = [runs()] * (seats - 1)
    cards = [*HELD, *NUMBER_CARDS * 3][:size]
    assert check(table(runs(blue="1-9") | {"cards": " ".join(cards)}, *rest)).ok
    over = runs(blue="1-9") | {"cards": " ".join([*cards, "b1"])}
    assert errors(table(over, *rest)) == {("cards-over-deck", ("hands",))}


def test_whole_box_is_the_sum_of_its_tiers():
    assert sum(BOX[card] for card in NUMBER_CARDS) == 84
    assert sum(BOX[f"${value}"] for value in range(1, 6)) == 27
    assert [BOX[card] for card in ("1*", "b#", "*#", "b1", "b6", "b7", "$1", "$5")] == [1, 2, 1, 3, 3, 1, 6, 5]
    assert deck(2) == deck(1)


def test_fifteen_tokens_are_in_the_box():
    assert warnings(table(hand(consolation=15))) == set()
    assert warnings(table(hand(consolation=9), hand(consolation=7))) == {("consolation-over-box", ("hands",))}
    assert warnings(table(hand(consolation=46))) == set()


def test_more_copies_than_in_the_box_are_counted_over_all_hands():
    four = table(hand({"blue": "1"}, "b1 b1"), hand({"blue": "1"}, "b1 b1"))
    assert warnings(four) == {("copies-over-box", ("hands",))}
    assert check(four).ok
    assert warnings(table(hand({"blue": "1"}, "b1 b1"), hand({"blue": "1"}, "b1"))) == set()


def test_second_special_joker_is_no_matter_of_copies():
    assert warnings(table(hand({"blue": "1-2"}, "*# *#"))) == set()


def test_claim_below_the_optimum_counts_as_claimed():
    report = table(hand({"blue": "1-4"}, "b1 b2 b2 b4 3* g9", points=4, fills={"blue": "b1 b2 3* b4"}))
    verdict = check(report)
    assert warnings(report) == of_ana("below-optimum", "runs")
    assert verdict.standings is not None
    assert verdict.standings[0].score == 4
    assert verdict.warnings[0].facts["best"] == 5


def test_warning_stands_beside_errors_of_the_rules():
    report = table(hand({"blue": "1"}, "b1 b2", coins=11))
    assert errors(report) == of_ana("coins-over-limit", "coins")
    assert warnings(report) == of_ana("below-optimum", "runs")


def test_alix_at_a_table_of_people_is_a_person():
    report = table(hand({"blue": "1"}, "b1 b2"))
    report["seats"][0] = "ALIX"
    report["hands"]["ALIX"] = report["hands"].pop("ana")
    assert errors(report) == set()
    assert warnings(report) == {("below-optimum", ("hands", "ALIX", "runs"))}


def test_seat_may_be_called_like_a_field():
    report = table(hand(), hand({"blue": "x"}))
    report["seats"] = ["hands", "runs"]
    report["hands"] = {"hands": report["hands"]["ana"], "runs": report["hands"]["bo"]}
    assert errors(report) == {("run-notation", ("hands", "runs", "runs", "blue"))}
    assert check(report).errors[0].facts["seat"] == "runs"


def test_lone_surrogates_and_huge_numbers_get_a_verdict():
    report = table(hand(coins=10**400, consolation=10**400, card_count=10**400))
    assert errors(report) == of_ana("coins-over-limit", "coins") | {
        ("cards-over-deck", ("hands",)),
        ("consolation-impossible", ("hands",)),
    }
    label = "\ud800"
    renamed = table(hand()) | {"seats": [label, "bo"], "hands": {label: hand(), "bo": hand()}}
    assert check(renamed).ok
    assert not check(table(hand() | {"cards": "b1 \udfff"})).ok


def test_more_cards_than_the_deck_has_are_judged_up_to_the_longest_text():
    assert errors(table(hand({"blue": "1-2"}, " ".join(["b1", "2*"] * 50)))) == {("cards-over-deck", ("hands",))}
    endless = table(hand({"blue": "1-2"}, " ".join(["b1", "2*"] * 20_000)))
    assert errors(endless) == {("bad-value", ("hands", "ana", "cards"))}


def test_minimal_layer_writes_a_run_one_way():
    deep = table(hand({"blue": "3-3", "green": None, "pink": "1-9"}, "b3", fills={"blue": "b3"}, points=11))
    plain = minimal(deep)
    assert plain["hands"]["ana"] == {"runs": {"blue": "3", "pink": "1-9"}}
    assert minimal(plain) == plain
    assert minimal(solo(hand(), hand()))["difficulty"] == 6


def test_alix_below_her_best_has_a_warning_of_her_own():
    report = solo(hand({"blue": "1"}, "b1 b2"), hand({"pink": "3-4"}, "p3 p4 p5"))
    assert errors(report) == set()
    assert warnings(report) == of_ana("below-optimum", "runs") | {("alix-underclaimed", ("hands", "ALIX", "runs"))}
    assert [row.score for row in check(report).standings or ()] == [2, 1]


def test_listed_cards_are_not_compared_with_the_runs_by_their_number():
    assert errors(table(hand({"blue": "1-2"}, "b1") | {"card_count": 1})) > of_ana("runs-exceed-cards", "runs")
    assert errors(table({"runs": {"blue": "1-2"}, "cards": "b1"})) == of_ana("run-gap", "runs", "blue")


def test_solo_ranks_by_points_alone():
    level = check(solo(hand({"blue": "1-3"}, coins=9), hand({"pink": "7-9"}))).standings
    assert [(row.seat, row.rank, row.key) for row in level or ()] == [("ALIX", 1, (3, 1)), ("ana", 2, (3, 0))]


@given(st.lists(st.sampled_from(HELD), max_size=30), st.data())
@settings(max_examples=150)
def test_report_of_the_best_arrangement_is_valid_and_every_change_of_its_claim_is_noticed(cards, data):
    arrangement = best(stock(cards))
    fills = fill(cards, arrangement.runs)
    named = [(c, run, cards) for c, run, cards in zip(COLOURS, arrangement.runs, fills, strict=True) if run]
    report = table(
        hand(
            {colour: str(run) for colour, run, _ in named},
            " ".join(cards),
            fills={colour: " ".join(filling) for colour, _, filling in named},
            points=arrangement.points,
        )
    )
    expected = {("special-joker-copies", ("hands",))} if cards.count("*#") > 1 else set()
    assert errors(report) == expected
    assert {code for code, _ in warnings(report)} <= {"copies-over-box"}
    colour = data.draw(st.sampled_from(COLOURS))
    text = data.draw(st.sampled_from(["1", "9", "4-6", "1-9", None]))
    changed = copy.deepcopy(report)
    changed["hands"]["ana"]["runs"][colour] = text
    # A run of the same length elsewhere may be just as good: a joker stands for any number.
    if length(text) != length(report["hands"]["ana"]["runs"].get(colour)):
        assert errors(changed) > expected


def length(run: str | None) -> int:
    """Return how many cards a run has."""
    return int(run[-1]) - int(run[0]) + 1 if run else 0


def raised() -> list[Finding]:
    """Return a finding of every code that the tables of this file and the examples bring up."""
    reports = [report for report, _ in (*FRAME.values(), *SHAPE.values(), *RULES.values())]
    reports += [table(hand({"blue": "x"})), table(hand({"blue": "3-1"})), table(hand(consolation=16))]
    reports += [vector["report"] for vector in VECTORS]
    return [finding for report in reports for finding in (*check(report).errors, *check(report).warnings)]


def test_every_code_of_the_game_is_raised_and_no_other():
    codes = {finding.code.removeprefix("dix.") for finding in raised()}
    assert set(words.MESSAGES) <= codes
    assert codes - set(words.MESSAGES) <= set(COMMON)


OVERUSED = (
    "ana: Each run can be filled by itself, but not all together. Places that need a joker: 2; some want the same one."
)


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (
            table(hand({"blue": "1-5"}, "b2 b4 b#")),
            "ana: Blue run: no number card is held for 1, 3, 5; jokers that fit there: 1.",
        ),
        (
            table(hand({"blue": "4-6", "green": "4-6"}, "b4 b6 g4 g6 5*")),
            OVERUSED,
        ),
        (
            table(hand({"blue": "1"}, "b1 b2 p7", fills={"blue": "b1"})),
            "ana: These runs score 1; the cards could score 3, with blue 1-2, pink 7. The claim counts as it is.",
        ),
        (
            table(hand({"blue": "2-3"}, "b2 b3 g4", fills={"blue": "b2 g4"})),
            "ana: Blue run, card 2: g4 cannot stand for blue 3.",
        ),
        (
            table(hand({"blue": "2"}, "b2", fills={"blue": "2*"})),
            "ana: The runs use 2* more often (1) than it is held (0).",
        ),
        (
            table(runs(blue="1-2"), runs(pink="1-2") | {"coins": 1, "consolation": 0}),
            "ana: Number of coins is needed: it decides a shared first place.",
        ),
    ],
)
def test_message_says_the_facts(report, sentence):
    verdict = check(report)
    assert sentence in [message(finding) for finding in (*verdict.errors, *verdict.warnings)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_finding_can_be_said(language):
    for finding in raised():
        code = finding.code.removeprefix("dix.")
        if code in words.MESSAGES:
            template = words.MESSAGES[code].into(language)
            text = template.format(place=words.place(finding.path, language), **finding.facts)
            assert text[0] != " "
            assert text.endswith(".")


@pytest.mark.parametrize(
    ("path", "english", "french"),
    [
        (("seats", 1), "Player 2", "Joueur 2"),
        (("hands",), "List of hands", "Liste des mains"),
        (("hands", "ana"), "Hand", "Main"),
        (("hands", "ana", "coins"), "Number of coins", "Nombre de jetons de monnaie"),
        (("hands", "ana", "runs", "pink"), "Pink run", "Suite rose"),
        (("hands", "ana", "cards", 2), "Card 3", "Carte 3"),
        (("hands", "ana", "fills", "blue", 0), "Blue run, card 1", "Suite bleue, carte 1"),
        (("hands", "ana", "runs", "red"), "“red”", "« red »"),
        (("winner",), "“winner”", "« winner »"),
        ((), "", ""),
    ],
)
def test_places_are_said_without_the_seat(path, english, french):
    assert (words.place(path, "en"), words.place(path, "fr")) == (english, french)


def test_schema_asks_for_runs_alone_and_bounds_every_number():
    described = TableReport.model_json_schema()["$defs"]["HandShape"]
    assert described["required"] == ["runs"]
    for name in ("coins", "consolation", "card_count", "points"):
        assert described["properties"][name]["minimum"] == 0
        assert "maximum" not in described["properties"][name]
        assert "default" not in described["properties"][name]
    difficulty = SoloReport.model_json_schema()["properties"]["difficulty"]
    assert (difficulty["minimum"], difficulty["maximum"]) == (4, 10)


def test_schema_describes_the_written_forms():
    schema = TableReport.model_json_schema()
    card_list = schema["$defs"]["HandShape"]["properties"]["cards"]
    assert card_list["type"] == "string"
    assert "default" not in card_list
    assert schema["$defs"]["RunsShape"]["properties"]["blue"]["anyOf"][0]["pattern"] == "^[1-9](-[1-9])?$"
    assert card_list["pattern"] == r"^(([bgop][1-9#]|[1-9]\*|\*#)( ([bgop][1-9#]|[1-9]\*|\*#))*)?$"


def test_assist_arranges_a_hand():
    cards = "b1 b2 b3 b4 b6 b7 b8 b9 g4 g6 5* b1"
    assert assist(HandToArrange(cards=cards)) == {  # type: ignore[arg-type]
        "points": 11,
        "runs": {"blue": "1-9", "green": "4"},
        "fills": {"blue": "b1 b2 b3 b4 5* b6 b7 b8 b9", "green": "g4"},
        "by_colour": {"blue": 10, "green": 1},
        "unused": "b1 g6",
    }
    assert assist(HandToArrange.model_validate({"cards": ""}))["points"] == 0


@given(st.lists(st.sampled_from(HELD), max_size=30))
@settings(max_examples=50)
def test_assist_uses_every_card_once(cards):
    answer = assist(HandToArrange.model_validate({"cards": " ".join(cards)}))
    used = " ".join([*answer["fills"].values(), answer["unused"]]).split()
    assert Counter(used) == Counter(cards)
    assert sum(answer["by_colour"].values()) == answer["points"]
