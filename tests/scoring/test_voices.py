"""One person, one voice: whose word makes a sheet count, and whose does not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from scoring.errors import OwnReportError, SamePhoneError, SentPersonallyError, TooManySheetsError
from scoring.models import Report, Result
from scoring.selectors import difference_of, reports_of
from scoring.services import reports
from scoring.services.decisions import accept_pending
from scoring.services.reports import confirm_report, dispute_report, submit_report, withdraw_report
from tests.factories import PlayerFactory
from tests.scoring.evenings import evening, minimal
from tournaments.errors import ForbiddenError, TooManyActionsError
from tournaments.models import Action, Entry, Player, Table
from tournaments.services import history

pytestmark = pytest.mark.django_db


def send(tonight, actor, sheet=None, seat=None) -> Report:
    return submit_report(actor=actor, table=tonight.table, sheet=sheet or tonight.sheet(), seat=seat)


def on(actor, device="the same phone"):
    return replace(actor, device=device)


def status(tonight) -> str:
    return tonight.again().table.status


# --- Slips and scorekeepers -------------------------------------------------------------------------------------


def test_a_slip_that_speaks_for_every_seat_makes_nothing_final():
    tonight = evening()
    for seat in "1", "2", "3", "1":
        assert send(tonight, tonight.slip, seat=seat).status == "pending"
    assert status(tonight) == Table.Status.REPORTED
    assert not Result.objects.exists()


def test_a_slip_makes_nothing_final_where_one_plays_alone_and_the_player_does():
    tonight = evening(game="dix", seats=1, variant="solo", table_min=1, table_max=1)
    report = send(tonight, tonight.slip, seat="1")
    assert report.status == "pending"
    assert confirm_report(actor=tonight.players[0], report=report).status == "final"
    alone = evening(game="dix", seats=1, variant="solo", table_min=1, table_max=1)
    assert send(alone, alone.players[0]).status == "final"


def test_a_scorekeeper_who_speaks_for_every_seat_makes_nothing_final():
    tonight = evening()
    scorekeeper = tonight.scorekeeper
    for seat in "1", "2", None:
        report = send(tonight, scorekeeper, seat=seat)
    with pytest.raises(ForbiddenError):
        confirm_report(actor=scorekeeper, report=report)
    assert status(tonight) == Table.Status.REPORTED


@pytest.mark.parametrize("named", ["1", "2"])
def test_a_slip_adds_nothing_to_a_personal_sheet(named):
    tonight = evening()
    report = send(tonight, tonight.players[0], minimal(tonight.table, tonight.sheet()))
    assert send(tonight, tonight.slip, seat=named) == report
    assert Report.objects.count() == 1
    assert status(tonight) == Table.Status.REPORTED


@pytest.mark.parametrize("named", ["1", "2"])
@pytest.mark.parametrize("who", ["slip", "scorekeeper"])
def test_a_personal_sheet_is_neither_replaced_nor_disputed_nor_withdrawn_by_others(who, named):
    tonight = evening()
    report = send(tonight, tonight.players[0])
    other = getattr(tonight, who)
    with pytest.raises(SentPersonallyError):
        send(tonight, other, tonight.sheet(1), named)
    with pytest.raises(ForbiddenError):
        withdraw_report(actor=other, report=report, seat=named)
    with pytest.raises(ForbiddenError):
        dispute_report(actor=other, report=report)
    report.refresh_from_db()
    assert (report.status, status(tonight)) == ("pending", Table.Status.REPORTED)


def test_one_phone_and_the_slip_are_one_voice():
    tonight = evening()
    report = send(tonight, tonight.slip, seat="2")
    assert confirm_report(actor=tonight.players[0], report=report).status == "pending"
    assert status(tonight) == Table.Status.REPORTED


@pytest.mark.parametrize("second", [1, 2])
def test_a_sheet_by_slip_counts_once_two_people_agree(second):
    tonight = evening()
    report = send(tonight, tonight.slip, seat="2")
    confirm_report(actor=tonight.players[0], report=report)
    assert confirm_report(actor=tonight.players[second], report=report).status == "final"


def test_equal_sheets_of_two_people_make_one_by_slip_final():
    tonight = evening()
    send(tonight, tonight.slip, seat="2")
    assert send(tonight, tonight.players[0]).status == "pending"
    assert send(tonight, tonight.players[1]).status == "final"


def test_a_sheet_by_slip_is_replaced_by_the_personal_link_of_its_seat_and_withdrawn_by_a_slip():
    tonight = evening()
    by_slip = send(tonight, tonight.slip, tonight.sheet(1), "1")
    assert withdraw_report(actor=tonight.slip, report=by_slip, seat="1").status == "withdrawn"
    again = send(tonight, tonight.slip, tonight.sheet(1), "1")
    own = send(tonight, tonight.players[0])
    again.refresh_from_db()
    assert (again.status, own.status, status(tonight)) == ("replaced", "pending", Table.Status.REPORTED)


def test_a_slip_does_not_take_back_what_a_player_said():
    tonight = evening()
    report = send(tonight, tonight.slip, seat="1")
    confirm_report(actor=tonight.players[1], report=report)
    send(tonight, tonight.slip, seat="2")
    live = Report.objects.get(status="pending")
    assert [voice.entry for voice in live.voices.all()] == [tonight.entries[1]]


def test_the_phone_that_used_the_slip_has_one_voice_by_its_personal_link():
    tonight = evening()
    send(tonight, on(tonight.slip), seat="1")
    own = send(tonight, on(tonight.players[0]))
    assert (own.status, own.is_personal) == ("pending", True)
    assert confirm_report(actor=tonight.players[1], report=own).status == "final"


def test_a_slip_does_not_replace_the_sheet_of_a_scorekeeper():
    tonight = evening()
    report = send(tonight, tonight.scorekeeper, seat="1")
    send(tonight, tonight.slip, tonight.sheet(1), "1")
    assert status(tonight) == Table.Status.DISPUTED
    with pytest.raises(ForbiddenError):
        withdraw_report(actor=tonight.slip, report=report, seat="1")


def became(tonight) -> list[str]:
    """Return what became of the sheets of a table, oldest first."""
    return list(Report.objects.filter(table=tonight.table).order_by("version").values_list("status", flat=True))


@pytest.mark.parametrize("named", ["1", "2", "3"])
@pytest.mark.parametrize("is_sent", [True, False])
def test_a_slip_that_came_first_holds_up_no_two_people_who_agree(named, is_sent):
    tonight = evening()
    send(tonight, tonight.slip, tonight.sheet(1), named)
    own = send(tonight, tonight.players[0])
    assert own.status == "pending"
    second = tonight.players[1]
    agreed = send(tonight, second) if is_sent else confirm_report(actor=second, report=own)
    assert (agreed.status, status(tonight)) == ("final", Table.Status.FINAL)
    assert became(tonight)[0] == "replaced"


def test_a_slip_that_differs_from_one_person_is_there_for_the_organiser_to_look_at():
    tonight = evening()
    by_slip = send(tonight, tonight.slip, tonight.sheet(1), "3")
    own = send(tonight, tonight.players[0])
    assert became(tonight) == ["disputed", "pending"]
    assert status(tonight) == Table.Status.DISPUTED
    live = reports_of(tonight.organiser, tonight.again().table)
    assert difference_of(tonight.table, live)["reports"] == [by_slip.uid, own.uid]
    accepted, left = accept_pending(actor=tonight.organiser, event=tonight.event)
    assert (accepted, left) == ([], [tonight.table])
    assert withdraw_report(actor=tonight.players[0], report=own).status == "withdrawn"
    assert (became(tonight), status(tonight)) == (["pending", "withdrawn"], Table.Status.REPORTED)


def test_a_sheet_by_slip_that_somebody_confirmed_is_their_word_against_others():
    tonight = evening()
    by_slip = send(tonight, tonight.slip, tonight.sheet(1), "1")
    confirm_report(actor=tonight.players[1], report=by_slip)
    assert send(tonight, tonight.players[2]).status == "disputed"
    own = Report.objects.get(version=2)
    assert confirm_report(actor=tonight.players[0], report=own).status == "disputed"
    assert became(tonight) == ["disputed", "disputed"]
    # Whoever confirmed it finds that it is wrong.
    assert dispute_report(actor=tonight.players[1], report=by_slip).status == "replaced"
    assert became(tonight) == ["replaced", "final"]


def test_an_objection_to_a_sheet_by_slip_holds_up_no_two_people_who_agree():
    tonight = evening()
    by_slip = send(tonight, tonight.slip, tonight.sheet(1), "3")
    dispute_report(actor=tonight.players[2], report=by_slip, reason="not mine")
    send(tonight, tonight.players[0])
    assert send(tonight, tonight.players[1]).status == "final"


def test_two_people_who_confirm_one_of_two_sheets_by_slip_make_it_final():
    tonight = evening()
    send(tonight, tonight.slip, tonight.sheet(1), "1")
    right = send(tonight, tonight.slip, seat="2")
    assert became(tonight) == ["disputed", "disputed"]
    assert confirm_report(actor=tonight.players[0], report=right).status == "pending"
    assert confirm_report(actor=tonight.players[2], report=right).status == "final"
    assert became(tonight) == ["replaced", "final"]


def test_a_slip_holds_up_no_player_who_confirms_the_sheet_of_a_scorekeeper():
    tonight = evening()
    report = send(tonight, tonight.scorekeeper, seat="1")
    send(tonight, tonight.slip, tonight.sheet(1), "1")
    assert became(tonight) == ["disputed", "disputed"]
    assert confirm_report(actor=tonight.players[1], report=report).status == "final"


def test_a_player_makes_the_sheet_of_a_scorekeeper_final():
    tonight = evening()
    report = send(tonight, tonight.scorekeeper)
    assert confirm_report(actor=tonight.players[1], report=report).status == "final"


def test_a_scorekeeper_who_plays_is_no_second_voice():
    tonight = evening()
    scorekeeper = tonight.scorekeeper
    Player.objects.filter(pk=tonight.entries[0].player_id).update(user=scorekeeper.user)
    report = send(tonight, scorekeeper, seat="2")
    assert confirm_report(actor=tonight.players[0], report=report).status == "pending"
    assert confirm_report(actor=tonight.players[2], report=report).status == "final"


def test_a_scorekeeper_whose_account_is_on_another_record_is_no_second_voice():
    tonight = evening()
    scorekeeper, player = tonight.scorekeeper, tonight.entries[0].player
    Player.objects.filter(pk=player.pk).update(merged_into=PlayerFactory(user=scorekeeper.user))
    report = send(tonight, scorekeeper, seat="2")
    assert confirm_report(actor=tonight.players[0], report=report).status == "pending"
    assert confirm_report(actor=tonight.players[2], report=report).status == "final"


def test_a_scorekeeper_is_no_second_voice_by_a_phone_that_says_it_is_them():
    tonight = evening()
    scorekeeper, entry = tonight.scorekeeper, tonight.entries[0]
    Entry.objects.filter(pk=entry.pk).update(claims=PlayerFactory(user=scorekeeper.user), is_verified=False)
    report = send(tonight, scorekeeper, seat="2")
    assert confirm_report(actor=tonight.players[0], report=report).status == "pending"
    assert confirm_report(actor=tonight.players[2], report=report).status == "final"


# --- Browsers that hold several links ---------------------------------------------------------------------------


def test_the_browser_that_sent_a_sheet_does_not_confirm_it_by_another_link():
    tonight = evening()
    report = send(tonight, on(tonight.players[0]))
    with pytest.raises(SamePhoneError):
        confirm_report(actor=on(tonight.players[1]), report=report)
    with pytest.raises(SamePhoneError):
        send(tonight, on(tonight.players[1]))
    assert status(tonight) == Table.Status.REPORTED
    assert confirm_report(actor=on(tonight.players[1], "another"), report=report).status == "final"


def test_the_browser_that_used_the_slip_does_not_confirm_by_its_personal_link():
    tonight = evening()
    report = send(tonight, on(tonight.slip), seat="2")
    with pytest.raises(SamePhoneError):
        confirm_report(actor=on(tonight.players[0]), report=report)


def test_a_browser_with_two_links_is_one_of_the_two_who_must_agree():
    tonight = evening()
    report = send(tonight, tonight.slip, seat="3")
    confirm_report(actor=on(tonight.players[0]), report=report)
    with pytest.raises(SamePhoneError):
        confirm_report(actor=on(tonight.players[1]), report=report)


def test_equal_sheets_of_one_browser_are_one_voice_however_they_were_put_together():
    tonight = evening()
    send(tonight, tonight.slip, seat="3")
    send(tonight, on(tonight.players[0]), minimal(tonight.table, tonight.sheet()))
    with pytest.raises(SamePhoneError):
        send(tonight, on(tonight.players[1]))
    assert status(tonight) == Table.Status.REPORTED


def test_what_is_stored_of_a_browser_is_of_one_table_and_not_the_cookie():
    one, other = evening(), evening()
    devices = {send(each, on(each.players[0])).device for each in (one, other)}
    assert len(devices) == 2
    assert not any("phone" in device for device in devices)


def test_two_records_of_one_person_are_one_voice():
    tonight = evening()
    first, second = tonight.entries[:2]
    Player.objects.filter(pk=second.player_id).update(merged_into=first.player)
    report = send(tonight, tonight.players[0])
    with pytest.raises(OwnReportError):
        confirm_report(actor=tonight.players[1], report=report)
    send(tonight, tonight.players[1])
    assert status(tonight) == Table.Status.REPORTED


def done_until_refused(acts) -> int:
    """Do things until one is refused as too many; return how many were done."""
    for number, act in enumerate(acts):
        try:
            act()
        except TooManyActionsError:
            return number
    raise AssertionError("nothing was refused")


def test_what_people_say_is_compared_before_what_slips_say():
    tonight = evening()
    for seat in (1, 2):
        send(tonight, tonight.slip, tonight.sheet(seat), str(seat))
    own = send(tonight, tonight.players[2])
    found = difference_of(tonight.table, reports_of(tonight.organiser, tonight.again().table))
    assert own.uid in found["reports"]


def test_a_phone_that_never_stops_fills_neither_history_nor_disk(monkeypatch):
    """Everything that is said of a table is kept for good, and every sheet that a phone sent."""
    monkeypatch.setattr(history, "MOST_DONE", 10)
    tonight = evening()
    sender, other = tonight.players[:2]
    sheets = [tonight.sheet(0), tonight.sheet(1)] * 10
    sent = done_until_refused(partial(send, tonight, sender, sheet) for sheet in sheets)
    assert sent == Report.objects.count() == 11, "the first, and so many that replaced one"
    report = Report.objects.order_by("version").last()
    said = [dispute_report, confirm_report] * 10
    assert done_until_refused(partial(say, actor=other, report=report) for say in said) == 10
    assert Action.objects.filter(verb__in=["disputed", "confirmed"]).count() == 10
    assert dispute_report(actor=tonight.players[2], report=report).objections, "nobody else is stopped"


def test_one_voice_that_sends_ever_other_sheets_of_a_table_is_stopped_and_nobody_else(monkeypatch):
    """All of them are read whenever somebody looks at the table or sends another: an hour of them took a second."""
    monkeypatch.setattr(reports, "MOST_SHEETS", 3)
    tonight = evening()
    for number in range(3):
        send(tonight, tonight.slip, tonight.sheet(number), str(number + 1))
    with pytest.raises(TooManySheetsError):
        send(tonight, tonight.slip, tonight.sheet(3), "2")
    first, second, _third = tonight.players
    sheets = [tonight.sheet(3), tonight.sheet(4)]
    for number in range(3):
        last = send(tonight, first, sheets[number % 2])
    assert send(tonight, first, sheets[0]) == last, "sent again it is no other one"
    with pytest.raises(TooManySheetsError):
        send(tonight, first, sheets[1])
    assert send(tonight, second, sheets[0]) == last
    assert Report.objects.get(pk=last.pk).status == "final"


# --- Who changes their mind -------------------------------------------------------------------------------------


def test_who_confirms_another_sheet_speaks_for_the_first_no_more():
    tonight = evening()
    one, other, third = tonight.players
    first, second = send(tonight, one), send(tonight, other, tonight.sheet(1))
    confirm_report(actor=third, report=first)
    confirm_report(actor=third, report=second)
    withdraw_report(actor=other, report=second)
    first.refresh_from_db()
    assert first.status == "pending", "the last word of the third was for the other one"


def test_who_confirms_anothers_sheet_sends_none_of_their_own_any_more():
    tonight = evening(seats=2)
    one, other = tonight.players
    send(tonight, one)
    second = send(tonight, other, tonight.sheet(1))
    assert confirm_report(actor=one, report=second).status == "final"


def test_who_confirmed_a_slip_by_mistake_confirms_the_right_sheet():
    tonight = evening()
    one, other, _third = tonight.players
    wrong = send(tonight, tonight.slip, tonight.sheet(1), "3")
    confirm_report(actor=other, report=wrong)
    right = send(tonight, one)
    assert confirm_report(actor=other, report=right).status == "final"


def test_an_objection_survives_an_equal_sheet_with_more_evidence():
    tonight = evening()
    one, other, third = tonight.players
    first = send(tonight, one, minimal(tonight.table, tonight.sheet()))
    dispute_report(actor=third, report=first, reason="no")
    assert send(tonight, other).status == "disputed"
