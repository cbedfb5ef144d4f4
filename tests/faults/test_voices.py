"""Faults 34 to 37, 41 to 43 and 45: people who speak for others, for what is over, or for nothing at all."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import socket
import threading
import time
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from core.models import StoredAnswer
from scoring import rules
from scoring.errors import ReportInvalidError
from scoring.models import Attempt, Placing, Report, Result
from scoring.services import reports
from tests.factories import EntryFactory, MembershipFactory
from tests.faults.counts import count
from tests.faults.crowds import WITHIN
from tests.faults.phones import at_once, call, evenings, organiser_token, sheet_for, token_of
from tests.scoring.evenings import evening
from tournaments.actors import Actor, Kind
from tournaments.models import Entry, Event, Membership, Round, Table
from tournaments.services import entries, events, rounds
from tournaments.services.credentials import create_token
from tournaments.services.events import lock_event

Status = Report.Status


FIVE_FIT, ONE_FITS = 550, 2_900  # entries of a hand, of sheets of which a seat has room for so many


def nonsense(there, number, entries=FIVE_FIT):
    """Return a sheet in which everything is wrong."""
    sheet = sheet_for(there)
    return sheet | {"hands": {label: {"runs": {}, "junk": [number] * entries} for label in sheet["seats"]}}


def send_nonsense(port, there, times, entries=FIVE_FIT):
    path = f"/api/v1/tables/{there.table.uid}/reports/"
    tokens = [token_of(player) for player in there.players]
    bodies = [json.dumps({"report": nonsense(there, 100 + number, entries)}).encode() for number in range(times)]
    calls = [(token, body) for token in tokens for body in bodies]
    return at_once(lambda each: call(port, "POST", path, each[1], token=each[0]), calls, workers=4)


def seconds_to_open(there):
    """Return the seconds that the organiser's page of a table takes, once everything is loaded."""
    organiser = Client(SERVER_NAME="localhost")
    organiser.force_login(there.organiser.user)
    address = f"/e/{there.event.uid}/console/table/{there.table.uid}/"
    assert organiser.get(address).status_code == 200
    began = time.monotonic()
    organiser.get(address)
    return time.monotonic() - began


@pytest.mark.fault(34, "sheets of nonsense kept as attempts, then the organiser's page of the table")
def test_34_page_of_a_table_with_attempts_opens_as_fast_as_any_other(stand, ledger, figures):
    plain, there = evening(), evening()
    answers = send_nonsense(stand.port, there, count(8, 30))
    assert {answer.code for answer in answers} == {"report-invalid"}
    kept = Attempt.objects.filter(table=there.table)
    assert kept.count() == Attempt.MOST_PER_SEAT * len(there.players)
    other, own = seconds_to_open(plain), seconds_to_open(there)
    assert own < other + WITHIN
    slowest = max(answer.seconds for answer in answers)
    figures.clean(f"{own * 1000:.0f} ms with attempts, {other * 1000:.0f} ms without; slowest refusal {slowest:.2f} s")


def test_34_45_control_without_the_cap_every_attempt_is_kept(stand, monkeypatch):
    monkeypatch.setattr(Attempt, "MOST_PER_SEAT", 1000)
    monkeypatch.setattr(Attempt, "MOST_BYTES_PER_SEAT", 1_000_000)
    there, times = evening(), 20
    for each in range(times):
        with pytest.raises(ReportInvalidError):
            reports.submit_report(actor=there.players[0], table=there.table, sheet=nonsense(there, each))
    assert Attempt.objects.filter(table=there.table).count() == times


def half_a_patch(port, path, token):
    """Send the head of a PATCH and half of its body, and leave it there."""
    phone = socket.create_connection(("127.0.0.1", port), timeout=10)
    head = (
        f"PATCH {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {token}"
    )
    phone.sendall(f'{head}\r\nContent-Length: 40\r\n\r\n{{"status": "pla'.encode())
    return phone


@pytest.mark.fault(35, "PATCHes of a table, an event and a round whose bodies do not end")
def test_35_nobody_waits_for_a_slow_body(stand, ledger, figures):
    tables = evenings(count(4, 20), confirmation="trust")
    one, token = tables[0], organiser_token(tables[0])
    event = f"/api/v1/events/{one.event.uid}/"
    slow = [
        (f"/api/v1/tables/{one.table.uid}/", token_of(one.players[0])),
        (event, token),
        (f"{event}rounds/1/", token),
    ]
    with contextlib.ExitStack() as sockets:
        for path, bearer in slow:
            sockets.enter_context(half_a_patch(stand.port, path, bearer))
        time.sleep(0.5)  # they are in the view now, or wait before it
        answers = [ledger.report(there, timeout=5) for there in tables]
    assert [answer.status for answer in answers] == [201] * len(tables)
    slowest = max(answer.seconds for answer in answers)
    assert slowest < WITHIN
    figures.clean(f"{len(tables)} reports meanwhile, slowest {slowest:.2f} s")


