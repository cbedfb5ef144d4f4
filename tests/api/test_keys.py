"""Keys of clubs and tokens of users in the API."""

from __future__ import annotations

import datetime as dt
import time

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import StoredAnswer, User
from tests.api.callers import bearer
from tests.factories import ClubFactory, KeyFactory
from tournaments.access import credentials, usage
from tournaments.access.guards import Guard, ended
from tournaments.models import Club, Credential, KeyUse

KEYS = "/api/v1/clubs/cafe-meeple/keys/"
TOKENS = "/api/v1/me/tokens/"
ME = "/api/v1/me/"


def test_who_may_do_what(cast):
    key = Credential.objects.get(digest=credentials.digest("lsk_read"))
    only_owner = [403, 403, 403, 403, 403, 403]
    assert cast.statuses("get", KEYS) == [200, *only_owner]
    assert cast.statuses("post", KEYS, {"name": "site", "scope": "read"}) == [201, *only_owner]
    assert cast.statuses("delete", f"{KEYS}{key.uid}/") == [204, *only_owner]
    assert cast.statuses("get", ME) == [200] * 7
    people_alone = [200, 200, 200, 403, 403, 200, 403]
    assert cast.statuses("get", TOKENS) == people_alone
    assert cast.statuses("post", TOKENS, {"name": "phone"}) == [
        status and status + (status == 200) for status in people_alone
    ]


def test_keys_of_a_private_club_exist_only_for_those_who_belong_to_it(cast):
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    assert cast.statuses("get", KEYS) == [200, 403, 403, 403, 403, 404, 404]


@pytest.mark.parametrize(
    ("path", "body", "prefix"),
    [(KEYS, {"name": "site", "scope": "write"}, "lsk_"), (TOKENS, {"name": "phone"}, "lsu_")],
)
def test_a_secret_is_shown_once_and_kept_as_a_hash(cast, path, body, prefix):
    headers = {"Idempotency-Key": "one"}
    answer = cast.owner.post(path, body, headers=headers)
    assert answer.status_code == 201
    made, secret = answer.json(), answer.json()["token"]
    assert secret.startswith(prefix)
    assert bearer(secret).get(ME).status_code == 200
    stored = Credential.objects.get(uid=made["id"])
    assert (stored.prefix, stored.digest) == (secret[:10], credentials.digest(secret))
    again = cast.owner.post(path, body, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "secret-already-shown")
    assert secret not in str(list(StoredAnswer.objects.values()))
    listed = cast.owner.get(path).json()["results"]
    assert listed[0] == {name: value for name, value in made.items() if name != "token"} | {
        "last_used_at": listed[0]["last_used_at"]
    }
    assert listed[0]["last_used_at"] is not None
    assert secret not in str(listed)


@pytest.mark.parametrize(("path", "body"), [(KEYS, {"name": "site", "scope": "write"}), (TOKENS, {"name": "phone"})])
def test_a_revoked_secret_opens_nothing(cast, path, body):
    made = cast.owner.post(path, body).json()
    assert cast.owner.delete(f"{path}{made['id']}/").status_code == 204
    answer = bearer(made["token"]).get(ME)
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid-credentials")
    assert answer["WWW-Authenticate"] == "Bearer"
    assert cast.owner.delete(f"{path}{made['id']}/").status_code == 404


def test_nobody_revokes_the_token_of_another(cast):
    token = Credential.objects.get(digest=credentials.digest("lsu_organiser"))
    assert cast.owner.delete(f"{TOKENS}{token.uid}/").status_code == 404


def test_a_user_who_was_shut_out_is_nobody(cast):
    User.objects.filter(pk=cast.users["owner"].pk).update(is_active=False)
    assert cast.owner.get(ME).status_code == 401


def test_a_write_key_acts_as_an_organiser_and_a_read_key_reads(cast):
    players = "/api/v1/clubs/cafe-meeple/players/"
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    assert cast.read_key.get(players).status_code == 200
    assert cast.read_key.post(players, {"name": "Ana"}).status_code == 403
    assert cast.write_key.post(players, {"name": "Ana"}).status_code == 201


