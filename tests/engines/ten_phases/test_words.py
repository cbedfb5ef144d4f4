"""Sentences: every code has one in both languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engines import words
from engines.base import Finding
from engines.ten_phases import ENGINE
from engines.ten_phases.words import MESSAGES
from tests.engines.games import plain
from tests.engines.ten_phases.samples import ALONE, FIVE_PLAYERS, RULEBOOK_DICE, spoilt
from tests.engines.ten_phases.test_report import AT_ONCE, FRAME_AND_SHAPE, NOT_DICE, RULES

CASES = [
    *FRAME_AND_SHAPE,
    *RULES,
    (RULEBOOK_DICE, {"block.ana.dice.1": NOT_DICE[0]}, set()),
    (ALONE, AT_ONCE, set()),
]


def findings() -> list[Finding]:
    verdicts = [ENGINE.check(spoilt(report, changes)) for report, changes, _ in CASES]
    return [each for verdict in verdicts for each in verdict.errors + verdict.warnings]


def test_the_cases_raise_every_message_of_the_game() -> None:
    assert MESSAGES.keys() <= {each.code.partition(".")[2] for each in findings()}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_finding_is_a_sentence(language: str) -> None:
    for finding in findings():
        text = words.render(ENGINE, finding, {"ana": "Ana"}, language)
        assert text.endswith(".")
        assert not re.search(r"[{}]|Words\(|None", text)


@pytest.mark.parametrize(
    ("report", "changes", "english", "french"),
    [
        (
            FIVE_PLAYERS,
            {"block.A.phases.3": 47, "block.A.total": 517},
            (
                "A: Phase 4: 47 cannot be made. With a run of seven 18 to 49 points are possible; "
                "nearest to yours: 45 and 49."
            ),
            (
                "A : Phase 4 : 47 est impossible. Avec une suite de sept, on peut faire de 18 à 49 points ; "
                "au plus près : 45 et 49."
            ),
        ),
        (
            ALONE,
            {"block.ana.total": 511},
            "ana: The total says 511, but the column adds up to 536.",
            "ana : Le total indique 511, mais la colonne fait 536.",
        ),
        (
            FIVE_PLAYERS,
            {"block.A.bonus5": 0, "block.A.total": 472},
            (
                "A: The bonus after phase 5 must be 40. Of the first five phases 5 are completed and count 226; "
                "the bonus of 40 takes all five and 221 points."
            ),
            (
                "A : Le bonus de la phase 5 doit être de 40. Des cinq premières phases, 5 sont réussies et comptent "
                "226 ; le bonus de 40 demande les cinq et 221 points."
            ),
        ),
        (
            ALONE,
            AT_ONCE,
            (
                "ana: The bonus after phase 5 is 0, although the first five phases count 225. That is right if misses "
                "come off at once, which leaves 220; we take them off at the end, and then 40 are due."
            ),
            (
                "ana : Le bonus de la phase 5 est de 0, alors que les cinq premières phases comptent 225. C’est juste "
                "si les échecs se retirent aussitôt, ce qui laisse 220 ; nous les retirons à la fin, et le bonus est "
                "alors de 40."
            ),
        ),
        (
            FIVE_PLAYERS,
            {"block.D.turns.5": 15},
            (
                "D: Turn of phase 6: turn 15 is too late. B completed phase 10 first, in turn 14, "
                "so the last turn here was turn 14."
            ),
            (
                "D : Tour de la phase 6 : le tour 15 vient trop tard. B a réussi la phase 10 en premier, au tour 14 ; "
                "le dernier tour était ici le tour 14."
            ),
        ),
    ],
)
def test_sentences_name_field_and_reason(
    report: dict[str, Any], changes: dict[str, Any], english: str, french: str
) -> None:
    verdict = ENGINE.check(spoilt(report, changes))
    (finding,) = verdict.errors + verdict.warnings
    assert words.render(ENGINE, finding) == english
    assert plain(words.render(ENGINE, finding, language="fr")) == french


def test_standings_are_explained() -> None:
    rows = ENGINE.check(FIVE_PLAYERS).standings
    assert rows is not None
    assert words.explain(ENGINE, "standard", rows) == [
        "C: first with 589 points",
        "B: second with 518 points",
        "E: third with 512 points; level on points with A, best phase 58 against 52",
        "A: fourth with 512 points; level on points with E, best phase 52 against 58",
        "D: fifth with 243 points; without all ten phases",
    ]
