"""Sheets from phones: submitted, confirmed, disputed, withdrawn."""

from __future__ import annotations

import copy
import datetime as dt

import pytest
from django.utils import timezone

from core import computations
from scoring.errors import (
    OwnReportError,
    PlayedAtError,
    ReportInvalidError,
    ReportSeatsError,
    ReportStatusError,
    ReportVariantError,
    TableClosedError,
)
from scoring.models import Attempt, Placing, Report, Result, Voice
from scoring.selectors import difference_of, reports_of
from scoring.services.reports import confirm_report, dispute_report, submit_report, withdraw_report
from tests.scoring.evenings import evening, minimal
from tournaments.errors import ForbiddenError, SeatingInvalidError, TableStatusError
from tournaments.models import Action, Confirmation, Event, Round, Table

pytestmark = pytest.mark.django_db


def send(tonight, who: int, sheet) -> Report:
    return submit_report(actor=tonight.players[who], table=tonight.again().table, sheet=sheet)


def verbs(tonight) -> list[str]:
    return list(Action.objects.filter(table=tonight.table).order_by("pk").values_list("verb", flat=True))


def test_a_legal_sheet_waits_for_another_seat():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    assert (report.status, report.version) == ("pending", 1)
    assert tonight.again().table.status == Table.Status.REPORTED
    assert not Result.objects.exists()


def test_a_sheet_counts_at_once_where_players_are_trusted():
    tonight = evening(confirmation=Confirmation.TRUST)
    report = send(tonight, 0, tonight.sheet())
    assert report.status == "final"
    assert tonight.again().table.status == Table.Status.FINAL
    ranks = {row["seat"]: row["rank"] for row in report.standings}
    assert {placing.player.uid: placing.rank for placing in Placing.objects.all()} == ranks
    assert computations.behind() == {
        ("standings", tonight.event.uid),
        ("ratings", "dix"),
    }


def level_on_points(tonight, *coins: int):
    """Return a sheet of DIX on which all have the same runs, so that the money decides the places."""
    labels = [entry.player.uid for entry in tonight.entries]
    hand = {"runs": {"blue": "1-4"}, "consolation": 0, "card_count": 6}
    hands = {label: hand | {"coins": own} for label, own in zip(labels, coins, strict=True)}
    return {"game": "dix", "variant": "standard", "seats": labels, "hands": hands}


def test_sheets_that_let_another_player_win_do_not_confirm_each_other():
    tonight = evening(seats=2)
    send(tonight, 0, level_on_points(tonight, 5, 3))
    send(tonight, 1, level_on_points(tonight, 3, 5))
    assert tonight.again().table.status == Table.Status.DISPUTED
    assert [report.standings[0]["seat"] for report in Report.objects.order_by("version")] == [
        entry.player.uid for entry in tonight.entries
    ]
    difference = difference_of(tonight.table, reports_of(tonight.organiser, tonight.table))
    assert difference is not None
    label = tonight.entries[0].player.uid
    assert (difference["path"], difference["values"]) == (["hands", label, "coins"], [5, 3])


def test_sheets_that_agree_on_what_decides_confirm_each_other():
    tonight = evening(seats=2)
    send(tonight, 0, level_on_points(tonight, 5, 3))
    send(tonight, 1, level_on_points(tonight, 5, 3))
    assert tonight.again().table.status == Table.Status.FINAL


def test_evidence_that_decides_nothing_need_not_agree():
    tonight = evening(seats=2)
    first, second = level_on_points(tonight, 5, 3), level_on_points(tonight, 1, 2)
    for sheet in (first, second):
        sheet["hands"][tonight.entries[1].player.uid]["runs"] = {"blue": "1-5"}
    send(tonight, 0, first)
    send(tonight, 1, second)
    assert tonight.again().table.status == Table.Status.FINAL