def test_35_control_a_lock_before_the_body_holds_everybody_up(stand):
    there = evening(confirmation="trust")
    is_locked, is_read = threading.Event(), threading.Event()

    def patch():
        try:
            with transaction.atomic():
                lock_event(there.event)
                is_locked.set()
                is_read.wait(20)  # as a body that comes slowly
        finally:
            connection.close()

    slow = threading.Thread(target=patch)
    body, token = {"report": sheet_for(there)}, token_of(there.players[0])
    slow.start()
    try:
        assert is_locked.wait(10)
        answer = call(stand.port, "POST", f"/api/v1/tables/{there.table.uid}/reports/", body, token=token)
    finally:
        is_read.set()
        slow.join()
    assert answer.status in {409, 503}
    assert answer.seconds > 1


def test_35_sheet_is_judged_before_anything_is_locked(stand, monkeypatch):
    there, seen = evening(confirmation="trust"), []
    judge = rules.judge

    def seen_to_judge(*given):
        seen.append(connection.in_atomic_block)
        return judge(*given)

    monkeypatch.setattr(rules, "judge", seen_to_judge)
    from rest_framework.test import APIClient

    phone = APIClient(headers={"Authorization": f"Bearer {token_of(there.players[0])}"})
    path = f"/api/v1/tables/{there.table.uid}/reports/"
    answer = phone.post(path, {"report": sheet_for(there)}, headers={"Idempotency-Key": "judged"})
    assert (answer.status_code, seen) == (201, [False])


@pytest.mark.fault(36, "a slip or a scorekeeper reports for two seats, and withdraws a personal sheet")
def test_36_slips_and_scorekeepers_confirm_nothing(stand, ledger, figures):
    by_slip, by_scorekeeper, personal = (evening(confirmation="confirm") for _ in range(3))
    desk = create_token(actor=by_scorekeeper.scorekeeper, name="desk")[1]
    for there, token in ((by_slip, token_of(by_slip.slip)), (by_scorekeeper, desk)):
        for seat in ("1", "2", "3"):
            body = {"report": sheet_for(there), "seat": seat}
            answer = ledger.send(there.table.uid, body, token)
            assert (answer.status, answer.body["status"]) == (201, Status.PENDING)
            confirm = call(stand.port, "POST", f"/api/v1/reports/{answer.body['id']}/confirm/", {}, token=token)
            assert confirm.status == 403
    sent = ledger.report(personal).body
    scorekeeper = create_token(actor=personal.scorekeeper, name="desk")[1]
    for token in (token_of(personal.slip), scorekeeper):
        for seat in ("1", "2"):
            body = {"report": sheet_for(personal, 1), "seat": seat}
            path = f"/api/v1/tables/{personal.table.uid}/reports/"
            assert call(stand.port, "POST", path, body, token=token).code == "sent-personally"
            path = f"/api/v1/reports/{sent['id']}/withdraw/"
            assert call(stand.port, "POST", path, {"seat": seat}, token=token).status == 403
    mine = Table.objects.filter(pk__in=[each.table.pk for each in (by_slip, by_scorekeeper, personal)])
    assert not Result.objects.filter(table__in=mine).exists()
    assert set(mine.values_list("status", flat=True)) == {Table.Status.REPORTED}
    figures.clean("nothing final, 10 refusals, the personal sheet still waits")


def test_36_control_where_seats_are_counted_a_slip_confirms_itself(stand, monkeypatch):
    there = evening(confirmation="confirm")
    monkeypatch.setattr(Report, "is_personal", True)
    monkeypatch.setattr(Report, "is_by_slip", False)
    monkeypatch.setattr(reports, "_said_personally", lambda *given: None)
    for seat in ("1", "2"):
        report = reports.submit_report(actor=there.slip, table=there.table, sheet=sheet_for(there), seat=seat)
    assert report.status == Status.FINAL


