"""The sheet in progress: the version it was made from decides who was first."""

from __future__ import annotations

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from django.conf import settings
from django.db import connection

from core.strict_json import written_length
from engines import custom
from engines.custom.definition import LARGEST, MOST_ROUNDS, MOST_SEATS
from scoring.errors import DraftConflictError, DraftTooLongError
from scoring.models import Draft
from scoring.services import drafts
from scoring.services.drafts import MOST_ENTRIES, draft_of, merge_draft, save_draft
from scoring.services.reports import submit_report
from tests.engines.custom.test_definition import rounds as own_rounds
from tests.scoring.evenings import evening, sheet_with
from tournaments.errors import ForbiddenError
from tournaments.models import Confirmation

pytestmark = pytest.mark.django_db


def test_a_draft_is_resumed_from_any_seat():
    there = evening()
    first, second = there.players[:2]
    assert save_draft(actor=first, table=there.table, sheet={"a": 1}, version=0).version == 1
    assert draft_of(actor=second, table=there.table).sheet == {"a": 1}
    assert save_draft(actor=second, table=there.table, sheet={"a": 2}, version=1).version == 2


@pytest.mark.parametrize("inner", [1, [], {}])
def test_what_no_score_sheet_is_becomes_no_draft(inner):
    """Of every entry is written down who made it: a body of 64 kB became a megabyte, at each keystroke."""
    there = evening()
    share = partial(merge_draft, actor=there.players[0], table=there.table)
    long = {"x": [inner] * MOST_ENTRIES}
    for refused in (
        partial(save_draft, actor=there.players[0], table=there.table, sheet=long, version=0),
        partial(share, sheet=long),
        partial(share, sheet={"x": 1}, base=long),
    ):
        with pytest.raises(DraftTooLongError):
            refused()
    assert not Draft.objects.exists()


