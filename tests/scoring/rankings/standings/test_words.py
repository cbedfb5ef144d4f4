"""Every reason is a sentence."""

from __future__ import annotations

from django.utils import translation

from scoring.rankings.standings.metrics import METRICS
from scoring.rankings.standings.words import SEASON_TIEBREAKS, TIEBREAKS, explain, explain_season
from tournaments.models import SeasonTieBreak


def test_every_tiebreak_has_its_words():
    assert set(TIEBREAKS) == set(METRICS)
    assert set(SEASON_TIEBREAKS) == set(SeasonTieBreak.values)


def test_reasons_are_said_with_both_values():
    assert explain({"code": "points", "above": "2.500", "own": "2.000"}, "Ana") == "Has 2.000 points; Ana has 2.500."
    won = {"code": "tie-break", "key": "wins", "above": "2", "own": "1.5"}
    assert explain(won, "Ana") == "Has as many points as Ana, who won more tables: 2 against 1.5."
    assert explain_season(won, "Ana") == "Has as many points as Ana, who won more events: 2 against 1.5."


def test_french_readers_get_decimal_commas():
    with translation.override("fr"):
        said = explain({"code": "points", "above": "2.500", "own": "2.000"}, "M. Ana")
    assert said == "2,000 points contre 2,500 pour M. Ana."


def test_a_missing_value_and_a_name_of_any_kind_are_said():
    reason = {"code": "tie-break", "key": "best_table", "above": "90", "own": None}
    assert explain(reason, "{own}") == "Still level with {own}, whose best table was better: 90 against none."
    few = {"code": "too-few-tables", "above": "3", "own": "1", "least": 3}
    assert explain(few, "Ana") == "Ranked from 3 tables on."
    assert explain({"code": "first"}, "") == "Nobody is ahead."
