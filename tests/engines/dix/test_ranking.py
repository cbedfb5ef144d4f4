"""Who is where: ties for the first place are broken by money and then by cards, all others are shared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.dix import ENGINE
from engines.dix.pieces import DIFFICULTIES
from engines.dix.report import check
from engines.dix.words import LEVEL_TITLES
from engines.words import explain
from tests.engines.dix.samples import runs, solo, table

SCORES = st.sampled_from(["1", "2", "1-2", "2-3"])
COUNTS = st.fixed_dictionaries(
    {},
    optional={
        "coins": st.integers(0, 4),
        "consolation": st.integers(0, 1),
        "card_count": st.integers(2, 4),
        "cards": st.sampled_from(["b1 b2 b3", "b1 b2 b3 b3"]),
    },
)
ON_MONEY = "level on points, and on money"
HANDS = st.builds(lambda run, fields: {"runs": {"blue": run}, **fields}, SCORES, COUNTS)


def ranks(*hands: dict[str, Any]) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(row.seat, row.rank, row.key) for row in check(table(*hands)).standings or ()]


def test_money_counts_three_for_a_token_and_only_among_the_leaders():
    ana, bo = runs(blue="1-6") | {"coins": 2, "consolation": 2}, runs(pink="1-6") | {"coins": 7, "consolation": 0}
    cy = runs(blue="1") | {"coins": 10, "consolation": 9}
    assert ranks(ana, bo, cy) == [("ana", 1, (6, 8, 0)), ("bo", 2, (6, 7, 0)), ("cy", 3, (1, 0, 0))]


def test_fewest_cards_count_only_among_the_richest_leaders():
    hands = [
        runs(blue="1-6") | {"coins": coins, "consolation": 0, "card_count": count}
        for coins, count in ((5, 20), (5, 12), (4, 6), (4, 7))
    ]
    assert ranks(*hands) == [
        ("bo", 1, (6, 5, -12)),
        ("ana", 2, (6, 5, -20)),
        ("cy", 3, (6, 4, 0)),
        ("dee", 3, (6, 4, 0)),
    ]


def test_lower_tie_is_shared_whatever_the_money():
    ana, bo = runs(blue="1-3") | {"coins": 10, "consolation": 0, "card_count": 3}, runs(pink="1-3")
    assert ranks(ana, bo, runs(blue="1-6")) == [("cy", 1, (6, 0, 0)), ("ana", 2, (3, 0, 0)), ("bo", 2, (3, 0, 0))]


def money(hand: dict[str, Any]) -> int:
    return int(hand["coins"] + 3 * hand["consolation"])


def cards(hand: dict[str, Any]) -> int | None:
    return hand["card_count"] if "card_count" in hand else len(hand["cards"].split()) if "cards" in hand else None


@given(st.lists(HANDS, min_size=2, max_size=5))
@settings(max_examples=400)
def test_tie_break_is_asked_for_and_used_exactly_where_it_decides_the_first_place(hands):
    verdict = check(table(*hands))
    missing = {finding.path[1:] for finding in verdict.errors if finding.code == "dix.tiebreak-missing"}
    score = {seat: len(hand["runs"]["blue"].split("-")) for seat, hand in table(*hands)["hands"].items()}
    by_seat = table(*hands)["hands"]
    leaders = [seat for seat in by_seat if score[seat] == max(score.values())]
    leaders = leaders if len(leaders) > 1 else []
    expected = {(seat, name) for seat in leaders for name in ("coins", "consolation") if name not in by_seat[seat]}
    richest = []
    if leaders and not expected:
        most = max(money(by_seat[seat]) for seat in leaders)
        richest = [seat for seat in leaders if money(by_seat[seat]) == most]
        richest = richest if len(richest) > 1 else []
        expected = {(seat, "card_count") for seat in richest if cards(by_seat[seat]) is None}
    assert missing == expected
    for row in verdict.standings or ():
        hand = by_seat[row.seat]
        assert row.key == (
            score[row.seat],
            money(hand) if row.seat in leaders else 0,
            -(cards(hand) or 0) if row.seat in richest else 0,
        )


@pytest.mark.parametrize(
    ("hands", "sentences"),
    [
        (
            [runs(blue="1-6"), runs(green="1-3"), runs(pink="1-3")],
            [
                "ana: first with 6 points",
                "bo: second with 3 points; level with cy",
                "cy: second with 3 points; level with bo",
            ],
        ),
        (
            [runs(blue="1-6") | {"coins": 3, "consolation": 0}, runs(green="1-6") | {"coins": 1, "consolation": 1}],
            [
                "bo: first with 6 points; level on points with ana, 4 in money against 3",
                "ana: second with 6 points; level on points with bo, 3 in money against 4",
            ],
        ),
        (
            [runs(blue="1-6") | {"coins": 3, "consolation": 0, "card_count": count} for count in (9, 7)],
            [
                f"bo: first with 6 points; {ON_MONEY} with ana, 7 cards held against 9, fewer is better",
                f"ana: second with 6 points; {ON_MONEY} with bo, 9 cards held against 7, fewer is better",
            ],
        ),
    ],
)
def test_place_is_explained_by_what_decided_it(hands, sentences):
    assert explain(ENGINE, "standard", check(table(*hands)).standings or ()) == sentences


def title(report: dict[str, Any], language: str = "en") -> str | None:
    (first, *_) = check(report).standings or ()
    words = ENGINE.solo_title(report, first.seat)
    return words.into(language).replace("\u202f", " ") if words else None


def test_win_against_alix_has_the_title_of_its_level():
    assert list(LEVEL_TITLES) == list(DIFFICULTIES)
    won = [solo(runs(blue="1-2"), runs(pink="1"), difficulty) for difficulty in DIFFICULTIES]
    assert title(won[0], "fr") == "Ce n’est que le début !"
    assert title(won[3], "fr") == "Un prodige de stratégie et de chance !"
    assert title(won[6]) == "But how did you do it?"
    assert len({title(report) for report in won}) == 7


def test_no_other_result_has_a_title():
    assert title(solo(runs(blue="1-2"), runs(pink="1-2"))) is None
    assert title(solo(runs(blue="1"), runs(pink="1-2"))) is None
    assert title(table(runs(blue="1"), runs(pink="1-2"))) is None