@pytest.mark.fault(37, "open play: a player seats people who never sat down")
def test_37_players_seat_themselves_alone(stand, ledger, figures):
    there = evening(format="open", confirmation="confirm", starts_at=timezone.now())
    people = [EntryFactory(event=there.event) for _ in range(3)]
    me, *others = people
    path, token = f"/api/v1/events/{there.event.uid}/tables/", token_of(Actor(Kind.ENTRY, entry=me))
    for seated in (people, others, [*others, me]):
        answer = call(stand.port, "POST", path, {"entries": [each.uid for each in seated]}, token=token)
        assert (answer.status, answer.code) == (403, "seat-others")
    assert not Round.objects.filter(event=there.event, kind=Round.Kind.OPEN).exists()
    alone = call(stand.port, "POST", path, {"entries": [me.uid]}, token=token).body
    table = f"/api/v1/tables/{alone['id']}/"
    assert call(stand.port, "PATCH", table, {"status": "playing"}, token=token).status == 422
    for other in others:
        own = token_of(Actor(Kind.ENTRY, entry=other))
        assert call(stand.port, "POST", f"{path}join/", {"code": alone["code"]}, token=own).status == 200
    assert call(stand.port, "PATCH", table, {"status": "playing"}, token=token).status == 200
    figures.clean("3 × 403; with everybody's own phone the table plays")


def test_37_control_the_club_may_seat_several(stand):
    there = evening(format="open", starts_at=timezone.now())
    people = [EntryFactory(event=there.event).uid for _ in range(3)]
    path = f"/api/v1/events/{there.event.uid}/tables/"
    assert call(stand.port, "POST", path, {"entries": people}, token=organiser_token(there)).status == 201


@pytest.mark.fault(41, "a key repeated after the link was renewed, the member removed, the role lowered")
def test_41_keys_are_answered_again_to_whoever_still_may(stand, ledger, figures):
    there = evening()
    Event.objects.filter(pk=there.event.pk).update(status=Event.Status.RUNNING)
    path = f"/api/v1/events/{there.event.uid}/entries/"
    code, seen = Event.objects.get(pk=there.event.pk).join_code, []

    def twice(body, token, change, **given):
        key = uuid4().hex
        first = call(stand.port, "POST", given.get("path", path), body, token=token, key=key)
        assert first.status in {200, 201}, first
        assert call(stand.port, "POST", given.get("path", path), body, token=token, key=key)[:2] == first[:2]
        change(first.body)
        again = call(stand.port, "POST", given.get("path", path), body, token=token, key=key)
        assert "token" not in again.body
        seen.append((again.status, again.code))

    def renew(body):
        entries.renew_link(actor=there.organiser, entry=Entry.objects.get(uid=body["id"]))

    def member(role):
        user = MembershipFactory(club=there.event.club, role=role).user
        return Actor(Kind.USER, user=user), create_token(actor=Actor(Kind.USER, user=user), name="desk")[1]

    twice({"name": "Ana", "join_code": code}, None, renew)
    removed, token = member("organiser")
    twice({"name": "Ben"}, token, lambda _: Membership.objects.filter(user=removed.user).delete())
    lowered, token = member("organiser")
    twice(
        {"name": "Cleo"},
        token,
        lambda _: Membership.objects.filter(user=lowered.user).update(role="scorekeeper"),
        path=f"/api/v1/clubs/{there.event.club.slug}/players/",
    )
    assert seen == [(409, "secret-renewed"), (403, "forbidden"), (403, "forbidden")]
    figures.clean("409 secret-renewed, 403, 403")


def test_41_control_an_answer_without_its_roles_is_given_to_anybody(stand):
    there = evening()
    user = MembershipFactory(club=there.event.club, role="organiser").user
    token, key = create_token(actor=Actor(Kind.USER, user=user), name="desk")[1], uuid4().hex
    path = f"/api/v1/events/{there.event.uid}/entries/"
    assert call(stand.port, "POST", path, {"name": "Dan"}, token=token, key=key).status == 201
    Membership.objects.filter(user=user).delete()
    assert call(stand.port, "POST", path, {"name": "Dan"}, token=token, key=key).status == 403
    StoredAnswer.objects.filter(key=key).update(grants=[])
    assert "token" in call(stand.port, "POST", path, {"name": "Dan"}, token=token, key=key).body


def cancel_round(there):
    rounds.change_status(actor=there.organiser, event=there.event, number=1, status=Round.Status.CANCELLED)


