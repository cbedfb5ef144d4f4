"""Faults 1 to 7: a report is sent from a phone on bad Wi-Fi, and somebody else speaks at the same moment."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections import Counter
from contextlib import nullcontext
from functools import partial
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from core import idempotency
from core.models import StoredAnswer
from core.statements import Prepared
from scoring.models import Report
from scoring.services import counting, decisions, reports
from scoring.services.decisions import Choice
from tests.faults.counts import count
from tests.faults.phones import call, organiser_token, sheet_for, together, token_of
from tests.faults.rig_names import SERVED_BY
from tests.faults.stand import wait_for
from tests.faults.waiting import waiting_sessions
from tests.scoring.evenings import evening
from tournaments.models import Action, Event
from tournaments.services import tables

Status = Report.Status


def reset_before_answer(port, path, body, token, key):
    """Send a whole request, and reset the connection instead of reading the answer."""
    text = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {token}"
    )
    head += f"\r\nIdempotency-Key: {key}\r\nContent-Length: {len(text)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port)) as phone:
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # closing resets
        phone.sendall(head.encode() + text)


def lock_no_tables(monkeypatch):
    """Read tables without locking them: by a statement of its own, as one that is composed is kept by the process."""
    unlocked = Prepared(tables._LOCKED._make, *tables._LOCKED._types)
    monkeypatch.setattr(tables, "_locked", lambda rows: rows)
    monkeypatch.setattr(tables, "_LOCKED", unlocked)


@pytest.mark.database
@pytest.mark.fault(1, "connection reset before the answer is read, retried with the same key")
def test_01_lost_answer_is_given_again(stand, ledger, figures):
    there = evening(confirmation="trust")
    body, token, key = {"report": sheet_for(there)}, token_of(there.players[0]), uuid4().hex
    path = f"/api/v1/tables/{there.table.uid}/reports/"
    times = count(20, 200)
    for _ in range(times):
        reset_before_answer(stand.port, path, body, token, key)
    answers = [ledger.insist(there.table.uid, body, token, key) for _ in range(3)]
    assert [answer.status for answer in answers] == [201] * 3
    assert [answer.body for answer in answers] == [answers[0].body] * 3
    assert answers[0].body["status"] == Status.FINAL
    assert Report.objects.filter(table=there.table).count() == 1
    assert StoredAnswer.objects.filter(key=key).count() == 1
    figures.clean(f"{times} resets, 1 report")


@pytest.mark.database
@pytest.mark.fault(2, "threads on a barrier with one idempotency key")
def test_02_one_of_many_with_a_key_executes(stand, ledger, figures):
    there = evening(confirmation="trust")
    body, token, key = {"report": sheet_for(there)}, token_of(there.players[0]), uuid4().hex
    answers = together([lambda: ledger.send(there.table.uid, body, token, key)] * count(20, 50))
    seen = Counter((answer.status, answer.code) for answer in answers)
    assert set(seen) <= {(201, ""), (409, "idempotency-running")}
    assert len({answer.body["id"] for answer in answers if answer.status == 201}) == 1
    assert Report.objects.filter(table=there.table).count() == 1
    figures.clean(f"{seen[201, '']} stored answers, {seen[409, 'idempotency-running']} × 409")


def test_02_control_without_the_lock_both_execute(stand, monkeypatch):
    there = evening(confirmation="confirm")
    body, path = {"report": sheet_for(there)}, f"/api/v1/tables/{there.table.uid}/reports/"
    monkeypatch.setattr(idempotency, "_locked", lambda name: nullcontext())
    done, submit = threading.Barrier(2), reports.submit_judged
    lock_no_tables(monkeypatch)

    def submit_with_the_other(**given):
        done.wait(10)
        return submit(**given)

    monkeypatch.setattr(reports, "submit_judged", submit_with_the_other)

    def send():
        from rest_framework.test import APIClient

        phone = APIClient(
            raise_request_exception=False, headers={"Authorization": f"Bearer {token_of(there.players[0])}"}
        )
        return phone.post(path, body, headers={"Idempotency-Key": "the-same"}).status_code

    assert sorted(together([send, send])) == [201, 500], "both began the work: the constraint alone stopped one"


HEADERS = "Accept Accept-Language Authorization Content-Type Cookie Host If-Match If-None-Match Last-Event-ID Origin"
HEADERS += " Play-Token Referer User-Agent X-Forwarded-For X-Request-ID"


def test_03_key_that_is_not_ascii_is_refused_and_no_other_such_header_breaks_anything(stand, ledger):
    there = evening(confirmation="trust")
    path, body = f"/api/v1/tables/{there.table.uid}/reports/", {"report": sheet_for(there)}
    token = token_of(there.players[0])
    refused = call(stand.port, "POST", path, body, token=token, key="clé-du-café")
    assert (refused.status, refused.code) == (400, "idempotency-key-invalid")
    for name in HEADERS.split():
        assert 200 <= call(stand.port, "GET", "/api/v1/", headers={name: "clé"}).status < 500, name
        assert 200 <= call(stand.port, "GET", "/", headers={name: "clé"}).status < 500, name
    assert not there.table.reports.exists()


@pytest.mark.database
@pytest.mark.fault(3, "same key, another body")
def test_03_key_with_another_body_is_refused(stand, ledger, figures):
    there = evening(confirmation="confirm")
    token, key = token_of(there.players[0]), uuid4().hex
    assert ledger.send(there.table.uid, {"report": sheet_for(there)}, token, key).status == 201
    before = list(Report.objects.filter(table=there.table).values())
    refused = ledger.send(there.table.uid, {"report": sheet_for(there, 1)}, token, key)
    assert (refused.status, refused.code) == (422, "idempotency-mismatch")
    assert list(Report.objects.filter(table=there.table).values()) == before
    figures.clean("422")


@pytest.mark.fault(4, "web process killed after the key was taken, before the work")
def test_04_key_of_a_killed_process_is_free_again(stand, ledger, figures):
    there = evening(confirmation="trust")
    body, token, key = {"report": sheet_for(there)}, token_of(there.players[0]), uuid4().hex
    answers = []
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=there.event.pk)  # the work waits here, holding the key
        sender = threading.Thread(target=lambda: answers.append(ledger.send(there.table.uid, body, token, key)))
        sender.start()
        wait_for(waiting_sessions)
        os.kill(int((stand.folder / SERVED_BY).read_text()), signal.SIGKILL)
        killed = time.monotonic()
        sender.join()
    assert answers[0].status == 0, "the killed process answered nothing"
    retried = ledger.insist(there.table.uid, body, token, key, patience=20)
    figures.recovered(killed, within=5)
    assert retried.status == 201
    figures.clean("the retry succeeds")


@pytest.mark.database
@pytest.mark.fault(5, "two phones, two different sheets, on a barrier")
def test_05_two_different_sheets_are_disputed(stand, ledger, figures):
    times = count(6, 100)
    for _ in range(times):
        there = evening(confirmation="confirm")
        answers = together([partial(ledger.report, there, seat, seat=seat) for seat in (0, 1)])
        assert [answer.status for answer in answers] == [201, 201]
        stored = Report.objects.filter(table=there.table).values_list("status", flat=True)
        assert list(stored) == [Status.DISPUTED] * 2
        assert there.again().table.status == "disputed"
    figures.clean(f"{times} races, {times} disputes")


def test_05_control_without_the_lock_both_are_the_first(stand, monkeypatch):
    there = evening(confirmation="confirm")
    both_read, next_version = threading.Barrier(2), reports.next_version

    def next_version_with_the_other(table):
        version = next_version(table)
        both_read.wait(10)
        return version

    monkeypatch.setattr(reports, "next_version", next_version_with_the_other)
    lock_no_tables(monkeypatch)

    def send(seat):
        try:
            reports.submit_report(actor=there.players[seat], table=there.table, sheet=there.sheet(seat))
        except IntegrityError:
            return "refused by the database"
        return "stored"

    assert sorted(together([lambda: send(0), lambda: send(1)])) == ["refused by the database", "stored"]
    assert there.again().table.status == "reported", "no dispute was seen: a sheet was lost"


@pytest.mark.fault(6, "own, repeated and late confirmations")
def test_06_confirmations_out_of_turn(stand, ledger, figures):
    there = evening(confirmation="organiser")
    first = ledger.report(there).body["id"]

    def confirm(report, seat):
        return call(stand.port, "POST", f"/api/v1/reports/{report}/confirm/", {}, token=token_of(there.players[seat]))

    own = confirm(first, 0)
    assert (own.status, own.code) == (403, "own-report")
    once, again = confirm(first, 1), confirm(first, 1)
    assert (once.status, once.body) == (200, again.body)
    assert len(again.body["confirmations"]) == 1
    assert ledger.report(there, 1).status == 201
    late = confirm(first, 1)
    assert (late.status, late.code) == (409, "report-status")
    figures.clean("403 / same answer / 409")


def decide_and_confirm(ledger):
    """Let an organiser decide and a player confirm at the same moment; return what the player was answered."""
    there = evening(confirmation="confirm")
    report = ledger.report(there).body["id"]
    decision = {"report": sheet_for(there, 1), "reason": "The sheet was misread."}
    post = partial(call, ledger.port, "POST")
    decided, confirmed = together(
        [
            partial(post, f"/api/v1/tables/{there.table.uid}/decision/", decision, token=organiser_token(there)),
            partial(post, f"/api/v1/reports/{report}/confirm/", {}, token=token_of(there.players[1])),
        ]
    )
    assert decided.status == 200
    final = Report.objects.get(table=there.table, status=Status.FINAL)
    assert final.uid == decided.body["report"]["id"]
    verbs = set(Action.objects.filter(table=there.table).values_list("verb", flat=True))
    assert verbs & {"confirmed", "confirmed-too-late"}
    assert verbs & {"result-final", "result-corrected"}
    return confirmed.status


@pytest.mark.fault(7, "organiser's decision racing a confirmation")
def test_07_decision_stands_whoever_comes_first(stand, ledger, figures):
    orders = Counter(decide_and_confirm(ledger) for _ in range(count(6, 100)))
    assert orders.keys() <= {200, 409}
    figures.clean(f"confirmed first {orders[200]}, decided first {orders[409]}")


def test_07_control_without_the_lock_the_confirmation_counts_a_second_result(stand, monkeypatch):
    there = evening(confirmation="confirm")
    report = reports.submit_report(actor=there.players[0], table=there.table, sheet=there.sheet())
    confirming, decided, settle = threading.Event(), threading.Event(), reports.settle

    def settle_after_the_decision(**given):
        live = counting.live_reports(given["table"])
        confirming.set()
        decided.wait(10)
        monkeypatch.setattr(counting, "live_reports", lambda table: live)
        return settle(**given)

    def decide():
        confirming.wait(10)
        choice = Choice(sheet=there.sheet(1))
        final = decisions.decide_table(actor=there.organiser, table=there.table, choice=choice, reason="Misread.")
        decided.set()
        return final

    monkeypatch.setattr(reports, "settle", settle_after_the_decision)
    lock_no_tables(monkeypatch)
    with pytest.raises(IntegrityError, match="scoring_report_one_final"):
        together([lambda: reports.confirm_report(actor=there.players[1], report=report), decide])
