"""How the standings came about, round by round, and how people read them."""

from __future__ import annotations

import pytest
from django.utils import translation

from scoring.models import StandingRow
from scoring.rankings.standings import store
from scoring.rankings.standings.readable import SEASON, readable, scale_of, scale_of_tiebreak
from tests.factories import SitOutFactory
from tests.scoring.rankings.standings.events import event_with, play, round_of
from tournaments.models import Format, Round


def steps_of(event, name):
    return StandingRow.objects.get(event=event, entry__name=name).rounds


@pytest.mark.django_db
def test_each_round_says_its_place_its_points_and_the_rank_after_it():
    event, entries = event_with("abcd", tiebreaks=["wins"])
    play(event, 1, [entries[name] for name in "abc"])
    SitOutFactory(round=round_of(event, 1), entry=entries["d"])
    play(event, 2, [entries[name] for name in "dcba"])
    store.refresh(event.uid)
    assert steps_of(event, "a") == [[1, 1, 840, 1, 3], [2, 2, 0, 4, 4]]
    assert steps_of(event, "d") == [[1, 2, 420, None, None], [2, 1, 840, 1, 4]]
    for row in StandingRow.objects.filter(event=event):
        assert (row.rounds[-1][1], sum(step[2] for step in row.rounds)) == (row.rank, row.points)


@pytest.mark.django_db
def test_who_comes_late_begins_with_their_first_round_and_who_waits_for_a_result_stays():
    event, entries = event_with("abcd", tiebreaks=[])
    play(event, 1, [entries[name] for name in "abc"])
    play(event, 2, [entries[name] for name in "dab"])
    store.refresh(event.uid)
    assert [step[0] for step in steps_of(event, "d")] == [2]
    assert steps_of(event, "c") == [[1, 3, 0, 3, 3], [2, 4, None, None, None]]


@pytest.mark.django_db
def test_a_final_gives_no_points_and_its_places():
    event, entries = event_with("abcd", tiebreaks=[])
    play(event, 1, [entries[name] for name in "abcd"])
    play(event, 2, [entries[name] for name in "ba"], kind=Round.Kind.FINAL)
    store.refresh(event.uid)
    assert steps_of(event, "b") == [[1, 2, 560, 2, 4], [2, 1, None, 1, 2]]
    assert steps_of(event, "c")[-1] == [2, 3, None, None, None]


@pytest.mark.django_db
def test_a_cancelled_round_is_no_step_and_open_play_has_none():
    event, entries = event_with("abc", tiebreaks=[])
    for number in (1, 2):
        play(event, number, entries.values())
    Round.objects.filter(event=event, number=2).update(status=Round.Status.CANCELLED)
    store.refresh(event.uid)
    assert [step[0] for step in steps_of(event, "a")] == [1]
    opened, others = event_with("xyz", format=Format.OPEN, tables_least=1)
    play(opened, 1, others.values(), kind=Round.Kind.OPEN)
    store.refresh(opened.uid)
    assert steps_of(opened, "x") == []


def test_shares_are_whole_points_of_a_hundred_a_table_unless_two_would_look_alike():
    scale = scale_of("placement")
    assert scale.texts(["2.000", "1.333", "0.500", None]) == ["200", "133", "50", None]
    assert scale.texts(["1.333", "1.329", "1.333", "0.667"]) == ["133.3", "132.9", "133.3", "67"]
    assert scale.texts(["1.000", "0.999"]) == ["100", "99.9"]


def test_other_points_are_shown_as_they_are():
    assert scale_of("podium").texts(["5.000", "2.500", "3.333"]) == ["5", "2.5", "3.3"]
    assert scale_of("score").texts(["-12.000", "120.000"]) == ["-12", "120"]
    assert scale_of(SEASON).texts(["100.000", "66.667", "66.600"]) == ["100", "66.7", "66.6"]
    assert scale_of_tiebreak("best_table", "placement").texts(["90", None]) == ["90", None]


def test_reasons_say_readable_values_that_differ():
    points = {"code": "points", "above": "1.333", "own": "1.329"}
    assert readable(points, "placement") == {"code": "points", "above": "133.3", "own": "132.9"}
    close = {"code": "tie-break", "key": "opponents", "above": "0.500000001", "own": "0.500000000"}
    assert readable(close, "placement")["above"] != readable(close, "placement")["own"]
    share = {"code": "tie-break", "key": "score_share", "above": "0.625", "own": None}
    assert readable(share, "placement")["above"] == "62.5%"
    with translation.override("fr"):
        assert readable(share, "placement")["above"] == "62.5\u00a0%"
    assert readable({"code": "first"}, "placement") == {"code": "first"}
