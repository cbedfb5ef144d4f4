"""What a former version left in the database, after the update."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from engines import GAMES
from scoring.models import Attempt, Draft, Report
from scoring.services.reports import confirm_report, submit_report
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


# --- An update while an event runs --------------------------------------------------------------------------------


def reported_before(tonight, who, **fields):
    """Return a report as a version left it that wrote fingerprints and tie-breaks otherwise."""
    sheet = tonight.sheet()
    own = {
        "sheet": sheet,
        "minimal": "of a former version",
        "standings": [row.as_json() | {"key": [row.score, -1]} for row in GAMES["dix"].check(sheet).standings],
        "status": Report.Status.DISPUTED,
    }
    entry = tonight.entries[who]
    return Report.objects.create(table=tonight.table, version=who + 1, entry=entry, author="entry", **own | fields)


def send(tonight, who, number=0):
    return submit_report(actor=tonight.players[who], table=tonight.table, sheet=tonight.sheet(number))


def statuses(tonight):
    return [report.status for report in tonight.table.reports.order_by("version")]


def test_equal_sheets_confirm_each_other_though_one_is_of_a_former_version():
    tonight = evening()
    reported_before(tonight, 0)
    assert send(tonight, 1).status == "final"
    assert statuses(tonight) == ["final", "replaced"]


def test_equal_sheets_that_an_update_put_in_dispute_are_put_together_by_the_next_word():
    tonight = evening()
    first, second = reported_before(tonight, 0), reported_before(tonight, 1, minimal="of another version")
    assert confirm_report(actor=tonight.players[2], report=second).pk == first.pk
    assert statuses(tonight) == ["final", "replaced"]


def test_sheets_that_differ_are_disputed_though_one_is_of_a_former_version():
    tonight = evening()
    reported_before(tonight, 0)
    send(tonight, 1, 1)
    assert statuses(tonight) == ["disputed", "disputed"]


def test_sheet_that_the_present_rules_refuse_is_told_by_its_fingerprint():
    tonight = evening()
    old = reported_before(tonight, 0, sheet={"of": "an older edition"})
    new = send(tonight, 1)
    assert statuses(tonight) == ["disputed", "disputed"]
    assert confirm_report(actor=tonight.players[2], report=old).pk == old.pk
    assert confirm_report(actor=tonight.players[2], report=new).pk == new.pk
