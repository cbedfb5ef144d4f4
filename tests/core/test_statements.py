"""Statements that are composed once answer as the ORM does, and what they refuse is refused alike."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import Value
from django.test.utils import CaptureQueriesContext

from core import statements
from core.models import StaleMark, StoredAnswer
from core.statements import Prepared, change, insert, insert_all, remove, together
from tests.factories import ClubFactory, EntryFactory, EventFactory
from tournaments.models import Affiliation, Entry, Event, Player

pytestmark = pytest.mark.django_db


def by_status(status, event):
    rows = Entry.objects.filter(status=status, event=event).exclude(name="Nobody").annotate(mark=Value("x"))
    return rows.select_related("event__club", "event__season", "player").order_by("pk")


def test_a_prepared_query_gives_the_same_objects_as_the_query_itself(django_assert_num_queries):
    event = EventFactory()
    entries = [EntryFactory(event=each, status="registered") for each in (event, event, EventFactory())]
    prepared = Prepared(by_status, str, int)
    for _ in range(4):  # from the third on PostgreSQL has it planned
        with django_assert_num_queries(1):
            found = prepared("registered", event.pk)
            assert [each.event.club.name for each in found] == [event.club.name] * 2
            assert {each.event.season for each in found} == {None}
            assert [each.mark for each in found] == ["x", "x"]
    assert found == list(by_status("registered", event.pk)) == entries[:2]
    left = {name for name in vars(found[0]) if not name.startswith("_")}
    assert {name: getattr(found[0], name) for name in left} == {
        name: getattr(by_status("registered", event.pk)[0], name) for name in left
    }
    assert prepared.first("nobody", event.pk) is None


def test_a_prepared_query_is_composed_once():
    made = []

    def make(uid):
        made.append(uid)
        return Event.objects.filter(uid=uid)

    prepared, events = Prepared(make, str), [EventFactory(), EventFactory()]
    assert [prepared.first(event.uid) for event in events] == events
    assert len(made) == 1


def test_a_place_that_the_query_would_not_look_for_as_it_is_is_refused():
    with pytest.raises(ValueError, match="no place"):
        Prepared(lambda name: Event.objects.filter(name__contains=name), str)("x")


def test_values_of_a_prepared_query_come_as_tuples():
    entry = EntryFactory(name="Ada")
    prepared = Prepared(lambda key: Entry.objects.filter(pk=key).values_list("name", "event__version"), int)
    assert prepared(entry.pk) == [("Ada", entry.event.version)]


def test_a_value_is_never_part_of_a_statement():
    prepared = Prepared(lambda uid: Event.objects.filter(uid=uid), str)
    assert prepared("'; DROP TABLE tournaments_event; --") == []
    assert prepared("% %s \x1aplace 0") == []


def test_postgresql_keeps_the_plan_of_a_prepared_query():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite plans each statement anew, in no time")
    prepared = Prepared(lambda uid: Event.objects.filter(uid=uid, name="planned once"), str)
    for _ in range(5):
        prepared("x")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%tournaments_event%'")
        assert cursor.fetchone()[0] >= 1


def answer(key):
    return StoredAnswer(scope="s", key=key, fingerprint="f", status=201, body={"a": [1]}, grants=[[1, "owner"]])


def test_a_row_that_is_inserted_gets_its_key_and_its_times():
    row = answer("one")
    with CaptureQueriesContext(connection) as queries:
        insert(row)
    assert len(queries) == 1
    stored = StoredAnswer.objects.get(pk=row.pk)
    assert (stored.body, stored.grants, stored.created_at) == (row.body, row.grants, row.created_at)
    row.status = 200
    row.save()  # it is known to be stored
    assert StoredAnswer.objects.get().status == 200


def test_several_rows_are_inserted_by_one_statement():
    with CaptureQueriesContext(connection) as queries:
        insert(*(StaleMark(kind="season", key=str(number)) for number in range(3)))
    assert len(queries) == 1
    assert sorted(StaleMark.objects.values_list("key", flat=True)) == ["0", "1", "2"]


def test_rows_that_name_each_other_are_stored_in_order_each_with_its_key():
    event = EventFactory()
    people = [Player(name=f"Åsa {number}", home=event.club) for number in range(3)]
    rows = [Entry(event=event, player=each, name=each.name) for each in people]
    with CaptureQueriesContext(connection) as queries:
        insert_all(people)
        insert_all(rows)
    assert len(queries) == 2
    assert list(Player.objects.order_by("pk")) == people
    assert [each.player for each in Entry.objects.order_by("pk")] == people
    assert {each.search.strip() for each in Player.objects.all()} == {"asa 0", "asa 1", "asa 2"}
    assert rows[0].player is people[0]
    rows[0].name = "Renamed"
    rows[0].save()  # it is known to be stored
    assert Entry.objects.get(pk=rows[0].pk).name == "Renamed"


def test_a_time_stays_as_it_is_given_only_where_that_is_asked_for():
    event, long_ago = EventFactory(), dt.datetime(2020, 1, 2, tzinfo=dt.UTC)
    people = [EntryFactory().player for _ in range(2)]
    given, new = (Entry(event=event, player=each, name=each.name, created_at=long_ago) for each in people)
    insert_all([given], as_given=["created_at"])
    insert_all([new])
    assert Entry.objects.get(pk=given.pk).created_at == long_ago
    assert Entry.objects.get(pk=new.pk).created_at > long_ago


def test_more_rows_than_one_statement_takes_are_stored_by_several(monkeypatch):
    fields = len(StaleMark._meta.local_concrete_fields) - 1
    monkeypatch.setattr(statements, "MOST_VALUES", 2 * fields)
    rows = [StaleMark(kind="season", key=str(number)) for number in range(5)]
    with CaptureQueriesContext(connection) as queries:
        insert_all(rows)
    assert len(queries) == 3
    assert dict(StaleMark.objects.values_list("key", "pk")) == {row.key: row.pk for row in rows}


def test_rows_that_are_there_already_are_left_out_where_that_is_asked_for():
    club, (ana, ben) = ClubFactory(), (EntryFactory().player for _ in range(2))
    Affiliation.objects.create(club=club, player=ana, note="kept")
    insert_all([Affiliation(club=club, player=each) for each in (ana, ben)], is_lenient=True)
    known = Affiliation.objects.filter(club=club).order_by("pk")
    assert list(known.values_list("player", "note")) == [(ana.pk, "kept"), (ben.pk, "")]
    insert_all([])


def test_a_change_raises_the_version_and_leaves_other_rows_alone():
    event, other = EventFactory(name="Before"), EventFactory(name="Before")
    before = event.version
    change(event, name="After", status=Event.Status.RUNNING)
    change(event)
    assert (event.name, event.version) == ("After", before + 2)
    stored = Event.objects.get(pk=event.pk)
    assert (stored.name, stored.status, stored.version) == ("After", Event.Status.RUNNING, before + 2)
    other.refresh_from_db()
    assert (other.name, other.version) == ("Before", before)


def test_rows_are_removed_by_a_value():
    insert(*(StaleMark(kind="season", key=key) for key in "aab"))
    remove(StaleMark, "key", "a")
    assert [mark.key for mark in StaleMark.objects.all()] == ["b"]


def test_what_is_sent_together_is_done_in_order():
    event = EventFactory()
    with transaction.atomic(), together():
        insert(*(StaleMark(kind="season", key=key) for key in "ab"))
        change(event, name="Together")
        remove(StaleMark, "key", "a")
        assert [mark.key for mark in StaleMark.objects.all()] == ["b"]
        insert(answer("one"))
    assert Event.objects.get(pk=event.pk).name == "Together"


@pytest.mark.django_db(transaction=True)
def test_what_is_refused_of_many_sent_together_undoes_them_all():
    insert(answer("one"))
    event = EventFactory(name="Before")

    @transaction.atomic
    def work():
        with together():
            change(event, name="After")
            insert(answer("two"), answer("one"))
            change(event, name="Later")

    with pytest.raises(IntegrityError):
        work()
    assert [row.key for row in StoredAnswer.objects.all()] == ["one"]
    assert Event.objects.get(pk=event.pk).name == "Before"


def test_one_process_may_ask_ours_and_djangos_own_postgresql(monkeypatch):
    event, prepared = EventFactory(), Prepared(lambda uid: Event.objects.filter(uid=uid), str)
    assert prepared.first(event.uid) == event
    change(event, name="ours")
    with monkeypatch.context() as plain:
        plain.delattr(type(connections["default"]), "prepared_cursor", raising=False)
        assert prepared.first(event.uid) == event
        change(event, name="Django's")
    assert prepared.first(event.uid).name == "Django's"
    change(event, name="ours again")
