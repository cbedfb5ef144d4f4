from __future__ import annotations

import pytest

from engines.sixmix import ENGINE
from engines.sixmix.report import check
from engines.words import COMMON, explain, render
from tests.engines.games import plain
from tests.engines.sixmix.examples import REPORTS, changed
from tests.engines.sixmix.test_report import (
    DEEP,
    FRAME,
    MINIMAL,
    MINIMAL_SLIPS,
    PAIR,
    RULES,
    SHAPE,
    TWO_PLAYER,
    WARNED,
)

SLIPS = [
    *((DEEP, changes) for changes, _ in FRAME + SHAPE + RULES),
    *((PAIR, changes) for changes, _ in TWO_PLAYER),
    *((MINIMAL, changes) for changes, _ in MINIMAL_SLIPS),
    *((report, changes) for report, changes, _ in WARNED),
    (REPORTS["equal-numbers"], []),
]
FINDINGS = [
    finding
    for report in [*(changed(report, *changes) for report, changes in SLIPS), []]
    for finding in (*check(report).errors, *check(report).warnings)
]


def test_every_code_is_tried_and_has_words() -> None:
    codes = {finding.code.removeprefix("sixmix.") for finding in FINDINGS}
    reports_only = set(ENGINE.messages) - {"row-count"}  # a request for help
    assert reports_only <= codes
    assert codes <= set(ENGINE.messages) | set(COMMON)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_finding_is_a_sentence(language: str) -> None:
    for finding in FINDINGS:
        sentence = render(ENGINE, finding, {"ana": "Ana", "ben": "Ben", "cleo": "Cléo"}, language)
        assert sentence[0].isupper() or sentence[0] in "“«k:", sentence
        assert sentence.endswith("."), sentence
        assert not {"{", "}"} & set(sentence)


SENTENCES = {
    "rulebook-round-wrong-tokens": "cleo: Round 1: 651155 earns 2 among these rows, not 1.",
    "played-on": "Round 5 cannot have been played: ben already had 10 points, and ten end the game.",
    "starter-not-youngest": "ben: Round 2 is usually begun by the player with the fewest points so far, "
    "the youngest of several. With 2 that is: cleo.",
    "hundred-thousand": "Round 2: every colour has exactly one die in the hundred-thousand column. "
    "Counted here: green 2, dark blue 0.",
    "two-player-three-of-one": "Round 3: every player has exactly two dice in the hundred-thousand column. "
    "Counted here: green 2, dark blue 1, red 1, orange 0.",
    "two-player-green-twice": "Round 3: each player has two dice in the hundred-thousand column; "
    "usually one of each colour. Counted here: green 2, dark blue 0.",
    "equal-numbers": "Round 1: several rows show the highest number. These tokens (2, 2, 1) leave out "
    "the second number; usually it still brings 1, which makes 2, 2, 2.",
    "lead-impossible-for-another": "Rows that begin with 5, 6, 6, ? cannot bring the last round’s tokens 3, 4, 0, 0: "
    "a larger first digit makes a larger number.",
    "lead-of-one-leader": "ana: Level on 10 points with ben for the first place: the digit in the hundred-thousand "
    "square after the last round is needed.",
}


@pytest.mark.parametrize("vector", SENTENCES)
def test_sentence(vector: str) -> None:
    verdict = check(REPORTS[vector])
    assert [render(ENGINE, finding) for finding in (*verdict.errors, *verdict.warnings)] == [SENTENCES[vector]]


@pytest.mark.parametrize(
    ("path", "english", "french"),
    [
        ((), "", ""),
        (("rounds",), "List of rounds", "Liste des manches"),
        (("rounds", 1), "Round 2", "Manche 2"),
        (("rounds", 1, "tokens", "ana"), "Round 2, number of tokens", "Manche 2, nombre de jetons"),
        (("rounds", 1, "note"), "Round 2, “note”", "Manche 2, « note »"),
        (("seats", 0), "Player 1", "Joueur 1"),
        (("lead", "ana"), "Lead digit", "Premier chiffre"),
        (("winner",), "“winner”", "« winner »"),
        (("rows", "ana"), "Row of ana", "Rangée de ana"),
    ],
)
def test_place(path: tuple[str | int, ...], english: str, french: str) -> None:
    assert (ENGINE.place(path, "en"), plain(ENGINE.place(path, "fr"))) == (english, french)


def test_tie_is_explained_by_the_digits() -> None:
    rows = check(REPORTS["two-player"]).standings
    assert rows is not None
    assert explain(ENGINE, "two-player", rows, {"ana": "Ana", "ben": "Ben"}) == [
        "Ana: first with 11 points; level on points with Ben, 6 in the hundred-thousand square against 5",
        "Ben: second with 11 points; level on points with Ana, 5 in the hundred-thousand square against 6",
    ]


def test_digits_that_decide_nothing_are_not_said_to_be_equal() -> None:
    """Ben's and Cleo's last rows begin with 1 and 5, which decides nothing below the first place."""
    rows = check(REPORTS["lower-tie-rows-known"]).standings
    assert rows is not None
    assert explain(ENGINE, "standard", rows) == [
        "ana: first with 10 points",
        "ben: second with 4 points; level with cleo",
        "cleo: second with 4 points; level with ben",
    ]


def test_refusals_have_words_in_both_languages() -> None:
    for words in ENGINE.play.rules.values():
        assert words.en.endswith(".")
        assert words.fr.endswith(".")
