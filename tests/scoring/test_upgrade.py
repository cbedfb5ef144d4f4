"""What a former version left in the database, after the update."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from scoring.models import Attempt, Draft
from tests.factories import AttemptFactory, DraftFactory
from tests.scoring.evenings import evening

pytestmark = pytest.mark.django_db

UNREADABLE = [{"a": ["\0"]}, {"\ud800": 1}]


def delete_unreadable():
    migration = importlib.import_module("scoring.migrations.0012_unreadable_sheets")
    migration.delete_unreadable(apps, connection)


def test_sheets_that_can_be_read_stay():
    AttemptFactory(sheet={"a": "👩‍👧 \\u0000", "b": [1, None]})
    AttemptFactory(sheet="é")
    DraftFactory(sheet={"a": {"b": "ł"}})
    delete_unreadable()
    assert (Attempt.objects.count(), Draft.objects.count()) == (2, 1)


@pytest.mark.skipif(connection.vendor == "postgresql", reason="PostgreSQL never took them")
@pytest.mark.parametrize("sheet", UNREADABLE, ids=["NUL", "half a character"])
def test_sheets_that_nobody_can_read_are_gone_and_the_organiser_sees_the_table(sheet):
    tonight = evening()
    AttemptFactory(table=tonight.table, sheet=sheet)
    DraftFactory(table=tonight.table, sheet=sheet)
    delete_unreadable()
    assert not Attempt.objects.exists()
    assert not Draft.objects.exists()
    client = Client()
    client.force_login(tonight.organiser.user)
    assert client.get(f"/e/{tonight.event.uid}/console/table/{tonight.table.uid}/").status_code == 200
    assert client.get(f"/api/v1/tables/{tonight.table.uid}/attempts/").status_code == 200