@pytest.mark.fault(42, "a sheet confirmed after its round or event was cancelled; a cancelled round reseated")
def test_42_what_is_cancelled_does_not_count(stand, ledger, figures):
    waiting, counted, ended = evening(), evening(confirmation="trust"), evening(confirmation="trust")
    sent = ledger.report(waiting).body
    for there in (counted, ended):
        assert ledger.report(there).body["status"] == Status.FINAL
    for there in (waiting, counted):
        cancel_round(there)
    events.change_status(actor=ended.organiser, event=ended.event, status="cancelled", reason="power cut")
    path = f"/api/v1/reports/{sent['id']}/confirm/"
    for token in (token_of(waiting.players[1]), organiser_token(waiting)):
        answer = call(stand.port, "POST", path, {}, token=token)
        assert (answer.status, answer.code) == (409, "round-status")
    decision = f"/api/v1/tables/{counted.table.uid}/decision/"
    body = {"report": sheet_for(counted), "reason": "it was played"}
    assert call(stand.port, "POST", decision, body, token=organiser_token(counted)).code == "round-status"
    again = rounds.open_round(actor=counted.organiser, event=counted.event, plan=rounds.Plan(tables=[counted.entries]))
    assert not Report.objects.filter(table__round=again).exists()
    assert not Placing.objects.filter(event__in=[each.event for each in (waiting, counted, ended)]).exists()
    figures.clean("3 × 409, 2 results taken back, none counted or rated")


def test_42_control_where_nobody_uncounts_the_result_stays_rated(stand, monkeypatch):
    there = evening(confirmation="trust")
    reports.submit_report(actor=there.players[0], table=there.table, sheet=sheet_for(there))
    monkeypatch.setattr(events, "_uncounters", [])
    with transaction.atomic():
        cancel_round(there)
        assert Result.objects.get(table=there.table).is_counted
        transaction.set_rollback(True)


@pytest.mark.fault(43, "`played_at` in the year 9999, 0001, before the event")
def test_43_nobody_plays_outside_of_the_event(stand, ledger, figures):
    there = evening(confirmation="trust")
    path, token = f"/api/v1/tables/{there.table.uid}/reports/", token_of(there.players[0])
    for wrong in ("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2001-01-01T00:00:00+14:00"):
        answer = call(stand.port, "POST", path, {"report": sheet_for(there), "played_at": wrong}, token=token)
        assert (answer.status, answer.code) == (400, "invalid-fields")
        assert [error["path"] for error in answer.body["errors"]] == [["played_at"]]
        assert " and 20" in answer.body["errors"][0]["message"], "it names both bounds"
    assert not Report.objects.filter(table=there.table).exists()
    assert ledger.report(there).status == 201
    figures.clean("3 × 400 with the bounds; without it the sheet counts")


def test_43_control_without_the_bounds_a_sheet_of_the_year_9999_counts(stand, monkeypatch):
    there = evening(confirmation="trust")
    monkeypatch.setattr(reports, "_require_played_within", lambda event, played_at: None)
    then = dt.datetime(9999, 12, 31, tzinfo=dt.UTC)
    with transaction.atomic():
        report = reports.submit_report(
            actor=there.players[0], table=there.table, sheet=sheet_for(there), played_at=then
        )
        assert (report.status, report.played_at) == (Status.FINAL, then)
        transaction.set_rollback(True)


@pytest.mark.fault(45, "nonsense sent as a sheet again and again")
def test_45_nonsense_fills_no_disk(stand, ledger, figures):
    there = evening()
    path, token = f"/api/v1/tables/{there.table.uid}/reports/", token_of(there.players[0])
    huge = json.dumps({"report": ["x"] * 190_000}).encode()
    assert 900_000 < len(huge) < 1_000_000
    before, times = stored_bytes(), count(20, 100)
    answers = at_once(lambda _: call(stand.port, "POST", path, huge, token=token), range(times), workers=4)
    assert {answer.status for answer in answers} == {413}
    send_nonsense(stand.port, there, times, ONE_FITS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM scoring_attempt")
    grown = stored_bytes() - before
    assert grown < 1_000_000
    assert Attempt.objects.filter(table=there.table).count() == len(there.players)
    figures.clean(f"{times} × 413; {3 * times} refused sheets of 45 kB: {grown / 1000:.0f} kB more on disk")


def stored_bytes():
    """Return what the attempts and their sheets take on disk."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('scoring_attempt')")
        return int(cursor.fetchone()[0])
