"""Callers are limited by credential; a café behind one address is not one caller."""

from __future__ import annotations

import inspect
import threading
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from types import SimpleNamespace

import pytest
from rest_framework.test import APIClient

from api.entries import Entries
from api.events import Join
from api.framework import CredentialThrottle
from core import brute_force
from tests.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory
from tournaments.access import credentials
from tournaments.actors import NOBODY
from tournaments.services import joining


@pytest.fixture(autouse=True)
def few_requests(monkeypatch):
    monkeypatch.setattr(CredentialThrottle, "THROTTLE_RATES", {"credential": "3/min", "address": "5/min"})


def statuses(client, number):
    return [client.get("/api/v1/games/").status_code for _ in range(number)]


def join(event, code, **extra):
    path, body = f"/api/v1/events/{event.uid}/entries/", {"name": f"Ana {code}", "join_code": code}
    return APIClient().post(path, body, format="json", **extra).status_code


def find(code, **extra):
    return APIClient().get(f"/api/v1/join/{code}/", **extra).status_code


@pytest.mark.django_db
def test_two_users_behind_one_address_have_a_limit_each():
    for _ in range(2):
        client = APIClient()
        client.force_authenticate(UserFactory())
        assert statuses(client, 4) == [200, 200, 200, 429]


def test_callers_without_a_credential_share_the_limit_of_their_address():
    assert statuses(APIClient(), 3) == [200] * 3
    assert statuses(APIClient(), 3) == [200, 200, 429]
    assert statuses(APIClient(REMOTE_ADDR="10.0.0.2"), 1) == [200]


NETWORKS = [
    ("203.0.113.7", "203.0.113.7"),
    ("::ffff:203.0.113.7", "203.0.113.7"),
    ("[::ffff:cb00:7107]", "203.0.113.7"),
    ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
    ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
    ("[2001:db8:1:3::1]", "2001:db8:1:3::/64"),
    ("fe80::1%eth0", "fe80::/64"),
    ("fe80::2%eth1", "fe80::/64"),
    ("unknown", "unknown"),
    ("", ""),
]


@pytest.mark.parametrize("has_proxy", [False, True])
@pytest.mark.parametrize(("address", "network"), NETWORKS)
def test_address_counts_as_the_network_that_somebody_has(rf, settings, has_proxy, address, network):
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": int(has_proxy)}
    named = {"HTTP_X_FORWARDED_FOR": f"198.51.100.1, {address}"} if has_proxy else {"REMOTE_ADDR": address}
    assert brute_force.address_of(rf.get("/", **named)) == network


def test_callers_of_one_network_share_a_limit_whatever_their_addresses():
    found = [statuses(APIClient(REMOTE_ADDR=f"2001:db8:1:2::{number:x}"), 1) for number in range(6)]
    assert found == [[200]] * 5 + [[429]]
    assert statuses(APIClient(REMOTE_ADDR="2001:db8:1:3::1"), 1) == [200]


# --- Codes ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_right_code_works_however_many_asked_from_the_same_address():
    event = EventFactory()
    assert statuses(APIClient(), 6)[-1] == 429
    assert (find("222222"), join(event, "222222")) == (429, 429)
    assert (find(event.join_code), join(event, event.join_code)) == (200, 201)


@pytest.mark.django_db
@pytest.mark.parametrize("verb", ["take-back", "vouch"])
def test_right_proof_works_however_many_asked_from_the_same_address(verb):
    event = EventFactory()
    player = PlayerFactory(club=event.club)
    earlier = EntryFactory(event=EventFactory(club=event.club), player=player)
    claimed = joining.join(event=event, code=event.join_code, actor=NOBODY, player=player)

    def show(proof):
        path = f"/api/v1/entries/{claimed.uid}/{verb}/"
        return APIClient().post(path, {"proof": proof}, format="json").status_code

    assert statuses(APIClient(), 6)[-1] == 429
    for wrong in ("AAAAAAAA", "lse_x", "", None, ["AAAAAAAA"]):
        assert (wrong, show(wrong)) == (wrong, 429)
    assert show(credentials.derive(credentials.ENTRY, earlier.uid, earlier.generation)) == 200


@pytest.mark.django_db
@pytest.mark.parametrize("is_day_used_up", [False, True])
def test_addresses_that_guess_are_slow_only_when_the_day_is_used_up(monkeypatch, is_day_used_up):
    event = EventFactory()
    monkeypatch.setattr(brute_force, "A_MINUTE", 3)
    monkeypatch.setattr(brute_force, "A_DAY", 5 if is_day_used_up else 1000)
    monkeypatch.setattr(brute_force, "PAUSE", 60.0)
    assert [find("222222", REMOTE_ADDR="10.0.0.3") for _ in range(5)] == [404, 404, 404, 429, 429]
    found = [find(event.join_code, REMOTE_ADDR="10.0.0.3") for _ in range(3)]
    assert found == ([200, 429, 429] if is_day_used_up else [200, 200, 200])
    assert find(event.join_code, REMOTE_ADDR="10.0.0.4") == 200, "others are not slowed down"


@pytest.mark.parametrize(("view", "name"), [(Entries, "event_of_code"), (Join, "event")])
def test_code_that_is_looked_up_slowly_keeps_no_other_waiting(monkeypatch, view, name):
    """Where no connection is free each waits two seconds for one: sixteen waited for each other, for half a minute."""
    both = threading.Barrier(2)

    def look_up(*_):
        both.wait(5)

    monkeypatch.setattr(inspect.getmodule(view), "look_up", look_up)
    asking = [view(request=SimpleNamespace(data={"join_code": "K7Q4MX"}), kwargs={"uid": "a"}) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(attrgetter(name), asking)) == [None, None]
