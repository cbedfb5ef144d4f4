"""Who said what and when: only ever added to."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from scoring.models import Report
from scoring.services.reports import submit_report
from tests.scoring.evenings import evening
from tournaments.models import Action

pytestmark = pytest.mark.django_db


def refused(change) -> bool:
    try:
        with transaction.atomic():
            change()
    except IntegrityError:
        return True
    return False


@pytest.fixture
def reported():
    if connection.vendor != "postgresql":
        return None
    tonight = evening()
    return submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())


def test_postgresql_itself_keeps_the_history_and_the_sheets(reported):
    if reported is None:
        return  # SQLite has one user, the program
    actions, reports = Action.objects.all(), Report.objects.all()
    assert refused(lambda: actions.update(reason="another"))
    assert refused(actions.delete)
    assert refused(lambda: reports.update(sheet={}))
    assert refused(lambda: reports.update(version=7))
    assert refused(reports.delete)
    assert not refused(lambda: actions.update(user=None))
    assert not refused(lambda: reports.update(status="withdrawn"))
