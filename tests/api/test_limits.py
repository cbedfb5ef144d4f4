"""Callers are limited by credential; a café behind one address is not one caller."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from api.framework import CredentialThrottle
from tests.factories import UserFactory


@pytest.fixture(autouse=True)
def few_requests(monkeypatch):
    cache.clear()
    monkeypatch.setattr(CredentialThrottle, "THROTTLE_RATES", {"credential": "3/min", "address": "5/min"})
    yield
    cache.clear()


def statuses(client, number):
    return [client.get("/api/v1/games/").status_code for _ in range(number)]


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
