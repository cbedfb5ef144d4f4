"""What callers show, and what a request that comes twice is answered."""

from __future__ import annotations

import datetime as dt
import threading
import time

import pytest
from django.db import connection, transaction
from django.utils import timezone

from api import idempotency
from core import brute_force
from core.idempotency import SecretRenewedError
from core.models import StoredAnswer
from tests.api.callers import bearer
from tests.factories import PlayerFactory
from tests.tournaments.events import enter, event_of, seat
from tournaments.access import credentials
from tournaments.actors import NOBODY
from tournaments.models import Credential, Entry, Event, Player, Round

ME = "/api/v1/me/"
PLAYERS = "/api/v1/clubs/cafe-meeple/players/"
KEY = {"Idempotency-Key": "first"}


# --- Players' links and tables' slips ---------------------------------------------------------------------------


@pytest.fixture(params=["entry", "table"])
def holder(request, cast):
    """An entry or a table, each with a secret."""
    entry = enter(event_of(cast.club), PlayerFactory(name="Ana", club=cast.club))
    if request.param == "entry":
        return entry
    table = seat(entry).table
    Round.objects.update(status=Round.Status.RUNNING)
    return table


def secret_of(holder, generation=0):
    prefix = credentials.ENTRY if isinstance(holder, Entry) else credentials.TABLE
    return credentials.derive(prefix, holder.uid, generation or holder.generation)


def test_a_genuine_secret_says_who_one_is(holder):
    kind = "entry" if isinstance(holder, Entry) else "table"
    answer = bearer(secret_of(holder)).get(ME).json()
    assert (answer["kind"], answer[kind], answer["clubs"]) == (kind, holder.uid, [])


def test_wrong_secrets_are_all_answered_alike(holder):
    genuine = secret_of(holder)
    other_kind = {"lse_": "lst_", "lst_": "lse_"}[genuine[:4]] + genuine[4:]
    wrong = [
        secret_of(holder, 2),
        other_kind,
        genuine[:-1],
        genuine + "0",
        genuine[:4],
        "lse_" + "2" * 48,
        "lsx_abc",
        "",
    ]
    answers = [bearer(secret).get(ME) for secret in wrong]
    assert {answer.status_code for answer in answers} == {404}
    bodies = [{name: value for name, value in answer.json().items() if name != "request_id"} for answer in answers]
    assert bodies == [bodies[0]] * len(bodies)


def test_raising_the_generation_revokes(holder):
    old = secret_of(holder)
    type(holder).objects.update(generation=2)
    assert bearer(old).get(ME).status_code == 404
    assert bearer(secret_of(holder, 2)).get(ME).status_code == 200


def test_a_rotated_server_key_keeps_links_alive(holder, settings):
    old = secret_of(holder)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "y" * 60, [settings.SECRET_KEY]
    assert bearer(old).get(ME).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert bearer(old).get(ME).status_code == 404


def test_links_and_slips_end_with_the_event(holder):
    Event.objects.update(status=Event.Status.FINISHED)
    answer = bearer(secret_of(holder)).get(ME)
    assert (answer.status_code, answer.json()["code"]) == (410, "credential-expired")


def test_whoever_guesses_is_slowed_down_and_nobody_else(cast, monkeypatch):
    monkeypatch.setattr(brute_force, "A_MINUTE", 5)
    statuses = [bearer(f"lst_{number:048}").get(ME).status_code for number in range(7)]
    assert statuses == [404] * 5 + [429] * 2
    assert bearer("lsu_guess").get(ME).status_code == 429
    assert cast.owner.get(ME).status_code == 200, "one phone with an old link must not stop the café it is in"
    assert cast.nobody.get(ME).status_code == 200
    assert bearer("lsu_guess").get(ME, REMOTE_ADDR="10.0.0.2").status_code == 401


def test_last_use_is_written_down_once_a_minute(cast):
    cast.owner.get(ME)
    used = Credential.objects.get(digest=credentials.digest("lsu_owner")).last_used_at
    assert used is not None
    cast.owner.get(ME)
    assert Credential.objects.get(digest=credentials.digest("lsu_owner")).last_used_at == used


