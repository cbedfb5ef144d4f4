"""What the organiser decides, at any time."""

from __future__ import annotations

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from core import computations
from core.computations import Kind
from scoring.errors import DecisionInvalidError, ReportInvalidError, ReportStatusError
from scoring.models import Attempt, Placing, Rating, RatingChange, Report, Result
from scoring.rankings.seasons import store as seasons
from scoring.rankings.standings import store as standings
from scoring.services.decisions import Choice, accept_pending, decide_table
from scoring.services.previews import preview_decision
from scoring.services.reports import confirm_report, submit_report, withdraw_report
from scoring.tasks import refresh
from tests.factories import RoundFactory, SeasonFactory
from tests.scoring.evenings import Evening, evening, sheet_of, table_in
from tournaments.errors import ForbiddenError
from tournaments.models import Action, Confirmation, Event, Round, Table
from tournaments.services.entries import substitute
from tournaments.services.events import mark_standings

pytestmark = pytest.mark.django_db


def decide(tonight: Evening, choice: Choice, reason: str = "seen by me"):
    return decide_table(actor=tonight.organiser, table=tonight.again().table, choice=choice, reason=reason)


def send(tonight: Evening, who: int, sheet) -> Report:
    return submit_report(actor=tonight.players[who], table=tonight.again().table, sheet=sheet)


def ranks(tonight: Evening) -> dict[str, int]:
    return {placing.player.uid: placing.rank for placing in Placing.objects.filter(result__table=tonight.table)}


def test_the_organiser_chooses_between_two_sheets():
    tonight = evening()
    first = send(tonight, 0, tonight.sheet(0))
    send(tonight, 1, tonight.sheet(1))
    assert decide(tonight, Choice(report=first)).status == "final"
    assert sorted(Report.objects.values_list("status", flat=True)) == ["final", "replaced"]
    action = Action.objects.get(verb="result-final")
    assert (action.reason, action.facts["version"]) == ("seen by me", 1)


def test_a_correction_keeps_both_versions_and_the_place_in_the_order():
    tonight = evening(confirmation=Confirmation.TRUST)
    send(tonight, 0, tonight.sheet(0))
    first = Result.objects.get().first_final_at
    Event.objects.update(status=Event.Status.FINISHED)
    Round.objects.update(status=Round.Status.CLOSED)
    report = decide(tonight, Choice(sheet=tonight.sheet(1)), "typed wrongly")
    assert (report.version, report.status) == (2, "final")
    assert Result.objects.get().first_final_at == first
    assert ranks(tonight) == {row["seat"]: row["rank"] for row in report.standings}
    action = Action.objects.get(verb="result-corrected")
    assert (action.facts["before"], action.facts["version"]) == (1, 2)


def test_a_decision_needs_a_reason_one_choice_and_an_organiser():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    for choice, reason in [
        (Choice(report=report), " "),
        (Choice(), "why not"),
        (Choice(report=report, is_dropped=True), "both"),
        (Choice(ranking={"nobody": (1, None)}), "unknown"),
        (Choice(sheet=tonight.sheet(), forfeits=list(ranks(tonight)) or ["nobody"]), "unknown"),
    ]:
        with pytest.raises(DecisionInvalidError):
            decide(tonight, choice, reason)
    with pytest.raises(ForbiddenError):
        decide_table(actor=tonight.players[0], table=tonight.table, choice=Choice(report=report), reason="mine")


def test_a_sheet_without_somebody_who_sits_there_now_is_not_chosen():
    """It was withdrawn, and somebody else came in for a player who is on it."""
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    withdraw_report(actor=tonight.players[0], report=report)
    substitute(actor=tonight.organiser, entry=tonight.entries[1], name="Newcomer")
    for act in (decide, preview):
        with pytest.raises(DecisionInvalidError) as refused:
            act(tonight, Choice(report=report))
        assert [error["path"] for error in refused.value.errors] == [["report_id"]]
        assert "other players" in refused.value.errors[0]["message"]
    assert not Placing.objects.exists()


def preview(tonight: Evening, choice: Choice):
    return preview_decision(actor=tonight.organiser, table=tonight.again().table, choice=choice)


