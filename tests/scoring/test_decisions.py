"""What the organiser decides, at any time."""

from __future__ import annotations

import pytest

from scoring.errors import DecisionInvalidError, ReportInvalidError
from scoring.models import Attempt, Placing, RatingChange, Report, Result
from scoring.services.decisions import Choice, accept_pending, decide_table
from scoring.services.reports import submit_report
from tests.factories import RoundFactory
from tests.scoring.evenings import Evening, evening, sheet_of, table_in
from tournaments.errors import ForbiddenError
from tournaments.models import Action, Confirmation, Event, Round, Table

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


def test_a_sheet_the_organiser_gives_is_judged_too():
    tonight = evening()
    with pytest.raises(ReportInvalidError):
        decide(tonight, Choice(sheet=tonight.sheet() | {"extra": 1}))
    assert not Attempt.objects.exists()


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