def test_another_seat_makes_it_final():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    assert confirm_report(actor=tonight.players[1], report=report).status == "final"
    assert verbs(tonight) == ["reported", "confirmed", "result-final"]


def test_nobody_confirms_their_own_report():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    with pytest.raises(OwnReportError):
        confirm_report(actor=tonight.players[0], report=report)
    with pytest.raises(ForbiddenError):
        confirm_report(actor=tonight.slip, report=report)


def test_a_repeated_confirmation_changes_nothing():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    for _ in range(3):
        assert confirm_report(actor=tonight.players[1], report=report).status == "final"
    assert verbs(tonight).count("confirmed") == 1


def test_an_equal_sheet_of_another_seat_confirms_and_the_deeper_evidence_is_kept():
    tonight = evening()
    deep = tonight.sheet()
    send(tonight, 0, minimal(tonight.table, deep))
    report = send(tonight, 1, deep)
    assert report.status == "final"
    assert report.sheet == deep
    assert [voice.entry for voice in report.voices.all()] == [tonight.entries[0]]
    assert Report.objects.filter(status="replaced").count() == 1


def test_an_equal_sheet_with_less_evidence_confirms_the_first():
    tonight = evening()
    deep = tonight.sheet()
    first = send(tonight, 0, deep)
    assert send(tonight, 1, minimal(tonight.table, deep)) == first
    first.refresh_from_db()
    assert first.status == "final"


def test_two_different_sheets_are_a_dispute():
    tonight = evening()
    first, second = send(tonight, 0, tonight.sheet(0)), send(tonight, 1, tonight.sheet(1))
    first.refresh_from_db()
    assert (first.status, second.status) == ("disputed", "disputed")
    assert tonight.again().table.status == Table.Status.DISPUTED
    assert not Result.objects.exists()


def test_a_dispute_ends_when_one_takes_the_sheet_of_the_other():
    tonight = evening()
    send(tonight, 0, tonight.sheet(0))
    send(tonight, 1, tonight.sheet(1))
    assert send(tonight, 1, tonight.sheet(0)).status == "final"
    assert sorted(Report.objects.values_list("status", flat=True)) == ["final", "replaced", "replaced"]


def test_a_new_sheet_of_the_same_seat_replaces_its_own():
    tonight = evening()
    first = send(tonight, 0, tonight.sheet(0))
    second = send(tonight, 0, tonight.sheet(1))
    first.refresh_from_db()
    assert (first.status, second.status, second.version) == ("replaced", "pending", 2)
    with pytest.raises(ReportStatusError):
        confirm_report(actor=tonight.players[1], report=first)


def test_the_same_sheet_again_is_the_same_report():
    tonight = evening()
    assert send(tonight, 0, tonight.sheet()) == send(tonight, 0, tonight.sheet())


def test_a_sheet_that_breaks_the_rules_is_named_with_the_players_names():
    tonight = evening(game="ten-phases")
    sheet = copy.deepcopy(tonight.sheet())
    seat = tonight.entries[1]
    sheet["block"][seat.player.uid]["phases"] = [9999] * 3
    with pytest.raises(ReportInvalidError) as refused:
        send(tonight, 0, sheet)
    assert any(seat.name in error["message"] for error in refused.value.errors)
    assert not Report.objects.exists()


def test_seats_and_variant_are_those_of_the_table():
    tonight = evening()
    sheet = tonight.sheet()
    with pytest.raises(ReportSeatsError):
        send(tonight, 0, sheet | {"seats": sheet["seats"][::-1]})
    with pytest.raises(ReportVariantError):
        send(tonight, 0, sheet | {"variant": "bust-buy"})


def test_a_table_with_a_result_takes_no_more_sheets():
    tonight = evening(confirmation=Confirmation.TRUST)
    send(tonight, 0, tonight.sheet(0))
    with pytest.raises(TableClosedError):
        send(tonight, 1, tonight.sheet(1))