def test_last_use_that_a_clock_which_was_ahead_wrote_down_gives_way_to_the_next(cast, set_ahead):
    set_ahead(dt.timedelta(days=365))
    cast.owner.get(ME)
    set_ahead(dt.timedelta())
    cast.owner.get(ME)
    used = Credential.objects.get(digest=credentials.digest("lsu_owner")).last_used_at
    assert used <= timezone.now()


# --- The same request twice -------------------------------------------------------------------------------------


def test_a_repeated_request_is_done_once_and_answered_twice(cast):
    first, again = (cast.organiser.post(PLAYERS, {"name": "Ana"}, headers=KEY) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert Player.objects.count() == 1
    other = cast.organiser.post(PLAYERS, {"name": "Ana"}, headers={"Idempotency-Key": "second"})
    assert other.json()["id"] != first.json()["id"]


def test_a_key_counts_for_one_credential_alone(cast):
    first = cast.organiser.post(PLAYERS, {"name": "Ana"}, headers=KEY)
    other = cast.owner.post(PLAYERS, {"name": "Ben"}, headers=KEY)
    assert (first.json()["name"], other.json()["name"]) == ("Ana", "Ben")


def test_the_same_key_for_another_request_is_refused(cast):
    cast.organiser.post(PLAYERS, {"name": "Ana"}, headers=KEY)
    for path, body in [
        (PLAYERS, {"name": "Ben"}),
        (PLAYERS + "import/", {"name": "Ana"}),
        (PLAYERS + "?format=json", {"name": "Ana"}),
    ]:
        answer = cast.organiser.post(path, body, headers=KEY)
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch")
    assert Player.objects.count() == 1


def test_a_refused_request_can_be_repeated_with_its_key(cast):
    assert cast.organiser.post(PLAYERS, {"name": ""}, headers=KEY).status_code == 400
    assert cast.organiser.post(PLAYERS, {"name": "Ana"}, headers=KEY).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 201, "a\x7fb"])
def test_a_key_is_short_and_printable(cast, key):
    answer = cast.organiser.post(PLAYERS, {"name": "Ana"}, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency-key-invalid")


def test_derived_secrets_are_derived_again_and_not_stored(cast):
    entry = enter(event_of(cast.club), PlayerFactory())
    token = credentials.derive(credentials.ENTRY, entry.uid, 1)
    body = {"id": entry.uid, "token": token, "seats": [{"token": token, "name": "lse_not_a_secret"}]}
    stored = idempotency._map_secrets(body, credentials.redact)
    assert token not in str(stored)
    known = StoredAnswer(fingerprint="x", status=201, body=stored)
    assert idempotency._replay(known, NOBODY, is_sure=True).data == body
    Entry.objects.update(generation=2)
    with pytest.raises(SecretRenewedError):
        idempotency._replay(known, NOBODY, is_sure=True)


@pytest.mark.django_db(transaction=True)
def test_a_second_request_is_kept_out_while_the_first_one_runs(cast):
    statuses, is_done = [], threading.Event()
    cast.organiser.get(ME)  # writes down the minute of the credential's use, which would be one more thing to wait for

    def first():
        with transaction.atomic():
            statuses.append(cast.organiser.post(PLAYERS, {"name": "Ana"}, headers=KEY).status_code)
            is_done.set()
            time.sleep(0.3)  # the work is done and not committed
        connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    is_done.wait(10)
    second = bearer("lsu_organiser").post(PLAYERS, {"name": "Ana"}, headers=KEY)
    thread.join()
    third = cast.organiser.post(PLAYERS, {"name": "Ana"}, headers=KEY)
    if connection.vendor == "postgresql":
        assert (second.status_code, second.json()["code"]) == (409, "idempotency-running")
    else:  # one writer at a time: the second waited for its turn, and got the answer of the first
        assert second.json() == third.json()
    assert [*statuses, third.status_code] == [201, 201]
    assert Player.objects.count() == 1
