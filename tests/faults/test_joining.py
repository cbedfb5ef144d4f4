"""Abuses 38 and 44: a stranger under a known name, and a phone that joins without end."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from django.db import transaction

from scoring.models import Rating, RatingChange
from scoring.rankings.ratings import store
from tests.factories import EntryFactory, EventFactory, PlayerFactory
from tests.faults.audit import settle
from tests.faults.counts import count
from tests.faults.crowds import WITHIN
from tests.faults.phones import at_once, call, organiser_token, sheet_for, token_of
from tests.scoring.evenings import Evening, evening, table_in
from tournaments.access import credentials
from tournaments.actors import NOBODY
from tournaments.models import Entry, Event
from tournaments.services import joining

FLOODER, GUESSER = "127.0.0.3", "127.0.0.4"


def link_of(entry):
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


@pytest.mark.fault(38, "a stranger plays under a known name; the real one comes later")
def test_38_a_stranger_is_unproven_and_the_real_one_takes_over(stand, ledger, figures, monkeypatch):
    there = evening(confirmation="trust")
    club = there.event.club
    ana = PlayerFactory(name="Ana", club=club)
    own = EntryFactory(event=EventFactory(club=club, status=Event.Status.FINISHED), player=ana)
    path = f"/api/v1/events/{there.event.uid}/"
    body = {"player": ana.uid, "join_code": there.event.join_code}
    stranger = call(stand.port, "POST", f"{path}entries/", body)
    assert (stranger.status, stranger.body["verified"], stranger.body["claims"]) == (201, False, ana.uid)
    entry = Entry.objects.get(uid=stranger.body["id"])
    assert not ana.entries.exclude(pk=own.pk).exists(), "nothing of the stranger's is Ana's"

    others = [EntryFactory(event=there.event) for _ in range(2)]
    table = table_in(there.table.round, [entry, *others], number=2)
    second = Evening(there.event, table, there.organiser)
    assert ledger.send(table.uid, {"report": sheet_for(second)}, stranger.body["token"]).status == 201
    settle()
    assert not RatingChange.objects.filter(placing__result__table=table).exists()
    assert not Rating.objects.filter(player__in=[ana, entry.player]).exists()
    with monkeypatch.context() as patch, transaction.atomic():  # the control: rated like any other table
        patch.setattr(store, "_unproven", lambda: Entry.objects.none().values("pk"))
        assert store.refresh(there.event.game, store.BEGINNING, dry_run=True).changes > 0
        transaction.set_rollback(True)
    proof = {"proof": link_of(own)}
    refused = call(stand.port, "POST", f"{path}entries/", body | proof)
    assert (refused.status, refused.body["can_take_back"]) == (409, True)
    began = time.monotonic()
    taken = call(stand.port, "POST", f"/api/v1/entries/{refused.body['entry']}/take-back/", proof)
    assert (taken.status, taken.body["verified"]) == (200, True)
    assert call(stand.port, "GET", "/api/v1/me/", token=stranger.body["token"]).status == 404
    assert call(stand.port, "GET", "/api/v1/me/", token=taken.body["token"]).status == 200
    settle()
    figures.recovered(began, within=20)
    assert Rating.objects.filter(player=ana).exists(), "what was played under her name is hers, and rated"
    figures.clean("unproven, not rated; taken back with a link, the stranger's phone is out")


@pytest.mark.fault(44, "joins without end by one phone; sixty wrong codes, then a right one, from one address")
def test_44_joining_is_capped_and_closable_and_a_right_code_enters(stand, ledger, figures, monkeypatch):
    there = evening()
    token, event = organiser_token(there), EventFactory(club=there.event.club)
    path, address = f"/api/v1/events/{event.uid}/", token_of(there.players[0])

    def flood(number):
        body = {"name": f"Flood {number}", "join_code": event.join_code}
        return call(stand.port, "POST", f"{path}entries/", body, address=FLOODER).status

    def honest(_):
        return call(stand.port, "GET", "/api/v1/me/", token=address).seconds

    tries = count(160, 700)
    began = time.monotonic()
    calls = [(flood, number) for number in range(tries)] + [(honest, number) for number in range(tries // 8)]
    calls.sort(key=lambda each: each[1])
    answers = at_once(lambda each: (each[0], each[0](each[1])), calls)
    minutes = 1 + int((time.monotonic() - began) // 60)
    seen = Counter(answer for which, answer in answers if which is flood)
    waits = sorted(answer for which, answer in answers if which is honest)
    usual = waits[len(waits) * 19 // 20]  # of twenty, because the phones of this test share its processor
    assert set(seen) <= {201, 429, 409}
    assert seen[201] <= min(joining.MOST_A_MINUTE * minutes, Event.USUAL_MOST_ENTRIES)
    assert usual < WITHIN

    assert call(stand.port, "PATCH", path, {"joining": "closed"}, token=token).status == 200
    closed = call(stand.port, "POST", f"{path}entries/", {"name": "Late", "join_code": event.join_code})
    assert (closed.status, closed.code) == (409, "joining-closed")
    renewed = call(stand.port, "POST", f"{path}join-code/", token=token).body["join_code"]
    assert renewed != event.join_code
    assert call(stand.port, "GET", f"/api/v1/join/{event.join_code}/").status == 404

    quiet = EventFactory(club=there.event.club)
    wrong = Counter(
        call(stand.port, "GET", "/api/v1/join/222222/", address=GUESSER).status for _ in range(count(130, 300))
    )
    assert set(wrong) == {404, 429}
    body = {"name": "Honest", "join_code": quiet.join_code}
    right = call(stand.port, "POST", f"/api/v1/events/{quiet.uid}/entries/", body, address=GUESSER)
    assert right.status == 201

    monkeypatch.setattr(joining, "MOST_A_MINUTE", 10**9)  # the control: everybody comes in
    control = EventFactory(club=there.event.club)
    for number in range(joining.A_CROWD * 2 + 5):
        joining.join(event=control, code=control.join_code, name=f"Flood {number}", actor=NOBODY, confirm_alike=True)
    assert control.entries.count() > joining.A_CROWD * 2
    figures.clean(
        f"{tries} tries: {seen[201]} in, {tries - seen[201]} refused, others within {usual:.2f} s; "
        f"{sum(wrong.values())} wrong codes, the right one in"
    )