def test_everybody_can_ask_who_they_are(cast):
    club = {"slug": "cafe-meeple", "name": "Café Meeple"}
    assert cast.organiser.get(ME).json() == {
        "kind": "user",
        "user": {"email": "organiser@example.org", "name": cast.users["organiser"].name, "player": None},
        "entry": None,
        "table": None,
        "scopes": None,
        "clubs": [club | {"role": "organiser"}],
    }
    nobody = {"kind": "nobody", "user": None, "entry": None, "table": None, "scopes": None, "clubs": []}
    assert cast.nobody.get(ME).json() == nobody
    for name, role in (("read", None), ("results", None), ("write", "organiser")):
        key = {"kind": "key", "scopes": [name], "clubs": [club | {"role": role}]}
        assert getattr(cast, f"{name}_key").get(ME).json() == nobody | key


def test_a_logged_in_browser_is_a_user_and_needs_the_csrf_token(cast):
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(cast.users["owner"], "django.contrib.auth.backends.ModelBackend")
    assert browser.get(ME).json()["user"]["email"] == "owner@example.org"
    assert browser.post(TOKENS, {"name": "phone"}).status_code == 403


# --- Scopes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "scopes", "scope"),
    [
        ({"scope": "read"}, ["read"], "read"),
        ({"scope": "people"}, ["people"], "some"),
        ({"scopes": ["people", "results", "people"]}, ["results", "people"], "some"),
        ({"scopes": ["read", "events"]}, ["events"], "some"),
        ({"scopes": ["results", "write"]}, ["write"], "write"),
    ],
)
def test_a_key_has_one_scope_or_several(cast, asked, scopes, scope):
    made = cast.owner.post(KEYS, {"name": "site", **asked}, format="json").json()
    assert (made["scopes"], made["scope"], made["expires_at"]) == (scopes, scope, None)
    assert cast.owner.get(f"{KEYS}{made['id']}/").json()["scopes"] == scopes


@pytest.mark.parametrize(
    "asked",
    [{}, {"scope": "read", "scopes": ["read"]}, {"scopes": []}, {"scopes": ["all"]}, {"scope": "results people"}],
)
def test_a_key_without_a_scope_or_with_one_nobody_knows_is_refused(cast, asked):
    answer = cast.owner.post(KEYS, {"name": "site", **asked}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-fields")


def test_a_key_with_two_scopes_does_both_and_nothing_else(cast):
    body = {"name": "site", "scopes": ["people", "events"]}
    key = bearer(cast.owner.post(KEYS, body, format="json").json()["token"])
    event = {"club": "cafe-meeple", "name": "E", "game": "dix", "starts_at": "2026-11-18T19:00:00+01:00"}
    assert key.post("/api/v1/clubs/cafe-meeple/players/", {"name": "Ana"}).status_code == 201
    assert key.post("/api/v1/events/", event).status_code == 201
    assert key.patch("/api/v1/clubs/cafe-meeple/", {"name": "Taken over"}).status_code == 403
    assert key.get("/api/v1/clubs/cafe-meeple/webhooks/").status_code == 403
    elsewhere = ClubFactory(name="Elsewhere")
    assert key.post(f"/api/v1/clubs/{elsewhere.slug}/players/", {"name": "Bo"}).status_code == 403


# --- The end of a key ---------------------------------------------------------------------------------------------


def test_a_key_ends_by_itself_also_for_whoever_is_polling(cast):
    soon = timezone.now() + dt.timedelta(days=2)
    made = cast.owner.post(KEYS, {"name": "site", "scope": "read", "expires_at": soon.isoformat()}).json()
    assert dt.datetime.fromisoformat(made["expires_at"]) == soon
    key, board = bearer(made["token"]), "/api/v1/clubs/cafe-meeple/leaderboards/dix/"
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    assert [key.get(address).status_code for address in (ME, board, board)] == [200, 200, 200]
    reader = Guard(credential=Credential.objects.get(uid=made["id"]).pk)
    assert ended([reader]) == set()
    Credential.objects.filter(uid=made["id"]).update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    answers = [key.get(address) for address in (ME, board)]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(410, "credential-expired")] * 2
    assert ended([reader]) == {reader}
    assert cast.owner.get(KEYS).json()["results"][0]["id"] == made["id"], "its owner sees why"
    assert cast.owner.delete(f"{KEYS}{made['id']}/").status_code == 204


