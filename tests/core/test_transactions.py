"""What a refusal leaves behind."""

from __future__ import annotations

import pytest

from core.models import Heartbeat
from core.transactions import atomic, on_rollback, rehearsal

pytestmark = pytest.mark.django_db


class RefusedError(Exception):
    """What a service raises."""


def beat(name: str) -> None:
    Heartbeat.objects.create(name=name, sent_at="2026-01-01T00:00Z", done_at="2026-01-01T00:00Z")


def names() -> set[str]:
    return set(Heartbeat.objects.values_list("name", flat=True))


def refuse() -> None:
    with atomic():
        beat("undone")
        on_rollback(lambda: beat("kept"))
        raise RefusedError


def test_what_is_to_be_kept_outlives_the_rollback():
    with pytest.raises(RefusedError):
        refuse()
    assert names() == {"kept"}


def test_it_waits_for_the_outermost_transaction():
    def nested() -> None:
        with atomic():
            beat("outer")
            refuse()

    with pytest.raises(RefusedError):
        nested()
    assert names() == {"kept"}


def test_nothing_is_done_where_the_work_succeeds():
    with atomic():
        on_rollback(lambda: beat("never"))
        beat("done")
    assert names() == {"done"}


def test_a_rehearsal_leaves_nothing_whether_it_ends_well_or_not():
    with rehearsal():
        beat("undone")
    with pytest.raises(RefusedError), rehearsal():
        refuse()
    assert names() == set()
