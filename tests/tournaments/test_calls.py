"""Calls for the organiser, seats mended by two phones, and a clock that stops."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from tests.api.callers import bearer
from tests.factories import EntryFactory, MembershipFactory
from tests.scoring.evenings import evening, table_in
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.errors import CallClosedError, ForbiddenError, RoundStatusError, SeatingInvalidError
from tournaments.models import Call, Player, Round, Table
from tournaments.services import calls, rounds, tables
from tournaments.services.credentials import create_token
from tournaments.services.people import anonymise_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def tonight():
    """Two tables of a running round."""
    found = evening(seats=3, round_minutes=30)
    found.second = table_in(found.table.round, [EntryFactory(event=found.event) for _ in range(3)], 2)
    return found


def player(table, position=1):
    return Actor(Kind.ENTRY, entry=table.seats.select_related("entry__event").get(position=position).entry)


def call(actor, table, **said):
    return calls.call_organiser(actor=actor, table=table, **{"kind": "question", **said})[0]


def shown(table):
    return Table.objects.get(pk=table.pk).call


def names(table):
    return [seat.entry.name for seat in table.seats.select_related("entry").order_by("position")]


def called_for(entry, table, client):
    """Return what the page says by which a player calls the organiser."""
    client.get(f"/me/{credentials.derive(credentials.ENTRY, entry.uid, entry.generation)}/")
    return client.get(f"/e/{table.round.event.uid}/table/{table.uid}/call/").content.decode()


# --- Calls ------------------------------------------------------------------------------------------------------


def test_a_call_is_seen_by_the_table_and_answered_by_the_club(tonight):
    version = tonight.table.version
    made = call(player(tonight.table), tonight.table, text="  who   begins? ")
    assert (made.status, made.text, shown(tonight.table)) == ("open", "who begins?", "open")
    assert Table.objects.get(pk=tonight.table.pk).version > version
    calls.answer(actor=tonight.scorekeeper, call=made, status="coming")
    assert shown(tonight.table) == "coming"
    calls.answer(actor=tonight.organiser, call=made, status="done")
    assert shown(tonight.table) == ""
    with pytest.raises(CallClosedError):
        calls.answer(actor=tonight.organiser, call=made, status="coming")


def test_who_calls_again_changes_their_call_and_another_has_their_own(tonight):
    first = call(player(tonight.table), tonight.table)
    again, is_new = calls.call_organiser(
        actor=player(tonight.table), table=tonight.table, kind="problem", text="a card is missing"
    )
    assert (again.pk, is_new) == (first.pk, False)
    call(player(tonight.table, 2), tonight.table)
    call(tonight.slip, tonight.table)
    call(tonight.slip, tonight.table, kind="problem")
    assert Call.objects.count() == 3


def test_only_the_table_and_the_club_call_and_only_while_the_round_is_on(tonight):
    for stranger in (player(tonight.second), Actor(Kind.TABLE, table=tonight.second)):
        with pytest.raises(ForbiddenError):
            call(stranger, tonight.table)
    for status in ("closed", "draft", "cancelled"):
        Round.objects.update(status=status)
        with pytest.raises(RoundStatusError):
            call(tonight.organiser, tonight.table)


def test_a_player_takes_back_their_own_call_and_nobody_elses(tonight):
    made = call(player(tonight.table), tonight.table)
    for status in ("coming", "agreed"):
        with pytest.raises(ForbiddenError):
            calls.answer(actor=player(tonight.table), call=made, status=status)
    with pytest.raises(ForbiddenError):
        calls.answer(actor=player(tonight.table, 2), call=made, status="done")
    assert calls.answer(actor=player(tonight.table), call=made, status="done").status == "done"


def test_seats_are_exchanged_when_the_other_agrees(tonight):
    ana, bo = player(tonight.table, 1), player(tonight.second, 3)
    before = names(tonight.table), names(tonight.second)
    made = call(ana, tonight.table, other=bo.entry)
    assert (made.kind, shown(tonight.table), shown(tonight.second)) == ("seats", "open", "asked")
    with pytest.raises(ForbiddenError):
        calls.answer(actor=ana, call=made, status="agreed")
    with pytest.raises(ForbiddenError):
        calls.answer(actor=player(tonight.second, 1), call=made, status="agreed")
    calls.answer(actor=bo, call=made, status="agreed")
    assert names(tonight.table) == [bo.entry.name, *before[0][1:]]
    assert names(tonight.second) == [*before[1][:2], ana.entry.name]
    assert (shown(tonight.table), shown(tonight.second)) == ("", "")


def test_who_sits_at_the_same_table_is_asked_too(tonight, client):
    ana, bo = player(tonight.table, 1), player(tonight.table, 2)
    before = names(tonight.table)
    made = call(ana, tonight.table, other=bo.entry)
    assert shown(tonight.table) == "asked"
    assert "Yes, we did" in called_for(bo.entry, tonight.table, client)
    calls.answer(actor=bo, call=made, status="refused")
    assert shown(tonight.table) == "open"
    call(ana, tonight.table, other=bo.entry)
    calls.answer(actor=bo, call=made, status="agreed")
    assert names(tonight.table) == [bo.entry.name, ana.entry.name, before[2]]
    assert shown(tonight.table) == ""


def test_in_open_play_nobody_is_offered_an_exchange_that_would_be_refused(tonight, client):
    assert "I sit on the seat of" in called_for(tonight.entries[0], tonight.table, client)
    Round.objects.update(kind=Round.Kind.OPEN)
    assert "I sit on the seat of" not in called_for(tonight.entries[0], tonight.table, client)


def test_the_organiser_exchanges_seats_too_and_a_no_stays_a_call(tonight):
    ana, bo = player(tonight.table, 1), player(tonight.second, 1)
    made = call(ana, tonight.table, other=bo.entry)
    calls.answer(actor=bo, call=made, status="refused")
    assert (shown(tonight.table), shown(tonight.second)) == ("open", "")
    with pytest.raises(CallClosedError):
        calls.answer(actor=tonight.organiser, call=made, status="agreed")
    call(ana, tonight.table, other=bo.entry)
    calls.answer(actor=tonight.scorekeeper, call=made, status="agreed")
    assert bo.entry.name in names(tonight.table)


def test_seats_of_a_table_with_a_sheet_stay(tonight):
    ana, bo = player(tonight.table, 1), player(tonight.second, 1)
    made = call(ana, tonight.table, other=bo.entry)
    Table.objects.filter(pk=tonight.second.pk).update(status="reported")
    with pytest.raises(SeatingInvalidError):
        calls.answer(actor=bo, call=made, status="agreed")
    assert ana.entry.name in names(tonight.table)
    with pytest.raises(SeatingInvalidError):
        call(ana, tonight.table, other=ana.entry)
    with pytest.raises(SeatingInvalidError):
        call(ana, tonight.table, other=EntryFactory(event=tonight.event))


def test_a_forgotten_name_is_in_no_call(tonight):
    owner = Actor(Kind.USER, user=MembershipFactory(club=tonight.event.club, role="owner").user)
    entry = tonight.entries[0]
    Player.objects.filter(pk=entry.player.pk).update(home=tonight.event.club)
    made = call(player(tonight.table, 2), tonight.table, text=f"{entry.name} left")
    anonymise_player(actor=owner, player=Player.objects.get(pk=entry.player.pk))
    made.refresh_from_db()
    assert entry.name not in made.text


def test_calls_through_the_api(tonight):
    entry = tonight.entries[0]
    phone = bearer(credentials.derive(credentials.ENTRY, entry.uid, entry.generation))
    path = f"/api/v1/tables/{tonight.table.uid}/calls/"
    made = phone.post(path, {"kind": "problem", "text": "wrong seats"})
    assert made.status_code == 201
    assert made.json().items() >= {"kind": "problem", "status": "open", "text": "wrong seats"}.items()
    assert phone.post(path, {"kind": "seats"}).status_code == 200
    assert phone.post(path, {"kind": "loud"}).status_code == 400
    organiser = bearer(create_token(actor=tonight.organiser, name="t")[1])
    one = f"/api/v1/calls/{made.json()['id']}/"
    assert phone.patch(one, {"status": "coming"}).status_code == 403
    assert organiser.patch(one, {"status": "coming"}).json()["status"] == "coming"
    assert phone.get(path).json()[0]["status"] == "coming"
    assert len(organiser.get(f"/api/v1/events/{tonight.event.uid}/calls/").json()) == 1
    assert organiser.patch(f"{path}{made.json()['id']}/", {"status": "done"}).json()["status"] == "done"
    assert organiser.patch(one, {"status": "coming"}).status_code == 409
    other = tonight.second.seats.select_related("entry").get(position=1).entry
    asked = phone.post(path, {"other": other.uid}).json()
    theirs = bearer(credentials.derive(credentials.ENTRY, other.uid, other.generation))
    assert theirs.patch(f"/api/v1/calls/{asked['id']}/", {"status": "agreed"}).json()["status"] == "done"
    stranger = bearer(create_token(actor=Actor(Kind.USER, user=MembershipFactory().user), name="t")[1])
    assert stranger.patch(one, {"status": "done"}).status_code == 404


# --- The clock --------------------------------------------------------------------------------------------------


def started(tonight, minutes_ago):
    begun = timezone.now() - dt.timedelta(minutes=minutes_ago)
    Round.objects.update(minutes=30, started_at=begun)
    return Round.objects.get()


def test_a_stopped_clock_keeps_what_is_left_and_goes_on_from_there(tonight):
    started(tonight, 10)
    paused = rounds.pause(actor=tonight.scorekeeper, event=tonight.event, number=1)
    assert 1195 <= paused.seconds_left <= 1200
    again = rounds.pause(actor=tonight.scorekeeper, event=tonight.event, number=1)
    assert again.paused_at == paused.paused_at
    Round.objects.update(paused_at=paused.paused_at - dt.timedelta(minutes=3))
    resumed = rounds.resume(actor=tonight.organiser, event=tonight.event, number=1)
    assert resumed.seconds_left is None
    assert 178 <= resumed.paused_seconds <= 185
    assert resumed.ends_at == resumed.started_at + dt.timedelta(minutes=30, seconds=resumed.paused_seconds)
    assert rounds.resume(actor=tonight.organiser, event=tonight.event, number=1).version == resumed.version


def test_one_table_gets_more_time_than_the_others(tonight):
    current = started(tonight, 10)
    tables.extend_table(actor=tonight.scorekeeper, table=tonight.table, minutes=5)
    first, second = Table.objects.select_related("round").order_by("number")
    assert first.ends_at == current.ends_at + dt.timedelta(minutes=5)
    assert second.ends_at == current.ends_at
    with pytest.raises(ForbiddenError):
        tables.extend_table(actor=player(tonight.table), table=tonight.table, minutes=5)


def test_a_clock_that_does_not_run_is_not_stopped(tonight):
    Round.objects.update(status="seated")
    with pytest.raises(RoundStatusError):
        rounds.pause(actor=tonight.organiser, event=tonight.event, number=1)


def test_the_clock_through_the_api(tonight):
    started(tonight, 10)
    organiser = bearer(create_token(actor=tonight.organiser, name="t")[1])
    path = f"/api/v1/events/{tonight.event.uid}/rounds/1/"
    assert organiser.patch(path, {"clock": "paused"}).json()["paused_at"]
    assert organiser.patch(path, {"clock": "running"}).json()["paused_at"] is None
    table = f"/api/v1/tables/{tonight.table.uid}/"
    assert organiser.patch(table, {"extend": 5}).json()["extra_minutes"] == 5


def test_phones_and_console_show_calls_and_clocks(tonight, client):
    started(tonight, 10)
    entry = tonight.entries[0]
    client.get(f"/me/{credentials.derive(credentials.ENTRY, entry.uid, entry.generation)}/")
    address = f"/e/{tonight.event.uid}/table/{tonight.table.uid}/call/"
    assert "I sit on the seat of" in client.get(address).content.decode()
    client.post(
        address, {"do": "call", "kind": "seats", "text": "hm", "other": tonight.second.seats.first().entry.uid}
    )
    home = client.get(f"/e/{tonight.event.uid}/me/").content.decode()
    assert "The organiser was called" in home
    assert "data-ends" in home
    client.force_login(tonight.organiser.user)
    console = client.get(f"/e/{tonight.event.uid}/console/").content.decode()
    assert "Exchange their seats" in console
    made = Call.objects.get()
    act = f"/e/{tonight.event.uid}/console/table/{tonight.table.uid}/act/"
    client.post(act, {"do": "coming", "call": made.uid})
    client.post(act, {"do": "extend"})
    client.post(f"/e/{tonight.event.uid}/console/1/act/", {"do": "pause"})
    tonight.again()
    assert (tonight.table.call, tonight.table.extra_minutes) == ("coming", 5)
    home = client.get(f"/e/{tonight.event.uid}/me/").content.decode()
    assert "The organiser is coming" in home
    assert "data-paused" in home
    client.post(address, {"do": "done", "call": made.uid})
    made.refresh_from_db()
    assert made.status == "done"
