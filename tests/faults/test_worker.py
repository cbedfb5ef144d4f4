"""Faults 12 to 14 and 21: computations that die, come twice, kill, or overtake each other."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest
from celery import current_app
from django.db import IntegrityError, connection, transaction

from core import computations
from scoring import rules, tasks
from scoring.models import Report, StandingRow
from scoring.rankings.ratings import store as ratings
from scoring.rankings.standings import store as standings
from scoring.services import decisions, reports
from scoring.services.decisions import Choice
from tests.factories import RoundFactory
from tests.faults.audit import audit, settle
from tests.faults.counts import count
from tests.faults.phones import call, evenings, organiser_token, sheet_for, together
from tests.faults.rig_names import DIE_COMPUTING
from tests.faults.stand import wait_for
from tests.faults.waiting import waiting_sessions
from tests.scoring.evenings import Evening, evening, table_in
from tournaments.models import Round

GAME = "dix"


@pytest.mark.fault(12, "worker killed in the middle of a computation")
def test_12_killed_computation_is_done_again(stand, ledger, figures):
    for written in ("scoring_standingrow", "scoring_ratingchange"):  # whoever waits gives up soon, so one at a time
        settle()
        there = evening(confirmation="trust")
        with transaction.atomic(), connection.cursor() as cursor:
            # The computation has read everything and stops at its first change.
            cursor.execute(f"LOCK TABLE {written} IN EXCLUSIVE MODE")
            assert ledger.report(there).status == 201
            wait_for(waiting_sessions)
            stand.kill("worker")
        killed = time.monotonic()
        stand.start("worker")
        settle()
        figures.recovered(killed, within=60)
    figures.clean("claimed again after the lease")


@pytest.mark.fault(13, "the same task twice, late, and beside another")
def test_13_tasks_may_repeat(stand, ledger, figures):
    tables = evenings(count(6, 20), confirmation="trust")
    uid = tables[0].event.uid
    kinds = [(computations.Kind.STANDINGS, uid), (computations.Kind.RATINGS, GAME)]

    def send_tasks():
        for kind, key in kinds * len(tables):
            current_app.send_task(tasks.refresh.name, (kind, key))
            tasks.refresh(kind, key)

    def compute():
        for _ in tables:
            standings.refresh(uid)

    together(
        [
            lambda: [ledger.report(each) for each in tables],
            send_tasks,
            compute,
            lambda: [ratings.refresh(GAME) for _ in tables],
        ]
    )
    settle()
    for kind, key in kinds:  # late: nothing is left to do
        tasks.refresh(kind, key)
    figures.clean(f"{4 * len(tables)} tasks beside {2 * len(tables)} others")


def test_13_control_without_turns_two_computations_collide(stand, monkeypatch):
    there = evening(confirmation="trust")
    reports.submit_report(actor=there.players[0], table=there.table, sheet=there.sheet())
    settle()
    # Without old rows neither waits for the other to delete them, so both are sure to write at the same time.
    StandingRow.objects.filter(event=there.event).delete()
    both_read, rows_of = threading.Barrier(2), standings._rows

    def rows_with_the_other(*given):
        rows = rows_of(*given)
        both_read.wait(10)
        yield from rows

    monkeypatch.setattr(standings, "_rows", rows_with_the_other)
    monkeypatch.setattr(standings, "advisory_lock", lambda kind, key: None)

    def refresh():
        try:
            standings.refresh(there.event.uid)
        except IntegrityError:
            return "collided"
        return "written"

    assert sorted(together([refresh, refresh])) == ["collided", "written"]


@pytest.mark.fault(14, "a task that kills its worker")
def test_14_deadly_task_is_parked(stand, ledger, figures):
    settle()
    deadly, other = evening(confirmation="trust"), evening(confirmation="trust")
    stand.arm(DIE_COMPUTING, deadly.event.uid)
    assert ledger.report(deadly).status == 201
    began = time.monotonic()
    assert ledger.report(other).status == 201
    wait_for(lambda: computations.is_up_to_date(computations.Kind.STANDINGS, other.event.uid))
    other_seconds = time.monotonic() - began
    (parked,) = wait_for(lambda: list(computations.parked()), 180)
    assert parked.key == deadly.event.uid
    deaths = stand.struck(DIE_COMPUTING)
    assert deaths == computations.MOST_ATTEMPTS
    stand.disarm(DIE_COMPUTING)
    computations.retry(parked)
    settle()
    figures.clean(f"{deaths} attempts, then parked; other work done in {other_seconds:.1f} s")


def five_rounds():
    """Return the tables of an event whose five rounds of three tables are all final."""
    tables = evenings(3, confirmation="trust")
    event, entries = tables[0].event, [entry for each in tables for entry in each.entries]
    played = []
    for number in range(1, 6):
        for place, each in enumerate(tables):
            reports.submit_report(actor=each.players[0], table=each.table, sheet=sheet_for(each, (number + place) % 5))
        played += tables
        Round.objects.filter(event=event).update(status=Round.Status.CLOSED)
        current = RoundFactory(event=event, number=number + 1, status=Round.Status.RUNNING)
        tables = [
            Evening(event, table_in(current, entries[place::3], place + 1), tables[0].organiser) for place in range(3)
        ]
    return played


def another_winner(there):
    """Return a legal sheet of a table that ranks it otherwise than its final one."""
    final = there.table.reports.get(status=Report.Status.FINAL)
    ranks = {row["seat"]: row["rank"] for row in final.standings}
    for number in range(1, 20):
        sheet = sheet_for(there, number)
        verdict = rules.judge(there.table, sheet)
        if {row.seat: row.rank for row in verdict.standings or ()} != ranks:
            return sheet
    raise AssertionError("all of these games end alike")


def correct_beside_results(ledger):
    """Correct a table of round 1 after round 5, while tables of another event become final."""
    first, others = five_rounds()[0], evenings(6, confirmation="trust")
    body = {"report": another_winner(first), "reason": "Two scores were swapped."}
    path, laptop = f"/api/v1/tables/{first.table.uid}/decision/", organiser_token(first)
    corrected, *reported = together(
        [
            partial(call, ledger.port, "POST", path, body, token=laptop),
            *(partial(ledger.report, each) for each in others),
        ]
    )
    assert corrected.status == 200
    assert corrected.body["rounds_seated_after"] == [2, 3, 4, 5, 6]
    assert {answer.status for answer in reported} == {201}


@pytest.mark.fault(21, "correction of round 1 after round 5, beside new results")
def test_21_correction_beside_new_results_equals_a_rebuild(stand, ledger, figures):
    times = count(2, 10)
    for _ in range(times):
        correct_beside_results(ledger)
    figures.clean(f"{times} corrections beside {6 * times} results")


def test_21_control_without_the_place_in_the_order_ratings_stay_wrong(stand, monkeypatch):
    first = five_rounds()[0]
    settle()
    mark_all = computations.mark_all
    with monkeypatch.context() as patched:
        patched.setattr(
            computations, "mark_all", lambda changes: mark_all([each._replace(since=None) for each in changes])
        )
        choice = Choice(sheet=another_winner(first))
        decisions.decide_table(actor=first.organiser, table=first.table, choice=choice, reason="Swapped.")
        settle()
        assert audit().different > 0
    result = first.table.result
    with transaction.atomic():
        computations.mark(computations.Kind.RATINGS, GAME, computations.Since(result.first_final_at, result.pk))
    settle()
    assert audit().is_clean