@pytest.mark.parametrize("depth", [1, 8])
def test_a_long_name_above_many_entries_becomes_no_draft(depth):
    """Of every entry is written down who made it, by its path: a body of 62 kB became 190 MB in the database."""
    there = evening()
    share = partial(merge_draft, actor=there.players[0], table=there.table)
    long: object = [1] * (MOST_ENTRIES // 2)
    for _level in range(depth):
        long = {"k" * (8_000 // depth): long}
    assert isinstance(long, dict)
    for refused in (
        partial(save_draft, actor=there.players[0], table=there.table, sheet=long, version=0),
        partial(share, sheet=long),
        partial(share, sheet={"x": 1}, base=long),
    ):
        with pytest.raises(DraftTooLongError):
            refused()
    assert not Draft.objects.exists()


def test_asking_about_many_fields_takes_no_more_time_for_each():
    """A draft of 24 kB that contradicted another kept everybody else waiting for seconds."""
    assert _calls_to_merge(1_600) < 6 * _calls_to_merge(400)


def _calls_to_merge(entries):
    """Return how many functions are called to merge a sheet that contradicts all that another phone wrote."""
    there = evening()
    one, other = there.players[:2]
    merge_draft(actor=one, table=there.table, sheet={"x": [1] * entries})
    counted = 0

    def count(_frame, event, _arg):
        nonlocal counted
        counted += event.endswith("call")

    sys.setprofile(count)
    try:
        shared = merge_draft(actor=other, table=there.table, sheet={"x": [2] * entries})
    finally:
        sys.setprofile(None)
    assert len(shared.questions) == entries
    return counted


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_while_a_phone_is_told_what_to_ask(monkeypatch):
    there = evening()
    one, other = there.players[:2]
    merge_draft(actor=one, table=there.table, sheet={"x": 1})
    inside = []
    monkeypatch.setattr(drafts, "place", lambda *_path: inside.append(connection.in_atomic_block) or "x")
    merge_draft(actor=other, table=there.table, sheet={"x": 2})
    assert inside == [False]


def test_a_draft_does_not_become_too_long_part_by_part():
    there = evening()
    share = partial(merge_draft, actor=there.players[0], table=there.table)
    part = [1] * (MOST_ENTRIES // 2)
    share(sheet={"x": part})
    with pytest.raises(DraftTooLongError):
        share(sheet={"y": part})
    assert Draft.objects.get().sheet == {"x": part}


def test_a_draft_of_long_texts_is_refused_however_it_came_together():
    """Each request was within 64 kB, and hundreds of them made a draft of 26 MB, which every phone then loaded."""
    there = evening()
    share = partial(merge_draft, actor=there.players[0], table=there.table)
    half = "x" * (settings.SHEET_MAX_BYTES // 2)
    kept = share(sheet={"note": half}).draft.sheet
    for refused in (
        partial(share, sheet={"other": half}),
        partial(share, sheet={"other": "é" * (len(half) // 3)}),  # which takes six bytes where it is written
        partial(share, sheet={"note": half, "other": half}, base=kept, version=1),
        partial(save_draft, actor=there.players[0], table=there.table, sheet={"x": 2 * half}, version=1),
    ):
        with pytest.raises(DraftTooLongError):
            refused()
    assert (Draft.objects.get().sheet, Draft.objects.get().version) == (kept, 1)


@pytest.mark.parametrize("name", ["k", "k" * 60, "k" * 600, "é" * 60], ids=["short", "long", "longer", "escaped"])
def test_who_wrote_what_is_no_longer_than_a_few_sheets(name):
    there = evening()
    for number in (3_900, 900, 200, 60):
        with suppress(DraftTooLongError):
            merge_draft(actor=there.players[0], table=there.table, sheet={name: [1] * number})
    assert 0 < written_length(Draft.objects.get().writers) < 3 * settings.SHEET_MAX_BYTES


LABELS = [f"k99b77uxz7tvsp{number:02}" for number in range(MOST_SEATS)]


def largest_of_an_own_game():
    """Return the largest sheet that a club's own game can have."""
    definition = own_rounds(min=-LARGEST) | {"seats": {"min": 2, "max": MOST_SEATS}}
    rounds = [dict.fromkeys(LABELS, -LARGEST + row) for row in range(MOST_ROUNDS)]
    sheet = {"game": "custom:harbour", "variant": "standard", "seats": LABELS, "rounds": rounds}
    checked = custom.read(definition)
    assert checked.definition, checked.errors
    assert custom.engine(checked.definition).check(sheet).ok
    return sheet


@pytest.mark.parametrize(("game", "most"), [("ten-phases", 6), ("sixmix", 5), ("dix", 5), ("dice-run", 6), ("own", 8)])
def test_the_largest_sheets_there_are_become_drafts(game, most):
    """A phone sends the sheet as it knew it too, which is twice as much."""
    sheet = largest_of_an_own_game() if game == "own" else sheet_with(LABELS[:most], 0, game=game)
    there = evening()
    known, version = {name: sheet[name] for name in ("game", "variant", "seats")}, 0
    for number, name in enumerate(sheet):
        draft = merged(there, number % 3, known | {name: sheet[name]}, base=known, version=version).draft
        known, version = draft.sheet, draft.version
    assert save_draft(actor=there.players[0], table=there.table, sheet=sheet, version=version).sheet == sheet
    assert written_length({"sheet": sheet, "base": sheet, "version": version}) < settings.SHEET_MAX_BYTES


def test_a_draft_over_a_newer_one_is_a_conflict_and_the_same_one_again_is_not():
    there = evening()
    first, second = there.players[:2]
    save_draft(actor=first, table=there.table, sheet={"a": 1}, version=0)
    assert save_draft(actor=first, table=there.table, sheet={"a": 1}, version=0).version == 1
    with pytest.raises(DraftConflictError) as refused:
        save_draft(actor=second, table=there.table, sheet={"a": 2}, version=0)
    assert refused.value.draft.sheet == {"a": 1}


@pytest.mark.parametrize("sheets", [({"a": 1}, {"a": True}), ({"a": [{"b": False}]}, {"a": [{"b": 0}]})])
def test_a_draft_with_yes_for_one_is_another_one(sheets):
    """To Python one is yes and nought is no: what a phone changed to the other was answered as kept, and was not."""
    there = evening()
    first, second = there.players[:2]
    save_draft(actor=first, table=there.table, sheet=sheets[0], version=0)
    with pytest.raises(DraftConflictError):
        save_draft(actor=second, table=there.table, sheet=sheets[1], version=0)
    draft = merged(there, 1, sheets[1], base=sheets[0], version=1).draft
    assert (draft.version, json.dumps(Draft.objects.get().sheet)) == (2, json.dumps(sheets[1]))
    assert list(draft.writers.values()) == [there.entries[1].uid]


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


# --- Merged ------------------------------------------------------------------------------------------------------


def merged(there, player, sheet, **more):
    return merge_draft(actor=there.players[player], table=there.table, sheet=sheet, **more)


def test_phones_add_to_one_draft_field_by_field():
    there = evening()
    assert merged(there, 0, {"a": 1}).draft.version == 1
    shared = merged(there, 1, {"b": 2}, base={}, version=0)
    assert (shared.draft.sheet, shared.draft.version, shared.questions) == ({"a": 1, "b": 2}, 2, [])


def test_the_same_changes_sent_again_are_saved_once():
    there = evening()
    merged(there, 0, {"a": 1})
    for _ in range(2):
        assert merged(there, 1, {"a": 1, "b": 2}, base={"a": 1}, version=1).draft.version == 2


def test_one_field_written_twice_is_asked_about_with_the_name_of_who_wrote_it():
    there = evening()
    merged(there, 0, {"coins": 3})
    merged(there, 1, {"coins": 12}, base={"coins": 3}, version=1)
    merged(there, 2, {"coins": 3, "b": 1}, base={"coins": 3}, version=1)
    shared = merged(there, 0, {"coins": 21}, base={"coins": 3}, version=1)
    assert shared.draft.sheet == {"coins": 12, "b": 1}
    [question] = shared.questions
    assert question.clash == (("coins",), 12, 21)
    assert (question.author, question.author_name) == (there.entries[1].uid, there.entries[1].name)


def test_a_phone_that_does_not_know_what_it_saw_only_adds():
    there = evening()
    merged(there, 0, {"a": 1, "b": 2})
    shared = merged(there, 1, {"a": 9, "c": 3})
    assert shared.draft.sheet == {"a": 1, "b": 2, "c": 3}
    assert [question.clash.yours for question in shared.questions] == [9]


def test_a_draft_that_was_given_up_and_begun_again_takes_nothing_from_a_phone_that_knew_the_old_one():
    there = evening()
    old = {"a": 1, "b": 2}
    merged(there, 0, {"c": 3})
    assert merged(there, 1, old, base=old, version=7).draft.sheet == {"a": 1, "b": 2, "c": 3}
    Draft.objects.all().delete()
    assert merged(there, 1, old, base=old, version=7).draft.sheet == old


def test_who_puts_a_draft_is_remembered_by_what_they_changed():
    there = evening()
    merged(there, 0, {"a": 1, "b": 1})
    save_draft(actor=there.players[1], table=there.table, sheet={"a": 1, "b": 2}, version=1)
    assert Draft.objects.get().writers == {"a": there.entries[0].uid, "b": there.entries[1].uid}


def test_a_draft_of_any_shape_is_merged():
    there = evening(game="ten-phases")
    odd = {"stages": {"x": 1}, "phases": [1], "block": [[1]], "": {"": 0}}
    merged(there, 0, odd)
    other = {"stages": {"x": 2}, "phases": [2], "block": [[2]], "": {"": 1}}
    assert len(merged(there, 1, other).questions) == 4


def test_nobody_else_adds_to_a_draft():
    there, elsewhere = evening(), evening()
    with pytest.raises(ForbiddenError):
        merge_draft(actor=elsewhere.players[0], table=there.table, sheet={})


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_while_a_sheet_is_merged(monkeypatch):
    """With a sheet of 900 fields by eight connections, somebody who joined another club's event waited for seconds."""
    there = evening()
    inside = []

    def seen(work, *given, **more):
        inside.append(connection.in_atomic_block)
        return work(*given, **more)

    for name in ("merge", "_writers", "_refuse_long"):
        monkeypatch.setattr(drafts, name, partial(seen, getattr(drafts, name)))
    merged(there, 0, {"a": 1})
    merged(there, 1, {"b": 1})
    assert inside
    assert not any(inside)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("times", [1, 2, 3, 9])
def test_nothing_is_lost_however_often_somebody_else_is_quicker(monkeypatch, times):
    there = evening()
    merged(there, 2, {"c": 0})
    quicker = iter(range(1, times + 1))
    finish = drafts.merge

    def meanwhile(**sheets):
        if not connection.in_atomic_block and (number := next(quicker, None)):
            save_draft(actor=there.players[1], table=there.table, sheet={"c": number}, version=number)
        return finish(**sheets)

    monkeypatch.setattr(drafts, "merge", meanwhile)
    shared = merged(there, 0, {"a": 1}, base={}, version=1)
    assert shared.draft.sheet == Draft.objects.get().sheet == {"a": 1, "c": min(times, 3)}
    assert (shared.draft.version, shared.questions) == (min(times, 3) + 2, [])


def both_at_once(there):
    """Let two phones each add a field, and the second read before the first has written, if it can."""
    acts = [partial(merged, there, number, {name: 1}, base={}, version=1) for number, name in enumerate("ab")]
    read, finish = threading.Barrier(2), drafts.merge

    def slow(**sheets):
        with suppress(threading.BrokenBarrierError):
            read.wait(1)  # nobody else comes when one does it again
        return finish(**sheets)

    def act(one):
        try:
            one()
        finally:
            connection.close()

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(drafts, "merge", slow)
        list(pool.map(act, acts))
    return Draft.objects.get().sheet


@pytest.mark.django_db(transaction=True)
def test_two_phones_at_once_are_merged_one_after_the_other():
    there = evening()
    save_draft(actor=there.players[2], table=there.table, sheet={"c": 1}, version=0)
    assert both_at_once(there) == {"a": 1, "b": 1, "c": 1}


@pytest.mark.django_db(transaction=True)
def test_without_its_version_one_of_them_would_be_lost(monkeypatch):
    there = evening()
    save_draft(actor=there.players[2], table=there.table, sheet={"c": 1}, version=0)
    monkeypatch.setattr(drafts, "_as_read", lambda draft: Draft.objects.filter(pk=draft.pk))
    assert len(both_at_once(there)) == 2