@pytest.mark.parametrize("days", [-1, 0, 366 * 5 + 1])
def test_a_key_cannot_end_in_the_past_or_after_a_lifetime(cast, days):
    end = timezone.now() + dt.timedelta(days=days)
    answer = cast.owner.post(KEYS, {"name": "site", "scope": "read", "expires_at": end.isoformat()})
    assert (answer.status_code, answer.json()["code"]) == (422, "key-invalid")
    assert answer.json()["errors"][0]["path"] == ["expires_at"]


# --- What a key was used for --------------------------------------------------------------------------------------


def uses_of(cast, name: str) -> dict[tuple[str, str, str], int]:
    """Return the log of a key, as its owner reads it once it is written."""
    usage.write()
    key = Credential.objects.get(digest=credentials.digest(f"lsk_{name}"))
    rows = cast.owner.get(f"{KEYS}{key.uid}/uses/").json()["results"]
    return {(row["method"], row["route"], row["status"]): row["count"] for row in rows}


def test_the_log_counts_calls_by_day_route_and_answer(cast):
    players = "/api/v1/clubs/cafe-meeple/players/"
    for _ in range(3):
        cast.people_key.get(players)
    cast.people_key.post(players, {"name": "Ana"})
    cast.people_key.post("/api/v1/events/", {"club": "cafe-meeple"})
    route = "/clubs/{slug}/players/"
    first = {("GET", route, "2xx"): 3, ("POST", route, "2xx"): 1, ("POST", "/events/", "4xx"): 1}
    assert uses_of(cast, "people") == first
    cast.people_key.get(players)
    assert uses_of(cast, "people") == first | {("GET", route, "2xx"): 4}
    assert uses_of(cast, "read") == {}
    assert "Ana" not in str(list(KeyUse.objects.values()))


def test_the_log_counts_lists_that_are_answered_from_memory(cast, django_assert_num_queries):
    board = "/api/v1/clubs/cafe-meeple/leaderboards/dix/"
    cast.read_key.get(board)
    with django_assert_num_queries(1):  # the version, and nothing for the log
        cast.read_key.get(board)
    assert uses_of(cast, "read") == {("GET", "/clubs/{slug}/leaderboards/{game}/", "2xx"): 2}


def test_the_log_is_bounded_and_old_lines_are_deleted(cast, monkeypatch):
    monkeypatch.setattr(usage, "MOST", 1)
    for address in (ME, ME, "/api/v1/clubs/"):
        cast.read_key.get(address)
    assert uses_of(cast, "read") == {("GET", "/me/", "2xx"): 2}
    now = timezone.now()
    usage.forget(now + dt.timedelta(days=89))
    assert KeyUse.objects.count() == 1
    usage.forget(now + dt.timedelta(days=92))
    assert KeyUse.objects.count() == 0


def test_uses_of_a_key_that_is_gone_are_dropped(cast):
    cast.read_key.get(ME)
    cast.write_key.get(ME)
    Credential.objects.get(digest=credentials.digest("lsk_read")).delete()
    assert uses_of(cast, "write") == {("GET", "/me/", "2xx"): 1}


@pytest.mark.django_db(transaction=True)
def test_the_log_is_written_by_itself_within_a_minute(monkeypatch):
    monkeypatch.setattr(usage, "EVERY", 0.01)
    key = KeyFactory()
    usage.note(key.pk, "GET", "api/v1/me/", 200)
    deadline = time.monotonic() + 30
    while not key.uses.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [(use.route, use.count) for use in key.uses.all()] == [("/me/", 1)]
