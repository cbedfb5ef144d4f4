"""The sheet in progress: the version it was made from decides who was first."""

from __future__ import annotations

import pytest

from scoring.errors import DraftConflictError
from scoring.models import Draft
from scoring.services.drafts import draft_of, save_draft
from scoring.services.reports import submit_report
from tests.scoring.evenings import evening
from tournaments.models import Confirmation

pytestmark = pytest.mark.django_db


def test_a_draft_is_resumed_from_any_seat():
    there = evening()
    first, second = there.players[:2]
    assert save_draft(actor=first, table=there.table, sheet={"a": 1}, version=0).version == 1
    assert draft_of(actor=second, table=there.table).sheet == {"a": 1}
    assert save_draft(actor=second, table=there.table, sheet={"a": 2}, version=1).version == 2


def test_a_draft_over_a_newer_one_is_a_conflict_and_the_same_one_again_is_not():
    there = evening()
    first, second = there.players[:2]
    save_draft(actor=first, table=there.table, sheet={"a": 1}, version=0)
    assert save_draft(actor=first, table=there.table, sheet={"a": 1}, version=0).version == 1
    with pytest.raises(DraftConflictError) as refused:
        save_draft(actor=second, table=there.table, sheet={"a": 2}, version=0)
    assert refused.value.draft.sheet == {"a": 1}


def test_a_draft_made_from_a_version_that_never_was_is_a_conflict():
    there = evening()
    with pytest.raises(DraftConflictError) as refused:
        save_draft(actor=there.players[0], table=there.table, sheet={}, version=7)
    assert refused.value.draft.version == 0


def test_a_draft_is_gone_once_its_table_has_a_result():
    there = evening(confirmation=Confirmation.TRUST)
    save_draft(actor=there.players[0], table=there.table, sheet={"a": 1}, version=0)
    submit_report(actor=there.players[0], table=there.table, sheet=there.sheet())
    assert not Draft.objects.exists()