def test_a_dropped_table_takes_no_sheets():
    tonight = evening()
    Table.objects.update(status=Table.Status.DROPPED)
    with pytest.raises(TableStatusError):
        send(tonight, 0, tonight.sheet())


def test_a_legal_sheet_starts_a_round_that_nobody_started():
    tonight = evening()
    Round.objects.update(status=Round.Status.SEATED)
    Table.objects.update(status=Table.Status.SEATED)
    assert send(tonight, 0, tonight.sheet()).status == "pending"
    assert tonight.again().table.round.status == Round.Status.RUNNING


def test_a_slip_says_who_speaks():
    tonight = evening()
    with pytest.raises(SeatingInvalidError):
        submit_report(actor=tonight.slip, table=tonight.table, sheet=tonight.sheet())
    with pytest.raises(SeatingInvalidError):
        submit_report(actor=tonight.slip, table=tonight.table, sheet=tonight.sheet(), seat="9")
    report = submit_report(actor=tonight.slip, table=tonight.table, sheet=tonight.sheet(), seat="2")
    assert report.entry == tonight.entries[1]


def test_somebody_at_another_table_does_not_report():
    tonight, other = evening(), evening()
    with pytest.raises(ForbiddenError):
        submit_report(actor=other.players[0], table=tonight.table, sheet=tonight.sheet())


def test_an_objection_makes_a_dispute_until_it_is_taken_back():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    assert dispute_report(actor=tonight.players[1], report=report, reason="wrong run").status == "disputed"
    assert confirm_report(actor=tonight.players[2], report=report).status == "disputed"
    assert confirm_report(actor=tonight.players[1], report=report).status == "final"


def test_a_final_sheet_can_be_disputed_until_the_round_closes_and_still_counts():
    tonight = evening(confirmation=Confirmation.TRUST)
    report = send(tonight, 0, tonight.sheet())
    disputed = dispute_report(actor=tonight.players[1], report=report, reason="no")
    assert disputed.status == "final"
    assert {"code": "disputed-after-final"} in disputed.flags
    assert {"code": "disputed-after-final"} not in confirm_report(actor=tonight.players[1], report=report).flags
    Round.objects.update(status=Round.Status.CLOSED)
    with pytest.raises(ReportStatusError):
        dispute_report(actor=tonight.players[2], report=report)


def test_a_report_can_be_withdrawn_by_its_seat_alone():
    tonight = evening()
    report = send(tonight, 0, tonight.sheet())
    with pytest.raises(ForbiddenError):
        withdraw_report(actor=tonight.players[1], report=report)
    assert withdraw_report(actor=tonight.players[0], report=report).status == "withdrawn"
    assert tonight.again().table.status == Table.Status.PLAYING


def test_withdrawing_one_of_two_sheets_ends_the_dispute():
    tonight = evening()
    first = send(tonight, 0, tonight.sheet(0))
    second = send(tonight, 1, tonight.sheet(1))
    withdraw_report(actor=tonight.players[1], report=second)
    first.refresh_from_db()
    assert first.status == "pending"
    assert tonight.again().table.status == Table.Status.REPORTED


def test_the_organiser_approves_where_the_event_asks_for_it():
    tonight = evening(confirmation=Confirmation.ORGANISER)
    report = send(tonight, 0, tonight.sheet())
    assert confirm_report(actor=tonight.players[1], report=report).status == "pending"
    assert confirm_report(actor=tonight.organiser, report=report).status == "final"


def test_a_voice_is_taken_back_by_a_sheet_of_ones_own():
    tonight = evening(confirmation=Confirmation.ORGANISER)
    report = send(tonight, 0, tonight.sheet(0))
    confirm_report(actor=tonight.players[1], report=report)
    send(tonight, 1, tonight.sheet(1))
    assert not Voice.objects.filter(report=report).exists()


# --- When it was played -----------------------------------------------------------------------------------------

SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)
NOW = dt.datetime(2026, 11, 18, 21, tzinfo=dt.UTC)


@pytest.fixture
def nine_o_clock(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def take(tonight, played_at: dt.datetime, number: int = 0) -> Report:
    sheet = tonight.sheet(number)
    return submit_report(actor=tonight.players[0], table=tonight.again().table, sheet=sheet, played_at=played_at)


@pytest.mark.parametrize(
    ("starts_at", "created_at", "earliest"),
    [
        (NOW - 3 * DAY, NOW - 2 * DAY, NOW - 4 * DAY),
        (NOW, NOW - 9 * DAY, NOW - 9 * DAY),
        (dt.datetime.min.replace(tzinfo=dt.UTC), NOW, dt.datetime.min.replace(tzinfo=dt.UTC)),
    ],
    ids=["a day before the start", "when the event was made", "the first day of the calendar"],
)
def test_a_sheet_was_played_at_a_time_of_its_event(nine_o_clock, starts_at, created_at, earliest):
    tonight = evening()
    Event.objects.update(starts_at=starts_at, created_at=created_at)
    latest = NOW + dt.timedelta(minutes=5)
    never = [latest + SECOND, *([earliest - SECOND] if earliest.year > 1 else [])]
    for played_at in never:
        with pytest.raises(PlayedAtError) as refused:
            take(tonight, played_at)
        assert earliest.isoformat() in refused.value.detail
        assert latest.isoformat() in refused.value.detail
    for number, played_at in enumerate((earliest, latest)):
        assert take(tonight, played_at, number).played_at == played_at


# --- Refused sheets ---------------------------------------------------------------------------------------------


def refused(tonight, who: int, sheet) -> None:
    with pytest.raises(ReportInvalidError):
        send(tonight, who, sheet)


def test_a_hundred_refused_sheets_leave_the_last_five():
    tonight = evening()
    refused(tonight, 1, {"of": "another seat"})
    sender, sheet = tonight.players[0], tonight.sheet()
    for number in range(100):
        with pytest.raises(ReportInvalidError):
            submit_report(actor=sender, table=tonight.table, sheet=sheet | {"number": number})
    kept = Attempt.objects.filter(entry=sender.entry)
    assert [attempt.sheet["number"] for attempt in kept.order_by("pk")] == [95, 96, 97, 98, 99]
    assert Attempt.objects.get(entry=tonight.entries[1]).sheet == {"of": "another seat"}


def of_bytes(length: int, letter: str = "x"):
    return {"a": letter * (length - len('{"a": ""}'))}


def test_a_refused_sheet_larger_than_any_sheet_is_not_kept():
    tonight = evening()
    refused(tonight, 0, of_bytes(Attempt.MOST_BYTES_PER_SEAT + 1))
    assert not Attempt.objects.exists()
    refused(tonight, 0, of_bytes(Attempt.MOST_BYTES_PER_SEAT))
    assert Attempt.objects.exists()


def test_large_refused_sheets_make_room_for_newer_ones_of_their_seat():
    tonight, third = evening(), Attempt.MOST_BYTES_PER_SEAT // 3
    refused(tonight, 1, {"of": "another seat"})
    for letter in "abcde":
        refused(tonight, 0, of_bytes(third, letter))
    kept = Attempt.objects.filter(entry=tonight.entries[0]).order_by("pk")
    assert [attempt.sheet["a"][0] for attempt in kept] == ["c", "d", "e"]
    assert Attempt.objects.filter(entry=tonight.entries[1]).exists()


@pytest.mark.parametrize("sheet", [{"a": "\0"}, {"\ud800": 1}, {"a": [float("nan")]}], ids=["NUL", "half", "NaN"])
def test_a_refused_sheet_that_no_database_can_keep_is_not_kept(sheet):
    tonight = evening()
    refused(tonight, 0, sheet)
    assert not Attempt.objects.exists()
