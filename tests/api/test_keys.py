"""Keys of clubs and tokens of users in the API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from core.models import StoredAnswer, User
from tests.api.callers import bearer
from tournaments.access import credentials
from tournaments.models import Club, Credential

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
        "clubs": [club | {"role": "organiser"}],
    }
    nobody = {"kind": "nobody", "user": None, "entry": None, "table": None, "clubs": []}
    assert cast.nobody.get(ME).json() == nobody
    assert cast.read_key.get(ME).json() == nobody | {"kind": "key", "clubs": [club | {"role": None}]}
    assert cast.write_key.get(ME).json() == nobody | {"kind": "key", "clubs": [club | {"role": "organiser"}]}


def test_a_logged_in_browser_is_a_user_and_needs_the_csrf_token(cast):
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(cast.users["owner"], "django.contrib.auth.backends.ModelBackend")
    assert browser.get(ME).json()["user"]["email"] == "owner@example.org"
    assert browser.post(TOKENS, {"name": "phone"}).status_code == 403
