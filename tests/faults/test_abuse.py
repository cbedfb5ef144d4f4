"""Faults 23 to 29: guessing, smuggling, crowds, and bodies and names that are no such thing.

24, every route and every caller, is `tests/api/test_permissions.py`. 27 is `tests/tournaments/test_webhooks.py`; here,
that a receiver who hangs holds up no computation.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

from core.ids import new_id
from scoring.models import Report
from tests.factories import EventFactory, RoundFactory, WebhookFactory
from tests.faults.audit import settle
from tests.faults.counts import count
from tests.faults.phones import at_once, call, evenings, organiser_token, sheet_for, token_of
from tests.scoring.evenings import evening, table_in
from tournaments.access import credentials
from tournaments.models import Entry, Event, Player, Round
from tournaments.services.rounds import change_status

GUESSER = "127.0.0.2"


def guess(port):
    """Call with a token that looks right and is not; return the answer without the id of the request."""
    kind = secrets.choice([credentials.ENTRY, credentials.TABLE])
    token = kind + new_id() + secrets.token_hex(credentials.MAC_LENGTH // 2)
    answer = call(port, "GET", "/api/v1/me/", token=token, address=GUESSER)
    return answer.status, tuple(sorted((key, str(value)) for key, value in answer.body.items() if key != "request_id"))


@pytest.mark.fault(23, "guessed tokens; tokens of a closed round, of another table, of an event that is over")
def test_23_tokens_cannot_be_guessed_and_end(stand, ledger, figures):
    one, other = evenings(2, confirmation="trust")
    port, path = stand.port, f"/api/v1/tables/{one.table.uid}/reports/"
    body = {"report": sheet_for(one), "seat": "1"}
    assert call(port, "POST", path, body, token=token_of(other.players[0])).status == 403
    assert call(port, "POST", path, body, token=token_of(other.slip)).status == 403
    for each in (one, other):
        assert ledger.report(each).status == 201
    change_status(actor=one.organiser, event=one.event, number=1, status=Round.Status.CLOSED)
    assert call(port, "POST", path, body, token=token_of(one.slip)).status == 410
    Event.objects.filter(pk=one.event.pk).update(status=Event.Status.FINISHED)
    assert call(port, "POST", path, body, token=token_of(one.slip)).status == 410
    assert call(port, "POST", path, body, token=token_of(one.players[0])).status == 410
    guesses = count(400, 10_000)
    answers = Counter(at_once(lambda _: guess(port), range(guesses)))
    assert Counter(status for status, _ in answers).keys() == {404, 429}
    assert sum(status == 404 for status, _ in answers) == 1, "every wrong token is answered alike"
    genuine = call(port, "GET", "/api/v1/me/", token=token_of(evening().players[0]), address=GUESSER)
    assert genuine.status == 200, "the house the guesser sits in goes on"
    throttled = sum(number for (status, _), number in answers.items() if status == 429)
    figures.clean(f"{guesses} guesses, {guesses - throttled} × the same 404, {throttled} × 429")


@pytest.mark.fault(25, "fields smuggled into a POST")
def test_25_smuggled_fields_change_nothing(stand, ledger, figures):
    there = evening(confirmation="confirm")
    token = token_of(there.players[0])
    smuggled = {"status": "final", "version": 9, "entry": there.entries[1].uid, "user": 1, "flags": [], "verdict": {}}
    answer = ledger.send(there.table.uid, {"report": sheet_for(there), **smuggled}, token)
    assert (answer.status, answer.body["code"]) == (400, "unknown-field")
    assert not Report.objects.filter(table=there.table).exists()
    elsewhere = EventFactory()
    open_event = EventFactory(club=there.event.club)
    body = {"name": "Ana", "join_code": open_event.join_code, "rating": 3000, "club": elsewhere.club.slug}
    body |= {"status": "dropped", "event": elsewhere.uid, "generation": 7, "id": "mine", "is_verified": True}
    joined = call(stand.port, "POST", f"/api/v1/events/{open_event.uid}/entries/", body)
    assert (joined.status, joined.body["code"]) == (400, "unknown-field")
    assert not Entry.objects.filter(event__in=[open_event, elsewhere]).exists()
    figures.clean("refused, each by its name")


@pytest.mark.fault(26, "honest phones behind one address")
def test_26_full_house_is_not_throttled(stand, ledger, figures):
    event = EventFactory()
    path = f"/api/v1/events/{event.uid}/"

    def honest(number):
        body = {"name": f"Phone {number} {uuid4().hex[:6]}", "join_code": event.join_code}
        seen = [call(stand.port, "GET", f"/api/v1/join/{event.join_code}/")]
        seen.append(call(stand.port, "POST", f"{path}entries/", body))
        token = seen[-1].body["token"]
        seen += [call(stand.port, "GET", each, token=token) for each in (path, f"{path}entries/", "/api/v1/me/") * 3]
        return {answer.status for answer in seen}

    phones = count(30, 60)
    seen = set.union(*at_once(honest, range(phones)))
    assert seen <= {200, 201}
    figures.clean(f"{phones} phones, {11 * phones} requests, no 429")


@pytest.mark.fault(27, "webhook whose receiver hangs")
def test_27_hanging_receiver_holds_up_no_computation(stand, ledger, figures):
    settle()
    tables = evenings(count(4, 10), confirmation="trust")
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and says nothing
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        webhooks = [WebhookFactory(club=tables[0].event.club, url=url) for _ in range(5)]
        sent = time.monotonic()
        for there in tables:
            assert ledger.report(there).status == 201
        settle()
        figures.recovered(sent, within=20)
        for webhook in webhooks:
            webhook.delete()
    figures.clean(f"{len(tables)} results computed meanwhile")


NAMES = {
    "markup": "<script>alert(1)</script>",
    "formula": "=1+1",
    "long": "x" * 10_000,
    "right to left": "\u202eevil\u202d",
    "NUL": "a\0b",
    "lone surrogate": "a\ud800b",
    "only spaces": "\u3000 \u200b",
}


@pytest.mark.fault(28, "names that are markup, formulas, too long, invisible or no text")
def test_28_odd_names_are_refused_or_harmless(stand, ledger, figures):
    there = evening()
    token = organiser_token(there)
    event = EventFactory(club=there.event.club)
    path = f"/api/v1/events/{event.uid}/entries/"
    seen: Counter[str] = Counter()
    for label, name in NAMES.items():
        answer = call(stand.port, "POST", path, {"name": name}, token=token)
        assert answer.status in {201, 400, 422}, (label, answer)
        seen["taken" if answer.status == 201 else "refused"] += 1
    stored = Player.objects.filter(entries__event=event).values_list("name", flat=True)
    assert all(len(name) <= 100 and name.isprintable() for name in stored)
    listed = call(stand.port, "GET", f"{path}?format=csv", token=token)
    assert listed.status == 200
    cells = [cell.strip('"') for line in listed.body.decode().splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    table = table_in(RoundFactory(event=event, status=Round.Status.RUNNING), list(event.entries.all()))
    for page in (f"/e/{event.uid}/", f"/e/{event.uid}/table/{table.uid}/"):
        html = call(stand.port, "GET", page).body.decode()
        assert "&lt;script&gt;alert(1)" in html, page
        assert "<script>alert" not in html, page
    figures.clean(f"{seen['taken']} taken and harmless, {seen['refused']} refused")


BODIES = {
    "10 MB": (b'{"report": "' + b"x" * 10_000_000 + b'"}', 413),
    "depth 10,000": (b"[" * 10_000 + b"]" * 10_000, 400),
    "key twice": (b'{"report": {}, "report": {}}', 400),
    "NaN": (b'{"report": NaN}', 400),
    "not UTF-8": (b'{"report": "\xff"}', 400),
    "endless number": (b"9" * 60_000, 400),
    "larger than a sheet": (b"9" * 100_000, 413),
}


def memory_of(pids):
    """Return the memory that processes hold, in megabytes."""
    lines = "".join(Path(f"/proc/{pid}/status").read_text() for pid in pids).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


@pytest.mark.fault(29, "bodies that are too large, too deep or no JSON")
def test_29_odd_bodies_are_refused_quickly(stand, ledger, figures):
    there = evening()
    path, token = f"/api/v1/tables/{there.table.uid}/reports/", token_of(there.players[0])

    def send_all():
        for label, (body, status) in BODIES.items():
            answer = call(stand.port, "POST", path, body, token=token)
            assert (label, answer.status) == (label, status)
            assert answer.seconds < 2

    at_once(lambda _: send_all(), range(8))
    before = memory_of(stand.web_workers())
    at_once(lambda _: send_all(), range(count(4, 40)), workers=4)
    grown = memory_of(stand.web_workers()) - before
    assert grown < 60
    assert not Report.objects.filter(table=there.table).exists()
    figures.clean(f"memory grew by {max(grown, 0):.0f} MB")
