"""Everybody who may call: each endpoint meets them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from core.models import User
from tests.api.callers import bearer
from tests.factories import ClubFactory, CredentialFactory, KeyFactory, MembershipFactory, UserFactory
from tournaments.models import Club, Role, Scope

CALLERS = ("owner", "organiser", "scorekeeper", "write_key", "read_key", "stranger", "nobody")


@dataclass
class Cast:
    """A club and everybody who may call about it: by role, by key, as a stranger and as nobody."""

    club: Club
    users: dict[str, User]
    clients: dict[str, APIClient]

    def __getattr__(self, name: str) -> APIClient:
        return self.clients[name]

    def statuses(self, method: str, path: str, body: Any = None) -> list[int]:
        """Return the status that each caller gets, in the order of `CALLERS`; nothing they do stays."""
        return [self._status(name, method, path, body) for name in CALLERS]

    def _status(self, name: str, method: str, path: str, body: Any) -> int:
        with transaction.atomic():
            status: int = getattr(self.clients[name], method)(path, body, format="json").status_code
            transaction.set_rollback(True)
        return status


@pytest.fixture
def cast(db) -> Cast:
    """A public club with an owner, an organiser, a scorekeeper and two keys; a stranger owns another club."""
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    users: dict[str, User] = {
        name: UserFactory(email=f"{name}@example.org") for name in ("owner", "organiser", "scorekeeper")
    }
    for name, user in users.items():
        MembershipFactory(club=club, user=user, role=name)
    users["stranger"] = MembershipFactory(role=Role.OWNER, user__email="stranger@example.org").user
    clients = {"nobody": APIClient()}
    for name, user in users.items():
        CredentialFactory(user=user, secret=f"lsu_{name}")
        clients[name] = bearer(f"lsu_{name}")
    for scope in Scope.values:
        KeyFactory(club=club, scope=scope, secret=f"lsk_{scope}")
        clients[f"{scope}_key"] = bearer(f"lsk_{scope}")
    return Cast(club, users, clients)