def computing(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Keep the standings and seasons that are computed, in order."""
    computed: list[object] = []
    for store in (standings, seasons):
        refreshed = store.refresh
        monkeypatch.setattr(store, "refresh", lambda uid, run=refreshed: computed.append(uid) or run(uid))
    return computed


@pytest.mark.parametrize("is_known", [True, False])
def test_a_preview_tells_of_the_season_and_computes_nothing_that_is_up_to_date(monkeypatch, is_known):
    tonight = evening(confirmation=Confirmation.TRUST)
    season = SeasonFactory(club=tonight.event.club)
    send(tonight, 0, tonight.sheet())
    Event.objects.update(status=Event.Status.FINISHED, season=season)
    mark_standings(tonight.again().event)
    lists = [tonight.event.uid, season.uid]
    if is_known:
        for kind, uid in zip(["standings", "season"], lists, strict=True):
            refresh(kind, uid)
    computed = computing(monkeypatch)
    seen = preview(tonight, Choice(is_dropped=True))
    assert computed == (lists if is_known else [*lists, *lists])
    before, after = ranks(tonight), dict.fromkeys(ranks(tonight))
    assert {move.player.uid: move.rank_before for move in seen.season} == before
    assert {move.player.uid: move.rank_after for move in seen.season} == after


def test_a_withdrawn_sheet_with_a_forfeit_is_still_chosen():
    tonight = evening(seats=4)
    missing = tonight.entries[2].player.uid
    present = [entry for entry in tonight.entries if entry.player.uid != missing]
    three = table_in(RoundFactory(event=tonight.event, number=2, status=Round.Status.CLOSED), present)
    report = decide(tonight, Choice(sheet=sheet_of(three), forfeits=[missing]), "no show")
    decide(tonight, Choice(is_dropped=True), "a mistake")
    assert decide(tonight, Choice(report=report), "none at all").status == "final"
    assert ranks(tonight)[missing] == 4


def test_a_withdrawn_sheet_of_one_player_and_the_game_is_still_chosen():
    solo = {"variant": "solo", "rated": False, "table_min": 1, "table_max": 1}
    tonight = evening(seats=1, confirmation=Confirmation.TRUST, **solo)
    report = send(tonight, 0, tonight.sheet())
    decide(tonight, Choice(is_dropped=True), "a mistake")
    assert decide(tonight, Choice(report=report), "none at all").status == "final"


def test_a_sheet_the_organiser_gives_is_judged_too():
    tonight = evening()
    with pytest.raises(ReportInvalidError):
        decide(tonight, Choice(sheet=tonight.sheet() | {"extra": 1}))
    assert Attempt.objects.get().code == "report-invalid"


def test_somebody_who_did_not_come_takes_the_last_place():
    tonight = evening(seats=4)
    missing = tonight.entries[2].player.uid
    three = table_in(
        RoundFactory(event=tonight.event, number=2, status=Round.Status.CLOSED),
        [entry for entry in tonight.entries if entry.player.uid != missing],
    )
    decide(tonight, Choice(sheet=sheet_of(three), forfeits=[missing]), "no show")
    assert ranks(tonight)[missing] == 4
    assert Placing.objects.get(player__uid=missing).is_forfeit


def test_an_unfinished_table_is_ranked_by_hand():
    tonight = evening()
    first, second, third = (entry.player.uid for entry in tonight.entries)
    report = decide(tonight, Choice(ranking={first: (1, 30), second: (1, 30), third: (2, None)}), "time called")
    assert ranks(tonight) == {first: 1, second: 1, third: 3}
    assert report.sheet is None


def test_a_dropped_table_counts_for_nobody_even_after_it_was_final():
    tonight = evening(confirmation=Confirmation.TRUST)
    send(tonight, 0, tonight.sheet())
    assert decide(tonight, Choice(is_dropped=True), "wrong players") is None
    assert tonight.again().table.status == Table.Status.DROPPED
    assert not Placing.objects.exists()
    assert not RatingChange.objects.exists()
    assert not Result.objects.get().is_counted
    assert decide(tonight, Choice(sheet=tonight.sheet(1)), "it was right").status == "final"
    assert Result.objects.get().is_counted


def test_a_table_that_is_dropped_after_others_takes_its_ratings_back():
    tonight = evening(confirmation=Confirmation.TRUST)
    send(tonight, 0, tonight.sheet())
    refresh(Kind.RATINGS, "dix")
    Round.objects.update(status=Round.Status.CLOSED)
    later = RoundFactory(event=tonight.event, number=2, status=Round.Status.RUNNING)
    other = table_in(later, tonight.entries)
    submit_report(actor=tonight.organiser, table=other, sheet=sheet_of(other))
    refresh(Kind.RATINGS, "dix")
    assert set(Rating.objects.values_list("tables", flat=True)) == {2}
    decide(tonight, Choice(is_dropped=True), "wrong players")
    assert set(RatingChange.objects.values_list("pk", flat=True)) == set(other.seats.values_list("pk", flat=True))
    refresh(Kind.RATINGS, "dix")
    assert set(Rating.objects.values_list("tables", flat=True)) == {1}
    assert set(RatingChange.objects.values_list("before", flat=True)) == {1_500_000}


def test_all_sheets_that_nobody_disputes_are_accepted_at_once():
    tonight = evening(confirmation=Confirmation.ORGANISER)
    send(tonight, 0, tonight.sheet())
    other = evening(confirmation=Confirmation.ORGANISER)
    Table.objects.filter(pk=other.table.pk).update(round=tonight.table.round, number=2)
    disputed = Table.objects.get(pk=other.table.pk)
    for who, number in enumerate([0, 1]):
        submit_report(actor=other.players[who], table=disputed, sheet=sheet_of(disputed, number))
    accepted, left = accept_pending(actor=tonight.organiser, event=tonight.event, number=1)
    assert [report.table for report in accepted] == [tonight.table]
    assert left == [disputed]


def by_decision(tonight: Evening) -> None:
    decide(tonight, Choice(is_dropped=True), "power cut")


def by_patch(tonight: Evening) -> None:
    client = APIClient()
    client.force_authenticate(tonight.organiser.user, tonight.organiser)
    url = f"/api/v1/tables/{tonight.table.uid}/"
    assert client.patch(url, {"status": "dropped", "reason": "power cut"}).status_code == 200


@pytest.mark.parametrize("drop", [by_decision, by_patch])
def test_dropping_a_table_replaces_its_sheets_and_takes_its_result_away(drop):
    tonight = evening()
    send(tonight, 0, tonight.sheet(0))
    drop(tonight)
    assert tonight.again().table.status == Table.Status.DROPPED
    assert Report.objects.get().status == Report.Status.REPLACED
    assert Action.objects.get(verb="table-dropped").reason == "power cut"


@pytest.mark.parametrize("drop", [by_decision, by_patch])
def test_dropping_a_table_of_open_play_closes_its_round(drop):
    tonight = evening()
    Round.objects.update(kind=Round.Kind.OPEN)
    drop(tonight)
    assert Round.objects.get().status == Round.Status.CLOSED


@pytest.mark.parametrize("drop", [by_decision, by_patch])
def test_dropping_a_table_raises_its_version_and_tells_the_standings(drop):
    tonight = evening(confirmation=Confirmation.TRUST)
    send(tonight, 0, tonight.sheet(0))
    before = tonight.again().table.version
    computations.finish(computations.claim("standings", tonight.event.uid, timezone.now()), timezone.now())
    drop(tonight)
    assert tonight.again().table.version == before + 1
    assert not computations.is_up_to_date("standings", tonight.event.uid)


def test_a_refused_sheet_is_kept_when_an_organiser_gives_it_and_not_when_it_is_only_previewed():
    tonight = evening()
    broken = tonight.sheet() | {"hands": {}}
    choice = Choice(sheet=broken)
    with pytest.raises(ReportInvalidError):
        preview_decision(actor=tonight.organiser, table=tonight.table, choice=choice, reason="try")
    assert not Attempt.objects.exists()
    with pytest.raises(ReportInvalidError):
        decide(tonight, choice)
    assert Attempt.objects.get().sheet == broken


def test_an_approval_that_comes_too_late_is_written_down():
    tonight = evening()
    sent = send(tonight, 0, tonight.sheet())
    withdraw_report(actor=tonight.players[0], report=sent)
    with pytest.raises(ReportStatusError):
        confirm_report(actor=tonight.organiser, report=sent)
    assert Action.objects.get(verb="confirmed-too-late").facts["version"] == 1
