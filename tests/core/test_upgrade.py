"""What was there before accounts were proved, and logins written down, is there afterwards."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from core import sessions
from core.models import Login, User
from tests.factories import CredentialFactory, UserFactory

BEFORE = [("core", "0006_edition_of_computations")]


def migrate(targets):
    stepwise().migrate(targets)


def stepwise():
    """Return what migrates one step at a time, as a database of a former version does."""
    executor = MigrationExecutor(connection)
    executor.loader.replace_migrations = False
    executor.loader.build_graph()
    return executor


@pytest.mark.django_db(transaction=True)
def test_accounts_sessions_and_tokens_outlive_the_upgrade(client):
    ana = UserFactory(email="ana@example.org")
    CredentialFactory(user=ana, secret="lsu_ana")
    client.force_login(ana)
    held = client.session
    del held[sessions.SEEN]
    held.save()
    latest = stepwise().loader.graph.leaf_nodes()
    try:
        migrate(BEFORE)
    finally:
        migrate(latest)
    assert User.objects.get().email_proved_at is None, "nothing tells who had proved an address"
    assert Client().get("/api/v1/me/", headers={"Authorization": "Bearer lsu_ana"}).status_code == 200
    assert Login.objects.count() == 0
    assert client.get("/account/").status_code == 200
    assert Login.objects.get().user == ana
